"""The review of queries in SQL files and inside code; definitions among the inputs are the schema."""

from __future__ import annotations

import re
from collections.abc import Iterator
from time import thread_time

import msgspec

from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import MOST_FINDINGS, code, failed
from plantwin.private.capabilities.engine.results import Examined, concluded
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.engine.source import READ, Source, source
from plantwin.private.capabilities.review_queries.embedded import FILLED, HOLE, Embedded, embedded, queries_in_loops
from plantwin.private.capabilities.review_queries.schema import Schema, learn
from plantwin.private.formats import python
from plantwin.private.formats.documents import FORMATS as DOCUMENTS
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.source_views import MASKS
from plantwin.private.formats.sql import (
    MOST,
    Statement,
    dialect_of,
    fill_template,
    parse,
    parse_definitions,
    shortened,
    statements,
)
from plantwin.vocabulary import OutcomeTag, Severity

_LEXICON = Lexicon(__file__)
TITLE = "Review of queries"
RULES = Rules("queries")
SECONDS = 40.0
"""Processor time for parsing; what is left then is said to be unread."""
LONGEST_INSERT = 8000
_DEFINITION = re.compile(r"\bcreate\s+(?:\w+\s+){0,3}(?:table|index)\b", re.IGNORECASE)
_DYNAMIC = _LEXICON.pattern("dynamic")
_QUOTED = re.compile(r"quote_(?:ident|literal|nullable)|QUOTENAME|format\s*\(|DBMS_ASSERT", re.IGNORECASE)
_INTENDED = re.compile(r"\b(?:noqa|nosec|nolint|sqlfluff:disable|intended|on purpose|all rows)\b", re.IGNORECASE)
_SQL = _LEXICON.pattern("sql")
"""How a statement of SQL begins."""
_INSERT = re.compile(r"\s*insert", re.IGNORECASE)
_REVIEWED = re.compile(r"\s*(?:select|update|delete|insert|with)\b", re.IGNORECASE)
_CHANGE = re.compile(r"(?:update\s+\S+\s+set|delete\s+from\s+\S+)\b", re.IGNORECASE)
_WHERE = re.compile(r"\bwhere\b", re.IGNORECASE)
_FENCED = re.compile(
    r"^[ ]{0,3}```[ ]{0,2}(?:\w*sql\w*|sqlite|plpgsql)\b[^\n]*\n(?P<sql>.*?)^[ ]{0,3}```", re.M | re.S | re.I
)
_MIGRATION = _LEXICON.pattern("migration")
_TEST = _LEXICON.pattern("test")
_OF_OFTEN = re.compile(
    r"SQL-(?:QUERY-IN-LOOP|MISSING-INDEX|LEADING-WILDCARD|CORRELATED-SUBQUERY|ORDER-BY-RANDOM|CONCATENATED-\w+)$"
)
"""Rules of what matters where a query runs often, or with what others send."""
_ONLY_IN_FILES = ("SQL-ORDER-BY-NO-LIMIT", "SQL-INSERT-NO-COLUMNS")
"""Rules that queries inside code are not held against: the code reads every row, or fits its table."""


def run(job: Job) -> Result:
    """Review the queries of a job's inputs."""
    sources = [source(given) for given in job.inputs if not given.is_result]
    readable = [file for file in sources if file.text and not file.binary]
    if not readable:
        return failed(TITLE, "There is no text to review.", [OutcomeTag.UNPARSABLE])
    reviewer = _Reviewer(readable)
    examined: list[Examined] = []
    without: list[str] = [file.label for file in sources if file not in readable]
    for file in readable:
        before = reviewer.number
        findings = list(reviewer.findings(file))
        if _is_sql(file) and reviewer.number == before and file.text.strip():
            without.append(file.label)
        else:
            examined.append(Examined(file, findings))
    if not examined:
        return failed(TITLE, "There is no SQL in these inputs.", [OutcomeTag.UNPARSABLE])
    state = [OutcomeTag.TRUNCATED] if reviewer.cut or any(file.truncated for file in sources) else []
    state += [OutcomeTag.UNPARSABLE] if reviewer.unparsed or without else []
    notes = [f"{reviewer.number} statements were examined." if reviewer.number else "There is no query in this code."]
    notes += [f"Only the first {READ >> 20} MiB of a file are read."] if any(file.truncated for file in sources) else []
    notes += ["Not all statements were examined: there are too many for the time."] if reviewer.cut else []
    notes += [f"Not examined, since there is no SQL in it: {', '.join(map(code, without[:10]))}."] if without else []
    if reviewer.schema:
        tables = ", ".join(code(name) for name in sorted(reviewer.schema)[:20])
        notes.append(f"Checked against {len(reviewer.schema)} tables that the inputs define: {tables}.")
    if reviewer.unparsed:
        places = ", ".join(map(code, reviewer.unparsed[:10]))
        notes.append(f"{len(reviewer.unparsed)} statements do not parse and were only searched: {places}.")
    facts: dict[str, object] = {
        "statements": reviewer.number,
        "dialect": reviewer.dialect or "unknown",
        "tables": sorted(reviewer.schema),
    }
    return concluded(
        job, TITLE, examined, tool="sqlglot and rules", state=state, notes=notes, facts=facts, per_rule=MOST_FINDINGS
    )


def _weighed(file: Source, finding: Finding) -> Finding:
    """Lower how fast and how injectable a query is where it runs once: in a migration, or in a test."""
    if finding.severity != "medium" or not (_TEST.search(file.label) or _MIGRATION.search(file.label)):
        return finding
    return msgspec.structs.replace(finding, severity="low") if _OF_OFTEN.match(finding.rule) else finding


def _is_sql(file: Source) -> bool:
    return file.format == "sql" or file.label.lower().endswith((".sql", ".ddl", ".psql")) or file.format not in MASKS


def _written(file: Source) -> str:
    """Return the SQL of a file; of a document for readers only what its fenced blocks hold, on the same lines."""
    if file.format not in DOCUMENTS or file.label.lower().endswith((".sql", ".ddl", ".psql")):
        return file.text
    lines = [""] * (file.text.count("\n") + 1)
    for block in _FENCED.finditer(file.text):
        first = file.text.count("\n", 0, block.start("sql"))
        for number, line in enumerate(block["sql"].split("\n")[:-1], first):
            lines[number] = line
    return "\n".join(lines)


class _Reviewer:
    """The schema of all inputs, and what was noted while their statements were checked."""

    def __init__(self, files: list[Source]) -> None:
        self.started = thread_time()
        self.schema: Schema = {}
        self.unparsed: list[str] = []
        self.number = 0
        self.cut = False
        scripts = [file for file in files if _is_sql(file)]
        self.dialect = next(filter(None, (dialect_of(file.text) for file in scripts)), "")
        for file in scripts:
            if _DEFINITION.search(file.text):
                learn(self.schema, parse_definitions(statements(fill_template(file.text)), self.dialect))

    def findings(self, file: Source) -> Iterator[Finding]:
        """Yield what is wrong with the queries of one file."""
        return self._script(file) if _is_sql(file) else self._code(file)

    def _has_time(self) -> bool:
        self.cut = self.cut or thread_time() - self.started > SECONDS
        return not self.cut

    def _check(self, text: str, line: int) -> list[Finding] | None:
        """Return what the rules find in a statement; None if it does not parse."""
        tree = parse(text, self.dialect)
        if tree is None:
            return None
        from plantwin.private.capabilities.review_queries.query import check

        return list(check(tree, line, self.schema))

    def _script(self, file: Source) -> Iterator[Finding]:
        without_columns: set[str] = set()
        for position, statement in enumerate(statements(fill_template(_written(file))), start=1):
            if not self._has_time():
                return
            self.cut = self.cut or position == MOST
            if not statement.data[1] and not _SQL.match(statement.text):
                continue
            self.number += 1
            if statement.data[1] or (len(statement.text) > LONGEST_INSERT and _INSERT.match(statement.text)):
                continue
            dynamic = _DYNAMIC.search(statement.text)
            if dynamic is not None and not _QUOTED.search(statement.text):
                line = statement.line + statement.text[: dynamic.start()].count("\n")
                yield RULES.found("SQL-DYNAMIC-STATEMENT", line)
            found = self._check(statement.text, statement.line)
            if found is None:
                found = self._search(file, statement)
            for finding in found:
                if finding.rule == "SQL-NO-WHERE" and _MIGRATION.search(file.label):
                    finding = msgspec.structs.replace(finding, severity="low")  # `review_migrations` weighs it
                if finding.rule == "SQL-INSERT-NO-COLUMNS":
                    # Once for each table: a file of test data repeats it in every line.
                    if finding.message in without_columns:
                        continue
                    without_columns.add(finding.message)
                if finding.tag != OutcomeTag.UNBOUNDED_CHANGE.value or not _INTENDED.search(statement.lead):
                    yield _weighed(file, msgspec.structs.replace(finding, evidence=shortened(statement.bare)))

    def _search(self, file: Source, statement: Statement) -> list[Finding]:
        """Return what the words alone tell of a statement that does not parse."""
        if not _REVIEWED.match(statement.text):
            return []
        self.unparsed.append(f"{file.label}:{statement.line}")
        if _CHANGE.match(statement.bare) and not _WHERE.search(statement.bare):
            word = statement.bare.split(maxsplit=1)[0].upper()
            return [RULES.found("SQL-NO-WHERE", statement.line, statement=word, table="a table")]
        return []

    def _code(self, file: Source) -> Iterator[Finding]:
        tree = python.parse(file.text) if file.format == "python" else None
        for query in embedded(file.format, file.text, tree):
            if not self._has_time():
                break
            self.number += 1
            evidence = shortened(" ".join(query.text.replace(HOLE, "…").split()))
            for finding in self._embedded(query):
                whole = finding.rule == "SQL-NO-WHERE"
                if finding.severity == "medium" and (
                    _TEST.search(file.label) or (whole and _MIGRATION.search(file.label))
                ):
                    finding = msgspec.structs.replace(finding, severity="low")
                message = finding.message.replace(FILLED, "a table")
                yield _weighed(file, msgspec.structs.replace(finding, evidence=evidence, message=message))
        for line, loop, name in queries_in_loops(file.format, file.text, tree):
            self.number += 1
            yield _weighed(file, RULES.found("SQL-QUERY-IN-LOOP", line, call=name, loop=loop))

    def _embedded(self, query: Embedded) -> Iterator[Finding]:
        if query.risks:
            kind = "VALUE" if "value" in query.risks else "NAME"
            severity = Severity.LOW if query.risks == {"sql"} else None
            yield RULES.found(f"SQL-CONCATENATED-{kind}", query.line, severity=severity)
        # The condition may be what is put in at the end.
        open_end = bool(query.values) and query.text.rstrip().endswith(HOLE)
        for finding in self._check(query.sql, query.line) or ():
            unbounded = finding.tag == OutcomeTag.UNBOUNDED_CHANGE.value
            ungrouped = finding.rule == "SQL-NOT-GROUPED"  # GROUP BY may be put in there, too
            if finding.rule not in _ONLY_IN_FILES and not (open_end and (unbounded or ungrouped)):
                yield finding
