"""Statements as trees, by sqlglot, which knows the dialects."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin import expressions
from plantwin.private.capabilities.statements.split import Statement

if TYPE_CHECKING:
    from sqlglot import exp

LONGEST = 64 << 10
"""A longer statement is not parsed."""
DEEPEST = 80
_BLOCK = expressions.compile(r"\{%(?:[^%]|%(?!\}))*+%\}|\{#(?:[^#]|#(?!\}))*+#\}")
_FILLED = expressions.compile(r"\{\{(?:[^}]|\}(?!\}))*+\}\}")
_NAMED = expressions.compile(r"""(?:ref|source)\s*\(\s*['"](\w+)['"](?:\s*,\s*['"](\w+)['"])?""")
_DEFINES = expressions.compile(r"\s{0,100}(?:CREATE|ALTER)\b", re.IGNORECASE)
_DIALECTS: tuple[tuple[str, str], ...] = (
    ("mysql", r"\bENGINE\s*=|\bAUTO_INCREMENT\b|`\w+`|\bUNSIGNED\b|\bON\s+DUPLICATE\s+KEY\b"),
    ("tsql", r"\bIDENTITY\s*\(|\bNVARCHAR\b|^\s*GO\s*$|\[dbo\]|\bdbo\.|\bSELECT\s+TOP\b|\bGETDATE\s*\(|\bsp_rename\b"),
    ("oracle", r"\bVARCHAR2\b|\bNUMBER\s*\(\d|\bSYSDATE\b|\bFROM\s+DUAL\b"),
    ("snowflake", r"\bVARIANT\b|\bCREATE\s+OR\s+REPLACE\s+(?:TRANSIENT\s+)?TABLE\b|\bQUALIFY\b|\bCOPY\s+INTO\b"),
    ("bigquery", r"\bSTRUCT<|\bARRAY<|`[\w-]+\.[\w-]+\.[\w-]+`|\bSAFE_CAST\b"),
    (
        "postgres",
        r"\bSERIAL\b|\bBIGSERIAL\b|\bJSONB\b|::\s*\w+|\bRETURNING\b|\bILIKE\b|\bCONCURRENTLY\b|\bTIMESTAMPTZ\b|\$\$|\bNOT\s+VALID\b|\bplpgsql\b",
    ),
    ("sqlite", r"\bAUTOINCREMENT\b|\bPRAGMA\b|\bWITHOUT\s+ROWID\b"),
)
_dialects = tuple((name, expressions.compile(pattern, re.IGNORECASE | re.MULTILINE)) for name, pattern in _DIALECTS)


def dialect_of(text: str) -> str:
    """The dialect that a text is written in; empty when nothing tells."""
    head = text[: 1 << 18]
    return next((name for name, pattern in _dialects if pattern.search(head)), "")


def unfilled(text: str) -> str:
    """A template as SQL: references are names, other expressions a name, control is gone; lines stay."""
    if "{%" not in text and "{{" not in text and "{#" not in text:
        return text
    text = _BLOCK.sub(lambda match: "\n" * match[0].count("\n"), text)
    return _FILLED.sub(_named, text)


def _named(match: re.Match[str]) -> str:
    name = _NAMED.search(match[0])
    if name is not None:
        return name[2] or name[1]
    return ("" if "config(" in match[0] else "filled_in") + "\n" * match[0].count("\n")


def tree(text: str, dialect: str = "") -> exp.Expr | None:
    """A statement parsed; None when it does not parse or is too large."""
    from sqlglot import parse_one
    from sqlglot.errors import SqlglotError

    if len(text) > LONGEST or text.count("(") - text.count(")") > DEEPEST:
        return None
    logging.getLogger("sqlglot").setLevel(logging.CRITICAL)
    for read in dict.fromkeys((dialect or None, "postgres", "mysql", "tsql")):
        try:
            found = parse_one(text, read=read)
        except (SqlglotError, RecursionError, ValueError, AttributeError, TypeError, KeyError, IndexError):
            continue
        if found is not None and type(found).__name__ != "Command":
            return found
    return None


def trees(statements: Iterator[Statement], dialect: str) -> Iterator[tuple[Statement, exp.Expr | None]]:
    """Statements that define or alter something, with their trees."""
    for each in statements:
        if _DEFINES.match(each.text):
            yield each, tree(each.text, dialect)


def line_of(node: exp.Expr, start: int) -> int:
    """The line of a node, where its statement starts at `start`."""
    for each in node.walk():
        line = each.meta.get("line") if each.meta else None
        if isinstance(line, int):
            return start + line - 1
    return start
