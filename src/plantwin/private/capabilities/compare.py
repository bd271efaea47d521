"""Two objects, by what they are, or two results of earlier steps, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from plantwin.private.capabilities.engine.job import Finding, Input, Job, Result
from plantwin.private.capabilities.engine.report import ORDER, code, counted, failed, plain, told, worst
from plantwin.private.capabilities.engine.results import table
from plantwin.private.capabilities.engine.secrets import detector_of, secret_lines, shown
from plantwin.private.capabilities.engine.sort import CODE, DOCUMENT, SETTINGS, TABLE, sort_of
from plantwin.private.capabilities.engine.source import READ, Source, source
from plantwin.private.capabilities.tables import reader as tables
from plantwin.private.detect.engine import Detector
from plantwin.private.facts import private
from plantwin.private.formats import documents
from plantwin.private.formats.definitions import Definition, outline
from plantwin.private.formats.settings import leaves, settings
from plantwin.private.formats.values import words
from plantwin.vocabulary import OutcomeTag

LISTED = 60
SIMILAR = 0.3
"""Share of parts that may differ between similar objects."""
DIFFED = 20_000
"""Lines of each object that are set beside each other."""
Value = TypeVar("Value")


@private
class Difference(NamedTuple):
    """What differs between two objects."""

    lines: list[str]
    differing: int
    parts: int
    tags: tuple[OutcomeTag, ...]
    facts: Mapping[str, object]


class Names(NamedTuple):
    """Names that only the first has, only the second, and that both have with different values."""

    removed: list[str]
    added: list[str]
    changed: list[str]
    total: int

    @property
    def differing(self) -> int:
        """How many differ."""
        return len(self.removed) + len(self.added) + len(self.changed)

    def listed(self, what: str, labels: tuple[str, str], changed: str, show: Callable[[str, int], str]) -> list[str]:
        """List them. `show` writes a name of the first (0), of the second (1), or of both (2)."""
        only = f"{what} only" if what else "Only"
        return [
            *_listed(f"{only} in {plain(labels[0])}", [show(name, 0) for name in self.removed]),
            *_listed(f"{only} in {plain(labels[1])}", [show(name, 1) for name in self.added]),
            *_listed(changed, [show(name, 2) for name in self.changed]),
        ]


def _names(
    one: Mapping[str, Value], two: Mapping[str, Value], key: Callable[[Value], object] = lambda value: value
) -> Names:
    changed = [name for name in one if name in two and key(one[name]) != key(two[name])]
    removed, added = [name for name in one if name not in two], [name for name in two if name not in one]
    return Names(removed, added, changed, len(one.keys() | two.keys()))


def _listed(title: str, items: list[str]) -> list[str]:
    if not items:
        return []
    more = [f"- and {len(items) - LISTED} more"] if len(items) > LISTED else []
    return [f"{title}:", "", *(f"- {item}" for item in items[:LISTED]), *more, ""]


def run(job: Job) -> Result:
    """Two of a kind; an object and a result cannot be compared."""
    if len(job.inputs) != 2:
        return failed("Comparison", "Two inputs are needed.")
    first, second = job.inputs
    if first.is_result is not second.is_result:
        return failed("Comparison", "An object and a result cannot be compared.")
    return _results(first, second) if first.is_result else _objects(job)


def _objects(job: Job) -> Result:
    """Compare two objects."""
    first, second = (source(given) for given in job.inputs)
    truncated = first.truncated or second.truncated
    same = first.data == second.data and not truncated and first.input.part == second.input.part
    found = Difference([], 0, 1, (), {}) if same else _by_sort(first, second, detector_of(job))
    state = [OutcomeTag.TRUNCATED] if truncated else []
    state += [OutcomeTag.UNPARSABLE] if OutcomeTag.UNPARSABLE in found.tags else []
    verdict = "the same, byte by byte." if same else "nothing that counts differs."
    tag = OutcomeTag.IDENTICAL
    if found.differing:
        tag = OutcomeTag.SIMILAR if found.differing / max(1, found.parts) <= SIMILAR else OutcomeTag.DIFFERENT
        verdict = f"{found.differing} of {found.parts} parts differ."
    lines = [f"{code(first.label)} and {code(second.label)}: {verdict}", "", *found.lines]
    lines += ["", f"Only the first {READ >> 20} MiB of each were read."] if truncated else []
    tags = [*state, tag, *(outcome_tag for outcome_tag in found.tags if outcome_tag is not OutcomeTag.UNPARSABLE)]
    return Result(
        outcome=told(found.differing, tags, partial=state),
        title="Comparison",
        facts={"first": first.label, "second": second.label, "differing": found.differing, **found.facts},
        text="\n".join(lines).strip() + "\n",
    )


def _by_sort(first: Source, second: Source, detector: Detector) -> Difference:
    sort = sort_of(first)
    if sort == sort_of(second):
        if sort == CODE and first.format == second.format:
            return _code(first, second)
        if sort == SETTINGS:
            return _settings(first, second, detector)
        if sort == TABLE:
            return _tables(first, second)
        if sort == DOCUMENT:
            return _documents(first, second)
    return _lines(first, second)


def _code(first: Source, second: Source) -> Difference:
    one, two = outline(first.format, first.text), outline(second.format, second.text)
    mine, other = _by_name(one.definitions), _by_name(two.definitions)
    found = _names(mine, other, lambda definition: definition.digest)
    imports = _names(dict.fromkeys(one.imports), dict.fromkeys(two.imports))
    unparsed = () if one.parsed and two.parsed else (OutcomeTag.UNPARSABLE,)
    if not mine and not other:
        return _lines(first, second)
    if not found.differing + imports.differing:
        return _lines(first, second)._replace(tags=unparsed)

    def show(name: str, which: int) -> str:
        definition = (other if which else mine)[name]
        return f"{definition.kind} {code(definition.name)} (line {definition.line})"

    lines = found.listed("", (first.label, second.label), "Changed", show)
    lines += _listed(f"Imported only by {plain(first.label)}", list(map(code, imports.removed)))
    lines += _listed(f"Imported only by {plain(second.label)}", list(map(code, imports.added)))
    facts = {
        "removed": [mine[name].name for name in found.removed],
        "added": [other[name].name for name in found.added],
        "changed": [other[name].name for name in found.changed],
    }
    return Difference(lines, found.differing + imports.differing, found.total + imports.total, unparsed, facts)


def _by_name(definitions: list[Definition]) -> dict[str, Definition]:
    found: dict[str, Definition] = {}
    for definition in definitions:
        name, number = definition.name, 2
        while name in found and number < 50:
            name, number = f"{definition.name} ({number})", number + 1
        found[name] = definition
    return found


def _settings(first: Source, second: Source, detector: Detector) -> Difference:
    (one, sound), (two, sound_too) = (settings(read.format, read.text) for read in (first, second))
    secret = [secret_lines(detector, read.data, read.input.name) for read in (first, second)]
    sides = [{setting.path: setting for setting in side} for side in (one, two)]
    found = _names(sides[0], sides[1], lambda setting: setting.value)

    def show(path: str, which: int) -> str:
        values = [code(shown(side[path], hidden)) for side, hidden in zip(sides, secret, strict=True) if path in side]
        return f"{code(path)}{':' if which == 2 else ' ='} {' and '.join(values)}"

    lines = found.listed("", (first.label, second.label), "Different values", show)
    tags = [OutcomeTag.VALUE_DIFFERS] if found.changed else []
    tags += [OutcomeTag.KEY_MISSING] if found.removed or found.added else []
    tags += [] if sound and sound_too else [OutcomeTag.UNPARSABLE]
    facts = {"only_first": found.removed, "only_second": found.added, "values": found.changed}
    return Difference(lines, found.differing, found.total, tuple(tags), facts)


def _tables(first: Source, second: Source) -> Difference:
    one, two = ({sheet.name: sheet for sheet in tables.sheets(read)} for read in (first, second))
    if len(one) == len(two) == 1:  # two tables, whatever their names
        pairs = [*zip(one.values(), two.values(), strict=True)]
        alone: list[str] = []
    else:
        pairs = [(one[name], two[name]) for name in one if name in two]
        alone = [
            f"{code(name)}: only in {plain((first if name in one else second).label)}"
            for name in sorted(one.keys() ^ two.keys())
        ]
    lines = _listed("Tables", alone)
    differing = parts = len(alone)
    missing = bool(alone)
    for mine, other in pairs:
        types = [{column.name: column.type for column in sheet.columns} for sheet in (mine, other)]
        found = _names(types[0], types[1])

        def show(name: str, which: int, types: list[dict[str, str]] = types) -> str:
            return f"{code(name)}: {types[0][name]} and {types[1][name]}" if which == 2 else code(name)

        missing = missing or bool(found.removed or found.added)
        rows = mine.rows != other.rows
        lines += [f"{code(mine.name)}: {mine.rows} and {other.rows} rows.", ""]
        lines += found.listed("Columns", (first.label, second.label), "Columns of another type", show)
        differing += found.differing + rows
        parts += found.total + 1
        if not (found.differing or rows) and first.format != "sqlite":
            contents = _lines(first, second)
            lines, differing, parts = lines + contents.lines, contents.differing, contents.parts
            missing = missing or any("only in" in line for line in contents.lines)
    return Difference(lines, differing, parts, (OutcomeTag.KEY_MISSING,) if missing else (), {})


def _documents(first: Source, second: Source) -> Difference:
    one, two = (
        {
            section.title or "(opening)": " ".join(section.body.split())
            for section in documents.sections(read.format, read.text)
        }
        for read in (first, second)
    )
    if len(one) < 2 and len(two) < 2:
        return _lines(first, second)
    found = _names(one, two)
    lines = found.listed("Sections", (first.label, second.label), "Changed sections", lambda title, _: plain(title))
    facts = {"removed": found.removed, "added": found.added, "changed": found.changed}
    return Difference(lines, found.differing, found.total, (), facts)


def _lines(first: Source, second: Source) -> Difference:
    """Count lines that only one of them has. Bags of lines: linear, and moving a block is no difference."""
    if first.binary or second.binary:
        lines = [f"{first.input.size} and {second.input.size} bytes; not text."]
        return Difference(lines, 1, 1, (OutcomeTag.UNPARSABLE,), {})
    one, two = (
        Counter(line.strip() for line in read.text.split("\n")[:DIFFED] if line.strip()) for read in (first, second)
    )
    only_first, only_second, shared = (count.total() for count in (one - two, two - one, one & two))
    lines = [f"{only_first} lines only in the first, {only_second} only in the second, {shared} in both."]
    facts = {"only_first": only_first, "only_second": only_second, "shared": shared}
    return Difference(lines, only_first + only_second, only_first + only_second + shared, (), facts)


_AUDITS = words("security_audit secret_scan lint validate_config audit_infrastructure audit_dependencies")
_NAMED = 3
"""Names of one side of a comparison that are written out."""


def _results(first: Input, second: Input) -> Result:
    """Compare findings where there are any, else what the results say of their inputs."""
    one, two = first.findings(), second.findings()
    if one or two or {first.capability, second.capability} <= _AUDITS:
        return _by_findings(first, second, one, two)
    return _by_facts(first, second)


def _weight(findings: list[Finding]) -> tuple[int, ...]:
    """Return how bad a list is: first by the number of critical findings, then of high ones, and so on."""
    counts = Counter(finding.severity for finding in findings)
    return tuple(counts[word] for word in reversed(ORDER))


def _by_findings(first: Input, second: Input, one: list[Finding], two: list[Finding]) -> Result:
    counts = Counter(finding.tag for finding in one), Counter(finding.tag for finding in two)
    mine, other = set(counts[0]), set(counts[1])
    shared = sorted(mine & other, key=lambda tag: -max(counts[0][tag], counts[1][tag]))
    names, has, are = zip(*map(_about, (first, second)), strict=True)
    if _weight(one) != _weight(two):
        first_worse = _weight(one) > _weight(two)
        tags = [OutcomeTag.FIRST_WORSE if first_worse else OutcomeTag.SECOND_WORSE]
        worse = 0 if first_worse else 1
        verdict = f"{names[worse]} {are[worse]} worse"
    else:
        tags = [OutcomeTag.IDENTICAL if counts[0] == counts[1] else OutcomeTag.SIMILAR]
        verdict = "Neither is worse"
    tags += [OutcomeTag.SHARED_FINDINGS] if shared else []
    tags += [OutcomeTag.DIFFERENT] if mine != other else []
    lines = [f"{verdict}: {names[0]} {has[0]} {counted(one)}; {names[1]} {has[1]} {counted(two)}.", ""]
    rows = [(plain(tag), _cell(one, tag), _cell(two, tag)) for tag in sorted(mine | other)]
    lines += table(("sort", "first", "second"), rows, len(rows))
    for label, findings, others in ((names[0], one, other), (names[1], two, mine)):
        only = [finding for finding in findings if finding.tag not in others]
        lines += ["", f"Only in {label}:", ""] if only else []
        lines += [
            f"- {code(f'{finding.name}:{finding.line}')} {plain(finding.message, 300)} ({finding.severity})"
            for finding in only[:25]
        ]
    return Result(
        outcome=told(len(shared), tags, severity=worst(one + two)),
        title="Comparison of findings",
        facts={
            "first": dict(Counter(finding.severity for finding in one)),
            "second": dict(Counter(finding.severity for finding in two)),
            "shared": shared,
            "only_first": sorted(mine - other),
            "only_second": sorted(other - mine),
        },
        text="\n".join(lines) + "\n",
    )


def _about(given: Input) -> tuple[str, str, str]:
    """Return what a result is about, for the person, with the verbs for it."""
    facts = (given.result or {}).get("facts")
    examined = facts.get("examined") if isinstance(facts, dict) else None
    names = [code(name) for name in sorted(map(str, examined))] if isinstance(examined, list) else []
    if len(names) < 2:
        return (names or [f"step {code(given.name)}"])[0], "has", "is"
    shown = names if len(names) <= _NAMED else [*names[: _NAMED - 1], f"{len(names) - _NAMED + 1} more"]
    return f"{', '.join(shown[:-1])} and {shown[-1]}", "have", "are"


def _cell(findings: list[Finding], tag: str) -> str:
    mine = [finding for finding in findings if finding.tag == tag]
    return f"{len(mine)} ({worst(mine)})" if mine else "none"


def _by_facts(first: Input, second: Input) -> Result:
    one, two = (dict(leaves(_facts(given))) for given in (first, second))
    missing = sorted(one.keys() ^ two.keys())
    differing = sorted(key for key in one.keys() & two.keys() if one[key] != two[key])
    total = len(missing) + len(differing)
    share = total / max(1, len(one.keys() | two.keys()))
    tag = OutcomeTag.IDENTICAL if not total else OutcomeTag.SIMILAR if share <= 0.3 else OutcomeTag.DIFFERENT
    lines = [f"{len(differing)} statements differ, {len(missing)} are in one only.", ""]
    lines += [f"- {code(key)}: {code(one[key])} and {code(two[key])}" for key in differing[:50]]
    lines += [f"- {code(key)}: only in the {'first' if key in one else 'second'}" for key in missing[:50]]
    return Result(
        outcome=told(total, [tag]),
        title="Comparison of results",
        facts={"differ": differing[:200], "missing": missing[:200]},
        text="\n".join(lines).strip() + "\n",
    )


def _facts(given: Input) -> object:
    """Return what a result states, without the name of its one input at the top."""
    facts = (given.result or {}).get("facts")
    inner = next(iter(facts.values())) if isinstance(facts, dict) and len(facts) == 1 else None
    return inner if isinstance(inner, dict) else facts
