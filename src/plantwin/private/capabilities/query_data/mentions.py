"""Which words of a question are columns, values or the rows of a table; what is neither is named, never guessed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from plantwin.private.capabilities.logs.as_table import STORAGE
from plantwin.private.capabilities.query_data.everyday import (
    MONEY,
    MONEY_LIGHT,
    MONEY_PHRASES,
    SOLD_BEST,
    countries,
    money,
    of_countries,
)
from plantwin.private.capabilities.query_data.reading import (
    LIGHT,
    LOG_LIGHT,
    MARKER,
    MONTHS,
    NUMBER,
    OPERATION,
    QUOTED,
    TABLES,
    UNIT,
    VALUED,
    WORD,
    Question,
    Token,
    folded,
    forms,
    pieces,
)
from plantwin.private.capabilities.tables.cells import DATE, INTEGER, TIME, Cell
from plantwin.private.capabilities.tables.cells import NUMBER as DECIMAL
from plantwin.private.capabilities.tables.column import Column
from plantwin.private.capabilities.tables.table import Table
from plantwin.private.facts import private
from plantwin.private.selection.words import stem

COLUMN, ROWS, VALUE, TEXT, NOTHING, UNKNOWN = "column", "rows", "value", "text", "nothing", "unknown"
WIDEST = 4
"""Words of one column or value."""
LONGEST_VALUE = 120
FEW = 50
"""Different values of a column that stand for kinds and states."""
_STATES = {word: names.split() for names in TABLES["state"].values() for word in names.split()}
GENERIC = frozenset(TABLES["light"]["name"].split())
"""Words of a column's name that say little: `customer_id` is the customer."""
_ERRORS = frozenset(
    ("error", "errors", "exception", "exceptions", "failure", "failures", "fehler", "erreurs", "erreur")
)
_FAILS = frozenset(("fail", "fails", "failed", "failing", "fehlgeschlagen", "fehlgeschlagene", "fehlschlagt", "echoue"))
_LEVELS = {"warning": "warning", "warnings": "warning", "critical": "critical", "info": "info", "debug": "debug"}
_MEASURES = ("mean", "median", "sum", "minimum", "maximum")
_MONTH_AFTER = ("in", "of", "during", "from", "to", "since", "before", "between", "or")
"""Words after which `may` is the month."""
_TABULAR = frozenset(("table", "tbl", "data", "dataset", "list", "export", "dump"))
_KEYED = {"id", "key", "no", "nr"}
_CLASS = re.compile(r"([1-5])xx|([1-5]\d\d)s")


@private
class Item(NamedTuple):
    """One or several words of a question, and what they are in a table."""

    kind: str
    token: Token
    place: int
    """A column's place in its table."""
    cells: frozenset[Cell] = frozenset()
    options: tuple[str, ...] = ()
    """Columns that an unknown word may mean."""
    read_as: str = ""
    """What an everyday word was taken for, to be said."""


def mentions(question: Question, table: Table, columns: Sequence[Column] | None) -> list[Item]:
    """Return what each word of a question is in a table. `columns`: their values, once they were read."""
    found = list(_Finder(question.tokens, table, columns).items())
    named = {table.columns[item.place] for item in found if item.kind == COLUMN}
    # `The longest flipper`: of the columns that are lengths, the one that another word names.
    found = [
        item._replace(kind=NOTHING) if item.kind == UNKNOWN and len(named & {*item.options}) == 1 else item
        for item in found
    ]
    if not any(item.kind == ROWS for item in found):
        return found
    # `How many passengers of the titanic`: what stands behind `how many` are the rows of a table that is named.
    return [
        item._replace(kind=ROWS)
        if item.kind == UNKNOWN and not item.options and at and found[at - 1].token.text == "count"
        else item
        for at, item in enumerate(found)
    ]


class _Finder:
    def __init__(self, tokens: Sequence[Token], table: Table, columns: Sequence[Column] | None) -> None:
        self.tokens = tokens
        self.table = table
        self.columns = columns
        self.log = table.storage == STORAGE
        self.names = [tuple(sorted(map(stem, pieces(name)))) for name in table.columns]
        self.forms = [frozenset(form for piece in pieces(name) for form in forms(piece)) for name in table.columns]
        # The price of a unit is no number of units.
        self.forms = [each - {"=quantity"} if "=price" in each else each for each in self.forms]
        self.light = LIGHT | LOG_LIGHT if self.log else LIGHT
        self.operations = sum(token.kind == OPERATION for token in tokens)

    def items(self) -> Iterator[Item]:
        at = 0
        while at < len(self.tokens):
            found, size = self._at(at)
            yield found
            if size > 1 and self.operations == 1:  # `total price` where a column is called so: still a total
                for token in self.tokens[at : at + size]:
                    if token.kind == OPERATION:
                        yield Item(OPERATION, token, -1)
            at += size

    def _at(self, at: int) -> tuple[Item, int]:
        token = self.tokens[at]
        for size in range(min(WIDEST, len(self.tokens) - at), 0, -1):
            part = self.tokens[at : at + size]
            whole = self._column(part)
            if whole is not None and (size > 1 or token.kind in (WORD, QUOTED, UNIT) or self._named_so(token)):
                # `suppliers in Hamburg` are rows of the suppliers; `per supplier` is a column of them.
                own = token.kind == WORD and size == 1 and self._rows(at) and not self._ranked(at)
                return (Item(ROWS, token, -1) if own else Item(COLUMN, token, whole)), size
        if token.kind == QUOTED and at_file(token, self.table.label):
            return Item(ROWS, token, -1), 1
        if token.kind == QUOTED:
            return self._value(at) or (self._said(token), 1)
        if token.kind != WORD:
            return Item(token.kind, token, -1), 1
        before = self.tokens[at - 1].text if at else ""
        if token.text == "may" and (token.raw == "May" or before in _MONTH_AFTER):
            return Item(UNKNOWN, token, -1), 1  # a month
        if (found := self._money(at)) is not None:
            return found
        rows = self._rows(at)
        if rows:
            return Item(ROWS, token, -1), rows
        if self.log and (said := self._of_log(token)) is not None:
            return said, 1
        value = self._value(at)
        if value is not None and (value[1] > 1 or self._chooses(at)):
            return value
        options = self._partly(token.text) if token.text not in self.light else ()
        if len(options) == 1:
            return Item(COLUMN, token, options[0]), 1
        if value is not None:
            return value
        if token.text in self.light:
            return Item(NOTHING, token, -1), 1
        if options:
            return Item(UNKNOWN, token, -1, options=tuple(self.table.columns[place] for place in options)), 1
        return self._said(token), 1

    def _money(self, at: int) -> tuple[Item, int] | None:
        """Return the column of amounts that a word for money stands for, and which others it may be."""
        token, *after = self.tokens[at : at + 2]
        both = f"{token.text} {after[0].text}" if after else ""
        size = 2 if both in MONEY_PHRASES else 1
        words = both if size == 2 else token.text
        if self.log or not self.columns or not (size == 2 or words in MONEY or words in MONEY_LIGHT):
            return None
        if size == 1 and words in MONEY_LIGHT and not self._unmeasured(at):
            return None
        dated = any(column.kinds[DATE] + column.kinds[TIME] > column.filled / 2 for column in self.columns)
        found = money(words, self.columns, dated=dated)
        if not found:
            return None
        before = self._before(at)
        if before is not None and before.text == "count":  # `how many sales`
            return Item(ROWS, token, -1), size
        raw = " ".join(each.raw for each in self.tokens[at : at + size])
        token = token._replace(raw="selling" if words == SOLD_BEST else raw)
        first, *others = (f"`{self.table.columns[place]}`" for place in found)
        besides = f" (there is {', '.join(others[:4])} as well)" if others else ""
        return Item(COLUMN, token, found[0], read_as=f"the column {first}{besides}"), size

    def _unmeasured(self, at: int) -> bool:
        """Whether a light word for money stands beside a figure, and no column of numbers is named."""
        token = self.tokens[at]
        if token.text not in ("spent", "spend") and not (at and self.tokens[at - 1].text in _MEASURES):
            return False
        if not any(each.kind in (OPERATION, MARKER) for each in self.tokens):
            return False
        others = [each for place, each in enumerate(self.tokens) if place != at and each.kind in (WORD, QUOTED)]
        named = {
            place
            for each in others
            if each.text not in self.light and each.text not in MONEY
            for place in (self._column([each]), *self._partly(each.text))
            if place is not None
        }
        return not any(
            column.kinds[INTEGER] + column.kinds[DECIMAL] > column.filled / 2 and not _KEYED & {*pieces(column.name)}
            for place, column in enumerate(self.columns or ())
            if place in named
        )

    def _chooses(self, at: int) -> bool:
        """Whether one of a few values of a column is meant, before a column of whose name the word is only a part."""
        if not any(self._few(place) for place, _ in self._index.get(self.tokens[at].text, ())):
            return False
        before, after = self._before(at), self.tokens[at + 1] if at + 1 < len(self.tokens) else None
        if after is not None and after.kind == NUMBER:  # `customer 7`
            return False
        if before is not None and before.text == "which":  # `which open tickets`, not `which agent has`
            return after is not None and after.kind == WORD and after.text not in self.light
        return before is None or before.text not in ("per", "distinct")

    def _few(self, place: int) -> bool:
        column = self.columns[place] if self.columns else None
        return column is not None and column.exact and len(column.counts) <= min(FEW, column.filled - 1)

    def _before(self, at: int) -> Token | None:
        return next((token for token in reversed(self.tokens[:at]) if token.text not in self.light), None)

    def _ranked(self, at: int) -> bool:
        """Whether what stands here is what rows are grouped by, or what is counted of them."""
        before = self._before(at)
        return before is not None and before.text in (*_MEASURES, "per", "which", "most", "distinct")

    def _named_so(self, token: Token) -> bool:
        return token.kind == OPERATION and self.operations > 1

    def _column(self, part: Sequence[Token]) -> int | None:
        """Return the column that has just these words."""
        if any(token.kind == MARKER for token in part):
            return None
        words = tuple(sorted(stem(piece) for token in part for piece in pieces(token.raw)))
        found = [place for place, name in enumerate(self.names) if name == words and words]
        if len(found) > 1:
            raw = folded(" ".join(token.raw for token in part))
            found = [place for place in found if folded(self.table.columns[place]) == raw] or found
        return found[0] if len(found) == 1 else None

    def _partly(self, word: str) -> tuple[int, ...]:
        """Return columns of whose name a word is a part, or means the same: the only one, or all that may be meant."""
        own = forms(word)
        direct = [place for place, name in enumerate(self.names) if stem(word) in name]
        found = direct or [place for place, others in enumerate(self.forms) if own & others]
        if len(found) > 1:
            plain = [
                place
                for place in found
                if all(forms(piece) & own or piece in GENERIC for piece in pieces(self.table.columns[place]))
            ]
            found = plain if len(plain) == 1 else found
        return tuple(found)

    def _rows(self, at: int) -> int:
        """Return how many words here are the name of the table, whose rows they then are."""
        token = self.tokens[at]
        if at_file(token, self.table.label):
            return 1
        own = {stem(piece) for piece in table_words(self.table)}
        words = [stem(piece) for piece in pieces(token.raw)]
        same = {form for piece in table_words(self.table) for form in forms(piece) if form[0] == "="}
        if words and (all(word in own for word in words) or (same & forms(token.text))):
            return 1
        after = self.tokens[at + 1].text if at + 1 < len(self.tokens) else ""
        return 2 if after and f"{token.text}{after}" in table_words(self.table) else 0

    def _of_log(self, token: Token) -> Item | None:
        """Return what words about logs are: errors, levels, classes of status."""
        columns = self.table.columns
        if token.text in _FAILS and "status" in columns:
            return Item(VALUE, token, columns.index("status"), frozenset(range(400, 600)))
        if token.text in _ERRORS | _FAILS and "level" in columns:
            return Item(VALUE, token, columns.index("level"), frozenset(("error", "critical")))
        if token.text in _LEVELS and "level" in columns:
            return Item(VALUE, token, columns.index("level"), frozenset((_LEVELS[token.text],)))
        if (family := _CLASS.fullmatch(token.text)) and "status" in columns:
            low, size = (int(family[1]) * 100, 100) if family[1] else (int(family[2]), 1)
            return Item(VALUE, token, columns.index("status"), frozenset(range(low, low + size)))
        return None

    def _value(self, at: int) -> tuple[Item, int] | None:
        """Return the value that begins here, if a column has it."""
        for size in range(min(WIDEST, len(self.tokens) - at) if self.columns else 0, 0, -1):
            part = self.tokens[at : at + size]
            word = part[0].text
            light = size == 1 and word in self.light and not (len(part[0].raw) > 1 and part[0].raw.isupper())
            if light and not (word in VALUED and self._chooses(at)):
                continue
            found = self._holding(part)
            if found:
                token = part[0]._replace(raw=" ".join(each.raw for each in part))
                if len(found) == 1:
                    return Item(VALUE, token, found[0][0], found[0][1]), size
                near = [one for one in found if self._beside(one[0], at, size)]
                near = near or [one for one in found if pieces(self.table.columns[one[0]])[-1:] == ("name",)][:1]
                if len(near) == 1:
                    return Item(VALUE, token, near[0][0], near[0][1]), size
                names = tuple(self.table.columns[place] for place, _ in found)
                return Item(UNKNOWN, token, -1, options=names), size
        return None

    def _beside(self, place: int, at: int, size: int) -> bool:
        """Whether the words beside a value name this column."""
        around = [*self.tokens[max(0, at - 3) : at], *self.tokens[at + size : at + size + 2]]
        return any(self._column([token]) == place or self._partly(token.text) == (place,) for token in around)

    def _holding(self, part: Sequence[Token]) -> list[tuple[int, frozenset[Cell]]]:
        if part[0].kind not in (WORD, QUOTED) or any(token.kind in (MARKER, OPERATION) for token in part):
            return []
        raw = " ".join(token.raw for token in part)
        wanted = folded(raw)
        exact = self._index.get(wanted, ())
        if len(wanted) == 1:
            exact = [(place, cell) for place, cell in exact if cell.strip() == raw]
        if not exact and len(part) == 1 and len(wanted) > 3 and part[0].kind == WORD:
            exact = self._stems.get(stem(wanted), ()) or [
                pair for word in _STATES.get(wanted, ()) for pair in self._index.get(word, ())
            ]
        if wanted[0] == "/":  # a path, with whatever is asked of it
            exact = [
                pair
                for text, pairs in self._index.items()
                if text.partition("?")[0].rstrip("/") == wanted
                for pair in pairs
            ]
        if not exact and self.columns and (names := countries(wanted, raw)):
            held = [pair for name in names for pair in self._index.get(name, ())]
            exact = [(place, cell) for place, cell in held if of_countries(cell.strip(), self.columns[place])]
        by_column: dict[int, set[Cell]] = {}
        for place, cell in exact:
            by_column.setdefault(place, set()).add(cell)
        return [(place, frozenset(cells)) for place, cells in by_column.items()]

    @cached_property
    def _index(self) -> dict[str, list[tuple[int, str]]]:
        """Values by their small letters, but not those that are messages of a log."""
        found: dict[str, list[tuple[int, str]]] = {}
        for place, column in enumerate(self.columns or ()):
            if not (self.log and column.name == "message"):
                for cell in column.counts:
                    if isinstance(cell, str) and len(cell) <= LONGEST_VALUE:
                        found.setdefault(folded(cell.strip()), []).append((place, cell))
        return found

    @cached_property
    def _stems(self) -> dict[str, list[tuple[int, str]]]:
        found: dict[str, list[tuple[int, str]]] = {}
        for text, places in self._index.items():
            if len(text) > 3 and text.isalpha():
                found.setdefault(stem(text), []).extend(places)
        return found

    def _said(self, token: Token) -> Item:
        """Return a word that is no column and no value: in a log it may stand in messages, which is then said."""
        elsewhere = token.text in MONTHS or (token.text[0] == "/" and "path" in self.table.columns)
        if self.log and self.columns and "message" in self.table.columns and len(token.text) > 3 and not elsewhere:
            place = self.table.columns.index("message")
            needle = token.text if token.kind == QUOTED else stem(token.text)
            if any(isinstance(cell, str) and needle in folded(cell) for cell in self.columns[place].counts):
                return Item(TEXT, token._replace(text=needle), place)
        return Item(UNKNOWN, token, -1)


def at_file(token: Token, label: str) -> bool:
    """Whether a word is the name of a table's file, with its ending or path."""
    path = folded(label.partition("#")[0])
    name = path.rpartition("/")[2]
    word = token.text.strip("./")
    return word in (path, name) and (word != name or "." in name or name not in LIGHT)


def table_words(table: Table) -> tuple[str, ...]:
    """Return the words of a table's name."""
    name = table.name.rpartition("/")[2]
    bare = name.rpartition(".")[0] if "." in name[1:] and not table.label.endswith(f"#{name}") else name
    words = tuple(piece for piece in pieces(bare) if len(piece) > 2 and not piece.isdigit())
    return tuple(piece for piece in words if piece not in _TABULAR) or words  # `CityTable` holds cities
