"""Objects that a goal speaks of by what they are: "the auth module", "the latest migration", "both configs"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from fnmatch import translate
from functools import cached_property
from itertools import accumulate
from operator import attrgetter
from typing import Final, NamedTuple
from zlib import crc32

from plantwin.private.facts import Private, Record, private
from plantwin.private.formats.lexicon import Lexicon
from plantwin.types.goal import MAX_MENTIONS

_LEXICON = Lexicon(__file__)

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


class Directory(Private):
    """Paths, file names and parts of records; everything is found by position."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = records
        joined = END.join([each.path for each in records]).lower()
        self.paths = joined.split(END) if records else []
        """Small, one for each record."""
        self._text = f"/{joined}{END}".replace(END, f"{END}/") if records else ""

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
        """Each of these names that is a file name, or one up to its first or last point; and whose it is."""
        firsts = [name.partition(".")[0] for name in self.names]
        lasts = [name.rpartition(".")[0] for name in self.names]
        called = (pair for names in (self.names, firsts, lasts) for pair in zip(names, range(len(names)), strict=True))
        yield from dict.fromkeys(pair for pair in called if pair[0] in wanted)

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

    @cached_property
    def folders(self) -> frozenset[str]:
        """Every folder, small."""
        found: set[str] = set()
        for folder in {path.rpartition("/")[0] for path in self.paths}:
            while folder and folder not in found:
                found.add(folder)
                folder = folder.rpartition("/")[0]
        return frozenset(found)

    def has_folder(self, name: str) -> bool:
        """Whether a folder is called so."""
        return f"/{name}/" in self._text

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


PREFIX = 4
"""Letters that a goal's word must share with a word of a class or path: `auth` means `authentication`."""
PHRASES: Final = 8
"""Phrases of a goal that are looked up."""
FEW: Final = 4
"""So many objects at most are meant by "the"."""

_AND: Final = frozenset(["and", "or", "with", "versus", "vs"])
_EACH: Final = frozenset(["all", "every", "each", "any"])
_LAST: Final = frozenset(["latest", "newest", "last", "recent", "current"])
_DAYS: Final = {"today's": 0, "todays": 0, "yesterday's": 1, "yesterdays": 1}
_POINTS: Final = _EACH | _LAST | _DAYS.keys() | {"the", "our", "my", "both", "oldest", "first"}
_FRESH: Final = {"today": 2, "recent": 1}

_HEADS: Final[dict[str, tuple[str, frozenset[str]]]] = {
    word: (field, frozenset(values.split())) for word, (field, values) in _LEXICON.tables["heads"].items()
}
"""Words for what is meant, with the field that says so."""

LANGUAGES: Final = _LEXICON.words("languages")
"""Words that say what something is written in or made with, and not which one is meant."""

_word = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_digits = re.compile(r"\d{1,18}")


@private
class Phrase(NamedTuple):
    """A stretch of the goal and the objects (by number) that it means; several may be too many."""

    start: int
    end: int
    numbers: tuple[int, ...]
    ambiguous: bool = False


def phrases(goal: str, here: Directory, now: float) -> Iterator[Phrase]:
    """Each phrase that means something here."""
    words = [(match[0].lower().replace("’", "'"), match.start(), match.end()) for match in _word.finditer(goal)]
    looked = 0
    for place, (word, _, after) in enumerate(words):
        if word not in _POINTS or looked == PHRASES:
            continue
        narrow: list[str] = []
        before: list[tuple[list[str], int, int]] = []
        """What else the same head is meant of: `the production and the staging settings`."""
        again = False
        for at, (other, start, end) in enumerate(words[place + 1 : place + 10], place + 1):
            # Only a space may stand between: a comma ends what "the" points at.
            if goal[after:start].strip(" ") or len(narrow) > 3:
                break
            after = end
            if other in _AND and narrow:
                before.append((narrow, words[at - len(narrow)][1], words[at - 1][2]))
                narrow = []
                continue
            if before and not narrow and other in _POINTS:
                again = True  # it is looked at by itself
                continue
            head = _singular(other)
            if head not in _HEADS or _goes_on(words, at, goal):
                narrow.append(other)
                continue
            looked += 1
            several = head != other and not before
            for some, first, last in before if narrow else ():
                if found := _meant(word, some, head, here, now, several=several):
                    yield Phrase(first, last, *found)
            found = None if again else _meant(word, narrow, head, here, now, several=several)
            if found:
                first = words[place + 1][1] if word == "the" else words[place][1]
                yield Phrase(words[at - len(narrow)][1] if before else first, end, *found)
            break


def _goes_on(words: Sequence[tuple[str, int, int]], at: int, goal: str) -> bool:
    """Whether the next word is what is meant, and this one narrows it down: "the config schema"."""
    end = words[at][2]
    return any(goal[end:start] == " " and _singular(word) in _HEADS for word, start, _ in words[at + 1 : at + 2])


def _meant(
    point: str, narrow: Sequence[str], head: str, here: Directory, now: float, *, several: bool
) -> tuple[tuple[int, ...], bool] | None:
    if point in _EACH or not LANGUAGES.isdisjoint(narrow):
        return None  # a whole sort is meant, and no object of it
    field, values = _HEADS[head]
    narrow = [
        word.removesuffix("'s") for word in narrow if word not in _LAST and word not in ("the", "of", "our", "my")
    ]
    places = here.of(field, values)
    for word in narrow:
        places = _narrowed(places, here, word)
    found = [here.records[place] for place in places]
    if several and point in ("the", "our", "my") and len(found) > FEW:
        return None  # all of them are meant, whatever part they play
    # Tests, copies and examples of a thing are not the thing, where there is one.
    found = [each for each in found if each.role == "production"] or found
    if narrow:
        found = _exact(found, [*narrow, head]) or _exact(found, narrow) or found
    if point == "both":
        return (tuple(each.number for each in found), len(found) != 2) if 2 <= len(found) <= MAX_MENTIONS else None
    if point in _DAYS:
        return _of_day(found, _DAYS[point], now)
    if point in _LAST or point in ("oldest", "first"):
        return _extreme(found, newest=point in _LAST)
    return _numbers(found) if narrow and len(found) <= FEW else _numbers(found[:1]) if len(found) == 1 else None


def _exact(found: Sequence[Record], words: Sequence[str]) -> list[Record]:
    """Those whose very class is meant, not only a word of their path."""
    return [
        each
        for each in found
        if all(any(alike(word, part) for part in each.semantic_class.split("_")) for word in words)
    ]


def _numbers(found: Sequence[Record]) -> tuple[tuple[int, ...], bool] | None:
    return (tuple(each.number for each in found), False) if found else None


def _extreme(found: Sequence[Record], *, newest: bool) -> tuple[tuple[int, ...], bool] | None:
    """The newest or oldest, by how fresh it is and then by the numbers in its name; several where none is."""
    if not found:
        return None
    choose = max if newest else min
    ages = [_age(each) for each in found]
    best = choose(ages)
    numbers = tuple(each.number for each, age in zip(found, ages, strict=True) if age == best)
    return (numbers[:MAX_MENTIONS], len(numbers) > 1)


def _age(record: Record) -> tuple[tuple[int, ...], int]:
    name = record.path.rsplit("/", 1)[-1]
    # Names that count say more than the day on which somebody last touched a file.
    return tuple(map(int, _digits.findall(name))), _FRESH.get(record.freshness, 0)


def _of_day(found: Sequence[Record], back: int, now: float) -> tuple[tuple[int, ...], bool] | None:
    """Those whose name holds the day; else those that are fresh enough."""
    day = datetime.fromtimestamp(now, UTC).astimezone() - timedelta(days=back)
    stamps = [day.strftime(form) for form in ("%Y-%m-%d", "%Y%m%d", "%Y_%m_%d")]
    dated = [each for each in found if any(stamp in each.path for stamp in stamps)]
    fresh = [each for each in found if each.freshness == "today" or (back and each.freshness == "recent")]
    chosen = dated or fresh
    return (tuple(each.number for each in chosen[:MAX_MENTIONS]), len(chosen) > 1) if chosen else None


def _narrowed(places: Sequence[int], here: Directory, word: str) -> list[int]:
    """Those of which a word of the path or class is a form of this one, or short for it, or it for that."""
    classes = {each for each in here.classes if any(alike(word, part) for part in each.split("_"))}
    short, search = word[:PREFIX], _forms(word).search
    return [
        place
        for place in places
        if here.records[place].semantic_class in classes or (short in here.paths[place] and search(here.paths[place]))
    ]


def _forms(word: str) -> re.Pattern[str]:
    """The same as `alike`, for every word of a path at once."""
    cut = {word[:size] for size in range(PREFIX, len(word))} | {word, word.rstrip("s"), f"{word.rstrip('s')}s"}
    whole = "|".join(re.escape(each) for each in sorted(cut - {""}))
    longer = f"|{re.escape(word)}" if len(word) >= PREFIX else ""
    return re.compile(rf"(?:\A|[/_.\s-])(?:(?:{whole})(?=[/_.\s-]|\Z){longer})")


def same(word: str, other: str) -> bool:
    """Whether two words are forms of one."""
    return word == other or word.rstrip("s") == other.rstrip("s")


def alike(word: str, other: str) -> bool:
    """Whether two words are forms of one, or one is short for the other."""
    if same(word, other):
        return True
    short = min(len(word), len(other))
    return short >= PREFIX and (other.startswith(word) or word.startswith(other))


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word if word in _HEADS else word.removesuffix("s")
