"""Text of two or four bytes a character: read as UTF-8, with offsets led back to the original bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.private.redact.context import Context
from plantwin.private.redact.resolve import Candidate

if TYPE_CHECKING:
    from plantwin.private.redact.engine import Detector


def wide_candidates(detector: Detector, data: bytes, base: int, context: Context, *, quiet: bool) -> list[Candidate]:
    """Candidates of wide text, in offsets of the data. `base` tells how the data is aligned."""
    codec = context.wide
    width = 4 if "32" in codec else 2
    skip = -base % width
    text = data[skip : skip + (len(data) - skip) // width * width].decode(codec, "replace")
    narrow = text.encode("utf-8", "replace")
    found = detector.candidates(narrow, context._replace(wide=""), quiet=quiet)
    if not found:
        return []
    places = sorted({place for each in found for place in (each.start, each.end)})
    back: dict[int, int] = {}
    wide_at = skip
    before = 0
    for place in places:
        part = narrow[before:place].decode("utf-8", "replace")
        wide_at += len(part.encode(codec, "replace"))
        back[place] = wide_at
        before = place
    return [each._replace(start=back[each.start], end=back[each.end]) for each in found]
