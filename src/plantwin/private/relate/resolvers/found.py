"""What a resolver answers."""

from __future__ import annotations

from collections.abc import Callable

Found = tuple[int, ...]
"""Positions that a reference leads to: all of them, already chosen; empty when unresolved."""

NOTHING: Found = ()

Resolve = Callable[[str, int], Found]
"""Target as written and the position it is written at, to what it leads to."""
