"""The decoder for what comes back: bounded before it is parsed, closed when it is."""

from __future__ import annotations

from typing import Final

import msgspec

from plantwin.errors import WireError
from plantwin.types.plan import Plan

MAX_ANSWER_BYTES: Final = 65_536
MAX_ANSWER_DEPTH: Final = 8

_decoder = msgspec.json.Decoder(Plan, strict=True)


def decode_plan(data: bytes) -> Plan:
    """A plan, or a `WireError` that quotes nothing of the answer."""
    if type(data) is not bytes:
        raise WireError("answer: not bytes")
    if len(data) > MAX_ANSWER_BYTES:
        raise WireError(f"answer: over {MAX_ANSWER_BYTES} bytes")
    if _depth(data) > MAX_ANSWER_DEPTH:
        raise WireError(f"answer: nested deeper than {MAX_ANSWER_DEPTH}")
    try:
        return _decoder.decode(data)
    except msgspec.ValidationError:
        raise WireError("answer: not a plan") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise WireError("answer: not JSON") from None


def _depth(data: bytes) -> int:
    """The deepest nesting of brackets outside strings, found without parsing."""
    deepest = depth = 0
    inside = escaped = False
    for byte in data:
        if inside:
            if escaped:
                escaped = False
            elif byte == 0x5C:
                escaped = True
            elif byte == 0x22:
                inside = False
        elif byte == 0x22:
            inside = True
        elif byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest
