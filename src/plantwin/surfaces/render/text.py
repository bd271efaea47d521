"""Text that is safe to show: names from a hostile tree cannot speak to the terminal."""

from __future__ import annotations

import base64
from typing import Any


def printable(text: str) -> str:
    r"""The text on one line, with control, format and undecodable characters written as escapes.

    Backslashes are doubled, so that two different names never look the same.
    """
    if text.isprintable() and "\\" not in text:
        return text
    return "".join(map(_escape, text))


def _escape(character: str) -> str:
    if character == "\\":
        return "\\\\"
    if character.isprintable():
        return character
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # an undecodable byte, as `os.fsdecode` marks it
        return f"\\x{code - 0xDC00:02x}"
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def path_fields(path: str, name: str = "path") -> dict[str, Any]:
    """A path for JSON: valid Unicode, and the exact bytes in base64 beside it where it is not."""
    if _sound(path):
        return {name: path}
    exact = _bytes(path)
    return {name: exact.decode("utf-8", "replace"), f"{name}_bytes": base64.b64encode(exact).decode("ascii")}


def well_formed(text: str) -> str:
    """The text without lone surrogates, which no JSON reader is bound to accept."""
    return text if _sound(text) else _bytes(text).decode("utf-8", "replace")


def _sound(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _bytes(text: str) -> bytes:
    """The bytes that `os.fsdecode` made the text from; other surrogates keep their own three bytes."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def plural(number: int, noun: str, nouns: str = "") -> str:
    """A number with its noun: `1 file`, `12,930 files`."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def size(number: float) -> str:
    """A number of bytes for people: `1.2 MB`."""
    if number < 1000:
        return plural(int(number), "byte")
    for unit in ("kB", "MB"):
        number /= 1000
        if number < 1000:
            return f"{number:,.1f} {unit}"
    return f"{number / 1000:,.1f} GB"
