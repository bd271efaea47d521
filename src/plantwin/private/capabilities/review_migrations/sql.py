"""Migrations in SQL, of goose, dbmate, sql-migrate, Flyway or no tool."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import msgspec

from plantwin.private.facts import Private, private
from plantwin.private.formats.lexicon import beside
from plantwin.private.formats.sql import Statement, dialect_of, fill_template, statements

_NAME = r"(?:[`\"\[]?[\w$]+[`\"\]]?\.){0,2}[`\"\[]?[\w$]+[`\"\]]?"


@private
class Operation(NamedTuple):
    """One change."""

    kind: str
    """One of the kinds in `operations.toml`."""
    line: int
    table: str = ""
    column: str = ""
    type: str = ""
    """Of a column; of what is renamed, the new name."""
    required: bool = False
    """NOT NULL."""
    default: str = ""
    """As it is written; empty where there is none."""
    gentle: bool = False
    """CONCURRENTLY, NOT VALID, or what an engine offers instead of a lock."""
    reversible: bool = True
    text: str = ""

    @property
    def target(self) -> str:
        """The table and column as a message names them."""
        return ".".join(filter(None, (self.table, self.column))) or "the table"


@dataclass(repr=False)
class Migration(Private):
    """One file."""

    label: str
    tool: str
    engine: str = ""
    up: list[Operation] = field(default_factory=list)
    down: list[Operation] | None = None
    """None where the tool has no place for a downgrade in the same file."""
    no_downgrade: bool = False
    """The tool has a place for the downgrade, and it is empty or refuses."""
    transaction: bool | None = None
    """Whether it runs in one; None where that is not known."""
    revision: str = ""
    parents: tuple[str, ...] = ()


class Form(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one kind of operation is written."""

    kind: str
    pattern: str
    gentle: str = ""
    required: str = ""

    def operation(self, match: re.Match[str], line: int, table: str, text: str) -> Operation:
        """Return the operation that a match of the pattern tells of."""
        named = match.groupdict()
        return Operation(
            self.kind,
            line,
            bare_name(named.get("table") or table),
            bare_name(named.get("column") or ""),
            named.get("type") or "",
            bool(self.required and re.search(self.required, match.string, re.IGNORECASE)),
            gentle=bool(self.gentle and re.search(self.gentle, match.string, re.IGNORECASE)),
            text=text,
        )


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    statement: list[Form]
    action: list[Form]
    script: list[Form]
    php: list[Form]
    methods: dict[str, dict[str, str]]


@cache
def _file() -> _File:
    return msgspec.convert(beside(__file__, "operations.toml"), _File)


@cache
def forms(name: str) -> list[tuple[Form, re.Pattern[str]]]:
    """Return the forms of statements, actions or calls with their patterns."""
    flags = re.IGNORECASE | re.DOTALL if name in ("statement", "action") else 0
    found = []
    for form in getattr(_file(), name):
        pattern = form.pattern.replace("<name>", _NAME)
        pattern = re.sub(r"(?<!P)<(table|column)>", lambda group: f"(?P{group[0]}{_NAME})", pattern)
        found.append((form, re.compile(pattern, flags)))
    return found


def methods(tool: str) -> dict[str, str]:
    """Return the kinds of operations by the name of the method that a tool gives them."""
    return _file().methods[tool]


def bare_name(name: str) -> str:
    """Return the last part of a name, without quotes."""
    return name.split(".")[-1].strip('`"[]').lower()


LONGEST = 100_000
_DEFAULT = re.compile(
    r"\bDEFAULT\s+((?:'(?:[^']|'')*'|\([^()]*\)|[\w.:-]+(?:\s*\([^()]*\))?))", re.IGNORECASE | re.DOTALL
)
_GENERATED = re.compile(
    r"\bGENERATED\b(?! ALWAYS AS (?!IDENTITY))|\b(?:STORED|PERSISTED)\b|\bIDENTITY\b|\bSERIAL\b|AUTO_INCREMENT",
    re.IGNORECASE,
)
_VIRTUAL = re.compile(r"\bGENERATED ALWAYS AS (?!IDENTITY)", re.IGNORECASE)
"""A column that is computed when it is read, and fills itself."""
_REFERENCES = re.compile(r"\bREFERENCES\b", re.IGNORECASE)
_UNIQUE = re.compile(r"\bUNIQUE\b", re.IGNORECASE)
_EXPLAIN = re.compile(r"explain\s+", re.IGNORECASE)
_MARKS = tuple(
    (tool, re.compile(up, re.IGNORECASE | re.MULTILINE), re.compile(down, re.IGNORECASE | re.MULTILINE))
    for tool, up, down in (
        ("goose", r"^--\s*\+goose\s+Up\b.*$", r"^--\s*\+goose\s+Down\b.*$"),
        ("dbmate", r"^--\s*migrate:up\b.*$", r"^--\s*migrate:down\b.*$"),
        ("sql-migrate", r"^--\s*\+migrate\s+Up\b.*$", r"^--\s*\+migrate\s+Down\b.*$"),
        (
            "commented",
            r"^--\s*(?:up|upgrade|forward)\s*:?\s*$",
            r"^--\s*(?:down|downgrade|rollback|undo|reverse)\s*:?\s*$",
        ),
    )
)
"""Comments that part the upgrade from the downgrade."""
_TRANSACTIONAL = ("goose", "dbmate", "sql-migrate")
_NO_TRANSACTION = re.compile(
    r"^--\s*(?:\+goose\s+NO\s+TRANSACTION|migrate:up\s+transaction:false|\+migrate\s+Up\s+notransaction"
    r"|atlas:txmode\s+none|disable-transaction)|executeInTransaction\s*=\s*false",
    re.IGNORECASE | re.MULTILINE,
)
_BEGIN = re.compile(
    r"^[ \t]*+(?:BEGIN(?:\s++(?:TRANSACTION|WORK))?|START\s++TRANSACTION)\s*+;", re.IGNORECASE | re.MULTILINE
)


def read(label: str, text: str) -> Migration:
    """Return the migration that a file of SQL is."""
    text = fill_template(text)
    tool, up, down, offset = _parts(text)
    if tool == "SQL" and re.match(r"V[\d._]+__", label.rpartition("/")[2]):
        tool = "Flyway"
    migration = Migration(label, tool, dialect_of(text))
    if _NO_TRANSACTION.search(text):
        migration.transaction = False
    elif _BEGIN.search(up) or tool in _TRANSACTIONAL:
        migration.transaction = True
    migration.up = [step._replace(line=step.line + offset) for step in operations_in(up)]
    if down is not None:
        migration.down = list(operations_in(down))
        migration.no_downgrade = not migration.down and not re.search(r"\w", re.sub(r"--[^\n]*", "", down))
    return migration


def _parts(text: str) -> tuple[str, str, str | None, int]:
    """Return the tool, the upgrade, the downgrade if there is a place for it, and the lines before the upgrade."""
    for tool, forward, back in _MARKS:
        first, second = forward.search(text), back.search(text)
        if first is None and (second is None or tool == "commented"):
            continue
        begin = first.end() if first is not None else 0
        end = second.start() if second is not None and second.start() > begin else len(text)
        down = text[second.end() :] if second is not None else ""
        return tool, text[begin:end], down, text.count("\n", 0, begin)
    return "SQL", text, None, 0


def operations_in(text: str, line: int = 0, most: int = 20_000) -> Iterator[Operation]:
    """Yield what a text of SQL does; `line`: where it stands inside code, if it does."""
    for statement in statements(text, most):
        for step in operations(statement):
            yield step._replace(line=line) if line else step


def operations(statement: Statement) -> Iterator[Operation]:
    """Yield what one statement does."""
    bare = statement.bare[:LONGEST]
    text = bare[:2000]
    head = _EXPLAIN.sub("", bare, 1) if _EXPLAIN.match(bare) else bare
    for form, pattern in forms("statement"):
        match = pattern.match(head)
        if match is None:
            continue
        if form.kind == "alter":
            for action in _actions(match["actions"]):
                yield from _altered(action, match["table"], statement.line, text)
        elif form.kind:
            yield form.operation(match, statement.line, "", text)
        return


def _actions(text: str) -> Iterator[str]:
    """Yield the actions of one ALTER TABLE."""
    depth, start = 0, 0
    for match in re.finditer(r"'(?:[^']|'')*'|[(),]", text):
        if match[0] == "(":
            depth += 1
        elif match[0] == ")":
            depth -= 1
        elif match[0] == "," and depth == 0:
            yield text[start : match.start()].strip()
            start = match.end()
    yield text[start:].strip()


def _altered(action: str, table: str, line: int, text: str) -> Iterator[Operation]:
    for form, pattern in forms("action"):
        match = pattern.match(action)
        if match is None:
            continue
        step = form.operation(match, line, table, text)
        if form.kind != "add_column":
            yield step
            return
        definition = action[match.start("type") :]
        default = _DEFAULT.search(definition)
        virtual = "''" if _VIRTUAL.search(definition) else ""
        generated = "generated()" if _GENERATED.search(definition) else virtual
        yield step._replace(default=default[1] if default else generated)
        if _REFERENCES.search(definition):
            yield Operation("foreign_key", line, step.table, step.column, gentle=True, text=text)
        if _UNIQUE.search(definition):
            yield Operation("unique", line, step.table, step.column, text=text)
        return
