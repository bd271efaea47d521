"""SQL as statements with their lines, and as trees by sqlglot. Splitting is linear, whatever the text."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from plantwin import expressions
from plantwin.private.facts import private
from plantwin.private.formats.lexicon import beside

if TYPE_CHECKING:
    from sqlglot import exp

MOST = 20_000
"""Statements of one text."""
LONGEST = 4 << 20
LONGEST_PARSED = 64 << 10
"""A longer statement is not parsed."""
DEEPEST = 80
"""Brackets that stay open, above which a statement is not parsed."""
_EXAMINED = 1 << 18
"""Characters of a text that tell its dialect."""

_FLAGS = re.IGNORECASE | re.DOTALL | re.MULTILINE
_BLOCK_COMMENT = r"/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)"
_TOKEN = (
    r"|\"[^\"]*+(?:\"|\Z)|`[^`]*+(?:`|\Z)|--[^\n]*+|" + _BLOCK_COMMENT + r"|"
    r"\$(?P<tag>[A-Za-z_]\w{0,40}|)\$(?:[^$]|\$(?!(?P=tag)\$))*+(?:\$(?P=tag)\$|\Z)"
    r"|(?P<begin>\bBEGIN\b(?!\s*(?:;|TRAN|WORK|\Z))|\bCASE\b)|(?P<end>\bEND\b(?!\s+(?:IF|LOOP|WHILE|REPEAT)\b))"
    r"|(?P<go>^[ \t]*GO[ \t]*$)|(?P<delimiter>^[ \t]*DELIMITER[ \t]+(?P<mark>\S{1,8})[ \t]*$)"
    r"|(?P<copy>\bFROM\s+STDIN\b[^;\n]{0,200};[^\n]*\n)|;"
)
_STANDARD = expressions.compile(r"'(?:[^']|'')*+(?:'|\Z)" + _TOKEN, _FLAGS)
_MYSQL = expressions.compile(r"'(?:[^'\\]|''|\\.)*+(?:'|\Z)|\#[^\n]*+" + _TOKEN, _FLAGS)
"""With backslashes in strings, and comments that a hash begins."""
_MYSQL_ONLY = expressions.compile(
    r"`\w+`|\bENGINE\s*=|\bAUTO_INCREMENT\b|^DELIMITER\b|\\'", re.IGNORECASE | re.MULTILINE
)
_DELIMITER = expressions.compile(r"^[ \t]*DELIMITER[ \t]+(\S{1,8})[ \t]*$", re.IGNORECASE | re.MULTILINE)
_ROUTINE = expressions.compile(
    r"\s*(?:--[^\n]*\n\s*)*CREATE\s+(?:OR\s+REPLACE\s+|OR\s+ALTER\s+|DEFINER\s*=\s*\S+\s+)?"
    r"(?:PROCEDURE|FUNCTION|TRIGGER|EVENT|PACKAGE)\b",
    re.IGNORECASE,
)
_COMMENT = expressions.compile(r"--[^\n]*|" + _BLOCK_COMMENT + r"|^[ \t]*#[^\n]*", re.MULTILINE)
_LEADING = expressions.compile(r"(?:\s+|--[^\n]*(?:\n|\Z)|" + _BLOCK_COMMENT + r"|\#[^\n]*(?:\n|\Z))*+")
_ROWS = expressions.compile(r"\s{0,20}(?:INSERT|REPLACE)\b[^'\"]{0,300}?\bVALUES\b", re.IGNORECASE)
_LITERAL = expressions.compile(r"'[^']*+'|\"[^\"\s]*+\"")
_DEFINES = expressions.compile(r"\s{0,100}(?:CREATE|ALTER)\b", re.IGNORECASE)
_TEMPLATE_BLOCK = expressions.compile(r"\{%(?:[^%]|%(?!\}))*+%\}|\{#(?:[^#]|#(?!\}))*+#\}")
_TEMPLATE_VALUE = expressions.compile(r"\{\{(?:[^}]|\}(?!\}))*+\}\}")
_DBT_REFERENCE = expressions.compile(r"""(?:ref|source)\s*\(\s*['"](\w+)['"](?:\s*,\s*['"](\w+)['"])?""")


@private
class Statement(NamedTuple):
    """One statement."""

    text: str
    line: int
    """Of its first word."""
    lead: str = ""
    """Comments before it."""
    data: tuple[int, int] = (0, 0)
    """Where the rows of `COPY … FROM stdin` stand in the whole text."""

    @property
    def bare(self) -> str:
        """Without comments, on one line."""
        return " ".join(_COMMENT.sub(" ", self.text).split())


def statements(text: str, most: int = MOST) -> Iterator[Statement]:
    """Yield the first statements of a text in order."""
    line, counted = 1, 0
    for start, end, data in _spans(text):
        leading = _LEADING.match(text, start, end)
        first = leading.end() if leading is not None else start
        body = text[first:end].rstrip()
        if not body:
            continue
        most -= 1
        if most < 0:
            return
        line += text.count("\n", counted, first)
        counted = first
        yield Statement(body[:LONGEST], line, text[start:first].strip()[-2000:], data)


def _spans(text: str) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """Yield where each statement starts and ends, and where the rows of a COPY stand."""
    tokens = _MYSQL if _MYSQL_ONLY.search(text[:_EXAMINED]) else _STANDARD
    start = at = depth = 0
    mark = ";"
    routine: bool | None = None
    while start < len(text):
        if mark != ";":
            end = text.find(mark, start)
            end = len(text) if end < 0 else end
            switch = _DELIMITER.search(text, start, end + len(mark))
            if switch is None:
                yield start, end, (0, 0)
                start = at = min(len(text), end + len(mark))
            else:
                yield start, switch.start(), (0, 0)
                start, at, mark = switch.end(), switch.end(), switch[1]
            continue
        token = tokens.search(text, at)
        if token is None:
            break
        at = token.end()
        if token["begin"] or token["end"]:
            if routine is None:
                routine = _ROUTINE.match(text, start) is not None
            if routine:
                depth = depth + 1 if token["begin"] else max(0, depth - 1)
            continue
        if token["delimiter"]:
            mark = token["mark"]
        elif token["copy"]:
            stop = text.find("\n\\.", at)
            stop = len(text) if stop < 0 else stop
            yield start, at - 1, (at, stop)
            at = min(len(text), stop + 3)
        elif token["go"] or (token[0] == ";" and depth == 0):
            yield start, token.start(), (0, 0)
        else:
            continue
        start, depth, routine = at, 0, None
    yield start, len(text), (0, 0)


def shortened(text: str) -> str:
    """Return a statement as evidence, without rows and long literals, which may be anybody's data."""
    rows = _ROWS.match(text)
    if rows is not None:
        return f"{rows[0]} …"
    return _LITERAL.sub(lambda match: "'…'" if len(match[0]) > 26 else match[0], text[:2000])[:160]


@cache
def _dialects() -> list[tuple[str, re.Pattern[str]]]:

    rows = beside(__file__, "sql_dialects.toml")
    return [(name, expressions.compile("|".join(signs), _FLAGS & ~re.DOTALL)) for name, signs in rows.items()]


def dialect_of(text: str) -> str:
    """Return the dialect that a text is written in; empty when nothing tells."""
    head = text[:_EXAMINED]
    return next((name for name, signs in _dialects() if signs.search(head)), "")


def fill_template(text: str) -> str:
    """Return a Jinja template as SQL: references become names, control is dropped, lines stay."""
    if "{%" not in text and "{{" not in text and "{#" not in text:
        return text
    text = _TEMPLATE_BLOCK.sub(lambda match: "\n" * match[0].count("\n"), text)
    return _TEMPLATE_VALUE.sub(_filled, text)


def _filled(match: re.Match[str]) -> str:
    if "group_by" in match[0]:
        return "GROUP BY 1" + "\n" * match[0].count("\n")
    name = _DBT_REFERENCE.search(match[0])
    if name is not None:
        return str(name[2] or name[1])
    return ("" if "config(" in match[0] else "filled_in") + "\n" * match[0].count("\n")


def parse(text: str, dialect: str = "") -> exp.Expr | None:
    """Return the tree of a statement; None when it does not parse or is too large."""
    from sqlglot import parse_one
    from sqlglot.errors import SqlglotError

    if len(text) > LONGEST_PARSED or text.count("(") - text.count(")") > DEEPEST:
        return None
    logging.getLogger("sqlglot").setLevel(logging.CRITICAL)
    for read in dict.fromkeys((dialect or None, "postgres", "mysql", "tsql")):
        try:
            tree = parse_one(text, read=read)
        except (SqlglotError, RecursionError, ValueError, AttributeError, TypeError, KeyError, IndexError):
            continue
        if tree is not None and type(tree).__name__ != "Command":
            return tree
    return None


def parse_definitions(statements: Iterable[Statement], dialect: str) -> Iterator[tuple[Statement, exp.Expr | None]]:
    """Yield the statements that create or alter something, with their trees."""
    for statement in statements:
        if _DEFINES.match(statement.text):
            yield statement, parse(statement.text, dialect)


def line_of(node: exp.Expr, start: int) -> int:
    """Return the line of a node whose statement starts at a line."""
    for part in node.walk():
        line = part.meta.get("line") if part.meta else None
        if isinstance(line, int):
            return start + line - 1
    return start
