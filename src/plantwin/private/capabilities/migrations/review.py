"""The review of migrations."""

# ruff: noqa: E501 (messages and patterns)

from __future__ import annotations

from collections import Counter

from plantwin.private.capabilities.common.report import (
    MOST_FINDINGS,
    code,
    counted,
    failed,
    findings_text,
    ordered,
    outcome,
    plain,
)
from plantwin.private.capabilities.common.source import Source, source
from plantwin.private.capabilities.job import Finding, Job, Result
from plantwin.private.capabilities.migrations import lines, python, sql
from plantwin.private.capabilities.migrations.operation import Migration
from plantwin.private.capabilities.migrations.order import linked, placed
from plantwin.private.capabilities.migrations.rules import judged
from plantwin.private.capabilities.statements.remark import Remark
from plantwin.private.capabilities.statements.split import shortened
from plantwin.vocabulary import OutcomeTag

TITLE = "Review of migrations"
_WORDS = {
    "drop_table": "drops a table", "drop_column": "drops a column", "create_table": "creates a table", "add_column": "adds a column",
    "index": "builds an index", "unique_index": "builds a unique index", "alter_type": "changes a type", "rename_column": "renames a column",
    "rename_table": "renames a table", "foreign_key": "adds a foreign key", "set_not_null": "forbids NULL", "update_all": "rewrites all rows",
    "run_sql": "runs SQL", "run_code": "runs code",
}  # fmt: skip


def review(job: Job) -> Result:
    """Review the migrations among a job's inputs, in their order."""
    sources = [source(given) for given in job.inputs if not given.is_result]
    migrations: list[Migration] = []
    others: list[str] = []
    for each in sorted(sources, key=lambda one: one.label):
        found = _read(each)
        if found is None:
            others.append(each.label)
        else:
            migrations.append(found)
    if not migrations:
        return failed(
            TITLE,
            "None of the inputs is a migration: no SQL, Alembic, Django, Rails, Knex, Sequelize, TypeORM or Laravel.",
            [OutcomeTag.UNPARSABLE],
        )
    engine = next((one.engine for one in migrations if one.engine), "")
    findings: list[Finding] = []
    counts: Counter[str] = Counter()
    dropped = 0
    table = ["| migration | tool | engine | what it does | way back |", "|---|---|---|---|---|"]
    for one in migrations:
        own = one.engine or engine
        evidence = {step.line: step.text for step in reversed(one.up)}
        for remark in judged(one, own, frozenset()):
            counts[remark.rule] += 1
            findings.append(_finding(one.label, remark, evidence.get(remark.line, "")))
        done = Counter(step.kind for step in one.up)
        words = ", ".join(
            f"{_WORDS.get(kind, kind.replace('_', ' '))}{f' ×{times}' if times > 1 else ''}"
            for kind, times in done.most_common(6)
        )
        back = (
            "none"
            if one.no_way_back
            else "yes"
            if one.down is not None
            else "by the tool"
            if one.tool in ("Django", "Rails")
            else "no place for it"
        )
        table.append(
            f"| {code(one.label)} | {one.tool} | {own or 'not known'} | {plain(words or 'nothing that is known')} | {back} |"
        )
        dropped += len(one.up)
    inputs = frozenset(each.label for each in sources)
    around = [each.name for each in job.surroundings.objects if not each.part]
    for name, remark in [*placed([*around, *inputs], inputs), *linked(migrations)]:
        counts[remark.rule] += 1
        findings.append(_finding(name, remark, ""))
    listed = ordered(findings)[:MOST_FINDINGS]
    truncated = any(each.truncated for each in sources)
    state = [OutcomeTag.TRUNCATED.value] if truncated else []
    state += [OutcomeTag.UNPARSABLE.value] if others else []
    text = [f"{len(migrations)} migrations with {dropped} operations examined: {counted(findings)}.", "", *table]
    if others:
        text += ["", f"No migration was found in: {', '.join(map(code, others))}."]
    if not engine:
        text += ["", "Nothing tells the engine: rules of PostgreSQL are used, whose locks are the strictest."]
    return Result(
        outcome=outcome(findings, state=state, partial=bool(state)),
        title=TITLE,
        findings=listed,
        facts={
            "tool": "migration rules",
            "examined": [each.label for each in sources],
            "engine": engine or "unknown",
            "rules": dict(counts),
            "operations": {one.label: dict(Counter(step.kind for step in one.up)) for one in migrations},
        },
        text="\n".join([*text, "", findings_text(listed, len(set(findings)))]).strip() + "\n",
    )


def _read(each: Source) -> Migration | None:
    if each.binary or not each.text.strip():
        return None
    if each.format == "python":
        return python.read(each.label, each.text)
    if each.format in ("ruby", "javascript", "typescript", "php"):
        return lines.read(each.label, each.format, each.text)
    if each.format == "sql" or each.label.lower().endswith((".sql", ".ddl")):
        return sql.read(each.label, each.text)
    return None


def _finding(label: str, remark: Remark, evidence: str) -> Finding:
    return Finding(
        name=label,
        line=remark.line,
        severity=remark.severity.value,
        tag=remark.tag.value,
        message=f"{remark.message} [{remark.rule}]",
        hint=remark.hint,
        evidence=shortened(evidence),
    )
