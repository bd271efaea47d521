"""Two objects side by side, by what they are."""

from __future__ import annotations

from typing import NamedTuple

from plantwin.private.capabilities.common import documents, tables
from plantwin.private.capabilities.common.definitions import Definition, outline
from plantwin.private.capabilities.common.report import bucket, code, plain
from plantwin.private.capabilities.common.secrets import detector_of
from plantwin.private.capabilities.common.settings import settings
from plantwin.private.capabilities.common.sort import CODE, DOCUMENT, SETTINGS, TABLE, sort_of
from plantwin.private.capabilities.common.source import READ, Source, source
from plantwin.private.capabilities.job import Job, Result
from plantwin.private.capabilities.shape.hidden import secret_lines, shown
from plantwin.private.redact.engine import Detector
from plantwin.vocabulary import MAX_OUTCOME_TAGS, OutcomeTag, StepStatus

LISTED = 60
SIMILAR = 0.3
"""Share of parts that may differ between similar objects."""
DIFFED = 20_000
"""Lines of each object that are set beside each other."""


class Difference(NamedTuple):
    """What differs between two objects."""

    lines: list[str]
    differing: int
    parts: int
    tags: tuple[OutcomeTag, ...] = ()
    facts: dict[str, object] = {}  # noqa: RUF012

    def __repr__(self) -> str:
        return "<Difference private>"


def compared(job: Job) -> Result:
    """The comparison of two objects."""
    first, second = (source(given) for given in job.inputs)
    state = [OutcomeTag.TRUNCATED] if first.truncated or second.truncated else []
    same = first.data == second.data and not state and first.input.part == second.input.part
    found = Difference([], 0, 1) if same else _by_sort(first, second, detector_of(job))
    if OutcomeTag.UNPARSABLE in found.tags:
        state.append(OutcomeTag.UNPARSABLE)
    share = found.differing / max(1, found.parts)
    tag = (
        OutcomeTag.IDENTICAL
        if not found.differing
        else OutcomeTag.SIMILAR
        if share <= SIMILAR
        else OutcomeTag.DIFFERENT
    )
    lines = [f"{code(first.label)} and {code(second.label)}: {_verdict(found, same)}", "", *found.lines]
    if first.truncated or second.truncated:
        lines += ["", f"Only the first {READ >> 20} MiB of each were read."]
    tags = [*state, tag, *(each for each in found.tags if each is not OutcomeTag.UNPARSABLE)]
    return Result(
        outcome={
            "status": (StepStatus.PARTIAL if state else StepStatus.DONE).value,
            "count": str(bucket(found.differing)),
            "tags": [each.value for each in tags[:MAX_OUTCOME_TAGS]],
        },
        title="Comparison",
        facts={"first": first.label, "second": second.label, "differing": found.differing, **found.facts},
        text="\n".join(lines).strip() + "\n",
    )


def _verdict(found: Difference, same: bool) -> str:
    if same:
        return "the same, byte by byte."
    return f"{found.differing} of {found.parts} parts differ." if found.differing else "nothing that counts differs."


def _by_sort(first: Source, second: Source, detector: Detector) -> Difference:
    sorts = sort_of(first), sort_of(second)
    if sorts[0] == sorts[1]:
        if sorts[0] == CODE and first.format == second.format:
            return _code(first, second)
        if sorts[0] == SETTINGS:
            return _settings(first, second, detector)
        if sorts[0] == TABLE:
            return _tables(first, second)
        if sorts[0] == DOCUMENT:
            return _documents(first, second)
    return _lines(first, second)


def _code(first: Source, second: Source) -> Difference:
    one, two = outline(first.format, first.text), outline(second.format, second.text)
    if not one.definitions and not two.definitions:
        return _lines(first, second)
    mine, other = _named(one.definitions), _named(two.definitions)
    removed = [mine[name] for name in mine if name not in other]
    added = [other[name] for name in other if name not in mine]
    changed = [other[name] for name in mine if name in other and mine[name].digest != other[name].digest]
    lines = [
        *_listed(
            f"Only in {plain(first.label)}", [f"{each.kind} {code(each.name)} (line {each.line})" for each in removed]
        ),
        *_listed(
            f"Only in {plain(second.label)}", [f"{each.kind} {code(each.name)} (line {each.line})" for each in added]
        ),
        *_listed("Changed", [f"{each.kind} {code(each.name)} (line {each.line})" for each in changed]),
        *_listed(
            f"Imported only by {plain(first.label)}", [code(each) for each in one.imports if each not in two.imports]
        ),
        *_listed(
            f"Imported only by {plain(second.label)}", [code(each) for each in two.imports if each not in one.imports]
        ),
    ]
    imports = len(set(one.imports) ^ set(two.imports))
    unparsed = () if one.parsed and two.parsed else (OutcomeTag.UNPARSABLE,)
    differing = len(removed) + len(added) + len(changed) + imports
    if not differing:
        return _lines(first, second)._replace(tags=unparsed)
    parts = len(mine.keys() | other.keys()) + len({*one.imports, *two.imports})
    facts: dict[str, object] = {
        "removed": [each.name for each in removed],
        "added": [each.name for each in added],
        "changed": [each.name for each in changed],
    }
    return Difference(lines, differing, parts, unparsed, facts)


def _named(definitions: list[Definition]) -> dict[str, Definition]:
    found: dict[str, Definition] = {}
    for each in definitions:
        name, number = each.name, 2
        while name in found and number < 50:
            name, number = f"{each.name} ({number})", number + 1
        found[name] = each
    return found


def _settings(first: Source, second: Source, detector: Detector) -> Difference:
    one, sound = settings(first.format, first.text)
    two, sound_too = settings(second.format, second.text)
    secret = tuple(secret_lines(detector, each.data, each.input.name) for each in (first, second))
    mine, other = {each.path: each for each in one}, {each.path: each for each in two}
    missing = [each for path, each in mine.items() if path not in other]
    added = [each for path, each in other.items() if path not in mine]
    differing = [path for path in mine if path in other and mine[path].value != other[path].value]
    lines = [
        *_listed(
            f"Only in {plain(first.label)}", [f"{code(each.path)} = {code(shown(each, secret[0]))}" for each in missing]
        ),
        *_listed(
            f"Only in {plain(second.label)}", [f"{code(each.path)} = {code(shown(each, secret[1]))}" for each in added]
        ),
        *_listed(
            "Different values",
            [
                f"{code(path)}: {code(shown(mine[path], secret[0]))} and {code(shown(other[path], secret[1]))}"
                for path in differing
            ],
        ),
    ]
    tags = [OutcomeTag.VALUE_DIFFERS] if differing else []
    tags += [OutcomeTag.KEY_MISSING] if missing or added else []
    tags += [] if sound and sound_too else [OutcomeTag.UNPARSABLE]
    facts: dict[str, object] = {
        "only_first": [each.path for each in missing],
        "only_second": [each.path for each in added],
        "values": differing,
    }
    parts = len(mine.keys() | other.keys())
    return Difference(lines, len(missing) + len(added) + len(differing), parts, tuple(tags), facts)


def _tables(first: Source, second: Source) -> Difference:
    one, two = ({sheet.name: sheet for sheet in tables.sheets(each)} for each in (first, second))
    if len(one) == len(two) == 1:  # two tables, whatever their names
        pairs = [(next(iter(one.values())), next(iter(two.values())))]
        alone: list[str] = []
    else:
        pairs = [(one[name], two[name]) for name in one if name in two]
        alone = [
            f"{code(name)}: only in {plain((first if name in one else second).label)}"
            for name in sorted(one.keys() ^ two.keys())
        ]
    lines = _listed("Tables", alone)
    differing, parts = len(alone), len(alone)
    for mine, other in pairs:
        types = (
            {column.name: column.type for column in mine.columns},
            {column.name: column.type for column in other.columns},
        )
        removed = [name for name in types[0] if name not in types[1]]
        added = [name for name in types[1] if name not in types[0]]
        retyped = [name for name in types[0] if name in types[1] and types[0][name] != types[1][name]]
        rows = mine.rows != other.rows
        lines += [f"{code(mine.name)}: {mine.rows} and {other.rows} rows.", ""]
        lines += _listed(f"Columns only in {plain(first.label)}", [code(name) for name in removed])
        lines += _listed(f"Columns only in {plain(second.label)}", [code(name) for name in added])
        lines += _listed(
            "Columns of another type", [f"{code(name)}: {types[0][name]} and {types[1][name]}" for name in retyped]
        )
        differing += len(removed) + len(added) + len(retyped) + rows
        parts += len(types[0].keys() | types[1].keys()) + 1
        if not (removed or added or retyped or rows) and first.format != "sqlite":
            contents = _lines(first, second)
            lines, differing, parts = lines + contents.lines, contents.differing, contents.parts
    return Difference(
        lines, differing, parts, (OutcomeTag.KEY_MISSING,) if alone or any("only in" in each for each in lines) else ()
    )


def _documents(first: Source, second: Source) -> Difference:
    one, two = (
        {
            section.title or "(opening)": " ".join(section.body.split())
            for section in documents.sections(each.format, each.text)
        }
        for each in (first, second)
    )
    if len(one) < 2 and len(two) < 2:
        return _lines(first, second)
    removed = [title for title in one if title not in two]
    added = [title for title in two if title not in one]
    changed = [title for title in one if title in two and one[title] != two[title]]
    lines = [
        *_listed(f"Sections only in {plain(first.label)}", [plain(title) for title in removed]),
        *_listed(f"Sections only in {plain(second.label)}", [plain(title) for title in added]),
        *_listed("Changed sections", [plain(title) for title in changed]),
    ]
    facts: dict[str, object] = {"removed": removed, "added": added, "changed": changed}
    return Difference(lines, len(removed) + len(added) + len(changed), len(one.keys() | two.keys()), (), facts)


def _lines(first: Source, second: Source) -> Difference:
    """How many lines only one of them has. Bags of lines: linear, and moving a block is no difference."""
    from collections import Counter

    one, two = (
        Counter(line.strip() for line in each.text.split("\n")[:DIFFED] if line.strip()) for each in (first, second)
    )
    if first.binary or second.binary:
        return Difference(
            [f"{first.input.size} and {second.input.size} bytes; not text."], 1, 1, (OutcomeTag.UNPARSABLE,)
        )
    only = sum((one - two).values()), sum((two - one).values())
    shared = sum((one & two).values())
    lines = [f"{only[0]} lines only in the first, {only[1]} only in the second, {shared} in both."]
    return Difference(
        lines,
        only[0] + only[1],
        only[0] + only[1] + shared,
        (),
        {"only_first": only[0], "only_second": only[1], "shared": shared},
    )


def _listed(title: str, items: list[str]) -> list[str]:
    if not items:
        return []
    more = [f"- and {len(items) - LISTED} more"] if len(items) > LISTED else []
    return [f"{title}:", "", *(f"- {each}" for each in items[:LISTED]), *more, ""]
