"""Queries that run once for each turn of a loop (the N+1 query problem)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from plantwin.private.formats.source_views import MASKS, views

_UNSUPPORTED = ("sql", "hcl", "shell", "c")
_RUN = {
    "execute", "fetch", "fetchrow", "fetchval", "fetch_one", "fetch_all", "fetchone", "scalar", "scalars", "query",
    "read_sql", "raw",
}  # fmt: skip
_AMBIGUOUS = _RUN - {"execute", "fetchrow", "fetchval", "read_sql"}
"""Methods that other things than connections have too: what they are called on decides."""
_MODEL = {
    "get", "filter", "first", "all", "get_or_create", "update_or_create", "exclude", "count", "exists", "aggregate",
    "get_or_404", "find", "find_one", "find_by", "one", "one_or_none", "scalar_one",
}  # fmt: skip
_CONNECTION = re.compile(
    r"(?i)(?:^|[._])(?:objects|session|query|cursor|cur|conn|connection|db|database|repo|repository|collection|engine"
    r"|pool|tx|transaction)$"
)
_MODEL_CHAIN = re.compile(r"\.objects\b|(?:^|\.)session\.(?:query|get|scalars|execute)|\.query(?:$|\.)")
_STATEMENT = re.compile(r"(?i)\s*(?:select|with|insert|update|delete)")
_PAGING = ("page", "offset", "batch", "cursor", "rows")
_LOOP = re.compile(
    rb"\b(?:for|while|foreach)\b\s*(?:await\s*)?\(?|\.(?:forEach|map|each|each_with_index|flatMap)\b\s*[({]?"
    rb"|\bdo\s*\|[^|\n]{1,60}\||\bfor\s+[^{\n]{0,200}\{"
)
_CALLBACK = (b"forEach", b"map", b"each", b"flatMap")
_CALL = re.compile(
    rb"(?:\b(?:db|conn|connection|pool|client|cursor|cur|stmt|session|repo|repository|knex|prisma|sequelize|tx|em"
    rb"|entityManager|\w*Repository|\w*Repo|\w*Dao|jdbcTemplate|\w*Model|_?context|collection)\b"
    rb"(?:\s*(?:\.|->|\?\.)\s*\w+(?:\([^()\n]{0,80}\))?){0,3}?\s*(?:\.|->|\?\.)\s*"
    rb"(?:query|execute|exec|find(?:One|ById|All|First|Unique|By\w+)?|fetch\w*|select\w*|get(?:One|ById|All)?|first|where"
    rb"|count|findMany|QueryRow|QueryContext|QueryRowContext|Query|Exec|ExecContext|raw|load|First|Find|Where"
    rb"|FirstOrDefault(?:Async)?|SingleOrDefault(?:Async)?|queryForObject|update|insert|save)\s*\(?)"
    rb"|\b[A-Z]\w+\.(?:find|find_by|where|findOne|findById|findByPk|findUnique|findFirst|findAll)\b\s*[({ ]"
)
LONGEST = 20_000
"""Bytes of a loop that are examined."""
MOST = 200
Call = tuple[int, int, str]
"""Line of the call, line of the loop, and what is called."""


def queries_in_loops(format: str, text: str, tree: ast.Module | None) -> list[Call]:
    """Return the calls of a source file; `tree`: of Python that parses."""
    if format == "python":
        return list(_python(tree))[:MOST] if tree is not None else []
    return list(_braced(format, text))[:MOST] if format in MASKS and format not in _UNSUPPORTED else []


def _python(tree: ast.Module) -> Iterator[Call]:
    seen: set[int] = set()
    for loop in ast.walk(tree):
        match loop:
            case ast.While(test=test) if _is_paging(test):
                continue
            case ast.For() | ast.AsyncFor() | ast.While():
                body: list[ast.AST] = list(loop.body)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                body = [loop.elt]
            case ast.DictComp():
                body = [loop.key, loop.value]
            case _:
                continue
        for node in _executed(body):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or id(node) in seen:
                continue
            if name := _query(node):
                seen.add(id(node))
                yield node.lineno, loop.lineno, name


def _executed(body: list[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes of a loop's body, but not those of functions that are only defined there."""
    stack = body[::-1]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            stack += ast.iter_child_nodes(node)


def _is_paging(test: ast.expr) -> bool:
    """Tell whether a loop reads page by page, like `while True` with a limit in it."""
    return isinstance(test, ast.Constant) or any(word in ast.unparse(test) for word in _PAGING)


def _query(call: ast.Call) -> str:
    """Return the name of a call that runs a query; else nothing."""
    if not isinstance(call.func, ast.Attribute):
        return ""
    method, owner = call.func.attr, _dotted(call.func.value)
    if method in _MODEL:
        return f"{owner}.{method}" if _MODEL_CHAIN.search(owner) else ""
    if method not in _RUN or (method in _AMBIGUOUS and not _CONNECTION.search(owner)):
        return ""
    if not call.args:
        return f"{owner}.{method}" if method != "execute" else ""
    argument = call.args[0]
    other_text = (
        isinstance(argument, ast.Constant) and isinstance(argument.value, str) and not _STATEMENT.match(argument.value)
    )
    return "" if other_text else f"{owner}.{method}"


def _dotted(node: ast.expr) -> str:
    parts: list[str] = []
    for _ in range(12):
        match node:
            case ast.Attribute(attr=name, value=node):
                parts.append(name)
            case ast.Call(func=node) | ast.Subscript(value=node):
                pass
            case ast.Name(id=name):
                parts.append(name)
                break
            case _:
                break
    return ".".join(reversed(parts))


def _braced(format: str, text: str) -> Iterator[Call]:
    seen = views(format, text.encode("utf-8", "replace"))
    code = seen.code
    partners = _partners(code)
    reached = -1
    for loop in _LOOP.finditer(code):
        opening, end = _body(code, loop, partners, format == "ruby")
        if end < 0:
            continue
        end = min(end, opening + LONGEST)
        for call in _CALL.finditer(code, max(opening, reached), end):
            name = b" ".join(call[0].split()).rstrip(b"( {").decode("utf-8", "replace")
            yield seen.line(call.start()), seen.line(loop.start()), name[:80]
        reached = max(reached, end)


def _body(code: bytes, loop: re.Match[bytes], partners: dict[int, int], ruby: bool) -> tuple[int, int]:
    """Return where the body of a loop begins and ends; an end of -1 where there is none."""
    if ruby and b"|" in loop[0]:
        return loop.end(), _ruby_end(code, loop.start())
    opened = loop[0].endswith((b"{", b"("))
    opening = loop.end() - 1 if opened else code.find(b"{", loop.end(), loop.end() + 300)
    if code[opening : opening + 1] == b"(" and not loop[0].lstrip(b".").startswith(_CALLBACK):
        closing = partners.get(opening, -1)
        opening = code.find(b"{", closing, closing + 40) if closing > 0 else -1
    return opening, partners.get(opening, -1)


def _partners(code: bytes) -> dict[int, int]:
    """Return the position of each opening bracket with that of its closing one."""
    found: dict[int, int] = {}
    stack: list[tuple[bytes, int]] = []
    for match in re.finditer(rb"[(){}]", code):
        bracket = match[0]
        if bracket in b"({":
            stack.append((bracket, match.start()))
            continue
        wanted = b"(" if bracket == b")" else b"{"
        while len(stack) > 1 and stack[-1][0] != wanted and stack[-2][0] == wanted:
            stack.pop()
        if stack and stack[-1][0] == wanted:
            found[stack.pop()[1]] = match.start()
    return found


def _ruby_end(code: bytes, start: int) -> int:
    """Return where the `end` stands that is indented like the line of the loop; -1 if nowhere."""
    begin = code.rfind(b"\n", 0, start) + 1
    indent = len(code[begin:start]) - len(code[begin:start].lstrip(b" \t"))
    found = re.compile(rb"\n[ \t]{%d}end\b" % indent).search(code, start, start + LONGEST)
    return found.start() if found is not None else -1
