"""SQL dumps as columns: INSERT with its column list or the table's definition, and COPY blocks."""

from __future__ import annotations

import re

from plantwin.private.detect.tables import MOST, Cells

_NAME = rb'[`"\[]?(?:[\w$]{1,64}[`"\]]?\.[`"\[]?)?(?P<%s>[\w$]{1,64})[`"\]]?'
STATEMENT = re.compile(
    rb"(?i)\b(?:INSERT(?:\s{1,8}IGNORE)?(?:\s{1,8}INTO)?|REPLACE\s{1,8}INTO|COPY|CREATE\s{1,8}TABLE(?:\s{1,8}IF\s{1,8}NOT"
    rb"\s{1,8}EXISTS)?)\s{1,8}" + _NAME % b"table" + rb"\s{0,8}(?P<open>\(|VALUES\b|FROM\s)"
)
_LIST = re.compile(rb'\s{0,8}[`"\[]?([\w$ ]{1,64}?)[`"\]]?\s{0,8}([,)])')
_VALUES = re.compile(rb"(?i)\s{0,40}VALUES\s{0,40}")
_FROM = re.compile(rb"(?i)\s{0,8}FROM\s{1,8}stdin[^\n]{0,200}\n")
_VALUE = re.compile(
    rb"\s{0,40}(?:(?P<call>(?:CAST|CONVERT|TO_DATE|STR_TO_DATE)\((?:\w{1,20}, ?)?)?"
    rb"[NnEe]?'(?P<text>[^'\\]{0,2000}(?:(?:''|\\.)[^'\\]{0,2000}){0,200})'"
    rb"(?(call)(?: [Aa][Ss] \w{1,20}(?:\(\d{1,4}\))?|, ?'[^'\n]{1,40}')?\))"
    rb"|(?P<bare>[^,()';]{1,200}))\s{0,40}([,)])",
    re.S,
)
_NEXT = re.compile(rb"\s{0,40},?\s{0,40}\(")
_DEFINED = re.compile(rb'\s{0,40}[`"\[]?([\w$]{1,64})[`"\]]?\s{1,40}[A-Za-z]')
_OTHER = frozenset(
    (b"primary", b"key", b"unique", b"constraint", b"foreign", b"index", b"check", b"fulltext", b"period")
)
_ROWS = 50_000
"""Rows of one statement that are read."""


def dump(data: bytes, *, unnamed: bool = False) -> list[Cells]:
    """Columns of every table that a dump fills; `unnamed` also those without a name: by number, after a zero byte."""
    tables: dict[bytes, list[Cells]] = {}
    place = 0
    while match := STATEMENT.search(data, place):
        place = match.end()
        table, verb = match["table"], match[0][:6].upper()
        if verb.startswith(b"CREATE"):
            if table not in tables and match["open"] == b"(":
                tables[table], place = _definition(data, place, table)
            continue
        columns = tables.get(table, [])
        if unnamed and not columns and match["open"] != b"(":
            columns = tables[table] = [_column(table, b"\0%d" % number, 0) for number in range(MOST)]
        if match["open"] == b"(":
            listed, place = _listed(data, place, table)
            columns = _same(columns, listed)
            tables[table] = columns if len(columns) >= len(tables.get(table, [])) else tables[table]
        if verb.startswith(b"COPY"):
            place = _copied(data, place if match["open"] == b"(" else match.start("open"), columns)
        else:
            place = _inserted(data, place if match["open"] == b"(" else match.start("open"), columns)
        if len(tables) > MOST:
            break
    return [column for columns in tables.values() for column in columns]


def _same(known: list[Cells], listed: list[Cells]) -> list[Cells]:
    """The listed columns, where known as the ones known."""
    by_name = {column.name: column for column in known}
    return [by_name.get(capability.name, capability) for capability in listed]


def _column(table: bytes, name: bytes, start: int) -> Cells:
    return Cells(f"{table.decode('ascii', 'replace')}.{name.decode('ascii', 'replace')}", start, start + len(name))


def _listed(data: bytes, place: int, table: bytes) -> tuple[list[Cells], int]:
    columns: list[Cells] = []
    while len(columns) < MOST and (match := _LIST.match(data, place)):
        columns.append(_column(table, match[1].strip(), match.start(1)))
        place = match.end()
        if match[2] == b")":
            break
    return columns, place


def _definition(data: bytes, place: int, table: bytes) -> tuple[list[Cells], int]:
    """The columns of a CREATE TABLE: what starts each part between commas outside of parentheses."""
    columns: list[Cells] = []
    depth, start = 1, place
    for mark in re.finditer(rb"[(),]", data[place : place + 65536]):
        at = place + mark.start()
        sign = mark[0]
        depth += (sign == b"(") - (sign == b")")
        if (sign == b"," and depth == 1) or depth == 0:
            match = _DEFINED.match(data, start, at)
            if match is not None and match[1].lower() not in _OTHER and len(columns) < MOST:
                columns.append(_column(table, match[1], match.start(1)))
            start = at + 1
        if depth == 0:
            return columns, start
    return columns, start


def _inserted(data: bytes, place: int, columns: list[Cells]) -> int:
    lead = _VALUES.match(data, place)
    if lead is None:
        return place
    place = lead.end()
    for _ in range(_ROWS):
        opened = _NEXT.match(data, place)
        if opened is None:
            break
        place = opened.end()
        number = 0
        while match := _VALUE.match(data, place):
            place = match.end()
            if number < len(columns):
                kind = "bare" if match["text"] is None else "text"
                columns[number].add(match[kind], match.start(kind))
            number += 1
            if match[4] == b")":
                break
        else:
            break  # An expression: the rest of this statement is not read.
    return place


def _copied(data: bytes, place: int, columns: list[Cells]) -> int:
    lead = _FROM.match(data, place)
    if lead is None:
        return place
    stop = data.find(b"\n\\.", lead.end() - 1)
    block = data[lead.end() : stop if stop >= 0 else len(data)]
    at = lead.end()
    for line in block.split(b"\n")[:_ROWS]:
        place = at
        for column, value in zip(columns, line.split(b"\t"), strict=False):
            column.add(value, place)
            place += len(value) + 1
        at += len(line) + 1
    return lead.end() + len(block)
