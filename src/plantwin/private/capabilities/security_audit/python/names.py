"""Names in a syntax tree: what a callee is called in full, and what a value's name tells."""

from __future__ import annotations

import ast
import re

from plantwin.private.formats.lexicon import beside

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
WORDS = {name: frozenset(values) for name, values in beside(__file__, "words.toml").items()}
"""The lists of `words.toml`."""


def words(name: str) -> list[str]:
    """Return the lower-case words of an identifier: `resetToken` and `RESET_TOKEN` have the same two."""
    return [word.lower() for word in _WORD.findall(name[:200])]


def dotted(node: ast.expr) -> str:
    """Return `a.b.c` of an attribute chain; a call or subscript inside it is passed through as `()`/`[]`."""
    parts: list[str] = []
    while True:
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            parts.append("()")
            node = node.func
        elif isinstance(node, ast.Subscript):
            parts.append("[]")
            node = node.value
        elif isinstance(node, ast.Await):
            node = node.value
        else:
            parts.append(node.id if isinstance(node, ast.Name) else "?")
            return ".".join(reversed(parts))


def last(name: str) -> str:
    """Return the last part of a dotted name."""
    return name.rpartition(".")[2]


def terminal(node: ast.expr) -> str:
    """Return the last identifier that names a value: of `card["number"]` it is `card_number`."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript):
        inner, key = terminal(node.value), constant_text(node.slice)
        return f"{inner}_{key}" if key else inner
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            method = node.func.attr
            if method in ("get", "pop", "getenv") and node.args and constant_text(node.args[0]):
                return constant_text(node.args[0])
            if method in ("encode", "decode", "strip"):
                return terminal(node.func.value)
        return terminal(node.func)
    if isinstance(node, ast.Await):
        return terminal(node.value)
    return ""


class Imports:
    """Local names to full ones, so that `from os import system as s` hides nothing."""

    def __init__(self, tree: ast.Module) -> None:
        self._full: dict[str, str] = {}
        self.modules: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    top = alias.name.partition(".")[0]
                    self.modules.add(top)
                    self._full[alias.asname or top] = alias.name if alias.asname else top
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                self.modules.add(node.module.partition(".")[0])
                for alias in node.names:
                    self._full[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def full(self, name: str) -> str:
        """Return the full form of a dotted name."""
        first, dot, rest = name.partition(".")
        return self._full.get(first, first) + dot + rest


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """Return the value of a keyword argument."""
    return next((given.value for given in call.keywords if given.arg == name), None)


def is_constant(node: ast.AST | None, *values: object) -> bool:
    """Whether a node is one of these constants, of the same type."""
    return isinstance(node, ast.Constant) and any(
        type(node.value) is type(value) and node.value == value for value in values
    )


def constant_text(node: ast.AST | None) -> str:
    """Return the text of a string constant, else nothing."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
