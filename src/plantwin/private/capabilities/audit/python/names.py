"""Names in a syntax tree: what a callee is called in full, and what a value's name tells."""

from __future__ import annotations

import ast
import re

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def words(name: str) -> list[str]:
    """The lower-case words of an identifier: `resetToken` and `RESET_TOKEN` are the same two."""
    return [word.lower() for word in _WORDS.findall(name[:200])]


def dotted(node: ast.expr) -> str:
    """`a.b.c` of an attribute chain; a call or subscript inside it is passed through as `()`/`[]`."""
    parts: list[str] = []
    while True:
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Name):
            parts.append(node.id)
            return ".".join(reversed(parts))
        elif isinstance(node, ast.Call):
            parts.append("()")
            node = node.func
        elif isinstance(node, ast.Subscript):
            parts.append("[]")
            node = node.value
        elif isinstance(node, ast.Await):
            node = node.value
        else:
            parts.append("?")
            return ".".join(reversed(parts))


def terminal(node: ast.expr) -> str:
    """The last identifier that names a value: of `card["number"]` it is `card number`."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript):
        key = node.slice
        inner = terminal(node.value)
        return f"{inner}_{key.value}" if isinstance(key, ast.Constant) and isinstance(key.value, str) else inner
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "pop", "getenv") and node.args:
            key = node.args[0]
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                return key.value
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("encode", "decode", "strip", "hexdigest"):
            return terminal(node.func.value) if node.func.attr != "hexdigest" else "hexdigest"
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
                for each in node.names:
                    self.modules.add(each.name.partition(".")[0])
                    local = each.asname or each.name.partition(".")[0]
                    self._full[local] = each.name if each.asname else local
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                self.modules.add(node.module.partition(".")[0])
                for each in node.names:
                    self._full[each.asname or each.name] = f"{node.module}.{each.name}"

    def full(self, node: ast.expr) -> str:
        """The full dotted name of a callee."""
        name = dotted(node)
        first, dot, rest = name.partition(".")
        return self._full.get(first, first) + dot + rest


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """The value of a keyword argument."""
    return next((each.value for each in call.keywords if each.arg == name), None)


def is_constant(node: ast.expr | None, *values: object) -> bool:
    """Whether a node is one of these constants, of the same type."""
    return isinstance(node, ast.Constant) and any(
        type(node.value) is type(value) and node.value == value for value in values
    )


def constant_text(node: ast.expr | None) -> str:
    """The text of a string constant, else nothing."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
