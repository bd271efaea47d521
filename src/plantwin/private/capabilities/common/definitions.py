"""What a source file defines: functions and classes with their lines, their first words, and a digest of each."""

# ruff: noqa: E501 (patterns)

from __future__ import annotations

import ast
import hashlib
import re
import warnings
from collections.abc import Iterator
from typing import NamedTuple

from plantwin.private.capabilities.audit.views import MASKS, views

MOST = 2000
PARSED = 1 << 20
"""A longer module is read by lines."""


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

    def __repr__(self) -> str:
        return "<Definition private>"


class Code(NamedTuple):
    """A source file in outline."""

    definitions: list[Definition]
    imports: list[str]
    doc: str
    parsed: bool

    def __repr__(self) -> str:
        return "<Code private>"


def outline(format: str, text: str) -> Code:
    """What a source file defines and imports."""
    if format == "python" and len(text) <= PARSED:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(text)
            return _python(tree)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return _by_lines("python", text, False)
    return _by_lines(format, text, True)


def _python(tree: ast.Module) -> Code:
    found = list(_defined(tree.body, ""))[:MOST]
    imports: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports += [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            imports.append("." * node.level + (node.module or ""))
    return Code(found, sorted(set(imports) - {"__future__"}), _first(ast.get_docstring(tree)), True)


def _defined(body: list[ast.stmt], outer: str) -> Iterator[Definition]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = f"{outer}{node.name}"
            kind = "class" if isinstance(node, ast.ClassDef) else "method" if outer else "function"
            signature = node.name if isinstance(node, ast.ClassDef) else f"{node.name}({_parameters(node)})"
            dumped = ast.dump(node).encode("utf-8", "surrogatepass")
            digest = hashlib.sha256(dumped).digest()
            public = not any(part.startswith("_") for part in name.split("."))
            yield Definition(name, kind, node.lineno, signature, _first(ast.get_docstring(node)), digest, public)
            if isinstance(node, ast.ClassDef):
                yield from _defined(node.body, f"{name}.")
        elif isinstance(node, (ast.If, ast.Try)):
            yield from _defined(node.body, outer)


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    names = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    return ", ".join(name for name in names if name not in ("self", "cls"))


def _first(doc: str | None) -> str:
    return (doc or "").strip().split("\n", 1)[0][:200]


_CLASS = (
    r"(?:(?:export|default|public|private|protected|internal|abstract|final|sealed|static|pub(?:\(\w+\))?|data|partial|open)\s+){0,5}"
    r"(?:class|interface|struct|enum|trait|object|record|module|impl(?:<[^>\n]{0,60}>)?)\s+(?P<class>[A-Za-z_][\w:]{0,80})"
)
_WORDS = r"(?!if\b|for\b|while\b|switch\b|catch\b|return\b|else\b|new\b|throw\b|await\b|do\b|case\b|with\b|using\b|lock\b|foreach\b|elif\b|until\b|match\b|function\b)"
_FUNCTION = "|".join(
    (
        r"(?:(?:export|default|async|pub(?:\(\w+\))?|unsafe|const|static|public|private|protected|final|abstract|inline|override|suspend|extern)\s+){0,5}"
        r"(?:function\s*\*?|fn|fun|def|sub)\s+(?:self\.)?(?P<named>[A-Za-z_$][\w$?!]{0,80})",
        r"func\s+(?:\([^)\n]{0,80}\)\s*)?(?P<go>[A-Za-z_]\w{0,80})",
        r"(?:export\s+)?(?:const|let|var)\s+(?P<arrow>[A-Za-z_$][\w$]{0,80})\s*(?::[^=\n]{0,80})?=\s*(?:async\s*)?(?:\([^)\n]{0,300}\)|[\w$]{1,80})\s*(?::[^=\n]{0,60})?=>",
        r"(?:(?:public|private|protected|internal|static|final|async|override|virtual|abstract|synchronized|inline|const|unsigned)\s+){0,5}"
        r"(?:[A-Za-z_][\w<>\[\],.:*& ?]{0,80}?[\s*&]+)?"
        + _WORDS
        + r"(?P<braced>[A-Za-z_$~][\w$:]{0,80})\s*\([^;{}\n]{0,400}\)[^;{}\n=]{0,120}\{",
        r"(?P<shell>[A-Za-z_][\w-]{0,80})\s*\(\)\s*\{?",
        r"create\s+(?:or\s+replace\s+)?(?:table|view|function|procedure|trigger|index|type)\s+(?:if\s+not\s+exists\s+)?(?P<sql>[\w.\"`\[\]]{1,100})",
        r"(?:resource|data|module|variable|output|provider)\s+(?P<block>\"[^\"\n]{1,80}\"(?:\s+\"[^\"\n]{1,80}\")?)",
    )
)
_START = re.compile(rf"(?P<indent>[ \t]{{0,60}})(?:{_CLASS}|{_FUNCTION})", re.IGNORECASE)
_IMPORT = re.compile(
    r"[ \t]{0,20}(?:import\s+(?:static\s+)?(?:[^\"'\n;]{0,200}?\bfrom\s+)?[\"']?([\w@./:*-]{1,120})|from\s+([\w.]{1,120})\s+import|#include\s*[<\"]([\w./+-]{1,120})"
    r"|use\s+([\w:\\]{1,120})|using\s+([\w.]{1,120})\s*;|require(?:_once|_relative)?\s*\(?\s*[\"']([\w@./:-]{1,120})|.{0,120}?\brequire\(\s*[\"']([\w@./:-]{1,120})"
    r"|(?:source|\.)\s+([\w./$-]{1,120}))"
)
_GO_IMPORT = re.compile(r"import\s*\(([^)]{0,4000})\)")


def _by_lines(format: str, text: str, parsed: bool) -> Code:
    if format not in MASKS:
        return Code([], [], "", parsed)
    seen = views(format, text.encode("utf-8", "replace"))
    full = seen.full.decode("utf-8", "replace").split("\n")
    bare = seen.code.decode("utf-8", "replace").split("\n")
    starts: list[tuple[int, int, str, str, str]] = []
    shown = full if format in ("hcl", "sql") else bare
    for number, line in enumerate(shown[:100_000]):
        match = _START.match(line[:1000]) if line.strip() else None
        if match is None or (match.lastgroup == "shell" and format != "shell"):
            continue
        kind = "class" if match["class"] else "definition" if format in ("sql", "hcl") else "function"
        name = next(value for key, value in match.groupdict().items() if key != "indent" and value)
        name = (
            " ".join(re.findall(r'"([^"]*)"', name)).replace(" ", ".") if name.startswith('"') else name.strip('"`[]')
        )
        starts.append((number, len(match["indent"].expandtabs(4)), kind, name, line.strip().rstrip("{").strip()))
        if len(starts) >= MOST:
            break
    found = [_one(full, starts, index) for index in range(len(starts))]
    imports = {next(filter(None, match.groups())) for line in full[:5000] if (match := _IMPORT.match(line[:400]))}
    for block in _GO_IMPORT.findall("\n".join(full[:200])):
        imports.update(re.findall(r'"([^"\n]{1,120})"', block))
    return Code(found, sorted(imports), "", parsed)


def _one(lines: list[str], starts: list[tuple[int, int, str, str, str]], index: int) -> Definition:
    """A definition reaches to the next one that does not stand further in; classes are digested by their head."""
    number, indent, kind, name, signature = starts[index]
    outer = next(
        (each[3] for each in reversed(starts[max(0, index - 200) : index]) if each[2] == "class" and each[1] < indent),
        "",
    )
    following = starts[index + 1][0] if index + 1 < len(starts) else len(lines)
    body = " ".join(" ".join(lines[number:following]).split())
    public = not name.startswith("_") and not re.match(r"(?:private|protected)\b", signature)
    label = f"{outer}.{name}" if outer else name
    digest = hashlib.sha256(body.encode("utf-8", "replace")).digest()
    return Definition(
        label, "method" if outer and kind == "function" else kind, number + 1, signature[:160], "", digest, public
    )
