"""Imports of Java, Kotlin and PHP that nothing uses: only what can be decided in one file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.lint.rules import found
from plantwin.private.formats.syntax_tree import text, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_OPERATOR_FUNCTIONS = re.compile(
    "getValue|setValue|provideDelegate|plus|minus|times|div|invoke|contains|iterator|get|set|rangeTo|compareTo|unaryMinus"
    "|plusAssign|minusAssign|component[12]"
)
"""Functions of Kotlin that operators call without naming them."""
_IMPORTS = {"java": "import_declaration", "kotlin": "import", "php": "namespace_use_clause"}


def findings(format: str, root: Node, source: str) -> Iterator[Finding]:
    """Find imports whose word stands nowhere else, comments included: documentation may need it."""
    kind = _IMPORTS.get(format)
    imports = [(node, name) for node in walk(root) if node.type == kind and (name := _last_name(node))] if kind else []
    in_imports = Counter(word for node, _ in imports for word in _WORD.findall(text(node, 400)))
    everywhere = Counter(_WORD.findall(source)) if imports else Counter[str]()
    for node, name in imports:
        if everywhere[name] <= in_imports[name]:
            yield found("CODE-UNUSED-IMPORT", node, name=name[:80])


def _last_name(node: Node) -> str:
    """Return the name that an import brings in; none where everything comes."""
    shown = text(node, 400)
    if "*" in shown or "{" in shown:
        return ""
    alias = re.search(r"\bas\s+(\w+)", shown)
    if alias:
        return alias[1]
    word = (_WORD.findall(shown) or [""])[-1]
    return "" if word in ("import", "static") or _OPERATOR_FUNCTIONS.fullmatch(word) else word
