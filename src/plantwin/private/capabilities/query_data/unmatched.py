"""Why there is no figure: words that are no column and no value, tables that would have to be joined; and a way on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plantwin.private.capabilities.engine.report import code, plain
from plantwin.private.capabilities.query_data.conditions import IDS
from plantwin.private.capabilities.query_data.interpretation import interpret
from plantwin.private.capabilities.query_data.mentions import COLUMN, FEW, ROWS, TEXT, VALUE, Item, mentions
from plantwin.private.capabilities.query_data.model import Query, is_measure, is_time
from plantwin.private.capabilities.query_data.reading import Question, read
from plantwin.private.capabilities.tables.profiled import Profiled, relations
from plantwin.private.facts import private
from plantwin.text import plural

NONE = "No figure was computed."
SHOWN = 24
"""Columns that are listed where a question speaks of none."""
_SIMPLE = re.compile(r"[^\W\d][\w.-]{0,39}")


@private
class Fit(NamedTuple):
    """A table, and what a question computes over it."""

    profile: Profiled
    items: list[Item]
    query: Query

    @property
    def rank(self) -> tuple[int, int]:
        """Tables whose columns and values have the words come before logs whose messages do."""
        return -sum(item.kind == TEXT for item in self.items), self.query.known


def fitted(question: Question, profile: Profiled) -> Fit:
    """Return what a question computes over a table."""
    items = mentions(question, profile.table, profile.columns)
    return Fit(profile, items, interpret(question, items, profile.table, profile.columns))


def unmatched(fits: Sequence[Fit]) -> list[str]:
    """Say which words fit no column and no value, and which columns there are."""
    near = sorted(fits, key=lambda fit: (len(fit.query.unknown), len(fit.query.problems), -fit.query.known))
    first = near[0]
    table = first.profile.table
    reasons = list(first.query.problems)
    choices = [item for item in first.query.unknown if item.options]
    for item in choices:
        options = ", ".join(code(name) for name in item.options[:6])
        reasons.insert(0, f"{code(item.token.raw)} may be {options}: say which.")
    if unclear := [item for item in first.query.unknown if not item.options]:
        everywhere = all({*_raw(unclear)} <= {*_raw(fit.query.unknown)} for fit in fits)
        where = f"the {len(fits)} tables that were read" if everywhere and len(fits) > 1 else plain(table.label)
        reasons = [f"{_strange(unclear)} of {where}."] if everywhere else [f"{_strange(unclear)} of {where}.", *reasons]
    if joined := _joined(near):
        reasons = [joined]
    lines = [f"{NONE} {' '.join(reasons[:3])}", ""]
    for fit in near[:4]:
        names = [code(name, 60) for name in fit.profile.table.columns]
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        lines.append(f"- {plain(fit.profile.table.label)}: columns {', '.join(names[:SHOWN])}{more}")
    if len(near) > 4:
        lines.append(f"- {plural(len(near) - 4, 'more table')}")
    example = _example(first.profile)
    return [*lines, "", f"A question that is answered: {code(example)}"] if example else lines


def _strange(items: Sequence[Item]) -> str:
    """Say which words are neither columns nor values: ``salary`, `department` are …``."""
    words = list(dict.fromkeys(_raw(items)))
    listed = ", ".join(code(word, 40) for word in words[:6])
    return f"{listed} {'is' if len(words) == 1 else 'are'} no column and no value"


def _raw(items: Sequence[Item]) -> list[str]:
    return [item.token.raw for item in items]


def _joined(fits: Sequence[Fit]) -> str:
    """Say which two tables a question speaks of that would have to be joined by a key they have."""
    for at, one in enumerate(fits):
        for other in fits[at + 1 :]:
            mine, theirs = _known(one) - _known(other), _known(other) - _known(one)
            apart = mine and theirs and {*_raw(one.query.unknown)} <= theirs and {*_raw(other.query.unknown)} <= mine
            if apart and (key := _key(one.profile, other.profile)):
                words = [", ".join(code(word, 40) for word in sorted(each)) for each in (mine, theirs)]
                only = f"Only {plain(one.profile.table.label)} has {words[0]}"
                rest = f"only {plain(other.profile.table.label)} {words[1]}"
                return f"{only}, {rest}: they would have to be joined on {key}, which is not done here."
    return ""


def _key(one: Profiled, other: Profiled) -> str:
    """Return what joins two tables: a reference, or columns of one name that share values and are a key of either."""
    for link in relations([one, other]):
        return f"{code(link.column)} of {plain(link.table.label)} = {code(link.key)} of {plain(link.other.label)}"
    named = {column.name.lower(): column for column in other.columns}
    for mine in one.columns:
        theirs = named.get(mine.name.lower())
        if theirs is not None and (mine.unique or theirs.unique) and mine.counts.keys() & theirs.counts.keys():
            return f"{code(mine.name)} of both"
    return ""


def _known(fit: Fit) -> set[str]:
    return {item.token.raw for item in fit.items if item.kind in (COLUMN, ROWS, VALUE)}


def _example(profile: Profiled) -> str:
    """Return a question over a table's own columns that is answered."""
    for text in _examples(profile):
        query = fitted(read(text), profile).query
        if not query.unknown and not query.problems:
            return text
    return ""


def _examples(profile: Profiled) -> Iterator[str]:
    label = profile.table.label
    place = f" in {label.rpartition('#' if '#' in label else '/')[2]}"
    columns = [column for column in profile.columns if _SIMPLE.fullmatch(column.name) and column.filled > 1]
    numbers = [column.name for column in columns if is_measure(column) and not IDS.search(column.name)]
    kinds = [
        column.name
        for column in columns
        if not is_measure(column)
        and not is_time(column, profile.table)
        and column.exact
        and 1 < len(column.counts) <= min(FEW, column.filled - 1)
    ]
    if numbers and kinds:
        yield f"average {numbers[0]} per {kinds[0]}{place}"
    if kinds:
        yield f"how many rows per {kinds[0]}{place}"
    if numbers:
        yield f"average {numbers[0]}{place}"
    yield f"how many rows{place}"
