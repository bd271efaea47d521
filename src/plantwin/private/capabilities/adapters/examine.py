"""Ask an engine about some inputs, weigh what it reports, and join that with what our own rules found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import NamedTuple

import msgspec

from plantwin.private.capabilities.adapters.installed import Installed
from plantwin.private.capabilities.adapters.process import Checkout, Copy, EngineError, TooSlowError, checkout
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.report import rank
from plantwin.private.facts import private
from plantwin.private.formats.document import Text
from plantwin.private.formats.lexicon import beside
from plantwin.vocabulary import OutcomeTag, Severity


@private
class Reported(NamedTuple):
    """One report of an engine."""

    path: str
    """The file that it names."""
    finding: Finding | None
    """None where the engine says that it cannot read the file."""
    last: int = 0
    """The last line that it is about, where that is a whole resource."""
    covers: frozenset[str] = frozenset()
    """Types of resources that the engine has rules for, where it says so: of no file."""


Found = tuple[Finding, int]


@private
class Examination(NamedTuple):
    """What one engine said about the inputs that it was given."""

    engine: Installed
    found: dict[str, list[Found]]
    """By the label of each input that it examined: its findings, each with the last line that it is about."""
    note: str = ""
    """Why it gave no answer."""
    covers: frozenset[str] = frozenset()


Ask = Callable[[Installed, Checkout], Iterable[Reported]]


def examine(engine: Installed, copies: Sequence[Copy]) -> Examination:
    """Ask an engine; an input on which it gives no answer is found by halves, and costs itself alone."""
    ask: Ask = getattr(import_module("plantwin.private.capabilities.adapters.programs"), engine.name)
    reports: dict[str, list[Reported]] = {}
    examined: list[str] = []
    failed: dict[str, list[Text]] = {}
    for copies_, reported, why in _asked(ask, engine, list(copies), 2 if len(copies) > 1 else 0):
        if why:
            failed.setdefault(why, []).extend(copy.source for copy in copies_)
            continue
        examined += [copy.source.label for copy in copies_]
        for label, report in reported:
            reports.setdefault(label, []).append(report)
    covers = frozenset(kind for report in reports.pop("", ()) for kind in report.covers)
    unread = [label for label, found in reports.items() if any(report.finding is None for report in found)]
    if unread:
        failed["could not read the file"] = [copy.source for copy in copies if copy.source.label in unread]
    found = {
        label: [(report.finding, report.last) for report in reports.get(label, ()) if report.finding is not None]
        for label in examined
        if label not in unread
    }
    return Examination(engine, found, _note(engine, failed), covers)


_Part = tuple[Sequence[Copy], list[tuple[str, Reported]], str]


def _asked(ask: Ask, engine: Installed, copies: Sequence[Copy], tries: int) -> Iterator[_Part]:
    try:
        with checkout(copies) as checked_out:
            found = [
                (source.label if source is not None else "", report)
                for report in ask(engine, checked_out)
                if (source := checked_out.source(report.path)) is not None or report.covers
            ]
        yield copies, found, ""
    except (EngineError, OSError, msgspec.MsgspecError, ValueError, LookupError, TypeError, AttributeError) as error:
        if tries and len(copies) > 1 and not isinstance(error, TooSlowError):
            half = len(copies) // 2
            yield from _asked(ask, engine, copies[:half], tries - 1)
            yield from _asked(ask, engine, copies[half:], tries - 1)
        else:
            yield copies, [], str(error) if isinstance(error, EngineError) else "gave an answer that cannot be read"


def _note(engine: Installed, failed: dict[str, list[Text]]) -> str:
    parts = []
    for why, sources in failed.items():
        names = ", ".join(source.label for source in sources[:5])
        more = f" and {len(sources) - 5} more" if len(sources) > 5 else ""
        parts.append(f"{engine.title} {why} on {names}{more}: not examined by it")
    return "; ".join(parts)


Weight = tuple[Severity, OutcomeTag]


_Row = tuple[Severity | None, OutcomeTag]


class _Weights(NamedTuple):
    codes: dict[str, _Row]
    patterns: tuple[tuple[re.Pattern[str], _Row], ...]
    levels: dict[str, Severity]
    tag: OutcomeTag


class _Rows(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    tag: OutcomeTag
    """Of what no row names."""
    levels: dict[str, Severity]
    """How bad that is by the engine's own word; `""` where it has none."""
    rows: dict[Severity, dict[OutcomeTag, list[str]]] = {}
    """Beginnings of rule ids, the longest wins; or `~` and a pattern of the message, the first wins."""
    as_said: dict[OutcomeTag, list[str]] = {}
    """Likewise, where the engine's own word for how bad it is counts."""


def weigh(engine: str, code: str, message: str = "", level: str = "") -> Weight:
    """Return the severity and the tag of one report."""
    weights = _weights()[engine]
    said = weights.levels.get(level.lower(), weights.levels[""])
    # Ids of checkov are numbered: there the beginning of one is another.
    beginnings = (code[:end] for end in range(len(code), 0 if "_" not in code else len(code) - 1, -1))
    known = next((weights.codes[part] for part in beginnings if part in weights.codes), None)
    severity, tag = known or next(
        (row for pattern, row in weights.patterns if pattern.search(message)), (None, weights.tag)
    )
    if severity is None and engine != "semgrep" and rank(said) >= rank(Severity.HIGH):
        said = Severity.MEDIUM  # what is grave our table says, or the rules that the person gives to semgrep
    return severity or said, tag


def finding(
    engine: str, code: str, line: int, message: str, *, hint: str = "", level: str = "", reference: str = ""
) -> Finding:
    """Make a finding under an engine's own rule id."""
    severity, tag = weigh(engine, code, message, level)
    hint = " ".join(hint.split())[:300]
    return Finding(
        rule=code,
        line=line,
        severity=severity.value,
        tag=tag.value,
        message=" ".join(message.split())[:300].rstrip("."),
        hint=f"{hint}." if hint and hint[-1] not in ".!?" else hint,
        reference=reference or engine,
    )


@cache
def _weights() -> dict[str, _Weights]:
    engines = msgspec.convert(beside(__file__, "severities.toml"), dict[str, _Rows])
    return {name: _made(rows) for name, rows in engines.items()}


def _made(rows: _Rows) -> _Weights:
    flat = [
        (entry, (severity, tag))
        for severity, tags in (*rows.rows.items(), (None, rows.as_said))
        for tag, entries in tags.items()
        for entry in entries
    ]
    patterns = tuple((re.compile(entry[1:], re.IGNORECASE), weight) for entry, weight in flat if entry[0] == "~")
    codes = {entry: weight for entry, weight in flat if entry[0] != "~"}
    return _Weights(codes, patterns, rows.levels, rows.tag)


@cache
def _same() -> dict[str, frozenset[str]]:
    """Return the ids of engines that mean the same, by our own."""
    rows = beside(__file__, "same.toml")
    return {own: frozenset(ids) for own, ids in rows.items()}


def folded(own: Iterable[Finding], reports: Sequence[Found], *, by_tag: bool = False) -> list[Finding]:
    """Return our findings, each with the ids of reports that mean the same there, then the other reports.

    `by_tag`: whether one of the same tag means the same, of an engine whose rules are the person's.
    """
    kept: list[Finding] = []
    joined: set[int] = set()
    for finding in own:
        same = [
            number
            for number, (report, last) in enumerate(reports)
            if (report.tag == finding.tag if by_tag else report.rule in _same().get(finding.rule, ()))
            and _meets(finding.line, report.line, last)
        ]
        joined.update(same)
        kept.append(_extended(finding, [reports[number][0] for number in same]))
    return kept + [report for number, (report, _) in enumerate(reports) if number not in joined]


def _meets(line: int, first: int, last: int) -> bool:
    """Whether a line is the one of a report, or lies inside the resource that it is about."""
    return not line or first <= line <= max(first, last)


def _extended(finding: Finding, same: Sequence[Finding]) -> Finding:
    """Return a finding with the ids of others; how bad it is, our rule knows from the context."""
    references = dict.fromkeys([finding.reference, *(other.rule for other in same)])
    return msgspec.structs.replace(finding, reference=", ".join(filter(None, references))) if same else finding
