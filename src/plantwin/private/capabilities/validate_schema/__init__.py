"""Check data against declared schemas, with the rows that do not fit, and schemas in themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from plantwin.private.capabilities.engine.job import Finding, Input, Job, Result
from plantwin.private.capabilities.engine.report import MOST_FINDINGS, code, counted, failed, plain
from plantwin.private.capabilities.engine.results import Examined, capped, concluded, table
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.engine.secrets import detector_of
from plantwin.private.capabilities.engine.source import Source, source
from plantwin.private.capabilities.tables.cells import BAD_DATE, EMPTY, Cell, understood
from plantwin.private.capabilities.tables.column import Column
from plantwin.private.capabilities.tables.profiled import Issue, Profiled, Shown, located, profiled, stem
from plantwin.private.capabilities.tables.statistics import agreed
from plantwin.private.capabilities.validate_schema.declarations import declared_schemas, defined_tables
from plantwin.private.capabilities.validate_schema.json_schema import (
    NESTED_REPETITION,
    check_documents,
    check_settings,
    loaded,
)
from plantwin.private.capabilities.validate_schema.schema import Field, Schema, SchemaFile, cell_text
from plantwin.vocabulary import OutcomeTag, Severity

RULES = Rules("schema")
TITLE = "Data against its schema"
NO_SCHEMA = "There is no schema among the inputs: JSON Schema, CREATE TABLE, dbt properties, or a second table."
_NAMED = re.compile(
    r"(?:# yaml-language-server: \$schema=|^\s*[{\"']*\$schema[\"']?: ?[\"']?)[^\s\"']*?([^/\s\"'#]+)[\"',#\s]",
    re.MULTILINE,
)
"""The last part of the address of the schema that a document names."""
_FITTING = {
    "integer": {"integer"},
    "number": {"integer", "number"},
    "boolean": {"boolean", "integer"},
    "date": {"date", "timestamp"},
    "timestamp": {"timestamp", "date"},
    "nested": {"nested"},
}
"""Types of cells that fit a declared type."""


def run(job: Job) -> Result:
    """Tell schemas and data among the inputs apart, and check the data against the schemas."""
    declared, data = _declared(job)
    whole, data = _documents(data, [schema for _, file in declared for schema in file.schemas])
    tables, problems = profiled(msgspec.structs.replace(job, inputs=tuple(data))) if data else ([], [])
    schemas = [schema for _, file in declared for schema in file.schemas]
    lines = [plain(problem, 300) for problem in problems]
    # Lists of one document have nothing to do with each other, and settings are no second export of a table.
    others = [profile for profile in tables if profile.input is not tables[0].input]
    if not schemas and others and not any(map(_settings, tables)):
        schemas = [_header_schema(tables[0])]
        lines += [f"No schema among the inputs: the columns of {code(tables[0].table.label)} serve as one.", ""]
        tables = others
    if not schemas:
        return failed(TITLE, " ".join(problems) or NO_SCHEMA, [OutcomeTag.UNPARSABLE])
    schema_findings = {declaring.label: list(file.findings) for declaring, file in declared}
    examined: list[Examined] = []
    fitting = len(whole)
    for file, schema in whole:
        of_data, of_schema = check_settings(file, schema.document, Shown(detector_of(job), {}))
        schema_findings.setdefault(schema.label, []).extend(of_schema)
        examined.append(Examined(file, of_data))
        result = counted(of_data) if of_data else "fits"
        lines += [f"{code(file.label)} against {code(schema.name)} ({schema.language}): {result}.", ""]
    for profile in tables:
        matched = _schema_of(profile, schemas, len(tables))
        label = profile.table.label
        if matched is None:
            lines += [f"No schema fits {code(label)}.", ""]
            examined.append(Examined(_table_source(label), [RULES.found("SCHEMA-NO-MATCH", 0)]))
            continue
        schema = matched
        fitting += 1
        findings = list(_findings(profile, schema, tables, schemas))
        if schema.language == "header":  # nobody declared that the tables are alike
            findings = [capped(finding) for finding in findings]
        given = next((held for held in data if held.label == label), None)
        if schema.document is not None and given is not None and profile.table.head_name == "head.jsonl":
            of_data, of_schema = check_documents(given, profile, schema.document)
            schema_findings.setdefault(schema.label, []).extend(of_schema)
            findings = of_data + [finding for finding in findings if finding.tag == OutcomeTag.DUPLICATION]
        examined.append(Examined(_table_source(label), findings))
        about = f"{code(schema.name)} ({schema.language}, {len(schema.fields)} fields), {profile.rows} rows"
        lines += [f"{code(label)} against {about}: {counted(findings) if findings else 'fits'}.", ""]
    if not tables and not whole:
        lines += [f"No data among the inputs: {len(schemas)} declared schemas were checked in themselves.", ""]
    state = [OutcomeTag.TRUNCATED] if any(profile.table.truncated for profile in tables) else []
    return concluded(
        job,
        TITLE,
        [*(Examined(declaring, schema_findings[declaring.label]) for declaring, _ in declared), *examined],
        tool="schema rules, jsonschema",
        state=[*state, OutcomeTag.UNPARSABLE] if problems else state,
        tables=[*lines, *_table(schemas)],
        facts={
            "examined": [given.label for given in job.inputs],
            "schemas": [schema.name for schema in schemas[:200]],
            "checked": fitting,
        },
        per_rule=MOST_FINDINGS,
    )


def _declared(job: Job) -> tuple[list[tuple[Source, SchemaFile]], list[Input]]:
    """Return the objects that declare schemas, and the others."""
    sources = {given.label: source(given) for given in job.inputs if not given.is_result and not given.part}
    tables = defined_tables(list(sources.values()))
    declared: list[tuple[Source, SchemaFile]] = []
    data: list[Input] = []
    for given in job.inputs:
        file = declared_schemas(sources[given.label], tables) if given.label in sources else None
        dump = given.name.lower().endswith((".sql", ".dump")) and given.semantic_class == "database_dump"
        if file is None or dump:
            data.append(given)
        else:
            declared.append((sources[given.label], file))
    return declared, data


def _documents(data: Sequence[Input], schemas: Sequence[Schema]) -> tuple[list[tuple[Source, Schema]], list[Input]]:
    """Return the documents that a JSON Schema describes as a whole, each with its schema, and the other data."""
    whole: list[tuple[Source, Schema]] = []
    others: list[Input] = []
    for given in data:
        file = source(given) if schemas and not given.part and not given.is_result else None
        roots = loaded(file) if file is not None else []
        # A list in JSON is read as a table, row by row, however large it is.
        lists = [root for root in roots if isinstance(root, list)] if file and file.format == "yaml" else []
        items = [item for root in lists for item in root] or roots
        keys = {str(key).lower() for item in items if isinstance(item, dict) for key in item}
        fitting = [schema for schema in schemas if _describes(schema.document, "array" if lists else "object")]
        named = _NAMED.search(file.text) if file is not None else None
        if named is not None:  # a document says itself which schema it has
            fitting = [schema for schema in fitting if _plain_stem(schema.label) == _plain_stem(named[1])]
        schema = _described(given.name, keys, fitting, len(data)) if keys and fitting else None
        if file is None or schema is None:
            others.append(given)
        else:
            whole.append((file, schema))
    return whole, others


def _describes(document: object, sort: str) -> bool:
    return isinstance(document, dict) and document.get("type", "object") == sort


def _plain_stem(name: str) -> str:
    return stem(name.removesuffix(".json").removesuffix(".schema"))


def _described(name: str, keys: set[str], schemas: Sequence[Schema], inputs: int) -> Schema | None:
    """Return the schema of a document: the one of its name, the only one, or the one that knows most of its keys."""
    for schema in schemas:
        if _plain_stem(schema.name) == stem(name.rpartition(".")[0]) and schema.matching_field_count(keys)[0]:
            return schema
    best = max(schemas, key=lambda schema: schema.matching_field_count(keys)[0])
    shared, _ = best.matching_field_count(keys)
    if len(schemas) == 1 and inputs == 1 and shared:
        return best
    return best if shared and shared * 2 >= min(len(keys), len(best.fields)) else None


def _settings(profile: Profiled) -> bool:
    name = profile.input.name.lower()
    return name.endswith((".yaml", ".yml")) or (name.endswith(".json") and profile.rows == 1)


def _table_source(label: str) -> Source:
    """Return a source without text: the evidence of a table's findings is chosen by its cells."""
    return Source(Input(name=label), label, "", b"", "", False, False)


def _table(schemas: Sequence[Schema]) -> list[str]:
    rows = []
    for schema in schemas:
        required = sum(field.required or field.filled for field in schema.fields.values())
        rows.append([code(schema.name), schema.language, str(len(schema.fields)), str(required)])
    return table(["schema", "language", "fields", "required"], rows)


def _header_schema(profile: Profiled) -> Schema:
    """Return the columns of a table as a schema."""
    schema = Schema(profile.table.label, "header", profile.table.label, closed=True)
    for column in profile.columns:
        types = frozenset({column.type} if column.type not in ("empty", "text") else ())
        filled = column.empty == 0 and column.rows > 20
        schema.fields[column.name] = Field(
            column.name, types, 1, required=True, filled=filled, declared_type=column.type
        )
    return schema


def _schema_of(profile: Profiled, schemas: Sequence[Schema], tables: int) -> Schema | None:
    """Return the schema that is about a table: by name, else by its columns."""
    name = profile.table.name.rpartition("#")[2].lower()
    for schema in schemas:
        if schema.name.lower() == name or stem(schema.name) == stem(name):
            return schema
    columns = {column.name.lower() for column in profile.columns}

    def likeness(schema: Schema) -> float:
        shared, together = schema.matching_field_count(columns)
        return shared / max(1, together)

    best = max(schemas, key=likeness)
    shared, together = best.matching_field_count(columns)
    only = len(schemas) == 1 and tables == 1 and (shared or best.language != "header")
    return best if only or shared * 2 >= together else None


def _findings(
    profile: Profiled, schema: Schema, tables: Sequence[Profiled], schemas: Sequence[Schema]
) -> Iterator[Finding]:
    columns = {column.name.lower(): column for column in profile.columns}
    known = {name.lower(): field for name, field in schema.fields.items()}
    for name, field in known.items():
        if name not in columns and (field.required or field.filled):
            near = next((other for other in columns if other.replace("_", "") == name.replace("_", "")), "")
            line = f" at line {field.line}" if field.line else ""
            fix = f"There is {near}: it may be meant." if near else f"{schema.label} asks for it{line}."
            # One record of JSON, by whatever name, is as often a document of its own as a table.
            lone = profile.rows < 2 and not profile.input.name.endswith((".csv", ".tsv"))
            severity = Severity.MEDIUM if lone else None
            yield RULES.found("SCHEMA-COLUMN-MISSING", 0, severity=severity, column=field.name, fix=fix)
    for column in profile.columns:
        if schema.fields and column.name.lower() not in known and "." not in column.name:
            severity = Severity.MEDIUM if schema.closed else Severity.LOW
            yield RULES.found("SCHEMA-COLUMN-UNKNOWN", 0, severity=severity, column=column.name)
    violations: list[Issue] = []
    for name, field in known.items():
        if name in columns:
            violations += _violations(field, columns[name])
    violations += _broken_references(profile, schema, tables, schemas)
    for key in [*schema.keys, *((field.name,) for field in schema.fields.values() if field.unique)]:
        unique = columns.get(key[0].lower()) if len(key) == 1 else None
        if unique is not None and unique.exact and unique.filled > len(unique.counts):
            repeated = {cell for cell, times in unique.counts.items() if times > 1}
            finding = _found("SCHEMA-UNIQUE", count=len(repeated))
            violations.append(Issue(unique.name, finding, repeated.__contains__))
    yield from located(profile, violations)


def _found(rule: str, **values: object) -> Finding:
    """Make a finding whose words agree with its numbers."""
    finding = RULES.found(rule, 0, severity=None, **values)
    return msgspec.structs.replace(finding, message=agreed(finding.message))


def _violations(field: Field, column: Column) -> Iterator[Issue]:
    """Yield what the cells of a column break."""
    name = column.name
    if field.filled and column.empty:
        finding = _found("SCHEMA-EMPTY", count=column.empty)
        yield Issue(name, finding, lambda cell: understood(cell).kind == EMPTY)
    if field.types and "text" not in field.types:
        fitting = set().union(*(_FITTING[type_] for type_ in field.types)) | {EMPTY}
        wrong = column.kinds.keys() - fitting
        if wrong:
            type_ = field.declared_type or " or ".join(sorted(field.types))
            count = sum(column.kinds[kind] for kind in wrong)
            finding = _found("SCHEMA-TYPE", count=count, type=type_, found=", ".join(sorted(wrong)))
            yield Issue(name, finding, lambda cell: understood(cell).kind in wrong)
    if field.types & {"date", "timestamp"} and column.bad_dates:
        finding = _found("SCHEMA-DATE", count=column.bad_dates)
        yield Issue(name, finding, lambda cell: understood(cell).note == BAD_DATE)
    allowed = set(field.values)
    bad = {cell for cell in column.counts if cell_text(cell) not in allowed} if allowed else set()
    if bad:
        finding = _found("SCHEMA-VALUES", count=sum(column.counts[cell] for cell in bad), allowed=len(allowed))
        yield Issue(name, finding, lambda cell: understood(cell).kind != EMPTY and cell_text(cell) not in allowed)
    yield from _out_of_range(field, column)
    yield from _text_violations(field, column)


def _out_of_range(field: Field, column: Column) -> Iterator[Issue]:
    least = float("-inf") if field.least is None else field.least
    most = float("inf") if field.most is None else field.most

    def outside(cell: Cell) -> bool:
        value = understood(cell)
        return value.kind in ("integer", "number") and not least <= value.number <= most

    if column.numbers and (column.least < least or column.most > most):
        bounds = ["" if bound is None else f"{bound:g}" for bound in (field.least, field.most)]
        yield Issue(column.name, _found("SCHEMA-RANGE", least=bounds[0], most=bounds[1]), outside)


def _text_violations(field: Field, column: Column) -> Iterator[Issue]:
    def too_long(cell: Cell) -> bool:
        return isinstance(cell, str) and len(cell) > field.longest

    def too_short(cell: Cell) -> bool:
        return isinstance(cell, str) and 0 < len(cell) < field.shortest

    if field.longest and any(map(too_long, column.counts)):
        yield Issue(column.name, _found("SCHEMA-TOO-LONG", longest=field.longest), too_long)
    if field.shortest and any(map(too_short, column.counts)):
        yield Issue(column.name, _found("SCHEMA-TOO-SHORT", shortest=field.shortest), too_short)
    if field.pattern and not NESTED_REPETITION.search(field.pattern):
        try:
            pattern = re.compile(field.pattern)
        except (re.error, RecursionError, OverflowError):
            return
        some = list(column.counts)[:20_000]
        bad = {cell for cell in some if understood(cell).kind != EMPTY and not pattern.search(str(cell)[:500])}
        if bad:
            count = sum(column.counts[cell] for cell in bad)
            yield Issue(column.name, _found("SCHEMA-FORM", count=count), bad.__contains__)


def _broken_references(
    profile: Profiled, schema: Schema, tables: Sequence[Profiled], schemas: Sequence[Schema]
) -> Iterator[Issue]:
    """Yield values of foreign keys that the other table does not have."""
    columns = {column.name.lower(): column for column in profile.columns}
    for field in schema.fields.values():
        own = columns.get(field.name.lower())
        if field.references is None or own is None:
            continue
        name, target = field.references
        for other in tables:
            theirs = _schema_of(other, schemas, len(tables))
            if other is profile or theirs is None or theirs.name.lower() != name.lower():
                continue
            key = next((column for column in other.columns if column.name.lower() == (target or "id").lower()), None)
            if key is None or not key.exact or not own.exact:
                continue
            known = {str(cell).strip() for cell in key.counts}
            unknown = {cell for cell in own.counts if str(cell).strip() not in known}
            if unknown:
                where = f"{other.table.label} ({key.name})"
                finding = _found("SCHEMA-FOREIGN-KEY", count=len(unknown), table=where)
                yield Issue(own.name, finding, unknown.__contains__)
