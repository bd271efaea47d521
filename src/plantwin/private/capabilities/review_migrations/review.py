"""The review of migrations."""

from __future__ import annotations

from collections import Counter, defaultdict

import msgspec

from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import MOST_FINDINGS, code, failed, plain
from plantwin.private.capabilities.engine.results import Examined, concluded, table
from plantwin.private.capabilities.engine.source import Source, source
from plantwin.private.capabilities.review_migrations import python, scripts, sql
from plantwin.private.capabilities.review_migrations.checks import check, check_numbers, check_revisions
from plantwin.private.capabilities.review_migrations.migration import Migration
from plantwin.private.formats.sql import shortened
from plantwin.vocabulary import OutcomeTag

TITLE = "Review of migrations"
NO_MIGRATION = "None of the inputs is a migration: no SQL, Alembic, Django, Rails, Knex, Sequelize, TypeORM or Laravel."


def review(job: Job) -> Result:
    """Review the migrations among a job's inputs, in their order."""
    sources = [source(given) for given in job.inputs if not given.is_result]
    read = [(file, _read(file)) for file in sorted(sources, key=lambda file: file.label)]
    migrations = [migration for _, migration in read if migration is not None]
    if not migrations:
        return failed(TITLE, NO_MIGRATION, [OutcomeTag.UNPARSABLE])
    engine = next((migration.engine for migration in migrations if migration.engine), "")
    findings: dict[str, list[Finding]] = defaultdict(list)
    for migration in migrations:
        evidence = {step.line: shortened(step.text) for step in reversed(migration.up)}
        for finding in check(migration, migration.engine or engine):
            findings[migration.label].append(msgspec.structs.replace(finding, evidence=evidence.get(finding.line, "")))
    labels = frozenset(file.label for file in sources)
    around = [neighbour.name for neighbour in job.surroundings.objects if not neighbour.part]
    for label, finding in [*check_numbers([*around, *labels], labels), *check_revisions(migrations)]:
        findings[label].append(finding)
    others = [file.label for file, migration in read if migration is None]
    notes = [f"No migration was found in: {', '.join(map(code, others))}."] if others else []
    if not engine:
        notes.append("Nothing tells the engine: rules of PostgreSQL are used, whose locks are the strictest.")
    state = [OutcomeTag.TRUNCATED] if any(file.truncated for file in sources) else []
    state += [OutcomeTag.UNPARSABLE] if others else []
    operations = {migration.label: dict(Counter(step.kind for step in migration.up)) for migration in migrations}
    return concluded(
        job,
        TITLE,
        [Examined(file, findings[file.label]) for file, _ in read],
        tool="migration rules",
        state=state,
        notes=notes,
        tables=table(
            ["migration", "tool", "engine", "operations", "downgrade"],
            [_row(migration, engine, operations[migration.label]) for migration in migrations],
        ),
        facts={"engine": engine or "unknown", "operations": operations},
        per_rule=MOST_FINDINGS,
    )


def _row(migration: Migration, engine: str, operations: dict[str, int]) -> list[str]:
    words = [
        kind.replace("_", " ") + (f" ×{times}" if times > 1 else "")
        for kind, times in Counter(operations).most_common(6)
    ]
    if migration.no_downgrade:
        downgrade = "none"
    elif migration.down is not None:
        downgrade = "yes"
    else:
        downgrade = "by the tool" if migration.tool in ("Django", "Rails") else "no place for it"
    done = plain(", ".join(words) or "nothing that is known")
    return [code(migration.label), migration.tool, migration.engine or engine or "not known", done, downgrade]


def _read(file: Source) -> Migration | None:
    if file.binary or not file.text.strip():
        return None
    if file.format == "python":
        return python.read(file.label, file.text)
    if file.format in ("ruby", "javascript", "typescript", "php"):
        return scripts.read(file.label, file.format, file.text)
    if file.format == "sql" or file.label.lower().endswith((".sql", ".ddl")):
        return sql.read(file.label, file.text)
    return None
