"""Runs side by side: what is better, what is worse, and whether repetition bears it out."""

# ruff: noqa: E501 (messages and patterns)

from __future__ import annotations

from statistics import mean, stdev
from typing import NamedTuple

from plantwin.private.capabilities.common.report import (
    MOST_FINDINGS,
    bucket,
    code,
    failed,
    findings_text,
    ordered,
    plain,
    worst,
)
from plantwin.private.capabilities.data.plot import number, spark
from plantwin.private.capabilities.data.statistics import welch
from plantwin.private.capabilities.job import Finding, Job, Result
from plantwin.private.capabilities.metrics.direction import direction, setting
from plantwin.private.capabilities.metrics.reading import Run, runs_of
from plantwin.vocabulary import OutcomeTag, Severity, StepStatus

TITLE = "Comparison of metrics"
SLIGHT = 0.01
"""Relative change below which nothing is said, where there is no repetition."""
CHANCE = 0.05
REPEATED = 3
"""Values of each side from which a test is made."""
LISTED = 80


class Change(NamedTuple):
    """One measure in two runs."""

    name: str
    before: float
    now: float
    way: int
    share: float
    """Relative change; positive is better where `way` tells."""
    chance: float | None
    word: str

    def __repr__(self) -> str:
        return "<Change private>"


def compare(job: Job) -> Result:
    """Compare the runs of a job's inputs with the first."""
    runs: list[Run] = []
    problems: list[str] = []
    for given in job.inputs:
        found, problem = runs_of(given)
        runs += found
        if problem:
            problems.append(problem)
    if not runs:
        return failed(TITLE, " ".join(problems) or "There are no measures.", [OutcomeTag.UNPARSABLE])
    lines = [plain(each, 300) for each in problems]
    findings: list[Finding] = []
    changes: list[Change] = []
    if len(runs) > 1:
        for before, run in paired(runs):
            mine = compared(before, run)
            changes += mine
            lines += _table(before, run, mine)
            findings += _findings(before, run, mine)
    lines += _best(runs)
    better, worse = (sum(each.word == word for each in changes) for word in ("better", "worse"))
    unsure = sum(each.word == "within noise" for each in changes)
    tags = [OutcomeTag.UNPARSABLE] if problems else []
    tags += [OutcomeTag.REGRESSED] if worse else []
    tags += [OutcomeTag.IMPROVED] if better else []
    tags += [OutcomeTag.INCONCLUSIVE] if unsure and not better and not worse else []
    tags += [OutcomeTag.SIMILAR] if changes and not better and not worse and not unsure else []
    tags += [OutcomeTag.KEY_MISSING] if len(runs) == 2 and set(_measures(runs[0])) ^ set(_measures(runs[1])) else []
    listed = ordered(findings)[:MOST_FINDINGS]
    head = (
        f"{len(runs)} runs: {better} better and {worse} worse measures than in {code(runs[0].name)}."
        if len(runs) > 1
        else f"One run, {code(runs[0].name)}: nothing to compare it with."
    )
    return Result(
        outcome={
            "status": (StepStatus.PARTIAL if problems else StepStatus.DONE).value,
            "severity": worst(findings),
            "count": str(bucket(worse)),
            "tags": [tag.value for tag in tags[:4]],
        },
        title=TITLE,
        findings=listed,
        facts={
            "tool": "direction by name; Welch's test where repeated",
            "examined": [each.label for each in job.inputs],
            "runs": {
                each.name: {
                    name: values[-1] if each.series else mean(values)
                    for name, values in list(each.measures.items())[:200]
                }
                for each in runs[:50]
            },
            "better": better,
            "worse": worse,
        },
        text="\n".join([head, "", *lines, "", findings_text(listed, len(set(findings)))]).strip() + "\n",
    )


def paired(runs: list[Run]) -> list[tuple[Run, Run]]:
    """Each run with the one it is compared with: that of the same name in the first input, else the first of all."""
    first = {each.name: each for each in runs if each.source == runs[0].source}
    shared = any(each.name in first for each in runs if each.source != runs[0].source)
    if not shared:
        return [(runs[0], each) for each in runs[1:]]
    return [(first[each.name], each) for each in runs if each.source != runs[0].source and each.name in first]


def _measures(run: Run) -> list[str]:
    return [name for name in run.measures if not setting(name)]


def compared(first: Run, second: Run) -> list[Change]:
    """The measures that both have."""
    found = []
    for name in _measures(first):
        if name not in second.measures:
            continue
        one, two = first.measures[name], second.measures[name]
        repeated = not first.series and not second.series and min(len(one), len(two)) >= REPEATED
        before, now = (
            each[-1] if series else mean(each) for each, series in ((one, first.series), (two, second.series))
        )
        way = direction(name)
        share = (
            (now - before) / abs(before)
            if before
            else (0.0 if now == before else float("inf") if now > before else float("-inf"))
        )
        chance = welch(one, two) if repeated else None
        gain = share * way
        if not way:
            word = "equal" if abs(share) < SLIGHT else "differs"
        elif chance is not None and chance >= CHANCE:
            word = "within noise" if abs(share) >= SLIGHT else "equal"
        elif abs(share) < SLIGHT and not (chance is not None and chance < CHANCE and share):
            word = "equal"
        else:
            word = "better" if gain > 0 else "worse"
        found.append(Change(name, before, now, way, gain if way else share, chance, word))
    return found


def _table(first: Run, second: Run, changes: list[Change]) -> list[str]:
    lines = [
        f"## {plain(second.name)} against {plain(first.name)}",
        "",
        "| measure | wanted | before | now | change | | p |",
        "|---|---|---|---|---|---|---|",
    ]
    order = {"worse": 0, "better": 1, "within noise": 2, "differs": 3, "equal": 4}
    for each in sorted(changes, key=lambda one: (order[one.word], -abs(one.share)))[:LISTED]:
        wanted = {1: "more", -1: "less", 0: "?"}[each.way]
        values = second.measures[each.name]
        plot = f"`{spark(_scaled(values))}`" if second.series and len(values) > 2 else ""
        share = "new" if abs(each.share) == float("inf") else f"{each.share * (each.way or 1):+.1%}"
        chance = "" if each.chance is None else "<0.001" if each.chance < 0.001 else f"{each.chance:.2g}"
        lines.append(
            f"| {code(each.name, 80)} | {wanted} | {_value(first, each.name, each.before)} | {_value(second, each.name, each.now)} {plot} | {share} | {each.word} | {chance} |"
        )
    if len(changes) > LISTED:
        lines += ["", f"{len(changes) - LISTED} more measures are not listed."]
    for label, mine, other in ((first, first, second), (second, second, first)):
        only = [name for name in _measures(mine) if name not in other.measures]
        if only:
            lines += ["", f"Only in {plain(label.name)}: {', '.join(code(name, 60) for name in only[:20])}."]
    differing = [
        name
        for name in first.measures
        if setting(name)
        and name in second.measures
        and not first.series
        and first.measures[name] != second.measures[name]
    ]
    if differing:
        lines += [
            "",
            f"Run with other settings: {', '.join(f'{code(name, 40)} {number(first.measures[name][-1])} → {number(second.measures[name][-1])}' for name in differing[:12])}.",
        ]
    return [*lines, ""]


def _scaled(values: list[float]) -> list[float]:
    step = max(1, len(values) // 24)
    kept = values[::step]
    low, high = min(kept), max(kept)
    return [0.1 + (each - low) / ((high - low) or 1.0) for each in kept]


def _value(run: Run, name: str, value: float) -> str:
    values = run.measures[name]
    if run.series and len(values) > 1:
        way = direction(name)
        best = max(values) if way > 0 else min(values)
        return f"{number(value)} (best {number(best)})" if way and best != value else number(value)
    return f"{number(value)} ± {number(stdev(values))}" if len(values) > 1 else number(value)


def _findings(first: Run, second: Run, changes: list[Change]) -> list[Finding]:
    found = []
    for each in changes:
        if each.word == "worse":
            severity = Severity.HIGH if each.share <= -0.1 else Severity.MEDIUM if each.share <= -0.02 else Severity.LOW
            sure = (
                f", p {each.chance:.2g}" if each.chance is not None else ", measured once" if not second.series else ""
            )
            change = f"{abs(each.share):.1%}" if abs(each.share) != float("inf") else "from nothing"
            found.append(
                Finding(
                    name=second.source,
                    severity=severity.value,
                    tag=OutcomeTag.REGRESSED.value,
                    message=f"{each.name} is worse by {change} than in {first.name}: {number(each.before)} → {number(each.now)}{sure}",
                    hint="" if each.chance is not None else "Repeat it to tell noise from change.",
                )
            )
        elif each.chance is None and second.series:
            values = second.measures[each.name]
            best = max(values) if each.way > 0 else min(values)
            if each.way and len(values) >= 5 and abs(best - values[-1]) > 0.1 * abs(best or 1.0):
                found.append(
                    Finding(
                        name=second.source,
                        severity=Severity.LOW.value,
                        tag=OutcomeTag.REGRESSED.value,
                        message=f"{each.name} was better before the end of {second.name}: best {number(best)}, last {number(values[-1])}",
                        hint="Stop earlier, or keep the best state.",
                    )
                )
    return found


def _best(runs: list[Run]) -> list[str]:
    """Which run is best in each measure."""
    if len(runs) < 2:
        lines = ["| measure | value |", "|---|---|"]
        return lines + [
            f"| {code(name, 80)} | {_value(runs[0], name, values[-1] if runs[0].series else mean(values))} |"
            for name, values in list(runs[0].measures.items())[:LISTED]
        ]
    wins: dict[str, int] = {}
    rows = []
    for name in dict.fromkeys(name for run in runs for name in _measures(run)):
        way = direction(name)
        have = [
            (run, run.measures[name][-1] if run.series else mean(run.measures[name]))
            for run in runs
            if name in run.measures
        ]
        if not way or len(have) < 2 or len({value for _, value in have}) == 1:
            continue
        best, value = max(have, key=lambda pair: way * pair[1])
        wins[best.name] = wins.get(best.name, 0) + 1
        rows.append(f"| {code(name, 80)} | {code(best.name, 60)} | {number(value)} |")
    if not rows:
        return []
    leader = max(wins, key=lambda name: wins[name])
    tied = sum(number == wins[leader] for number in wins.values()) > 1
    title = "Best by measure" if tied else f"Best: {plain(leader)} ({wins[leader]} of {len(rows)} measures)"
    return [f"## {title}", "", "| measure | best run | value |", "|---|---|---|", *rows[:LISTED]]
