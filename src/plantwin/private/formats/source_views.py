"""Source text in two views of equal length: without comments, and without the insides of strings as well.

Offsets and lines are the same in all of them, so a rule looks for a call where only code is left and reads
the call's arguments where strings still stand.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from plantwin import expressions
from plantwin.private.facts import private

HASH_LINE = rb"#[^\n]*+"
SLASH_LINE = rb"//[^\n]*+"
DASH_LINE = rb"--[^\n]*+"
BLOCK = rb"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)"
DOUBLE = rb'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"?'
SINGLE = rb"'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'?"
DOUBLE_LINES = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z|\\\Z)'
SINGLE_LINES = rb"'[^'\\]*+(?:\\.[^'\\]*+)*+(?:'|\Z|\\\Z)"
TRIPLE_DOUBLE = rb'"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+(?:"""|\Z|\\\Z)'
TRIPLE_SINGLE = rb"'''[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+(?:'''|\Z|\\\Z)"
TRIPLE_RAW = rb'"""[^"]*+(?:"(?!"")[^"]*+)*+(?:"""|\Z)'
BACKTICK = rb"`[^`\\]*+(?:\\.[^`\\]*+)*+(?:`|\Z|\\\Z)"
BACKTICK_RAW = rb"`[^`]*+(?:`|\Z)"
CHARACTER = rb"'(?:[^'\\\n]|\\[^\n]{1,8}?)'"
HEREDOC = (
    rb"""<<[~-]?+[ ]?+(?P<quote>["'`]?)(?P<tag>[A-Za-z_]\w{0,40})(?P=quote)[^\n]*+\n"""
    rb"""(?:(?![ \t]*+(?P=tag)\b)[^\n]*+(?:\n|\Z))*+"""
)
SCRIPT_REGEX = (
    rb"(?:(?<=[(,=:\[!&|?{};])|(?<=[(,=:\[!&|?{};] )|(?<=return ))"
    rb"/(?![*/ ])[^/\\\n\[]*+(?:(?:\\.|\[[^\]\\\n]*+(?:\\.[^\]\\\n]*+)*+\]?)[^/\\\n\[]*+)*+/?"
)
PLAIN = bytes(code for code in range(256) if chr(code) in "./@:$~-_" or (code < 128 and chr(code).isalnum()))
"""What a literal that cannot be mistaken for code consists of; kept, since imports and paths are such literals."""
LONGEST_PLAIN = 122


class Mask:
    """How one family of languages writes comments and strings: token patterns, of which the first that matches wins."""

    def __init__(self, *tokens: bytes, comments: bytes) -> None:
        self._tokens = tokens
        self.comments = frozenset(comments)
        """First bytes of comment tokens; every other token is a string."""

    @cached_property
    def pattern(self) -> re.Pattern[bytes]:
        """One outer group; more groups where a token must repeat its own tag. Compiled on first use."""
        return expressions.compile(rb"(" + rb"|".join(self._tokens) + rb")", re.DOTALL)


class Text(NamedTuple):
    """One source file, taken apart."""

    raw: bytes
    code: bytes
    """Without comments; strings emptied unless plain."""
    comments: list[bytes]
    tokens: list[bytes]
    """Comments and strings."""
    parts: list[bytes]
    """Code and tokens in turn, as they stand in `code`."""
    lengths: list[int]
    """How long each part is in `raw`."""

    def with_strings(self) -> bytes:
        """The source without its comments and here-documents."""
        tokens = iter(self.tokens)
        kept = []
        for at, part in enumerate(self.parts):
            if at % 2:
                token = next(tokens)
                part = token if part and not token.startswith(b"<<") else b""
            kept.append(part)
        return b"".join(kept)

    def end(self) -> int:
        """Where code that follows begins: before a token that runs past the end, else the end."""
        return len(self.raw) - (self.lengths[-2] if len(self.lengths) > 1 and not self.lengths[-1] else 0)

    def cut(self, offset: int) -> tuple[int, bytes]:
        """Where to cut so that no token is cut, at `offset` or at the last line before it; and the code behind."""
        ends = list(accumulate(self.lengths))
        index = bisect_right(ends, offset)
        if index >= len(self.parts):
            return offset, b""
        start = ends[index - 1] if index else 0
        if index % 2:
            offset = self.raw.rfind(b"\n", 0, start) + 1
            while index and ends[index - 1] > offset:
                index -= 1
            if index % 2:  # another token ends on the token's first line
                return offset, b"".join(self.parts[index + 1 :])
            start = ends[index - 1] if index else 0
        return offset, self.parts[index][offset - start :] + b"".join(self.parts[index + 1 :])


def separate(mask: Mask, raw: bytes) -> Text:
    """Split code from comments and strings."""
    pattern, starts = mask.pattern, mask.comments
    parts = pattern.split(raw)
    if pattern.groups > 1:  # keep code and whole tokens, drop what the inner groups caught
        step = pattern.groups + 1
        tail = parts[-1]
        parts = [part for at in range(0, len(parts) - 1, step) for part in (parts[at], parts[at + 1])]
        parts.append(tail)
    tokens = parts[1::2]
    lengths = list(map(len, parts))
    parts[1::2] = [
        b""
        if token[0] in starts
        else token
        if len(token) <= LONGEST_PLAIN and len(token.translate(None, PLAIN)) == 2
        else b'""'
        for token in tokens
    ]
    return Text(raw, b"".join(parts), [token for token in tokens if token[0] in starts], tokens, parts, lengths)


def strip(mask: Mask, raw: bytes) -> bytes:
    """Return the code alone, where strings do not matter."""
    return mask.pattern.sub(b'""', raw)


PYTHON = Mask(HASH_LINE, TRIPLE_DOUBLE, TRIPLE_SINGLE, DOUBLE, SINGLE, comments=b"#")
SCRIPT = Mask(SLASH_LINE, BLOCK, SCRIPT_REGEX, DOUBLE, SINGLE, BACKTICK, comments=b"/")
BRACES = Mask(SLASH_LINE, BLOCK, TRIPLE_RAW, DOUBLE, CHARACTER, comments=b"/")
GO = Mask(SLASH_LINE, BLOCK, DOUBLE, CHARACTER, BACKTICK_RAW, comments=b"/")
RUST = Mask(SLASH_LINE, BLOCK, rb'\br#"[^"]*+(?:"(?!#)[^"]*+)*+(?:"#|\Z)', DOUBLE_LINES, CHARACTER, comments=b"/")
CSHARP = Mask(SLASH_LINE, BLOCK, TRIPLE_RAW, rb'\$?@\$?"[^"]*+(?:""[^"]*+)*+(?:"|\Z)', DOUBLE, CHARACTER, comments=b"/")
CPP = Mask(SLASH_LINE, BLOCK, rb'\bR"\([^)]*+(?:\)(?!")[^)]*+)*+(?:\)"|\Z)', DOUBLE, CHARACTER, comments=b"/")
PHP = Mask(
    SLASH_LINE,
    BLOCK,
    rb"#(?!\[)[^\n]*+",
    HEREDOC.replace(b"<<[~-]?+", b"<<<"),
    DOUBLE_LINES,
    SINGLE_LINES,
    comments=b"/#",
)
RUBY = Mask(
    rb"(?<![^\n])=begin\b[^\n]*+(?:\n(?!=end\b)[^\n]*+)*+",
    rb"#(?!\{)[^\n]*+",
    HEREDOC,
    DOUBLE_LINES,
    SINGLE_LINES,
    comments=b"#=",
)
SHELL = Mask(rb"(?:(?<![^\n])|(?<=[ \t;]))#[^\n]*+", HEREDOC, DOUBLE_LINES, rb"'[^']*+(?:'|\Z)", rb"\\.", comments=b"#")
HCL = Mask(HASH_LINE, SLASH_LINE, BLOCK, HEREDOC, DOUBLE, comments=b"#/")
SQL = Mask(
    DASH_LINE, BLOCK, rb"\{#[^#]*+(?:#(?!\})[^#]*+)*+(?:#\}|\Z)", rb"'[^']*+(?:''[^']*+)*+(?:'|\Z)", comments=b"-/{"
)
GENERIC = Mask(HASH_LINE, SLASH_LINE, BLOCK, DASH_LINE, TRIPLE_DOUBLE, DOUBLE, SINGLE, comments=b"#/-")
PERCENT = Mask(rb"%[^\n]*+", DOUBLE, comments=b"%")
LUA = Mask(rb"--\[\[[^\]]*+(?:\](?!\])[^\]]*+)*+(?:\]\]|\Z)", DASH_LINE, DOUBLE, SINGLE, comments=b"-")
HASHED = Mask(HASH_LINE, TRIPLE_DOUBLE, DOUBLE, SINGLE, comments=b"#")
POWERSHELL = Mask(rb"<#[^#]*+(?:#(?!>)[^#]*+)*+(?:#>|\Z)", HASH_LINE, DOUBLE_LINES, rb"'[^']*+(?:'|\Z)", comments=b"#<")
DASHED = Mask(DASH_LINE, rb"\{-[^-]*+(?:-(?!\})[^-]*+)*+(?:-\}|\Z)", DOUBLE, comments=b"-{")
LISP = Mask(rb";[^\n]*+", DOUBLE, comments=b";")
CSS = Mask(BLOCK, DOUBLE, SINGLE, comments=b"/")
SCSS = Mask(rb"(?<!:)" + SLASH_LINE, BLOCK, DOUBLE, SINGLE, comments=b"/")


_FORMATS = {
    SCRIPT: "javascript jsx typescript tsx vue svelte", BRACES: "java kotlin scala", GO: "go", RUBY: "ruby", PHP: "php",
    CSHARP: "csharp", RUST: "rust", SHELL: "shell", CPP: "c cpp", SQL: "sql", HCL: "hcl", PYTHON: "python",
}  # fmt: skip
MASKS: dict[str, Mask] = {format: mask for mask, formats in _FORMATS.items() for format in formats.split()}
_INSIDE = expressions.compile(rb"[^\n]")
LONGEST_CALL = 1200


class Views(NamedTuple):
    """One text, three ways."""

    raw: bytes
    code: bytes
    """Comments and the insides of strings are blank."""
    full: bytes
    """Comments are blank."""
    starts: list[int]

    def line(self, offset: int) -> int:
        """Return the line of an offset, from one."""
        return bisect_right(self.starts, offset)

    def arguments(self, opening: int) -> tuple[bytes, bytes]:
        """Return what stands between a bracket and its partner: as code, and with strings."""
        depth, end = 0, min(len(self.code), opening + LONGEST_CALL)
        for match in _BRACKETS.finditer(self.code, opening, end):
            depth += 1 if match[0] in b"([{" else -1
            if depth == 0:
                end = match.start()
                break
        return self.code[opening + 1 : end], self.full[opening + 1 : end]


_BRACKETS = expressions.compile(rb"[()\[\]{}]")


def views(format: str, data: bytes) -> Views:
    """Take a text apart."""
    mask = MASKS[format]
    comments = mask.comments
    code: list[bytes] = []
    full: list[bytes] = []
    at = 0
    for match in mask.pattern.finditer(data):
        start, end = match.span()
        between = data[at:start]
        token = match[0]
        blank = _INSIDE.sub(b" ", token)
        code.append(between)
        full.append(between)
        if token[0] in comments:
            code.append(blank)
            full.append(blank)
        else:
            quote = token[:1]
            closing = token[-1:] if len(token) > 1 else b""
            code.append(quote + blank[1 : len(token) - len(closing)] + closing)
            full.append(token)
        at = end
    code.append(data[at:])
    full.append(data[at:])
    starts = [0]
    starts += [match.end() for match in re.finditer(rb"\n", data)]
    return Views(data, b"".join(code), b"".join(full), starts)


_SCRIPT = expressions.compile(r"<script\b([^>]{0,300})>", re.IGNORECASE)
_OTHER = expressions.compile(
    r"\btype\s*=\s*[\"']?(?!module|text/javascript|application/javascript|text/babel|text/ecmascript|text/typescript)[\w/+-]+"
)
_TYPED = expressions.compile(r"\blang\s*=\s*[\"']?tsx?\b")
PAGES = frozenset(("vue", "svelte", "html"))


@private
class Script(NamedTuple):
    """The scripts of a page with everything else blank, and the format by which they are parsed."""

    text: str
    format: str


def script_of(format: str, text: str) -> Script:
    """Return the scripts of a page."""
    parts: list[str] = []
    at, typed = 0, format == "vue"
    for match in _SCRIPT.finditer(text):
        if match.start() < at or _OTHER.search(match[1]):
            continue
        end = text.find("</script", match.end())
        end = len(text) if end < 0 else end
        typed = typed or _TYPED.search(match[1]) is not None
        parts += [re.sub(r"[^\n]", " ", text[at : match.end()]), text[match.end() : end]]
        at = end
    return Script("".join(parts), "typescript" if typed else "javascript")
