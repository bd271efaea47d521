"""Trees of tree-sitter over whole objects, with an end in time whatever the text."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from time import thread_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Parser, Point, Tree

SECONDS = 4.0
"""CPU time after which a parser gets no more text."""
PIECE = 4096
LARGEST = 1 << 20
LONGEST_LINE = 100_000
NESTED = 600


@cache
def _parser(module: str, function: str) -> Parser:
    from tree_sitter import Language, Parser

    return Parser(Language(getattr(import_module(module), function)()))


def grown(module: str, data: bytes, function: str = "language") -> Tree | None:
    """The tree of a text; None where the text is too large, too deep, or took too long."""
    if len(data) > LARGEST or b"\0" in data or max(map(len, data.split(b"\n"))) > LONGEST_LINE:
        return None
    if data.count(b"{") - data.count(b"}") > NESTED or data.count(b"(") - data.count(b")") > NESTED:
        return None
    size = end = len(data)
    until = thread_time() + SECONDS

    def read(offset: int, _: Point) -> bytes:
        nonlocal end
        if thread_time() > until:
            end = min(end, offset)
        return data[offset : min(offset + PIECE, end)]

    tree = _parser(module, function).parse(read)
    return tree if end == size else None
