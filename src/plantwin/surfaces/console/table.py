"""The objects of a folder in a table, in memory: searched, filtered and paged without looking at all of them."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from plantwin.private.facts import Private, Record, Relation, private
from plantwin.private.report.full import sound
from plantwin.surfaces.cli.arguments import name
from plantwin.text import printable

FILTERS: Final = ("kind", "family", "semantic_class", "sensitivity", "confidence")
"""Fields by which objects are filtered."""
_TABLES: Final = """
create table object (
    number integer primary key, path blob not null, name text not null, kind text not null, family text not null,
    semantic_class text not null, sensitivity text not null, confidence text not null, component text not null,
    record blob not null);
create index by_component on object (component, name);
create index by_name on object (name);
create table edge (
    source integer not null, target integer not null, edge text not null, reason text not null,
    evidence text not null);
create index by_source on edge (source);
create index by_target on edge (target);
"""
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Record).decode


@private
class Search(NamedTuple):
    """What is looked for: a part of the name, and words of fields."""

    text: str = ""
    words: tuple[tuple[str, str], ...] = ()
    """Field and word."""
    component: str | None = None


@private
class Neighbour(NamedTuple):
    """An object at the other end of a relation."""

    number: int
    name: str
    edge: str
    reason: str
    evidence: str
    outgoing: bool


class ObjectTable(Private):
    """The objects and relations of one scan. It belongs to one thread."""

    def __init__(self, records: Iterable[Record], relations: Iterable[Relation]) -> None:
        self._database = sqlite3.connect(":memory:")
        self._database.executescript(_TABLES)
        self._database.executemany("insert into object values (?,?,?,?,?,?,?,?,?,?)", map(_row, records))
        self._database.executemany(
            "insert into edge values (?,?,?,?,?)",
            ((edge.source, edge.target, edge.edge, edge.reason, sound(edge.evidence)) for edge in relations),
        )
        self._database.commit()

    def close(self) -> None:
        """Free it."""
        self._database.close()

    def page(self, search: Search, start: int, most: int) -> tuple[int, list[Record]]:
        """How many objects fit, and some of them in the order of names."""
        where, values = _where(search)
        (total,) = self._database.execute(f"select count(*) from object{where}", values).fetchone()  # noqa: S608
        query = f"select path, record from object{where} order by name, number limit ? offset ?"  # noqa: S608
        found = self._database.execute(query, (*values, most, start))
        return total, [_record(path, blob) for path, blob in found]

    def get(self, number: int) -> Record | None:
        """One object."""
        row = self._database.execute("select path, record from object where number = ?", (number,)).fetchone()
        return _record(*row) if row else None

    def some(self, numbers: Iterable[int]) -> list[Record]:
        """These objects, as far as they are there."""
        return [record for number in numbers if (record := self.get(number)) is not None]

    def places(self) -> Iterator[Record]:
        """All objects, as far as looking for what is gone needs them."""
        for path, blob in self._database.execute("select path, record from object"):
            yield _record(path, blob)

    def words(self, field: str) -> list[tuple[str, int]]:
        """The words of a field with how many objects have each, the most frequent first."""
        if field not in FILTERS:
            raise KeyError(field)
        query = f"select {field}, count(*) from object group by 1 order by 2 desc, 1"  # noqa: S608
        return self._database.execute(query).fetchall()

    def neighbours(self, number: int, most: int) -> list[Neighbour]:
        """What an object is related to."""
        query = (
            "select other, name, edge, reason, evidence, outgoing from ("
            " select target as other, edge, reason, evidence, 1 as outgoing from edge where source = ?"
            " union all select source, edge, reason, evidence, 0 from edge where target = ?)"
            " join object on object.number = other order by outgoing desc, edge, name limit ?"
        )
        rows = self._database.execute(query, (number, number, most))
        return [Neighbour._make((*row[:-1], bool(row[-1]))) for row in rows]

    def components(self) -> list[dict[str, Any]]:
        """Components with their objects by kind and by sensitivity, the largest first."""
        found: dict[str, dict[str, Any]] = {}
        query = "select component, kind, sensitivity, count(*) from object group by 1, 2, 3"
        for component, kind, sensitivity, number in self._database.execute(query):
            one = found.setdefault(component, {"name": component, "kinds": Counter(), "sensitivities": Counter()})
            one["kinds"][kind] += number
            one["sensitivities"][sensitivity] += number
        return sorted(found.values(), key=lambda one: (-one["kinds"].total(), one["name"]))

    def links(self) -> list[tuple[str, str, str, int]]:
        """How many relations of each sort lead from one component to another."""
        query = (
            "select a.component, b.component, edge, count(*) from edge join object a on a.number = source"
            " join object b on b.number = target where a.component != b.component group by 1, 2, 3 order by 4 desc"
        )
        return self._database.execute(query).fetchall()

    def inside(self, component: str, most: int) -> list[tuple[int, str, str, str, str]]:
        """Number, name, kind, class and sensitivity of a component's objects, the most related first."""
        query = (
            "select number, name, kind, semantic_class, sensitivity from object where component = ?"
            " order by (select count(*) from edge where source = number or target = number) desc, name limit ?"
        )
        return self._database.execute(query, (component, most)).fetchall()

    def between(self, component: str) -> list[tuple[int, int, str]]:
        """Relations inside a component: source, target and sort."""
        query = (
            "select source, target, edge from edge join object a on a.number = source and a.component = ?"
            " join object b on b.number = target and b.component = ?"
        )
        return self._database.execute(query, (component, component)).fetchall()


def search_of(query: Mapping[str, str]) -> Search:
    """What an address asks for; fields that are not filtered by are left out."""
    words = tuple((field, query[field][:100]) for field in FILTERS if query.get(field))
    return Search(query.get("q", "")[:200], words, query.get("component"))


def _where(search: Search) -> tuple[str, tuple[str, ...]]:
    parts, values = [], []
    for word in search.text.split():
        parts.append("name like ? escape '\\'")
        values.append(f"%{word.translate({ord(sign): f'{chr(92)}{sign}' for sign in chr(92) + '%_'})}%")
    for field, text in search.words:
        parts.append(f"{field} = ?")
        values.append(text)
    if search.component is not None:
        parts.append("component = ?")
        values.append(search.component)
    return (f" where {' and '.join(parts)}" if parts else ""), tuple(values)


def _row(record: Record) -> tuple[object, ...]:
    # A path may be no valid Unicode: it is kept as bytes, and shown as it is printed.
    bare = replace(record, path="", component=sound(record.component))
    try:
        blob = _encode(bare)
    except UnicodeEncodeError:
        blob = _encode(msgspec.convert(sound(msgspec.to_builtins(bare)), Record))
    words = (getattr(record, field) for field in ("kind", "family", "semantic_class", "sensitivity", "confidence"))
    return record.number, os.fsencode(record.path), printable(name(record)), *words, bare.component, blob


def _record(path: bytes, blob: bytes) -> Record:
    return replace(_decode(blob), path=os.fsdecode(path))
