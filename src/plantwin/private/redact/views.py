"""Other readings of the same bytes: what is wrapped, escaped or split is unwrapped once and looked at again.

A reading that finds a secret gives it the place of the bytes it was read from.
"""

from __future__ import annotations

import re
from binascii import Error as HexError
from binascii import unhexlify
from collections.abc import Callable
from typing import TYPE_CHECKING

from plantwin.private.redact.context import Context
from plantwin.private.redact.resolve import Candidate
from plantwin.private.redact.validators import decode64

if TYPE_CHECKING:
    from plantwin.private.redact.engine import Detector

Confirm = Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_HEX = re.compile(rb"[0-9a-fA-F]{40,8192}")
_TEXT = bytes(range(32, 127)) + b"\t\r\n"
_LONGEST = 8192
_AROUND = 700

_ALIKE = (
    "аaеeоoрpсcуyхxіiѕsјjкkмmтtнhвbАAВBЕEКKМMНHОOРPСCТTХXУYІIЅSЈJ"  # Cyrillic
    "ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοoνvαaρp"  # Greek
)
"""Each letter before the plain one that it looks like."""
_LOOKALIKE = {_ALIKE[place].encode(): _ALIKE[place + 1].encode() for place in range(0, len(_ALIKE), 2)}
_SPLICE = re.compile(
    rb"(?P<drop>\xe2\x80[\x8b-\x8f]|\xe2\x81\xa0|\xef\xbb\xbf|\xc2\xad|\\\r?\n[ \t]{0,40}"
    rb"|[\"'][ \t]{0,4}(?:[+.&][ \t]{0,4})?\\?(?:\r?\n[ \t]{0,60})?(?:[+.&][ \t]{0,4})?[rbuf]?[\"']"
    rb"(?=[A-Za-z0-9_\-/+=]))"
    rb"|\\(?:u00|x)(?P<code>[2-7][0-9A-Fa-f])"
    rb"|(?P<wide>\xef\xbc[\x81-\xbf]|\xef\xbd[\x80-\x9e])"
    rb"|(?P<glyph>[\xce-\xd1][\x80-\xbf])"
)


def wrapped(detector: Detector) -> Confirm:
    """A function that decodes the base64 or hexadecimal run before the end of a hit."""

    def confirm(data: bytes, end: int, after: int, context: Context) -> tuple[list[Candidate], int]:
        stop = end if data[end - 1] in _ALPHABET else end - 1
        window = data[max(after, stop - _LONGEST) : stop]
        run = window[len(window.rstrip(_ALPHABET)) :]
        start = stop - len(run)
        inner = _decode(run, data[stop : stop + 2])
        if inner is None:
            return [], end
        found = detector.candidates(inner, context._replace(prose=False, code=False), nested=True)
        secrets = [each for each in found if each.group == "secret" and each.confidence != "low"]
        if not secrets:
            return [], end
        best = min(secrets, key=lambda each: (each.confidence != "high", each.generic))
        return [Candidate(start, stop, best.type, "secret", best.confidence, best.generic)], end

    return confirm


def _decode(run: bytes, following: bytes) -> bytes | None:
    """The text inside a run, if it is text."""
    if not 40 <= len(run) <= _LONGEST:
        return None
    if _HEX.fullmatch(run):
        if not b"2" <= run[:1] <= b"7":
            return None
        try:
            inner = unhexlify(run[: len(run) & ~1])
        except HexError:
            return None
    else:
        head = decode64(run[:8])
        if head is None or head.translate(None, _TEXT):
            return None
        padding = b"=" * (len(following) - len(following.lstrip(b"=")))
        decoded = decode64(run + padding if (len(run) + len(padding)) % 4 == 0 else run[: len(run) // 4 * 4])
        if decoded is None:
            return None
        inner = decoded
    return None if inner.translate(None, _TEXT) else inner


def spliced(detector: Detector) -> Confirm:
    """A function that reads the lines around a hit without joints, escapes and lookalikes."""

    def confirm(data: bytes, end: int, after: int, context: Context) -> tuple[list[Candidate], int]:
        start, stop = max(after, end - _AROUND), min(len(data), end + _AROUND)
        text, places = splice(data, start, stop)
        found = detector.candidates(text, context._replace(prose=False), nested=True)
        out = []
        for each in found:
            first, last = places[each.start], places[each.end - 1] + 1
            # What crosses no joint was found in the plain reading already.
            if each.group == "secret" and last - first != each.end - each.start:
                out.append(each._replace(start=first, end=last))
        return out, max(end, stop - _AROUND // 2)

    return confirm


def splice(data: bytes, start: int, stop: int) -> tuple[bytes, list[int]]:
    """The plain reading of a part, and for each of its bytes the place it comes from."""
    out: list[bytes] = []
    places: list[int] = []
    place = start
    for match in _SPLICE.finditer(data, start, stop):
        out.append(data[place : match.start()])
        places += range(place, match.start())
        plain = _plain(match)
        out.append(plain)
        places += [match.start()] * len(plain)
        place = match.end()
    out.append(data[place:stop])
    places += range(place, stop)
    return b"".join(out), places


def _plain(match: re.Match[bytes]) -> bytes:
    if match["drop"] is not None:
        return b""
    if match["code"] is not None:
        return bytes((int(match["code"], 16),))
    if match["wide"] is not None:
        return chr(ord(match["wide"].decode()) - 0xFEE0).encode()
    return _LOOKALIKE.get(match["glyph"], match["glyph"])
