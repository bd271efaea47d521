"""The seam to a planner: an interface, and the checks that all implementations share.

A planner is a class with one method, `plan`. One that sends bytes of its own making around the envelopes (a prompt,
an HTTP body, a program's input) is also `Witnessed`: it hands exactly those bytes to its witness first, and sends
nothing when the witness raises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from plantwin.boundary.wire import Encoded
from plantwin.errors import WireError

Witness = Callable[[bytes, str, str], None]
"""Records bytes that are about to be sent, where to, and which version of the skill is in them; raises if it cannot."""


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


class Witnessed:
    """A planner that sends bytes of its own making. Until a session gives it a witness, it sends nothing."""

    def __init__(self) -> None:
        self.witness: Witness = unwitnessed


def unwitnessed(data: bytes, origin: str, skill: str) -> None:
    """The witness of a planner that has none."""
    raise WireError("outbound: no witness records what is sent")


def outbound(envelope: Encoded) -> bytes:
    """The bytes to send. Every planner takes them from here: nothing but encoded envelopes leaves."""
    if type(envelope) is not Encoded:
        raise WireError("outbound: not made by the encoder")
    return envelope.data
