"""Rows of one table that have no partner in another: orders of customers that do not exist, products never ordered."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plantwin.private.capabilities.engine.report import code, plain
from plantwin.private.capabilities.query_data.joining import Link, links, name_of
from plantwin.private.capabilities.query_data.mentions import COLUMN, ROWS, VALUE, Item
from plantwin.private.capabilities.query_data.reading import MARKER, MOMENT, NUMBER, OPERATION, Question
from plantwin.private.capabilities.tables.cells import Cell
from plantwin.private.capabilities.tables.profiled import Profiled
from plantwin.text import plural

Spoken = tuple[Profiled, list[Item]]
SHOWN = 8
"""Values that are listed."""


def without_partner(
    question: Question, spoken: Sequence[Spoken], nowhere: Sequence[str], show: Callable[[Profiled, str, Cell], str]
) -> tuple[list[str], list[Profiled]]:
    """Count the rows of the table that a question names first which have no partner in the other.

    `nowhere`: its words that are in no table. Without a table that is named and refers to another, nothing is said.
    """
    first = {id(one.table): _first(items) for one, items in spoken}
    named = sorted((one for one, _ in spoken if first[id(one.table)] >= 0), key=lambda one: first[id(one.table)])
    if not named:
        return [], []
    found = [link for link in links([one for one, _ in spoken]) if named[0] in (link.one, link.other)]
    if len(named) > 1:
        found = [link for link in found if link.one in named and link.other in named]
    asked = {item.token.raw.lower() for _, items in spoken for item in items if item.kind == COLUMN}
    found = [link for link in found if link.column.name.lower() in asked] or found
    names = " and ".join(plain(one.table.label, 60) for one in named[:4])
    if not found:
        none = f"It cannot be told: no column was found that joins {names}."
        return ([none], []) if len(named) > 1 else ([], [])
    choosing = [item.token.raw for _, items in spoken for item in items if item.kind in (VALUE, NUMBER, MOMENT)]
    if besides := [*dict.fromkeys([*choosing, *nowhere])]:
        listed = ", ".join(code(word, 40) for word in besides[:6])
        return [f"No figure was computed. Rows of {names} are compared as a whole, without {listed}."], []
    told = sorted((_told(link, named[0] is link.other, show) for link in found), key=lambda pair: not pair[0])
    plainly = any(token.kind == MARKER and token.text == "which" for token in question.tokens)
    counted = any(token.kind == OPERATION and token.text == "count" for token in question.tokens)
    verdict = "" if plainly or counted else "Yes: " if told[0][0] else "No: "
    used = [one for link in found for one in (link.one, link.other)]
    return [f"{verdict}{'; '.join(text for _, text in told[:6])}."], list({id(one): one for one in used}.values())


def _first(items: Sequence[Item]) -> int:
    """Return which item is the first that names the table; -1 where none does."""
    return next((at for at, item in enumerate(items) if item.kind == ROWS), -1)


def _told(link: Link, unused: bool, show: Callable[[Profiled, str, Cell], str]) -> tuple[int, str]:
    profile, column, other, key = (link.other, link.key, link.one, link.column) if unused else link
    alone = link.unused if unused else link.missing
    rows = sum(times for cell, times in column.counts.items() if cell in alone)
    what = f"a {code(column.name)} that is no {code(key.name)} of {plain(other.table.label)}"
    counted = f"{rows:,} of {plural(profile.rows, 'row')} of {plain(profile.table.label)} have {what}"
    listed = sorted(alone, key=lambda cell: (len(str(cell)), str(cell)))[:SHOWN]
    called = _names(profile, column.name, listed) if unused else {}
    values = [f"{code(show(profile, column.name, cell), 40)}{called.get(cell, '')}" for cell in listed]
    more = f" and {len(alone) - SHOWN:,} more" if len(alone) > SHOWN else ""
    return rows, f"{counted} ({plural(len(alone), 'different value')}: {', '.join(values)}{more})" if rows else counted


def _names(profile: Profiled, column: str, wanted: Sequence[Cell]) -> dict[Cell, str]:
    """Return by which name people call what some keys stand for."""
    named = name_of(profile)
    if named is None:
        return {}
    place, at = profile.table.columns.index(column), profile.columns.index(named)
    return {
        cell: f" ({plain(str(name), 40)})"
        for batch in profile.table.again()
        for cell, name in zip(batch.columns[place], batch.columns[at], strict=True)
        if cell in wanted
    }
