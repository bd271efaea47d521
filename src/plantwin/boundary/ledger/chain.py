"""The chain of the trail: each line's MAC covers the one before, so none can be changed, cut out, put in or moved.

Where the ledger stands (`Mark`) is kept under a MAC too: in the ledger, written with every commit, and in the anchor.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec

from plantwin.errors import LedgerError
from plantwin.types.ledger import Row

ORIGIN: Final = bytes(32)
"""What stands before the first line."""
OWN: Final = ("charge", "inherit")
"""Kinds of line that the ledger itself writes."""
SIZE: Final = 16
"""Bytes of a MAC within the tree of what was told."""
SUM: Final = 1 << 8 * SIZE

_LINE = struct.Struct(">QdB")
_ROW = struct.Struct(">QdQBBH")
_MARK = struct.Struct(f">QQ32sd{SIZE}s{SIZE}s")


class Mark(NamedTuple):
    """Where a ledger stands."""

    serial: int = 0
    """One more with each commit."""
    number: int = 0
    """The last line, and its MAC."""
    mac: bytes = ORIGIN
    at: float = float("-inf")
    """When that was."""
    root: bytes = bytes(SIZE)
    """Of the tree over what was told."""
    counts: bytes = bytes(SIZE)
    """A keyed hash of what was counted."""


def pack(rows: Iterable[Row]) -> bytes:
    """The body of a line that tells what was told."""
    return msgspec.json.encode([(row.key.hex(), *row[1:]) for row in rows])


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
        self._line, self._row, self._count, self._node, self._mark = (
            Keyed(hmac.digest(key, purpose, "sha256")) for purpose in (b"line", b"row", b"count", b"node", b"mark")
        )
        self._opened: Mark | None = None
        self._sealed = b""
        """The mark that was sealed or opened last: most are looked at again and again."""

    def __repr__(self) -> str:
        return "<Chain private>"

    def mac(self, before: bytes, number: int, at: float, kind: str, body: bytes) -> bytes:
        """The MAC of a line. All parts but the last have a fixed or stated length: no two lines read the same."""
        word = kind.encode()
        return self._line.mac(before + _LINE.pack(number, at, len(word)) + word + body)

    def weight(self, line: int, row: Row) -> int:
        """A row's part in the sum over a bucket of what was told."""
        audience, unit = row.audience.encode(), row.unit.encode()
        head = _ROW.pack(line, row.at, row.cost, len(row.key), len(audience), len(unit))
        return int.from_bytes(self._row.mac(head + row.key + audience + unit)[:SIZE])

    def counted(self, counts: bytes) -> bytes:
        """The MAC of what was counted for the rate limits."""
        return self._count.mac(counts)[:SIZE]

    def node(self, number: int, value: bytes) -> bytes:
        """The MAC of a node of the tree."""
        return self._node.mac(number.to_bytes(4) + value)[:SIZE]

    def seal(self, mark: Mark) -> bytes:
        """A mark under its MAC."""
        if mark is not self._opened:
            data = _MARK.pack(*mark)
            self._sealed, self._opened = data + self._mark.mac(data), mark
        return self._sealed

    def open(self, sealed: bytes) -> Mark | None:
        """The mark, or nothing when it was changed or is another key's."""
        if sealed != self._sealed:
            data = sealed[: _MARK.size]
            if not hmac.compare_digest(self._mark.mac(data), sealed[_MARK.size :]):
                return None
            self._sealed, self._opened = sealed, Mark(*_MARK.unpack(data))
        return self._opened
