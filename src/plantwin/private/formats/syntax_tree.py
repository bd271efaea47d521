"""Parsing with tree-sitter: grammars load on first use, and no input can make a parser crawl.

Error recovery can take time cubic in its input (a minute for 8 kB of operators), and the binding offers no
time limit that works. So the text is handed over in small pieces, and once the time is up there is no more.

A scan parses the head of a file and queries it (`parse`); capabilities parse all of it (`tree_of`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from time import thread_time
from typing import TYPE_CHECKING, NamedTuple

from plantwin.private.facts import private

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Point, QueryCursor, Tree

LIMIT = 1 << 20
"""Bytes that are parsed; a longer text is not."""
SECONDS = 3.0
"""Processor time after which a parser gets no more text: ten times what a sound text of that length takes."""
_PIECE = 4096
_LONGEST_LINE = 100_000
_NESTED = 600

_MODULES = {"jsx": "javascript", "tsx": "typescript", "csharp": "c_sharp", "shell": "bash"}
_FUNCTIONS = {"typescript": "language_typescript", "tsx": "language_tsx", "php": "language_php"}
GRAMMARS: dict[str, tuple[str, str]] = {
    format: (f"tree_sitter_{_MODULES.get(format, format)}", _FUNCTIONS.get(format, "language"))
    for format in (
        "python", "javascript", "jsx", "typescript", "tsx", "go", "java", "kotlin", "scala", "ruby", "php", "csharp",
        "rust", "c", "cpp", "shell", "css",
    )
}  # fmt: skip
"""Formats with a grammar: its module and the function that gives it."""


@private
class Broken(NamedTuple):
    """A place that does not parse."""

    line: int
    what: str


@cache
def _parser(module: str, function: str) -> Parser:
    from tree_sitter import Language, Parser

    return Parser(Language(getattr(import_module(module), function)()))


def _parse_in_time(parser: Parser, data: bytes, seconds: float, piece: int) -> Tree | None:
    """Parse piece by piece; None when the time was up before the text was."""
    size = end = len(data)
    given = 0
    until = 0.0

    def read(offset: int, _: Point) -> bytes:
        nonlocal end, given, until
        stop = offset + piece
        if stop > given:
            now = thread_time()
            if not until:
                until = now + seconds
            elif now > until:
                end = min(end, given)
            given = min(max(given, stop), end)
        return data[offset : stop if stop < end else end]

    tree = parser.parse(read)
    return tree if end == size else None


def tree_of(format: str, data: bytes, *, limit: int = LIMIT, seconds: float = SECONDS) -> Tree | None:
    """Return the tree of a text; none without a grammar, or where it is too long or nothing that a person wrote."""
    if format not in GRAMMARS or not data or len(data) > limit or refused(data):
        return None
    parser = _parser(*GRAMMARS[format])
    if _parse_in_time(parser, data, seconds, _PIECE) is None:
        return None
    # Once more from the bytes: a tree that was read piece by piece asks for the pieces again at every look at its text.
    return parser.parse(data)


def grown(module: str, data: bytes, function: str = "language") -> Tree | None:
    """Return the tree of a text by any grammar; none where the text is too large, too deep, or took too long.

    Its nodes are read by their offsets into `data`, never by their text.
    """
    if len(data) > LIMIT or b"\0" in data or max(map(len, data.split(b"\n"))) > _LONGEST_LINE:
        return None
    if data.count(b"{") - data.count(b"}") > _NESTED or data.count(b"(") - data.count(b")") > _NESTED:
        return None
    return _parse_in_time(_parser(module, function), data, SECONDS, _PIECE)


def best_of(format: str, data: bytes) -> tuple[str, Tree | None]:
    """Return the tree of a text, and the format by which it parses best: a header of C may be one of C++."""
    tree = tree_of(format, data)
    if format == "c" and tree is not None and tree.root_node.has_error:
        other = tree_of("cpp", data)
        if other is not None and len(broken(other.root_node)) < len(broken(tree.root_node)):
            return "cpp", other
    return format, tree


def walk(root: Node) -> Iterator[Node]:
    """Yield every node below `root` and itself, parents before children, in the order of the text."""
    cursor = root.walk()
    while True:
        node = cursor.node
        if node is None:
            return
        yield node
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def text(node: Node | None, most: int = 400) -> str:
    """Return the text of a node."""
    raw = node.text if node is not None else None
    return raw[:most].decode("utf-8", "replace") if raw else ""


def line(node: Node) -> int:
    """Return the line of a node's first character, from one."""
    return int(node.start_point[0]) + 1


def last_line(node: Node) -> int:
    """Return the line of a node's last character, from one."""
    return int(node.end_point[0]) + 1


def named(node: Node, *types: str) -> list[Node]:
    """Return the children of these types; all named ones but comments where none is given."""
    if types:
        return [child for child in node.children if child.type in types]
    return [child for child in node.named_children if "comment" not in child.type]


def broken(root: Node, most: int = 20) -> list[Broken]:
    """Return where a text does not parse: the outermost errors and what is missing."""
    if not root.has_error:
        return []
    found: list[Broken] = []
    stack = [root]
    while stack and len(found) < most:
        node = stack.pop()
        if node.is_missing:
            found.append(Broken(line(node), f"expected {_shown(node.type)}"))
        elif node.type == "ERROR":
            inner = [child for child in node.children if child.type == "ERROR"]
            found.append(Broken(line(inner[0] if inner else node), "does not parse here"))
        elif node.has_error:
            stack += [child for child in reversed(node.children) if child.has_error or child.is_missing]
    return found


def _shown(kind: str) -> str:
    return kind.replace("_", " ") if kind[:1].isalpha() else f"'{kind}'"


PARSE_LIMIT = 4 * 1024
"""At most this much of a file is parsed; what follows is read by line rules. Parsing is the dearest part of a
scan (0.1 ms per kB), and some grammars' scanners look ahead over all of the text, in quadratic time."""
LONGEST_LINE = 20_000
MAX_NESTING = 400
ERROR_SHARE = 0.4
_HEAD_PIECE = 512
_HEAD_SECONDS = 0.02
"""CPU time after which a parser gets no more text: ten times what the longest head takes."""

_deep = re.compile(rb"(?:[\[({<]\s*+){%d}" % MAX_NESTING)
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
    return openers + head.count(b"<") >= MAX_NESTING and _deep.search(head) is not None


def parse(grammar: Grammar, head: bytes, whole: bool) -> Captures | None:
    """Parse and query; None when the text is refused."""
    if not head or refused(head):
        return None
    parser, cursor = _tools(grammar)
    tree = _parse_in_time(parser, head, _HEAD_SECONDS, _HEAD_PIECE)
    if tree is None:
        return None
    root = tree.root_node
    found = {}
    for name, nodes in cursor.captures(root).items():
        spans = [(node.start_byte, node.end_byte) for node in nodes]
        spans.sort()
        found[name] = [head[start:end] for start, end in spans]
    return Captures(found, not root.has_error or _acceptable(root, len(head), whole))


def _acceptable(root: Node, length: int, whole: bool) -> bool:
    """Whether the errors are a small share; the last one of a cut text is the cut's."""
    if root.type == "ERROR":
        return not whole
    broken = [child.end_byte - child.start_byte for child in root.children if child.is_error]
    if not whole:
        broken = broken[:-1]
    return sum(broken) <= ERROR_SHARE * length
