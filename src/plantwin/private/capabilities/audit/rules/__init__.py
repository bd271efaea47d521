"""Rules by language: one file each, found through one table."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from plantwin.private.capabilities.audit.lines import Language

_MODULES: dict[str, str] = {
    "javascript": "javascript",
    "jsx": "javascript",
    "typescript": "javascript",
    "tsx": "javascript",
    "vue": "javascript",
    "svelte": "javascript",
    "java": "java",
    "kotlin": "java",
    "scala": "java",
    "go": "golang",
    "ruby": "ruby",
    "php": "php",
    "csharp": "csharp",
    "rust": "rust",
    "shell": "shell",
    "c": "native",
    "cpp": "native",
    "sql": "sql",
    "python": "snippets",
}
FORMATS = frozenset(_MODULES)


@cache
def language(format: str) -> Language:
    """The rules of one format."""
    found: Language = import_module(f"{__name__}.{_MODULES[format]}").LANGUAGE
    return found
