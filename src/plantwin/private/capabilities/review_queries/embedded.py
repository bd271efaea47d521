"""SQL inside code: string literals that are statements, built from parts or not."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from plantwin import expressions
from plantwin.private.facts import private
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.source_views import MASKS, views

_LEXICON = Lexicon(__file__)
MOST = 2000
HOLE = "\0"
"""Stands where a value is put into the text."""
FILLED = "filled_in"
"""A name that parses, in place of one that is put in."""
_SQL = _LEXICON.pattern("sql")
_PERCENT = expressions.compile(r"%(?:\(\w+\))?[sdr]")
_BRACED = expressions.compile(r"\{[^{}\n]{0,200}\}")
_STRING = _LEXICON.pattern("string")
_SCRIPT = r"\$\{[^{}]{0,300}\}"
_INTERPOLATED = {
    **dict.fromkeys(("javascript", "typescript", "jsx", "tsx", "vue", "svelte"), _SCRIPT),
    "ruby": r"#\{[^{}]{0,300}\}",
    "kotlin": _SCRIPT + r"|\$[a-z]\w*",
    "php": r"\{?\$\w+(?:->\w+|\[[^\]]{0,60}\])?\}?",
    "csharp": r"\{[^{}\n]{0,200}\}",
    "scala": _SCRIPT + r"|\$[a-z]\w*",
}
_SAFE = expressions.compile(r"(?i)placeholders?|marks|holders|params?_?list|columns?|fields?|cols\b")
_CLAUSE = _LEXICON.pattern("clause")
_JOINED = expressions.compile(r"\s*+[+.&]?\s*+(?:([\w.$()\[\]>-]{1,200})\s*+[+.&]\s*+)?")
_APPENDED = expressions.compile(r"\s*[+.&]\s*([\w$][\w.$()\[\]>-]{0,200})")
_METHODS = ("format", "formatted", "replace", "strip", "trim", "length")
_VALUE_BEFORE = expressions.compile(r"(?i)(?:['\"=<>%(,]|\b(?:like|in|values|limit|offset|and|or|between))$")
_OF_OBJECTS = expressions.compile(r"(?i:\bfrom)\s+(?:[a-z]\w*\.){2,8}[A-Z]\w*")
"""JDOQL and JPQL select from classes of Java, and compare with null by `==`."""
_COMPARED = expressions.compile(r"(?i)(?:['\"=<>%]|\b(?:like|limit|offset|between))$")


@private
class Embedded(NamedTuple):
    """One statement in code."""

    text: str
    """With `HOLE` where a value is put in."""
    line: int
    values: tuple[str, ...] = ()
    """What is put in, as it is written."""

    @property
    def sql(self) -> str:
        """The text with something that parses in each hole."""
        text = self.text.replace(f"'{HOLE}'", "'x'").replace(HOLE, f" {FILLED} ")
        return re.sub(r"%\(\w+\)s|%s|(?<![:\w]):\w+|\$\d+|@\w+", "?", text)

    @property
    def risks(self) -> frozenset[str]:
        """What is put in: a `value`, a `name`, `sql` that was put together before; nothing of what is safe."""
        holes = list(re.finditer(HOLE, self.text))
        known = self.values if len(self.values) == len(holes) else ("",) * len(holes)
        if all(map(_is_safe, self.values)):
            return frozenset()
        return frozenset(
            self._risk(hole, value) for hole, value in zip(holes, known, strict=True) if not _is_safe(value)
        )

    def _risk(self, hole: re.Match[str], value: str) -> str:
        before, after = self.text[: hole.start()], self.text[hole.end() :]
        if _CLAUSE.search(value.strip("${}#")) and not _COMPARED.search(before.rstrip()):
            return "sql"
        # Beside a dot stands a name.
        named = before.endswith(".") or after.startswith(".")
        return "value" if not named and _VALUE_BEFORE.search(before.rstrip()) else "name"


def _is_safe(value: str) -> bool:
    return _SAFE.search(value) is not None or value.isupper()


def embedded(format: str, text: str, tree: ast.Module | None) -> list[Embedded]:
    """Return the statements inside a source file; `tree`: of Python that parses."""
    if tree is not None:
        return list(_python(tree))[:MOST]
    return list(_strings(format, text))[:MOST] if format in MASKS else []


def _python(tree: ast.Module) -> Iterator[Embedded]:
    taken: set[ast.AST] = set()
    for node in ast.walk(tree):
        if node in taken or not isinstance(node, (ast.Constant, ast.JoinedStr, ast.BinOp, ast.Call)):
            continue
        built = _built(node, 0)
        if built is not None and _SQL.match(built[0]):
            taken.update(ast.walk(node))
            yield Embedded(built[0], node.lineno, tuple(built[1]))


def _built(node: ast.expr, depth: int) -> tuple[str, list[str]] | None:
    """Return the text that an expression makes, with holes, and what fills them; None if it makes no text."""
    if depth > 40:
        return None
    match node:
        case ast.Constant(value=str(text)):
            return text, []
        case ast.JoinedStr(values=parts):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else HOLE for part in parts)
            return text, [ast.unparse(part.value) for part in parts if isinstance(part, ast.FormattedValue)]
        case ast.BinOp(left=left, op=ast.Mod(), right=right):
            built = _built(left, depth + 1)
            values = right.elts if isinstance(right, ast.Tuple) else [right]
            return built and (_PERCENT.sub(HOLE, built[0]), built[1] + [ast.unparse(value) for value in values])
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            first, second = _built(left, depth + 1), _built(right, depth + 1)
            if first is None and second is None:
                return None
            first = first or (HOLE, [ast.unparse(left)])
            second = second or (HOLE, [ast.unparse(right)])
            return first[0] + second[0], first[1] + second[1]
        case ast.Call(func=ast.Attribute(attr="format", value=template)):
            built = _built(template, depth + 1)
            values = [*node.args, *(keyword.value for keyword in node.keywords)]
            return built and (_BRACED.sub(HOLE, built[0]), built[1] + [ast.unparse(value) for value in values])
    return None


def _strings(format: str, text: str) -> Iterator[Embedded]:
    """Yield string literals that are statements; neighbours joined by + (or .) make one text with holes between."""
    code = views(format, text.encode("utf-8", "replace")).full.decode("utf-8", "replace")
    starts = [0, *(match.end() for match in re.finditer("\n", code))]
    interpolated = expressions.compile(_INTERPOLATED[format]) if format in _INTERPOLATED else None
    parts: list[str] = []
    values: list[str] = []
    begin = end = -1
    for match in _STRING.finditer(code):
        quoted = match[0]
        body = quoted[3:-3] if quoted.startswith('"""') else quoted[1:-1]
        own: list[str] = []
        prefix = code[max(0, match.start() - 2) : match.start()].rstrip('"')
        if interpolated is not None and (
            quoted[0] == "`"
            or (quoted[0] == '"' and format in ("ruby", "php", "kotlin"))
            or prefix.endswith(("$", "s", "f"))
        ):
            own = interpolated.findall(body)
            body = interpolated.sub(HOLE, body)
        between = code[end : match.start()] if end >= 0 and match.start() - end < 400 else "\n;"
        link = _JOINED.fullmatch(between)
        if parts and link is not None and between.strip(" \t\n"):
            if link[1]:
                values.append(link[1])
                parts.append(HOLE)
            parts.append(body)
            values += own
        else:
            yield from _finished("".join(parts), values, begin, end, code, starts)
            parts, values, begin = [body], own, match.start()
        end = match.end()
    yield from _finished("".join(parts), values, begin, end, code, starts)


def _finished(text: str, values: list[str], begin: int, end: int, code: str, starts: list[int]) -> Iterator[Embedded]:
    if not _SQL.match(text) or _OF_OBJECTS.search(text):
        return
    after = _APPENDED.match(code[end : end + 300])
    if after is not None and not after[1].startswith(_METHODS):
        text, values = text + HOLE, [*values, after[1]]
    elif (_PERCENT.search(text) or "%v" in text) and (
        re.match(r"\s*\.format(?:ted)?\s*\(", code[end : end + 40])
        or re.search(r"(?:String\.format|Sprintf|sprintf)\s*\(\s*$", code[max(0, begin - 40) : begin])
    ):
        text, values = _PERCENT.sub(HOLE, text).replace("%v", HOLE), [*values, "format"]
    yield Embedded(text, bisect_right(starts, begin), tuple(values))


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
_CONNECTION = _LEXICON.pattern("connection")
_MODEL_CHAIN = expressions.compile(r"\.objects\b|(?:^|\.)session\.(?:query|get|scalars|execute)|\.query(?:$|\.)")
_STATEMENT = expressions.compile(r"(?i)\s*(?:select|with|insert|update|delete)")
_LOADED = expressions.compile(
    rb"\.(?:first\w*|last|take|find\w*|to_a|load|pluck|pick|ids|each\w*|map|count|size|length|sum|any\?|none\?|empty\?"
    rb"|exists?\?|(?:update|delete|destroy)_all)"
)
_PAGING = ("page", "offset", "batch", "cursor", "rows")
_LOOP = _LEXICON.bytes_pattern("loop")
_CALLBACK = (b"forEach", b"map", b"each", b"flatMap")
_CALL = _LEXICON.bytes_pattern("call")
LONGEST = 20_000
"""Bytes of a loop that are examined."""
MOST_IN_LOOPS = 200
Call = tuple[int, int, str]
"""Line of the call, line of the loop, and what is called."""


def queries_in_loops(format: str, text: str, tree: ast.Module | None) -> list[Call]:
    """Return the calls of a source file; `tree`: of Python that parses."""
    if format == "python":
        return list(_python_loops(tree))[:MOST_IN_LOOPS] if tree is not None else []
    return list(_braced(format, text))[:MOST_IN_LOOPS] if format in MASKS and format not in _UNSUPPORTED else []


def _python_loops(tree: ast.Module) -> Iterator[Call]:
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
                # The calls that this one is chained to run no query of their own.
                seen.update(map(id, ast.walk(node.func)))
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
            if format == "ruby" and call[0].endswith((b".where(", b".where ")) and not _loads(code, call.end()):
                continue
            name = b" ".join(call[0].split()).rstrip(b"( {").decode("utf-8", "replace")
            awaited = code[max(0, call.start() - 12) : call.start()].rstrip().endswith((b"await", b"return"))
            # A collection in memory has `get`, too; Knex's `raw` is a part of a query until it is awaited.
            if (name.endswith(".get") and name.count(".") > 1) or (name == "knex.raw" and not awaited):
                continue
            yield seen.line(call.start()), seen.line(loop.start()), name[:80]
        reached = max(reached, end)


def _loads(code: bytes, place: int) -> bool:
    """Tell whether a relation of Active Record is read: by itself, `where` only describes it."""
    return _LOADED.search(code, place, place + 240) is not None


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
    found = expressions.compile(rb"\n[ \t]{%d}end\b" % indent).search(code, start, start + LONGEST)
    return found.start() if found is not None else -1
