"""Verification of a whole ledger: the trail's chain, the table of what was told beside it, and the tree over both.

Decisions check what they look up; this looks at everything, in bounded memory, while others may go on writing.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeVar

import msgspec

from plantwin.boundary.ledger.base import BaseLedger
from plantwin.boundary.ledger.chain import ORIGIN, OWN, SUM, Chain, Mark
from plantwin.boundary.ledger.sqlite import SqliteLedger
from plantwin.boundary.ledger.transaction import ReadTransaction, last, mark_of
from plantwin.boundary.ledger.tree import FIRST, NEVER_WRITTEN, WIDTH, Tree
from plantwin.errors import LedgerError
from plantwin.ledgers.records import BEFORE, Line, read_lines, read_table
from plantwin.types.ledger import Row, Rows

T = TypeVar("T")

EVERY: Final = 1000
"""Lines between two calls of a progress callback."""
CHANGED: Final = "a line was changed, put in or moved"
UNSEALED: Final = "what was told or counted does not agree with the tree over it"
DISAGREES: Final = "the table of what was told does not agree with the trail"

_rows_decoder = msgspec.json.Decoder(list[tuple[str, str, str, int, float]])


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
    sums: dict[int, int]
    """Of each bucket, what its rows must add up to."""
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
    anchor, number, mac, total = ends.anchor, 0, ORIGIN, 0
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
            total += sum(chain.weight(number, row) for row in unpack(line.body))
        if progress is not None and number % EVERY == 0:
            progress(number)
    if ends.mark.number > number or (anchor is not None and anchor.number > number):
        return found("lines were cut off at the end", number + 1)
    if (ends.mark.number, ends.mark.mac) != (number, mac):
        return found(CHANGED, ends.mark.number + 1)
    if not noted:
        return found("the head that was noted is not in the trail: lines were cut off or it is another trail", 0)
    for _, bucket, origin, row in _until(read_table(ledger), lambda each: each[0] > ends.told):
        weight = _weight(chain, origin, row)
        total -= weight
        ends.sums[bucket] = ends.sums.get(bucket, 0) - weight
    if total % SUM:
        return found(DISAGREES, 0)
    if ends.problem or any(left % SUM for left in ends.sums.values()):
        return found(ends.problem or UNSEALED, 0)
    if progress is not None:
        progress(number)
    return Verification(number, mac.hex())


def _ends(rows: Rows, chain: Chain, anchor: Mark | None) -> _Ends:
    mark = mark_of(rows, chain)
    sums: dict[int, int] = {}
    problem = ""
    tree = Tree(chain)
    try:
        counted = ReadTransaction(rows, chain, tree, None).counts()
        sums = tree.sums(_buckets(rows, tree, bool(counted)))
    except LedgerError:
        problem = UNSEALED
    ((told,),) = rows.all("SELECT MAX(number) FROM told")
    return _Ends(anchor, mark, last(rows), told or 0, sums, problem)


def _damage(rows: Rows) -> list[tuple[str]]:
    return rows.all("PRAGMA integrity_check(1)")


def _buckets(rows: Rows, tree: Tree, counted: bool) -> list[int]:
    """All buckets of nodes that are not empty; of the others no node may be there."""
    tree.load({0})
    nodes = [number for number in range(1, FIRST) if any(tree.entry(number))]
    mark_and_counts = 1 + counted
    if rows.all("SELECT COUNT(*) FROM nodes") != [(len(nodes) + bool(nodes) + mark_and_counts,)]:
        raise LedgerError(UNSEALED)
    return [number * WIDTH + 1 + place - FIRST for number in nodes for place in range(WIDTH)]


def _follows(chain: Chain, before: bytes, line: Line) -> bool:
    try:
        return hmac.compare_digest(chain.mac(before, *line[:4]), line.mac)
    except NEVER_WRITTEN:
        return False


def _weight(chain: Chain, line: int, row: Row) -> int:
    try:
        return chain.weight(line, row)
    except NEVER_WRITTEN:
        return 1  # no sum of hashes comes out even with it


def _until(values: Iterator[T], over: Callable[[T], bool]) -> Iterator[T]:
    for value in values:
        if over(value):
            return
        yield value


def unpack(body: bytes) -> Iterator[Row]:
    """What a line of kind `charge` or `inherit` says."""
    return (Row(bytes.fromhex(key), *rest) for key, *rest in _rows_decoder.decode(body))  # type: ignore[arg-type]
