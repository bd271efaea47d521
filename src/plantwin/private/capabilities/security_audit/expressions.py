"""Find where an argument and a value end in masked source."""

from __future__ import annotations

import re

from plantwin.private.formats.source_views import Views

_MARKS = re.compile(rb"[()\[\]{},;\n]")
_GOES_ON = re.compile(rb"(?:[+.,(\[{?:|&=%]|\|\||&&|\bconcat)\s*$")
_STARTS_ON = re.compile(rb"\s*(?:[+.?:|&]|\)|%s)")
LONGEST_VALUE = 1200


def first_argument(code: bytes) -> bytes:
    """Return the text up to the first comma that stands outside of brackets."""
    depth = 0
    for match in _MARKS.finditer(code):
        if match[0] in b"([{":
            depth += 1
        elif match[0] in b")]}":
            depth -= 1
        elif match[0] == b"," and depth == 0:
            return code[: match.start()]
    return code


def value_at(source: Views, start: int) -> tuple[bytes, bytes]:
    """Return the value of an assignment: to the end of its statement, over a few lines where it goes on."""
    end = limit = min(len(source.code), start + LONGEST_VALUE)
    depth = 0
    for match in _MARKS.finditer(source.code, start, limit):
        mark, offset = match[0], match.start()
        if mark in b"([{":
            depth += 1
        elif mark in b")]}":
            depth -= 1
            if depth < 0:
                end = offset
                break
        elif depth == 0 and mark != b"," and (mark == b";" or not _continues(source, start, offset)):
            end = offset
            break
    return source.code[start:end], source.full[start:end]


def _continues(source: Views, start: int, end: int) -> bool:
    """Whether the statement goes on behind the end of this line."""
    inside = source.full.count(b"`", start, end) % 2
    before, after = source.code[max(start, end - 20) : end], source.code[end + 1 : end + 80]
    return bool(inside or _GOES_ON.search(before) or _STARTS_ON.match(after))
