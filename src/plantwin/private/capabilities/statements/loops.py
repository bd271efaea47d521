"""Queries that run once for each element of a loop."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

from plantwin.private.capabilities.audit.views import MASKS, views

_RUN = frozenset(
    [
        "execute",
        "fetch",
        "fetchrow",
        "fetchval",
        "fetch_one",
        "fetch_all",
        "fetchone",
        "scalar",
        "scalars",
        "query",
        "read_sql",
        "raw",
    ]
)
_MODEL = frozenset(
    [
        "get",
        "filter",
        "first",
        "all",
        "get_or_create",
        "update_or_create",
        "exclude",
        "count",
        "exists",
        "aggregate",
        "get_or_404",
        "find",
        "find_one",
        "find_by",
        "one",
        "one_or_none",
        "scalar_one",
    ]
)
_HOLDER = re.compile(
    r"(?i)(?:^|[._])(?:objects|session|query|cursor|cur|conn|connection|db|database|repo|repository|collection|engine|pool|tx|transaction)$"
)
_LOOP = re.compile(
    rb"\b(?:for|while|foreach)\b\s*(?:await\s*)?\(?|\.(?:forEach|map|each|each_with_index|flatMap)\b\s*[({]?|\bdo\s*\|[^|\n]{1,60}\||\bfor\s+[^{\n]{0,200}\{"
)
_CALL = re.compile(
    rb"(?:\b(?:db|conn|connection|pool|client|cursor|cur|stmt|session|repo|repository|knex|prisma|sequelize|tx|em|entityManager|\w*Repository|\w*Repo|\w*Dao|jdbcTemplate|\w*Model|_?context|collection)\b"
    rb"(?:\s*(?:\.|->|\?\.)\s*\w+(?:\([^()\n]{0,80}\))?){0,3}?\s*(?:\.|->|\?\.)\s*(?:query|execute|exec|find(?:One|ById|All|First|Unique|By\w+)?|fetch\w*|select\w*|get(?:One|ById|All)?|first|where|count|findMany|QueryRow|QueryContext|QueryRowContext|Query|Exec|ExecContext|raw|load|First|Find|Where|FirstOrDefault(?:Async)?|SingleOrDefault(?:Async)?|queryForObject|update|insert|save)\s*\(?)"
    rb"|\b[A-Z]\w+\.(?:find|find_by|where|findOne|findById|findByPk|findUnique|findFirst|findAll)\b\s*[({ ]"
)
LONGEST = 20_000
"""Bytes of a loop that are looked at."""
MOST = 200


def queries_in_loops(format: str, text: str) -> list[tuple[int, int, str]]:
    """Line of the call, line of the loop, and what is called."""
    if format == "python":
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return list(_python(ast.parse(text)))[:MOST]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return []
    return list(_braced(format, text))[:MOST] if format in MASKS and format not in ("sql", "hcl", "shell", "c") else []


def _python(tree: ast.Module) -> Iterator[tuple[int, int, str]]:
    seen: set[int] = set()
    for loop in ast.walk(tree):
        if isinstance(loop, (ast.For, ast.AsyncFor, ast.While)):
            inside: list[ast.AST] = list(loop.body)
        elif isinstance(loop, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            inside = [loop.elt]
        elif isinstance(loop, ast.DictComp):
            inside = [loop.key, loop.value]
        else:
            continue
        if isinstance(loop, ast.While) and _paging(loop):
            continue
        for node in (each for part in inside for each in _own(part)):
            name = _query(node)
            if name and id(node) not in seen:
                seen.add(id(node))
                yield node.lineno, loop.lineno, name  # type: ignore[attr-defined]


def _own(root: ast.AST) -> Iterator[ast.AST]:
    """A node and what is inside it, but for functions that are only defined there."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            stack += ast.iter_child_nodes(node)


def _paging(loop: ast.While) -> bool:
    """`while True` with a limit in it reads page by page."""
    return isinstance(loop.test, ast.Constant) or any(
        word in ast.unparse(loop.test) for word in ("page", "offset", "batch", "cursor", "rows")
    )


def _query(node: ast.AST) -> str:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return ""
    method, owner = node.func.attr, node.func.value
    if method in _RUN:
        first = node.args[0] if node.args else None
        holder = _dotted(owner)
        if method in (
            "fetch",
            "query",
            "raw",
            "scalar",
            "fetchone",
            "fetch_one",
            "fetch_all",
            "scalars",
        ) and not _HOLDER.search(holder):
            return ""
        if (
            isinstance(first, ast.Constant)
            and isinstance(first.value, str)
            and not re.match(r"(?i)\s*(?:select|with|insert|update|delete)", first.value)
        ):
            return ""
        return f"{holder}.{method}" if first is not None or method != "execute" else ""
    if method in _MODEL:
        chain = _dotted(owner)
        if re.search(r"\.objects\b|(?:^|\.)session\.(?:query|get|scalars|execute)|\.query(?:$|\.)", chain):
            return f"{chain}.{method}"
    return ""


def _dotted(node: ast.expr) -> str:
    parts: list[str] = []
    for _ in range(12):
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Subscript):
            node = node.value
        else:
            break
    if isinstance(node, ast.Name):
        parts.append(node.id)
    return ".".join(reversed(parts))


def _braced(format: str, text: str) -> Iterator[tuple[int, int, str]]:
    seen = views(format, text.encode("utf-8", "replace"))
    code = seen.code
    partners = _partners(code)
    ends = format == "ruby"
    reached = -1
    for match in _LOOP.finditer(code):
        opening = (
            match.end() - 1 if match[0].endswith((b"{", b"(")) else code.find(b"{", match.end(), match.end() + 300)
        )
        if code[opening : opening + 1] == b"(" and not match[0].lstrip(b".").startswith(
            (b"forEach", b"map", b"each", b"flatMap")
        ):
            closing = partners.get(opening, -1)
            opening = code.find(b"{", closing, closing + 40) if closing > 0 else -1
        if ends and b"|" in match[0]:
            opening, end = match.end(), _ruby_end(code, match.start())
        else:
            end = partners.get(opening, -1) if opening >= 0 else -1
        if end < 0:
            continue
        for call in _CALL.finditer(code, max(opening, reached), min(end, opening + LONGEST)):
            name = b" ".join(call[0].split()).rstrip(b"( {").decode("utf-8", "replace")
            yield seen.line(call.start()), seen.line(match.start()), name[:80]
        reached = max(reached, min(end, opening + LONGEST))


def _partners(code: bytes) -> dict[int, int]:
    """Each opening bracket with its closing one."""
    found: dict[int, int] = {}
    stack: list[tuple[int, int]] = []
    pairs = {41: 40, 125: 123}
    for match in re.finditer(rb"[(){}]", code):
        byte = match[0][0]
        if byte in (40, 123):
            stack.append((byte, match.start()))
        else:
            while stack and stack[-1][0] != pairs[byte] and len(stack) > 1 and stack[-2][0] == pairs[byte]:
                stack.pop()
            if stack and stack[-1][0] == pairs[byte]:
                found[stack.pop()[1]] = match.start()
    return found


def _ruby_end(code: bytes, start: int) -> int:
    """Where the `end` stands that is indented like the line of the loop."""
    begin = code.rfind(b"\n", 0, start) + 1
    indent = len(code[begin:start]) - len(code[begin:start].lstrip(b" \t"))
    found = re.compile(rb"\n[ \t]{%d}end\b" % indent).search(code, start, start + LONGEST)
    return found.start() if found is not None else -1
