"""What a source file defines and imports: functions and classes with their lines, first words and a digest of each."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from typing import NamedTuple

from plantwin.private.facts import private
from plantwin.private.formats.lexicon import beside
from plantwin.private.formats.python import parse
from plantwin.private.formats.source_views import MASKS, views

MOST = 2000
PARSED = 1 << 20
"""A longer module is read by lines."""

_TABLES = beside(__file__, "definitions.toml")
_START = re.compile(
    rf"(?P<indent>[ \t]{{0,60}})(?:{'|'.join((_TABLES['class'], *_TABLES['functions']))})", re.IGNORECASE
)
_IMPORT = re.compile(rf"[ \t]{{0,20}}(?:{'|'.join(_TABLES['imports'])})")
_COMMENTS = re.compile(
    r"(?:\A|\n)[ \t]*+(/\*.{0,4000}?\*/|(?:(?://|#(?!!|\[|include|define|pragma|if)|--)[^\n]{0,400}(?:\n|\Z)\s*+){1,60})",
    re.DOTALL,
)
_MARK = re.compile(r"^\s*(?:/\*+|\*+/|\*|//+!?|#+|--+)\s?|\*+/\s*$")
_BOILERPLATE = re.compile(
    r"copyright|licen[cs]e|spdx|eslint|prettier|@ts-|jshint|istanbul|noinspection|generated|-\*-|vim:|coding[:=]|nolint|shellcheck|"
    r"rubocop|go:build|\+build|use strict|all rights reserved",
    re.IGNORECASE,
)
_GO_IMPORT = re.compile(r"import\s*\(([^)]{0,4000})\)")


@private
class Definition(NamedTuple):
    """One function or class."""

    name: str
    """With the names of what it stands in."""
    kind: str
    line: int
    signature: str
    doc: str
    digest: bytes
    public: bool


@private
class Code(NamedTuple):
    """A source file in outline."""

    definitions: list[Definition]
    imports: list[str]
    doc: str
    parsed: bool


def outline(format: str, text: str) -> Code:
    """Return what a source file defines and imports."""
    if format != "python" or len(text) > PARSED:
        return _by_lines(format, text, True)
    tree = parse(text)
    try:
        return _python(tree) if tree is not None else _by_lines("python", text, False)
    except (ValueError, RecursionError, MemoryError):
        return _by_lines("python", text, False)


def _python(tree: ast.Module) -> Code:
    imports: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            imports.add("." * node.level + (node.module or ""))
    found = list(_defined(tree.body, ""))[:MOST]
    return Code(found, sorted(imports - {"__future__"}), _first_line(ast.get_docstring(tree)), True)


def _defined(body: list[ast.stmt], outer: str) -> Iterator[Definition]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = f"{outer}{node.name}"
            kind = "class" if isinstance(node, ast.ClassDef) else "method" if outer else "function"
            signature = node.name if isinstance(node, ast.ClassDef) else f"{node.name}({_parameters(node)})"
            digest = hashlib.sha256(ast.dump(node).encode("utf-8", "surrogatepass")).digest()
            public = not any(part.startswith("_") for part in name.split("."))
            doc = _first_line(ast.get_docstring(node))
            yield Definition(name, kind, node.lineno, signature, doc, digest, public)
            if isinstance(node, ast.ClassDef):
                yield from _defined(node.body, f"{name}.")
        elif isinstance(node, (ast.If, ast.Try)):
            yield from _defined(node.body, outer)


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    parameters = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    return ", ".join(parameter.arg for parameter in parameters if parameter.arg not in ("self", "cls"))


def _first_line(doc: str | None) -> str:
    """Return the first sentence, else the first paragraph, as one line."""
    paragraph = " ".join((doc or "").strip().split("\n\n", 1)[0].split())
    end = paragraph.find(". ") + 1
    return (paragraph[:end] if end else paragraph)[:200]


class _Start(NamedTuple):
    """Where a definition begins."""

    line: int
    indent: int
    kind: str
    name: str
    signature: str


def _by_lines(format: str, text: str, parsed: bool) -> Code:
    if format not in MASKS:
        return Code([], [], "", parsed)
    seen = views(format, text.encode("utf-8", "replace"))
    full, bare = (view.decode("utf-8", "replace").split("\n") for view in (seen.full, seen.code))
    declared = format in ("sql", "hcl")
    starts: list[_Start] = []
    for number, line in enumerate((full if declared else bare)[:100_000]):
        match = _START.match(line[:1000]) if line.strip() else None
        if match is None or (match.lastgroup == "shell" and format != "shell"):
            continue
        kind = "class" if match["class"] else "definition" if declared else "function"
        name = next(value for key, value in match.groupdict().items() if key != "indent" and value)
        quoted = ".".join(" ".join(re.findall(r'"([^"]*)"', name)).split(" "))
        name = quoted if name.startswith('"') else name.strip('"`[]')
        indent = len(match["indent"].expandtabs(4))
        starts.append(_Start(number, indent, kind, name, line.strip().rstrip("{").strip()))
        if len(starts) >= MOST:
            break
    raw = text.split("\n")
    found = [_definition(full, raw, starts, index, format) for index in range(len(starts))]
    imports = {next(filter(None, match.groups())) for line in full[:5000] if (match := _IMPORT.match(line[:400]))}
    for block in _GO_IMPORT.findall("\n".join(full[:200])):
        imports.update(re.findall(r'"([^"\n]{1,120})"', block))
    return Code(found, sorted(imports), _opening(raw, starts[0].line if starts else 60), parsed)


def _opening(lines: list[str], first: int) -> str:
    """Return what a comment before the first definition says, where that is no licence and no order to a tool.

    What stands right above the definition speaks of that.
    """
    first = min(first, len(lines))
    head = "\n".join(lines[: min(first, 80)]) + "\n\n"
    for block in list(_COMMENTS.finditer(head))[:3]:
        said = _uncommented(block[0])
        if block[0].lstrip("\n")[:1] in " \t":
            continue  # within a block of declarations
        if len(said.split()) > 3 and not _OF_VALUE.match(head, block.end()) and not _BOILERPLATE.search(said):
            return said[:300] if not _above(lines, first).startswith(said[:100]) else ""
    return ""


_OF_VALUE = re.compile(
    r"\s*(?:export\s+|pub\s+)?(?:const|var|let|static|final|private|#define)\b|\s*[A-Z][A-Z0-9_]+\s*="
)
"""What a comment above it speaks of, and not of the whole file."""


def _uncommented(block: str) -> str:
    """Return the first paragraph of a comment as one line."""
    lines = [_MARK.sub("", line).strip() for line in block.strip().split("\n")]
    text = "\n".join(lines).strip()
    return " ".join(re.split(r"\n\s*\n|\n@\w|\n\s*---", text)[0].split())


def _above(lines: list[str], line: int) -> str:
    """Return what the comment right above a definition says."""
    at = line - 1
    while at >= 0 and line - at < 12 and re.match(r"\s*(?://|#(?!\[)|\*|/\*|--)", lines[at]):
        at -= 1
    said = _uncommented("\n".join(lines[at + 1 : line]))
    return "" if _BOILERPLATE.search(said) else said[:200]


def _definition(lines: list[str], raw: list[str], starts: list[_Start], index: int, format: str) -> Definition:
    """Return a definition up to the next one; a class is digested by its head."""
    start = starts[index]
    above = reversed(starts[max(0, index - 200) : index])
    outer = next((folder.name for folder in above if folder.kind == "class" and folder.indent < start.indent), "")
    following = starts[index + 1].line if index + 1 < len(starts) else len(lines)
    body = " ".join(" ".join(lines[start.line : following]).split())
    digest = hashlib.sha256(body.encode("utf-8", "replace")).digest()
    public = not start.name.startswith("_") and not re.match(r"(?:private|protected)\b", start.signature)
    if format == "go":
        public = start.name[:1].isupper()
    name = f"{outer}.{start.name}" if outer else start.name
    kind = "method" if outer and start.kind == "function" else start.kind
    return Definition(name, kind, start.line + 1, start.signature[:160], _above(raw, start.line), digest, public)
