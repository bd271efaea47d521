"""One measuring: every function of the inputs, hot spots, distribution, duplicated code."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, NamedTuple

from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import MOST_FINDINGS, code, failed, plain
from plantwin.private.capabilities.engine.results import Examined, concluded, table
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.engine.source import READ, Source, source
from plantwin.private.capabilities.find_tests import is_test_path
from plantwin.private.capabilities.measure_complexity.measures import OUTSIDE, Measure, functions, grammar_of
from plantwin.private.facts import private
from plantwin.private.formats.definitions import PARSED
from plantwin.private.formats.python import parse
from plantwin.private.formats.source_views import PAGES, script_of
from plantwin.private.formats.syntax_tree import best_of, broken, walk
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag, Severity

if TYPE_CHECKING:
    from tree_sitter import Node

LEAST = 8
"""Lines of code in a row that make a repetition."""
TOKENS = 50
"""Words and signs that they hold at least."""
MOST = 100
CROWDED = 40
"""Places of one run of lines beyond which it is a table rather than a repetition."""
_IMPORT = re.compile(rb"(?:import|from|use|using|#include|require|package|export \{)\b|[\[\](){};,]*$")
Place = tuple[int, int]
"""A file and a line of code in it, by position."""


@private
class Lines(NamedTuple):
    """The lines of code of one file: their numbers, their tokens as one hash, how many tokens."""

    label: str
    numbers: list[int]
    hashes: list[int]
    counts: list[int]


@private
class Duplicate(NamedTuple):
    """Two places with the same code."""

    first: str
    first_line: int
    second: str
    second_line: int
    lines: int


def lines_of(label: str, root: Node) -> Lines:
    """Return the lines of code of a tree."""
    tokens: dict[int, list[bytes]] = defaultdict(list)
    for node in walk(root):
        if not node.child_count and "comment" not in node.type:
            tokens[int(node.start_point[0]) + 1].append((node.text or b"")[:200])
    lines = Lines(label, [], [], [])
    for number in sorted(tokens):
        joined = b" ".join(tokens[number])
        if not _IMPORT.match(joined):
            lines.numbers.append(number)
            lines.hashes.append(hash(joined))
            lines.counts.append(len(tokens[number]))
    return lines


def duplicates(files: list[Lines]) -> tuple[list[Duplicate], dict[str, int]]:
    """Find repetitions within and between files, the longest first, and count the copied lines of each file."""
    places: dict[int, list[Place]] = defaultdict(list)
    for number, file in enumerate(files):
        for start in range(len(file.hashes) - LEAST + 1):
            places[hash(tuple(file.hashes[start : start + LEAST]))].append((number, start))
    found: list[Duplicate] = []
    copied: dict[str, set[int]] = defaultdict(set)
    covered: set[tuple[Place, Place]] = set()
    for group in places.values():
        if not 1 < len(group) <= CROWDED:
            continue
        first = group[0]
        for second in group[1:]:
            if (first, second) in covered:
                continue
            length = _length(files, first, second, covered)
            one, other = files[first[0]], files[second[0]]
            if length >= LEAST and sum(one.counts[first[1] : first[1] + length]) >= TOKENS:
                copied[other.label].update(other.numbers[second[1] : second[1] + length])
                lines = one.numbers[first[1]], other.numbers[second[1]]
                found.append(Duplicate(one.label, lines[0], other.label, lines[1], length))
    found.sort(key=lambda duplicate: (-duplicate.lines, duplicate.first, duplicate.first_line))
    return found[:MOST], {label: len(lines) for label, lines in copied.items()}


def _length(files: list[Lines], first: Place, second: Place, covered: set[tuple[Place, Place]]) -> int:
    """Return how far two places agree; within one file not beyond where the second begins."""
    one, other = files[first[0]].hashes, files[second[0]].hashes
    most = min(len(one) - first[1], len(other) - second[1])
    if first[0] == second[0]:
        most = min(most, second[1] - first[1])
    length = 0
    while length < most and one[first[1] + length] == other[second[1] + length]:
        covered.add(((first[0], first[1] + length), (second[0], second[1] + length)))
        length += 1
    return length


TITLE = "Complexity"
RULES = Rules("complexity")
BOUNDS = {
    "cyclomatic": (10, 20, 50),
    "cognitive": (15, 30, 75),
    "nesting": (4, 6, 9),
    "parameters": (6, 10, 99),
    "lines": (80, 200, 600),
}
"""Above which a measure is of low, medium and high severity."""
LONG_FILE = (1000, 3000, 99_999)
LONG_DUPLICATE = 40
STEPS = ((1, 5), (6, 10), (11, 20), (21, 50), (51, 1 << 30))
HOT_SPOTS = 15
_SEVERITIES = (Severity.NONE, Severity.LOW, Severity.MEDIUM, Severity.HIGH)
_REASONS = {
    "cyclomatic": "cyclomatic complexity {}",
    "cognitive": "cognitive complexity {}",
    "nesting": "{} levels of nesting",
    "parameters": "{} parameters",
    "lines": "{} lines",
}
_RULES = {
    "nesting": "COMPLEXITY-NESTING",
    "cyclomatic": "COMPLEXITY-BRANCHES",
    "cognitive": "COMPLEXITY-BRANCHES",
    "lines": "SIZE-FUNCTION",
    "parameters": "SIZE-PARAMETERS",
}
"""The rule that a function breaks: the first whose measure is above its bound."""


@private
class File(NamedTuple):
    """One measured file."""

    source: Source
    lines: int = 0
    measures: Sequence[Measure] = ()
    code: Lines | None = None
    whole: bool = True
    """Whether every function was measured."""
    parsed: bool = True

    @property
    def maintainability(self) -> float:
        """The mean of its functions by their length."""
        weight = sum(measure.lines for measure in self.measures)
        total = sum(measure.maintainability * measure.lines for measure in self.measures)
        return round(total / weight, 1) if weight else 100.0


def run(job: Job) -> Result:
    """Measure every input."""
    files: list[File] = []
    state: set[OutcomeTag] = set()
    notes: list[str] = []
    for given in job.inputs:
        read = source(given)
        if read.truncated:
            state.add(OutcomeTag.TRUNCATED)
            notes.append(f"Only the first {READ >> 20} MiB of {plain(read.label)} were examined.")
        file = _measured(read)
        if isinstance(file, str):
            state.add(OutcomeTag.UNPARSABLE)
            notes.append(f"{plain(read.label)} {file}.")
            continue
        files.append(file)
        state |= ({OutcomeTag.TRUNCATED} if not file.whole else set()) | (
            {OutcomeTag.UNPARSABLE} if not file.parsed else set()
        )
    if not files:
        return failed(TITLE, "Nothing here can be measured. " + " ".join(notes), [OutcomeTag.UNPARSABLE])
    found, copied = duplicates([file.code for file in files if file.code is not None])
    facts = _facts(files, found, copied)
    return concluded(
        job,
        TITLE,
        [Examined(file.source, [*_findings(file), *_duplicated(file, found)]) for file in files],
        tool="tree-sitter, measures of our own (McCabe; cognitive as SonarSource)",
        state=list(state),
        notes=notes,
        tables=tables(facts),
        facts=facts,
        per_rule=MOST_FINDINGS,
        quoted=False,
    )


def _sound(format: str, text: str, errors: int, measured: bool) -> bool:
    """Tell whether a text parses: Python by its own parser, others by a grammar that may stumble over new syntax."""
    if format != "python" or len(text) > PARSED:
        return errors <= (2 if measured else 0)
    return parse(text) is not None


def _measured(read: Source) -> File | str:
    """Measure one input; say why it cannot be."""
    if read.binary:
        return "is not text"
    format, text = read.format, read.text
    if format in PAGES:
        text, format = script_of(format, text)
    elif format == "notebook":
        from plantwin.private.capabilities.security_audit import notebook_code

        format, text = "python", notebook_code(text)
    if grammar_of(format) is None:
        return f"is {format}, which has no functions to measure"
    if not text.strip():
        return File(read)
    format, tree = best_of(format, text.encode("utf-8", "replace"))
    grammar = grammar_of(format)
    if tree is None or grammar is None:
        return "is too long, too deeply nested or no hand-written code; it was not parsed"
    root = tree.root_node
    measures, whole = functions(grammar, root)
    return File(
        read,
        read.lines,
        measures,
        lines_of(read.label, root),
        whole,
        parsed=_sound(format, text, len(broken(root)), bool(measures)),
    )


def _findings(file: File) -> Iterator[Finding]:
    size = sum(file.lines > bound for bound in LONG_FILE)
    if size:
        yield RULES.found("SIZE-FILE", 0, severity=_SEVERITIES[size], lines=file.lines)
    for measure in file.measures:
        values = {name: int(getattr(measure, name)) for name in BOUNDS}
        if measure.name == OUTSIDE:
            del values["lines"]
        levels = {name: sum(value > bound for bound in BOUNDS[name]) for name, value in values.items()}
        broken_rules = [rule for name, rule in _RULES.items() if levels.get(name)]
        if broken_rules:
            reasons = ", ".join(_REASONS[name].format(values[name]) for name in values if levels[name])
            severity = _SEVERITIES[max(levels.values())]
            yield RULES.found(broken_rules[0], measure.line, severity=severity, name=measure.name, reasons=reasons)


def _duplicated(file: File, found: list[Duplicate]) -> Iterator[Finding]:
    for duplicate in found:
        if duplicate.second == file.source.label:
            severity = Severity.MEDIUM if duplicate.lines >= LONG_DUPLICATE else None
            place = f"{duplicate.first}:{duplicate.first_line}"
            line = duplicate.second_line
            yield RULES.found("DUPLICATE-CODE", line, severity=severity, lines=duplicate.lines, place=place)


def _facts(files: list[File], found: list[Duplicate], copied: dict[str, int]) -> dict[str, object]:
    return {
        "files": [
            {
                "name": file.source.label,
                "lines": file.lines,
                "functions": len(file.measures),
                "maintainability": file.maintainability,
                "copied_lines": copied.get(file.source.label, 0),
                "measures": [measure._asdict() for measure in sorted(file.measures, key=_heat)[:200]],
            }
            for file in files
        ],
        "repeats": [duplicate._asdict() for duplicate in found],
    }


def _heat(measure: Measure) -> tuple[int, int, int]:
    return -measure.cognitive, -measure.cyclomatic, measure.line


def tables(facts: Mapping[str, object]) -> list[str]:
    """Write the measures of all files: those of one call, or of many that were merged."""
    files, repeats = _rows(facts, "files"), _rows(facts, "repeats")
    every = [(str(file["name"]), Measure(**row)) for file in files for row in _rows(file, "measures")]
    own = [measure for _, measure in every if measure.name != OUTSIDE]
    number = sum(int(str(file["functions"])) for file in files)
    lines = sum(int(str(file["lines"])) for file in files)
    told = [f"{plural(len(files), 'file')} measured, {plural(number, 'function')}, {lines:,} lines."]
    if own:
        cyclomatic, cognitive = [function.cyclomatic for function in own], [function.cognitive for function in own]
        told.append(
            f"Cyclomatic complexity: mean {fmean(cyclomatic):.1f}, median {median(cyclomatic):.0f}, "
            f"most {max(cyclomatic)}. Cognitive: mean {fmean(cognitive):.1f}, most {max(cognitive)}."
        )
    duplicated = sorted((Duplicate(**row) for row in repeats), key=lambda duplicate: -duplicate.lines)
    return [*told, "", *_hot_spots(every), *_distribution(own), *_by_file(files), *_duplicate_table(duplicated)]


def _rows(held: Mapping[str, object], key: str) -> list[dict[str, Any]]:
    found = held.get(key)
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def _by_file(files: Sequence[Mapping[str, Any]]) -> list[str]:
    """Write a row for each file, the least maintainable first."""
    rows = []
    for file in sorted(files, key=lambda file: (file["maintainability"], file["name"])):
        own = [(row["cyclomatic"], row["cognitive"]) for row in file["measures"]] or [(0, 0)]
        most, cognitive = (max(values) for values in zip(*own, strict=True))
        mean = fmean(value for value, _ in own)
        rows.append(
            [code(file["name"], 80), str(file["lines"]), str(file["functions"]), f"{mean:.1f}", str(most),
             str(cognitive), f"{file['maintainability']:.0f}", str(file["copied_lines"])]
        )  # fmt: skip
    heads = ["File", "Lines", "Functions", "Mean", "Most", "Cognitive", "Maintainability", "Copied lines"]
    return table(heads, rows, MOST)


def _distribution(every: list[Measure]) -> list[str]:
    if not every:
        return []
    counts = [sum(low <= measure.cyclomatic <= high for measure in every) for low, high in STEPS]
    rows = []
    for (low, high), count in zip(STEPS, counts, strict=True):
        width = -(-count * 40 // max(counts)) if count else 0
        rows.append(f"{f'{low}-{high}' if high < 1000 else f'{low}+':>6} {'█' * width} {count}")
    return ["Functions by cyclomatic complexity:", "", "```text", *rows, "```", ""]


def _hot_spots(every: Sequence[tuple[str, Measure]]) -> list[str]:
    hot = [(name, measure) for name, measure in every if measure.cognitive > 3 or measure.cyclomatic > 5]
    if not hot:
        return ["No function stands out.", ""]
    hot.sort(key=lambda pair: (is_test_path(pair[0]), -pair[1].cognitive - pair[1].cyclomatic, pair[0], pair[1].line))
    return [
        "| Hot spot | Function | Cyclomatic | Cognitive | Lines |",
        "|---|---|---:|---:|---:|",
        *(
            f"| {code(f'{label}:{measure.line}', 90)} | {code(measure.name, 60)} | {measure.cyclomatic} "
            f"| {measure.cognitive} | {measure.lines} |"
            for label, measure in hot[:HOT_SPOTS]
        ),
        "",
    ]


def _duplicate_table(found: list[Duplicate]) -> list[str]:
    if not found:
        return []
    rows = [
        f"| {duplicate.lines} | {code(f'{duplicate.first}:{duplicate.first_line}')} "
        f"| {code(f'{duplicate.second}:{duplicate.second_line}')} |"
        for duplicate in found[:HOT_SPOTS]
    ]
    return ["Duplicated code:", "", "| Lines | Here | And here |", "|---:|---|---|", *rows, ""]
