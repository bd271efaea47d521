"""One result of a step over many files: findings of all, what was examined, and which members are which part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Coverage, Finding, LeftOut, Result
from plantwin.private.capabilities.engine.report import (
    code,
    counted,
    findings_text,
    ordered,
    plain,
    rank,
    table,
    unmarked,
)
from plantwin.private.execution.members import UNKNOWN_FORM, Ages, Parts, label
from plantwin.private.execution.merged_outcomes import (
    MergedFacts,
    MergedOutcomes,
    affected_word,
    affects,
    examined_word,
)
from plantwin.private.facts import Private, Record, private
from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, OutcomeTag, Part, ResultType, Severity, StepStatus, WorksOn

MOST_FINDINGS = 20_000
"""Findings of one merged result; more are counted."""
MOST_TEXT = 200_000
"""Characters of a merged text that members' own texts make up."""
MEMBER_TEXT = 6_000
"""Characters of one member's text."""
SHOWN_FINDINGS = 200
"""Findings that the text lists; all are in the list of findings."""
SHOWN_MEMBERS = 40
MANY = 6
"""Summaries from which on each is told in a line first."""
SHOWN_NOTES = 20
NAMES = 200
"""Names of members that were left out for one reason, as far as they are listed."""
_FOUND = {
    ResultType.MATCHES: Part.MATCHED,
    ResultType.DEPENDENCIES: Part.RELATED,
    ResultType.EVENTS: Part.RELATED,
}
"""Which part the objects are that a result names in `facts["objects"]`."""


@private
class Merged(NamedTuple):
    """The result of a step, and its parts."""

    result: Result
    parts: Parts


class Merger(Private):
    """Takes the results of calls one by one, in any order; holds no more of them than the merged result needs."""

    def __init__(self, capability: Capability, given: Sequence[Record], ages: Ages | None = None) -> None:
        """`given`: all members of the inputs, in their order."""
        self._capability = capability
        self._given = {label(record): record for record in given}
        self._ages = ages
        self._left: dict[str, dict[str, None]] = {}
        self._examined: dict[str, bool] = {}
        self._severity: dict[str, str] = {}
        self._findings: list[Finding] = []
        self._total = 0
        self._outcomes = MergedOutcomes()
        self._texts: dict[int, tuple[str, str]] = {}
        self._characters = 0
        self._facts = MergedFacts()
        self._groups: list[tuple[int, tuple[Record, ...]]] = []
        self._titles: Counter[str] = Counter()
        self._single: Result | None = None
        self.calls = 0
        """Results that were taken."""
        self.failed = 0
        """Members whose call failed."""
        self._reused: set[str] = set()

    def leave_out(self, records: Iterable[Record], reason: str) -> None:
        """Members that are not examined."""
        self._left.setdefault(reason, {}).update(dict.fromkeys(map(label, records)))

    def fail(self, records: Iterable[Record], reason: str) -> None:
        """Members whose examination failed."""
        records = list(records)
        self.failed += len(records)
        self.leave_out(records, reason)

    def unaccounted(self) -> list[Record]:
        """Members that were neither examined nor left out."""
        left = {name for names in self._left.values() for name in names}
        return [record for name, record in self._given.items() if name not in self._examined and name not in left]

    def add(self, number: int, members: Sequence[Record], result: Result, *, reused: bool = False) -> None:
        """Take the result of one call. `number`: its place in the order of calls."""
        labels = [label(record) for record in members]
        self._titles[result.title] += 1
        if result.outcome.get("status") == StepStatus.FAILED.value and members:
            # A check of single files says no more than that it cannot read one; others say what they lack.
            own = self._capability.works_on is WorksOn.EACH or not result.text.strip()
            tags = result.outcome.get("tags")
            unfit = isinstance(tags, list) and OutcomeTag.UNPARSABLE.value in tags
            note = self.leave_out if unfit else self.fail  # nothing here to look at is no failure
            note(members, UNKNOWN_FORM if own else unmarked(result.text.strip().partition("\n")[0][:200]))
            return
        self.calls += 1
        self._single = result if self.calls == 1 else None
        self._outcomes.add(result)
        seen = self._seen(labels, result)
        unread = result.facts.get("unread")
        reasons = unread if isinstance(unread, dict) else {}
        seen = [name for name in seen if name not in reasons]
        for record, name in zip(members, labels, strict=True):
            if name not in seen:
                self.leave_out((record,), unmarked(str(reasons.get(name, UNKNOWN_FORM))[:200]))
        self._reused.update(seen if reused else ())
        if len(members) > 1:
            self._groups.append((number, tuple(members)))
        self._mark(seen, result)
        self._findings += result.findings
        self._total += len(result.findings)
        if len(self._findings) > MOST_FINDINGS * 2:
            self._findings = ordered(self._findings)[:MOST_FINDINGS]
        self._facts.add(number, labels, result.facts)
        if self._tells and self._characters < MOST_TEXT * 2:
            text = result.text.strip()[: MOST_TEXT if len(members) > 1 else MEMBER_TEXT]
            self._texts[number] = (" and ".join(labels[:6]), text)
            self._characters += len(text)

    @property
    def _tells(self) -> bool:
        """Whether the value of such a result is its text."""
        return self._capability.returns is not ResultType.FINDINGS

    def _seen(self, labels: Sequence[str], result: Result) -> list[str]:
        """Which members a call really examined: one that gets several says so where it leaves some out."""
        listed = result.facts.get("examined")
        if len(labels) < 2 or not isinstance(listed, list) or self._capability.works_on is WorksOn.PAIRS:
            return list(labels)
        known = {str(name) for name in listed}
        # Databases and archives are examined table by table: their labels begin with the file's.
        return [name for name in labels if name in known] if known & set(labels) else list(labels)

    def _mark(self, seen: Sequence[str], result: Result) -> None:
        """Note which of these members something was found in, and how bad it is."""
        by_name: dict[str, str] = {}
        for finding in result.findings:
            name = finding.name if finding.name in self._given else finding.name.partition("#")[0]
            by_name[name] = max(by_name.get(name, Severity.NONE.value), finding.severity, key=rank)
        together = len(seen) == 1 or self._capability.works_on is WorksOn.PAIRS
        told = str(result.outcome.get("severity", Severity.NONE.value))
        stated = result.facts.get("affected")
        chosen = {*map(str, stated)} if isinstance(stated, list) else {*by_name} or {*seen}
        whole = affects(result)
        for name in seen:
            severity = by_name.get(name, Severity.NONE.value)
            affected = name in by_name or (whole and (together or name in chosen))
            if affected and together:
                severity = max(severity, told, *by_name.values(), key=rank)
            self._examined[name] = self._examined.get(name, False) or affected
            if affected:
                self._severity[name] = max(self._severity.get(name, Severity.NONE.value), severity, key=rank)

    def merged(self, record_of: Callable[[str], Record | None]) -> Merged:
        """The one result. `record_of`: the record of an object that a result names."""
        for name in self._examined:
            for names in self._left.values():
                names.pop(name, None)
        listed = ordered(self._findings)[:MOST_FINDINGS]
        coverage = self._coverage()
        facts = self._facts.merged()
        if self._capability.works_on is WorksOn.PAIRS:
            facts["pairs"] = [[label(record) for record in group] for _, group in sorted(self._groups, key=_first)]
        title = self._titles.most_common(1)[0][0] if self._titles else ""
        result = Result(
            outcome=self._outcome(coverage),
            title=title,
            findings=listed,
            facts=facts,
            text=self._text(listed, coverage),
            listed=not self._tells or (self._single is not None and self._single.listed),
            coverage=coverage,
        )
        return Merged(result, self._parts(facts, record_of))

    def _coverage(self) -> Coverage:
        place = {name: number for number, name in enumerate(self._given)}
        left = [
            LeftOut(reason=reason, count=len(names), names=tuple(sorted(names, key=place.__getitem__)[:NAMES]))
            for reason, names in sorted(self._left.items(), key=lambda item: -len(item[1]))
            if names
        ]
        return Coverage(
            given=len(self._given),
            examined=len(self._examined),
            affected=sum(self._examined.values()),
            reused=len(self._reused),
            pairs=len(self._groups) if self._capability.works_on is WorksOn.PAIRS else 0,
            left_out=tuple(left),
        )

    def _outcome(self, coverage: Coverage) -> dict[str, object]:
        told = self._outcomes.merged()
        if not self.calls:
            tried = self.failed > 0
            told = {"status": (StepStatus.FAILED if tried else StepStatus.PARTIAL).value}
        elif coverage.examined < coverage.given:
            told["status"] = StepStatus.PARTIAL.value
        told["examined"] = examined_word(coverage.examined, coverage.given).value
        told["affected"] = affected_word(coverage.affected, coverage.examined).value
        return told

    def _parts(self, facts: Mapping[str, object], record_of: Callable[[str], Record | None]) -> Parts:
        given = self._given
        affected = [name for name in given if self._examined.get(name)]
        most = max((rank(self._severity.get(name, "")) for name in affected), default=0)
        found = {
            Part.AFFECTED: affected,
            Part.CLEAN: [name for name in given if self._examined.get(name) is False],
            Part.WORST: [name for name in affected if rank(self._severity.get(name, "")) == most],
            Part.UNEXAMINED: [name for name in given if name not in self._examined],
        }
        parts = {part: tuple(given[name] for name in names) for part, names in found.items()}
        named = facts.get("objects")
        if isinstance(named, list):
            part = _FOUND.get(self._capability.returns, Part.RELATED)
            records = [given.get(str(name)) or record_of(str(name)) for name in named]
            parts[part] = tuple({label(record): record for record in records if record is not None}.values())
        if self._ages is not None and self._capability.returns is ResultType.COMPARISON:
            parts |= self._newer(self._ages)
        return parts

    def _newer(self, ages: Ages) -> Parts:
        newer: dict[str, Record] = {}
        older: dict[str, Record] = {}
        for _, group in self._groups:
            for one in group:
                for other in group:
                    if ages.newer(one, other):
                        newer[label(one)], older[label(other)] = one, other
        return {Part.NEWER: tuple(newer.values()), Part.OLDER: tuple(older.values())}

    def _text(self, listed: Sequence[Finding], coverage: Coverage) -> str:
        lines = [*coverage_text(coverage), ""]
        if self._single is not None and len(self._texts) <= 1:
            return "\n".join([*lines, self._single.text]).strip() + "\n"
        if listed:
            lines += [f"Found: {counted(listed)}.", "", *self._by_member(listed)]
        if not self._tells:
            shown = list(listed[:SHOWN_FINDINGS])
            lines += [findings_text(shown, max(self._total, len(listed))), "", *self._notes(), ""]
        if self._capability.name is CapabilityName.MEASURE_COMPLEXITY:
            from plantwin.private.capabilities.measure_complexity import tables

            return "\n".join([*lines, *tables(self._facts.merged())]).strip() + "\n"
        return "\n".join([*lines, *self._in_short(), *self._sections()]).strip() + "\n"

    def _in_short(self) -> list[str]:
        """What each of many members is, a line each, before their texts."""
        firsts = [
            next((f"{code(name)}: {line}" for line in text.split("\n") if line.strip() and line[0] not in "#|"), name)
            for _, (name, text) in sorted(self._texts.items())
            if text
        ]
        if self._capability.returns is not ResultType.SUMMARY or len(firsts) < MANY:
            return []
        more = [f"- and {len(firsts) - SHOWN_FINDINGS} more"] if len(firsts) > SHOWN_FINDINGS else []
        return [
            f"{len(firsts):,} summaries, a line each:",
            "",
            *(f"- {line}" for line in firsts[:SHOWN_FINDINGS]),
            *more,
            "",
        ]

    def _by_member(self, listed: Sequence[Finding]) -> list[str]:
        if self._tells:
            return []
        by_name: dict[str, Counter[str]] = {}
        for finding in listed:
            by_name.setdefault(finding.name, Counter())[finding.severity] += 1
        severities = sorted({finding.severity for finding in listed}, key=rank, reverse=True)
        ranked = sorted(by_name.items(), key=lambda item: ([-item[1][word] for word in severities], item[0]))
        rows = [[code(name), *(str(counts[word] or "") for word in severities)] for name, counts in ranked]
        return table(["object", *severities], rows, SHOWN_MEMBERS)

    def _notes(self) -> list[str]:
        """What calls say about how far they looked, each once."""
        said = self._facts.merged().get("notes")
        notes = list(dict.fromkeys(map(str, said))) if isinstance(said, list) else []
        more = [f"{len(notes) - SHOWN_NOTES} more notes are in the full report."] if len(notes) > SHOWN_NOTES else []
        return (
            ["What was left out, and why:", "", *(f"- {note}" for note in notes[:SHOWN_NOTES]), *more] if notes else []
        )

    def _sections(self) -> list[str]:
        """The texts of the members under their names, as many as there is room for."""
        lines: list[str] = []
        room = MOST_TEXT
        left = 0
        for _, (name, text) in sorted(self._texts.items()):
            if not text:
                continue
            if room <= 0:
                left += 1
                continue
            heading = [] if text.startswith("#") else [f"### {plain(name)}", ""]
            lines += [*heading, text[:room], "…" if len(text) > room else "", ""]
            room -= len(text)
        left += max(0, self.calls - sum(bool(text) for _, text in self._texts.values())) if self._tells else 0
        return [*lines, f"What was found in {left} more is left out here."] if left else lines


def coverage_text(coverage: Coverage) -> list[str]:
    """What was examined and what was not, in lines of a report."""
    lines = [f"{coverage.examined} of {coverage.given} examined"]
    lines[0] += f" ({coverage.reused} unchanged since an earlier run)" if coverage.reused else ""
    lines[0] += f", in {coverage.pairs} pairs" if coverage.pairs else ""
    lines[0] += f"; something was found in {coverage.affected}."
    if coverage.left_out:
        lines += ["", "Not examined:", ""]
    for left in coverage.left_out:
        names = ", ".join(code(name, 80) for name in left.names[:5])
        more = f" and {left.count - 5} more" if left.count > 5 else ""
        lines.append(f"- {left.count}, {plain(left.reason, 200)}: {names}{more}")
    return lines


def _first(item: tuple[int, object]) -> int:
    return item[0]
