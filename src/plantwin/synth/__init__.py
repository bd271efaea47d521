"""Synth(Z): made-up files with the values and relations of a twin, from its bytes alone.

(1) decode and bound (`told`); (2) one order for equal twins (`order`); (3) a form for each object (`choice`);
(4) paths (`layout`); (5) contents (`render`); (6) the folder, put in place at once (`folder`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from os.path import relpath
from pathlib import PurePosixPath
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from plantwin.synth.choice import Choice, choose, few, writes
from plantwin.synth.layout import Place, alike, places
from plantwin.synth.order import canonical
from plantwin.synth.render import FEW_ROWS, ROWS, render, spoiled
from plantwin.synth.templates import measured, words
from plantwin.synth.told import Told, told, wanted
from plantwin.synth.values import Names, Values
from plantwin.types.twin import TwinEdge, TwinObject
from plantwin.vocabulary import EdgeReason, EdgeType, Kind

__all__ = ["File", "synth"]

_ALONE = 2
"""Days between logs that cover different times."""
_MODULES = 64
"""Go modules that are looked through for one that holds a package."""
_OLD_FIRST = ("oldest", "older", "", "recent", "newest")


class File(NamedTuple):
    """One made-up file."""

    path: str
    data: bytes
    object_id: str
    freshness: str
    age: str
    tracked: bool
    """Whether version control knows it."""


def synth(data: bytes, seed: int = 0) -> Iterator[File]:
    """Files with what the bytes of a twin tell; the same for equal twins, whatever their ids and order."""
    known = canonical(told(data))
    needs: dict[str, set[str]] = defaultdict(set)
    for edge in known.edges:
        if edge.edge is EdgeType.REQUIRES_CAPABILITY and edge.reason is not UNSET:
            needs[edge.source].add(str(edge.reason))
    names = [Names(number, seed) for number in range(len(known.objects))]
    choices = alike(known, [choose(one, needs[one.object_id]) for one in known.objects])
    laid = places(known, choices, names)
    return _files(known, seed, names, choices, laid)


def _files(
    known: Told, seed: int, names: Sequence[Names], choices: Sequence[Choice], laid: Sequence[Place]
) -> Iterator[File]:
    number = {one.object_id: position for position, one in enumerate(known.objects)}
    days = _days(known, number)
    outward: dict[int, list[TwinEdge]] = defaultdict(list)
    for edge in known.edges:
        outward[number[edge.source]].append(edge)
    tables = [names[place.named].noun for place in laid]
    history = any(one.lacks is not UNSET and "change_history" in one.lacks for one in known.objects)
    modules = [
        (place.path.rpartition("/")[0], tables[position])
        for position, place in enumerate(laid)
        if choices[position].form.syntax == "gomod"
    ][:_MODULES]
    differing = [edge for edge in known.edges if edge.reason in (EdgeReason.VALUE, EdgeReason.DIVERGED)]
    versions = {number[edge.source] for edge in differing}
    versions |= {
        number[edge.target] for edge in differing if edge.reason is EdgeReason.VALUE and edge.target is not UNSET
    }
    for position, one in enumerate(known.objects):
        choice, place = choices[position], laid[position]
        same = _digest(known.objects[place.named]) if place.named != position else _digest(one)
        values = Values(names[place.named], f"{seed}/{place.named}/{same}", days[position])
        if place.named != position and _is_copy(outward[position]):
            choice = choices[place.named]
        values.set("number", PurePosixPath(place.path).name.partition("_")[0])
        first = sorted(outward[position], key=lambda edge: edge.reason is not EdgeReason.TESTS)
        lines = [_reference(edge, position, number, choices, laid, values, tables, modules) for edge in first]
        lines = list(filter(None, lines))
        remarks = [f"part {position}"] if position in versions else []
        values.set("place", str(position))
        remarks += _needles(one, choice)
        size = str(one.size_bucket or "small")
        rows = FEW_ROWS if set(wanted(one).values()) == {"few"} else ROWS
        body = render(choice.form, values, choice.added, lines, size, remarks, few(one, choice), rows)
        noun = names[position].noun
        yield File(
            place.path,
            spoiled(body, str(one.readiness_cause), noun),
            one.object_id,
            str(one.freshness or ""),
            str(one.age or ""),
            not history or _is_tracked(one),
        )


def _needles(one: TwinObject, choice: Choice) -> list[str]:
    """Words that say whose service, and for which database, it is, where its form does not."""
    known = measured().get(choice.form.key)
    found = []
    for field in ("provider", "dialect"):
        told_word = getattr(one, field)
        if told_word is not UNSET and known and getattr(known, field) != told_word and choice.form.syntax != "sql":
            found.append(str(words()[f"{field}s"][told_word]))
    return found


def _digest(one: TwinObject) -> str:
    """What a generator is seeded with: the words told of an object, never its id."""
    words = msgspec.structs.replace(one, object_id="artifact_aaaaaaaa", component=UNSET, within=UNSET)
    return msgspec.json.encode(words, order="sorted").decode()


def _is_tracked(one: TwinObject) -> bool:
    """Whether version control knows it: of data, whose lack of a history is not told, its age says so."""
    if one.kind not in (Kind.CODE_FILE, Kind.CONFIG, Kind.DOCUMENT):
        return one.age is not UNSET
    return one.lacks is UNSET or "change_history" not in one.lacks


def _is_copy(edges: Sequence[TwinEdge]) -> bool:
    return any(edge.reason is EdgeReason.COPY for edge in edges)


def _reference(
    edge: TwinEdge,
    position: int,
    number: dict[str, int],
    choices: Sequence[Choice],
    laid: Sequence[Place],
    values: Values,
    tables: Sequence[str],
    modules: Sequence[tuple[str, str]],
) -> str:
    """The line with which a file points at another, where its syntax has one for the relation."""
    if edge.target is UNSET or edge.reason is UNSET:
        return ""
    target = number[edge.target]
    line = writes(choices[position].form, str(edge.reason))
    if not line:
        return ""
    path, own = laid[target].path, laid[position].path
    relative = relpath(path, PurePosixPath(own).parent)
    if "<<gopackage>>" in line and not (line := _go_package(line, path, modules)):
        return ""
    package = PurePosixPath(path).with_suffix("")
    if package.name == "__init__":
        package = package.parent
    parts = {
        "rel": relative,
        "dotrel": relative if relative.startswith(".") else f"./{relative}",
        "package": ".".join(package.parts[:-1]) or ".",
        "stem": package.name,
        "stemrel": relative.removesuffix(PurePosixPath(path).suffix),
        "target": PurePosixPath(path).name.partition(".")[0],
        "table": tables[target],
    }
    for name, value in parts.items():
        line = line.replace(f"<<{name}>>", value)
    return values.fill(line, target + 1).replace("from . import", "import")


def _go_package(line: str, path: str, modules: Sequence[tuple[str, str]]) -> str:
    """The line with the package of a Go file, below the module that a go.mod around it names; nothing without one."""
    folder = path.rpartition("/")[0]
    for root, noun in modules:
        if not root or f"{folder}/".startswith(f"{root}/"):
            below = folder.removeprefix(root).strip("/")
            return line.replace("<<gopackage>>", f"example.com/{noun}/{below}".rstrip("/"))
    return ""


def _days(known: Told, number: dict[str, int]) -> list[int]:
    """The day on which each object's records begin: one for all that cover the same time."""
    joined: dict[int, list[int]] = defaultdict(list)
    for edge in known.edges:
        if edge.reason is EdgeReason.OVERLAPS and edge.target is not UNSET:
            joined[number[edge.source]].append(number[edge.target])
            joined[number[edge.target]].append(number[edge.source])
    days = [-1] * len(known.objects)
    ages = [_OLD_FIRST.index(str(one.age or "")) for one in known.objects]
    period = 0
    for start in sorted(range(len(days)), key=lambda position: (ages[position], position)):
        queue = [start] if days[start] < 0 else []
        for position in queue:
            if days[position] < 0:
                days[position] = period
                queue += joined[position]
        period += _ALONE * (known.objects[start].kind == Kind.LOG_STREAM)
    return days
