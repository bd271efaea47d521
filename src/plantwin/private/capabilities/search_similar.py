"""Find others of the folder like the inputs, the likest first."""

from __future__ import annotations

import re
import struct
from collections import Counter, defaultdict
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Job, Neighbour, Result, Surroundings
from plantwin.private.capabilities.engine.report import code, failed, plain, told
from plantwin.private.capabilities.engine.results import table
from plantwin.private.facts import Private, private
from plantwin.vocabulary import OutcomeTag

TITLE = "Similar objects"
LEAST = 0.3
"""A lower score is no likeness."""
STRONG = 0.5
"""From here on it counts."""
LISTED = 60
FULL = 32
"""Hashes in a full sketch."""
NEAR, MUCH, SOME = 0.7, 0.4, 0.15
"""Shares of equal lines from which two are near duplicates, have much or something in common."""
_VARIANT = re.compile(
    r"(?<![a-z])(?:prod(?:uction)?|stag(?:e|ing)|dev(?:elopment)?|test(?:ing)?|qa|uat|preprod|sandbox|local|demo|live|example|sample"
    r"|template|dist|default|bak|backup|old|new|copy|orig|legacy|draft|final|en|de|fr|es|it|pt|nl|sv|ja|zh|us|eu)(?![a-z])"
    r"|\d{4}[-_]?\d\d[-_]?\d\d|v?\d+(?:[._]\d+){0,3}"
)
"""What tells environments, languages, versions and dates apart in a name."""
_RELATED = {
    "copy": (1.0, "the same content"),
    "diverged": (0.8, "once the same, since changed"),
    "supersedes": (0.8, "a version of it"),
    "precedes": (0.7, "the part of the same series before or after it"),
    "sibling": (0.7, "the same for another environment, language, database or provider"),
    "overlaps": (0.5, "covers the same period"),
    "instance": (0.7, "a filled-in copy of a template"),
    "generated": (0.4, "generated from a source"),
    "compiled": (0.4, "compiled or filled from a template"),
    "exported": (0.4, "exported from it"),
}


@private
class Match(NamedTuple):
    """One object that is like the input."""

    position: int
    name: str
    score: float
    sort: str
    """copy, near duplicate, much in common, same structure, related, same kind."""
    why: tuple[str, ...]
    values: int = 0
    """Settings of the same name whose values differ."""


def run(job: Job) -> Result:
    """Find matches of each input; of two inputs also those that are like both."""
    around = job.surroundings
    places = [place for place in around.inputs if 0 <= place < len(around.objects)]
    if not places:
        return failed(TITLE, "The folder around the objects is not known here, so there is nothing to compare with.")
    found = {place: _matches(around, place) for place in dict.fromkeys(places)}
    lines = [line for place, matches in found.items() for line in _section(around, place, matches)]
    lines += _both(found) if len(found) == 2 else []
    strong = {match.position: match for matches in found.values() for match in matches if match.score >= STRONG}
    sorts = {match.sort for match in strong.values()}
    tags = [OutcomeTag.IDENTICAL] if "copy" in sorts else []
    tags += [OutcomeTag.SIMILAR] if sorts - {"copy"} else []
    tags += [OutcomeTag.VALUE_DIFFERS] if any(match.values for match in strong.values()) else []
    weak = [place for place in found if not _comparable(around.objects[place])]
    if weak:
        names = ", ".join(code(_name(around.objects[place])) for place in weak[:8])
        lines.append(f"Too short or no text, so that only copies and the same class can be told: {names}.")
    facts = {
        _name(around.objects[place]): [
            {"object": match.name, "score": match.score, "sort": match.sort, "why": list(match.why)}
            for match in matches[:LISTED]
        ]
        for place, matches in found.items()
    }
    return Result(
        outcome=told(len(strong), tags, partial=weak),
        title=TITLE,
        facts={
            "matches": facts,
            "compared": len(around.objects),
            "affected": [
                _name(around.objects[place])
                for place, matches in found.items()
                if any(match.score >= STRONG for match in matches)
            ],
            "inputs": [_name(around.objects[place]) for place in found],
            "objects": [match.name for match in strong.values()],
        },
        text="\n".join(lines).strip() + "\n",
    )


def _matches(around: Surroundings, place: int) -> list[Match]:
    links = {
        (link.target if link.source == place else link.source): link.reason
        for link in around.links
        if place in (link.source, link.target) and link.target >= 0
    }
    likeness = Likeness(around.objects[place], links, _copies(around, place))
    matches = [likeness.match(number, other) for number, other in enumerate(around.objects) if number != place]
    kept = [match for match in matches if match.score >= LEAST]
    return sorted(kept, key=lambda match: (-match.score, around.objects[match.position].name))


def _copies(around: Surroundings, place: int) -> frozenset[int]:
    """Return all that copies of copies lead to."""
    next_to: dict[int, list[int]] = defaultdict(list)
    for link in around.links:
        if link.reason == "copy" and link.target >= 0:
            next_to[link.source].append(link.target)
            next_to[link.target].append(link.source)
    seen, waiting = {place}, [place]
    while waiting:
        following = [other for other in next_to[waiting.pop()] if other not in seen]
        seen.update(following)
        waiting += following
    return frozenset(seen - {place})


def _hashes(sketch: bytes) -> frozenset[int]:
    return frozenset(struct.unpack(f">{len(sketch) // 4}I", sketch[: len(sketch) // 4 * 4]))


def _overlap(ours: frozenset[int], theirs: frozenset[int]) -> float:
    """Return the Jaccard similarity as the smallest hashes of the union estimate it."""
    shared = ours & theirs
    if not shared:
        return 0.0
    smallest = sorted(ours | theirs)
    if max(len(ours), len(theirs)) == FULL:
        smallest = smallest[:FULL]
    return sum(number in shared for number in smallest) / len(smallest)


def _base(name: str) -> str:
    """Return a file's name without what tells variants apart."""
    return re.sub(r"[._ -]+", " ", _VARIANT.sub(" ", name.rpartition("/")[2].lower())).strip()


def _name(neighbour: Neighbour) -> str:
    return f"{neighbour.name}#{neighbour.part}" if neighbour.part else neighbour.name


class Likeness(Private):
    """Compares one object with others: by lines, settings, definitions, relations, names and class."""

    def __init__(self, mine: Neighbour, links: dict[int, str], copies: frozenset[int]) -> None:
        """`links`: reasons of relations by position. `copies`: those that relations call the same."""
        self._mine = mine
        self._links = links
        self._copies = copies
        self._hashes = _hashes(mine.sketch)
        self._keys = dict(mine.keys)
        self._provides = frozenset(mine.provides)
        self._base = _base(mine.name)

    def match(self, position: int, other: Neighbour) -> Match:
        """Return how like the other is, and why."""
        score, sort, why = self._lines(position, other)
        related = _RELATED.get(self._links.get(position, ""))
        if related is not None and sort != "copy":
            score = max(score, related[0])
            sort = sort if sort == "near duplicate" else "related"
            why.append(related[1])
        structure, reasons, values = self._structure(other)
        if structure > score and sort not in ("copy", "near duplicate"):
            score, sort = structure, "same structure"
        kind, said = self._kind(other)
        if kind and score:
            score = min(1.0 if sort == "copy" else 0.99, score + kind / 10)
        return Match(position, _name(other), round(score or kind, 2), sort, (*why, *reasons, *said), values)

    def _lines(self, position: int, other: Neighbour) -> tuple[float, str, list[str]]:
        if position in self._copies:
            return 1.0, "copy", ["the same content"]
        lines = _overlap(self._hashes, _hashes(other.sketch)) if self._hashes and other.sketch else 0.0
        if lines == 1.0 and self._mine.sketch == other.sketch:
            return 0.97, "near duplicate", ["all sampled lines are equal"]
        if lines < SOME:
            return 0.0, "same kind", []
        why = [f"about {lines:.0%} of the lines are equal"]
        if lines < MUCH:
            return 0.2 + lines / 2, "same kind", why
        return lines, "near duplicate" if lines >= NEAR else "much in common", why

    def _structure(self, other: Neighbour) -> tuple[float, list[str], int]:
        """Compare settings and definitions by their names."""
        why: list[str] = []
        score, values = 0.0, 0
        theirs = dict(other.keys)
        shared = self._keys.keys() & theirs.keys()
        union = len(self._keys.keys() | theirs.keys())
        if len(shared) >= 3 and len(shared) >= 0.5 * union:
            values = sum(self._keys[key] != theirs[key] for key in shared)
            score = 0.4 + 0.5 * len(shared) / union
            why.append(f"{len(shared)} of {union} settings have the same name; {values} of them have another value")
        both = self._provides & frozenset(other.provides)
        every = len(self._provides | frozenset(other.provides))
        if len(both) >= 2 and len(both) >= 0.5 * every:
            score = max(score, 0.4 + 0.4 * len(both) / every)
            why.append(f"{len(both)} definitions have the same name")
        return score, why, values

    def _kind(self, other: Neighbour) -> tuple[float, list[str]]:
        """Compare class, component and name: a weak likeness."""
        mine = self._mine
        if mine.semantic_class != other.semantic_class or mine.kind != other.kind:
            return 0.0, []
        score, why = 0.15, ["the same class"]
        if mine.component and mine.component == other.component:
            score, why = 0.3, ["the same class and component"]
        if self._base and self._base == _base(other.name):
            score += 0.25
            why.append("a like name")
        return score, why


def _comparable(held: Neighbour) -> bool:
    """Tell whether an object has lines, settings or definitions by which others can be like it."""
    return bool(held.sketch or held.keys or held.provides)


def _section(around: Surroundings, place: int, matches: list[Match]) -> list[str]:
    sorts = Counter(match.sort for match in matches)
    told = ", ".join(f"{sort} {count}" for sort, count in sorts.most_common()) or "nothing like it"
    rows = [
        (
            f"{'█' * (full := round(match.score * 5))}{'░' * (5 - full)} {match.score:.2f}", plain(match.name),
            match.sort, plain("; ".join(match.why), 200),
        )
        for match in matches[:LISTED]
    ]  # fmt: skip
    lines = [f"### {plain(_name(around.objects[place]))}", "", f"Among {len(around.objects) - 1} others: {told}.", ""]
    lines += table(("score", "object", "sort", "why"), rows)
    return [*lines, f"{len(matches) - LISTED} more are not shown.", ""] if len(matches) > LISTED else lines


def _both(found: dict[int, list[Match]]) -> list[str]:
    """List what is like both inputs, and how like each other they are."""
    (_, one), (second, two) = found.items()
    direct = next((match for match in one if match.position == second), None)
    said = f"score {direct.score:.2f}: {'; '.join(direct.why)}" if direct else "nothing in common was found"
    scores = {match.position: match.score for match in one}
    shared = [
        (min(scores[match.position], match.score), match.position, match.name)
        for match in two
        if match.position in scores
    ]
    lines = ["### Both", "", f"The two inputs to each other: {plain(said, 300)}.", ""]
    lines += ["Like both of them:", ""] if shared else []
    return [*lines, *(f"- {score:.2f} {code(name)}" for score, _, name in sorted(shared, reverse=True)[:20]), ""]
