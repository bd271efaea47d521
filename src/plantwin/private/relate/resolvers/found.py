"""What a resolver answers."""

from __future__ import annotations

from collections.abc import Callable

Found = tuple[int, ...]
"""Positions that a reference leads to: all of them, already chosen; empty when unresolved."""


class Everywhere(tuple[int, ...]):
    """An answer that is the same wherever the reference is written: it need not be asked again."""

    __slots__ = ()


NOTHING: Found = ()
NOWHERE: Found = Everywhere()

Resolve = Callable[[str, int], Found]
"""Target as written and the position it is written at, to what it leads to."""
