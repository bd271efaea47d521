"""What can go wrong with a migration, by its operations and the engine."""

# ruff: noqa: E501 (messages and patterns)

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.migrations.operation import Migration, Operation
from plantwin.private.capabilities.statements.remark import Remark
from plantwin.vocabulary import OutcomeTag, Severity

_VOLATILE = re.compile(
    r"(?i)\b(?:random|gen_random_uuid|uuid_generate_v\d|uuid|newid|clock_timestamp|nextval|rand|sysdate)\s*\(|^generated\(\)$"
)
_TEXTS = re.compile(r"(?i)\b(?:text|varchar|character varying|string)\b")
_LOCKS = frozenset(
    [
        "index",
        "unique_index",
        "unique",
        "foreign_key",
        "check",
        "primary_key",
        "alter_type",
        "set_not_null",
        "rewrite_table",
        "add_column",
    ]
)
DESTRUCTIVE = frozenset(["drop_table", "drop_column", "drop_schema", "truncate", "delete_all"])
_OLD = "Code that still runs uses the old name: add the new one, copy, switch, and drop the old one later."


def judged(migration: Migration, engine: str, created: frozenset[str]) -> Iterator[Remark]:
    """Everything that the rules say about a migration; `created` are tables that are new with it."""
    fresh = set(created) | {each.table for each in migration.up if each.kind == "create_table"}
    for each in migration.up:
        if each.table in fresh and each.kind not in DESTRUCTIVE and not each.kind.startswith("rename"):
            continue
        yield from _one(each, engine, migration)
    yield from _whole(migration, engine, fresh)


def _remark(rule: str, each: Operation, severity: Severity, tag: OutcomeTag, message: str, hint: str) -> Remark:
    return Remark(rule, each.line, severity, tag, message, hint)


def _one(each: Operation, engine: str, migration: Migration) -> Iterator[Remark]:
    where = f"{each.table}.{each.column}" if each.column and each.table else each.table or each.column or "the table"
    postgres = engine in ("postgres", "")
    match each.kind:
        case "drop_table" | "drop_schema":
            again = any(one.kind == "create_table" and one.table == each.table for one in migration.up)
            yield _remark(
                "drop-table",
                each,
                Severity.MEDIUM if again else Severity.HIGH,
                OutcomeTag.DATA_LOSS,
                f"{where} is dropped with all its rows" + (", and made anew" if again else ""),
                "Make sure that nothing reads it, and keep a copy.",
            )
        case "drop_column":
            yield _remark(
                "drop-column",
                each,
                Severity.HIGH,
                OutcomeTag.DATA_LOSS,
                f"{where} is dropped with its values",
                "Stop using it in code first, release that, then drop it.",
            )
        case "truncate":
            yield _remark(
                "truncate",
                each,
                Severity.HIGH,
                OutcomeTag.DATA_LOSS,
                f"{where} is emptied",
                "Make sure that all rows may go.",
            )
        case "delete_all":
            yield _remark(
                "delete-all",
                each,
                Severity.HIGH,
                OutcomeTag.DATA_LOSS,
                f"All rows of {where} are deleted",
                "Add a condition, or keep a copy.",
            )
        case "update_all":
            yield _remark(
                "update-all",
                each,
                Severity.MEDIUM,
                OutcomeTag.LOCKING,
                f"All rows of {where} are rewritten in one statement",
                "Fill in batches, outside of the schema change.",
            )
        case "rename_table" | "rename_column":
            yield _remark("rename", each, Severity.HIGH, OutcomeTag.SCHEMA_CHANGED, f"{where} is renamed", _OLD)
        case "drop_view" | "drop_type" | "drop_constraint":
            yield _remark(
                "drop-object",
                each,
                Severity.LOW,
                OutcomeTag.SCHEMA_CHANGED,
                f"A {each.kind.removeprefix('drop_')} is dropped",
                "Check what relies on it.",
            )
        case "lock_table":
            yield _remark(
                "lock-table",
                each,
                Severity.HIGH,
                OutcomeTag.LOCKING,
                f"{where} is locked explicitly",
                "Keep the lock short, with a time limit.",
            )
        case "rewrite_table":
            yield _remark(
                "rewrite",
                each,
                Severity.HIGH,
                OutcomeTag.LOCKING,
                "The whole table is rewritten under an exclusive lock",
                "Use an online tool, or REINDEX CONCURRENTLY.",
            )
        case "grant_all":
            yield _remark(
                "grant-public",
                each,
                Severity.HIGH,
                OutcomeTag.EXCESSIVE_PERMISSION,
                f"Everybody gets all rights on {where}",
                "Grant what is needed to a role.",
            )
        case "add_column":
            yield from _added(each, where, engine, migration)
        case "index" | "unique_index":
            yield from _indexed(each, where, engine, migration)
        case "drop_index":
            if postgres and not each.gentle:
                yield _remark(
                    "drop-index",
                    each,
                    Severity.LOW,
                    OutcomeTag.LOCKING,
                    "An index is dropped under an exclusive lock",
                    "DROP INDEX CONCURRENTLY on PostgreSQL; check that no query needs it.",
                )
        case "alter_type":
            yield from _retyped(each, where, engine, migration)
        case "set_not_null":
            yield _remark(
                "set-not-null",
                each,
                Severity.MEDIUM,
                OutcomeTag.LOCKING,
                f"{where} becomes NOT NULL: every row is checked under a lock, and one NULL makes it fail",
                "Fill the values first; on PostgreSQL add a CHECK … NOT VALID, validate it, then set NOT NULL.",
            )
        case "foreign_key":
            if not each.gentle and engine != "sqlite":
                yield _remark(
                    "foreign-key",
                    each,
                    Severity.MEDIUM,
                    OutcomeTag.LOCKING,
                    f"A foreign key on {where} checks every row while both tables are locked",
                    "On PostgreSQL add it NOT VALID, then VALIDATE CONSTRAINT on its own.",
                )
        case "unique" | "primary_key":
            if not each.gentle:
                yield _remark(
                    "unique-constraint",
                    each,
                    Severity.MEDIUM,
                    OutcomeTag.LOCKING,
                    f"A unique constraint on {where} builds an index under a lock, and fails where values repeat",
                    "Look for repeated values; build a unique index concurrently, then use it.",
                )
        case "check":
            if not each.gentle:
                yield _remark(
                    "check-constraint",
                    each,
                    Severity.LOW,
                    OutcomeTag.LOCKING,
                    f"A check on {where} reads every row under a lock",
                    "Add it NOT VALID, then validate it.",
                )
        case "run_code" | "run_sql":
            if not each.reversible:
                yield _remark(
                    "no-reverse",
                    each,
                    Severity.MEDIUM,
                    OutcomeTag.IRREVERSIBLE,
                    "The step has no way back",
                    "Give a reverse step, or one that does nothing where that is right.",
                )
        case _:
            pass
    if not each.reversible and each.kind not in ("run_code", "run_sql"):
        yield _remark(
            "irreversible",
            each,
            Severity.MEDIUM,
            OutcomeTag.IRREVERSIBLE,
            "The tool cannot undo this step by itself",
            "Write up and down, or say the old type.",
        )


def _added(each: Operation, where: str, engine: str, migration: Migration) -> Iterator[Remark]:
    if each.required and not each.default:
        hint = "Add it without NOT NULL, fill it, then set NOT NULL; or give a default."
        yield _remark(
            "not-null-no-default",
            each,
            Severity.HIGH,
            OutcomeTag.LIKELY_DEFECT,
            f"{where} is added NOT NULL without a default: it fails as soon as the table has rows",
            hint,
        )
    elif (
        each.default
        and _VOLATILE.search(each.default)
        and migration.tool != "Django"
        and engine in ("postgres", "", "mysql")
    ):
        yield _remark(
            "volatile-default",
            each,
            Severity.HIGH,
            OutcomeTag.LOCKING,
            f"{where} is added with a default that differs by row: the table is rewritten under a lock",
            "Add it without a default, fill in batches, then set the default.",
        )
    elif each.default and engine == "" and migration.tool == "SQL":
        yield _remark(
            "default-rewrite",
            each,
            Severity.LOW,
            OutcomeTag.LOCKING,
            f"{where} is added with a default",
            "PostgreSQL before 11 and MySQL before 8 rewrite the table for that.",
        )


def _indexed(each: Operation, where: str, engine: str, migration: Migration) -> Iterator[Remark]:
    if each.gentle:
        if migration.transaction and engine in ("postgres", ""):
            ways = {
                "Alembic": "with op.get_context().autocommit_block()",
                "Django": "atomic = False",
                "Rails": "disable_ddl_transaction!",
            }
            yield _remark(
                "concurrent-in-transaction",
                each,
                Severity.HIGH,
                OutcomeTag.LIKELY_DEFECT,
                "An index cannot be built concurrently inside a transaction",
                f"Run it outside: {ways.get(migration.tool, 'switch the transaction of this migration off')}.",
            )
        return
    if engine in ("postgres", "", "tsql"):
        word = "CREATE INDEX CONCURRENTLY" if engine != "tsql" else "WITH (ONLINE = ON)"
        sure = engine == "postgres"
        yield _remark(
            "index-lock",
            each,
            Severity.MEDIUM if sure or not engine else Severity.LOW,
            OutcomeTag.LOCKING,
            f"An index on {where} is built while writes wait",
            f"{word}, in a migration of its own{'' if sure else ', where the engine has it'}.",
        )
    if each.kind == "unique_index":
        yield _remark(
            "unique-data",
            each,
            Severity.LOW,
            OutcomeTag.LIKELY_DEFECT,
            f"A unique index on {where} fails where values repeat",
            "Look for repeated values first.",
        )


def _retyped(each: Operation, where: str, engine: str, migration: Migration) -> Iterator[Remark]:
    if engine == "postgres" and _TEXTS.search(each.type) and not each.gentle and "(" not in each.type:
        yield _remark(
            "widened",
            each,
            Severity.LOW,
            OutcomeTag.SCHEMA_CHANGED,
            f"{where} becomes {each.type}",
            "From a shorter text this needs no rewrite.",
        )
        return
    if migration.tool == "Django":
        yield _remark(
            "alter-field",
            each,
            Severity.LOW,
            OutcomeTag.LOCKING,
            f"{where} is altered: a new type rewrites the table, NOT NULL reads it",
            "Look at the SQL with sqlmigrate.",
        )
        return
    yield _remark(
        "alter-type",
        each,
        Severity.HIGH,
        OutcomeTag.LOCKING,
        f"{where} gets another type{f' ({each.type})' if each.type else ''}: the table is rewritten under a lock, and values may not fit",
        "Add a new column, copy in batches, switch, and drop the old one later.",
    )


def _whole(migration: Migration, engine: str, fresh: set[str]) -> Iterator[Remark]:
    """What concerns the migration as a whole."""
    up = [each for each in migration.up if each.table not in fresh or each.kind in DESTRUCTIVE]
    lost = [each for each in up if each.kind in DESTRUCTIVE]
    if migration.no_way_back and migration.up:
        severity = Severity.MEDIUM if lost else Severity.LOW
        yield Remark(
            "no-downgrade",
            0,
            severity,
            OutcomeTag.IRREVERSIBLE,
            "There is no way back: the place for it is empty, missing or refuses",
            "Write it, or say in the release notes that there is none.",
        )
    elif migration.down is None and lost and migration.tool in ("SQL", "Flyway"):
        yield Remark(
            "no-downgrade",
            lost[0].line,
            Severity.MEDIUM,
            OutcomeTag.IRREVERSIBLE,
            "What is dropped here cannot be brought back by a later migration",
            "Keep a copy, and a script that restores it.",
        )
    heavy = [each for each in up if each.kind in ("update_all", "update", "delete", "delete_all", "run_code")]
    locks = [each for each in up if each.kind in _LOCKS and not each.gentle]
    if heavy and locks and migration.transaction is not False and engine != "mysql" and heavy[0].kind != "insert":
        short = all(each.kind == "add_column" and not each.default for each in locks)
        yield Remark(
            "mixed",
            heavy[0].line,
            Severity.LOW if short else Severity.MEDIUM,
            OutcomeTag.LOCKING,
            "Rows are changed and the schema is altered in one migration: locks are held while rows are rewritten",
            "Split it in two.",
        )
    changes = [each for each in up if each.kind not in ("insert", "update", "delete")]
    if engine == "mysql" and len(changes) > 1:
        yield Remark(
            "not-atomic",
            changes[1].line,
            Severity.LOW,
            OutcomeTag.IRREVERSIBLE,
            f"{len(changes)} schema changes: MySQL commits each on its own, so a failure leaves half of them",
            "One change for each migration.",
        )
