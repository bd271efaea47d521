"""When to ask again, and how long to wait before: only where waiting can help, with jitter, and never for long."""

from __future__ import annotations

import email.utils
import math
import random
import time
from collections.abc import Mapping
from typing import Final

AGAIN: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Status codes after which the same request may succeed."""
FIRST: Final = 0.5
LONGEST: Final = 20.0
"""Seconds between two tries, at first and at most."""

_chance = random.SystemRandom()


def pause(attempt: int, headers: Mapping[str, str]) -> float | None:
    """Seconds to wait before the next try (from 0); None when the server wants longer than is sensible."""
    asked = _asked(headers)
    if asked is not None and asked > LONGEST:
        return None
    backoff = min(LONGEST, FIRST * 2.0 ** min(attempt, 16))
    return max(asked or 0.0, _chance.uniform(backoff / 2, backoff))


def _asked(headers: Mapping[str, str]) -> float | None:
    """What the server asks for: seconds, milliseconds or a date."""
    text = headers.get("retry-after-ms", "")
    seconds = _number(text)
    if seconds is not None:
        return seconds / 1000
    text = headers.get("retry-after", "")
    seconds = _number(text)
    if seconds is not None:
        return seconds
    if not text or len(text) > 64:
        return None
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError, OSError):
        return None


def _number(text: str) -> float | None:
    try:
        number = float(text[:32])
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
