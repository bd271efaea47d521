"""SQL inside code: string literals that are statements, built from parts or not."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from plantwin import expressions
from plantwin.private.formats.source_views import MASKS, views

MOST = 2000
HOLE = "\0"
"""Stands where a value is put into the text."""
_SQL = expressions.compile(
    r"\s*(?:--[^\n]*\n\s*)*(?:SELECT\b.{1,4000}?\bFROM\b|INSERT\s+(?:IGNORE\s+|OR\s+\w+\s+)?INTO\b"
    r"|UPDATE\s+[\w.\"`\[\]\0]+\s+(?:AS\s+\w+\s+|\w+\s+)?SET\b|DELETE\s+FROM\b"
    r"|WITH\s+(?:RECURSIVE\s+)?\w+(?:\s*\([^)]{0,400}\))?\s+AS\s*\(|MERGE\s+INTO\b|REPLACE\s+INTO\b|TRUNCATE\s+TABLE\b)",
    re.IGNORECASE | re.DOTALL,
)
_PERCENT = expressions.compile(r"%(?:\(\w+\))?[sdr]")
_BRACED = expressions.compile(r"\{[^{}\n]{0,200}\}")
_STRING = expressions.compile(
    r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|`(?:[^`\\]|\\.)*+`|\"\"\"(?:[^\"]|\"(?!\"\"))*+\"\"\""
)
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
_JOINED = expressions.compile(r"\s*[+.&]?\s*(?:([\w.$()\[\]>-]{1,200})\s*[+.&]\s*)?")
_APPENDED = expressions.compile(r"\s*[+.&]\s*([\w$][\w.$()\[\]>-]{0,200})")
_METHODS = ("format", "formatted", "replace", "strip", "trim", "length")
_VALUE_BEFORE = expressions.compile(r"(?i)(?:['\"=<>%(,]|\b(?:like|in|values|limit|offset|and|or|between))$")


class Embedded(NamedTuple):
    """One statement in code."""

    text: str
    """With `HOLE` where a value is put in."""
    line: int
    values: tuple[str, ...] = ()
    """What is put in, as it is written."""

    def __repr__(self) -> str:
        return "<Embedded private>"

    @property
    def sql(self) -> str:
        """The text with something that parses in each hole."""
        text = self.text.replace(f"'{HOLE}'", "'x'").replace(HOLE, " filled_in ")
        return re.sub(r"%\(\w+\)s|%s|(?<![:\w]):\w+|\$\d+|@\w+", "?", text)

    @property
    def risk(self) -> str:
        """What is put in: a `value`, a `name`, or nothing dangerous."""
        if all(_SAFE.search(value) or value.isupper() for value in self.values):
            return ""
        before = (self.text[: hole.start()].rstrip() for hole in re.finditer(HOLE, self.text))
        return "value" if any(_VALUE_BEFORE.search(text) for text in before) else "name"


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
    if not _SQL.match(text):
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
