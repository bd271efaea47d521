"""Where each object lies: a folder for its component, parts of paths for its role, environment and database."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import UNSET

from plantwin.synth.choice import Choice, additions
from plantwin.synth.templates import measured, words
from plantwin.synth.told import Told
from plantwin.synth.values import Names
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import EdgeReason

SMALLEST = 3
"""Objects of a component that is found again by its folder; what belongs to smaller ones lies at the top."""
_SERIES = {EdgeReason.ORDER: False, EdgeReason.PRECEDES: False, EdgeReason.SUPERSEDES: True}
"""Reasons that put files into an order, and whether they lead backward."""
_SETTLED = frozenset({"config", "configs", "k8s", "infra", "deploy"})
"""Folders below which the name of an environment is one."""
_GENERAL = frozenset({"readme", "license", "changelog", "repository_config", "lock_file", "standards_document"})
_VARIANTS = (EdgeReason.SIBLING, EdgeReason.VALUE)


class Place(NamedTuple):
    """A path, and the number of the object whose names its content uses."""

    path: str
    named: int


def places(told: Told, choices: Sequence[Choice], names: Sequence[Names]) -> list[Place]:
    """A path of its own for each object."""
    number = {one.object_id: position for position, one in enumerate(told.objects)}
    folders = _components(told, names)
    shared = _shared_names(told, number, choices)
    ranks = _ranks(told, number)
    tested = {
        number[edge.source]: number[edge.target]
        for edge in told.edges
        if edge.reason is EdgeReason.TESTS and edge.target is not UNSET
    }
    subjects = Counter(edge.source for edge in told.edges if edge.reason is EdgeReason.TESTS)
    # A name can say of one thing alone that it is tested; of several, what is imported first says so.
    tested = {test: subject for test, subject in tested.items() if subjects[told.objects[test].object_id] == 1}
    taken: set[str] = set()
    imported = {
        number[edge.target]
        for edge in told.edges
        if edge.reason in (EdgeReason.IMPORTS, EdgeReason.TESTS) and edge.target is not UNSET
    }
    inside: Counter[str] = Counter()
    found: list[Place] = []
    for position, one in enumerate(told.objects):
        named = shared.get(position, position)
        name = names[named]
        choice = choices[position]
        path = choice.form.path
        if position in tested:
            about = names[shared.get(tested[position], tested[position])]
            path = path.replace("test_<<noun>>", f"test_{about.noun}").replace("<<noun>>", about.noun)
        path = path.replace("<<noun>>", name.noun).replace("<<Noun>>", name.camel).replace("<<word>>", name.word)
        path = path.replace("<<number>>", f"{ranks.get(position, ('', 0))[1] + 1:04d}")
        if position in imported and choice.form.syntax == "go" and path.endswith(f"{name.noun}.go"):
            path = f"{path.removesuffix('.go')}/{name.noun}.go"  # a package of its own, which can be imported
        path = _adapted(one, choice, path, ranks.get(position))
        path = folders[position] + path
        top = path.partition("/")[0]
        if not folders[position] and "/" in path and one.environment is UNSET and one.role == "production":
            # A third file would make the folder a component of its own.
            inside[top] += 1
            path = path.rpartition("/")[2] if inside[top] >= SMALLEST and not top.startswith(".") else path
        while path in taken:
            folder, _, last = path.rpartition("/")
            path = f"{folder}/{name.word}/{last}" if folder else f"{name.word}/{last}"
        taken.add(path)
        found.append(Place(path, named))
    return found


def _components(told: Told, names: Sequence[Names]) -> list[str]:
    """The folder of each object's component."""
    sizes = Counter(one.component for one in told.objects)
    folders: dict[object, str] = {_whole(told): ""}
    found = []
    for position, one in enumerate(told.objects):
        if one.component is UNSET or sizes[one.component] < SMALLEST:
            found.append("")
        else:
            found.append(
                folders.setdefault(one.component, f"{words()['folders']['component']}/{names[position].noun}/")
            )
    return found


def _whole(told: Told) -> object:
    """The component that is about the whole project: of those with a general file, the one with most of them.

    It lies at the top, where its guides and its licence count for all others.
    """
    general = Counter(
        one.component
        for one in told.objects
        if one.component is not UNSET and one.semantic_class in _GENERAL and one.role == "production"
    )
    return max(general, key=lambda component: general[component], default=None)


def _adapted(one: TwinObject, choice: Choice, path: str, rank: tuple[str, int] | None) -> str:
    """The path with what its object's role, environment, database and place in a series add."""
    known = measured().get(choice.form.key)
    folder, _, name = path.rpartition("/")
    stem, dot, ending = name.lstrip(".").partition(".")
    hidden = "." if name.startswith(".") else ""
    dialect = "" if one.dialect is UNSET else "mssql" if one.dialect == "sqlserver" else str(one.dialect)
    fixed = "<<" not in choice.form.path.rpartition("/")[2]
    if dialect and choice.form.syntax == "sql" and known and known.dialect != one.dialect:
        stem += f"_{dialect}"
    if rank and fixed and rank[0] != EdgeReason.ORDER:
        folder = f"{folder}/v{rank[1] + 1}".lstrip("/")
    elif rank and rank[0] == EdgeReason.SUPERSEDES:
        stem += f"_v{rank[1] + 1}"
    elif rank and rank[0] == EdgeReason.PRECEDES:
        stem += f"_2023-{rank[1] % 12 + 1:02d}" if rank[1] < 12 else f"_{2023 + rank[1] // 12}-{rank[1] % 12 + 1:02d}"
    if one.role == "legacy" and fixed:
        folder = f"{folder}/legacy".lstrip("/")
    elif one.role == "legacy":
        stem += "_legacy"
    if one.role == "template":
        ending = f"{ending}.example" if hidden else ending
        stem += "" if hidden else "_template"
    name = f"{hidden}{stem}{dot}{ending}"
    role = "" if one.role is UNSET else words()["folders"].get(one.role, "")
    if role and known and known.role != one.role and role not in folder.split("/"):
        folder = f"{role}/{folder}".rstrip("/")
    if one.environment is not UNSET:
        word = words()["environments"][one.environment]
        parts = folder.split("/")
        if folder.startswith("."):
            name = f"{hidden}{stem}.{word}{dot}{ending}"
        elif "environments" in parts:
            folder = f"environments/{word}"
        else:
            folder = f"{folder}/{word}" if _SETTLED & set(parts) else f"config/{word}"
    return f"{folder}/{name}" if folder else name


def alike(told: Told, choices: Sequence[Choice]) -> list[Choice]:
    """The same choices, with one form for all of a class that are counterparts of each other."""
    number = {one.object_id: position for position, one in enumerate(told.objects)}
    found = list(choices)
    for edge in told.edges:
        if edge.reason in _VARIANTS and edge.target is not UNSET:
            first, other = sorted((number[edge.source], number[edge.target]))
            ours, theirs = told.objects[first], told.objects[other]
            if (ours.kind, ours.semantic_class) == (theirs.kind, theirs.semantic_class):
                form = found[first].form
                found[other] = Choice(form, additions(theirs, form))
    return found


def _shared_names(told: Told, number: Mapping[str, int], choices: Sequence[Choice]) -> dict[int, int]:
    """Objects that are called alike, by the number of the first: counterparts, versions, periods, copies."""
    root: dict[int, int] = {}

    def first(position: int) -> int:
        while (above := root.setdefault(position, position)) != position:
            root[position] = root[above]
            position = above
        return position

    together = (*_VARIANTS, EdgeReason.PRECEDES, EdgeReason.SUPERSEDES, EdgeReason.COPY, EdgeReason.DIVERGED)
    for edge in told.edges:
        if edge.reason in together and edge.target is not UNSET:
            one, other = number[edge.source], number[edge.target]
            if choices[one].form.syntax == choices[other].form.syntax:
                one, other = sorted((first(one), first(other)))
                root[other] = one
    return {position: first(position) for position in root}


def _ranks(told: Told, number: Mapping[str, int]) -> dict[int, tuple[str, int]]:
    """Reason and place of what is in a series."""
    ranks: dict[int, tuple[str, int]] = {}
    for reason, backward in _SERIES.items():
        after: dict[int, set[int]] = defaultdict(set)
        before: Counter[int] = Counter()
        for edge in told.edges:
            if edge.reason is reason and edge.target is not UNSET:
                ends = number[edge.source], number[edge.target]
                earlier, later = reversed(ends) if backward else ends
                if later not in after[earlier]:
                    after[earlier].add(later)
                    before[later] += 1
        depth = {position: 0 for position in after if not before[position]}
        queue = list(depth)
        for position in queue:  # what is in a circle has no place and is left out
            for later in sorted(after.get(position, ())):
                depth[later] = max(depth.get(later, 0), depth[position] + 1)
                before[later] -= 1
                if not before[later]:
                    queue.append(later)
        for position in queue:
            ranks.setdefault(position, (str(reason), depth[position]))
    return ranks
