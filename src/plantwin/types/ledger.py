"""The seam of the ledger. Every implementation passes the same tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

T = TypeVar("T")

READ = "read_by_code="
"""How a unit begins that says: code of the folder could read this, and told an outcome."""
SUBSET = "subset="
"""How a unit begins that remembers which members of a cell a capability was asked about."""
LEFT = "left="
"""How a unit begins that remembers what the fullest member of a cell leaves to it."""
REMEMBERED = (SUBSET, LEFT)
"""Units that tell nothing: what the core must know the next time."""
UNCOUNTED = ("word=", READ, *REMEMBERED)
"""Units that count towards no hourly limit: these, words that a person chose, and what a run of tests could read."""


def counted(units: Iterable[str]) -> int:
    """How many things these units tell. One about a version of several objects is one, whoever pays for it."""
    single, versioned = 0, set()
    for unit in units:
        if not unit.startswith(UNCOUNTED):
            if "@" in unit:
                versioned.add(unit)
            else:
                single += 1
    return single + len(versioned)


HOUR = 3600.0


class Limits(NamedTuple):
    """What repetition can learn in an hour is bounded, whatever the budgets allow.

    Counted by the ledger over all sessions of an audience and of those who share with it.
    """

    turns_per_hour: int = 60
    fields_per_hour: int = 2000
    """Units newly told."""
    refusals_per_hour: int = 100


UNLIMITED = Limits(1 << 40, 1 << 40, 1 << 40)
"""For planners that cannot send anything to anybody."""

canonical_json = msgspec.json.Encoder(order="sorted").encode
"""The one form in which bodies of lines are written: sorted keys, no spaces."""


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
    fields: int = 0
    """What happened in the last hour, to it and those who share with it: units newly told, refused steps, turns."""
    refusals: int = 0
    turns: int = 0


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
    events: tuple[str, ...] = ()
    """What is counted for the rate limits, such as `turn` or `refusal`."""


class Receipt(NamedTuple):
    """Where an entry stands in the trail."""

    number: int
    mac: bytes


class Recorded(NamedTuple, Generic[T]):
    """What a transaction decided, and the lines that hold its entries."""

    value: T
    lines: tuple[Receipt, ...] = ()
    """One for each entry of the decision, in order."""


class Row(NamedTuple):
    """One thing told, as its line says it."""

    key: bytes
    audience: str
    unit: str
    cost: int
    at: float


class Rows(Protocol):
    """A database inside a transaction. `?` marks a parameter."""

    def all(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """What a query yields."""
        ...

    def many(self, query: str, values: Sequence[tuple[object, ...]]) -> None:
        """A statement for each of these rows."""
        ...


class Ledger(Protocol):
    """Every method is durable when it returns, or raises `LedgerError` and has changed nothing."""

    def transact(
        self, audience: Audience, keys: Sequence[bytes], decide: Callable[[Standing], Decision[T]]
    ) -> Recorded[T]:
        """Atomically: look up how the audience stands, let `decide` choose, check thresholds, record, commit.

        What `decide` raises undoes everything and reaches the caller. `decide` may be called again when a
        conflict forces a retry, so it must have no effects. A charge
        whose unit is known already, or for a key not in `keys`, or that passes its threshold, is an error
        (`LedgerError`): the caller decides what fits, the ledger enforces it.
        """
        ...

    def known(self, audience: Audience, keys: Sequence[bytes]) -> dict[bytes, Known]:
        """What is known of these keys now."""
        ...

    def inherit(self, key: bytes, ancestors: Sequence[bytes]) -> None:
        """A key takes over, per audience and unit, the dearest of what its ancestors were told.

        What it was told itself stays. Repeated, it records nothing.
        """
        ...

    def note(self, audience: str, event: str, entries: Sequence[Entry] = ()) -> tuple[Receipt, ...]:
        """Count an event (`turn`, `refusal`) for the rate limits, with lines of the trail."""
        ...

    def standing(self, audience: Audience, keys: Sequence[bytes] = ()) -> Standing:
        """Look up what a decision would be given now. Only inside a transaction does it hold until the commit."""
        ...

    def told(self, keys: Sequence[bytes]) -> list[Row]:
        """All that was told of these keys to anybody, oldest first."""
        ...

    def read(self, work: Callable[[Rows], T]) -> T:
        """Read the tables as they are, in one transaction that writes nothing."""
        ...

    def close(self) -> None:
        """Close it; nothing is pending ever."""
        ...
