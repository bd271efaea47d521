"""The one form in which the trail's lines are written."""

from __future__ import annotations

import msgspec

_encoder = msgspec.json.Encoder(order="sorted")


def canonical_json(body: object) -> bytes:
    """Canonical JSON: sorted keys, no spaces."""
    return _encoder.encode(body)
