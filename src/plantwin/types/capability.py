"""What can be asked for: a capability's types, its price and its risk. The function stays private."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from plantwin.errors import VocabularyError
from plantwin.vocabulary import (
    CapabilityName,
    Family,
    Kind,
    OutcomeTag,
    Part,
    ResultType,
    Risk,
    SemanticClass,
    WorksOn,
)

FIELDS = (
    "kind", "semantic_class", "role", "component", "sensitivity", "sensitivity_causes", "age", "environment",
    "provider", "ecosystem", "dialect", "freshness", "contains", "amounts", "usable_for", "lacks", "readiness",
    "readiness_cause", "confidence", "edges", "size_bucket",
)  # fmt: skip
"""Fields that a release can tell of an object, in the order in which `describe` offers them."""

TELLING = (CapabilityName.DESCRIBE, CapabilityName.SPLIT)
"""What the gatekeeper itself carries out: it tells of objects and sets, and nothing runs."""

_EXAMINING = frozenset({Part.AFFECTED, Part.CLEAN, Part.WORST, Part.UNEXAMINED})
PARTS: Mapping[ResultType, frozenset[Part]] = {
    ResultType.FINDINGS: _EXAMINING | {Part.RELATED},
    ResultType.MATCHES: _EXAMINING | {Part.MATCHED},
    ResultType.DEPENDENCIES: _EXAMINING | {Part.RELATED},
    ResultType.COMPARISON: _EXAMINING | {Part.NEWER, Part.OLDER},
    ResultType.EVENTS: _EXAMINING | {Part.RELATED},
    ResultType.FIELDS: frozenset(),
    ResultType.DOCUMENT: frozenset({Part.UNEXAMINED}),
}
"""Parts that results of a type have; of all others those that say what was examined and what was found in it."""


def parts_of(returns: ResultType) -> frozenset[Part]:
    """Parts of a result that a later step can take."""
    return PARTS.get(returns, _EXAMINING)


CUSTOM_ID = "^custom_[a-z2-7]{8}$"
CustomId = Annotated[str, Meta(pattern=CUSTOM_ID, max_length=15)]
"""The name of a person's own capability in one session: random, since their own word for it may not cross."""

_custom_id = re.compile(CUSTOM_ID.removeprefix("^").removesuffix("$"))


def custom_id_like(value: object) -> bool:
    """Whether a value has the form of the name that a person's own capability has in a session."""
    return type(value) is str and _custom_id.fullmatch(value) is not None


class Capability(msgspec.Struct, frozen=True, kw_only=True):
    """One operation of the catalog. Inputs are objects, or results of earlier steps where `takes` says so."""

    name: CapabilityName
    """Its word; of a person's own the word for what it does, by which policies and goals know it."""
    own: str = ""
    """What the person calls their own: known locally alone. Empty for a built-in."""
    wire: str = ""
    """What their own is called in this session."""
    doc: str
    example: str
    kinds: frozenset[Kind] = frozenset(Kind)
    families: frozenset[Family] = frozenset()
    """Where not empty, an input of another family must have one of `classes`."""
    classes: frozenset[SemanticClass] = frozenset()
    takes: frozenset[ResultType] = frozenset()
    """Results of earlier steps that are accepted as inputs."""
    least: int = 1
    most: int = 8
    returns: ResultType
    required_fields: tuple[str, ...] = ("semantic_class",)
    """What a planner has to know of an object in order to choose this well."""
    tags: frozenset[OutcomeTag] = frozenset()
    """The only tags that its outcome may carry."""
    risk: Risk = Risk.LOW
    approval: bool = False
    seconds: float = 60.0
    """How long it may run."""
    works_on: WorksOn = WorksOn.EACH
    """What it does with a set. `least` and `most` bound what one call is given, never how large a set may be."""
    surroundings: bool = False
    """Whether it is given the local names and relations of the other objects, to look beyond its inputs."""
    programs: bool = False
    """Whether it starts other programs. They run inside the same sandbox, without a network."""
    project: bool = False
    """Whether it sees the whole folder, read-only: only what runs the folder's own code."""

    def __post_init__(self) -> None:
        if type(self.name) is not CapabilityName or type(self.returns) is not ResultType or type(self.risk) is not Risk:
            raise VocabularyError("capability: a name, result or risk outside the vocabulary")
        if self.own and self.name in TELLING:
            raise VocabularyError("capability: only the gatekeeper describes")
        if ResultType.FIELDS in self.takes:
            raise VocabularyError("capability: what the gatekeeper tells is no input")
        if self.wire and not (self.own and custom_id_like(self.wire)):
            raise VocabularyError("capability: a built-in has its own word, another a random one")
        if not 0 <= self.least <= self.most or not self.kinds:
            raise VocabularyError("capability: impossible to call")
        if (self.project or self.programs) and self.risk is Risk.LOW:
            raise VocabularyError("capability: what starts programs is not of low risk")
        if not set(self.required_fields) <= set(FIELDS):
            raise VocabularyError("capability: requires an unknown field")

    @property
    def word(self) -> str:
        """What a plan calls it."""
        return self.wire or f"{self.name}"

    @property
    def unit(self) -> str:
        """What the ledger calls it: the same in every session."""
        return f"own.{self.name}" if self.own else f"{self.name}"

    @property
    def repeatable(self) -> bool:
        """Whether it says the same of the same content: not what runs code of the folder, nor a person's own."""
        return not (self.own or self.project)

    @property
    def selective(self) -> bool:
        """Whether an object's class decides if it is a possible input."""
        return bool(self.families or self.classes)

    def accepts(self, kind: Kind, semantic_class: SemanticClass) -> bool:
        """Whether an object of this kind and class is a possible input."""
        if kind not in self.kinds:
            return False
        return not self.selective or (semantic_class.family in self.families or semantic_class in self.classes)


class Catalog(Mapping[str, Capability]):
    """Capabilities by name. It is closed: a name is given once, and never replaced."""

    def __init__(self, capabilities: Iterable[Capability]) -> None:
        self._by_name: dict[str, Capability] = {}
        for each in capabilities:
            if type(each) is not Capability or each.word in self._by_name or bool(each.own) != bool(each.wire):
                raise VocabularyError("catalog: a capability twice, or not one")
            self._by_name[each.word] = each
        named = [each.own for each in self._by_name.values() if each.own]
        if len(set(named)) != len(named):
            raise VocabularyError("catalog: a name of one's own twice")

    def __getitem__(self, name: str) -> Capability:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def alike(self, word: str) -> tuple[Capability, ...]:
        """Those that do what this word of the vocabulary says: the built-in, and the person's own."""
        return tuple(each for each in self._by_name.values() if each.name == word)
