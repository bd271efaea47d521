"""Python by its own parser: code that never runs, which ruff does not report; and syntax, where ruff is not here."""

from __future__ import annotations

import ast
import itertools
import warnings

from plantwin.private.capabilities.adapters.examine import finding
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.formats.python import parse

LIMIT = 1 << 20
_JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def syntax(text: str) -> list[Finding]:
    """Return what keeps a module from being parsed."""
    try:
        _parse(text)
    except SyntaxError as error:
        return [finding("ruff", "invalid-syntax", error.lineno or 1, error.msg or "does not parse")]
    except (ValueError, RecursionError, MemoryError):
        return [finding("ruff", "invalid-syntax", 1, "does not parse: nested too deeply, or not text")]
    return []


def unreachable(text: str) -> list[Finding]:
    """Find code behind a jump; `return` and then `yield` makes a generator that gives nothing, and is meant."""
    tree = parse(text) if len(text) <= LIMIT else None
    found = []
    for node in ast.walk(tree) if tree is not None else ():
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            for before, after in itertools.pairwise(block if isinstance(block, list) else ()):
                yields = isinstance(after, ast.Expr) and isinstance(after.value, (ast.Yield, ast.YieldFrom))
                if isinstance(before, _JUMPS) and isinstance(after, ast.stmt) and not yields:
                    found.append(
                        finding("ruff", "unreachable", after.lineno, "This code never runs", hint="Remove it.")
                    )
                    break
    return found


def _parse(text: str) -> ast.Module:
    if len(text) > LIMIT:
        return ast.Module([], [])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)
