"""The goal as the private side reads it: what it names, what detection finds in it, and so what of it crosses."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import UNSET

from plantwin.lexicon import homonyms, terms
from plantwin.private import goal as gate
from plantwin.private.facts import private
from plantwin.private.selection.intents import intents
from plantwin.private.selection.mentions import LOOSE, MAX_FOUND, Mentioned
from plantwin.types.goal import MAX_MENTIONS, Goal
from plantwin.vocabulary import CapabilityName, Family

if TYPE_CHECKING:
    from plantwin.private.config import Config

_GROUPS: Final = {"secret": "<secret>", "infrastructure": "<name>", "identifier": "<number>"}
_TYPES: Final = {
    "person_name": "<name>", "organisation": "<name>", "email": "<name>", "phone": "<number>",
    "date_of_birth": "<date>", "date": "<date>", "postal_code": "<number>",
}  # fmt: skip
_NAMES: Final = frozenset(["person_name", "organisation"])
_VERBS: Final = frozenset(
    ["ask", "check", "explain", "find", "fix", "give", "list", "look", "read", "review", "show", "tell"]
)
"""Besides the words that ask for a capability: what sentences begin with and nobody is called."""
_first = re.compile(r"[A-Z][a-z]+(?= )")
_joined = re.compile(r"\w++(?:[-.]\w++)+|(?=\w[^_]*+_\w)\w++")

Found = Callable[[str], Sequence[gate.Span]]
"""Finds stretches that never cross."""


@private
class Sentence(NamedTuple):
    """How much of the goal may cross, and what finds what may not."""

    mode: str = "intent"
    """`intent`, `lexicon`, or `verbatim`, for which the words cross besides."""
    added: Collection[str] = ()
    found: Found = lambda _: ()


CLOSED: Final = Sentence()
"""Nothing but closed intents crosses."""


@private
class Projected(NamedTuple):
    """The goal as it crosses, and what became of each stretch of it. The stretches stay local."""

    goal: Goal
    pieces: tuple[gate.Piece, ...]


def projected(
    text: str,
    sentence: Sentence,
    mentioned: Mentioned,
    id_of: Callable[[int], str | None],
    intents: tuple[CapabilityName, ...],
    families: tuple[Family, ...],
) -> Projected:
    """The goal, with the objects that it names most of all: those that its text names first."""
    named = [number for number, weight in mentioned.weights.items() if weight > LOOSE]
    named.sort(key=lambda number: -mentioned.weights[number])
    ids = [id_ for number in named if (id_ := id_of(number)) is not None][:MAX_MENTIONS]
    references = tuple(_references(text, mentioned, id_of, frozenset(ids)))
    pieces = gate.project(text, references=references, found=sentence.found(text), added=sentence.added)
    lexicon = sentence.mode != "intent"
    goal = Goal(
        mode="lexicon" if lexicon else "intent",
        text=gate.tokens(pieces) if lexicon else UNSET,
        intents=intents,
        families=families,
        objects=tuple(sorted(ids)),
    )
    return Projected(goal, pieces)


def _references(
    text: str, mentioned: Mentioned, id_of: Callable[[int], str | None], ids: Collection[str]
) -> Sequence[gate.Span]:
    """Stretches that name a few objects, all of which are shown. Where they name many, their words are left.

    The name of a folder that is no plain word says nothing of what is asked.
    """
    spans = []
    for start, end, numbers, ambiguous in mentioned.references:
        found = sorted({id_ for number in numbers if (id_ := id_of(number)) in ids and id_ is not None})
        if 0 < len(numbers) <= MAX_FOUND and len(found) == len(numbers):
            spans.append(gate.Span(start, end, tuple(found), gate.Why.REFERENCE))
        elif not ambiguous and len(numbers) > MAX_FOUND and _joined.fullmatch(text, start, end):
            spans.append(gate.Span(start, end, ("<path>",), gate.Why.PATH))
    return spans


def detected(config: Config | None) -> Found:
    """Stage 2 over a goal: whatever it finds becomes a blank of its sort."""

    def found(text: str) -> Sequence[gate.Span]:
        from plantwin.private.detect import detector

        text = text[: gate.MAX_GOAL]
        starts = [0, *accumulate(len(letter.encode("utf-8", "replace")) for letter in text)]
        spans = []
        for each in detector(config=config).scan(text.encode("utf-8", "replace")):
            start, end = bisect_right(starts, each.start) - 1, bisect_left(starts, each.end)
            if each.type in _NAMES:
                start = _after_verb(text, start)
            if each.confidence == "low" and each.group != "secret" and _technology(text[start:end]):
                continue
            blank = _TYPES.get(each.type) or _GROUPS.get(each.group, "<text>")
            spans.append(gate.Span(start, end, (blank,), gate.Why.DETECTED))
        return spans

    return found


def _technology(text: str) -> bool:
    """Whether what may be a name is a word of technology, such as Kubernetes, that is nobody's name."""
    low = text.lower()
    return low in terms() and low not in homonyms()


def _after_verb(text: str, start: int) -> int:
    """Where a name begins: after the verb that its sentence begins with, as in "Compare Marlowe"."""
    first = _first.match(text, start)
    if first is None or text[:start].strip()[-1:] not in ("", ".", "!", "?"):
        return start
    word = first[0].lower()
    return first.end() + 1 if word in _VERBS or intents(word, frozenset(CapabilityName)) else start
