"""Copies a whole ledger into an empty one: a person's into a team's, or a team's under a new key.

Every line keeps its number, time, kind and bytes; MACs, tree and anchor are made anew. What the rate limits count
comes along, so that a copy gives nobody a new hour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
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
        target._write(partial(_add, batch))
        after = batch[-1].number
    if counts:
        lately = source.read(lambda rows: ReadTransaction(rows, source.chain, Tree(source.chain), None).counts())
        _count(target, lately)
    made = verify(target)
    if made.problem or made.lines != after:
        raise LedgerError(f"the copy does not verify ({made.problem or 'lines are missing'}): do not use it")
    return after


def _add(lines: Sequence[Line], writing: WriteTransaction[None]) -> None:
    for line in lines:
        writing.at = line.at
        if line.kind not in OWN:
            writing.add([Entry(line.kind, line.body)])
            continue
        rows = unpack(line.body)
        if pack(rows) != line.body:
            raise LedgerError(f"line {line.number} cannot be written as it is: the ledger is not copied")
        writing.tell(line.kind, rows)


def _count(target: BaseLedger, counts: Counts) -> None:
    """Count again what was counted, by the minute that it was in: a transaction counts for one audience and minute."""
    found: dict[tuple[int, str], dict[str, int]] = {}
    for audience, events in counts.items():
        for event, minutes in events.items():
            for minute, amount in minutes.items():
                found.setdefault((minute, audience), {})[event] = amount
    for (minute, audience), amounts in sorted(found.items()):
        target._write(partial(_count_once, minute, audience, amounts))


def _count_once(minute: int, audience: str, amounts: Mapping[str, int], writing: WriteTransaction[None]) -> None:
    writing.now = minute * 60
    writing.count(audience, amounts)
