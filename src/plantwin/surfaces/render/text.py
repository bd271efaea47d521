"""Text that is safe to show, and names for JSON: a hostile tree cannot speak to the terminal."""

from __future__ import annotations

import base64
from typing import Any

from plantwin.text import plural, printable, size

__all__ = ["path_fields", "plural", "printable", "size", "well_formed"]


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
