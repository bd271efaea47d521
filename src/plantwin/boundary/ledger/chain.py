"""The chain of the trail: each line's MAC covers the one before, so none can be changed, cut out, put in or moved.

What was told stands in a table of its own, for speed; the lines of kind `charge` and `inherit` say the
same, and verification compares the two as sums of keyed hashes, in bounded memory.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

import msgspec

from plantwin.boundary.ledger.interface import Line, Verification
from plantwin.errors import LedgerError

ORIGIN: Final = bytes(32)
"""What stands before the first line."""
OWN: Final = ("charge", "inherit")
"""Kinds of line that the ledger itself writes."""
EVERY: Final = 1000
"""Lines between two calls of a progress callback."""

_LINE = struct.Struct(">QdB")
_ROW = struct.Struct(">QdQBBH")
_SUM = 1 << 256


class Row(NamedTuple):
    """One thing told, as its line says it."""

    key: bytes
    audience: str
    unit: str
    cost: int
    at: float


class Mark(NamedTuple):
    """A place in the trail."""

    number: int = 0
    mac: bytes = ORIGIN


_rows_decoder = msgspec.json.Decoder(list[tuple[str, str, str, int, float]])


def pack(rows: Iterable[Row]) -> bytes:
    """The body of a line that tells what was told."""
    return msgspec.json.encode([(row.key.hex(), *row[1:]) for row in rows])


def unpack(body: bytes) -> Iterator[Row]:
    """What a line of kind `charge` or `inherit` says."""
    return (Row(bytes.fromhex(key), *rest) for key, *rest in _rows_decoder.decode(body))  # type: ignore[arg-type]


class Keyed:
    """HMAC-SHA256 under one key, whose two states are set up once: that is most of the cost of a short one."""

    def __init__(self, key: bytes) -> None:
        block = key.ljust(64, b"\0")
        self._inner, self._outer = (hashlib.sha256(bytes(each ^ pad for each in block)) for pad in (0x36, 0x5C))

    def mac(self, data: bytes) -> bytes:
        """The same as `hmac.digest(key, data, "sha256")`."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(data)
        outer.update(inner.digest())
        return outer.digest()


class Chain:
    """Computes MACs under a key that stays local, one derived key for each purpose."""

    def __init__(self, key: bytes) -> None:
        if type(key) is not bytes or len(key) != 32:
            raise LedgerError("ledger: a key of 32 bytes is needed")
        self.check = hmac.digest(key, b"check", "sha256")
        self._line, self._row, self._anchor = (
            Keyed(hmac.digest(key, purpose, "sha256")) for purpose in (b"line", b"row", b"anchor")
        )

    def __repr__(self) -> str:
        return "<Chain private>"

    def mac(self, before: bytes, number: int, at: float, kind: str, body: bytes) -> bytes:
        """The MAC of a line. All parts but the last have a fixed or stated length: no two lines read the same."""
        word = kind.encode()
        return self._line.mac(before + _LINE.pack(number, at, len(word)) + word + body)

    def seal(self, data: bytes) -> bytes:
        """The MAC of an anchor."""
        return self._anchor.mac(data)

    def weight(self, line: int, row: Row) -> int:
        """A row's part in the sum that compares the table with the trail."""
        audience, unit = row.audience.encode(), row.unit.encode()
        head = _ROW.pack(line, row.at, row.cost, len(row.key), len(audience), len(unit))
        return int.from_bytes(self._row.mac(head + row.key + audience + unit))

    def verify(
        self,
        lines: Iterable[Line],
        told: Iterable[tuple[int, Row]],
        anchor: Mark | None,
        expect: str = "",
        progress: Callable[[int], None] | None = None,
    ) -> Verification:
        """Walk the whole trail once. `told`: the table, each row with the number of its line."""
        number, mac, total = 0, ORIGIN, 0
        noted = expect in ("", ORIGIN.hex())

        def found(problem: str, at: int) -> Verification:
            return Verification(number, mac.hex(), problem, at)

        for line in lines:
            if line.number > number + 1:
                return found("a line is missing", number + 1)
            if line.number <= number or not self._follows(mac, line):
                return found("a line was changed, put in or moved", line.number)
            number, mac = line.number, line.mac
            if anchor is not None and number == anchor.number and mac != anchor.mac:
                return found("the anchor was set on another trail", number)
            noted = noted or mac.hex() == expect
            if line.kind in OWN:
                total += sum(self.weight(number, row) for row in unpack(line.body))
            if progress is not None and number % EVERY == 0:
                progress(number)
        if anchor is not None and anchor.number > number:
            return found("lines were cut off at the end", number + 1)
        if not noted:
            return found("the head that was noted is not in the trail: lines were cut off or it is another trail", 0)
        for origin, row in told:
            total -= self._weight_kept(origin, row)
        if total % _SUM:
            return found("the table of what was told does not agree with the trail", 0)
        if progress is not None:
            progress(number)
        return Verification(number, mac.hex())

    def _follows(self, before: bytes, line: Line) -> bool:
        try:
            return hmac.compare_digest(self.mac(before, *line[:4]), line.mac)
        except (TypeError, AttributeError, ValueError, struct.error):  # a value of a type that was never written
            return False

    def _weight_kept(self, line: int, row: Row) -> int:
        try:
            return self.weight(line, row)
        except (TypeError, AttributeError, ValueError, struct.error):
            return 1  # no sum of hashes comes out even with it
