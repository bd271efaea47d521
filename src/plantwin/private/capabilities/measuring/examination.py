"""One measuring: every function of the inputs, hot spots, distribution, repetitions."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median
from typing import NamedTuple

from plantwin.private.capabilities.common.report import MOST_FINDINGS, code, failed, ordered, outcome, plain, worst
from plantwin.private.capabilities.common.source import READ, Source, source
from plantwin.private.capabilities.job import Finding, Job, Result
from plantwin.private.capabilities.measuring.functions import OUTSIDE, Measure, functions
from plantwin.private.capabilities.measuring.grammar import GRAMMARS
from plantwin.private.capabilities.measuring.repeats import Lines, Repeat, lines_of, repeats
from plantwin.private.capabilities.syntax.pages import PAGES, script_of
from plantwin.private.capabilities.syntax.trees import best_of, broken
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Complexity"
BOUNDS = {
    "cyclomatic": (10, 20, 50),
    "cognitive": (15, 30, 75),
    "nesting": (4, 6, 9),
    "parameters": (6, 10, 99),
    "lines": (80, 200, 600),
}
"""Above which a measure is of low, medium and high concern."""
LONG_FILE = (1000, 3000, 99_999)
STEPS = ((1, 5), (6, 10), (11, 20), (21, 50), (51, 1 << 30))
HOT = 15
_LEVELS = (Severity.NONE, Severity.LOW, Severity.MEDIUM, Severity.HIGH)
_WORDS = {
    "cyclomatic": "cyclomatic complexity {}",
    "cognitive": "cognitive complexity {}",
    "nesting": "{} levels of nesting",
    "parameters": "{} parameters",
    "lines": "{} lines",
}


class File(NamedTuple):
    """One measured file."""

    label: str
    lines: int
    measures: list[Measure]

    def __repr__(self) -> str:
        return "<File private>"


def examine(job: Job) -> Result:
    """The result of measuring the inputs."""
    files: list[File] = []
    rows: list[Lines] = []
    state: set[OutcomeTag] = set()
    notes: list[str] = []
    for given in job.inputs:
        each = source(given)
        if each.truncated:
            state.add(OutcomeTag.TRUNCATED)
            notes.append(f"Only the first {READ >> 20} MiB of {plain(each.label)} were examined.")
        reason = _measure(each, files, rows, state)
        if reason:
            notes.append(f"{plain(each.label)} {reason}.")
            state.add(OutcomeTag.UNPARSABLE)
    if not files:
        return failed(TITLE, "Nothing here can be measured. " + " ".join(notes), [OutcomeTag.UNPARSABLE])
    twice, copied = repeats(rows)
    found = [finding for file in files for finding in _findings(file)]
    found += [_repeated(each) for each in twice]
    unique = ordered(found)
    listed = unique[:MOST_FINDINGS]
    told = [tag.value for tag in (OutcomeTag.TRUNCATED, OutcomeTag.UNPARSABLE) if tag in state]
    return Result(
        outcome=outcome(unique, state=told, partial=bool(state)),
        title=TITLE,
        findings=listed,
        facts=_facts(files, twice, copied, notes),
        text="\n".join([*_text(files, twice, copied, unique), *notes]).strip() + "\n",
    )


def _measure(each: Source, files: list[File], rows: list[Lines], state: set[OutcomeTag]) -> str:
    """Measure one input; why it could not be."""
    if each.binary:
        return "is not text"
    format, text = each.format, each.text
    if format in PAGES:
        script = script_of(format, text)
        format, text = script.format, script.text
    elif format == "notebook":
        from plantwin.private.capabilities.audit.examination import _notebook

        format, text = "python", _notebook(text)
    grammar = GRAMMARS.get(format)
    if grammar is None:
        return f"is {format}, which has no functions to measure"
    if not text.strip():
        files.append(File(each.label, 0, []))
        return ""
    format, tree = best_of(format, text.encode("utf-8", "replace"))
    grammar = GRAMMARS[format]
    if tree is None:
        return "is too long, too deeply nested or no hand-written code; it was not parsed"
    if len(broken(tree.root_node)) > 2:
        state.add(OutcomeTag.UNPARSABLE)
    measures, whole = functions(grammar, tree.root_node)
    if not whole:
        state.add(OutcomeTag.TRUNCATED)
    files.append(File(each.label, each.lines, measures))
    rows.append(lines_of(each.label, tree.root_node))
    return ""


def level(measure: str, value: int) -> int:
    """Of what concern a value is: 0 to 3."""
    return sum(value > bound for bound in BOUNDS[measure])


def _findings(file: File) -> list[Finding]:
    found = []
    size = sum(file.lines > bound for bound in LONG_FILE)
    if size:
        found.append(
            Finding(
                name=file.label,
                severity=_LEVELS[size].value,
                tag=OutcomeTag.OVERSIZED.value,
                message=f"The file has {file.lines} lines",
                hint="Split it by what its parts are for.",
            )
        )
    for each in file.measures:
        values = {name: int(getattr(each, name)) for name in BOUNDS}
        if each.name == OUTSIDE:
            values.pop("lines")
        levels = {name: level(name, value) for name, value in values.items()}
        most = max(levels.values())
        if not most:
            continue
        reasons = [_WORDS[name].format(values[name]) for name in values if levels[name]]
        hard = any(levels[name] for name in ("cyclomatic", "cognitive", "nesting"))
        found.append(
            Finding(
                name=file.label,
                line=each.line,
                severity=_LEVELS[most].value,
                tag=(OutcomeTag.HIGH_COMPLEXITY if hard else OutcomeTag.OVERSIZED).value,
                message=f"{each.name}: {', '.join(reasons)}",
                hint=_hint(levels),
            )
        )
    return found


def _hint(levels: dict[str, int]) -> str:
    if levels["nesting"]:
        return "Return early, and move inner blocks into functions of their own."
    if levels["cyclomatic"] or levels["cognitive"]:
        return "Split it by case, or replace branches by a table."
    if levels.get("lines"):
        return "Split it into steps with names."
    return "Put parameters that belong together into one object."


def _repeated(each: Repeat) -> Finding:
    return Finding(
        name=each.second,
        line=each.second_line,
        severity=(Severity.MEDIUM if each.lines >= 40 else Severity.LOW).value,
        tag=OutcomeTag.DUPLICATION.value,
        message=f"{each.lines} lines of code stand in {each.first}:{each.first_line} too",
        hint="Move them to one place.",
    )


def _all(files: Sequence[File]) -> list[Measure]:
    return [each for file in files for each in file.measures if each.name != OUTSIDE]


def _facts(files: list[File], twice: list[Repeat], copied: dict[str, int], notes: list[str]) -> dict[str, object]:
    return {
        "tool": "tree-sitter, measures of our own (McCabe; cognitive as SonarSource)",
        "files": [
            {
                "name": file.label,
                "lines": file.lines,
                "functions": len(file.measures),
                "maintainability": _maintainability(file),
                "copied_lines": copied.get(file.label, 0),
                "measures": [each._asdict() for each in _hottest([file])[:200]],
            }
            for file in files
        ],
        "repeats": [each._asdict() for each in twice],
        "notes": notes,
    }


def _maintainability(file: File) -> float:
    weight = sum(each.lines for each in file.measures)
    return round(sum(each.maintainability * each.lines for each in file.measures) / weight, 1) if weight else 100.0


def _hottest(files: Sequence[File]) -> list[Measure]:
    return sorted(
        (each for file in files for each in file.measures),
        key=lambda each: (-each.cognitive, -each.cyclomatic, each.line),
    )


def _text(files: list[File], twice: list[Repeat], copied: dict[str, int], found: list[Finding]) -> list[str]:
    every = _all(files)
    lines = [
        f"{len(files)} measured, {len(every)} functions, {sum(file.lines for file in files)} lines; "
        f"worst concern: {worst(found)}."
    ]
    if every:
        complex_, deep = [each.cyclomatic for each in every], [each.cognitive for each in every]
        lines.append(
            f"Cyclomatic complexity: mean {fmean(complex_):.1f}, median {median(complex_):.0f}, most {max(complex_)}. "
            f"Cognitive: mean {fmean(deep):.1f}, most {max(deep)}."
        )
    lines += [
        "",
        "| File | Lines | Functions | Mean | Most | Cognitive | Maintainability | Copied lines |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for file in files:
        own = [each.cyclomatic for each in file.measures] or [0]
        cognitive = max((each.cognitive for each in file.measures), default=0)
        lines.append(
            f"| {code(file.label, 80)} | {file.lines} | {len(file.measures)} | {fmean(own):.1f} | {max(own)} "
            f"| {cognitive} | {_maintainability(file):.0f} | {copied.get(file.label, 0)} |"
        )
    lines += ["", *_distribution(every), *_hot(files), *_twice(twice)]
    return lines


def _distribution(every: list[Measure]) -> list[str]:
    if not every:
        return []
    counts = [sum(low <= each.cyclomatic <= high for each in every) for low, high in STEPS]
    rows = []
    for (low, high), count in zip(STEPS, counts, strict=True):
        width = -(-count * 40 // max(counts)) if count else 0
        rows.append(f"{f'{low}-{high}' if high < 1000 else f'{low}+':>6} {'█' * width} {count}")
    return ["Functions by cyclomatic complexity:", "", "```text", *rows, "```", ""]


def _hot(files: list[File]) -> list[str]:
    rows = [(file, each) for file in files for each in file.measures if each.cognitive > 3 or each.cyclomatic > 5]
    rows.sort(key=lambda pair: (-pair[1].cognitive - pair[1].cyclomatic, pair[0].label, pair[1].line))
    if not rows:
        return ["No function stands out.", ""]
    lines = [
        "| Hot spot | Function | Cyclomatic | Cognitive | Lines | Nesting | Parameters |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {code(f'{file.label}:{each.line}', 90)} | {code(each.name, 60)} | {each.cyclomatic} | {each.cognitive} "
        f"| {each.lines} | {each.nesting} | {each.parameters} |"
        for file, each in rows[:HOT]
    ]
    return [*lines, ""]


def _twice(found: list[Repeat]) -> list[str]:
    if not found:
        return []
    lines = ["| Lines | Here | And here |", "|---:|---|---|"]
    lines += [
        f"| {each.lines} | {code(f'{each.first}:{each.first_line}')} | {code(f'{each.second}:{each.second_line}')} |"
        for each in found[:HOT]
    ]
    return ["Repeated code:", "", *lines, ""]
