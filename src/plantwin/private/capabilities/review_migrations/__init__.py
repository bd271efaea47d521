"""Review migrations: what schema changes lose, what they lock, whether there is a way back."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import cast

import msgspec

from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import MOST_FINDINGS, code, failed, plain
from plantwin.private.capabilities.engine.results import Examined, concluded, table
from plantwin.private.capabilities.engine.rules import Rule, Rules
from plantwin.private.capabilities.engine.source import READ, Source, source
from plantwin.private.capabilities.review_migrations import python, scripts, sql
from plantwin.private.capabilities.review_migrations.sql import Migration, Operation, bare_name
from plantwin.private.formats.sql import shortened
from plantwin.vocabulary import OutcomeTag, Severity

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
_COPIES = ("insert", "create_table", "update", "update_all")
_DESTRUCTIVE = ("drop_table", "drop_column", "drop_schema", "truncate", "delete_all")
_OUTSIDE = {
    "Alembic": "with op.get_context().autocommit_block()",
    "Django": "atomic = False",
    "Rails": "disable_ddl_transaction!",
}
_NUMBER = re.compile(r"(?:V|U|B)?(\d{1,20}(?:[._]\d{1,6}){0,3})(?:__|[_.-](?=[A-Za-z]))")
_DOWN = re.compile(r"(?:^|[._-])(?:down|undo|rollback)\.|^U(?=\d)", re.IGNORECASE)
_TEST = re.compile(r"[._](?:test|spec)\.\w+$")
_SEQUENCE = 5
"""Numbers of this many digits and more are times, among which there are no gaps."""


def check(migration: Migration, engine: str) -> Iterator[Finding]:
    """Yield what is wrong with one migration."""
    new = {step.table for step in migration.up if step.kind == "create_table"}
    dropped = {step.table for step in migration.up if step.kind == "drop_table"}
    old = [step for step in migration.up if step.table not in new or step.kind in _DESTRUCTIVE]
    for step in migration.up:
        if step.kind == "rename_table" and (step.table.endswith("_seq") or step.table in new - dropped):
            continue  # a sequence of PostgreSQL or a table that is new here, which no code names
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
        severity = Severity.LOW if _stays(step, migration.up) else None
        object_ = step.kind.removeprefix("drop_")
        yield RULES.found(rule.id, step.line, severity=severity, target=step.target, object=object_)
    if step.kind == "add_column":
        yield from _added(step, engine, migration)
    elif step.kind in ("index", "unique_index"):
        yield from _indexed(step, engine, migration)
    elif step.kind == "alter_type":
        unbounded = _TEXT.search(step.type) is not None and not step.gentle and "(" not in step.type
        widened = unbounded and (engine == "postgres" or (not engine and "text" in step.type.lower()))
        rule_id = "WIDEN-TEXT" if widened else "ALTER-FIELD" if migration.tool == "Django" else "ALTER-TYPE"
        yield RULES.found(f"MIGRATION-{rule_id}", step.line, target=step.target, type=step.type or "another type")
    if not step.reversible:
        rule_id = "NO-REVERSE" if step.kind in ("run_code", "run_sql") else "IRREVERSIBLE"
        yield RULES.found(f"MIGRATION-{rule_id}", step.line)


def _stays(step: Operation, steps: list[Operation]) -> bool:
    """Tell whether a name that a step takes away is there again at the end, as where SQLite has a table made anew."""

    def named(kind: str) -> bool:
        made = [other for other in steps if other.kind == kind and other.table == step.table]
        return any(kind == "create_table" or other.column == step.column for other in made)

    # Rails writes the new name of a table where others have a column.
    renamed = {bare_name(other.type or other.column) for other in steps if other.kind.startswith("rename")}
    dropped = {other.column or other.table for other in steps if other.kind.startswith("drop_")}
    later = steps[steps.index(step) :]
    match step.kind:
        case "drop_table" | "drop_schema":
            rows = re.compile(rf"\bfrom\W+(?:\w+\W+)?{re.escape(step.table)}\b", re.IGNORECASE)
            copied = any(other.kind in _COPIES and rows.search(other.text) for other in steps)
            return named("create_table") or step.table in renamed or copied
        case "drop_column":  # made anew, replaced by another of that name, or an old form whose values were copied
            replaced = any(other.kind == "rename_column" and bare_name(other.type) == step.column for other in later)
            copied = any(other.kind in ("update", "update_all") for other in steps)
            return named("add_column") or named("create_table") or replaced or (copied and step.column in renamed)
        case "rename_table":
            return named("create_table") or bare_name(step.type) in dropped
        case "rename_column":
            return named("add_column") or named("create_table") or bare_name(step.type) in dropped
    return False


def _added(step: Operation, engine: str, migration: Migration) -> Iterator[Finding]:
    if step.required and not step.default:
        fills = engine == "mysql" or (not engine and migration.tool == "Laravel")
        severity = Severity.LOW if fills else None
        yield RULES.found("MIGRATION-NOT-NULL-NO-DEFAULT", step.line, severity=severity, target=step.target)
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
        # Django goes by dependencies, Alembic by revisions: their numbers order nothing.
        if not number or folder not in wanted or name.endswith(".py") or _TEST.search(name):
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
                # Equal times are sorted by the rest of the name; equal numbers of a sequence are a conflict.
                moment = len(number.replace(".", "")) >= 12
                found = RULES.found(
                    "MIGRATION-NUMBER-TWICE", 0, severity=Severity.LOW if moment else None,
                    count=len(files), number=number, files=listed,
                )  # fmt: skip
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


def _heads(parent: str, chained: list[Migration]) -> set[str]:
    """Return the revisions after a parent that nothing follows: one where its branches were merged."""
    after: dict[str, list[str]] = defaultdict(list)
    for migration in chained:
        for earlier in migration.parents:
            after[earlier].append(migration.revision)
    heads, seen, left = set(), {parent}, [parent]
    while left:
        revision = left.pop()
        heads |= set() if after[revision] else {revision}
        left += [later for later in after[revision] if later not in seen]
        seen |= set(after[revision])
    return heads


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
        if len(files) > 1 and len(_heads(parent, chained)) > 1:
            yield files[1], RULES.found("MIGRATION-SEVERAL-HEADS", 0, count=len(files), parent=parent)
    rootless = [migration for migration in chained if migration.parents and not set(migration.parents) & set(labels)]
    for migration in rootless[1:]:
        yield migration.label, RULES.found("MIGRATION-MISSING-PARENT", 0, parent=migration.parents[0])
    for revision, files in labels.items():
        for label in files[1:]:
            yield label, RULES.found("MIGRATION-REVISION-TWICE", 0, revision=revision)


TITLE = "Review of migrations"
NO_MIGRATION = "None of the inputs is a migration: no SQL, Alembic, Django, Rails, Knex, Sequelize, TypeORM or Laravel."


def run(job: Job) -> Result:
    """Review the migrations among a job's inputs, in their order."""
    sources = [source(given) for given in job.inputs if not given.is_result]
    read = [(file, _read(file)) for file in sorted(sources, key=lambda file: file.label)]
    migrations = [migration for _, migration in read if migration is not None]
    if not migrations:
        return failed(TITLE, NO_MIGRATION, [OutcomeTag.UNPARSABLE])
    engine = next((migration.engine for migration in migrations if migration.engine), "")
    findings: dict[str, list[Finding]] = defaultdict(list)
    proxies = {step.table for migration in migrations for step in migration.up if step.kind == "create_proxy"}
    for migration in migrations:
        if migration.tool == "Django":  # a model without a table of its own leaves none behind
            migration.up = [step for step in migration.up if step.kind != "drop_table" or step.table not in proxies]
        evidence = {step.line: shortened(step.text) for step in reversed(migration.up)}
        rollback = _DOWN.search(migration.label.rpartition("/")[2]) is not None  # it is there to take away
        for finding in check(migration, migration.engine or engine):
            severity = "low" if rollback else finding.severity
            finding = msgspec.structs.replace(finding, severity=severity, evidence=evidence.get(finding.line, ""))
            findings[migration.label].append(finding)
    labels = frozenset(file.label for file in sources)
    around = [neighbour.name for neighbour in job.surroundings.objects if not neighbour.part]
    for label, finding in [*check_numbers([*around, *labels], labels), *check_revisions(migrations)]:
        findings[label].append(finding)
    others = [file.label for file, migration in read if migration is None]
    notes = [f"No migration was found in: {', '.join(map(code, others))}."] if others else []
    if not engine:
        notes.append("Nothing tells the engine: rules of PostgreSQL are used, whose locks are the strictest.")
    state = [OutcomeTag.TRUNCATED] if any(file.truncated for file in sources) else []
    notes += [f"Only the first {READ >> 20} MiB of a file are read."] if state else []
    unknown = [file.label for file, migration in read if migration and migration.tool == "SQL" and not migration.up]
    if unknown:
        notes.append(f"Nothing is judged in {', '.join(map(code, unknown))}: no statement in it is one of a migration.")
    state += [OutcomeTag.UNPARSABLE] if others or unknown else []
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
