"""Names of all objects and what they define, laid out so that a goal's words are looked up in milliseconds."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import translate
from functools import cached_property
from itertools import accumulate
from operator import attrgetter
from zlib import crc32

from plantwin.private.records import Record

SIZE = 4
"""Bytes of one check sum."""
SHORTEST, LONGEST = 3, 200
"""Letters of a name that is worth keeping."""


def definitions(names: Iterable[str]) -> bytes:
    """The check sums of these names, each once."""
    return b"".join(sorted({_sum(name) for name in names if SHORTEST <= len(name) <= LONGEST}))


def defining(names: Collection[str], kept: Mapping[int, bytes]) -> dict[str, tuple[int, ...]]:
    """For each name that somebody defines, who does (by number)."""
    found = {}
    for name in names:
        wanted = _sum(name)
        numbers = tuple(number for number, sums in kept.items() if wanted in sums and _holds(sums, wanted))
        if numbers:
            found[name] = numbers
    return found


def _holds(sums: bytes, wanted: bytes) -> bool:
    """Whether it is one of them, and not the end of one and the start of the next."""
    place = sums.find(wanted)
    while place >= 0 and place % SIZE:
        place = sums.find(wanted, place + 1)
    return place >= 0


def _sum(name: str) -> bytes:
    return crc32(name.encode("utf-8", "surrogatepass")).to_bytes(SIZE, "big")


END = "\0"
"""Ends a path: no path holds it."""
_stars = re.compile(r"\*+")
_BLANKS = str.maketrans("_-", "  ")
_counted = re.compile(rf"(?: [^ {END}]*\d[^ {END}]*)+(?={END})")
"""Words with digits at the end of a name."""


class Directory:
    """Paths, file names and parts of records; everything is found by position."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = records
        joined = END.join([each.path for each in records]).lower()
        self.paths = joined.split(END) if records else []
        """Small, one for each record."""
        self._text = f"/{joined}{END}".replace(END, f"{END}/") if records else ""

    def __repr__(self) -> str:
        return "<Directory private>"

    @cached_property
    def names(self) -> list[str]:
        """File names, small."""
        return [path[path.rfind("/") + 1 :] for path in self.paths]

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(len(path) + 2 for path in self.paths))

    @cached_property
    def _whole(self) -> dict[str, int]:
        return {path: position for position, path in enumerate(self.paths)}

    @cached_property
    def classes(self) -> frozenset[str]:
        """Every semantic class that there is."""
        return frozenset(each.semantic_class for each in self.records)

    def of(self, field: str, values: Collection[str]) -> list[int]:
        """Where this field has one of these values."""
        return [position for position, value in enumerate(map(attrgetter(field), self.records)) if value in values]

    def named(self, wanted: Collection[str]) -> Iterator[tuple[str, int]]:
        """Each of these names that is a file name, or the part of one before its first point; and whose it is."""
        yield from [(name, position) for position, name in enumerate(self.names) if name in wanted]
        stems = [name.partition(".")[0] for name in self.names]
        for position in [position for position, stem in enumerate(stems) if stem in wanted]:
            if stems[position] != self.names[position]:
                yield stems[position], position

    @cached_property
    def _titles(self) -> list[str]:
        """File names as words: without what follows the first point, and without numbers and dates at the end."""
        stems = END.join([name.partition(".")[0] for name in self.names]) + END
        return _counted.sub("", stems.translate(_BLANKS)).split(END)[:-1]

    def titled(self, whole: Collection[str], first: Collection[str]) -> dict[str, list[int]]:
        """Numbers of objects whose name is, as words, one of these; or begins with one of the others."""
        found: dict[str, list[int]] = {}
        for position, title in enumerate(self._titles):
            if " " in title and title in whole:
                found.setdefault(title, []).append(self.records[position].number)
            elif first and (head := title.partition(" ")[0]) in first:
                found.setdefault(head, []).append(self.records[position].number)
        return found

    def parts(self, wanted: Collection[str]) -> Iterator[tuple[str, int]]:
        """Each of these names that a part of a file has, such as a table."""
        parts = enumerate(map(attrgetter("part"), self.records))
        for position, part in [(position, part.lower()) for position, part in parts if part]:
            if part in wanted:
                yield part, position

    def leading(self, text: str) -> list[int]:
        """A path, the end of one, or a folder; also a longer one, as seen from outside the root."""
        wanted = "/" + text.removeprefix("./").strip("/")
        found = {*self._holding(wanted + END), *self._holding(wanted + "/")}
        longer = wanted[1:]
        while longer:
            if (position := self._whole.get(longer)) is not None:
                found.add(position)
            longer = longer.partition("/")[2]
        return sorted(found)

    def matching(self, glob: str) -> list[int]:
        """A pattern over whole paths, or over file names where it has no slash."""
        glob = _stars.sub("*", glob.removeprefix("./").lstrip("/"))
        match = re.compile(translate(glob)).match
        return [position for position, text in enumerate(self.paths if "/" in glob else self.names) if match(text)]

    def _holding(self, text: str) -> Iterator[int]:
        place = self._text.find(text)
        while place >= 0:
            position = bisect_right(self._ends, place)
            yield position
            place = self._text.find(text, self._ends[position])
