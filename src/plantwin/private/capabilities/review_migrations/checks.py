"""Checks of a migration by its operations and the engine, and of the order of several."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import cast

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rule, Rules
from plantwin.private.capabilities.review_migrations.migration import Migration, Operation
from plantwin.vocabulary import Severity

RULES = Rules("migrations")
_VOLATILE = re.compile(
    r"\b(?:random|gen_random_uuid|uuid_generate_v\d|uuid|newid|clock_timestamp|nextval|rand|sysdate)\s*\("
    r"|^generated\(\)$",
    re.IGNORECASE,
)
_TEXT = re.compile(r"\b(?:text|varchar|character varying|string)\b", re.IGNORECASE)
_LOCKING = {
    "index", "unique_index", "unique", "foreign_key", "check", "primary_key", "alter_type", "set_not_null",
    "rewrite_table", "add_column",
}  # fmt: skip
_ROWS = ("insert", "update", "delete")
_MANY_ROWS = ("update_all", "update", "delete", "delete_all", "run_code")
_DESTRUCTIVE = ("drop_table", "drop_column", "drop_schema", "truncate", "delete_all")
_OUTSIDE = {
    "Alembic": "with op.get_context().autocommit_block()",
    "Django": "atomic = False",
    "Rails": "disable_ddl_transaction!",
}
_NUMBER = re.compile(r"(?:V|U|B)?(\d{1,20}(?:[._]\d{1,6}){0,3})(?:__|[_.-](?=[A-Za-z]))")
_DOWN = re.compile(r"\.(?:down|undo|rollback)\.|[._-]down\.|^U", re.IGNORECASE)
_SEQUENCE = 5
"""Numbers of this many digits and more are times, among which there are no gaps."""


def check(migration: Migration, engine: str) -> Iterator[Finding]:
    """Yield what is wrong with one migration."""
    new = {step.table for step in migration.up if step.kind == "create_table"}
    old = [step for step in migration.up if step.table not in new or step.kind in _DESTRUCTIVE]
    for step in migration.up:
        if step.table not in new or step.kind in _DESTRUCTIVE or step.kind.startswith("rename"):
            yield from _step(step, engine, migration)
    yield from _whole(old, engine, migration)


@cache
def _rules_of(kind: str) -> list[Rule]:
    """Return the rules whose rows name a kind of operation."""
    return [rule for rule in RULES if kind in cast(list[str], rule.options.get("operations", []))]


def _step(step: Operation, engine: str, migration: Migration) -> Iterator[Finding]:
    for rule in _rules_of(step.kind):
        engines = cast(list[str], rule.options.get("engines", []))
        if (engine and engines and engine not in engines) or (step.gentle and rule.options.get("unless_gentle")):
            continue
        again = step.kind in ("drop_table", "drop_schema") and any(
            other.kind == "create_table" and other.table == step.table for other in migration.up
        )
        severity = Severity.MEDIUM if again else None
        object_ = step.kind.removeprefix("drop_")
        yield RULES.found(rule.id, step.line, severity=severity, target=step.target, object=object_)
    if step.kind == "add_column":
        yield from _added(step, engine, migration)
    elif step.kind in ("index", "unique_index"):
        yield from _indexed(step, engine, migration)
    elif step.kind == "alter_type":
        widened = engine == "postgres" and _TEXT.search(step.type) and not step.gentle and "(" not in step.type
        rule_id = "WIDEN-TEXT" if widened else "ALTER-FIELD" if migration.tool == "Django" else "ALTER-TYPE"
        yield RULES.found(f"MIGRATION-{rule_id}", step.line, target=step.target, type=step.type or "another type")
    if not step.reversible:
        rule_id = "NO-REVERSE" if step.kind in ("run_code", "run_sql") else "IRREVERSIBLE"
        yield RULES.found(f"MIGRATION-{rule_id}", step.line)


def _added(step: Operation, engine: str, migration: Migration) -> Iterator[Finding]:
    if step.required and not step.default:
        yield RULES.found("MIGRATION-NOT-NULL-NO-DEFAULT", step.line, target=step.target)
    elif _VOLATILE.search(step.default) and migration.tool != "Django" and engine in ("postgres", "", "mysql"):
        yield RULES.found("MIGRATION-VOLATILE-DEFAULT", step.line, target=step.target)
    elif step.default and not engine and migration.tool == "SQL":
        yield RULES.found("MIGRATION-DEFAULT-REWRITE", step.line, target=step.target)


def _indexed(step: Operation, engine: str, migration: Migration) -> Iterator[Finding]:
    if step.gentle:
        if migration.transaction and engine in ("postgres", ""):
            way = _OUTSIDE.get(migration.tool, "switch the transaction of this migration off")
            yield RULES.found("MIGRATION-CONCURRENT-IN-TRANSACTION", step.line, way=way)
        return
    if engine in ("postgres", "", "tsql"):
        severity = Severity.LOW if engine == "tsql" else None
        way = "WITH (ONLINE = ON)" if engine == "tsql" else "CREATE INDEX CONCURRENTLY"
        yield RULES.found("MIGRATION-INDEX-LOCK", step.line, severity=severity, target=step.target, way=way)
    if step.kind == "unique_index":
        yield RULES.found("MIGRATION-UNIQUE-INDEX", step.line, target=step.target)


def _whole(steps: list[Operation], engine: str, migration: Migration) -> Iterator[Finding]:
    """Yield what concerns the migration as a whole; `steps` without those on tables that are new with it."""
    lost = [step for step in steps if step.kind in _DESTRUCTIVE]
    if migration.no_downgrade and migration.up:
        yield RULES.found("MIGRATION-NO-DOWNGRADE", 0, severity=Severity.MEDIUM if lost else Severity.LOW)
    elif migration.down is None and lost and migration.tool in ("SQL", "Flyway"):
        yield RULES.found("MIGRATION-NO-BACKUP", lost[0].line)
    heavy = [step for step in steps if step.kind in _MANY_ROWS]
    locks = [step for step in steps if step.kind in _LOCKING and not step.gentle]
    if heavy and locks and migration.transaction is not False and engine != "mysql":
        short = all(step.kind == "add_column" and not step.default for step in locks)
        severity = Severity.LOW if short else Severity.MEDIUM
        yield RULES.found("MIGRATION-DATA-AND-SCHEMA", heavy[0].line, severity=severity)
    changes = [step for step in steps if step.kind not in _ROWS]
    if engine == "mysql" and len(changes) > 1:
        yield RULES.found("MIGRATION-NOT-ATOMIC", changes[1].line, number=len(changes))


def _numbered(name: str) -> tuple[str, str] | None:
    """Return the folder and the number of a migration by its name; None if the name has no number."""
    folder, _, base = name.rpartition("/")
    match = _NUMBER.match(base)
    return (folder, match[1].replace("_", ".").lstrip("0") or "0") if match is not None else None


def check_numbers(names: Iterable[str], inputs: frozenset[str]) -> Iterator[tuple[str, Finding]]:
    """Yield what is wrong with the numbers of files in the folders of the inputs, with the file's name."""
    ups: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    downs: dict[str, set[str]] = defaultdict(set)
    wanted = {numbered[0] for numbered in map(_numbered, inputs) if numbered is not None}
    for name in sorted(set(names)):
        folder, number = _numbered(name) or ("", "")
        if not number or folder not in wanted:
            continue
        if _DOWN.search(name.rpartition("/")[2]):
            downs[folder].add(number)
        else:
            ups[folder][number].append(name)
    for folder, numbers in ups.items():
        given = {number: [name for name in files if name in inputs] for number, files in numbers.items()}
        for number, files in numbers.items():
            if given[number] and len(files) > 1:
                listed = ", ".join(name.rpartition("/")[2] for name in files[:4])
                found = RULES.found("MIGRATION-NUMBER-TWICE", 0, count=len(files), number=number, files=listed)
                yield given[number][0], found
            if downs[folder] and number not in downs[folder] and files[0] in inputs:
                yield files[0], RULES.found("MIGRATION-NO-DOWN-FILE", 0)
        for earlier, later in _gaps(list(numbers)):
            if given[str(later)]:
                yield given[str(later)][0], RULES.found("MIGRATION-NUMBER-GAP", 0, earlier=earlier, later=later)


def _gaps(numbers: list[str]) -> Iterator[tuple[int, int]]:
    """Yield neighbours between which numbers of the usual step are missing."""
    whole = sorted(int(number) for number in numbers if number.isdigit() and len(number) < _SEQUENCE)
    if len(whole) < 2 or len(whole) < len(numbers):
        return
    steps = [later - earlier for earlier, later in pairwise(whole)]
    usual = max(set(steps), key=steps.count)
    if usual not in (1, 5, 10, 100) or (len(steps) > 1 and steps.count(usual) * 2 < len(steps)):
        return
    for earlier, later in pairwise(whole):
        if later - earlier > usual:
            yield earlier, later


def check_revisions(migrations: list[Migration]) -> Iterator[tuple[str, Finding]]:
    """Yield what is wrong with revisions of Alembic, which name their parents, with the file's name."""
    chained = [migration for migration in migrations if migration.tool == "Alembic" and migration.revision]
    children: dict[str, list[str]] = defaultdict(list)
    labels: dict[str, list[str]] = defaultdict(list)
    for migration in chained:
        labels[migration.revision].append(migration.label)
        for parent in migration.parents:
            children[parent].append(migration.label)
    for parent, files in children.items():
        if len(files) > 1:
            yield files[1], RULES.found("MIGRATION-SEVERAL-HEADS", 0, count=len(files), parent=parent)
    rootless = [migration for migration in chained if migration.parents and not set(migration.parents) & set(labels)]
    for migration in rootless[1:]:
        yield migration.label, RULES.found("MIGRATION-MISSING-PARENT", 0, parent=migration.parents[0])
    for revision, files in labels.items():
        for label in files[1:]:
            yield label, RULES.found("MIGRATION-REVISION-TWICE", 0, revision=revision)
