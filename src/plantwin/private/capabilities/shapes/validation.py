"""Data against a declared shape, with the rows that do not fit."""

# ruff: noqa: E501 (messages and patterns)

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

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
from plantwin.private.capabilities.common.source import source
from plantwin.private.capabilities.data.cells import BAD_DATE, EMPTY, Cell, understood
from plantwin.private.capabilities.data.issue import Issue
from plantwin.private.capabilities.data.links import stem
from plantwin.private.capabilities.data.profile import Profiled, profiled
from plantwin.private.capabilities.data.quality import located
from plantwin.private.capabilities.job import Finding, Input, Job, Result
from plantwin.private.capabilities.shapes.documents import ENDLESS, documents, finding
from plantwin.private.capabilities.shapes.read import Read
from plantwin.private.capabilities.shapes.reading import shapes_of
from plantwin.private.capabilities.shapes.shape import Field, Shape
from plantwin.private.capabilities.shapes.tables import definitions
from plantwin.vocabulary import OutcomeTag, Severity, member

TITLE = "Data against its schema"
FITS = {
    "integer": {"integer"}, "number": {"integer", "number"}, "boolean": {"boolean"}, "date": {"date", "timestamp"},
    "timestamp": {"timestamp", "date"}, "nested": {"nested"},
}  # fmt: skip


def validate(job: Job) -> Result:
    """Tell schemas and data among the inputs apart, and check one against the other."""
    reads: list[tuple[Input, Read]] = []
    data: list[Input] = []
    sources = {given.label: source(given) for given in job.inputs if not given.is_result and not given.part}
    schema = definitions(list(sources.values()))
    for given in job.inputs:
        read = shapes_of(sources[given.label], schema) if given.label in sources else None
        if read is not None and not (
            given.name.lower().endswith((".sql", ".dump")) and given.semantic_class == "database_dump"
        ):
            reads.append((given, read))
        else:
            data.append(given)
    tables, problems = (
        profiled(Job(capability=job.capability, inputs=tuple(data), options=job.options)) if data else ([], [])
    )
    shapes = [shape for _, read in reads for shape in read.shapes]
    lines = [plain(each, 300) for each in problems]
    found = list(_itself(reads))
    if not shapes and len(tables) > 1:
        shapes = [_header(tables[0])]
        lines += [f"No schema among the inputs: the columns of {code(tables[0].table.label)} serve as one.", ""]
        tables = tables[1:]
    if not shapes:
        reason = (
            " ".join(problems)
            or "There is no schema among the inputs: JSON Schema, Avro, CREATE TABLE, dbt properties, or a second table."
        )
        return failed(TITLE, reason, [OutcomeTag.UNPARSABLE])
    checked = 0
    for each in tables:
        shape = _matching(each, shapes, len(tables))
        if shape is None:
            lines += [f"No schema fits {code(each.table.label)}.", ""]
            found.append(
                finding(
                    each.table.label,
                    0,
                    Severity.LOW,
                    OutcomeTag.SCHEMA_MISMATCH,
                    "No schema among the inputs is about this table",
                )
            )
            continue
        checked += 1
        mine = list(_checked(each, shape, tables, shapes))
        source_ = next((one for one in data if one.label == each.table.label), None)
        if shape.document is not None and source_ is not None and each.table.head_name == "head.jsonl":
            mine = list(documents(source_, each, shape)) + [
                one for one in mine if one.tag == OutcomeTag.DUPLICATION.value
            ]
        found += mine
        verdict = "fits" if not mine else counted(mine)
        lines += [
            f"{code(each.table.label)} against {code(shape.name)} ({shape.language}, {len(shape.fields)} fields), {each.rows} rows: {verdict}.",
            "",
        ]
    if not tables:
        lines += [f"No data among the inputs: {len(shapes)} declared shapes were checked in themselves.", ""]
    lines += ["| shape | language | fields | required |", "|---|---|---|---|"]
    lines += [
        f"| {code(shape.name)} | {shape.language} | {len(shape.fields)} | {sum(one.required or one.filled for one in shape.fields.values())} |"
        for shape in shapes[:60]
    ]
    listed = ordered(found)[:MOST_FINDINGS]
    truncated = any(each.table.truncated for each in tables)
    state = [OutcomeTag.TRUNCATED.value] if truncated else []
    state += [OutcomeTag.UNPARSABLE.value] if problems else []
    return Result(
        outcome=outcome(found, state=state, partial=bool(state)),
        title=TITLE,
        findings=listed,
        facts={
            "tool": "shape rules, jsonschema",
            "examined": [each.label for each in job.inputs],
            "shapes": [shape.name for shape in shapes[:200]],
            "checked": checked,
        },
        text="\n".join([*lines, "", findings_text(listed, len(set(found)))]).strip() + "\n",
    )


def _itself(reads: list[tuple[Input, Read]]) -> Iterator[Finding]:
    """What is wrong with the schemas themselves."""
    for given, read in reads:
        for one in read.problems:
            yield finding(
                given.label,
                one.line,
                member(Severity, one.severity),
                OutcomeTag.SCHEMA_MISMATCH,
                f"Schema: {one.message}",
            )


def _header(each: Profiled) -> Shape:
    shape = Shape(each.table.label, "header", each.table.label, closed=True)
    for column in each.columns:
        kinds = {column.type} if column.type not in ("empty", "text") else set()
        shape.fields[column.name] = Field(
            column.name, frozenset(kinds), 1, True, column.empty == 0 and column.rows > 20, word=column.type
        )
    return shape


def _matching(each: Profiled, shapes: list[Shape], tables: int) -> Shape | None:
    """The shape that is about a table: by name, else by its columns."""
    name = each.table.name.rpartition("#")[2].lower()
    for shape in shapes:
        if shape.name.lower() == name or stem(shape.name) == stem(name):
            return shape
    columns = {column.name.lower() for column in each.columns}
    best = max(
        shapes,
        key=lambda shape: (
            len(columns & {one.lower() for one in shape.fields})
            / max(1, len(columns | {one.lower() for one in shape.fields}))
        ),
    )
    shared = len(columns & {one.lower() for one in best.fields})
    if len(shapes) == 1 and tables == 1:
        return best
    return best if shared * 2 >= len(columns | {one.lower() for one in best.fields}) else None


def _checked(each: Profiled, shape: Shape, tables: list[Profiled], shapes: list[Shape]) -> Iterator[Finding]:
    label = each.table.label
    columns = {column.name.lower(): column for column in each.columns}
    for field in shape.fields.values():
        if field.name.lower() not in columns and (field.required or field.filled):
            near = next((name for name in columns if name.replace("_", "") == field.name.lower().replace("_", "")), "")
            hint = (
                f"There is {near}: it may be meant."
                if near
                else f"{shape.label} asks for it{f' at line {field.line}' if field.line else ''}."
            )
            yield finding(label, 0, Severity.HIGH, OutcomeTag.KEY_MISSING, f"The column {field.name} is missing", hint)
    known = {name.lower() for name in shape.fields}
    for column in each.columns:
        if column.name.lower() not in known and "." not in column.name and shape.fields:
            yield finding(
                label,
                0,
                Severity.MEDIUM if shape.closed else Severity.LOW,
                OutcomeTag.SCHEMA_MISMATCH,
                f"The column {column.name} is not in the schema",
                "Add it to the schema, or leave it out.",
            )
    issues = [
        issue
        for field in shape.fields.values()
        if field.name.lower() in columns
        for issue in _field(field, columns[field.name.lower()].name, each)
    ]
    issues += _references(each, shape, tables, shapes)
    yield from located(each, issues)
    for key in [*shape.keys, *((field.name,) for field in shape.fields.values() if field.unique)]:
        if len(key) == 1 and key[0].lower() in columns:
            column = columns[key[0].lower()]
            if column.exact and column.filled > len(column.counts):
                repeated = sum(times > 1 for times in column.counts.values())
                held = {cell for cell, times in column.counts.items() if times > 1}
                yield from located(
                    each,
                    [
                        Issue(
                            column.name,
                            OutcomeTag.DUPLICATION,
                            Severity.HIGH,
                            f"{repeated} values appear more than once, but must be unique",
                            "",
                            held.__contains__,
                        )
                    ],
                )


def _field(field: Field, name: str, each: Profiled) -> Iterator[Issue]:
    """What the cells of a column break."""

    def rule(
        message: str,
        test: Callable[[Cell], bool],
        severity: Severity = Severity.HIGH,
        tag: OutcomeTag = OutcomeTag.SCHEMA_MISMATCH,
    ) -> Issue:
        return Issue(name, tag, severity, message, "", test)

    column = next(one for one in each.columns if one.name == name)
    if field.filled and column.empty:
        yield rule(
            f"{column.empty} rows have no value, but must",
            lambda cell: understood(cell).kind == EMPTY,
            tag=OutcomeTag.MISSING_VALUES,
        )
    if field.types and "text" not in field.types:
        fitting = set().union(*(FITS[kind] for kind in field.types)) | {EMPTY}
        if field.types <= {"boolean"}:
            fitting |= {"integer"}
        wrong = {kind for kind in column.kinds if kind not in fitting}
        if wrong:
            number = sum(column.kinds[kind] for kind in wrong)
            yield rule(
                f"{number} values are no {field.word or ' or '.join(sorted(field.types))} ({', '.join(sorted(wrong))})",
                lambda cell: understood(cell).kind in wrong,
            )
    if field.types & {"date", "timestamp"} and column.bad_dates:
        yield rule(f"{column.bad_dates} dates do not exist", lambda cell: understood(cell).note == BAD_DATE)
    if field.values:
        allowed = set(field.values)
        bad = {cell for cell in column.counts if _text(cell) not in allowed}
        if bad:
            yield rule(
                f"{sum(column.counts[cell] for cell in bad)} values are not among the {len(allowed)} allowed",
                lambda cell: understood(cell).kind != EMPTY and _text(cell) not in allowed,
            )
    low, high = field.least, field.most
    if (low is not None and column.numbers and column.least < low) or (
        high is not None and column.numbers and column.most > high
    ):
        yield rule(
            f"Values lie outside of {'' if low is None else f'{low:g}'} to {'' if high is None else f'{high:g}'}",
            lambda cell: (
                (value := understood(cell)).kind in ("integer", "number")
                and ((low is not None and value.number < low) or (high is not None and value.number > high))
            ),
        )
    if field.size and any(isinstance(cell, str) and len(cell) > field.size for cell in column.counts):
        yield rule(
            f"Values are longer than {field.size} characters",
            lambda cell: isinstance(cell, str) and len(cell) > field.size,
        )
    if field.shortest and any(isinstance(cell, str) and len(cell) < field.shortest for cell in column.counts):
        yield rule(
            f"Values are shorter than {field.shortest} characters",
            lambda cell: isinstance(cell, str) and 0 < len(cell) < field.shortest,
        )
    if field.pattern and not ENDLESS.search(field.pattern):
        try:
            pattern = re.compile(field.pattern)
        except (re.error, RecursionError, OverflowError):
            return
        bad = {
            cell
            for cell in list(column.counts)[:20_000]
            if understood(cell).kind != EMPTY and not pattern.search(str(cell)[:500])
        }
        if bad:
            yield rule(
                f"{sum(column.counts[cell] for cell in bad)} values do not have the declared form", bad.__contains__
            )


def _text(cell: Cell) -> str:
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def among(texts: set[str]) -> Callable[[Cell], bool]:
    """Whether a cell is one of these, written out."""
    return lambda cell: str(cell) in texts


def _references(each: Profiled, shape: Shape, tables: list[Profiled], shapes: list[Shape]) -> Iterator[Issue]:
    for field in shape.fields.values():
        if field.references is None:
            continue
        name, target = field.references
        for other in tables:
            held = _matching(other, shapes, len(tables))
            if other is each or held is None or held.name.lower() != name.lower():
                continue
            key = next((one for one in other.columns if one.name.lower() == (target or "id").lower()), None)
            mine = next((one for one in each.columns if one.name.lower() == field.name.lower()), None)
            if key is None or mine is None or not key.exact or not mine.exact:
                continue
            there = {str(cell).strip() for cell in key.counts}
            gone = {str(cell) for cell in mine.counts if str(cell).strip() not in there}
            if gone:
                yield Issue(
                    mine.name,
                    OutcomeTag.BROKEN_REFERENCE,
                    Severity.HIGH,
                    f"{len(gone)} values are not in {other.table.label} ({key.name})",
                    "",
                    among(gone),
                )
