"""One thing that is demanded, allowed, limited or defined."""

from __future__ import annotations

from typing import NamedTuple

from plantwin.private.capabilities.terms.quantities import Day, Quantity


class Statement(NamedTuple):
    """Who, how strongly, what, under which condition; and the numbers and dates in it."""

    kind: str
    """A word of `phrases.KINDS`."""
    label: str
    """The object that says so."""
    line: int
    subject: str
    words: str
    """The words that bind: `must not`, `maxLength`."""
    object: str
    text: str
    condition: str = ""
    section: str = ""
    party: str = ""
    quantities: tuple[Quantity, ...] = ()
    days: tuple[Day, ...] = ()
    deadline: bool = False
    key: str = ""
    """The path of a setting, field or constant, where it is none of a sentence."""

    def __repr__(self) -> str:
        return "<Statement private>"

    @property
    def numbers(self) -> str:
        """Numbers and dates, for a table."""
        return ", ".join([*(each.shown for each in self.quantities), *(each.iso for each in self.days)])
