"""Attempts as tables: the same rows go to the terminal, to the report and to CSV files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from plantwin_evals import paper, statistics
from plantwin_evals.attempts import Attempt, by_configuration
from plantwin_evals.metrics import Score, mean
from plantwin_evals.redactors import REDACTORS, absent
from plantwin_evals.suite import DOMAINS

SHORT = {
    "coding": "Code", "documents": "Doc", "debugging": "Debug", "devops": "DevOps", "pipelines": "Pipe",
    "incident": "SecIR", "mlops": "MLOps", "frontend": "Front", "databases": "DB", "api": "API",
}  # fmt: skip
"""Domains as the paper's table calls them."""
SESSIONS = ("twin", "objects")
"""Modes that are whole sessions: over sets, and over objects one by one."""
INTERVAL = "95 %"
"""The bootstrap interval of the mean before it."""
FULL = 60
"""Tasks of a complete run."""


class Table(NamedTuple):
    """A title, columns, and rows of cells that are text or numbers."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    note: str = ""

    def lines(self) -> Iterable[str]:
        """For a terminal: aligned, numbers to the right."""
        cells = [self.columns, *(tuple(map(shown, row)) for row in self.rows)]
        widths = [max(len(row[at]) for row in cells) for at in range(len(self.columns))]
        yield self.title
        for row in cells:
            yield "  " + "  ".join(
                cell.ljust(width) if at == 0 else cell.rjust(width)
                for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
        if self.note:
            yield f"  {self.note}"


def shown(cell: Any) -> str:
    """A cell as text; three digits for a share, nothing for what was not measured."""
    if cell is None:
        return "–"
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)


def averaged(attempts: Sequence[Attempt], value: Callable[[Attempt], float]) -> float | None:
    """Over tasks; None over none."""
    return mean(map(value, attempts)) if attempts else None


def quality(attempts: Sequence[Attempt]) -> float | None:
    """PQS of these attempts."""
    return averaged(attempts, lambda each: each.quality)


def lenient(attempts: Sequence[Attempt]) -> float | None:
    """Lenient PQS of these attempts."""
    return averaged(attempts, lambda each: each.lenient_quality)


def interval(attempts: Sequence[Attempt]) -> str | None:
    """Where PQS would lie with other tasks of the same kind."""
    if not attempts:
        return None
    found = statistics.interval([each.quality for each in attempts])
    return f"{found.low:.3f} to {found.high:.3f}"


def missing(attempts: Sequence[Attempt], configuration: str) -> int:
    """How many tasks of a configuration have no plan because its planner could not be asked."""
    return len({each.task for each in attempts if each.failed and each.configuration == configuration})


def aim(attempts: Sequence[Attempt]) -> float | None:
    """Object F1 of these attempts, where there were objects to choose."""
    return averaged([each for each in attempts if each.mode != "goal-only"], lambda each: each.aim)


def disclosure(attempts: Sequence[Attempt]) -> float | None:
    """SND over all sensitive items of all tasks."""
    total = sum(each.sensitive for each in attempts)
    return 1 - sum(len(each.seen) for each in attempts) / total if total else None


def leakage(attempts: Sequence[Attempt]) -> float | None:
    """NL of these attempts; None of redacted text of which nobody listed what is sensitive."""
    known = [each for each in attempts if each.sensitive or each.mode not in REDACTORS]
    return averaged(known, lambda each: each.leakage)


def tried(attempts: Iterable[Attempt]) -> list[str]:
    """Return the domains or folders of these attempts: those of the suite in its order, then any others."""
    found = dict.fromkeys(each.domain for each in attempts)
    return [*(name for name in DOMAINS if name in found), *(name for name in found if name not in DOMAINS)]


def success(attempts: Sequence[Attempt], found: Callable[[Attempt], int] = lambda each: each.findings) -> float | None:
    """Expected findings that local results hold, over those of attempts that were carried out."""
    done = [each for each in attempts if each.executed]
    total = sum(each.expected_findings for each in done)
    return sum(map(found, done)) / total if total else None


def main_table(attempts: Sequence[Attempt]) -> Table:
    """The paper's main table, with object F1 and executed success."""
    rows = []
    listed = [domain for domain in tried(attempts) if domain in SHORT]
    for name, group in by_configuration(attempts):
        domains = [quality([each for each in group if each.domain == domain]) for domain in listed]
        rows.append(
            (
                name,
                *domains,
                quality(group),
                interval(group),
                lenient(group),
                averaged(group, lambda each: each.capability[0]),
                aim(group),
                success(group),
                disclosure(group),
                leakage(group),
                len(group),
                missing(attempts, name),
            )
        )
    columns = (
        "configuration", *(SHORT[domain] for domain in listed), "PQS", INTERVAL, "lenient", "Prec", "ObjF1", "Exec",
        "SND", "NL", "n", "missing",
    )  # fmt: skip
    return Table(
        "main",
        "Plan quality by domain, and all tasks together",
        columns,
        rows,
        "PQS: F1 over capabilities, approved against expected; 95 %: its bootstrap interval; lenient: where "
        "alternatives count and optional ones are free; ObjF1: over files; Exec: expected findings in local results; "
        "NL: share of budgets; missing: tasks whose planner could not be asked, in no average.",
    )


def paper_table(attempts: Sequence[Attempt]) -> Table:
    """The nineteen configurations of the paper with what was measured here; what did not run says so."""
    measured = {(each.planner, each.mode): [] for each in attempts}  # type: ignore[var-annotated]
    for each in attempts:
        if not each.failed:
            measured[each.planner, each.mode].append(each)
    rows = []
    for row in paper.ROWS:
        # The paper's twin lists objects one by one.
        ways = ("objects", "twin") if row.mode == "twin" else (row.mode,)
        group = next((measured[row.planner, way] for way in ways if (row.planner, way) in measured), [])
        failed = sum(each.failed for each in attempts if each.planner == row.planner and each.mode in ways)
        states = ["complete" if len(group) == FULL else f"{len(group)} tasks"] if group else []
        state = ", ".join([*states, *([f"{failed} missing"] if failed else [])]) or "not run"
        rows.append(
            (
                row.name, row.pqs, quality(group), row.precision, averaged(group, lambda each: each.capability[0]),
                row.snd, disclosure(group), row.nl, leakage(group), state,
            )
        )  # fmt: skip
    columns = (
        "configuration", "PQS paper", "PQS here", "Prec paper", "Prec here", "SND paper", "SND here", "NL paper",
        "NL here", "state",
    )  # fmt: skip
    note = "The paper's tasks are not ours: figures stand side by side, they do not compare. Empty: not run."
    return Table("paper", "The paper's nineteen configurations", columns, rows, note)


def group_table(attempts: Sequence[Attempt]) -> Table:
    """Goals that name their steps, and goals whose steps follow from what is there."""
    rows = []
    for name, group in by_configuration(attempts):
        stated = [each for each in group if each.group == "stated"]
        vague = [each for each in group if each.group == "environment"]
        halves = [(quality(half), interval(half), aim(half), len(half)) for half in (stated, vague)]
        rows.append((name, *halves[0], *halves[1]))
    of_each = [f"{what} {which}" for which in ("stated", "environment") for what in ("PQS", INTERVAL, "ObjF1", "n")]
    columns = ("configuration", *of_each)
    return Table(
        "groups",
        "Goals that say what to do, and goals that depend on the environment",
        columns,
        rows,
        "What the twin is worth is the difference to goal-only.",
    )


def cost_table(attempts: Sequence[Attempt]) -> Table:
    """Disclosure and size of each configuration."""
    rows = []
    for name, group in by_configuration(attempts):
        valid = averaged(group, lambda each: float(each.valid))
        rows.append(
            (
                name,
                averaged(group, lambda each: each.worst) if leakage(group) is not None else None,
                f"{averaged(group, lambda each: each.sent) or 0:.0f}",
                f"{averaged(group, lambda each: sum(each.tokens)) or 0:.0f}",
                f"{averaged(group, lambda each: each.turns) or 0:.1f}",
                valid,
            )
        )
    columns = ("configuration", "NL of the worst object", "bytes sent", "tokens", "turns", "valid plans")
    return Table("cost", "What was told, per task", columns, rows)


def folder_tables(attempts: Sequence[Attempt]) -> list[Table]:
    """Return the table of a suite over real folders; none for attempts of another."""
    rows = []
    for name, group in by_configuration(each for each in attempts if each.pairs is not None):
        goals: dict[str, list[frozenset[str]]] = defaultdict(list)
        for each in group:
            goals[each.task.removeprefix(f"{each.domain}-")].append(frozenset(each.approved))
        asked = [plans for plans in goals.values() if len(plans) > 1]
        scores = [
            (*score, score.f1)
            for each in group
            for score in (Score(*each.capability), Score(*each.object), Score(*(each.pairs or (0, 0))))
        ]
        cells = [mean(column) for what in range(3) for column in zip(*scores[what::3], strict=True)]
        rows.append((name, *cells, f"{sum(len(set(plans)) == 1 for plans in asked)} of {len(asked)}", len(group)))
    parts = [f"{what} {part}" for what in ("PQS", "files", "work") for part in ("P", "R", "F1")]
    note = (
        "Precision, recall and F1 over capabilities, over files, and over pairs of a capability and a file: the right "
        "work in the right place. alike: goals of several folders that got the same capabilities in all of them."
    )
    title = "Goals over real folders"
    return [Table("folders", title, ("configuration", *parts, "alike", "n"), rows, note)] if rows else []


MEASURES = (
    "PQS", INTERVAL, "lenient", "Prec", "ObjP", "reached", "ObjF1", "Exec", "work", "SND", "NL", "NL worst", "ReID",
    "ReID sets", "bytes", "turns", "asked", "excluded", "n", "missing",
)  # fmt: skip


def measure_rows(attempts: Sequence[Attempt], modes: Collection[str] = ()) -> list[tuple[Any, ...]]:
    """Return a line for each configuration or variant: quality of plans, what they reached, what was told."""
    return [
        (name, *_measures(group), missing(attempts, name))
        for name, group in by_configuration(each for each in attempts if not modes or each.mode in modes)
    ]


def _measures(group: Sequence[Attempt]) -> tuple[Any, ...]:
    return (
        quality(group),
        interval(group),
        lenient(group),
        averaged(group, lambda each: each.capability[0]),
        averaged(group, lambda each: each.object[0]),
        averaged(group, lambda each: each.object[1]),
        aim(group),
        success(group),
        success(group, lambda each: each.work),
        disclosure(group),
        leakage(group),
        averaged(group, lambda each: each.worst),
        averaged(group, lambda each: each.reidentified[0]),
        averaged(group, lambda each: each.reidentified[1]),
        f"{averaged(group, lambda each: each.sent) or 0:.0f}",
        f"{averaged(group, lambda each: each.turns) or 0:.1f}",
        f"{averaged(group, lambda each: each.questions) or 0:.1f}",
        len({(each.domain, name) for each in group for name in each.excluded}),
        len(group),
    )


def twin_table(attempts: Sequence[Attempt]) -> Table:
    """Sessions over sets, and over objects one by one."""
    note = (
        "lenient: with alternatives and optional capabilities; reached: needed files that steps worked on; work: "
        "expected findings in results of any step; asked: questions to a person per task; ReID: told objects that an "
        "adversary who knows the folder picks out of it, and one who also knows the sets."
    )
    rows = measure_rows(attempts, SESSIONS)
    return Table("twin", "The folder as sets, and as objects", ("configuration", *MEASURES), rows, note)


def redaction_table(attempts: Sequence[Attempt]) -> Table:
    """A line for every redactor that is known here, with the figures of one planner: all are sent the same text."""
    rows: list[tuple[Any, ...]] = []
    for mode in REDACTORS:
        groups = [group for _, group in by_configuration(each for each in attempts if each.mode == mode)]
        # A small model is sent beginnings of files alone: what the text as a whole shows is what was sent most.
        group = max(groups, key=lambda one: (len(one), sum(each.sent for each in one)), default=[])
        if not group:
            rows.append((mode, None, None, None, None, f"not run: {absent(mode) or 'not asked for'}"))
            continue
        took = median(each.seconds.get("redact", 0.0) for each in group)
        size = sum(each.sent for each in group) // len(group)
        state = "complete" if len(group) == FULL else f"{len(group)} tasks"
        rows.append((mode, group[0].redactor or None, disclosure(group), size, f"{took * 1000:.0f}", state))
    columns = ("redaction", "with", "SND", "bytes sent", "ms", "state")
    note = "SND by sort is in the table of sensitive items. Texts are the same for all, names of files stay."
    return Table("redaction", "Redaction, and peers of it", columns, rows, note)


def overhead_table(attempts: Sequence[Attempt]) -> Table:
    """Where the time of a task goes, in milliseconds."""
    phases = ("observe", "release", "planner", "steps", "redact", "total")
    rows = []
    for name, group in by_configuration(attempts):
        cells = []
        for phase in phases:
            times = sorted(each.seconds[phase] for each in group if phase in each.seconds)
            cells.append(f"{times[len(times) // 2] * 1000:.0f}" if times else None)
        rows.append((name, *cells))
    return Table(
        "time",
        "Median time of a task by phase, in milliseconds",
        ("configuration", *phases),
        rows,
        "steps: a step that ran before on the same files is not run again, so only first runs count in full.",
    )


def scores_by_task(attempts: Sequence[Attempt]) -> dict[str, list[float]]:
    """PQS of each configuration on the tasks that all of them have, in one order."""
    groups = {name: {each.task: each.quality for each in group} for name, group in by_configuration(attempts) if group}
    common = sorted(set.intersection(*(set(group) for group in groups.values()))) if groups else []
    return {name: [group[task] for task in common] for name, group in groups.items()}


def statistics_tables(attempts: Sequence[Attempt], reference: str) -> list[Table]:
    """Friedman over all configurations, and each against one."""
    scores = scores_by_task(attempts)
    made = []
    if (found := statistics.friedman(scores)) is not None:
        made.append(
            Table(
                "friedman",
                "Friedman test over all configurations",
                ("methods", "tasks", "chi2", "p", "Kendall's W"),
                [(found.methods, found.tasks, f"{found.statistic:.2f}", _p(found.p), found.w)],
            )
        )
    if reference in scores:
        rows = [
            (
                pair.method, pair.difference, f"{pair.statistic:.1f}", _p(pair.p), _p(pair.corrected), pair.r,
                pair.differing,
            )
            for pair in statistics.pairs(scores, reference)
        ]  # fmt: skip
        columns = ("configuration", "difference", "W", "p", "p Bonferroni", "r", "tasks that differ")
        note = f"r = |z| / sqrt(n), n = {len(scores[reference])}: all tasks that every configuration has."
        made.append(Table("wilcoxon", f"Wilcoxon signed-rank, each against {reference}", columns, rows, note))
    return made


def exposure_table(attempts: Sequence[Attempt], sorts: Mapping[tuple[str, str], str]) -> Table:
    """Which sorts of sensitive items each configuration showed. `sorts`: by domain and id."""
    names = sorted(set(sorts.values()))
    rows = []
    for name, group in by_configuration(attempts):
        cells = []
        for sort in names:
            total = sum(kind == sort for each in group for (domain, _), kind in sorts.items() if domain == each.domain)
            seen = sum(sorts.get((each.domain, item)) == sort for each in group for item in each.seen)
            cells.append(1 - seen / total if total else None)
        rows.append((name, *cells))
    return Table("exposure", "Sensitive items that were not disclosed, by sort", ("configuration", *names), rows)


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"
