"""What may be recorded at all. Every refusal is a `LedgerError`, made before anything is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar

from plantwin.boundary.ledger.chain import OWN
from plantwin.errors import LedgerError
from plantwin.types.ledger import Audience, Decision, Entry, Known

T = TypeVar("T")

MAX_BODY: Final = 1 << 20
"""Bytes of one line at most: so a page of lines is bounded too."""
MAX_COST: Final = 1 << 40

_NAME = re.compile(r"[a-z0-9._-]{1,64}")
_WORD = re.compile(r"[a-z_]{1,32}")
_UNIT = re.compile(r"[!-~]{1,200}")


def admit(known: Mapping[bytes, Known], decision: Decision[T]) -> None:
    """Enforce what the caller decided: nothing twice, nothing of other objects, nothing past a threshold."""
    sums: dict[bytes, int] = {}
    seen: set[tuple[bytes, str]] = set()
    for key, unit, cost in decision.charges:
        if key not in known:
            raise LedgerError("ledger: a charge for an object that was not looked up")
        if type(unit) is not str or not _UNIT.fullmatch(unit):
            raise LedgerError("ledger: not the form of a unit")
        if type(cost) is not int or not 0 <= cost <= MAX_COST:
            raise LedgerError("ledger: a cost that is no whole number of thousandths")
        if unit in known[key].units or (key, unit) in seen:
            raise LedgerError("ledger: a charge for what is known already")
        seen.add((key, unit))
        sums[key] = sums.get(key, known[key].spent) + cost
    for key, total in sums.items():
        need(key in decision.thresholds and total <= decision.thresholds[key], "a charge passes its threshold")


def need_entries(entries: Sequence[Entry]) -> None:
    """Refuse lines that are too long, or of a kind that only the ledger writes."""
    for kind, body in entries:
        need(_fits(_WORD, kind) and kind not in OWN, "not a kind of line")
        need(type(body) is bytes and len(body) <= MAX_BODY, f"a line that is not at most {MAX_BODY} bytes")


def need_audience(audience: Audience) -> None:
    """Refuse an audience that would not find again what it was told."""
    need(_fits(_NAME, audience.name) and audience.name in audience.shared, "an audience shares with itself")


def need_event(audience: str, event: str) -> None:
    """Refuse events that could not be counted, or that the ledger counts itself."""
    need(_fits(_NAME, audience), "not the name of an audience")
    need(_fits(_WORD, event) and event != "field", "not an event to be noted")


def need_keys(keys: Iterable[bytes]) -> None:
    """Refuse keys that are not digests."""
    for key in keys:
        need(type(key) is bytes and 0 < len(key) <= 64, "a key that is no digest")


def _fits(pattern: re.Pattern[str], value: object) -> bool:
    return type(value) is str and pattern.fullmatch(value) is not None


def need(condition: bool, otherwise: str) -> None:
    """Refuse unless."""
    if not condition:
        raise LedgerError(f"ledger: {otherwise}")
