"""The chain of the trail: each line's MAC covers the one before, so none can be changed, cut out, put in or moved.

Where the ledger stands (`Mark`) is kept under a MAC too: in the ledger, written with every commit, and in the anchor.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import msgspec

from plantwin.errors import LedgerError

ORIGIN: Final = bytes(32)
"""What stands before the first line."""
OWN: Final = ("charge", "inherit")
"""Kinds of line that the ledger itself writes."""
SIZE: Final = 16
"""Bytes of a MAC within the tree of what was told."""

_LINE = struct.Struct(">QdB")
_MARK = struct.Struct(f">QQ32sd{SIZE}s{SIZE}s")


Kept = tuple[int, int, bytes, str, str, int, float]
"""A row of what was told: its bucket and line, then as `Row`."""


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


pack: Final = msgspec.json.Encoder().encode
"""The body of a line that tells what was told: rows, with keys in base64."""
_table: Final = msgspec.msgpack.Encoder().encode


def keyed(key: bytes, size: int) -> Callable[[bytes], bytes]:
    """BLAKE2b under a key that is set up once: a MAC by itself."""
    start = hashlib.blake2b(key=key, digest_size=size)

    def mac(data: bytes) -> bytes:
        state = start.copy()
        state.update(data)
        return state.digest()

    return mac


class Chain:
    """Computes MACs under a key that stays local, one derived key for each purpose."""

    def __init__(self, key: bytes) -> None:
        if type(key) is not bytes or len(key) != 32:
            raise LedgerError("ledger: a key of 32 bytes is needed")
        derive = keyed(key, 32)
        self.check = derive(b"check")
        self._line, self._mark = (keyed(derive(purpose), 32) for purpose in (b"line", b"mark"))
        self._rows, self._node, self.counted = (keyed(derive(each), SIZE) for each in (b"rows", b"node", b"count"))
        """`counted`: the MAC of what was counted for the rate limits."""
        self._opened: Mark | None = None
        self._sealed = b""
        """The mark that was sealed or opened last: most are looked at again and again."""

    def __repr__(self) -> str:
        return "<Chain private>"

    def mac(self, before: bytes, number: int, at: float, kind: str, body: bytes) -> bytes:
        """The MAC of a line. All parts but the last have a fixed or stated length: no two lines read the same."""
        word = kind.encode()
        return self._line(before + _LINE.pack(number, at, len(word)) + word + body)

    def link(self, before: bytes, rows: Sequence[Kept]) -> bytes:
        """The MAC of a bucket of what was told, after these rows of one line were added to it."""
        return self._rows(before + _table(rows))

    def node(self, number: int, value: bytes) -> bytes:
        """The MAC of a node of the tree."""
        return self._node(number.to_bytes(4) + value)

    def seal(self, mark: Mark) -> bytes:
        """A mark under its MAC."""
        if mark is not self._opened:
            data = _MARK.pack(*mark)
            self._sealed, self._opened = data + self._mark(data), mark
        return self._sealed

    def open(self, sealed: bytes) -> Mark | None:
        """The mark, or nothing when it was changed or is another key's."""
        if sealed != self._sealed:
            data = sealed[: _MARK.size]
            if not hmac.compare_digest(self._mark(data), sealed[_MARK.size :]):
                return None
            self._sealed, self._opened = sealed, Mark(*_MARK.unpack(data))
        return self._opened
