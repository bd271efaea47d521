"""Copies a whole ledger into an empty one: a person's into a team's, or a team's under a new key.

Every line keeps its number, time, kind and bytes; MACs, tree and anchor are made anew. What the rate limits count
comes along, so that a copy gives nobody a new hour.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from plantwin.boundary.ledger.base import BaseLedger
from plantwin.boundary.ledger.chain import OWN, pack
from plantwin.boundary.ledger.transaction import ReadTransaction, WriteTransaction, head_of
from plantwin.boundary.ledger.tree import Counts, Tree
from plantwin.errors import LedgerError
from plantwin.ledgers.records import Line, read_lines
from plantwin.ledgers.verification import unpack, verify
from plantwin.types.ledger import Entry

BATCH = 200
"""Lines of one transaction."""


def copy(source: BaseLedger, target: BaseLedger, after: int = 0, *, counts: bool = True) -> int:
    """Copy the lines after a number; return the number of the last. The source is verified first, then the target.

    `counts`: what the rate limits count too; to be copied once, at the end.
    """
    found = verify(source)
    if found.problem:
        raise LedgerError(f"the ledger does not verify ({found.problem}): it is not copied")
    if target.read(lambda rows: head_of(rows, target.chain)[0].number) != after:
        raise LedgerError("the ledger to copy to is not empty: name an empty database")
    lines = read_lines(source, after)
    while batch := list(islice(lines, BATCH)):
        target._write(lambda writing, batch=batch: _add(writing, batch))  # type: ignore[misc]
        after = batch[-1].number
    if counts:
        lately = source.read(lambda rows: ReadTransaction(rows, source.chain, Tree(source.chain), None).counts())
        target._write(lambda writing: _count(writing, lately))
    made = verify(target)
    if made.problem or made.lines != after:
        raise LedgerError(f"the copy does not verify ({made.problem or 'lines are missing'}): do not use it")
    return after


def _add(writing: WriteTransaction[None], lines: Sequence[Line]) -> None:
    for line in lines:
        writing.at = line.at
        if line.kind not in OWN:
            writing.add([Entry(line.kind, line.body)])
            continue
        rows = unpack(line.body)
        if pack(rows) != line.body:
            raise LedgerError(f"line {line.number} cannot be written as it is: the ledger is not copied")
        writing.tell(line.kind, rows)


def _count(writing: WriteTransaction[None], counts: Counts) -> None:
    now = writing.now
    by_minute = sorted(
        (at, audience, event, amount)
        for audience, events in counts.items()
        for event, amounts in events.items()
        for at, amount in amounts.items()
    )
    for at, audience, event, amount in by_minute:
        writing.now = at * 60
        writing.count(audience, {event: amount})
    writing.now = now
