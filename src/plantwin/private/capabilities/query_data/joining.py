"""Two tables as one: the rows of a table that refers to another, with the columns of what they refer to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plantwin.private.capabilities.engine.report import code, plain
from plantwin.private.capabilities.logs.as_table import STORAGE
from plantwin.private.capabilities.tables.cells import DATE, TIME, Cell
from plantwin.private.capabilities.tables.column import Column, gathered
from plantwin.private.capabilities.tables.profiled import Profiled, comparable, relations, stem
from plantwin.private.capabilities.tables.table import Batch, Table
from plantwin.private.facts import private
from plantwin.text import plural

SHARED = 0.5
"""Share of the values of a column that another of its name has, from which on it refers to that one."""
NAMES = ("name", "title", "label")
"""Columns by which people call what a key stands for."""


@private
class Link(NamedTuple):
    """A column of one table that refers to the key of another."""

    one: Profiled
    column: Column
    other: Profiled
    key: Column

    @property
    def missing(self) -> frozenset[Cell]:
        """Values of the column that the other table does not have."""
        there = {comparable(cell) for cell in self.key.counts}
        return frozenset(cell for cell in self.column.counts if comparable(cell) not in there)

    @property
    def unused(self) -> frozenset[Cell]:
        """Keys of the other table to which nothing refers."""
        there = {comparable(cell) for cell in self.column.counts}
        return frozenset(cell for cell in self.key.counts if comparable(cell) not in there)


def links(profiles: Sequence[Profiled]) -> list[Link]:
    """Return what refers to what: by declared keys, by names, and by columns of one name whose values are a key."""
    tables = [one for one in profiles if one.table.storage != STORAGE]
    by_table = {id(one.table): one for one in tables}
    found = [
        Link(one, _column(one, link.column), other, _column(other, link.key))
        for link in relations(tables)
        for one, other in [(by_table[id(link.table)], by_table[id(link.other)])]
    ]
    known = {(id(link.one.table), link.column.name) for link in found}
    for one in tables:
        for other in tables:
            found += [
                Link(one, column, other, key)
                for column in one.columns
                for key in other.columns
                if other is not one and (id(one.table), column.name) not in known and _refers(column, key)
            ]
    return found


def _column(profile: Profiled, name: str) -> Column:
    return profile.columns[profile.table.columns.index(name)]


def _refers(column: Column, key: Column) -> bool:
    """Whether a column has the name and mostly the values of another table's key, and is no key itself."""
    if column.name.lower() != key.name.lower() or not (column.exact and key.exact and key.unique) or column.unique:
        return False
    if column.type in (DATE, TIME) or not column.counts:
        return False
    there = {comparable(cell) for cell in key.counts}
    return sum(comparable(cell) in there for cell in column.counts) > SHARED * len(column.counts)


@private
class Joined(NamedTuple):
    """A table with the columns of another beside its own."""

    profile: Profiled
    note: str


def joined(link: Link) -> Joined:
    """Return the rows of a table with the columns of the rows that they refer to; empty where there is no such row."""
    one, other, whose = link.one, link.other, stem(link.other.table.name)
    place = one.columns.index(link.column)
    called = name_of(other)
    # What has a name of its own is called by that, not by its number.
    kept = [at for at in range(len(one.columns)) if called is None or at != place]
    added = [at for at, column in enumerate(other.columns) if column is not link.key]
    partners, unclear = _partners(link, added)
    blank: tuple[Cell, ...] = (None,) * len(added)

    def read(_: Table) -> Iterator[Batch]:
        for batch in one.table.again():
            cells = [partners.get(comparable(cell), blank) for cell in batch.columns[place]]
            yield Batch(batch.lines, [*(batch.columns[at] for at in kept), *zip(*cells, strict=True)])

    columns = [one.table.columns[at] for at in kept]
    hidden = {name: how for name, how in one.shown.hidden.items() if name in columns}
    for at in added:
        name = other.table.columns[at]
        shown = f"{whose} {name}" if other.columns[at] is called or name in columns else name
        columns.append(shown)
        if name in other.shown.hidden:
            hidden[shown] = other.shown.hidden[name]
    table = Table(one.table.label, one.table.name, columns, read, one.table.storage, one.table.lined)
    table.truncated = one.table.truncated or other.table.truncated
    table.own = len(kept)
    table.referred = f"{whose} {called.name}" if called is not None else link.column.name
    profile = Profiled(one.input, table, gathered(table), one.shown.of(hidden))
    return Joined(profile, _note(link, unclear))


def name_of(profile: Profiled) -> Column | None:
    """Return the column by which the rows of a table are called, where no two have the same."""
    return next((column for column in profile.columns if column.name.lower() in NAMES and column.unique), None)


def _partners(link: Link, added: Sequence[int]) -> tuple[dict[str, tuple[Cell, ...]], int]:
    """Return the rows of the other table by their key, and how many keys stand for several that differ."""
    key = link.other.columns.index(link.key)
    found: dict[str, tuple[Cell, ...]] = {}
    unclear: set[str] = set()
    for batch in link.other.table.again():
        for cell, *row in zip(batch.columns[key], *(batch.columns[at] for at in added), strict=True):
            name = comparable(cell)
            if found.setdefault(name, tuple(row)) != tuple(row):
                unclear.add(name)
    return {name: row for name, row in found.items() if name not in unclear}, len(unclear)


def _note(link: Link, unclear: int) -> str:
    on, key = code(link.column.name), code(link.key.name)
    how = on if on == key else f"{on} = {key}"
    lost = sum(times for cell, times in link.column.counts.items() if cell in link.missing)
    alone = f"; {plural(lost, 'row')} of {link.one.rows:,} without a partner" if lost else ""
    twice = f"; {plural(unclear, 'key')} with several rows that differ, which are left out" if unclear else ""
    return f"Joined with {plain(link.other.table.label)} on {how}{alone}{twice}."
