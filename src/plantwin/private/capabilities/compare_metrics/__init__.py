"""Runs side by side: what is better, what is worse, and whether repetition bears it out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import copysign, inf, isinf
from statistics import stdev
from typing import NamedTuple

import msgspec

from plantwin.private.capabilities.compare_metrics.runs import Run, direction, is_setting, runs_of
from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import (
    MOST_FINDINGS,
    code,
    failed,
    findings_text,
    ordered,
    plain,
    told,
    worst,
)
from plantwin.private.capabilities.engine.results import table
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.tables.statistics import number, spark, welch
from plantwin.private.facts import private
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Comparison of metrics"
RULES = Rules("metrics")
SLIGHT = 0.01
"""Relative change below which nothing is said, where there is no repetition."""
CHANCE = 0.05
REPEATED = 3
"""Values of each side from which a test is made."""
LONG = 5
"""Values over time from which it is told that the best was not the last."""
LISTED = 80
PLOTTED = 24
_ORDER = ("worse", "better", "within noise", "differs", "equal")
_WANTED = {1: "more", -1: "less", 0: "?"}


@private
class Change(NamedTuple):
    """One measure in two runs."""

    name: str
    before: float
    now: float
    way: int
    """1 where more is better, -1 where less is, 0 where that is not known."""
    share: float
    """Relative change; positive is better where `way` tells."""
    chance: float | None
    word: str


def run(job: Job) -> Result:
    """Compare the runs of a job's inputs with the first."""
    read = [runs_of(given) for given in job.inputs]
    runs = [run for found, _ in read for run in found]
    problems = [problem for _, problem in read if problem]
    if not runs:
        return failed(TITLE, " ".join(problems) or "There are no measures.", [OutcomeTag.UNPARSABLE])
    lines = [plain(problem, 300) for problem in problems]
    findings: list[Finding] = []
    words: Counter[str] = Counter()
    for before, now in _paired(runs):
        changes = _changes(before, now)
        words.update(change.word for change in changes)
        lines += _table(before, now, changes)
        findings += _findings(before, now, changes)
    lines += _best(runs)
    better, worse, unsure = words["better"], words["worse"], words["within noise"]
    tags = {
        OutcomeTag.UNPARSABLE: bool(problems),
        OutcomeTag.REGRESSED: worse > 0,
        OutcomeTag.IMPROVED: better > 0,
        OutcomeTag.INCONCLUSIVE: unsure and not better and not worse,
        OutcomeTag.SIMILAR: words and not better and not worse and not unsure,
        OutcomeTag.KEY_MISSING: len(runs) == 2 and set(runs[0].results) != set(runs[1].results),
    }
    listed = ordered(findings)[:MOST_FINDINGS]
    first = code(runs[0].name)
    head = f"{len(runs)} runs: {better} better and {worse} worse measures than in {first}."
    if len(runs) == 1:
        head = f"One run, {first}: nothing to compare it with."
    elif not words:
        head = f"{len(runs)} runs: no measure of {first} is in another."
    return Result(
        outcome=told(
            worse,
            (tag for tag, given in tags.items() if given),
            severity=worst(findings),
            partial=problems or not words,
        ),
        title=TITLE,
        findings=listed,
        facts={
            "tool": "direction by name; Welch's test where repeated",
            "examined": [given.label for given in job.inputs],
            "runs": {run.name: {name: run.value(name) for name in list(run.measures)[:200]} for run in runs[:50]},
            "better": better,
            "worse": worse,
        },
        text="\n".join([head, "", *lines, "", findings_text(listed, len(set(findings)))]).strip() + "\n",
    )


def _paired(runs: list[Run]) -> list[tuple[Run, Run]]:
    """Return each run with the one it is compared with: that of its name in the first input, else the first of all."""
    first = {run.name: run for run in runs if run.source == runs[0].source}
    pairs = [(first[run.name], run) for run in runs if run.source != runs[0].source and run.name in first]
    return pairs or [(runs[0], run) for run in runs[1:]]


def _changes(first: Run, second: Run) -> list[Change]:
    """Compare the measures that both have."""
    found = []
    for name in first.results:
        if name not in second.measures:
            continue
        one, two = first.measures[name], second.measures[name]
        before, now = first.value(name), second.value(name)
        way = direction(name)
        difference = now - before
        share = difference / abs(before) if before else copysign(inf, difference) if difference else 0.0
        repeated = not first.series and not second.series and min(len(one), len(two)) >= REPEATED
        chance = welch(one, two) if repeated else None
        slight = abs(share) < SLIGHT
        if not way:
            word = "equal" if slight else "differs"
        elif chance is not None and chance >= CHANCE:
            word = "equal" if slight else "within noise"
        elif slight and (chance is None or not share):
            word = "equal"
        else:
            word = "better" if share * way > 0 else "worse"
        found.append(Change(name, before, now, way, share * (way or 1), chance, word))
    return found


def _table(first: Run, second: Run, changes: list[Change]) -> list[str]:
    rows = []
    for change in sorted(changes, key=lambda change: (_ORDER.index(change.word), -abs(change.share))):
        values = second.measures[change.name]
        plot = f" `{spark(_scaled(values))}`" if second.series and len(values) > 2 else ""
        share = "new" if isinf(change.share) else f"{change.share * (change.way or 1):+.1%}"
        chance = "" if change.chance is None else "<0.001" if change.chance < 0.001 else f"{change.chance:.2g}"
        before, now = _value(first, change.name), _value(second, change.name) + plot
        rows.append([code(change.name, 80), _WANTED[change.way], before, now, share, change.word, chance])
    lines = [f"## {plain(second.name)} against {plain(first.name)}", ""]
    lines += table(["measure", "wanted", "before", "now", "change", "", "p"], rows, LISTED)
    for mine, other in ((first, second), (second, first)):
        only = [code(name, 60) for name in mine.results if name not in other.measures]
        lines += [f"Only in {plain(mine.name)}: {', '.join(only[:20])}.", ""] if only else []
    settings = []
    for name, values in first.measures.items():
        others = second.measures.get(name, values)
        if is_setting(name) and not first.series and others != values:
            settings.append(f"{code(name, 40)} {number(values[-1])} → {number(others[-1])}")
    return lines + ([f"Run with other settings: {', '.join(settings[:12])}.", ""] if settings else [])


def _scaled(values: list[float]) -> list[float]:
    kept = values[:: max(1, len(values) // PLOTTED)]
    low, high = min(kept), max(kept)
    return [0.1 + (value - low) / ((high - low) or 1.0) for value in kept]


def _best_of(values: list[float], way: int) -> float:
    return max(values) if way > 0 else min(values)


def _value(run: Run, name: str) -> str:
    """Return a measure as the report shows it: with the best over time, or with the deviation of repetitions."""
    values, value = run.measures[name], run.value(name)
    if len(values) < 2:
        return number(value)
    if not run.series:
        return f"{number(value)} ± {number(stdev(values))}"
    way = direction(name)
    best = _best_of(values, way)
    return f"{number(value)} (best {number(best)})" if way and best != value else number(value)


def _findings(first: Run, second: Run, changes: list[Change]) -> Iterator[Finding]:
    for change in changes:
        if change.word == "worse":
            share = -change.share
            severity = Severity.HIGH if share >= 0.1 else Severity.MEDIUM if share >= 0.02 else Severity.LOW
            sure = "" if second.series else ", measured once"
            if change.chance is not None:
                sure = f", p {change.chance:.2g}"
            found = RULES.found(
                "METRIC-WORSE",
                0,
                severity=severity,
                measure=change.name,
                change="from nothing" if isinf(share) else f"{share:.1%}",
                run=first.name,
                before=number(change.before),
                now=number(change.now),
                sure=sure,
            )
        elif change.chance is None and second.series and change.way:
            values = second.measures[change.name]
            best, last = _best_of(values, change.way), values[-1]
            if len(values) < LONG or abs(best - last) <= 0.1 * abs(best or 1.0):
                continue
            shown = number(best), number(last)
            found = RULES.found(
                "METRIC-PAST-BEST", 0, measure=change.name, run=second.name, best=shown[0], last=shown[1]
            )
        else:
            continue
        yield msgspec.structs.replace(found, name=second.source)


def _best(runs: list[Run]) -> list[str]:
    """Return which run is best in each measure."""
    if len(runs) < 2:
        return table(
            ["measure", "value"], [[code(name, 80), _value(runs[0], name)] for name in runs[0].measures], LISTED
        )
    wins: Counter[str] = Counter()
    rows = []
    for name in dict.fromkeys(name for run in runs for name in run.results):
        way = direction(name)
        reached = [(run.value(name), run) for run in runs if name in run.measures]
        if not way or len({value for value, _ in reached}) < 2:
            continue
        value, best = max(reached, key=lambda item: way * item[0])
        wins[best.name] += 1
        rows.append([code(name, 80), code(best.name, 60), number(value)])
    if not rows:
        return []
    (leader, most), *others = wins.most_common(2)
    tied = bool(others) and others[0][1] == most
    title = "Best by measure" if tied else f"Best: {plain(leader)} ({most} of {len(rows)} measures)"
    return [f"## {title}", "", *table(["measure", "best run", "value"], rows, LISTED)]
