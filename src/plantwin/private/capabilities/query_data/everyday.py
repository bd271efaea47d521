"""Everyday words for columns and values: revenue is the column of amounts, Germany is `DE`, `ordrs` are orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import cache
from itertools import pairwise

from plantwin.private.capabilities.query_data.reading import MONTHS, TABLES, WORD, Question, folded, forms, pieces
from plantwin.private.capabilities.tables.cells import INTEGER, NUMBER, Cell, understood
from plantwin.private.capabilities.tables.column import Column, gathered
from plantwin.private.capabilities.tables.profiled import Profiled
from plantwin.private.capabilities.tables.table import Batch, Table
from plantwin.private.selection.words import stem
from plantwin.text import letters_apart

_MONEY = TABLES["money"]
MONEY = frozenset(_MONEY["words"].split())
"""Words for what is earned or spent;"""
MONEY_LIGHT = frozenset(_MONEY["light"].split())
"""those that say so only where nothing else is measured;"""
MONEY_PHRASES = frozenset(_MONEY["phrases"].split(", "))
_RANKS = tuple(_MONEY[name].split() for name in ("named", "totals", "values"))
_NEVER = frozenset(_MONEY["never"].split())
SOLD_BEST = "bestselling"
"""What sells best earns the most; where nothing says what it earns, most pieces of it are sold."""
_COUNTRIES = {code: frozenset((code.lower(), *names.split(", "))) for code, names in TABLES["countries"].items()}
_COUNTRY_OF = {name: code for code, names in _COUNTRIES.items() for name in names}
_CODES = frozenset(name.upper() for names in _COUNTRIES.values() for name in names if len(name) <= 3)
TIMES = " × "
_LONG = 8
"""Letters of a word from which on two may be wrong."""
_SHORT = 5


def money(words: str, columns: Sequence[Column], *, dated: bool) -> list[int]:
    """Return the columns of amounts that a word may mean, the likeliest first; a price only where rows are `dated`."""
    measures = {place: pieces(column.name) for place, column in enumerate(columns) if _amounts(column)}
    own = {stem(word) for word in words.split() if word in MONEY}
    found = [place for place, name in measures.items() if own & {*map(stem, name)}]
    found = found or [place for place, column in enumerate(columns) if TIMES in column.name]
    if found:
        return found
    for rank in _RANKS:
        found = [place for word in rank for place, name in measures.items() if word in name]
        if found:
            return list(dict.fromkeys(found))
    if dated and len(found := _meaning("=price", columns)) == 1:
        return found
    if words == SOLD_BEST:
        return _meaning("=quantity", columns)[:1]
    return []


def _meaning(meaning: str, columns: Sequence[Column]) -> list[int]:
    """Return the columns of numbers whose name has a meaning; the `unit` of a price is none."""
    return [
        place
        for place, column in enumerate(columns)
        if _numbers(column)
        for words in [pieces(column.name)]
        if any(meaning in forms(word) for word in words if word != "unit" or len(words) == 1)
    ]


def _amounts(column: Column) -> bool:
    return _numbers(column) and _NEVER.isdisjoint(pieces(column.name))


def _numbers(column: Column) -> bool:
    return column.kinds[INTEGER] + column.kinds[NUMBER] > column.filled / 2


def is_money(question: Question) -> bool:
    """Whether a question speaks of what is earned or spent."""
    words = [token.text if token.kind == WORD else "" for token in question.tokens]
    pairs = (" ".join(pair) for pair in pairwise(words))
    return not {*words, *pairs}.isdisjoint(MONEY | MONEY_PHRASES | {"spent", "spend"})


def priced(question: Question, profile: Profiled) -> Profiled:
    """Return a table with price times quantity beside its columns, where amounts are asked for and it has none."""
    if not is_money(question) or money("", profile.columns, dated=False):
        return profile
    factors = _meaning("=price", profile.columns), _meaning("=quantity", profile.columns)
    if any(len(found) != 1 for found in factors) or factors[0] == factors[1]:
        return profile
    (one,), (other,) = factors
    table = profile.table

    def read(_: Table) -> Iterator[Batch]:
        for batch in table.again():
            products = [_times(*pair) for pair in zip(batch.columns[one], batch.columns[other], strict=True)]
            yield Batch(batch.lines, [*batch.columns, products])

    names = [*table.columns, f"{table.columns[one]}{TIMES}{table.columns[other]}"]
    made = Table(table.label, table.name, names, read, table.storage, table.lined)
    made.truncated = table.truncated
    return Profiled(profile.input, made, gathered(made), profile.shown)


def _times(one: Cell, other: Cell) -> Cell:
    first, second = understood(one), understood(other)
    if {first.kind, second.kind} <= {INTEGER, NUMBER}:
        return round(first.number * second.number, 6)
    return None


def countries(words: str, raw: str) -> frozenset[str]:
    """Return all names of the country that words name, small; none where a code is not in capitals."""
    if words not in _COUNTRY_OF or (len(words) <= 3 and not raw.isupper()):
        return frozenset()
    return _COUNTRIES[_COUNTRY_OF[words]]


def of_countries(cell: str, column: Column) -> bool:
    """Whether a value is a country, and no other word of two letters: most of its column are."""
    if len(cell) > 3:
        return True
    held = [each.strip() for each in column.counts if isinstance(each, str) and each.strip()]
    return cell.isupper() and sum(each in _CODES for each in held) > 0.6 * len(held)


def spelled(question: Question, profiles: Sequence[Profiled], strange: frozenset[str], few: int) -> dict[str, str]:
    """Return the words of a question that are in no table but a slip away from one word that is, with that word.

    `strange`: words that no table has; `few`: different values of a column that count as words.
    """
    known = {*_figure_words()}
    for profile in profiles:
        names = (profile.table.name.partition(".")[0], *profile.table.columns)
        known |= {piece for name in names for piece in pieces(name)}
        for column in profile.columns:
            if column.exact and len(column.counts) <= few:
                known |= {folded(cell) for cell in column.counts if isinstance(cell, str) and cell.isalpha()}
    found = {token.raw: _near(token.text, known) for token in question.tokens if token.raw in strange}
    return {raw: word for raw, word in found.items() if word}


def _near(word: str, known: Set[str]) -> str:
    """Return the only word from which one differs by a slip; empty where there is none, or several."""
    if len(word) < _SHORT or not word.isalpha() or word in known:
        return ""
    most = 2 if len(word) > _LONG else 1
    near = [other for other in known if other[0] == word[0] and len(word) - most <= len(other) <= len(word) + most]
    found = {stem(other): other for other in sorted(near) if letters_apart(word, other, most) <= most}
    return next(iter(found.values())) if len(found) == 1 else ""


@cache
def _figure_words() -> frozenset[str]:
    rows = [row.split("|") for row in TABLES["operation"].values()]
    words = {word.removesuffix("s?") for row in rows for word in row if word.removesuffix("s?").isalpha()}
    return frozenset({*words, *MONTHS, *MONEY, *(name for name in _COUNTRY_OF if name.isalpha())})
