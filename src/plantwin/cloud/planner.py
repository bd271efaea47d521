"""The seam to a planner: an interface, and the one check that all implementations share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from plantwin.boundary.wire import Encoded
from plantwin.errors import WireError


class Planner(Protocol):
    """Serves one session: remembers what it was told, and answers each turn with the bytes of a plan."""

    name: str
    """As the person names it: `offline`, `scripted:FILE`."""
    audience: str
    """The provider who learns what is sent."""
    locality: str
    """`local` when nothing leaves the machine, else `remote`."""

    def plan(self, envelopes: Sequence[Encoded]) -> bytes:
        """Send the envelopes of this turn and return the answer, unparsed. Raises `PlannerError`."""
        ...


def outbound(envelope: Encoded) -> bytes:
    """The bytes to send. Every planner takes them from here: nothing but encoded envelopes leaves."""
    if type(envelope) is not Encoded:
        raise WireError("outbound: not made by the encoder")
    return envelope.data
