"""similar_to by name: what supersedes what, and which objects are siblings for another environment or period."""

from __future__ import annotations

from itertools import pairwise

from plantwin.private.relate.bonds import Bonds, readable
from plantwin.private.relate.marks import Mark, Marks
from plantwin.private.relate.tables import Tables

_REPLACED = frozenset(
    {
        "database_dump",
        "dataset_snapshot",
        "model_binary",
        "requirements_spec",
        "policy_document",
        "contract_document",
        "design_document",
        "standards_document",
        "lookup_table",
    }
)
"""Classes of which the latest dated one replaces the others; others are a series."""
_FULL_DATE = 3

Groups = dict[tuple[str, str], list[tuple[tuple[int, ...], int]]]


def variants(tables: Tables, bonds: Bonds) -> list[list[int]]:
    """Add supersedes and sibling relations; return the groups that differ in environment alone."""
    marks = Marks(tables)
    groups: Groups = {}
    bases: dict[tuple[str, str], int] = {}
    for position in range(len(tables)):
        mark = marks(position)
        if mark is None:
            continue
        key = (mark.kind, mark.group)
        groups.setdefault(key, []).append((mark.rank, position))
        base = _base(tables, mark, position)
        if base is not None:
            bases[key] = base
    environments = []
    for key, members in groups.items():
        members.sort()
        base = bases.get(key)
        if key[0] == "environment" and len(members) > 1:
            environments.append([position for _, position in members])
        if len(members) > 1 or base is not None:
            _RELATE[key[0]](tables, bonds, members, base)
    return environments


def _base(tables: Tables, mark: Mark, position: int) -> int | None:
    """The object of the same name without the mark, of the same kind."""
    base = tables.at.get(mark.base) if mark.base else None
    if base is None or base == position or tables.facts[base].kind != tables.facts[position].kind:
        return None
    return base


Members = list[tuple[tuple[int, ...], int]]


def _succession(tables: Tables, bonds: Bonds, members: Members, base: int | None) -> None:
    """Each newer one supersedes the next older; a file without a mark is older than any version of it."""
    ranked = [*members] if base is None else [((0,), base), *members]
    ranked.sort(key=lambda each: (each[0], tables.changed[each[1]], each[1]))
    for (_, older), (_, newer) in pairwise(ranked):
        bonds.add(newer, "supersedes", older, f"newer than {readable(tables.paths[older])}")


def _star(tables: Tables, bonds: Bonds, members: Members, base: int | None) -> None:
    """Each is a sibling of the main one: production, English, or the file without a mark."""
    main = members[0][1] if base is None else base
    for _, position in members:
        bonds.add(position, "sibling", main, f"variant of {readable(tables.paths[main])}")


def _series(tables: Tables, bonds: Bonds, members: Members, base: int | None) -> None:
    """Each period is a sibling of the one before it."""
    ranked = members if base is None else [((), base), *members]
    for (_, before), (_, after) in pairwise(ranked):
        bonds.add(after, "sibling", before, f"same series as {readable(tables.paths[before])}")


def _dated(tables: Tables, bonds: Bonds, members: Members, base: int | None) -> None:
    """Copies of one thing at several days replace each other; periods of data or logs form a series."""
    replaced = tables.semantic_class(members[0][1]) in _REPLACED and len(members[0][0]) == _FULL_DATE
    (_succession if replaced else _series)(tables, bonds, members, None if replaced else base)


_RELATE = {
    "version": _succession,
    "age": _succession,
    "environment": _star,
    "language": _star,
    "date": _dated,
    "rotation": _series,
}
