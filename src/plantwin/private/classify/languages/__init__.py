"""Outlines of source code: which reader a format has. Adding a language is adding its definition and its row here."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from plantwin.private.classify.languages.builder import OutlineBuilder
from plantwin.private.facts import Outline

__all__ = ["CODE_FORMATS", "outline_code"]

Reader = tuple[str, Callable[[OutlineBuilder, bytes], bool]]
"""Ecosystem, and the function that reads source into an outline and says whether it parsed."""

_MODULES: dict[str, str] = {
    "compiled": "c cpp csharp go java kotlin rust scala",
    "declarative": "hcl sql",
    "javascript": "javascript jsx typescript tsx vue svelte",
    "markup": "html css",
    "python": "python",
    "scripting": "generic php ruby shell",
}
_MODULE_OF = {form: module for module, formats in _MODULES.items() for form in formats.split()}
CODE_FORMATS: frozenset[str] = frozenset(_MODULE_OF)
_BOM = b"\xef\xbb\xbf"
_BINARY_LIMIT = 32 * 1024


@cache
def _reader(format: str) -> Reader:
    module = import_module(f"plantwin.private.classify.languages.{_MODULE_OF[format]}")
    reader: Reader = module.reader(format)
    return reader


def outline_code(format: str, data: bytes, path: str) -> Outline:
    """Outline source code. Any format that has no reader of its own is read by generic line rules."""
    lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    if format not in CODE_FORMATS:
        format = "generic"
    if b"\0" in data[:_BINARY_LIMIT]:
        return Outline(format=format, parsed=False, lines=lines)
    ecosystem, read = _reader(format)
    builder = OutlineBuilder(ecosystem, path)
    parsed = read(builder, data.removeprefix(_BOM))
    return builder.finish(format, lines, parsed)
