"""Bytes to text, whatever the encoding: bounded, and never an error."""

from __future__ import annotations

from plantwin.private.facts import Sample

LIMIT = 1 << 20
"""Most bytes of a head that any reader looks at."""
READ = 256 << 10
"""Most bytes that a line reader looks at."""
DOCUMENT = 96 << 10
"""Most bytes of a document: its structure repeats long before."""
_CONTROL = bytes(b for b in range(32) if b not in (9, 10, 11, 12, 13, 27))


def decode(data: bytes) -> str:
    """Text of UTF-8, UTF-16 or UTF-32 bytes; anything else reads as Latin-1, so that ASCII structure survives."""
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    elif codec := wide(data):
        return data.decode(codec, "replace")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        # A window may be cut inside its last character: that alone does not make it Latin-1.
        if len(data) - error.start < 4 and error.reason == "unexpected end of data":
            text = data[: error.start].decode("utf-8")
        else:
            text = data.decode("latin-1")
    return text.replace("\x00", "") if "\x00" in text else text


def wide(head: bytes) -> str:
    """Return the codec of UTF-16 or UTF-32 text, by its mark or by where its zero bytes fall."""
    if head.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "utf-32"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    part = head[:512]
    if len(part) < 16 or 0 not in part:
        return ""
    even, odd = part[0::2].count(0), part[1::2].count(0)
    half = len(part) // 2
    if odd > half * 0.8 and even <= half * 0.05:
        return "utf-16-le"
    if even > half * 0.8 and odd <= half * 0.05:
        return "utf-16-be"
    return ""


def narrow(data: bytes, codec: str) -> bytes:
    """Return text of a wide encoding as UTF-8; what does not decode is replaced."""
    width = 4 if codec == "utf-32" else 2
    text = data[: len(data) - len(data) % width].decode(codec, "replace")
    return text.removeprefix("\ufeff").encode("utf-8", "replace")


def binary(head: bytes) -> bool:
    """Return whether the bytes are no text in any encoding that is read here."""
    part = head[:1024]
    if 0 in part:
        return True
    return bool(part) and len(part) - len(part.translate(None, _CONTROL)) > len(part) // 20


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
