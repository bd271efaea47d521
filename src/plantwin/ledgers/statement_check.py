"""Verification of a statement, by anybody who has its file and the public key; no ledger and no state is needed.

    (1) the layout, the header and each entry give the digest that stands with them, in order
    (2) the totals give the head
    (3) the key is the one that was handed over, and its signature is over that head
    (4) of a page, a second signature covers every byte that people read

Every byte belongs to one of these. Memory does not grow with the statement.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from typing import BinaryIO, Final, NamedTuple, TypeVar

import msgspec

from plantwin.boundary.ledger.base import BaseLedger
from plantwin.ledgers.signing import Signer, fingerprint, signed
from plantwin.ledgers.statement import (
    FORMAT,
    SIGNED,
    Entry,
    Header,
    Session,
    Signature,
    Told,
    Totals,
    encode,
    entries,
    link,
    verified,
)

T = TypeVar("T")

PAGE: Final = f"{FORMAT} page "
"""What stands before the digest of a page in the bytes that its seal signs."""
_FIRST: Final = f'{{"format":"{FORMAT}",\n'.encode()
_LONGEST: Final = 1 << 23
"""Bytes of a line at most."""
_ENTRY: Final = re.compile(rb'\{"digest":"([0-9a-f]{64})","entry":(\{.*\})\}(,?)\n')
_SEAL: Final = re.compile(rb"(<!-- |%)plantwin-seal ([0-9a-f]{64}) ([0-9a-f]{128})( -->)?\n")
_SEAL_SIZE: Final = 400
_NUMBER: Final = re.compile(rb'"number":(\d{1,15})[,}]')


class StatementError(Exception):
    """What is wrong: a closed code for programs, and a sentence."""

    def __init__(self, code: str, message: str, entry: int = 0) -> None:
        super().__init__(message)
        self.code, self.entry = code, entry


class Checked(NamedTuple):
    """What a statement that verifies says of itself."""

    header: Header
    totals: Totals
    key: str
    """Fingerprint of the key that signed it."""


def check(file: BinaryIO, key: str | None, trail: BaseLedger | None = None) -> Checked:
    """Verify a statement or raise `StatementError`. `key`: a fingerprint; without one whoever signed is taken.

    `trail`: the ledger that it is said to be from; every entry must be there, and no other.
    """
    page = _find(file)
    found, public = _data(file, key, trail)
    if page:
        _sealed(file, public)
    elif file.read(1):
        raise StatementError("layout", "there is something after the signature")
    return found


def seal(signer: Signer, digest: str, comment: str) -> bytes:
    """The last line of a page. `comment`: how the page's language writes one, around `{}`."""
    value = signer.sign((PAGE + digest).encode()).hex()
    return (comment.format(f"plantwin-seal {signer.public.hex()} {value}") + "\n").encode()


def _find(file: BinaryIO) -> bool:
    """Go to the data; say whether it is inside a page."""
    start = True
    while line := file.readline(_LONGEST):
        if line == _FIRST:
            return not start
        start = False
    raise StatementError("no_statement", f"this is no statement, or its first line ({FORMAT}) was changed")


def _data(file: BinaryIO, key: str | None, trail: BaseLedger | None) -> tuple[Checked, bytes]:
    data = _between(file, b'"header":', b",\n", "header")
    digest = _between(file, b'"digest":"', b'",\n', "header").decode("ascii", "replace")
    if link(FORMAT, data) != digest:
        raise StatementError("header", "the header was changed: its digest is another")
    header = _decode(data, Header, "header")
    if file.readline(64) != b'"entries":[\n':
        raise StatementError("layout", "the line before the entries was changed")
    count, digest = _entries(file, digest, _Compared(trail, header))
    data = _between(file, b'"totals":', b",\n", "totals")
    head = _between(file, b'"head":"', b'",\n', "head").decode("ascii", "replace")
    totals = _decode(data, Totals, "totals")
    if link(digest, data) != head:
        if totals.entries > count:
            raise StatementError(
                "entry_missing", f"entries {count + 1:,} to {totals.entries:,} are missing at the end", count + 1
            )
        raise StatementError("totals", "the totals or the head were changed: their digest is another")
    text = _between(file, b'"signature":', b"}\n", "signature")
    signature = _decode(text, Signature, "signature")
    if encode(signature) != text or signature.algorithm != "ed25519":
        raise StatementError("signature", "the signature was changed: it is not in the form that is written")
    public, value = _hex(signature.public_key, 32), _hex(signature.value, 64)
    if key is not None and fingerprint(public) != key:
        raise StatementError(
            "key", f"it was signed with another key ({fingerprint(public)}) than the one you gave ({key})"
        )
    if not signed(public, value, (SIGNED + head).encode()):
        raise StatementError(
            "signature",
            "the signature is not over this head: the statement was changed and its digests made anew, or the "
            "signature or its key was",
        )
    return Checked(header, totals, fingerprint(public)), public


def _entries(file: BinaryIO, digest: str, compared: _Compared) -> tuple[int, str]:
    count, more = 0, False
    while (line := file.readline(_LONGEST)) != b"],\n" or more:
        count += 1
        found = _ENTRY.fullmatch(line)
        if found is None:
            raise StatementError(
                "entry_changed", f"entry {count:,} was changed: it is not in the form that is written", count
            )
        claimed, data, comma = found.groups()
        if count > 1 and not more:
            raise StatementError("layout", f"entry {count:,} was put in, or the comma before it was changed", count)
        more, before, digest = bool(comma), digest, claimed.decode()
        if link(before, data) != digest:
            raise _broken(data, count)
        compared(_decode(data, Entry, f"entry {count:,}"), count)  # type: ignore[arg-type]
    compared.end(count)
    return count, digest


def _broken(data: bytes, count: int) -> StatementError:
    """Why an entry does not follow the one before."""
    said = _NUMBER.search(data)
    number = int(said[1]) if said else 0
    if number > count:
        which = f"entry {count:,} is" if number == count + 1 else f"entries {count:,} to {number - 1:,} are"
        return StatementError("entry_missing", f"{which} missing: entry {number:,} follows", count)
    if said and number < count:
        return StatementError(
            "entry_moved", f"entry {number:,} stands where entry {count:,} belongs: moved or put in", count
        )
    return StatementError("entry_changed", f"entry {count:,} was changed, or its digest was", count)


class _Compared:
    """Holds entries against the trail that they are said to be from, where there is one."""

    def __init__(self, trail: BaseLedger | None, header: Header) -> None:
        self._own: Iterator[Entry] | None = None
        if trail is not None:
            found = verified(trail)
            if found.lines < header.trail.lines:
                raise StatementError("trail", f"the trail here has {found.lines:,} lines, and the statement's had more")
            self._own = entries(trail, found, header)

    def __call__(self, entry: Entry, number: int) -> None:
        if self._own is not None and next(self._own, None) != _nameless(entry):
            raise StatementError("trail", f"entry {number:,} is not what the trail here holds", number)

    def end(self, count: int) -> None:
        if self._own is not None and next(self._own, None) is not None:
            raise StatementError(
                "trail", f"the trail here holds more than the {count:,} entries for this time", count + 1
            )


def _nameless(entry: Entry) -> Entry:
    """An entry without the names that only who made the statement could add."""
    if isinstance(entry, Told):
        return msgspec.structs.replace(
            entry, facts=tuple(msgspec.structs.replace(fact, name=None) for fact in entry.facts)
        )
    return msgspec.structs.replace(entry, user=None, host=None) if isinstance(entry, Session) else entry


def _between(file: BinaryIO, before: bytes, after: bytes, part: str) -> bytes:
    line = file.readline(_LONGEST)
    if not line.startswith(before) or not line.endswith(after):
        raise StatementError("layout", f"the line of the {part} was changed or is missing")
    return line[len(before) : -len(after)]


def _decode(data: bytes, kind: type[T], part: str) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise StatementError("layout", f"the {part} is not in the form of {FORMAT}") from None


def _hex(text: str, size: int) -> bytes:
    try:
        value = bytes.fromhex(text)
    except ValueError:
        value = b""
    if len(value) != size or value.hex() != text:
        raise StatementError("signature", "the signature was changed: a key of 32 or a value of 64 bytes is not there")
    return value


def _sealed(file: BinaryIO, public: bytes) -> None:
    """The seal of a page: the same key signed every byte before it."""
    end = file.seek(0, os.SEEK_END)
    file.seek(max(0, end - _SEAL_SIZE))
    tail = file.read()
    found = _SEAL.search(tail)
    if found is None or found.end() != len(tail) or (found[1] == b"%") is bool(found[4]):
        raise StatementError(
            "page", "the data inside is whole, but the page around it has no seal: it may say something else"
        )
    digest, left = hashlib.sha256(), end - (len(tail) - found.start())
    file.seek(0)
    while left > 0 and (chunk := file.read(min(left, 1 << 20))):
        digest.update(chunk)
        left -= len(chunk)
    key, value = (bytes.fromhex(part.decode()) for part in (found[2], found[3]))
    if key != public or not signed(key, value, (PAGE + digest.hexdigest()).encode()):
        raise StatementError(
            "page", "the data inside is whole, but the page that people read, or its seal, was changed"
        )
