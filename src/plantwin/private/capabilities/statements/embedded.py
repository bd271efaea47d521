"""SQL inside code: string literals that are statements, put together from parts or not, and where they stand."""

from __future__ import annotations

import ast
import re
import warnings
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from plantwin import expressions
from plantwin.private.capabilities.audit.views import MASKS, views

PARSED = 1 << 20
MOST = 2000
HOLE = "\0"
"""Stands where a value is put into the text."""
_SQL = expressions.compile(
    r"\s*(?:--[^\n]*\n\s*)*(?:SELECT\b.{1,4000}?\bFROM\b|INSERT\s+(?:IGNORE\s+|OR\s+\w+\s+)?INTO\b|UPDATE\s+[\w.\"`\[\]\0]+\s+(?:AS\s+\w+\s+|\w+\s+)?SET\b"
    r"|DELETE\s+FROM\b|WITH\s+(?:RECURSIVE\s+)?\w+(?:\s*\([^)]{0,400}\))?\s+AS\s*\(|MERGE\s+INTO\b|REPLACE\s+INTO\b|TRUNCATE\s+TABLE\b)",
    re.IGNORECASE | re.DOTALL,
)
_PERCENT = expressions.compile(r"%(?:\(\w+\))?[sdr]")
_BRACED = expressions.compile(r"\{[^{}\n]{0,200}\}")
_STRING = expressions.compile(
    r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|`(?:[^`\\]|\\.)*+`|\"\"\"(?:[^\"]|\"(?!\"\"))*+\"\"\""
)
_INSIDE = {
    "javascript": r"\$\{[^{}]{0,300}\}",
    "ruby": r"#\{[^{}]{0,300}\}",
    "kotlin": r"\$\{[^{}]{0,300}\}|\$[a-z]\w*",
    "php": r"\{?\$\w+(?:->\w+|\[[^\]]{0,60}\])?\}?",
    "csharp": r"\{[^{}\n]{0,200}\}",
    "scala": r"\$\{[^{}]{0,300}\}|\$[a-z]\w*",
}
_SAFE = expressions.compile(r"(?i)placeholders?|marks|holders|params?_?list|columns?|fields?|cols\b")


class Embedded(NamedTuple):
    """One statement in code."""

    text: str
    """With `HOLE` where a value is put in."""
    line: int
    made: tuple[str, ...] = ()
    """What is put in, as it is written."""

    def __repr__(self) -> str:
        return "<Embedded private>"


def embedded(format: str, text: str) -> list[Embedded]:
    """The statements inside a source file."""
    if format == "python" and len(text) <= PARSED:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(text)
            return list(_python(tree))[:MOST]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
    return list(_by_strings(format, text))[:MOST] if format in MASKS else []


def _python(tree: ast.Module) -> Iterator[Embedded]:
    taken: set[ast.AST] = set()
    for node in ast.walk(tree):
        if node in taken or not isinstance(node, (ast.Constant, ast.JoinedStr, ast.BinOp, ast.Call)):
            continue
        built = _built(node, 0)
        if built is None:
            continue
        text, made = built
        if _SQL.match(text):
            taken.update(ast.walk(node))
            yield Embedded(text, node.lineno, tuple(made))


def _built(node: ast.expr, depth: int) -> tuple[str, list[str]] | None:
    """The text that an expression makes, with holes, and what fills them; None where it makes no text."""
    if depth > 40:
        return None
    if isinstance(node, ast.Constant):
        return (node.value, []) if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        parts = [each.value if isinstance(each, ast.Constant) else HOLE for each in node.values]
        return "".join(map(str, parts)), [
            ast.unparse(each.value) for each in node.values if isinstance(each, ast.FormattedValue)
        ]
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mod)):
        left = _built(node.left, depth + 1)
        if isinstance(node.op, ast.Mod):
            if left is None:
                return None
            filled = [
                ast.unparse(each) for each in (node.right.elts if isinstance(node.right, ast.Tuple) else [node.right])
            ]
            return _PERCENT.sub(HOLE, left[0]), left[1] + filled
        right = _built(node.right, depth + 1)
        if left is None and right is None:
            return None
        one = left or (HOLE, [ast.unparse(node.left)])
        two = right or (HOLE, [ast.unparse(node.right)])
        return one[0] + two[0], one[1] + two[1]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        inner = _built(node.func.value, depth + 1)
        if inner is not None:
            return _BRACED.sub(HOLE, inner[0]), inner[1] + [ast.unparse(each) for each in node.args] + [
                ast.unparse(each.value) for each in node.keywords
            ]
    return None


def _by_strings(format: str, text: str) -> Iterator[Embedded]:
    """String literals; neighbours joined by + (or .) make one text with holes between."""
    seen = views(format, text.encode("utf-8", "replace"))
    full = seen.full.decode("utf-8", "replace")
    starts = [0, *(match.end() for match in re.finditer("\n", full))]
    family = "javascript" if format in ("javascript", "typescript", "jsx", "tsx", "vue", "svelte") else format
    inside = expressions.compile(_INSIDE[family]) if family in _INSIDE else None
    parts: list[str] = []
    made: list[str] = []
    begin = end = -1
    for match in _STRING.finditer(full):
        quoted = match[0]
        body = quoted[3:-3] if quoted.startswith('"""') else quoted[1:-1]
        holes: list[str] = []
        interpolates = (
            quoted[0] == "`"
            or (quoted[0] == '"' and family in ("ruby", "php", "kotlin"))
            or full[max(0, match.start() - 2) : match.start()].rstrip('"').endswith(("$", "s", "f"))
        )
        if inside is not None and interpolates:
            holes = inside.findall(body)
            body = inside.sub(HOLE, body)
        between = full[end : match.start()] if end >= 0 and match.start() - end < 400 else "\n;"
        link = re.fullmatch(r"\s*[+.&]?\s*(?:([\w.$()\[\]>-]{1,200})\s*[+.&]\s*)?", between)
        if parts and link is not None and between.strip(" \t\n"):
            if link[1]:
                made.append(link[1])
                parts.append(HOLE)
            parts.append(body)
            made += holes
        else:
            yield from _finished(parts, made, begin, end, full, starts)
            parts, made, begin = [body], holes, match.start()
        end = match.end()
    yield from _finished(parts, made, begin, end, full, starts)


def _finished(
    parts: list[str], made: list[str], begin: int, end: int, full: str, starts: list[int]
) -> Iterator[Embedded]:
    text = "".join(parts)
    if not parts or not _SQL.match(text):
        return
    after = re.match(r"\s*[+.&]\s*([\w$][\w.$()\[\]>-]{0,200})", full[end : end + 300])
    if after is not None and not after[1].startswith(("format", "formatted", "replace", "strip", "trim", "length")):
        text, made = text + HOLE, [*made, after[1]]
    elif (_PERCENT.search(text) or "%v" in text) and (
        re.match(r"\s*\.format(?:ted)?\s*\(", full[end : end + 40])
        or re.search(r"(?:String\.format|Sprintf|sprintf)\s*\(\s*$", full[max(0, begin - 40) : begin])
    ):
        text, made = _PERCENT.sub(HOLE, text).replace("%v", HOLE), [*made, "format"]
    yield Embedded(text, bisect_right(starts, begin), tuple(made))


def risky(each: Embedded) -> str:
    """How a value put into the text is dangerous: `value`, `name`, or not at all."""
    if not each.made or all(_SAFE.search(one) or one.isupper() for one in each.made):
        return ""
    for match in re.finditer(HOLE, each.text):
        before = each.text[: match.start()].rstrip()
        if before.endswith(("'", '"', "=", "<", ">", "%", "(", ",")) or re.search(
            r"(?i)\b(?:like|in|values|limit|offset|and|or|between)$", before
        ):
            return "value"
    return "name"


def statement(each: Embedded) -> str:
    """The text with something that parses in each hole."""
    text = each.text.replace(f"'{HOLE}'", "'x'").replace(HOLE, " filled_in ")
    return re.sub(r"%\(\w+\)s|%s|(?<![:\w]):\w+|\$\d+|@\w+", "?", text)
