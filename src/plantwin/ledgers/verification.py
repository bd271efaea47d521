"""Verification of a whole ledger: the trail's chain, the table of what was told beside it, and the tree over both.

Decisions check what they look up; this looks at everything, in bounded memory, while others may go on writing.
"""

from __future__ import annotations

import hmac
import struct
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple, TypeVar

import msgspec

from plantwin.boundary.ledger.base import BaseLedger
from plantwin.boundary.ledger.chain import ORIGIN, OWN, Chain, Kept, Mark
from plantwin.boundary.ledger.transaction import ReadTransaction
from plantwin.boundary.ledger.tree import EMPTY, FIRST, WIDTH, Tree, bucket_of
from plantwin.errors import LedgerError
from plantwin.ledgers.records import BEFORE, Line, read_lines, read_table
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.types.ledger import Rows

T = TypeVar("T")

EVERY: Final = 1000
"""Lines between two calls of a progress callback."""
CHANGED: Final = "a line was changed, put in or moved"
UNSEALED: Final = "what was told or counted does not agree with the tree over it"
DISAGREES: Final = "the table of what was told does not agree with the trail"

unpack: Final = msgspec.json.Decoder(list[tuple[bytes, str, str, int, float]]).decode
"""What a line of kind `charge` or `inherit` says."""


class Verification(NamedTuple):
    """What verification found. `problem` is empty when the ledger is whole."""

    lines: int
    head: str
    """MAC of the last line, in hex: note it elsewhere to prove later that nothing was cut off."""
    problem: str = ""
    at: int = 0
    """The number of the first line that is wrong."""


class _Ends(NamedTuple):
    """What is read at one moment; the two long tables only grow, and are read as far as they reached then."""

    anchor: Mark | None
    mark: Mark
    line: int
    told: int
    buckets: dict[int, bytes]
    """The MAC of each bucket that is not empty."""
    problem: str


def verify(ledger: BaseLedger, progress: Callable[[int], None] | None = None, expect: str = "") -> Verification:
    """Whether all of it is whole; `expect`: a head that was noted elsewhere."""
    chain = ledger.chain
    try:
        ends = ledger.read_after(lambda rows, anchor: _ends(rows, chain, anchor))
        if isinstance(ledger, SqliteLedger) and ledger.read(_damage) != [("ok",)]:
            raise LedgerError("the database's own check finds damage, or an index that does not agree with its table")
    except LedgerError as error:
        return Verification(0, "", str(error))
    anchor, number, mac = ends.anchor, 0, ORIGIN
    by_trail, by_table = _Buckets(chain), _Buckets(chain)
    noted = expect in ("", ORIGIN.hex())

    def found(problem: str, at: int) -> Verification:
        return Verification(number, mac.hex(), problem, at)

    for line in _until(read_lines(ledger, BEFORE), lambda line: line.number > ends.line):
        if line.number > number + 1:
            return found("a line is missing", number + 1)
        if line.number <= number or not _follows(chain, mac, line):
            return found(CHANGED, line.number)
        number, mac = line.number, line.mac
        if anchor is not None and number == anchor.number and mac != anchor.mac:
            return found("the anchor was set on another trail", number)
        noted = noted or mac.hex() == expect
        if line.kind in OWN:
            told = [(bucket_of(row[0]), number, *row) for row in unpack(line.body)]
            by_trail.add(sorted(told, key=itemgetter(0)))
        if progress is not None and number % EVERY == 0:
            progress(number)
    if ends.mark.number > number or (anchor is not None and anchor.number > number):
        return found("lines were cut off at the end", number + 1)
    if (ends.mark.number, ends.mark.mac) != (number, mac):
        return found(CHANGED, ends.mark.number + 1)
    if not noted:
        return found("the head that was noted is not in the trail: lines were cut off or it is another trail", 0)
    table = _until(read_table(ledger), lambda each: each[0] > ends.told)
    for _, rows in groupby((row for _, *row in table), itemgetter(1)):
        by_table.add([tuple(row) for row in rows])
    if by_trail.macs != by_table.macs:
        return found(DISAGREES, 0)
    if ends.problem or by_table.macs != ends.buckets:
        return found(ends.problem or UNSEALED, 0)
    if progress is not None:
        progress(number)
    return Verification(number, mac.hex())


class _Buckets:
    """The MACs of buckets with all rows that were added, in order."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self.macs: dict[int, bytes] = {}

    def add(self, rows: Iterable[Kept]) -> None:
        """Add the rows of one line, which lie bucket by bucket."""
        for bucket, some in groupby(rows, itemgetter(0)):
            self.macs[bucket] = self._chain.link(self.macs.get(bucket, EMPTY), list(some))


def _ends(rows: Rows, chain: Chain, anchor: Mark | None) -> _Ends:
    tree = Tree(chain)
    reading = ReadTransaction(rows, chain, tree, None)
    buckets: dict[int, bytes] = {}
    problem = ""
    try:
        buckets = _entries(rows, tree, bool(reading.counts()))
    except LedgerError:
        problem = UNSEALED
    ((line,),), ((told,),) = (rows.all(f"SELECT MAX(number) FROM {table}") for table in ("trail", "told"))  # noqa: S608
    return _Ends(anchor, reading.start, line or 0, told or 0, buckets, problem)


def _damage(rows: Rows) -> list[tuple[str]]:
    return rows.all("PRAGMA integrity_check(1)")


def _entries(rows: Rows, tree: Tree, counted: bool) -> dict[int, bytes]:
    """All buckets that are not empty; of empty nodes none may be there."""
    tree.load({0})
    nodes = {number for number in range(1, FIRST) if any(tree.entry(number))}
    mark_and_counts = 1 + counted
    if rows.all("SELECT COUNT(*) FROM nodes") != [(len(nodes) + bool(nodes) + mark_and_counts,)]:
        raise LedgerError(UNSEALED)
    tree.load(nodes)
    places = (place for number in nodes for place in range(number * WIDTH + 1, (number + 1) * WIDTH + 1))
    return {place - FIRST: tree.entry(place) for place in places if any(tree.entry(place))}


def _follows(chain: Chain, before: bytes, line: Line) -> bool:
    try:
        return hmac.compare_digest(chain.mac(before, *line[:4]), line.mac)
    except (TypeError, AttributeError, struct.error):  # a value of a kind that was never written
        return False


def _until(values: Iterator[T], over: Callable[[T], bool]) -> Iterator[T]:
    for value in values:
        if over(value):
            return
        yield value
