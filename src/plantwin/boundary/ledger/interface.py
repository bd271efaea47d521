"""The seam of the ledger. Every implementation passes the same tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

T = TypeVar("T")

MILL = 1000
"""Costs are whole thousandths, so that sums are exact."""


class Audience(NamedTuple):
    """Who is told, and everyone it must be assumed to share with."""

    name: str
    """A provider: `[a-z0-9._-]{1,64}`."""
    shared: tuple[str, ...]
    """Itself and all that share a budget with it, sorted."""


class Known(NamedTuple):
    """What an audience (and those who share with it) knows of one object."""

    units: frozenset[str] = frozenset()
    """Everything ever told, such as `kind=config` or `secret_scan.severity=high`."""
    spent: int = 0
    """Cost of what was told, in thousandths; with a refresh period, of what was told within it."""


class Standing(NamedTuple):
    """How an audience stands before a decision."""

    known: Mapping[bytes, Known]
    fields: int
    """Units newly told in the last seconds."""
    refusals: int


class Charge(NamedTuple):
    """One thing about to be told of one object."""

    key: bytes
    unit: str
    cost: int


class Entry(NamedTuple):
    """One line of the trail before it is chained."""

    kind: str
    """`envelope`, `answer`, `plan`, `verdict`, `approval`, `session`, `warning`.

    The ledger itself writes `charge` and `inherit`: what was told, as the table holds it.
    """
    body: bytes
    """Canonical JSON. Of envelopes the exact bytes sent, inside."""


class Decision(NamedTuple, Generic[T]):
    """What a transaction is to record, and what its caller gets back."""

    value: T
    charges: tuple[Charge, ...] = ()
    thresholds: Mapping[bytes, int] = {}
    """Most that may be spent on each key that is charged; without one, nothing may."""
    entries: tuple[Entry, ...] = ()


class Line(NamedTuple):
    """One line of the trail as it is kept."""

    number: int
    """From 1, without gaps."""
    at: float
    kind: str
    body: bytes
    mac: bytes
    """HMAC over the line before and everything in this one."""


class Statement(NamedTuple):
    """One thing told, for `plantwin budget`."""

    key: bytes
    audience: str
    unit: str
    cost: int
    at: float


class Ledger(Protocol):
    """Every method is durable when it returns, or raises `LedgerError` and has changed nothing."""

    def transact(
        self, audience: Audience, keys: Sequence[bytes], decide: Callable[[Mapping[bytes, Known]], Decision[T]]
    ) -> T:
        """Atomically: look up what is known of `keys`, let `decide` choose, check thresholds, record, commit.

        `decide` may be called again when a conflict forces a retry, so it must have no effects. A charge
        whose unit is known already, or for a key not in `keys`, or that passes its threshold, is an error
        (`LedgerError`): the caller decides what fits, the ledger enforces it.
        """
        ...

    def known(self, audience: Audience, keys: Sequence[bytes]) -> dict[bytes, Known]:
        """What is known of these keys now."""
        ...

    def inherit(self, key: bytes, ancestors: Sequence[bytes]) -> None:
        """A key seen for the first time takes over, per audience, what the ancestor with most spent was told.

        A key that has a history of its own already keeps the larger amount and the union of units.
        """
        ...

    def note(self, audience: str, event: str, entries: Sequence[Entry] = ()) -> None:
        """Count an event (`turn`, `refusal`) for the rate limits, with lines of the trail."""
        ...

    def standing(self, audience: Audience, keys: Sequence[bytes], seconds: float) -> Standing:
        """What a decision needs to know, in one look: what is known of these keys, and what happened lately."""
        ...

    def recent(self, audience: Audience, event: str, seconds: float) -> int:
        """How many events in the last seconds; `field` counts units newly told."""
        ...

    def statements(self, audience: str | None = None, keys: Sequence[bytes] | None = None) -> Iterator[Statement]:
        """Everything told, oldest first."""
        ...

    def lines(self, after: int = 0) -> Iterator[Line]:
        """The trail from a number on, in bounded memory."""
        ...

    def verify(self, progress: Callable[[int], None] | None = None, expect: str = "") -> Verification:
        """Whether the trail is whole and agrees with what was told; `expect`: a head that was noted elsewhere."""
        ...

    def close(self) -> None:
        """Close it; nothing is pending ever."""
        ...


class Verification(NamedTuple):
    """What verification found. `problem` is empty when the trail is whole."""

    lines: int
    head: str
    """MAC of the last line, in hex: note it elsewhere to prove later that nothing was cut off."""
    problem: str = ""
    at: int = 0
    """The number of the first line that is wrong."""
