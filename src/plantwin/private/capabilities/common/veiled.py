"""The text of an object with its secrets masked, line for line, for results that quote it."""

from __future__ import annotations

from plantwin.private.capabilities.common.source import Source, decoded
from plantwin.private.redact.engine import Detector
from plantwin.private.redact.located import located
from plantwin.private.redact.masking import HIDDEN, preview


def veiled(detector: Detector, each: Source) -> str:
    """The examined text; every secret is masked and keeps its lines."""
    if each.binary or each.data.startswith((b"\xff\xfe", b"\xfe\xff")) or not each.text:
        return each.text
    parts: list[bytes] = []
    at = 0
    for one in located(detector, [each.data], each.input.name, cells=True):
        if one.group != "secret" or one.confidence == "low" or one.name or one.byte_start < at:
            continue
        lines = one.value.count("\n")
        mask = HIDDEN + "\n" * lines if lines else preview(one.value)
        parts += (each.data[at : one.byte_start], mask.encode("utf-8", "replace"))
        at = one.byte_end
    return decoded(b"".join((*parts, each.data[at:]))) if parts else each.text
