"""Parsing a whole source file with tree-sitter, in bounded time, and walking its tree without recursion."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from time import thread_time
from typing import TYPE_CHECKING, NamedTuple

from plantwin.private.classify.languages.parser import refused

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Point, Tree

LIMIT = 1 << 20
"""Bytes that are parsed; a longer text is not."""
SECONDS = 3.0
"""Processor time after which a parser gets no more text: ten times what a sound text of that length takes."""
PIECE = 4096
LONGEST_LINE = 100_000
NESTED = 600

GRAMMARS: dict[str, tuple[str, str]] = {
    "python": ("tree_sitter_python", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "jsx": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "go": ("tree_sitter_go", "language"),
    "java": ("tree_sitter_java", "language"),
    "kotlin": ("tree_sitter_kotlin", "language"),
    "scala": ("tree_sitter_scala", "language"),
    "ruby": ("tree_sitter_ruby", "language"),
    "php": ("tree_sitter_php", "language_php"),
    "csharp": ("tree_sitter_c_sharp", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "shell": ("tree_sitter_bash", "language"),
    "css": ("tree_sitter_css", "language"),
}
"""Formats with a grammar: its module and the function that gives it."""


class Broken(NamedTuple):
    """A place that does not parse."""

    line: int
    what: str

    def __repr__(self) -> str:
        return "<Broken private>"


@cache
def _parser(module: str, function: str) -> Parser:
    from tree_sitter import Language, Parser

    return Parser(Language(getattr(import_module(module), function)()))


def _parse_in_time(parser: Parser, data: bytes, seconds: float) -> Tree | None:
    """Parse piece by piece; none when the time was up before the text was.

    Error recovery can take cubic time, and there is no other way to stop it than to give it an end.
    """
    until = thread_time() + seconds
    late = False

    def read(offset: int, _: Point) -> bytes:
        nonlocal late
        late = late or thread_time() > until
        return b"" if late else data[offset : offset + PIECE]

    tree = parser.parse(read)
    return None if late else tree


def tree_of(format: str, data: bytes, *, limit: int = LIMIT, seconds: float = SECONDS) -> Tree | None:
    """Return the tree of a text; none without a grammar, or where it is too long or nothing that a person wrote."""
    if format not in GRAMMARS or not data or len(data) > limit or refused(data):
        return None
    parser = _parser(*GRAMMARS[format])
    if _parse_in_time(parser, data, seconds) is None:
        return None
    # Once more from the bytes: a tree that was read piece by piece asks for the pieces again at every look at its text.
    return parser.parse(data)


def grown(module: str, data: bytes, function: str = "language") -> Tree | None:
    """Return the tree of a text by any grammar; none where the text is too large, too deep, or took too long.

    Its nodes are read by their offsets into `data`, never by their text.
    """
    if len(data) > LIMIT or b"\0" in data or max(map(len, data.split(b"\n"))) > LONGEST_LINE:
        return None
    if data.count(b"{") - data.count(b"}") > NESTED or data.count(b"(") - data.count(b")") > NESTED:
        return None
    return _parse_in_time(_parser(module, function), data, SECONDS)


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
