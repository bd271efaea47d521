"""Objects that a goal speaks of by what they are: "the auth module", "the latest migration", "both configs"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from plantwin.private.records import Record
from plantwin.private.selection.directory import Directory
from plantwin.types.goal import MAX_MENTIONS

PREFIX = 4
"""Letters that a goal's word must share with a word of a class or path: `auth` means `authentication`."""
PHRASES: Final = 8
"""Phrases of a goal that are looked up."""
FEW: Final = 4
"""So many objects at most are meant by "the"."""

_EACH: Final = frozenset(["all", "every", "each", "any"])
_LAST: Final = frozenset(["latest", "newest", "last", "recent", "current"])
_DAYS: Final = {"today's": 0, "todays": 0, "yesterday's": 1, "yesterdays": 1}
_POINTS: Final = _EACH | _LAST | _DAYS.keys() | {"the", "our", "my", "both", "oldest", "first"}
_FRESH: Final = {"today": 2, "recent": 1}

_HEADS: Final[dict[str, tuple[str, frozenset[str]]]] = {
    "log": ("kind", frozenset(["log_stream"])),
    "test": ("family", frozenset(["testing"])),
    "config": ("kind", frozenset(["config"])),
    "configuration": ("kind", frozenset(["config"])),
    "setting": ("kind", frozenset(["config"])),
    "migration": ("semantic_class", frozenset(["database_migration"])),
    "module": ("kind", frozenset(["code_file"])),
    "service": ("kind", frozenset(["code_file"])),
    "handler": ("kind", frozenset(["code_file"])),
    "component": ("kind", frozenset(["code_file"])),
    "script": ("kind", frozenset(["code_file"])),
    "code": ("kind", frozenset(["code_file"])),
    "schema": ("semantic_class", frozenset(["table_schema", "api_contract", "data_contract"])),
    "contract": ("semantic_class", frozenset(["api_contract", "data_contract", "contract_document"])),
    "notebook": ("semantic_class", frozenset(["notebook"])),
    "dataset": ("family", frozenset(["dataset"])),
    "table": ("family", frozenset(["dataset", "database"])),
    "snapshot": ("semantic_class", frozenset(["dataset_snapshot", "database_dump"])),
    "dump": ("semantic_class", frozenset(["database_dump"])),
    "query": ("semantic_class", frozenset(["sql_query"])),
    "document": ("kind", frozenset(["document"])),
    "doc": ("kind", frozenset(["document"])),
    "guide": ("kind", frozenset(["document"])),
    "readme": ("semantic_class", frozenset(["readme"])),
    "runbook": ("semantic_class", frozenset(["runbook"])),
    "postmortem": ("semantic_class", frozenset(["postmortem"])),
    "dockerfile": ("semantic_class", frozenset(["container_build"])),
    "pipeline": ("semantic_class", frozenset(["ci_pipeline", "pipeline_definition"])),
    "workflow": ("semantic_class", frozenset(["ci_pipeline"])),
    "manifest": ("semantic_class", frozenset(["deploy_manifest", "build_manifest", "dependency_manifest"])),
    "template": ("semantic_class", frozenset(["page_template", "email_template"])),
    "certificate": ("semantic_class", frozenset(["certificate"])),
    "lockfile": ("semantic_class", frozenset(["lock_file"])),
    "policy": ("semantic_class", frozenset(["policy_document"])),
}
"""Words for what is meant, with the field that says so."""

_word = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_digits = re.compile(r"\d{1,18}")


class Phrase(NamedTuple):
    """A stretch of the goal and the objects (by number) that it means; several may be too many."""

    start: int
    end: int
    numbers: tuple[int, ...]
    ambiguous: bool = False

    def __repr__(self) -> str:
        return "<Phrase private>"


def phrases(goal: str, here: Directory, now: float) -> Iterator[Phrase]:
    """Each phrase that means something here."""
    words = [(match[0].lower().replace("’", "'"), match.start(), match.end()) for match in _word.finditer(goal)]
    looked = 0
    for place, (word, _, after) in enumerate(words):
        if word not in _POINTS or looked == PHRASES:
            continue
        narrow: list[str] = []
        for other, start, end in words[place + 1 : place + 6]:
            # Only a space may stand between: a comma ends what "the" points at.
            if goal[after:start].strip(" ") or len(narrow) > 3:
                break
            after = end
            head = _singular(other)
            if head not in _HEADS or _goes_on(words, place, narrow, goal, end):
                narrow.append(other)
                continue
            looked += 1
            found = _meant(word, narrow, head, here, now)
            if found:
                first = words[place + 1][1] if word == "the" else words[place][1]
                yield Phrase(first, end, *found)
            break


def _goes_on(words: Sequence[tuple[str, int, int]], place: int, narrow: Sequence[str], goal: str, end: int) -> bool:
    """Whether the next word is what is meant, and this one narrows it down: "the config schema"."""
    following = words[place + len(narrow) + 2 : place + len(narrow) + 3]
    return any(goal[end:start] == " " and _singular(word) in _HEADS for word, start, _ in following)


def _meant(
    point: str, narrow: Sequence[str], head: str, here: Directory, now: float
) -> tuple[tuple[int, ...], bool] | None:
    field, values = _HEADS[head]
    narrow = [
        word.removesuffix("'s") for word in narrow if word not in _LAST and word not in ("the", "of", "our", "my")
    ]
    places = here.of(field, values)
    for word in narrow:
        places = _narrowed(places, here, word)
    found = [here.records[place] for place in places]
    # Tests, copies and examples of a thing are not the thing, where there is one.
    found = [each for each in found if each.role == "production"] or found
    if narrow:
        found = _exact(found, [*narrow, head]) or _exact(found, narrow) or found
    if point in _EACH:
        return _numbers(found) if len(found) <= MAX_MENTIONS else None
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
