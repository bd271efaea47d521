"""Names that a technology knows (`keys.json`, after its reference): keys, instructions, values. And close matches."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import msgspec


@cache
def _tables() -> dict[str, dict[str, frozenset[str]]]:
    data = Path(__file__).with_name("keys.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, dict[str, frozenset[str]]])


def known_keys(technology: str, table: str) -> frozenset[str]:
    """Return the names of one table."""
    return _tables()[technology][table]


def close_match(name: str, names: Iterable[str], cutoff: float) -> str:
    """Return the name that is closest, or nothing."""
    return next(iter(difflib.get_close_matches(name, list(names), 1, cutoff)), "")


def did_you_mean(name: str, names: Iterable[str], cutoff: float, otherwise: str) -> str:
    """Return a hint with the name that is closest, or `otherwise`."""
    near = close_match(name, names, cutoff)
    return f"Did you mean `{near}`?" if near else otherwise
