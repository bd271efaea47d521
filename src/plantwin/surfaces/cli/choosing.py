"""Asks the person at this terminal which of several objects their goal means."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from plantwin.surfaces.cli.approving import interactive
from plantwin.surfaces.cli.output import write_line
from plantwin.surfaces.render.text import printable

if TYPE_CHECKING:
    from plantwin.private.mentions import Choose
    from plantwin.private.records import Record
    from plantwin.surfaces.cli.progress import Bar

MOST = 9
"""Objects that are offered: one key for each."""
QUESTIONS = 3
"""Asked at most about one goal; what is not asked counts as unsure."""


class Chooser:
    """Shows the candidates and waits for a number; anything else leaves it open, and the gatekeeper will ask."""

    def __init__(self, bar: Bar | None = None) -> None:
        self._bar = bar
        self._known: dict[str, Record | None] = {}

    def __call__(self, text: str, records: Sequence[Record]) -> Record | None:
        """The one that is meant."""
        if text not in self._known:
            if len(records) > MOST or len(self._known) == QUESTIONS:
                return None
            self._known[text] = self._asked(text, records)
        return self._known[text]

    def _asked(self, text: str, records: Sequence[Record]) -> Record | None:
        if self._bar is not None:
            self._bar.stop()
        write_line(f"Which do you mean by {printable(text)}?")
        for number, each in enumerate(records, 1):
            part = f"#{printable(each.part)}" if each.part else ""
            write_line(f"  {number}  {printable(each.path)}{part}")
        try:
            answer = input("  number, or enter if it may be any of them > ").strip()
        except EOFError:
            write_line()
            return None
        return records[int(answer) - 1] if answer in {str(number + 1) for number in range(len(records))} else None


def chooser_for(options: argparse.Namespace, bar: Bar) -> Choose | None:
    """Somebody to ask, where somebody sits here."""
    return Chooser(bar) if interactive(options) else None
