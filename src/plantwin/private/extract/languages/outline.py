"""`outline_code`: which reader a format has. Adding a language is adding its file and its row here."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from plantwin.private.facts import Outline

_MODULES: dict[str, str] = {
    "python": "python",
    "javascript": "javascript",
    "jsx": "javascript",
    "typescript": "javascript",
    "tsx": "javascript",
    "vue": "components",
    "svelte": "components",
    "go": "golang",
    "java": "jvm",
    "kotlin": "jvm",
    "scala": "jvm",
    "ruby": "ruby",
    "rust": "rust",
    "c": "cfamily",
    "cpp": "cfamily",
    "csharp": "csharp",
    "php": "php",
    "sql": "sql",
    "shell": "shell",
    "hcl": "hcl",
    "html": "html",
    "css": "css",
    "generic": "generic",
}
CODE_FORMATS: frozenset[str] = frozenset(_MODULES)


@cache
def _reader(format: str) -> Callable[[bytes, str], Outline]:
    module = import_module(f"plantwin.private.extract.languages.{_MODULES.get(format, 'generic')}")
    readers: dict[str, Callable[[bytes, str], Outline]] = module.READERS
    return readers.get(format) or readers["generic"]


def outline_code(format: str, data: bytes, path: str) -> Outline:
    """Outline source code. Any format that has no reader of its own is read by generic line rules."""
    return _reader(format if format in _MODULES else "generic")(data, path)
