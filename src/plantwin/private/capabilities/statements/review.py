"""The review of queries: SQL files, and SQL inside code; definitions among the inputs are the schema."""

# ruff: noqa: E501 (messages and patterns)

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from time import thread_time

from plantwin.private.capabilities.audit.views import MASKS
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
from plantwin.private.capabilities.statements.embedded import HOLE, Embedded, embedded, risky, statement
from plantwin.private.capabilities.statements.loops import queries_in_loops
from plantwin.private.capabilities.statements.query import remarks
from plantwin.private.capabilities.statements.remark import Remark
from plantwin.private.capabilities.statements.schema import Schema, learn
from plantwin.private.capabilities.statements.split import shortened, statements
from plantwin.private.capabilities.statements.trees import dialect_of, tree, trees, unfilled
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Review of queries"
SECONDS = 40.0
"""Processor time for parsing; what is left then is said to be unread."""
_DYNAMIC = re.compile(
    r"\bEXECUTE\s+(?:IMMEDIATE\s+)?(?!format\b|USING\b)(?:[^;]{0,400}?\|\|)|\bEXEC(?:UTE)?\s*\(\s*(?:@\w+|'[^']*')\s*\+|\bPREPARE\s+\w+\s+FROM\s+(?:CONCAT|@)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"quote_(?:ident|literal|nullable)|QUOTENAME|format\s*\(|DBMS_ASSERT", re.IGNORECASE)
_KEPT = re.compile(r"\b(?:noqa|nosec|nolint|sqlfluff:disable|intended|on purpose|all rows)\b", re.IGNORECASE)


class _Review:
    """What is gathered over all inputs."""

    def __init__(self) -> None:
        self.found: list[Finding] = []
        self.schema: Schema = {}
        self.counts: Counter[str] = Counter()
        self.unparsed: list[str] = []
        self.spent = 0.0
        self.cut = False
        self._said: set[tuple[str, str]] = set()

    def add(self, label: str, remark: Remark, evidence: str = "") -> None:
        """Keep a remark; that a table's columns are not named is said once for each table of a file."""
        if remark.rule == "insert-columns":
            if (label, remark.message) in self._said:
                return
            self._said.add((label, remark.message))
        self.counts[remark.rule] += 1
        self.found.append(
            Finding(
                name=label,
                line=remark.line,
                severity=remark.severity.value,
                tag=remark.tag.value,
                message=f"{remark.message} [{remark.rule}]",
                hint=remark.hint,
                evidence=evidence,
            )
        )


def review(job: Job) -> Result:
    """Review the queries of a job's inputs."""
    sources = [source(given) for given in job.inputs if not given.is_result]
    readable = [each for each in sources if each.text and not each.binary]
    if not readable:
        return failed(TITLE, "There is no text to review.", [OutcomeTag.UNPARSABLE])
    held = _Review()
    started = thread_time()
    dialect = next(filter(None, (dialect_of(each.text) for each in readable if _plain(each))), "")
    for each in readable:
        if _plain(each) and re.search(r"(?i)\bcreate\s+(?:\w+\s+){0,3}(?:table|index)\b", each.text):
            learn(held.schema, trees(statements(unfilled(each.text)), dialect))
    number = 0
    for each in readable:
        held.spent = thread_time() - started
        number += _file(each, held, dialect, started) if _plain(each) else _code(each, held, dialect, started)
    listed = ordered(held.found)[:MOST_FINDINGS]
    truncated = held.cut or any(each.truncated for each in sources)
    state = [OutcomeTag.TRUNCATED.value] if truncated else []
    state += [OutcomeTag.UNPARSABLE.value] if held.unparsed or len(readable) < len(sources) else []
    lines = [f"{number} statements examined: {counted(held.found)}."]
    if held.schema:
        lines += [
            "",
            f"Checked against {len(held.schema)} tables that the inputs define: {', '.join(code(name) for name in sorted(held.schema)[:20])}.",
        ]
    if held.unparsed:
        lines += [
            "",
            f"{len(held.unparsed)} statements do not parse and were only looked at: {', '.join(code(each) for each in held.unparsed[:10])}.",
        ]
    if held.counts:
        lines += [
            "",
            "| rule | findings |",
            "|---|---|",
            *(f"| {plain(rule)} | {times} |" for rule, times in held.counts.most_common()),
        ]
    return Result(
        outcome=outcome(held.found, state=state, partial=bool(state)),
        title=TITLE,
        findings=listed,
        facts={
            "tool": "sqlglot and rules",
            "examined": [each.label for each in sources],
            "statements": number,
            "dialect": dialect or "unknown",
            "tables": sorted(held.schema),
            "rules": dict(held.counts),
        },
        text="\n".join([*lines, "", findings_text(listed, len(set(held.found)))]).strip() + "\n",
    )


def _plain(each: Source) -> bool:
    return each.format == "sql" or each.label.lower().endswith((".sql", ".ddl", ".psql")) or each.format not in MASKS


def _file(each: Source, held: _Review, dialect: str, started: float) -> int:
    number = 0
    for one in statements(unfilled(each.text)):
        number += 1
        if thread_time() - started > SECONDS:
            held.cut = True
            break
        if one.data[1] or (len(one.text) > 8000 and re.match(r"(?i)\s*insert", one.text)):
            continue
        dynamic = _DYNAMIC.search(one.text)
        if dynamic is not None and not _QUOTED.search(one.text):
            held.add(
                each.label,
                Remark(
                    "dynamic-sql",
                    one.line + one.text[: dynamic.start()].count("\n"),
                    Severity.HIGH,
                    OutcomeTag.INJECTION,
                    "A statement is put together from values and executed",
                    "Pass values with USING, and names through quote_ident or format.",
                ),
            )
        parsed = tree(one.text, dialect)
        if parsed is None:
            if re.match(r"(?i)\s*(?:select|update|delete|insert|with)\b", one.text):
                held.unparsed.append(f"{each.label}:{one.line}")
                _unparsed(each.label, one.bare, one.line, held)
            continue
        meant = _KEPT.search(one.lead) is not None
        for remark in remarks(parsed, one.line, held.schema):
            if not (meant and remark.tag is OutcomeTag.UNBOUNDED_CHANGE):
                held.add(each.label, remark, shortened(one.bare))
    return number


def _unparsed(label: str, bare: str, line: int, held: _Review) -> None:
    """What can be told from the words alone."""
    if re.match(r"(?i)(?:update\s+\S+\s+set|delete\s+from\s+\S+)\b", bare) and not re.search(r"(?i)\bwhere\b", bare):
        held.add(
            label,
            Remark(
                "unbounded-change",
                line,
                Severity.HIGH,
                OutcomeTag.UNBOUNDED_CHANGE,
                "A change without WHERE touches every row",
                "Add a condition.",
            ),
            shortened(bare),
        )


def _code(each: Source, held: _Review, dialect: str, started: float) -> int:
    number = 0
    for one in embedded(each.format, each.text):
        if thread_time() - started > SECONDS:
            held.cut = True
            break
        number += 1
        for remark in _embedded(one, held.schema, dialect):
            held.add(each.label, remark, shortened(" ".join(one.text.replace(HOLE, "…").split())))
    loops = queries_in_loops(each.format, each.text)
    for line, loop, name in loops:
        held.add(
            each.label,
            Remark(
                "query-in-loop",
                line,
                Severity.MEDIUM,
                OutcomeTag.SLOW_QUERY,
                f"{name} runs once for each turn of the loop at line {loop}",
                "Fetch all at once (IN, JOIN, prefetch), or send all rows in one call.",
            ),
        )
    return number + len(loops)


def _embedded(one: Embedded, schema: Schema, dialect: str) -> Iterator[Remark]:
    danger = risky(one)
    if danger:
        value = danger == "value"
        yield Remark(
            "string-built",
            one.line,
            Severity.HIGH if value else Severity.MEDIUM,
            OutcomeTag.INJECTION,
            "SQL is put together from values" if value else "A name is put into SQL",
            "Pass values as parameters." if value else "Choose the name out of a fixed list.",
        )
    parsed = tree(statement(one), dialect)
    if parsed is not None:
        for remark in remarks(parsed, one.line, schema):
            if remark.rule not in ("order-unlimited", "insert-columns") and not (
                one.made and remark.tag is OutcomeTag.UNBOUNDED_CHANGE and one.text.rstrip().endswith(HOLE)
            ):
                yield remark
