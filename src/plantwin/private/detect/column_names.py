"""What the header of a table or the name of a key says about the values below it."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from plantwin.private.detect.resolve import Candidate
from plantwin.private.facts import private


class Heading(NamedTuple):
    """What a column holds by its name."""

    type: str
    group: str
    confidence: str


class _Row(NamedTuple):
    """One row of `column_names.toml`."""

    names: re.Pattern[str]
    means: Heading
    head: bool
    tail: bool


_ROWS = [
    _Row(
        re.compile(row["names"]),
        Heading(row["type"], row["group"], row["confidence"]),
        row.get("head", False),
        row.get("tail", False),
    )
    for row in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["column"]
]
_CELL = r'(?:"(?:[^"\n]|""){0,2000}"|[^"\n%s]{0,2000})'
MOST = 64


class Column(NamedTuple):
    """One sensitive column of a table."""

    place: int
    type: str
    group: str
    confidence: str


@private
class Table(NamedTuple):
    """The sensitive columns of a table and how to read its rows."""

    columns: tuple[Column, ...]
    row: re.Pattern[bytes]


def table(head: bytes) -> Table | None:
    """The table that a head begins, if its header names sensitive columns."""
    line, newline, _ = head.partition(b"\n")
    if not newline or len(line) > 4096:
        return None
    text = line.decode("utf-8", "replace").lstrip("\ufeff").strip()
    delimiter = max(",\t;|", key=text.count)
    names = [name.strip(" \"'").replace(" ", "_").replace("-", "_") for name in text.split(delimiter)]
    if not 2 <= len(names) <= 1000 or not all(re.fullmatch(r"[\w./#%()]{1,64}", name) for name in names):
        return None
    columns = []
    for index, name in enumerate(names[:MOST]):
        means = next((row.means for row in _ROWS if row.head and row.names.fullmatch(name.lower())), None)
        if means is not None:
            columns.append(Column(index, *means))
    if not columns or all(column.confidence == "low" for column in columns):
        return None
    wanted = {column.place for column in columns}
    cell = _CELL % re.escape(delimiter)
    cells = [f"({cell})" if index in wanted else cell for index in range(max(wanted) + 1)]
    return Table(tuple(columns), re.compile(("^" + re.escape(delimiter).join(cells)).encode(), re.M))


def cells(data: bytes, found: Table, *, first: bool, rows: int) -> list[Candidate]:
    """A candidate for each filled cell of the sensitive columns; `first` when data begins with the header."""
    out: list[Candidate] = []
    start = data.find(b"\n") + 1
    for match in islice(found.row.finditer(data, start if first else 0), rows):
        for number, column in enumerate(found.columns, 1):
            begin, end = match.span(number)
            while begin < end and data[begin] in b" \"'":
                begin += 1
            while begin < end and data[end - 1] in b" \"'\r":
                end -= 1
            if end - begin > 1 and data[begin:end].lower() not in (b"null", b"none", b"n/a", b"nan"):
                out.append(Candidate(begin, end, column.type, column.group, column.confidence, True))
    return out


_LABEL = re.compile(r"[^\W\d][\w .,:/#%()\-\[\]?$&*+'°€£]{0,80}")


def likely_header(cells: list[str]) -> bool:
    """Whether a first row names columns: most cells are labels, and years or numbers stand for themselves once."""
    labels = sum(_LABEL.fullmatch(cell.strip()) is not None for cell in cells)
    filled = [cell.strip() for cell in cells if cell.strip()]
    if not filled or len(set(filled)) < len(filled) * 0.9 or any("@" in cell for cell in filled):
        return False
    named = sum(heading(cell) is not None for cell in filled)
    return (
        labels == len(filled)
        or named * 2 >= len(filled)
        or all(_PERIOD.fullmatch(cell) or _LABEL.fullmatch(cell) for cell in filled)
    )


_PERIOD = re.compile(r"(?:1[5-9]|20)\d\d(?:[-/ ]?(?:\d{2,4}|Q[1-4]|H[12]))?|\d{1,3}(?:st|nd|rd|th)?|Q[1-4][ -]?\d{4}")
"""A year, a quarter or a rank, as headers of wide tables have them."""


_PLAIN = frozenset(("name", "pan", "token", "secret", "pass", "account_number", "account_no"))
"""Words that mean something else after another word: `file_name`, `next_token`."""
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@lru_cache(maxsize=2048)
def heading(name: str) -> Heading | None:
    """What a column of this name holds, if the name says so."""
    plain = re.sub(r"[\W_]{1,64}", "_", HUMP.sub("_", name[:64])).strip("_").lower()
    if not plain:
        return None
    for row in _ROWS:
        if row.names.fullmatch(plain):
            return row.means
    words = plain.split("_")
    for first in range(1, min(len(words), 5)):
        tail = "_".join(words[first:])
        if tail in _PLAIN:
            continue
        for row in _ROWS:
            if row.tail and row.names.fullmatch(tail):
                return row.means
    return None


def plain_word(name: str) -> bool:
    """Whether a name is one that means something else in most places, such as `name` or `token`."""
    return name.strip().lower() in _PLAIN
