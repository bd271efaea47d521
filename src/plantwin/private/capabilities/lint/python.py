"""Python without ruff: a few rules on the tree of Python itself, under the codes of ruff's rules."""

from __future__ import annotations

import ast
import itertools
import warnings
from collections import Counter
from collections.abc import Iterator

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.lint.ruff import finding

LIMIT = 1 << 20
_MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def findings(text: str) -> list[Finding]:
    """Lint a module; one finding where it does not parse."""
    if len(text) > LIMIT:
        return []
    try:
        return sorted(_all(_parse(text)), key=lambda found: found.line)
    except SyntaxError as error:
        return [finding("invalid-syntax", error.lineno or 1, error.msg or "does not parse")]
    except (ValueError, RecursionError, MemoryError):
        return [finding("invalid-syntax", 1, "does not parse: nested too deeply, or not text")]


def unreachable(text: str) -> list[Finding]:
    """Find code that never runs, which ruff does not yet report."""
    try:
        tree = _parse(text) if len(text) <= LIMIT else ast.Module([], [])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [found for node in ast.walk(tree) for found in _blocks(node)]


def _parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _all(tree: ast.Module) -> Iterator[Finding]:
    names = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    exported = _exported(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Import() | ast.ImportFrom():
                yield from _import(node, names, exported)
            case ast.ExceptHandler():
                if node.type is None:
                    yield finding("E722", node.lineno, "Do not use bare `except`", "Name the exception.")
                if all(isinstance(statement, ast.Pass) for statement in node.body):
                    hint = "Handle it, log it, or say why it may be ignored."
                    yield finding("S110", node.lineno, "`try`-`except`-`pass` detected", hint)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                for default in (*node.args.defaults, *node.args.kw_defaults):
                    if isinstance(default, _MUTABLE):
                        message = "Do not use mutable data structures for argument defaults"
                        yield finding("B006", default.lineno, message, "Use `None`, and make it inside.")
            case ast.Compare():
                for operator, right in zip(node.ops, node.comparators, strict=True):
                    if isinstance(operator, (ast.Is, ast.IsNot)) and _literal(right):
                        yield finding("F632", node.lineno, "Use `==` to compare constant literals", "Replace `is`.")
            case ast.Dict():
                yield from _keys(node)
            case ast.Assert(test=ast.Tuple(elts=[_, *_])):
                yield finding("F631", node.lineno, "Assertion on a tuple, which is always true", "Remove the brackets.")
            case ast.Call() if (called := _called(node)) in ("breakpoint", "pdb.set_trace", "ipdb.set_trace"):
                yield finding("T100", node.lineno, f"Trace found: `{called}` used", "Remove it.")
        yield from _blocks(node)


def _literal(node: ast.expr) -> bool:
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, (str, bytes, int)) and not isinstance(value, bool)


def _called(node: ast.Call) -> str:
    target = node.func
    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        return f"{target.value.id}.{target.attr}"
    return target.id if isinstance(target, ast.Name) else ""


def _exported(tree: ast.Module) -> set[str]:
    return {
        item.value
        for node in tree.body
        if isinstance(node, (ast.Assign, ast.AugAssign)) and isinstance(node.value, (ast.List, ast.Tuple))
        for item in node.value.elts
        if isinstance(item, ast.Constant) and isinstance(item.value, str)
    }


def _import(node: ast.Import | ast.ImportFrom, names: Counter[str], exported: set[str]) -> Iterator[Finding]:
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return
    for alias in node.names:
        bound = alias.asname or alias.name.partition(".")[0]
        if alias.name != "*" and not names[bound] and bound not in exported and alias.asname != alias.name:
            yield finding("F401", node.lineno, f"`{alias.name}` imported but unused", "Remove it.")


def _keys(node: ast.Dict) -> Iterator[Finding]:
    seen: set[object] = set()
    for key in node.keys:
        if isinstance(key, ast.Constant):
            if (type(key.value), key.value) in seen:
                yield finding("F601", key.lineno, "Dictionary key literal repeated", "Remove one of them.")
            seen.add((type(key.value), key.value))


def _blocks(node: ast.AST) -> Iterator[Finding]:
    """Find code behind a jump; `return` and then `yield` makes a generator that gives nothing, and is meant."""
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        for before, after in itertools.pairwise(block if isinstance(block, list) else ()):
            yields = isinstance(after, ast.Expr) and isinstance(after.value, (ast.Yield, ast.YieldFrom))
            if isinstance(before, _JUMPS) and isinstance(after, ast.stmt) and not yields:
                yield finding("unreachable", after.lineno, "This code never runs", "Remove it.")
                break
