r"""Regular expressions that mean the same on every Python from 3.11 on.

Before Python 3.11.5 a group that is repeated possessively, such as `(?:ab?c)*+`, could end in the middle of a
repetition that failed. There every such group is given a last alternative that never matches, `(?:ab?c|(?!))*+`:
trying it puts the place back to where the repetition began.
"""

from __future__ import annotations

import re
import sys
from typing import AnyStr, Final

SOUND: Final = sys.version_info >= (3, 11, 5)
"""Whether this Python repeats groups possessively as it should."""

_tokens = re.compile(
    rb"(?P<skip>\\.|\[\^?\]?(?:[^\\\]]|\\.)*\])|(?P<open>\()|(?P<close>\))(?P<possessive>(?:[*+?]|\{[0-9]*,?[0-9]*\})\+)?",
    re.DOTALL,
)


def compile(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`."""
    return re.compile(pattern if SOUND else repaired(pattern), flags)


def repaired(pattern: AnyStr) -> AnyStr:
    """The same expression, for a Python whose possessive groups need help. Not for verbose expressions."""
    if isinstance(pattern, str):
        return _repaired(pattern.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")
    return _repaired(pattern)


def _repaired(pattern: bytes) -> bytes:
    made: list[bytes] = []
    end = 0
    for token in _tokens.finditer(pattern):
        if token["possessive"]:
            made += pattern[end : token.start()], b"|(?!)"
            end = token.start()
    return b"".join((*made, pattern[end:]))
