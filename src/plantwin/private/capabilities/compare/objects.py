"""Set two objects side by side, by what they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from plantwin.private.capabilities.engine.job import Job, Result
from plantwin.private.capabilities.engine.report import bucket, code, plain
from plantwin.private.capabilities.engine.secrets import detector_of, secret_lines, shown
from plantwin.private.capabilities.engine.sort import CODE, DOCUMENT, SETTINGS, TABLE, sort_of
from plantwin.private.capabilities.engine.source import READ, Source, source
from plantwin.private.capabilities.tables import sampled as tables
from plantwin.private.detect.engine import Detector
from plantwin.private.facts import private
from plantwin.private.formats import documents
from plantwin.private.formats.definitions import Definition, outline
from plantwin.private.formats.settings import settings
from plantwin.vocabulary import MAX_OUTCOME_TAGS, OutcomeTag, StepStatus

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


def compared(job: Job) -> Result:
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
        outcome={
            "status": (StepStatus.PARTIAL if state else StepStatus.DONE).value,
            "count": str(bucket(found.differing)),
            "tags": [outcome_tag.value for outcome_tag in tags[:MAX_OUTCOME_TAGS]],
        },
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
