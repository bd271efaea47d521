"""Migrations in SQL, of goose, dbmate, sql-migrate, Flyway or no tool."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.review_migrations.migration import Migration, Operation, forms
from plantwin.private.formats.sql import Statement, dialect_of, fill_template, statements

LONGEST = 100_000
_DEFAULT = re.compile(
    r"\bDEFAULT\s+((?:'(?:[^']|'')*'|\([^()]*\)|[\w.:-]+(?:\s*\([^()]*\))?))", re.IGNORECASE | re.DOTALL
)
_GENERATED = re.compile(r"\bGENERATED\b|\bIDENTITY\b|\bSERIAL\b|AUTO_INCREMENT", re.IGNORECASE)
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
_BEGIN = re.compile(r"^\s*(?:BEGIN(?:\s+(?:TRANSACTION|WORK))?|START\s+TRANSACTION)\s*;", re.IGNORECASE | re.MULTILINE)


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
    text = bare[:160]
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
        generated = "generated()" if _GENERATED.search(definition) else ""
        yield step._replace(default=default[1] if default else generated)
        if _REFERENCES.search(definition):
            yield Operation("foreign_key", line, step.table, step.column, gentle=True, text=text)
        if _UNIQUE.search(definition):
            yield Operation("unique", line, step.table, step.column, text=text)
        return
