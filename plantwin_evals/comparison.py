"""Redaction by ours and by peers, side by side: what ran, with what, and what did not run and why."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any

from plantwin_evals.attempts import Attempt, by_configuration
from plantwin_evals.redactors import REDACTORS, absent
from plantwin_evals.tables import FULL, Table, disclosure

NOTE = "SND by sort is in the table of sensitive items. Texts are the same for all, names of files stay."


def redaction_table(attempts: Sequence[Attempt]) -> Table:
    """A line for every redactor that is known here, with the figures of one planner: all are sent the same text."""
    rows: list[tuple[Any, ...]] = []
    for mode in REDACTORS:
        groups = [group for _, group in by_configuration(each for each in attempts if each.mode == mode)]
        # A small model is sent beginnings of files alone: what the text as a whole shows is what was sent most.
        group = max(groups, key=lambda one: (len(one), sum(each.sent for each in one)), default=[])
        if not group:
            rows.append((mode, None, None, None, None, f"not run: {absent(mode) or 'not asked for'}"))
            continue
        took = median(each.seconds.get("redact", 0.0) for each in group)
        size = sum(each.sent for each in group) // len(group)
        state = "complete" if len(group) == FULL else f"{len(group)} tasks"
        rows.append((mode, group[0].redactor or None, disclosure(group), size, f"{took * 1000:.0f}", state))
    columns = ("redaction", "with", "SND", "bytes sent", "ms", "state")
    return Table("redaction", "Redaction, and peers of it", columns, rows, NOTE)
