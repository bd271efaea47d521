"""Other readings of the same bytes: wrapped, escaped or split values, and wide characters.

A reading that finds a secret gives it the place of the bytes it was read from.
"""

from __future__ import annotations

import re
from binascii import Error as HexError
from binascii import unhexlify
from bisect import bisect_right
from collections.abc import Callable
from operator import itemgetter
from typing import TYPE_CHECKING

from plantwin.private.detect.allow import Candidate
from plantwin.private.detect.context import Context
from plantwin.private.detect.validators import decode64

if TYPE_CHECKING:
    from plantwin.private.detect.engine import Detector

Confirm = Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_HEX = re.compile(rb"[0-9a-fA-F]{40,8192}")
_FLAT = bytes(
    97 if number in _ALPHABET else 95 if number in b"_-" else 10 if number in b"\r\n" else 32 for number in range(256)
)
"""Letters of base64 to `a`, those of its other alphabet to `_`, ends of lines to themselves."""
_LEAST = b"a" * 40
_SOLID = re.compile(rb"a{1,1000000000}")
_BREAK = re.compile(rb"\n{1,2} {0,8}a")
_LINES = frozenset((60, 64, 72, 76))
_TEXT = bytes(range(32, 127)) + b"\t\r\n"
_LONGEST = 8192
_AROUND = 700
_OPERATOR = rb"(?:\+{1,2}|\.{1,2}|&|\|\||<>|~)"
"""What joins strings, in one language or another."""
_JOINT = re.compile(
    rb"[\"'][ \t]{0,4}"
    + _OPERATOR
    + rb"?[ \t]{0,4}[\\_]?(?:\r?\n[ \t]{0,60})?(?:"
    + _OPERATOR
    + rb"[ \t]{0,4})?[rbuf]?[\"']"
)
_RUN = _ALPHABET + b"_-="
_RIGHT = re.compile(rb"[A-Za-z0-9_\-/+=]{0,64}")
_DIGIT = re.compile(rb"\d")

_ALIKE = (
    "аaеeоoрpсcуyхxіiѕsјjкkмmтtнhвbАAВBЕEКKМMНHОOРPСCТTХXУYІIЅSЈJ"  # Cyrillic
    "ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοoνvαaρp"  # Greek
)
"""Each letter before the plain one that it looks like."""
_LOOKALIKE = {_ALIKE[place].encode(): _ALIKE[place + 1].encode() for place in range(0, len(_ALIKE), 2)}
_SPLICE = re.compile(
    rb"(?P<drop>\xe2\x80[\x8b-\x8f]|\xe2\x81\xa0|\xef\xbb\xbf|\xc2\xad|\\\r?\n[ \t]{0,40}"
    rb"|\\(?=/)|[\"'][ \t]{0,4}(?:"
    + _OPERATOR
    + rb"[ \t]{0,4})?[\\_]?(?:\r?\n[ \t]{0,60})?(?:"
    + _OPERATOR
    + rb"[ \t]{0,4})?"
    rb"[rbuf]?[\"'](?=[A-Za-z0-9_\-/+=]))"
    rb"|(?:\\(?:u00|x)|%|&\#[xX]|=(?=5[Ff]))(?P<code>[2-7][0-9A-Fa-f])(?:(?<=&\#x..);|(?<=&\#X..);)?"
    rb"|\\(?P<octal>[01][0-7]{2})|&\#(?P<decimal>[3-9]\d|1[0-2]\d);"
    rb"|(?P<wide>\xef\xbc[\x81-\xbf]|\xef\xbd[\x80-\x9e])"
    rb"|(?P<glyph>[\xce-\xd1][\x80-\xbf])"
)

_DISGUISE = re.compile(
    rb"%3[Aa]|\\/|\xe2\x80[\x8b-\x8f]|\xe2\x81\xa0|\xef\xbb\xbf|\xc2\xad|[\xce-\xd1][\x80-\xbf]|\xef[\xbc\xbd]"
)
"""Characters that nobody sees, or that look like others."""


def wrapped(detector: Detector, data: bytes, context: Context) -> list[Candidate]:
    """Secrets inside the base64 and hexadecimal runs of a block: each run, or lines of runs, is decoded once."""
    found: list[Candidate] = []
    flat = data.translate(_FLAT)
    place = flat.find(_LEAST)
    while place >= 0:
        start = place
        stop = _SOLID.match(flat, place).end()  # type: ignore[union-attr]
        if data[start : start + 2] in (b"0x", b"0X") and stop - start > 42:
            start = place = start + 2
        run = data[start : min(stop, start + _LONGEST)]
        # Encoders break lines: read on while full lines follow each other.
        while stop - place in _LINES and len(run) < _LONGEST and (after := _BREAK.match(flat, stop)):
            place = after.end() - 1
            stop = _SOLID.match(flat, place).end()  # type: ignore[union-attr]
            run += data[place : min(stop, place + _LONGEST)]
        if flat[stop : stop + 1] != b"_":
            one = _inside(detector, run[:_LONGEST], start, stop, data[stop : stop + 2], context)
            if one is not None:
                found.append(one)
        place = flat.find(_LEAST, stop)
    return found


def _inside(
    detector: Detector, run: bytes, start: int, stop: int, following: bytes, context: Context
) -> Candidate | None:
    """The surest secret in what a run decodes to, at the run's place."""
    inner = _decode(run, following)
    if inner is None:
        return None
    found = detector.candidates(inner, context._replace(prose=False, code=False, seen=None), nested=True)
    secrets = [finding for finding in found if finding.group == "secret" and finding.confidence != "low"]
    if not secrets:
        return None
    best = min(secrets, key=lambda secret: (secret.confidence != "high", secret.generic))
    return Candidate(start, stop, best.type, "secret", best.confidence, best.generic)


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
        if not _promising(data, end):
            return [], end
        start, stop = max(after, end - _AROUND), min(len(data), end + _AROUND)
        text, pieces = splice(data, start, stop)
        found = detector.candidates(text, context._replace(prose=False, seen=None), nested=True)
        out = []
        for finding in found:
            first, last = source(pieces, finding.start)[0], source(pieces, finding.end - 1)[1]
            # What crosses no joint was found in the plain reading already, unless its name was disguised.
            crosses = last - first != finding.end - finding.start
            if finding.group == "secret" and (crosses or _DISGUISE.search(data, max(start, first - 48), first)):
                out.append(finding._replace(start=first, end=last))
        return out, max(end, stop - _AROUND // 2)

    return confirm


def _promising(data: bytes, end: int) -> bool:
    """Whether the two sides of a joint make a run long and mixed enough for a secret; escapes always may."""
    joints = list(_JOINT.finditer(data, max(0, end - 96), min(len(data), end + 4)))
    if not joints:
        return True
    joint = joints[-1]
    head = data[max(0, joint.start() - 64) : joint.start()]
    left = head[len(head.rstrip(_RUN)) :]
    right = _RIGHT.match(data, joint.end())[0]  # type: ignore[index]
    both = left + right
    return len(both) >= 16 and (_DIGIT.search(both) is not None or not (both.islower() or both.isupper()))


Piece = tuple[int, int, int]
"""Where a piece of the plain reading starts, where what it comes from starts, and ends unless it is the same text."""


def splice(data: bytes, start: int, stop: int) -> tuple[bytes, list[Piece]]:
    """The plain reading of a part, and the pieces that it is made of."""
    out: list[bytes] = []
    pieces: list[Piece] = []
    offset, place = 0, start
    for match in _SPLICE.finditer(data, start, stop):
        first, last = match.span()
        plain = _plain(match)
        pieces.append((offset, place, 0))
        offset += first - place
        pieces.append((offset, first, last))
        offset += len(plain)
        out += (data[place:first], plain)
        place = last
    out.append(data[place:stop])
    pieces.append((offset, place, 0))
    return b"".join(out), pieces


def source(pieces: list[Piece], at: int) -> tuple[int, int]:
    """Where what a byte of the plain reading comes from starts and ends."""
    offset, place, end = pieces[bisect_right(pieces, at, key=itemgetter(0)) - 1]
    return (place, end) if end else (place + at - offset, place + at - offset + 1)


def _plain(match: re.Match[bytes]) -> bytes:
    if match["drop"] is not None:
        return b""
    if match["code"] is not None:
        return bytes((int(match["code"], 16),))
    if match["octal"] is not None:
        return bytes((int(match["octal"], 8),))
    if match["decimal"] is not None:
        return bytes((int(match["decimal"]),))
    if match["wide"] is not None:
        return chr(ord(match["wide"].decode()) - 0xFEE0).encode()
    return _LOOKALIKE.get(match["glyph"], match["glyph"])


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
    places = sorted({place for finding in found for place in (finding.start, finding.end)})
    back: dict[int, int] = {}
    wide_at = skip
    before = 0
    for place in places:
        part = narrow[before:place].decode("utf-8", "replace")
        wide_at += len(part.encode(codec, "replace"))
        back[place] = wide_at
        before = place
    return [finding._replace(start=back[finding.start], end=back[finding.end]) for finding in found]
