"""Figures of a ledger in Prometheus's text format: closed words, audiences and numbers alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Final

from plantwin.boundary.ledger.base import BaseLedger
from plantwin.ledgers.records import read_lines
from plantwin.ledgers.verification import unpack, verify

KINDS: Final = (
    "session",
    "envelope",
    "payload",
    "answer",
    "verdict",
    "approval",
    "charge",
    "inherit",
    "reset",
    "warning",
)


def exposition(ledger: BaseLedger) -> Iterator[str]:
    """The figures, line by line."""
    found = verify(ledger)
    yield from _metric(
        "plantwin_ledger_whole", "gauge", "1 where the whole ledger verifies.", {"": int(not found.problem)}
    )
    lines: Counter[str] = Counter()
    told: Counter[str] = Counter()
    spent: Counter[str] = Counter()
    sent: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    last = 0.0
    # Lines of a damaged trail are anybody's: nothing is counted of them.
    for line in read_lines(ledger) if not found.problem else ():
        lines[f'kind="{line.kind if line.kind in KINDS else "other"}"'] += 1
        last = line.at
        if line.kind == "charge":
            for _, audience, _, cost, _ in unpack(line.body):
                told[f'audience="{audience}"'] += 1
                spent[f'audience="{audience}"'] += cost
        elif line.kind == "envelope":
            body = json.loads(line.body)
            sent[f'audience="{body["audience"]}"'] += len(body["data"])
        elif line.kind == "verdict":
            verdicts[f'verdict="{json.loads(line.body)["verdict"]}"'] += 1
    yield from _metric("plantwin_ledger_lines_total", "counter", "Lines of the trail.", lines)
    yield from _metric("plantwin_facts_total", "counter", "Facts told.", told)
    yield from _metric("plantwin_spent_thousandths_total", "counter", "Cost of facts told, in thousandths.", spent)
    yield from _metric("plantwin_envelope_bytes_total", "counter", "Bytes of messages.", sent)
    yield from _metric("plantwin_verdicts_total", "counter", "Decided steps.", verdicts)
    yield from _metric("plantwin_ledger_last_line_seconds", "gauge", "When the last line was written.", {"": last})


def _metric(
    name: str, kind: str, meaning: str, values: dict[str, int] | Counter[str] | dict[str, float]
) -> Iterator[str]:
    yield f"# HELP {name} {meaning}\n# TYPE {name} {kind}\n"
    for labels, value in sorted(values.items()):
        yield f"{name}{f'{{{labels}}}' if labels else ''} {value}\n"
