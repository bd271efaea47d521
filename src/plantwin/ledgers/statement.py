"""A statement for an auditor: what some audiences were told in a time, as signed data that is verified elsewhere.

The trail's own MACs need the local key, which is never handed out. So a statement chains the lines that it takes from
the trail anew, by SHA-256, and an ed25519 key signs the head of that chain. Its bytes are laid out line by line: JSON
as a whole, and readable one entry at a time (docs/statement.md).
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import msgspec

from plantwin.boundary.ledger.base import BaseLedger
from plantwin.boundary.ledger.chain import ORIGIN
from plantwin.errors import LedgerError
from plantwin.ledgers.records import Line, read_lines
from plantwin.ledgers.signing import Signer
from plantwin.ledgers.verification import Verification, unpack, verify
from plantwin.types.ledger import REMEMBERED
from plantwin.types.prices import statement_of

FORMAT: Final = "plantwin-statement/1"
SIGNED: Final = f"{FORMAT} head "
"""What stands before the head in the signed bytes."""


class Trail(msgspec.Struct, frozen=True):
    """The trail that a statement was taken from, as it was verified."""

    lines: int
    head: str
    """MAC of its last line, in hex."""
    begun: str | None
    """When its first line was written: of the time before, it knows nothing."""


class Header(msgspec.Struct, frozen=True, rename={"since": "from", "until": "to"}):
    """What a statement is about."""

    audiences: tuple[str, ...]
    since: str | None
    """Inclusive; without it from the beginning of the trail."""
    until: str
    """Exclusive, and never later than the statement was made."""
    made: str
    version: str
    names: bool
    """Whether it holds real names: of files, of who asked."""
    trail: Trail


class _Line(msgspec.Struct, frozen=True, kw_only=True, tag_field="entry", omit_defaults=True):
    number: int
    """From 1, without gaps."""
    line: int
    """Of the trail, with its MAC there and its time."""
    mac: str
    at: str


class Session(_Line, frozen=True, kw_only=True, tag="session"):
    """Somebody asked a planner something."""

    session: str
    audience: str
    planner: str
    locality: str
    user: str | None = None
    host: str | None = None


class Fact(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing told of one object, set or account of words."""

    object: str
    fact: str
    cost: int
    """In thousandths."""
    name: str | None = None


class Told(_Line, frozen=True, kw_only=True, tag="told"):
    """Facts that were recorded in order to be sent."""

    audience: str
    facts: tuple[Fact, ...]


class Sent(_Line, frozen=True, kw_only=True, tag="envelope"):
    """One message, by the digest of its exact bytes."""

    session: str
    audience: str
    bytes: int
    sha256: str


class Payload(_Line, frozen=True, kw_only=True, tag="payload"):
    """What was sent around messages, and where."""

    session: str
    audience: str
    origin: str
    bytes: int
    sha256: str


class Remark(_Line, frozen=True, kw_only=True, tag="remark"):
    """Something about the trail itself that a reader must know."""

    remark: str
    """`rollback_accepted`: what was recorded before may be missing. `counted_anew`: a local count was reset."""


Names = Callable[[bytes], str | None]
"""The real name behind a key, where it is known."""
Entry = Session | Told | Sent | Payload | Remark


class Totals(msgspec.Struct, frozen=True):
    """How much there is."""

    entries: int
    facts: int
    objects: int
    envelopes: int
    bytes: int


class Signature(msgspec.Struct, frozen=True):
    """Over the head. The key is named so that a wrong one can be told from a changed statement."""

    algorithm: str
    public_key: str
    value: str


class _Chained(msgspec.Struct, frozen=True):
    digest: str
    entry: Entry


class Document(msgspec.Struct, frozen=True):
    """The whole, for its JSON Schema; it is read and written line by line."""

    format: str
    header: Header
    digest: str
    entries: tuple[_Chained, ...]
    totals: Totals
    head: str
    signature: Signature


class Request(NamedTuple):
    """What a statement is asked for."""

    audiences: tuple[str, ...]
    since: float | None
    until: float
    made: float
    version: str
    names: Names | None = None
    """Where real names are to be stated."""


def schema() -> dict[str, Any]:
    """The JSON Schema of a statement."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(Document)}


def encode(value: msgspec.Struct) -> bytes:
    """One line of a statement: ASCII, so that no two texts look alike, and without `<`, so that a page can hold it."""
    text = json.dumps(msgspec.to_builtins(value), ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").encode("ascii")


def link(before: str, data: bytes) -> str:
    """The digest of a line, which covers all lines before."""
    return hashlib.sha256(before.encode("ascii") + b"\n" + data).hexdigest()


def moment(at: float) -> str:
    """A time as a statement says it: UTC, to the microsecond."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def instant(text: str) -> float:
    """The time that a statement says."""
    return datetime.fromisoformat(text).timestamp()


def state(
    ledger: BaseLedger, request: Request, signer: Signer, seen: Callable[[Header | Entry | Totals], None] | None = None
) -> Iterator[bytes]:
    """Write a statement, piece by piece; refuse where the trail is not whole. `seen` is shown every part of it."""
    show = seen or (lambda part: None)
    found = verified(ledger)
    until = moment(min(request.until, request.made))
    since = None if request.since is None else moment(request.since)
    trail = Trail(found.lines, found.head, _begun(ledger))
    header = Header(
        request.audiences, since, until, moment(request.made), request.version, request.names is not None, trail
    )
    show(header)
    data = encode(header)
    digest = link(FORMAT, data)
    yield b'{"format":"%b",\n"header":%b,\n"digest":"%b",\n"entries":[' % (FORMAT.encode(), data, digest.encode())
    number = facts = envelopes = size = 0
    objects: set[str] = set()
    for number, entry in enumerate(entries(ledger, found, header, request.names), start=1):
        show(entry)
        data = encode(entry)
        digest = link(digest, data)
        yield b'%b\n{"digest":"%b","entry":%b}' % (b"," if number > 1 else b"", digest.encode(), data)
        if isinstance(entry, Told):
            facts += len(entry.facts)
            objects.update(fact.object for fact in entry.facts)
        elif isinstance(entry, Sent):
            envelopes, size = envelopes + 1, size + entry.bytes
    totals = Totals(number, facts, len(objects), envelopes, size)
    show(totals)
    data = encode(totals)
    head = link(digest, data)
    signature = Signature("ed25519", signer.public.hex(), signer.sign((SIGNED + head).encode()).hex())
    yield b'\n],\n"totals":%b,\n"head":"%b",\n"signature":%b}\n' % (data, head.encode(), encode(signature))


def verified(ledger: BaseLedger) -> Verification:
    """Verify the whole ledger, or refuse to speak for it."""
    found = verify(ledger)
    if found.problem:
        where = f"line {found.at:,}: " if found.at else ""
        raise LedgerError(f"the trail does not verify ({where}{found.problem}): nothing can be stated from it")
    return found


def entries(ledger: BaseLedger, found: Verification, header: Header, names: Names | None = None) -> Iterator[Entry]:
    """What the trail holds for a header, in order."""
    since = float("-inf") if header.since is None else instant(header.since)
    until, number = instant(header.until), 0
    for line in _checked(ledger, found):
        if line.at >= until:
            return
        if line.at >= since and (entry := _entry(line, number + 1, header.audiences, names)) is not None:
            number += 1
            yield entry


def _checked(ledger: BaseLedger, found: Verification) -> Iterator[Line]:
    """The lines that were verified, each checked again as it is read: they may have been changed in between."""
    before = ORIGIN
    for line in read_lines(ledger):
        if line.number > found.lines:
            return
        if not hmac.compare_digest(ledger.chain.mac(before, *line[:4]), line.mac):
            raise LedgerError(f"no statement: line {line.number:,} was changed while it was read")
        before = line.mac
        yield line


def _begun(ledger: BaseLedger) -> str | None:
    first = next(read_lines(ledger), None)
    return None if first is None else moment(first.at)


def _entry(line: Line, number: int, audiences: Sequence[str], names: Names | None) -> Entry | None:
    """What a line of the trail says of these audiences, if it does."""
    common: dict[str, Any] = {"number": number, "line": line.number, "mac": line.mac.hex(), "at": moment(line.at)}
    if line.kind == "charge":
        return _told(line, common, audiences, names)
    if line.kind not in ("session", "envelope", "payload", "reset", "warning"):
        return None
    body = json.loads(line.body)
    if line.kind == "warning":
        return Remark(**common, remark=body["warning"]) if body.get("warning") == "rollback_accepted" else None
    if body.get("audience") not in audiences:
        return None
    if line.kind == "reset":
        return Remark(**common, remark="counted_anew")
    common |= {"session": body["session"], "audience": body["audience"]}
    if line.kind == "session":
        who = {name: body.get(name) for name in ("user", "host")} if names else {}
        return Session(**common, **who, planner=body["planner"], locality=body["locality"])
    if line.kind == "envelope":
        return Sent(**common, bytes=len(body["data"]), sha256=body["sha256"])
    return Payload(**common, origin=body["origin"], bytes=body["bytes"], sha256=body["sha256"])


def _told(line: Line, common: dict[str, Any], audiences: Sequence[str], names: Names | None) -> Told | None:
    """The facts of a line, which are all for one audience; what the ledger only remembers was not told."""
    rows = [row for row in unpack(line.body) if not row[2].startswith(REMEMBERED)]
    if not rows or rows[0][1] not in audiences:
        return None
    facts = [
        Fact(object_of(key), statement_of(unit), cost, names(key) if names else None) for key, _, unit, cost, _ in rows
    ]
    return Told(**common, audience=rows[0][1], facts=tuple(facts))


def object_of(key: bytes) -> str:
    """What an object is called in a statement: the beginning of its key, which relations name it by too."""
    return key.hex()[:16]
