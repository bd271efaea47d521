"""What a question is about, beside what is done for it: the words that choose among results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from plantwin.private.selection.intents import topic
from plantwin.private.selection.words import POLITE, STOP, pieces_of, stem

if TYPE_CHECKING:
    from plantwin.private.report.model import Reported

from plantwin.private.formats.lexicon import Lexicon

_LEXICON = Lexicon(__file__)

SAME: Final = _LEXICON.groups("same")
"""Words of a question that results put in another way."""
ASKING: Final = _LEXICON.words("asking") | STOP | POLITE
"""Words of a question that say nothing of what it asks about."""
_BESIDES: Final[dict[str, str]] = _LEXICON.tables["besides"]
"""Words that ask for a capability, beside those that its intent has."""
_SORTS: Final[dict[str, dict[str, tuple[str, str]]]] = _LEXICON.tables["sorts"]
"""Sorts of findings by the words that ask for them."""
_word = re.compile(r"[a-z][a-z0-9]+")
_double = re.compile(r"([^\W\d_aeiou])\1")
_ready = re.compile(r"(?:ready for )?production(?:[ -]ready)?(?= *\W*$)|production[ -]ready")
"""`Is this production ready` asks about everything, `the production settings` about some."""


_there = re.compile(
    r"(?i)\W*(?:so |and )?(?:(?:is|are) (?:there|any|our)|do(?:es)? (?:we|i|it|any)|did|has|have|any)\b"
)
_whether = re.compile(r"(?i)\W*(?:is|are|am|was|were|can|could|does|do|did|has|have|will|would|should)\b")


def asked_whether(goal: str) -> bool:
    """Whether yes or no would be an answer."""
    return bool(_there.match(goal) or _whether.match(goal))


def subject(goal: str, capability: str) -> tuple[str, ...]:
    """The words of a question that say which part or sort of what a capability finds is meant."""
    besides = frozenset(map(_form, _BESIDES.get(capability, "").split()))
    asked = _ready.sub(" ", goal.lower()).replace("'s", "").replace("’s", "")
    words = [SAME.get(word, word) for word in _word.findall(asked)]
    return tuple(
        dict.fromkeys(
            word
            for word in words
            if len(word) > 1 and word not in ASKING and _form(word) not in besides and not topic(capability, word)
        )
    )


def _form(word: str) -> str:
    """The stem of a word, however many letters it doubles: `commited` is `committed`."""
    return _double.sub(r"\1", stem(word))


def hits(text: str, words: Iterable[str]) -> int:
    """How many of these words a text has, as words or as parts of names."""
    low = text.lower()
    have = {stem(piece) for piece in pieces_of(text.encode("ascii", "replace"))} | {
        stem(word) for word in _word.findall(low)
    }
    return sum(stem(word) in have or (" " in word and word in low) for word in words)


def best(texts: Sequence[str], words: Sequence[str]) -> tuple[int, list[int]]:
    """The most of these words that a text has, and which texts have so many."""
    scores = [hits(text, words) for text in texts]
    most = max(scores, default=0)
    return most, [place for place, score in enumerate(scores) if score == most] if most else []


def sorts_asked(goal: str, capability: str) -> dict[str, str]:
    """The tags of the findings that a question asks for, with what one is called; nothing where it asks for all."""
    low = goal.lower()
    return {tag: noun for tag, (noun, words) in _SORTS.get(capability, {}).items() if re.search(rf"\b(?:{words})", low)}


def on_point(goal: str, found: Sequence[Reported], capability: str) -> tuple[tuple[str, ...], list[Reported]]:
    """What the question is about, and the findings that speak of it: `run as root` among all of a Dockerfile."""
    words = subject(goal, capability)
    if tags := sorts_asked(goal, capability):
        return words, [one for one in found if one.finding.tag in tags]
    said, named = [f"{one.finding.message} {one.finding.rule}" for one in found], [one.finding.name for one in found]
    _, places = best([f"{text} {name}" for text, name in zip(said, named, strict=True)], words)
    return words, [found[place] for place in places]


def spelled(words: Sequence[str], goal: str = "") -> str:
    """Words as a sentence quotes them: as the question has them, where results put them in another way."""
    said = {SAME[word]: word for word in _word.findall(goal.lower()) if word in SAME}
    return ", ".join(f"`{said.get(word, word)}`" for word in words[:3])
