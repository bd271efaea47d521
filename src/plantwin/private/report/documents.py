"""Documents that a step made, out of its result. Names and bytes come from a worker, so neither is trusted.

A result holds them in `facts["documents"]`: `{"name", "text"}`, or `{"name", "base64"}` where the bytes are no UTF-8.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

MOST = 8
"""Documents of one step."""
LONGEST = 60
"""Characters of a name."""
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def documents(result: Any) -> list[tuple[str, bytes]]:
    """Name and bytes of each document of a result; what has not this form is none."""
    facts = getattr(result, "facts", None)
    listed = facts.get("documents") if isinstance(facts, dict) else None
    found: list[tuple[str, bytes]] = []
    for each in listed[:MOST] if isinstance(listed, list) else ():
        data = _data(each) if isinstance(each, dict) else None
        if data is None:
            continue
        name = safe_name(str(each.get("name", "")))
        taken = {known for known, _ in found}
        while name in taken:
            name = f"{len(taken)}-{name}"
        found.append((name, data))
    return found


def safe_name(name: str) -> str:
    """The last part of a name, in characters that mean nothing to a shell or a file system."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return _UNSAFE.sub("_", last).strip("._-")[-LONGEST:].lstrip("._-") or "document"


def _data(each: dict[str, object]) -> bytes | None:
    text, packed = each.get("text"), each.get("base64")
    if isinstance(text, str):
        return text.encode("utf-8", "backslashreplace")
    try:
        return base64.b64decode(packed, validate=True) if isinstance(packed, str) else None
    except (binascii.Error, ValueError):
        return None
