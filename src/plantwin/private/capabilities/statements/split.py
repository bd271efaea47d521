"""A text of SQL as statements, each with its line. Linear, whatever the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from plantwin import expressions

MOST = 20_000
"""Statements of one text."""
LONGEST = 4 << 20

_PLAIN = r"'(?:[^']|'')*+(?:'|\Z)"
_ESCAPED = r"'(?:[^'\\]|''|\\.)*+(?:'|\Z)"
_REST = (
    r"|\"[^\"]*+(?:\"|\Z)|`[^`]*+(?:`|\Z)|--[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)"
    r"|\$(?P<tag>[A-Za-z_]\w{0,40}|)\$(?:[^$]|\$(?!(?P=tag)\$))*+(?:\$(?P=tag)\$|\Z)"
    r"|(?P<begin>\bBEGIN\b(?!\s*(?:;|TRAN|WORK|\Z))|\bCASE\b)|(?P<end>\bEND\b(?!\s+(?:IF|LOOP|WHILE|REPEAT)\b))"
    r"|(?P<go>^[ \t]*GO[ \t]*$)|(?P<delimiter>^[ \t]*DELIMITER[ \t]+(?P<mark>\S{1,8})[ \t]*$)"
    r"|(?P<copy>\bFROM\s+STDIN\b[^;\n]{0,200};[^\n]*\n)|;"
)
_FLAGS = re.IGNORECASE | re.DOTALL | re.MULTILINE
_TOKENS = {False: expressions.compile(_PLAIN + _REST, _FLAGS), True: expressions.compile(_ESCAPED + _REST, _FLAGS)}
_HASHED = {
    escaped: expressions.compile((_ESCAPED if escaped else _PLAIN) + r"|\#[^\n]*+" + _REST, _FLAGS)
    for escaped in (False, True)
}
_ROUTINE = expressions.compile(
    r"\s*(?:--[^\n]*\n\s*)*CREATE\s+(?:OR\s+REPLACE\s+|OR\s+ALTER\s+|DEFINER\s*=\s*\S+\s+)?(?:PROCEDURE|FUNCTION|TRIGGER|EVENT|PACKAGE)\b",
    re.IGNORECASE,
)
_MYSQL = expressions.compile(r"`\w+`|\bENGINE\s*=|\bAUTO_INCREMENT\b|^DELIMITER\b|\\'", re.IGNORECASE | re.MULTILINE)
_COMMENT = expressions.compile(r"--[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|^[ \t]*#[^\n]*", re.MULTILINE)
_LEADING = expressions.compile(r"(?:\s+|--[^\n]*(?:\n|\Z)|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|\#[^\n]*(?:\n|\Z))*+")

_ROWS = expressions.compile(r"\s{0,20}(?:INSERT|REPLACE)\b[^'\"]{0,300}?\bVALUES\b", re.IGNORECASE)
_LITERAL = expressions.compile(r"'[^']*+'|\"[^\"\s]*+\"")


class Statement(NamedTuple):
    """One statement."""

    text: str
    line: int
    """Of its first word."""
    lead: str = ""
    """Comments before it."""
    data: tuple[int, int] = (0, 0)
    """Where the rows of `COPY … FROM stdin` stand in the whole text."""
    batch: int = 0
    """Which batch it is in, where `GO` separates them."""

    def __repr__(self) -> str:
        return "<Statement private>"

    @property
    def bare(self) -> str:
        """Without comments, on one line."""
        return " ".join(_COMMENT.sub(" ", self.text).split())


def mysql_like(text: str) -> bool:
    """Whether it is written for MySQL."""
    return _MYSQL.search(text[: 1 << 18]) is not None


def statements(text: str, most: int = MOST) -> Iterator[Statement]:
    """The statements of a text in order."""
    mysql = mysql_like(text)
    tokens = (_HASHED if mysql else _TOKENS)[mysql]
    start, counted, line, depth, batch, given = 0, 0, 1, 0, 0, 0
    mark = ";"
    at = 0
    routine: bool | None = None

    def made(end: int, data: tuple[int, int] = (0, 0)) -> Statement | None:
        nonlocal counted, line
        piece = text[start:end]
        lead = _LEADING.match(piece)
        skipped = lead.end() if lead is not None else 0
        body = piece[skipped:].rstrip()
        if not body:
            return None
        line += text.count("\n", counted, start + skipped)
        counted = start + skipped
        return Statement(body[:LONGEST], line, piece[:skipped].strip()[-2000:], data, batch)

    while given < most:
        if mark != ";":
            end, following, new = _delimited(text, start, mark)
            found = made(end)
            if found is not None:
                given += 1
                yield found
            start = at = following
            mark = new
            if start >= len(text):
                return
            continue
        match = tokens.search(text, at)
        if match is None:
            break
        at = match.end()
        group = match.lastgroup
        if group == "mark" or match["delimiter"]:
            mark = match["mark"]
            start = at
            depth, routine = 0, None
            continue
        if match["copy"]:
            stop = text.find("\n\\.", at)
            stop = len(text) if stop < 0 else stop
            found = made(match.end() - 1, (at, stop))
            start = at = min(len(text), stop + 3)
            depth, routine = 0, None
        elif match["go"]:
            found = made(match.start())
            start, depth, routine = at, 0, None
            batch += 1
        elif match["begin"] or match["end"]:
            if routine is None:
                routine = _ROUTINE.match(text, start) is not None
            if routine:
                depth = depth + 1 if match["begin"] else max(0, depth - 1)
            continue
        elif match[0] == ";" and depth == 0:
            found = made(match.start())
            start, routine = at, None
        else:
            continue
        if found is not None:
            given += 1
            yield found
    found = made(len(text)) if given < most else None
    if found is not None:
        yield found


_DELIMITER = expressions.compile(r"^[ \t]*DELIMITER[ \t]+(\S{1,8})[ \t]*$", re.IGNORECASE | re.MULTILINE)


def _delimited(text: str, start: int, mark: str) -> tuple[int, int, str]:
    """The end of a statement that another mark ends, where the next begins, and the mark from there on."""
    end = text.find(mark, start)
    end = len(text) if end < 0 else end
    switch = _DELIMITER.search(text, start, end + len(mark))
    if switch is not None:
        return switch.start(), switch.end(), switch[1]
    return end, min(len(text), end + len(mark)), mark


def shortened(text: str) -> str:
    """A statement as evidence: rows and long literals may be anybody's data."""
    rows = _ROWS.match(text)
    if rows is not None:
        return f"{rows[0]} …"
    return _LITERAL.sub(lambda match: "'…'" if len(match[0]) > 26 else match[0], text[:2000])[:160]
