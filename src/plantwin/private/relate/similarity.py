"""similar_to by content and time: copies, near-duplicates, and logs that cover the same period.

A sketch holds the smallest hashes of an object's lines. Objects that share two of their few smallest hashes are
compared; a bucket remembers only its latest few members, so that ten thousand files with one licence header cost no
more than ten thousand files without.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from plantwin.private.facts import Facts
from plantwin.private.relate.edges import EdgeCollector, readable
from plantwin.private.relate.lookup import Lookup, below, by_word, words

SIZE = 32
"""Hashes in a full sketch."""
BANDS = 4
"""Smallest hashes that an object is filed under."""
AGREEING = 2
"""Of these, so many must agree: one common line, such as a licence's, is no likeness."""
BUCKET = 8
LIKENESS = 0.8
_MOST = 3
"""Near-duplicates kept of one object."""
_BANDS = struct.Struct(f">{BANDS}I").unpack_from
WIDTH = BANDS * 4
"""Bytes of these hashes."""


def bands(facts: Iterable[Facts]) -> bytes:
    """The hashes under which likeness files a file, those of each part after the other."""
    return b"".join(part.sketch[:WIDTH] for part in facts if len(part.sketch) >= WIDTH)


def likeness(one: bytes, other: bytes) -> float:
    """Jaccard similarity as the smallest hashes of the union estimate it."""
    ours, theirs = set(struct.unpack(f">{len(one) // 4}I", one)), struct.unpack(f">{len(other) // 4}I", other)
    shared = ours.intersection(theirs)
    if 2 * len(shared) < min(len(ours), len(theirs)):
        return 0.0
    smallest = sorted(ours.union(theirs))
    if max(len(ours), len(theirs)) == SIZE:
        # Beyond the smallest hashes of the union, a full sketch says nothing.
        smallest = smallest[:SIZE]
    return len(shared.intersection(smallest)) / len(smallest)


def closest(sketch: bytes, others: Iterable[tuple[int, bytes]]) -> list[tuple[int, str]]:
    """The few that are most alike, the earlier first where they are equally so, with the evidence."""
    close = sorted((-likeness(sketch, theirs), other) for other, theirs in others)
    return [(other, f"{-value:.0%} of sampled lines equal") for value, other in close[:_MOST] if -value >= LIKENESS]


def similar(lookup: Lookup, collector: EdgeCollector) -> None:
    """Add copy and diverged relations, from the later path to the earlier."""
    first: dict[bytes, int] = {}
    buckets: dict[int, int | list[int]] = {}
    facts = lookup.facts
    for position, own in enumerate(facts):
        sketch = own.sketch
        size = len(sketch)
        if size < BANDS * 4 or size % 4 or size > SIZE * 4:
            continue
        twin = first.setdefault(sketch, position)
        if twin != position:
            same = facts[twin].lines == own.lines and facts[twin].size == own.size
            collector.add(position, "copy" if same else "diverged", twin, "all sampled lines equal")
            continue
        near: dict[int, int] = {}
        for band in _BANDS(sketch):
            held = buckets.get(band)
            if held is None:
                buckets[band] = position
            elif isinstance(held, int):
                near[held] = near.get(held, 0) + 1
                buckets[band] = [held, position]
            else:
                for other in held:
                    near[other] = near.get(other, 0) + 1
                if len(held) == BUCKET:
                    held.pop(0)
                held.append(position)
        close = [(other, facts[other].sketch) for other, bands in near.items() if bands >= AGREEING]
        for other, evidence in closest(sketch, close) if close else ():
            collector.add(position, "diverged", other, evidence)


_ACTIVE = 16
"""Logs still running that a later one is compared with: those that end last."""
_MOST = 3


def overlaps(lookup: Lookup, collector: EdgeCollector) -> None:
    """Add an overlap from each log to the few that share most time with it, in one sweep."""
    logs = sorted(
        (facts.span[0], facts.span[1], position)
        for position, facts in enumerate(lookup.facts)
        if facts.span is not None and facts.span[0] <= facts.span[1]
    )
    active: list[tuple[int, int, int]] = []
    for start, end, position in logs:
        active = [log for log in active if log[0] > start]
        shared = sorted(((min(end, until) - start, -place, other) for until, place, other in active), reverse=True)
        for seconds, _, other in shared[:_MOST]:
            if seconds > 0:
                collector.add(position, "overlaps", other, "covers the same time")
        active.append((end, position, position))
        if len(active) > _ACTIVE:
            active.remove(min(active))


ENVIRONMENTS = {word: int(distance) for word, distance in by_word("environments").items()}
"""Environment word to its distance from production."""
AGES = {word: int(age) for word, age in by_word("ages").items()}
"""Word of age: below zero is older than the file without it."""
PLATFORMS = frozenset(words("platforms"))
_LEADING = frozenset({"old", "legacy", "deprecated", "obsolete"})
"""Words of age that mark a file wherever they stand in its name; others start or name what a file does."""
LOCALE_FOLDERS = frozenset(words("locale_folders"))

_WORDS = "|".join(sorted({*ENVIRONMENTS, *AGES, *PLATFORMS}, key=lambda word: (-len(word), word)))
_MARK = re.compile(
    rf"(?:(?<=[._ -])|^)(?:(?P<word>{_WORDS})|v(?P<version>[0-9]{{1,4}}(?:[._][0-9]{{1,4}}){{0,2}})"
    r"|(?P<date>(?:19|20)[0-9]{2}(?:[._-]?(?:0[1-9]|1[0-2])(?:[._-]?(?:[0-2][0-9]|3[01]))?|[._-]?q[1-4])?))"
    r"(?=[._ -]|$)"
)
_LOCALE = re.compile(r"(?:^|[._-])([a-z]{2}(?:[-_](?:[a-z]{2}|[a-z]{4}))?)$", re.IGNORECASE)
_ROTATED = re.compile(r"\.([0-9]{1,4})$")
_DIGITS = re.compile(r"[0-9]+")
_CONFIGURED = frozenset({"config", "secret_container"})
LONGEST = 255


class Mark(NamedTuple):
    """One variant's mark: what kind, the group that differs in it only, the path without it, and its rank."""

    kind: str
    group: str
    base: str
    rank: tuple[int, ...]


class Marks:
    """Reads marks of files; what a folder's name says is read once for the folder."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._folders: dict[str, tuple[str, str, tuple[int, ...]] | None] = {}

    def __call__(self, position: int) -> Mark | None:
        """The mark of a file's name, or else that of a folder it is in."""
        lookup = self._lookup
        name, folder = lookup.names[position], lookup.folders[position]
        mark = self._name(position, name, folder)
        if mark is not None:
            return mark
        if folder not in self._folders:
            self._folders[folder] = _of_folder(folder)
        known = self._folders[folder]
        if known is None:
            return None
        kind, starred, rank = known
        if kind == "environment" and not self._has_settings(position):
            return None
        if kind == "platform" and lookup.facts[position].kind == "document":
            return None
        base = below(starred.replace("*/", "", 1).removesuffix("/*").removesuffix("*"), name) if kind == "age" else ""
        return Mark(kind, f"{starred}/{name}", base, rank)

    def _name(self, position: int, name: str, folder: str) -> Mark | None:
        lower = name.lower()
        if len(lower) > LONGEST:
            return None
        found = _MARK.search(lower)
        while found is not None:
            kind, rank = _read(found)
            if self._marks(position, kind, found):
                # The marked word goes together with one separator beside it.
                before, after = name[: found.start()], name[found.end() :]
                plain = before[:-1] + after if before else after[1:]
                return Mark(kind, below(folder, f"{before}*{after}"), below(folder, plain), rank)
            found = _MARK.search(lower, found.end())
        if self._lookup.facts[position].kind == "log_stream":
            rotated = _ROTATED.search(lower)
            if rotated is not None:
                base = below(folder, name[: rotated.start()])
                return Mark("rotation", base, base, (int(rotated[1]),))
        if (
            folder.rpartition("/")[2].lower() in LOCALE_FOLDERS
            or self._lookup.semantic_class(position) == "localization"
        ):
            extension = self._lookup.extensions[position]
            locale = _LOCALE.search(self._lookup.stem(position))
            if locale is not None:
                group = below(folder, f"{name[: locale.start(1)]}*.{extension}")
                return Mark("language", group, "", (locale[1].lower() != "en",))
        return None

    def _marks(self, position: int, kind: str, found: re.Match[str]) -> bool:
        """Whether such a word, at its place in such a file, tells variants apart."""
        if kind == "environment":
            return self._has_settings(position)
        if kind == "date":
            return self._lookup.facts[position].kind != "code_file" or self._lookup.extensions[position] == "sql"
        if kind == "platform":
            return self._lookup.facts[position].kind != "document"
        if kind == "age":
            ends = found.end() == len(self._lookup.stem(position)) or found.end() == len(found.string)
            return found["word"] in _LEADING or (ends and found.start() > 0)
        return True

    def _has_settings(self, position: int) -> bool:
        facts = self._lookup.facts[position]
        return (
            facts.kind in _CONFIGURED or (facts.kind != "code_file" and bool(facts.settings)) or facts.format == "hcl"
        )


def _read(found: re.Match[str]) -> tuple[str, tuple[int, ...]]:
    word = found["word"]
    if word in PLATFORMS:
        return "platform", (0,)
    if word is not None:
        return ("environment", (ENVIRONMENTS[word],)) if word in ENVIRONMENTS else ("age", (AGES[word],))
    kind = "version" if found["version"] is not None else "date"
    digits = _DIGITS.findall(found[kind])
    if kind == "date":
        text = "".join(digits)
        return kind, tuple(int(part) for part in (text[:4], text[4:6], text[6:8]) if part)
    return kind, tuple(int(part) for part in digits)


def _of_folder(folder: str) -> tuple[str, str, tuple[int, ...]] | None:
    """The last marked folder on the way, with a star in its place."""
    parts = folder.split("/")
    for place in range(len(parts) - 1, max(-1, len(parts) - 9), -1):
        part = parts[place].lower()
        starred = "/".join([*parts[:place], "*", *parts[place + 1 :]])
        found = _MARK.fullmatch(part) if len(part) <= LONGEST else None
        if found is not None:
            return _read(found)[0], starred, _read(found)[1]
        if place and parts[place - 1].lower() in LOCALE_FOLDERS and _LOCALE.fullmatch(part):
            return "language", starred, (part != "en",)
    return None


_REPLACED = frozenset(words("replaced"))
"""Classes of which the latest dated one replaces the others; others are a series."""
_FULL_DATE = 3

Groups = dict[tuple[str, str], list[tuple[tuple[int, ...], int]]]


def variants(lookup: Lookup, collector: EdgeCollector) -> list[list[int]]:
    """Add supersedes and sibling relations; return the groups that differ in environment alone."""
    marks = Marks(lookup)
    groups: Groups = {}
    bases: dict[tuple[str, str], int] = {}
    for position in range(len(lookup)):
        mark = marks(position)
        if mark is None:
            continue
        key = (mark.kind, mark.group)
        groups.setdefault(key, []).append((mark.rank, position))
        base = _base(lookup, mark, position)
        if base is not None:
            bases[key] = base
    environments = []
    for key, members in groups.items():
        members.sort()
        base = bases.get(key)
        if key[0] == "environment" and len(members) > 1:
            environments.append([position for _, position in members])
        if len(members) > 1 or base is not None:
            _RELATE[key[0]](lookup, collector, members, base)
    return environments


def _base(lookup: Lookup, mark: Mark, position: int) -> int | None:
    """The object of the same name without the mark, of the same kind."""
    base = lookup.at.get(mark.base) if mark.base else None
    if base is None or base == position or lookup.facts[base].kind != lookup.facts[position].kind:
        return None
    return base


Members = list[tuple[tuple[int, ...], int]]


def _succession(lookup: Lookup, collector: EdgeCollector, members: Members, base: int | None) -> None:
    """Each newer one supersedes the next older; a file without a mark is older than any version of it."""
    ranked = [*members] if base is None else [((0,), base), *members]
    ranked.sort(key=lambda member: (member[0], lookup.changed[member[1]], member[1]))
    for (_, older), (_, newer) in pairwise(ranked):
        collector.add(newer, "supersedes", older, f"newer than {readable(lookup.paths[older])}")


def _star(lookup: Lookup, collector: EdgeCollector, members: Members, base: int | None) -> None:
    """Each is a sibling of the main one: production, English, the file without a mark, or the first by name."""
    main = members[0][1] if base is None else base
    for _, position in members:
        collector.add(position, "sibling", main, f"variant of {readable(lookup.paths[main])}")


def _series(lookup: Lookup, collector: EdgeCollector, members: Members, base: int | None) -> None:
    """Each period precedes the next."""
    ranked = members if base is None else [((), base), *members]
    for (_, before), (_, after) in pairwise(ranked):
        collector.add(before, "precedes", after, f"same series as {readable(lookup.paths[after])}")


def _rotated(lookup: Lookup, collector: EdgeCollector, members: Members, base: int | None) -> None:
    """Of rotated logs the higher number is older, and the one without a number the newest."""
    _series(lookup, collector, members[::-1], None)
    if base is not None:
        collector.add(members[0][1], "precedes", base, f"same series as {readable(lookup.paths[base])}")


def _dated(lookup: Lookup, collector: EdgeCollector, members: Members, base: int | None) -> None:
    """Copies of one thing at several days replace each other; periods of data or logs form a series."""
    replaced = lookup.semantic_class(members[0][1]) in _REPLACED and len(members[0][0]) == _FULL_DATE
    (_succession if replaced else _series)(lookup, collector, members, None if replaced else base)


_RELATE = {
    "version": _succession,
    "age": _succession,
    "environment": _star,
    "language": _star,
    "platform": _star,
    "date": _dated,
    "rotation": _rotated,
}
