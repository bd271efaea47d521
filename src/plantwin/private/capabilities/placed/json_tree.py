"""JSON with lines and doubled keys. Comments and trailing commas are read, and reported where nothing allows them."""

from __future__ import annotations

import json
import re
from bisect import bisect_right

from plantwin import expressions
from plantwin.private.capabilities.placed.document import Document, Fault
from plantwin.private.capabilities.placed.node import BOOLEAN, LIST, MAP, NULL, NUMBER, TEXT, Node

DEPTH = 200
MOST_FAULTS = 50
_TOKEN = expressions.compile(
    r"\"(?:[^\"\\\n]|\\.)*+(?:\"|(?=\n)|\\?\Z)|//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|[{}\[\],:]|[^\s{}\[\],:\"/]+|[\"/]",
    re.DOTALL,
)
_RELAXED = expressions.compile(
    r"(?:^|/)(?:tsconfig|jsconfig)[^/]*\.json$|\.(?:jsonc|json5|code-workspace|sublime-project)$|(?:^|/)\.vscode/"
    r"|(?:^|/)\.?devcontainer[^/]*\.json$|(?:^|/)\.(?:eslintrc|babelrc|swcrc|jshintrc|hintrc|prettierrc)(?:\.json)?$"
    r"|(?:^|/)(?:deno|turbo|wrangler|renovate|biome|nx)\.jsonc?$"
)
_CLOSES = {"{": "}", "[": "]"}


def read(document: Document) -> None:
    """The value of a text."""
    text = document.source.text
    relaxed = _RELAXED.search(document.name) is not None
    strict: Fault | None = None
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        strict = Fault(error.lineno, f"Not valid JSON: {error.msg}"[:160])
    except RecursionError:
        strict = Fault(1, "It is nested deeper than any reader should follow")
    except ValueError:
        strict = Fault(1, "It holds a number too long to read")
    if not text.strip():
        strict = Fault(1, "It is empty, which is not valid JSON")
    scanner = _Scanner(document.faults)
    root = scanner.scan(text)
    if root is not None:
        document.roots.append(root)
    if strict is None:
        return
    if scanner.whole and root is not None and text.strip():
        if not relaxed:
            line, what = scanner.extra or (strict.line, "something that JSON does not allow")
            document.faults.append(Fault(line, f"{what} is not JSON; strict readers refuse it", "Remove it."))
        return
    if not document.source.truncated:
        document.faults.append(strict)


def scan(text: str) -> Node | None:
    """The value of a text that is known to be JSON."""
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
                if not stack or _CLOSES["{" if stack[-1].kind == MAP else "["] != piece:
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
        if name in holder.map and name not in ("", "//", "_comment", "$comment") and len(self.faults) < MOST_FAULTS:
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
