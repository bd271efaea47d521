"""Source text in two views of equal length: without comments, and without the insides of strings as well.

Offsets and lines are the same in all of them, so a rule looks for a call where only code is left and reads
the call's arguments where strings still stand.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from plantwin.private.classify.languages import masks
from plantwin.private.classify.languages.masks import Mask

MASKS: dict[str, Mask] = {
    "javascript": masks.SCRIPT,
    "jsx": masks.SCRIPT,
    "typescript": masks.SCRIPT,
    "tsx": masks.SCRIPT,
    "vue": masks.SCRIPT,
    "svelte": masks.SCRIPT,
    "java": masks.BRACES,
    "kotlin": masks.BRACES,
    "scala": masks.BRACES,
    "go": masks.GO,
    "ruby": masks.RUBY,
    "php": masks.PHP,
    "csharp": masks.CSHARP,
    "rust": masks.RUST,
    "shell": masks.SHELL,
    "c": masks.CPP,
    "cpp": masks.CPP,
    "sql": masks.SQL,
    "hcl": masks.HCL,
    "python": masks.PYTHON,
}
_INSIDE = re.compile(rb"[^\n]")
LONGEST_CALL = 1200


class Views(NamedTuple):
    """One text, three ways."""

    raw: bytes
    code: bytes
    """Comments and the insides of strings are blank."""
    full: bytes
    """Comments are blank."""
    starts: list[int]

    def line(self, offset: int) -> int:
        """Return the line of an offset, from one."""
        return bisect_right(self.starts, offset)

    def arguments(self, opening: int) -> tuple[bytes, bytes]:
        """Return what stands between a bracket and its partner: as code, and with strings."""
        depth, end = 0, min(len(self.code), opening + LONGEST_CALL)
        for match in _BRACKETS.finditer(self.code, opening, end):
            depth += 1 if match[0] in b"([{" else -1
            if depth == 0:
                end = match.start()
                break
        return self.code[opening + 1 : end], self.full[opening + 1 : end]


_BRACKETS = re.compile(rb"[()\[\]{}]")


def views(format: str, data: bytes) -> Views:
    """Take a text apart."""
    mask = MASKS[format]
    comments = mask.comments
    code: list[bytes] = []
    full: list[bytes] = []
    at = 0
    for match in mask.pattern.finditer(data):
        start, end = match.span()
        between = data[at:start]
        token = match[0]
        blank = _INSIDE.sub(b" ", token)
        code.append(between)
        full.append(between)
        if token[0] in comments:
            code.append(blank)
            full.append(blank)
        else:
            quote = token[:1]
            closing = token[-1:] if len(token) > 1 else b""
            code.append(quote + blank[1 : len(token) - len(closing)] + closing)
            full.append(token)
        at = end
    code.append(data[at:])
    full.append(data[at:])
    starts = [0]
    starts += [match.end() for match in re.finditer(rb"\n", data)]
    return Views(data, b"".join(code), b"".join(full), starts)


_SCRIPT = re.compile(r"<script\b([^>]{0,300})>", re.IGNORECASE)
_OTHER = re.compile(
    r"\btype\s*=\s*[\"']?(?!module|text/javascript|application/javascript|text/babel|text/ecmascript|text/typescript)[\w/+-]+"
)
_TYPED = re.compile(r"\blang\s*=\s*[\"']?tsx?\b")
PAGES = frozenset(("vue", "svelte", "html"))


class Script(NamedTuple):
    """The scripts of a page with everything else blank, and the format by which they are parsed."""

    text: str
    format: str

    def __repr__(self) -> str:
        return "<Script private>"


def script_of(format: str, text: str) -> Script:
    """Return the scripts of a page."""
    parts: list[str] = []
    at, typed = 0, format == "vue"
    for match in _SCRIPT.finditer(text):
        if match.start() < at or _OTHER.search(match[1]):
            continue
        end = text.find("</script", match.end())
        end = len(text) if end < 0 else end
        typed = typed or _TYPED.search(match[1]) is not None
        parts += [re.sub(r"[^\n]", " ", text[at : match.end()]), text[match.end() : end]]
        at = end
    return Script("".join(parts), "typescript" if typed else "javascript")
