"""What the planner knows of English and of capabilities: the rows of the TOML files beside this one."""

from __future__ import annotations

import tomllib
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import msgspec

from plantwin.cloud.offline.language import stem
from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import Family, SemanticClass, member


class Concern(StrEnum):
    """What a goal without steps is about."""

    INCIDENT = "incident"
    BREACH = "breach"
    SHARE = "share"
    SHIP = "ship"
    UNDO = "undo"
    STATE = "state"
    ORIENT = "orient"
    CATCHUP = "catchup"
    PREPARE = "prepare"
    TRUST = "trust"
    BETTER = "better"
    DRIFTED = "drifted"
    SLOW = "slow"
    RISK = "risk"
    CHANGE = "change"
    DUTY = "duty"
    DIFFERS = "differs"
    RECOVER = "recover"
    EVERYONE = "everyone"
    TIDY = "tidy"
    COVERAGE = "coverage"
    SETUP = "setup"
    STOCK = "stock"
    PEOPLE = "people"
    ACCESS = "access"
    REST = "rest"
    HANDOVER = "handover"
    FIRST = "first"
    PROOF = "proof"
    FACT = "fact"
    """None: it asks for something that a place in a file tells."""


class Material(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a capability works on best; `material.toml` says what each key means."""

    suits: dict[str, float]
    notable: dict[str, float] = {}
    share: float = 0.0
    least: float = 0.0


class _Phrases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    neutral: tuple[str, ...]
    outside: tuple[str, ...]
    seeks: tuple[str, ...]
    plainly: tuple[str, ...]
    holds: tuple[str, ...]
    judges: tuple[str, ...]
    spilled: tuple[str, ...]
    light: str
    ask: dict[Can, dict[str, float]]


class _Nouns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    checks: str
    glances: str
    nouns: dict[str, str]
    also: dict[str, str]
    meant: dict[str, Can]
    narrower: dict[Can, dict[str, Can]]


def _rows(name: str, type_: Any) -> Any:
    return msgspec.convert(tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8")), type_)


def _sort(word: str) -> SemanticClass | Family:
    known = word in SemanticClass._value2member_map_
    return member(SemanticClass, word) if known else member(Family, word)


_phrases: _Phrases = _rows("phrases", _Phrases)
_nouns: _Nouns = _rows("nouns", _Nouns)

CUES: Final = _phrases.ask
"""Each capability with the phrases that ask for it."""
NEUTRAL: Final = _phrases.neutral
"""Names of things that hold a word of a phrase and ask for nothing."""
OUTSIDE: Final = _phrases.outside
"""Questions that no capability answers."""
SEEKS: Final = _phrases.seeks
"""Questions that places in files answer, whatever their other words are."""
PLAINLY: Final = _phrases.plainly
"""Those that sound like a worry and are none: `what happens when I publish an article`."""
HOLDS: Final = _phrases.holds
"""Questions whether something is done: their verb is a part of them."""
JUDGES: Final = _phrases.judges
"""Words by which a question asks for a judgement."""
SPILLED: Final = _phrases.spilled
"""Secrets where they should not be."""
LIGHT: Final = frozenset(stem(word) for word in _phrases.light.split("|"))
"""Stems that say nothing of what is looked for."""
PHRASES: Final[dict[Concern, dict[str, float]]] = _rows("concerns", dict[Concern, dict[str, float]])
"""What a worry sounds like."""
ANSWERS: Final[dict[Can, dict[str, float]]] = _rows("answers", dict[Can, dict[str, float]])
"""What answers a question about the folder as a whole, with the phrases that ask it."""
MATERIAL: Final[dict[Can, Material]] = _rows("material", dict[Can, Material])
"""What each capability works on best."""
NOUNS: Final = _nouns.nouns
"""Words, and the classes and families that they name."""
ALSO: Final = _nouns.also
"""What some of these words mean besides, where files are chosen: classes, families, and kinds for all of a sort."""
MEANT: Final = {_sort(word): can for word, can in _nouns.meant.items()}
"""What it means to check an object of a class or family, when nothing else is said."""
NARROWER: Final = {can: {_sort(word): other for word, other in row.items()} for can, row in _nouns.narrower.items()}
"""What a capability becomes when all that it is put to is of one class or family."""
CHECKS: Final = _nouns.checks
GLANCES: Final = _nouns.glances
"""Verbs that say to look, and not what for; and weaker ones, for goals in which nothing else says what to do."""
