"""Parsing with tree-sitter: grammars load on first use, and no input can make a parser crawl.

Error recovery can take time cubic in its input (a minute for 8 kB of operators), and the binding offers no
time limit that works. So the text is handed over in small pieces, and once the time is up there is no more.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from time import thread_time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Point, QueryCursor, Tree

PARSE_LIMIT = 4 * 1024
"""At most this much of a file is parsed; what follows is read by line rules. Parsing is the dearest part of a
scan (0.1 ms per kB), and some grammars' scanners look ahead over all of the text, in quadratic time."""
LONGEST_LINE = 20_000
MAX_NESTING = 400
ERROR_SHARE = 0.4
PIECE = 512
SECONDS = 0.02
"""CPU time after which a parser gets no more text: ten times what the longest head takes."""

_nested = re.compile(rb"(?:[\[({<]\s*+){%d}" % MAX_NESTING)
_top_closers = b" \t\r\n)]}#/*"


class Grammar(NamedTuple):
    """Where a grammar comes from, and what is asked of its trees."""

    module: str
    query: str
    function: str = "language"
    depth: int = 6
    """How deep below the root a match may start: bounds the cost of the query."""
    limit: int = PARSE_LIMIT


class Captures(NamedTuple):
    """What the query found, by capture name, in order of appearance."""

    found: dict[str, list[bytes]]
    parsed: bool


@cache
def _tools(grammar: Grammar) -> tuple[Parser, QueryCursor]:
    from tree_sitter import Language, Parser, Query, QueryCursor

    language = Language(getattr(import_module(grammar.module), grammar.function)())
    cursor = QueryCursor(Query(language, grammar.query))
    cursor.set_max_start_depth(grammar.depth)
    return Parser(language), cursor


def head_of(data: bytes, limit: int) -> bytes:
    """The part to parse: whole lines up to the limit, ending before a line of the outermost level if one is near."""
    if len(data) <= limit:
        return data
    plain = end = data.rfind(b"\n", 0, limit)
    for _ in range(60):
        if end < limit // 2:
            break
        if data[end + 1] not in _top_closers:
            return data[: end + 1]
        end = data.rfind(b"\n", 0, end)
    return data[: plain + 1]


def refused(head: bytes) -> bool:
    """Whether the text is nothing that a person wrote as code and a parser could crawl over."""
    if b"\0" in head:
        return True
    if len(head) > LONGEST_LINE and max(map(len, head.split(b"\n"))) > LONGEST_LINE:
        return True
    openers = head.count(b"(") + head.count(b"[") + head.count(b"{")
    if openers - head.count(b")") - head.count(b"]") - head.count(b"}") > MAX_NESTING:
        return True
    return openers + head.count(b"<") >= MAX_NESTING and _nested.search(head) is not None


def parse(grammar: Grammar, head: bytes, whole: bool) -> Captures | None:
    """Parse and query; None when the text is refused."""
    if not head or refused(head):
        return None
    parser, cursor = _tools(grammar)
    tree = _parse_in_time(parser, head)
    if tree is None:
        return None
    root = tree.root_node
    found = {}
    for name, nodes in cursor.captures(root).items():
        spans = [(node.start_byte, node.end_byte) for node in nodes]
        spans.sort()
        found[name] = [head[start:end] for start, end in spans]
    return Captures(found, not root.has_error or _acceptable(root, len(head), whole))


def _parse_in_time(parser: Parser, head: bytes) -> Tree | None:
    """Parse piece by piece; None when the time was up before the text was."""
    size = end = len(head)
    given = 0
    until = 0.0

    def read(offset: int, _: Point) -> bytes:
        nonlocal end, given, until
        stop = offset + PIECE
        if stop > given:
            now = thread_time()
            if not until:
                until = now + SECONDS
            elif now > until:
                end = min(end, given)
            given = min(max(given, stop), end)
        return head[offset : stop if stop < end else end]

    tree = parser.parse(read)
    return tree if end == size else None


def _acceptable(root: Node, length: int, whole: bool) -> bool:
    """Whether the errors are a small share; the last one of a cut text is the cut's."""
    if root.type == "ERROR":
        return not whole
    broken = [child.end_byte - child.start_byte for child in root.children if child.is_error]
    if not whole:
        broken = broken[:-1]
    return sum(broken) <= ERROR_SHARE * length
