"""The seam to a planner: an interface, and the checks that all implementations share.

A planner is a class with one method, `plan`. One that sends bytes of its own making around the envelopes (a prompt,
an HTTP body, a program's input) is also `Witnessed`: it hands exactly those bytes to its witness first, and sends
nothing when the witness raises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from plantwin.boundary.release import Released
from plantwin.errors import WireError

Witness = Callable[[bytes, str, str], None]
"""Records bytes that are about to be sent, where to, and which version of the skill is in them; raises if it cannot."""


HERE = "on this machine; it sends nothing to anybody"
PORT = "sent to a port of this machine; where that leads PlanTwin cannot know"
REMOTE = "REMOTE"


class Planner(Protocol):
    """Serves one session: remembers what it was told, and answers each turn with the bytes of a plan.

    It may have `sends`, False only where PlanTwin itself can tell that nothing reaches anybody: one that answers from
    rules, a file, or a model that PlanTwin started. A planner that does not say counts as one that sends.
    """

    name: str
    """As the person names it: `offline`, `scripted:FILE`."""
    audience: str
    """The provider who learns what is sent."""
    locality: str
    """`local` when it is reached on this machine, else `remote`. A local one may still lead elsewhere: see `sends`."""

    def plan(self, envelopes: Sequence[Released]) -> bytes:
        """Send the envelopes of this turn and return the answer, unparsed. Raises `PlannerError`."""
        ...


def sends(planner: Planner) -> bool:
    """Whether what it is told may reach anybody."""
    return getattr(planner, "sends", True) is not False


def reach(planner: Planner) -> str:
    """What is known of where it sends, in words for the person."""
    if planner.locality != "local":
        return REMOTE
    return PORT if sends(planner) else HERE


class Witnessed:
    """A planner that sends bytes of its own making. Until a session gives it a witness, it sends nothing."""

    def __init__(self) -> None:
        self.witness: Witness = unwitnessed


def unwitnessed(data: bytes, origin: str, skill: str) -> None:
    """The witness of a planner that has none."""
    raise WireError("outbound: no witness records what is sent")


def outbound(envelope: Released) -> bytes:
    """The bytes to send. Every planner takes them from here: nothing leaves that the ledger does not hold."""
    if type(envelope) is not Released or not envelope.receipt.number:
        raise WireError("outbound: not recorded in the ledger")
    return envelope.data
