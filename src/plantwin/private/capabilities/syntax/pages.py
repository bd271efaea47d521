"""The scripts of pages and the code of notebooks, with everything else blank so that lines stay what they are."""

from __future__ import annotations

import re
from typing import NamedTuple

_SCRIPT = re.compile(r"<script\b([^>]{0,300})>", re.IGNORECASE)
_OTHER = re.compile(
    r"\btype\s*=\s*[\"']?(?!module|text/javascript|application/javascript|text/babel|text/ecmascript|text/typescript)[\w/+-]+"
)
_TYPED = re.compile(r"\blang\s*=\s*[\"']?tsx?\b")
PAGES = frozenset(("vue", "svelte", "html"))


class Script(NamedTuple):
    """The code of a page, and the format by which it is parsed."""

    text: str
    format: str

    def __repr__(self) -> str:
        return "<Script private>"


def script_of(format: str, text: str) -> Script:
    """The scripts of a page."""
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
