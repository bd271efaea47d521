"""Envelopes as a release hands them out, without a session: what planners take."""

from __future__ import annotations

from plantwin.boundary import release
from plantwin.boundary.wire import encode, encode_verbatim
from plantwin.types.envelope import Envelope
from plantwin.types.goal import Verbatim
from plantwin.types.ledger import Receipt


def released(envelope: Envelope | Verbatim) -> release.Released:
    """As if the first line of a ledger held it."""
    encoded = encode_verbatim(envelope) if isinstance(envelope, Verbatim) else encode(envelope)
    return release.Released(encoded, Receipt(1, bytes(32)), release._seal)
