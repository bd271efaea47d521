"""Python without ruff: a few rules on the tree of Python itself, under the numbers of ruff's rules."""

from __future__ import annotations

import ast
import itertools
import warnings
from collections import Counter
from collections.abc import Iterator

from plantwin.private.capabilities.linting.remark import (
    BROKEN,
    DEBUG,
    DEFECT,
    HIGH,
    LOW,
    MEDIUM,
    REPEATED,
    SWALLOWED,
    UNUSED,
    Remark,
)

LIMIT = 1 << 20
_MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def remarks(text: str) -> list[Remark]:
    """What the rules say; one remark where the text does not parse."""
    if len(text) > LIMIT:
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        return sorted(_all(tree), key=lambda each: each.line)
    except SyntaxError as error:
        return [Remark(error.lineno or 1, HIGH, BROKEN, "invalid-syntax", (error.msg or "does not parse")[:200],
                       "The file does not run at all until this is mended.")]  # fmt: skip
    except (ValueError, RecursionError, MemoryError):
        return [Remark(1, HIGH, BROKEN, "invalid-syntax", "does not parse: nested too deeply, or not text")]


def unreachable(text: str) -> list[Remark]:
    """Code that never runs, which ruff does not yet tell."""
    if len(text) > LIMIT:
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [remark for node in ast.walk(tree) for remark in _blocks(node)]


def _all(tree: ast.Module) -> Iterator[Remark]:
    names = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    exported = _exported(tree)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from _import(node, names, exported)
        elif isinstance(node, ast.ExceptHandler):
            yield from _handler(node)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _function(node)
        elif isinstance(node, ast.Compare):
            yield from _comparison(node)
        elif isinstance(node, ast.Dict):
            yield from _keys(node)
        elif isinstance(node, ast.Assert) and isinstance(node.test, ast.Tuple) and node.test.elts:
            yield Remark(
                node.lineno, HIGH, DEFECT, "F631", "Assertion on a tuple, which is always true", "Remove the brackets."
            )
        elif isinstance(node, ast.Call) and _called(node) in ("breakpoint", "pdb.set_trace", "ipdb.set_trace"):
            yield Remark(node.lineno, MEDIUM, DEBUG, "T100", f"Trace found: `{_called(node)}` used", "Remove it.")
        yield from _blocks(node)


def _blocks(node: ast.AST) -> Iterator[Remark]:
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list):
            yield from _unreachable(block)


def _called(node: ast.Call) -> str:
    target = node.func
    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        return f"{target.value.id}.{target.attr}"
    return target.id if isinstance(target, ast.Name) else ""


def _exported(tree: ast.Module) -> set[str]:
    return {
        each.value
        for node in tree.body
        if isinstance(node, (ast.Assign, ast.AugAssign)) and isinstance(node.value, (ast.List, ast.Tuple))
        for each in node.value.elts
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }


def _import(node: ast.Import | ast.ImportFrom, names: Counter[str], exported: set[str]) -> Iterator[Remark]:
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return
    for each in node.names:
        bound = each.asname or each.name.partition(".")[0]
        if each.name != "*" and not names[bound] and bound not in exported and each.asname != each.name:
            yield Remark(node.lineno, LOW, UNUSED, "F401", f"`{each.name}` imported but unused", "Remove it.")


def _handler(node: ast.ExceptHandler) -> Iterator[Remark]:
    if node.type is None:
        yield Remark(node.lineno, MEDIUM, SWALLOWED, "E722", "Do not use bare `except`", "Name the exception.")
    if all(isinstance(each, ast.Pass) for each in node.body):
        yield Remark(
            node.lineno,
            MEDIUM,
            SWALLOWED,
            "S110",
            "`try`-`except`-`pass` detected",
            "Handle it, log it, or say why it may be ignored.",
        )


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Remark]:
    for default in (*node.args.defaults, *node.args.kw_defaults):
        if isinstance(default, _MUTABLE):
            yield Remark(
                default.lineno,
                MEDIUM,
                DEFECT,
                "B006",
                "Do not use mutable data structures for argument defaults",
                "Use `None`, and make it inside.",
            )


def _comparison(node: ast.Compare) -> Iterator[Remark]:
    for operator, right in zip(node.ops, node.comparators, strict=True):
        literal = (
            isinstance(right, ast.Constant)
            and isinstance(right.value, (str, bytes, int))
            and not isinstance(right.value, bool)
        )
        if isinstance(operator, (ast.Is, ast.IsNot)) and literal:
            yield Remark(node.lineno, HIGH, DEFECT, "F632", "Use `==` to compare constant literals", "Replace `is`.")


def _keys(node: ast.Dict) -> Iterator[Remark]:
    seen: set[object] = set()
    for key in node.keys:
        if isinstance(key, ast.Constant):
            if (type(key.value), key.value) in seen:
                yield Remark(
                    key.lineno, MEDIUM, REPEATED, "F601", "Dictionary key literal repeated", "Remove one of them."
                )
            seen.add((type(key.value), key.value))


def _unreachable(block: list[object]) -> Iterator[Remark]:
    for one, other in itertools.pairwise(block):
        if isinstance(one, _JUMPS) and isinstance(other, ast.stmt) and not _yields(other):
            yield Remark(other.lineno, MEDIUM, UNUSED, "unreachable", "This code never runs", "Remove it.")
            return


def _yields(statement: ast.stmt) -> bool:
    """`return` and then `yield` makes a function a generator that gives nothing."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, (ast.Yield, ast.YieldFrom))
