"""JSON: plain values for a scan, or nodes with lines and doubled keys.

Comments and trailing commas are read (JSONC, JSON5), and reported where nothing allows them.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right

import msgspec

from plantwin import expressions
from plantwin.private.formats.document import BOOLEAN, LIST, MAP, NULL, NUMBER, TEXT, Document, Fault, Node

DEPTH = 200
MAX_FAULTS = 50
_TOKEN = expressions.compile(
    r"\"(?:[^\"\\\n]|\\.)*+(?:\"|(?=\n)|\\?\Z)|//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|[{}\[\],:]|[^\s{}\[\],:\"/]+|[\"/]",
    re.DOTALL,
)
_READ_STRICTLY = expressions.compile(r"(?:^|/)(?:package|package-lock|composer|manifest|bower)\.json$")
_RELAXED = expressions.compile(
    r"(?:^|/)(?:tsconfig|jsconfig)[^/]*\.json$|\.(?:jsonc|json5|code-workspace|sublime-project)$|(?:^|/)\.vscode/"
    r"|(?:^|/)\.?devcontainer[^/]*\.json$|(?:^|/)\.[\w.-]{1,40}rc(?:\.json)?$"
    r"|(?:^|/)(?:deno|turbo|wrangler|renovate|biome|nx)\.jsonc?$"
)
_OTHERWISE = expressions.compile(r"\.json5$|\.(?:tpl|tmpl|j2|erb|tftpl|mustache|hbs|ejs)(?:\.json)?$")
_TEMPLATE = expressions.compile(r"%\{[ ~]*(?:if|for)\b|[:,\[]\s{0,40}\$\{|\{\{[^{}\n]{1,200}\}\}|\{%|<%")
_CLOSES = {MAP: "}", LIST: "]"}
_MARK = expressions.compile(r"\"[^\"\\]*(?:\\.[^\"\\]*)*(?:\"|\\?\Z)|[\[\]{},]", re.DOTALL)
_NOISE = expressions.compile(
    r"(\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*(?:\"|\\?$))|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL | re.MULTILINE
)
_TRAILING = expressions.compile(r"(\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*(?:\"|\\?$))|,(?=[ \t\n]{0,200}[\]}])", re.MULTILINE)
_SALVAGED = 100
"""Levels that are followed in a text that ends too early."""


def load(text: str, whole: bool) -> tuple[object, bool]:
    """Return the value of a text, and whether the text is sound. What is not JSON at all is `None`.

    A text that is known to go on (`whole` is false) is sound as far as it closes.
    """
    try:
        return msgspec.json.decode(text), True
    except (msgspec.DecodeError, RecursionError, ValueError):
        pass
    if whole:
        value = _relaxed(text)
        if value is not None:
            return value, True
    return _salvage(text), not whole


def _relaxed(text: str) -> object:
    """Decode JSON with comments, trailing commas or NaN, as many tools accept it."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    bare = _TRAILING.sub(_keep_string, _NOISE.sub(_keep_string, text))
    try:
        return msgspec.json.decode(bare)
    except (msgspec.DecodeError, RecursionError, ValueError):
        return None


def _keep_string(match: re.Match[str]) -> str:
    return match[1] or ""


def _salvage(text: str) -> object:
    """Decode the longest prefix that closes: cut at its last comma, with every open bracket closed."""
    closers: list[str] = []
    cut, tail = 0, ""
    for match in _MARK.finditer(text):
        mark = match[0]
        if mark in "[{":
            if len(closers) >= _SALVAGED:
                break
            closers.append("]" if mark == "[" else "}")
        elif mark in "]}":
            if not closers or closers.pop() != mark:
                break
        elif mark == "," and closers:
            cut, tail = match.start(), "".join(reversed(closers))
    if not cut:
        return None
    try:
        value: object = msgspec.json.decode(text[:cut] + tail)
    except (msgspec.DecodeError, RecursionError, ValueError):
        return None
    return value


def read(document: Document) -> None:
    """Add the value of a text as nodes."""
    text = document.source.text
    strict = _strict_fault(text)
    scanner = _Scanner(document.faults)
    root = scanner.scan(text)
    if root is not None:
        document.roots.append(root)
    if strict is None:
        document.whole = scanner.whole
    elif _OTHERWISE.search(document.name) or _TEMPLATE.search(text):
        # JSON5, or text that something fills in before it is JSON.
        document.faults.clear()
        document.templated = True
    elif scanner.whole and root is not None and text.strip():
        if _RELAXED.search(document.name) is None:
            line, what = scanner.extra or (strict.line, "something that JSON does not allow")
            # Many readers take comments, of ASP.NET, of linters and of editors, and nothing says which one reads it.
            grave = "comment" not in what or _READ_STRICTLY.search(document.name) is not None
            fault = f"{what} is not JSON; strict readers refuse it"
            document.faults.append(Fault(line, fault, "Remove it.", grave=grave))
    elif not document.source.truncated:
        document.faults.append(strict)


def _strict_fault(text: str) -> Fault | None:
    """Return why the text is not strict JSON."""
    if not text.strip():
        return Fault(1, "It is empty, which is not valid JSON")
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return Fault(error.lineno, f"Not valid JSON: {error.msg}"[:160])
    except RecursionError:
        return Fault(1, "It is nested deeper than any reader should follow")
    except ValueError:
        return Fault(1, "It holds a number too long to read")
    return None


def scan(text: str) -> Node | None:
    """Return the value of a text that is known to be JSON."""
    return _Scanner([]).scan(text)


class _Scanner:
    """Tokens to nodes, without recursion, as far as the text goes."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults
        self.whole = False
        self.extra: tuple[int, str] | None = None

    def scan(self, text: str) -> Node | None:
        starts = [0, *(match.end() for match in re.finditer("\n", text))]
        stack: list[Node] = []
        keys: list[tuple[str, int] | None] = []
        root: Node | None = None
        before = ""
        for match in _TOKEN.finditer(text):
            piece = match[0]
            line = bisect_right(starts, match.start())
            if piece.startswith(("//", "/*")) and len(piece) > 1:
                self.extra = self.extra or (line, "A comment")
                continue
            if piece in ("}", "]"):
                if not stack or _CLOSES[stack[-1].kind] != piece:
                    return root
                if before == ",":
                    self.extra = self.extra or (line, "A comma after the last entry")
                stack.pop()
                keys.pop()
                before = piece
                if not stack:
                    self.whole = not re.sub(r"//[^\n]*|/\*.*?\*/", "", text[match.end() :][:4000], flags=re.S).strip()
                    return root
                continue
            if piece in (",", ":"):
                before = piece
                continue
            if stack and stack[-1].kind == MAP and keys[-1] is None:
                keys[-1] = (_text(piece), line)
                before = piece
                continue
            if len(stack) >= DEPTH:
                return root
            made = _node(piece, line)
            if stack:
                self._put(stack[-1], keys[-1], made)
                keys[-1] = None
            elif root is None:
                root = made
            if made.kind in (MAP, LIST):
                stack.append(made)
                keys.append(None)
            elif not stack:
                self.whole = not text[match.end() :].strip()
                return root
            before = piece
        return root

    def _put(self, holder: Node, key: tuple[str, int] | None, made: Node) -> None:
        if holder.kind == LIST or key is None:
            holder.items.append(made)
            return
        name, line = key
        if name in holder.map and name not in ("", "//", "_comment", "$comment") and len(self.faults) < MAX_FAULTS:
            self.faults.append(
                Fault(
                    line,
                    f"`{name[:80]}` is stated twice (first on line {holder.lines[name]}); most readers take the last",
                    "Keep one of them.",
                    grave=False,
                    repeated=True,
                )
            )
        holder.map[name] = made
        holder.lines[name] = line


def _text(piece: str) -> str:
    if piece.startswith('"'):
        try:
            value = json.loads(piece, strict=False)
            return value if isinstance(value, str) else piece
        except ValueError:
            return piece.strip('"')
    return piece


def _node(piece: str, line: int) -> Node:
    if piece == "{":
        return Node(MAP, line)
    if piece == "[":
        return Node(LIST, line)
    if piece.startswith('"'):
        return Node(TEXT, line, _text(piece), quoted=True)
    if piece in ("true", "false"):
        return Node(BOOLEAN, line, piece)
    if piece == "null":
        return Node(NULL, line)
    return Node(NUMBER if piece[0] in "-+.0123456789" else TEXT, line, piece)
