"""The seam to a planner: an interface, and the one check that all implementations share."""

from __future__ import annotations

from typing import Protocol

from plantwin.boundary.wire import Encoded
from plantwin.errors import WireError


class Planner(Protocol):
    """Answers an envelope with the bytes of a plan."""

    def plan(self, envelope: Encoded) -> bytes:
        """Send the envelope and return the answer, unparsed."""
        ...


def outbound(envelope: Encoded) -> bytes:
    """The bytes to send. Every planner takes them from here: nothing but encoded envelopes leaves."""
    if type(envelope) is not Encoded:
        raise WireError("outbound: not made by the encoder")
    return envelope.data
