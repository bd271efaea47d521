"""Which table a question fits, or which two together; else which words are no column and no value, and a way on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plantwin.private.capabilities.engine.report import code, plain
from plantwin.private.capabilities.query_data.conditions import IDS
from plantwin.private.capabilities.query_data.everyday import priced
from plantwin.private.capabilities.query_data.interpretation import interpret
from plantwin.private.capabilities.query_data.joining import Link, joined, links, name_of
from plantwin.private.capabilities.query_data.mentions import COLUMN, FEW, TEXT, VALUE, Item, mentions
from plantwin.private.capabilities.query_data.model import Query, is_measure, is_time
from plantwin.private.capabilities.query_data.reading import Question, read
from plantwin.private.capabilities.tables.profiled import Profiled
from plantwin.private.facts import private
from plantwin.text import plural

NONE = "No figure was computed."
MOST_JOINED = 4
"""Pairs of tables that are joined for one question."""
SHOWN = 24
"""Columns that are listed where a question speaks of none."""
_SIMPLE = re.compile(r"[^\W\d][\w.-]{0,39}")


@private
class Fit(NamedTuple):
    """A table, and what a question computes over it."""

    profile: Profiled
    items: list[Item]
    query: Query
    note: str = ""
    """What the table was joined with."""

    @property
    def read_as(self) -> str:
        """What its everyday words were taken for."""
        taken = {f"{code(item.token.raw)} as {item.read_as}" for item in self.items if item.read_as}
        return f"Read {', '.join(sorted(taken))}." if taken else ""

    @property
    def rank(self) -> tuple[int, int]:
        """Tables whose columns and values have the words come before logs whose messages do."""
        return -sum(item.kind == TEXT for item in self.items), self.query.known


def fitted(question: Question, profile: Profiled) -> Fit:
    """Return what a question computes over a table."""
    profile = priced(question, profile)
    items = mentions(question, profile.table, profile.columns)
    return Fit(profile, items, interpret(question, items, profile.table, profile.columns))


def over_two(question: Question, fits: Sequence[Fit]) -> list[Fit]:
    """Return what a question computes over two tables of which neither has all that it names."""
    found: list[Fit] = []
    by_table = {id(fit.profile.table): fit for fit in fits}
    for link in links([fit.profile for fit in fits]):
        one, other = by_table[id(link.one.table)], by_table[id(link.other.table)]
        strange = {*_raw(one.query.unknown)}
        known = {item.token.raw for item in other.items if item.kind in (COLUMN, VALUE)}
        if (strange or known) and strange.isdisjoint(_raw(other.query.unknown)) and len(found) < MOST_JOINED:
            found.append(_over(question, link))
    return found


def named_rows(question: Question, fit: Fit, fits: Sequence[Fit]) -> Fit:
    """Return a query that groups by a reference with the names of what is referred to, where they have some."""
    groups = {group.place for group in fit.query.groups if not group.unit and fit.query.operations != ["count_per"]}
    for link in links([one.profile for one in fits]) if groups else ():
        if (
            link.one is fit.profile
            and link.one.columns.index(link.column) in groups
            and name_of(link.other) is not None
        ):
            made = _over(question, link)
            return fit if made.query.unknown or made.query.problems else made
    return fit


def _over(question: Question, link: Link) -> Fit:
    both = joined(link)
    made = fitted(question, both.profile)
    repeated = any(place >= both.profile.table.own for place in made.query.measures)
    if repeated and not {*made.query.operations} <= {"minimum", "maximum", "distinct", "count"}:
        made.query.problems.append(f"Rows of {plain(link.other.table.label)} would count several times.")
    return made._replace(note=both.note)


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
