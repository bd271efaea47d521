"""Python by its own parser."""

from __future__ import annotations

import ast
import warnings


def parse(text: str) -> ast.Module | None:
    """Return the tree of a module; none where it does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
