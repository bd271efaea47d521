"""Bytes to text, whatever the encoding: bounded, and never an error."""

from __future__ import annotations

from plantwin.private.facts import Sample

LIMIT = 1 << 20
"""Most bytes of a head that any reader looks at."""
READ = 256 << 10
"""Most bytes that a line reader looks at."""
DOCUMENT = 96 << 10
"""Most bytes of a document: its structure repeats long before."""


def decode(data: bytes) -> str:
    """Text of UTF-8, UTF-16 or UTF-32 bytes; anything else reads as Latin-1, so that ASCII structure survives."""
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    elif data.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        return data.decode("utf-32", "replace")
    elif data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    elif b"\x00" in data[:64]:
        guess = _wide(data[:64])
        if guess:
            return data.decode(guess, "replace")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        # A window may be cut inside its last character: that alone does not make it Latin-1.
        if len(data) - error.start < 4 and error.reason == "unexpected end of data":
            text = data[: error.start].decode("utf-8")
        else:
            text = data.decode("latin-1")
    return text.replace("\x00", "") if "\x00" in text else text


def _wide(start: bytes) -> str:
    """Return the byte order of UTF-16 without a mark: every second byte of ASCII text is zero."""
    even, odd = start[0::2].count(0), start[1::2].count(0)
    half = len(start) // 2
    if odd * 10 >= half * 8 and even * 10 < half:
        return "utf-16-le"
    if even * 10 >= half * 8 and odd * 10 < half:
        return "utf-16-be"
    return ""


def head_text(sample: Sample, limit: int = READ) -> str:
    """Return the head as text; of a longer one its first part, cut at a line end where there is one near."""
    data = sample.head
    if len(data) > limit:
        end = data.rfind(b"\n", limit // 2, limit)
        data = data[: end + 1] if end >= 0 else data[:limit]
    text = decode(data)
    return text.replace("\r\n", "\n") if "\r\n" in text else text


def complete(sample: Sample, limit: int) -> bool:
    """Return whether a reader that stops at `limit` bytes sees the whole file."""
    return sample.whole and len(sample.head) <= limit


def count_lines(data: bytes) -> int:
    """Return how many lines a text has, as an editor counts them."""
    lines = data.count(b"\n")
    return lines if data.endswith(b"\n") or not data else lines + 1
