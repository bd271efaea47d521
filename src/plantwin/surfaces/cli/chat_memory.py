"""What a chat remembers of its last turn, so that "it", "those files" and "the same for X" mean something. Local.

Words for what was spoken of become objects on this machine; of them only ids cross, as of any object that is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from plantwin.private.report.model import folded, taken
from plantwin.private.selection.phrases import Phrase
from plantwin.surfaces.render.text import printable
from plantwin.types.plan import source_of
from plantwin.types.twin import object_id_like
from plantwin.types.verdict import Allowed
from plantwin.vocabulary import CapabilityName

if TYPE_CHECKING:
    from plantwin.private.facts import Record
    from plantwin.run import Run
    from plantwin.session_context import SessionContext

Name = tuple[str, str]
"""Path and part of an object."""

LISTING: Final = (CapabilityName.FIND_CODE, CapabilityName.LIST_INVENTORY)
"""What answers with places."""
MOST: Final = 64
"""Objects that are remembered."""
BETWEEN: Final = 60
"""Characters at most between the objects of a goal for them to be replaced together."""

_NOUN: Final = r"(?:ones?|files?|objects?|modules?|documents?|configs?|logs?|tables?|scripts?|datasets?|settings)"
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_END: Final = r"(?=\s*(?:[,.;:?!]|\Z)|\s(?:for|with|and|in|against|to|on|too|as|again|now|together)\b)"

_ordinal = re.compile(
    rf"\b(?:the\s)?(?:(?P<word>{'|'.join(_ORDINALS)}|last)\s(?:{_NOUN}|of\s(?:them|those|these))"
    rf"|(?:number\s|no\.?\s?)(?P<number>[1-9]))(?![\w/])|(?<![\w#/])\#(?P<hash>[1-9])(?![\w/])",
    re.IGNORECASE,
)
_found = re.compile(
    rf"\b(?:the|those|these)\s(?:findings|problems|affected\s{_NOUN}|flagged\s{_NOUN})\b", re.IGNORECASE
)
_many = re.compile(
    rf"\b(?:(?:all|both)\sof\s)?(?:(?:them|they)\b|(?:those|these)(?:\s{_NOUN}\b|{_END}))"
    rf"|\bthe\s(?:same|previous)\s{_NOUN}\b|\bboth{_END}",
    re.IGNORECASE,
)
_one = re.compile(
    rf"\bit\b(?!['’]|\s(?:possible|true|worth|necessary|likely|time)\b)"
    rf"|\b(?:this|that)\s{_NOUN}\b|\b(?:this|that)(?=\s*(?:[,.;:?!]|\Z))",
    re.IGNORECASE,
)
_whose = re.compile(r"\b(?:its|their)\b", re.IGNORECASE)
_again = re.compile(r"(?:please\s)?(?:again|repeat(?:\s(?:it|that))?|(?:do\s)?the\ssame\sagain)\s?[.!]?", re.IGNORECASE)
_same = re.compile(
    r"(?:(?:and|now|then|please|ok),?\s)?(?:(?:do|run|try)\s)?(?:the\s)?same(?:\sthing)?(?:\sagain)?\s(?:for|with|on|to|of)\s"
    r"(?P<what>\S.*)|(?:and\s)?(?:what|how)\sabout\s(?P<about>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_further = re.compile(
    r"(?:(?:and|but|now|only),?\s)?(?:which|what|how\smany|are\sany|is\sany)\s(?:one\s)?of\s(?:them|those|these)\b.*"
    r"|(?:and|but|only|just)\s(?:in|for|on|of|under|inside|within|outside)\s.*",
    re.IGNORECASE | re.DOTALL,
)
"""What goes on with the last goal, and says nothing without it."""
_thing = re.compile(rf"\w[./]\w|[*#]|\b{_NOUN}\Z", re.IGNORECASE)


class Memory:
    """The last turn: its goal, the objects that it was about, and those with findings."""

    def __init__(self) -> None:
        self.goal = ""
        self.objects: list[Name] = []
        """In the order in which they are shown to the person."""
        self.flagged: list[Name] = []
        self._stretch: tuple[int, int] | None = None
        self._begun = ""
        """The goal that the last ones went on with."""

    def __repr__(self) -> str:
        return "<Memory private>"

    def completed(self, goal: str) -> str:
        """The goal, or for "again" and "the same for X" the last one, about X."""
        text = " ".join(goal.split()) if len(goal) < 1000 else goal
        if not self.goal:
            return goal
        if _again.fullmatch(text):
            return self.goal
        if _further.fullmatch(text):
            self._begun = self._begun or self.goal
            return f"{self._begun.rstrip(' .!?')}, {text}"
        self._begun = ""
        same = _same.fullmatch(text)
        if same is None:
            return goal
        other = (same["what"] or same["about"]).rstrip(" ?!.")
        if same["about"] and (self._stretch is None or not _thing.search(other)):
            return goal
        if self._stretch is None:
            return f"{self.goal.rstrip(' .!?')}: {other}"
        start, end = self._stretch
        before = self.goal[:start]
        if before.lower().endswith("the "):
            before = before[:-4]
        return f"{before}{other}{self.goal[end:]}"

    def recall(self, goal: str, records: Sequence[Record], named: Sequence[Phrase]) -> Iterator[Phrase]:
        """Stretches of a goal that mean objects of the last turn; "it" is not one after a name of its own sentence."""
        wanted = list(self._spoken(goal, named))
        if not wanted:
            return
        here = {(record.path, record.part): record.number for record in records} if wanted else {}
        for start, end, objects, single in wanted:
            numbers = tuple(here[place] for place in objects if place in here)
            if numbers:
                yield Phrase(start, end, numbers, single and len(numbers) > 1)

    def _spoken(self, goal: str, named: Sequence[Phrase]) -> Iterator[tuple[int, int, Sequence[Name], bool]]:
        """Where, of which objects, and whether only one of them can be meant."""
        taken_up = [(span.start, span.end) for span in named if span.start < span.end]
        first = min((end for _, end in taken_up), default=len(goal))

        def free(match: re.Match[str]) -> bool:
            inside = any(start < match.end() and match.start() < end for start, end in taken_up)
            taken_up.append(match.span())
            return not inside

        for match in filter(free, _ordinal.finditer(goal)):
            number = match["number"] or match["hash"]
            place = int(number) - 1 if number else self._place(match["word"].lower())
            yield *match.span(), self.objects[place : place + 1] if place >= 0 else self.objects[-1:], True
        for match in filter(free, _found.finditer(goal)):
            yield *match.span(), self.flagged, False
        for pattern, single in ((_many, False), (_one, True)):
            for match in filter(free, pattern.finditer(goal)):
                if match.start() < first:
                    yield *match.span(), self.objects, single
        if any(match.start() < first for match in _whose.finditer(goal)):
            yield 0, 0, self.objects, False

    @staticmethod
    def _place(word: str) -> int:
        return _ORDINALS.index(word) if word in _ORDINALS else -1

    def keep(self, run: Run, context: SessionContext) -> None:
        """Remember a turn. One that was about nothing leaves what was spoken of before."""
        self.goal = run.read_as or run.goal
        ids = [
            token for piece in context.selected.pieces for token in piece.tokens if token in context.selected.records
        ]
        places = [
            (piece.start, piece.end)
            for piece in context.selected.pieces
            if any(token in context.selected.records for token in piece.tokens)
        ]
        self._stretch = _together(places)
        others = sorted(set(context.selected.goal.objects) - set(ids), key=lambda id_: run.names.get(id_, ("", "")))
        named_ones = _names([*ids, *others], run)
        flagged, worked = _flagged(run, context), _worked(run)
        objects = _listed(run, context) or named_ones or flagged or worked
        if objects:
            self.objects, self.flagged = objects[:MOST], flagged[:MOST]


def _together(places: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """From the first of them to the last, where they stand close to each other."""
    if not places:
        return None
    close = all(after[0] - before[1] <= BETWEEN for before, after in pairwise(places))
    return (places[0][0], places[-1][1]) if close else None


def _names(ids: Sequence[str], run: Run) -> list[Name]:
    return list(dict.fromkeys(run.names[id_] for id_ in ids if id_ in run.names))


def _listed(run: Run, context: SessionContext) -> list[Name]:
    """Objects that an answer lists as places, in its order: `the second one` is the second row."""
    known = {(record.path, record.part) for held in context.selected.sets for record in context.members(held.id)}
    places = [
        (str(name), "")
        for step in taken(run)
        if step.step.capability in LISTING and step.result is not None
        for name in step.result.facts.get("objects", ())
    ]
    return [name for name in dict.fromkeys(places) if name in known]


def _worked(run: Run) -> list[Name]:
    """Objects that steps were carried out on, in the order of the plans."""
    return _names(
        [
            id_
            for step in taken(run)
            if isinstance(step.verdict, Allowed)
            for id_ in map(source_of, step.step.inputs)
            if object_id_like(id_)
        ],
        run,
    )


def _flagged(run: Run, context: SessionContext) -> list[Name]:
    """Objects with findings, the worst first: those that were shown, and members of sets."""
    names = [run.names[id_] for id_ in run.names if object_id_like(id_)]
    names += [(record.path, record.part) for set_ in context.selected.sets for record in context.members(set_.id)]
    by_name = {printable(f"{path}#{part}" if part else path): (path, part) for path, part in names}
    found = folded(taken(run))
    return list(dict.fromkeys(by_name[reported.finding.name] for reported in found if reported.finding.name in by_name))
