"""A ledger for looking ahead: it reads the real one, decides as it would, and records nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plantwin.errors import LedgerError
from plantwin.types.ledger import Audience, Decision, Entry, Known, Ledger, Receipt, Recorded, Row, Rows, Standing, T


class Rehearsal:
    """What is told in a rehearsal is known in it alone, so that prices add up as they would."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._told: dict[bytes, Known] = {}

    def transact(
        self, audience: Audience, keys: Sequence[bytes], decide: Callable[[Standing], Decision[T]]
    ) -> Recorded[T]:
        """Decide, check the thresholds, and keep it in memory."""
        standing = self.standing(audience, keys)
        decision = decide(standing)
        known = dict(standing.known)
        for charge in decision.charges:
            before = known[charge.key]
            if before.spent + charge.cost > decision.thresholds.get(charge.key, -1):
                raise LedgerError("ledger: a charge would pass its threshold")
            known[charge.key] = Known(before.units | {charge.unit}, before.spent + charge.cost)
        self._told |= known
        return Recorded(decision.value, _nowhere(decision.entries))

    def known(self, audience: Audience, keys: Sequence[bytes]) -> dict[bytes, Known]:
        """What is known, with what this rehearsal told."""
        missing = [key for key in keys if key not in self._told]
        return {**self._ledger.known(audience, missing), **{key: self._told[key] for key in keys if key in self._told}}

    def inherit(self, key: bytes, ancestors: Sequence[bytes]) -> None:
        """Inheriting only ever raises what is spent, so it is done for real."""
        self._ledger.inherit(key, ancestors)

    def note(self, audience: str, event: str, entries: Sequence[Entry] = ()) -> tuple[Receipt, ...]:
        """Not recorded."""
        return _nowhere(entries)

    def standing(self, audience: Audience, keys: Sequence[bytes] = ()) -> Standing:
        """As it stands, with what this rehearsal told."""
        return self._ledger.standing(audience)._replace(known=self.known(audience, keys))

    def told(self, keys: Sequence[bytes]) -> list[Row]:
        """What the real ledger holds."""
        return self._ledger.told(keys)

    def read(self, work: Callable[[Rows], T]) -> T:
        """Read the real ledger."""
        return self._ledger.read(work)

    def close(self) -> None:
        """Close the real one."""
        self._ledger.close()


def _nowhere(entries: Sequence[Entry]) -> tuple[Receipt, ...]:
    """Lines that were not written have no number."""
    return (Receipt(0, b""),) * len(entries)
