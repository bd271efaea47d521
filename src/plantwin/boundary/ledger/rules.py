"""What may be recorded at all. Every refusal is a `LedgerError`, made before anything is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
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
    for key, unit, cost in decision.charges:
        before = known.get(key)
        if before is None:
            raise LedgerError("ledger: a charge for an object that was not looked up")
        if type(unit) is not str or not _UNIT.fullmatch(unit):
            raise LedgerError("ledger: not the form of a unit")
        if type(cost) is not int or not 0 <= cost <= MAX_COST:
            raise LedgerError("ledger: a cost that is no whole number of thousandths")
        if unit in before.units:
            raise LedgerError("ledger: a charge for what is known already")
        sums[key] = sums.get(key, before.spent) + cost
    if len({charge[:2] for charge in decision.charges}) < len(decision.charges):
        raise LedgerError("ledger: a charge for what is known already")
    for key, total in sums.items():
        if key not in decision.thresholds or total > decision.thresholds[key]:
            raise LedgerError("ledger: a charge passes its threshold")


def need_entries(entries: Sequence[Entry]) -> None:
    """Refuse lines that are too long, or of a kind that only the ledger writes."""
    for kind, body in entries:
        if type(kind) is not str or not _WORD.fullmatch(kind) or kind in OWN:
            raise LedgerError("ledger: not a kind of line")
        if type(body) is not bytes or len(body) > MAX_BODY:
            raise LedgerError(f"ledger: a line that is not at most {MAX_BODY} bytes")


@lru_cache(64)
def need_audience(audience: Audience) -> None:
    """Refuse an audience that would not find again what it was told."""
    if type(audience.name) is not str or not _NAME.fullmatch(audience.name) or audience.name not in audience.shared:
        raise LedgerError("ledger: an audience shares with itself")


def need_event(audience: str, event: str) -> None:
    """Refuse events that could not be counted, or that the ledger counts itself."""
    if type(audience) is not str or not _NAME.fullmatch(audience):
        raise LedgerError("ledger: not the name of an audience")
    if type(event) is not str or not _WORD.fullmatch(event) or event == "field":
        raise LedgerError("ledger: not an event to be noted")


def need_keys(keys: Iterable[bytes]) -> None:
    """Refuse keys that are not digests."""
    for key in keys:
        if type(key) is not bytes or not 0 < len(key) <= 64:
            raise LedgerError("ledger: a key that is no digest")
