"""What a ledger holds, for people to read: the lines of its trail, and everything that was told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from plantwin.types.ledger import Ledger, Row, Rows, canonical_json

PAGE: Final = 128
"""Lines fetched at once: so memory is bounded, and writers are not kept waiting."""
BEFORE: Final = -(1 << 62)
"""Before every number: what was put in before the first is found too."""


class Line(NamedTuple):
    """One line of the trail as it is kept."""

    number: int
    """From 1, without gaps."""
    at: float
    kind: str
    body: bytes
    mac: bytes
    """The MAC over the line before and everything in this one."""


def read_lines(ledger: Ledger, after: int = 0) -> Iterator[Line]:
    """The trail from a number on."""
    return map(Line._make, _pages(ledger, "number, at, kind, body, mac FROM trail", after))


def latest_lines(ledger: Ledger, kind: str, most: int, *, before: int = -BEFORE, audience: str = "") -> list[Line]:
    """The last lines of a kind, the newest first. `audience`: of those whose body begins with it, as sorted keys do."""
    start = canonical_json({"audience": audience})[:-1] + b"," if audience else b""
    query = (
        "SELECT number, at, kind, body, mac FROM trail WHERE kind = ? AND number < ? AND substr(body, 1, ?) = ?"
        " ORDER BY number DESC LIMIT ?"
    )
    found = ledger.read(lambda rows: rows.all(query, (kind, before, len(start), start, most)))
    return list(map(Line._make, found))


def count_lines(ledger: Ledger) -> dict[str, int]:
    """How many lines of each kind the trail has."""
    return dict(ledger.read(lambda rows: rows.all("SELECT kind, COUNT(*) FROM trail GROUP BY kind ORDER BY kind")))


def read_statements(ledger: Ledger, audience: str | None = None, keys: Sequence[bytes] | None = None) -> Iterator[Row]:
    """Everything told, oldest first; of some keys it is checked as for a decision."""
    found: Iterable[Row] = (Row._make(row[3:]) for row in read_table(ledger)) if keys is None else ledger.told(keys)
    return (row for row in found if audience in (None, row.audience))


def read_table(ledger: Ledger) -> Iterator[tuple[Any, ...]]:
    """All that was told as it is kept: its number, bucket and line, then as `Row`."""
    return _pages(ledger, "number, bucket, line, key, audience, unit, cost, at FROM told", BEFORE)


def _pages(ledger: Ledger, columns: str, after: int) -> Iterator[tuple[Any, ...]]:
    query = f"SELECT {columns} WHERE number > ? ORDER BY number LIMIT {PAGE}"

    def page(rows: Rows) -> list[tuple[Any, ...]]:
        return rows.all(query, (after,))

    while found := ledger.read(page):
        yield from found
        after = found[-1][0]
