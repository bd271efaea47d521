"""Figures in one style: readable when printed, safe for colour-blind readers, as SVG for the report."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from plantwin.errors import InputError
from plantwin_evals import paper, statistics
from plantwin_evals.attempts import Attempt, by_configuration
from plantwin_evals.metrics import mean
from plantwin_evals.reid import Row
from plantwin_evals.reidentification import Result
from plantwin_evals.tables import SESSIONS, SHORT, aim, disclosure, leakage, quality, success, tried

COLOURS: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")
"""Okabe and Ito's palette."""
MARKS: Final = ("o", "s", "^", "D", "v", "P", "X", "*")
HATCHES: Final = ("", "//", "\\\\", "xx", "--", "++", "||", "/")
"""A second sign beside colour, for print."""
_STYLE: Final[Any] = {
    "font.size": 10, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.alpha": 0.3,
    "axes.axisbelow": True, "figure.dpi": 100, "font.sans-serif": ["DejaVu Sans"],
    "svg.fonttype": "none", "svg.hashsalt": "plantwin",
}  # fmt: skip


_metadata = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)


def second(number: int) -> int:
    """Which second sign goes with a colour: other ones when colours begin anew, as with the paper's nineteen."""
    return (number + number // len(COLOURS)) % len(MARKS)


def scatter(attempts: Sequence[Attempt]) -> str:
    """Privacy against utility: SND over PQS, with the intervals of both over tasks."""
    figure, axes = _axes(7, 4.5)
    for number, (name, group) in enumerate(by_configuration(attempts)):
        if (kept := disclosure(group)) is None:
            continue
        across = statistics.interval([each.quality for each in group])
        up = statistics.interval([each.non_disclosure for each in group])
        axes.errorbar(
            across.mean, kept, xerr=_sides(across.mean, across), yerr=_sides(kept, up),
            fmt=MARKS[second(number)], color=COLOURS[number % len(COLOURS)], markersize=8, capsize=2,
            elinewidth=0.7, label=name,
        )  # fmt: skip
    axes.set(
        xlabel="plan quality (PQS) with 95 % intervals",
        ylabel="sensitive items not disclosed (SND)",
        xlim=(0, 1.05),
        ylim=(-0.05, 1.08),
    )
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return _svg(figure)


def _sides(value: float, found: statistics.Interval) -> list[list[float]]:
    """How far an interval reaches below and above a value."""
    return [[max(0.0, value - found.low)], [max(0.0, found.high - value)]]


def domains(attempts: Sequence[Attempt]) -> str:
    """PQS by domain, one group of bars per domain."""
    figure, axes = _axes(9, 3.6)
    groups = [(label, group) for label, group in by_configuration(attempts) if group]
    width, names = 0.8 / max(1, len(groups)), tried(attempts)
    for number, (label, group) in enumerate(groups):
        heights = [mean(each.quality for each in group if each.domain == name) for name in tried(group)]
        places = [names.index(name) + number * width - 0.4 + width / 2 for name in tried(group)]
        axes.bar(
            places, heights, width, label=label, color=COLOURS[number % len(COLOURS)],
            hatch=HATCHES[second(number)], edgecolor="white", linewidth=0.3,
        )  # fmt: skip
    axes.set_xticks(range(len(names)), [SHORT.get(name, name) for name in names])
    axes.set(ylabel="PQS", ylim=(0, 1.05))
    axes.legend(fontsize=8, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.1))
    return _svg(figure)


class Series(NamedTuple):
    """One line or row of bars: what is measured at each place, and from where to where it varies."""

    name: str
    at: Sequence[float]
    values: Sequence[float]
    band: Sequence[tuple[float, float]] = ()


def study_series(attempts: Sequence[Attempt], beside: Mapping[str, float] | None = None) -> list[Series]:
    """PQS (work, where catalogs differ), object F1, NL and SND of each variant, and the paper's PQS if it has one.

    What was not measured is left out.
    """
    groups = _variants(attempts)
    catalogs = any(each.study == "granularity" for each in attempts)
    found: dict[str, Callable[[Sequence[Attempt]], float | None]] = {
        **({"work": lambda group: success(group, lambda each: each.work)} if catalogs else {"PQS": quality}),
        "object F1": aim,
        "NL": leakage,
        "SND": disclosure,
    }
    made = []
    for name, value in found.items():
        known = [(at, group, one) for at, group in groups.values() if (one := value(group)) is not None]
        band = [statistics.interval([each.quality for each in group])[1:] for _, group, _ in known if name == "PQS"]
        made.append(Series(name, [at for at, *_ in known], [one for *_, one in known], band))
    paper = [(at, beside[name]) for name, (at, _) in groups.items() if beside and name in beside]
    made.append(Series("PQS (paper)", [at for at, _ in paper], [one for _, one in paper]))
    return [series for series in made if series.values]


def _variants(attempts: Sequence[Attempt]) -> dict[str, tuple[float, list[Attempt]]]:
    """Place and attempts of each variant: numbers stand where they belong, words beside one another."""
    groups = {name: group for name, group in by_configuration(attempts) if group}
    try:
        return {name: (float(name), group) for name, group in groups.items()}
    except ValueError:
        return {name: (float(place), group) for place, (name, group) in enumerate(groups.items())}


def study(attempts: Sequence[Attempt], label: str, beside: Mapping[str, float] | None = None) -> str:
    """Draw a study: one place for each variant."""
    figure, axes = _axes(7, 3.4)
    for number, series in enumerate(study_series(attempts, beside)):
        line = "--" if "paper" in series.name else "-"
        _line(axes, series, number, line)
    groups = _variants(attempts)
    axes.set_xticks([at for at, _ in groups.values()], list(groups))
    axes.set(xlabel=f"{label} (shaded: the 95 % interval of PQS)", ylim=(0, 1.05))
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return _svg(figure)


def strategy_series(rows: Sequence[Row]) -> list[Series]:
    """Accuracy of one tree's rows by what was told; a bar for each strategy that was played, and none for others."""
    names = _strategies(rows)
    made = []
    for told in dict.fromkeys(row.knowledge for row in rows):
        found = {row.strategy: row.result for row in rows if row.knowledge == told}
        at = [place for place, name in enumerate(names) if name in found]
        results = [found[names[place]] for place in at]
        made.append(Series(told, at, [one.accuracy for one in results], [_around(one) for one in results]))
    return made


def _around(result: Result) -> tuple[float, float]:
    """One standard deviation to both sides."""
    return max(0.0, result.accuracy - result.deviation), min(1.0, result.accuracy + result.deviation)


def _strategies(rows: Sequence[Row]) -> list[str]:
    known = ("random", "kind", "kind+class", "full", "full+sets")
    played = {row.strategy for row in rows}
    return [name for name in known if name in played]


def strategies(rows: Sequence[Row]) -> str:
    """Draw re-identification at one pool size, by strategy and by what was told."""
    trees = list(dict.fromkeys(row.label for row in rows))
    figure, many = _axes(4.2 * len(trees), 3.6, columns=len(trees))
    for axes, tree in zip(many if len(trees) > 1 else [many], trees, strict=True):
        here = [row for row in rows if row.label == tree]
        made, names = strategy_series(here), _strategies(here)
        width = 0.8 / len(made)
        for number, series in enumerate(made):
            axes.bar(
                [place + number * width - 0.3 for place in series.at], series.values, width, label=series.name,
                yerr=[[abs(edge - value) for value, edge in zip(series.values, side, strict=True)]
                      for side in zip(*series.band, strict=True)],
                error_kw={"elinewidth": 0.6}, color=COLOURS[number], hatch=HATCHES[number],
                edgecolor="white", linewidth=0.3,
            )  # fmt: skip
        axes.axhline(1 / 15, linestyle="--", color=COLOURS[7], linewidth=0.8)
        axes.set_xticks(range(len(names)), names, fontsize=8)
        axes.set(title=tree, ylim=(0, 1.05), ylabel="accuracy, k = 15")
        axes.legend(fontsize=7)
    return _svg(figure)


def scaling_series(rows: Sequence[Row]) -> list[Series]:
    """Accuracy of one tree's rows against the size of the pool, from the smallest to the largest."""
    groups: dict[tuple[str, str], dict[int, Any]] = {}
    for row in rows:
        groups.setdefault((row.strategy, row.knowledge), {})[row.pool] = row.result
    made = []
    for (strategy, told), found in groups.items():
        if len(found) > 1:
            pools = sorted(found)
            results = [found[pool] for pool in pools]
            band = [_around(one) for one in results]
            made.append(Series(f"{strategy}, {told}", pools, [one.accuracy for one in results], band))
    return made


def scaling(rows: Sequence[Row]) -> str:
    """Draw accuracy against the size of the pool."""
    trees = list(dict.fromkeys(row.label for row in rows))
    figure, many = _axes(4.2 * len(trees), 3.4, columns=len(trees))
    for axes, tree in zip(many if len(trees) > 1 else [many], trees, strict=True):
        made = scaling_series([row for row in rows if row.label == tree])
        colours = list(dict.fromkeys(series.name.partition(",")[0] for series in made))
        for series in made:
            strategy, _, told = series.name.partition(", ")
            _line(axes, series, colours.index(strategy), "-" if told == "everything" else "--")
        axes.set(title=tree, xlabel="files to choose from (k)", ylabel="accuracy", ylim=(0, 1.05))
        axes.legend(fontsize=6)
    return _svg(figure)


def depletion_series(attempts: Sequence[Attempt], mode: str) -> list[Series]:
    """Multi-turn: NL over the objects of all domains after each task in sequence, by planner; PQS of all so far."""
    made: list[Series] = []
    for way in ("one ledger", "one ledger, greedy"):
        shared = [each for each in attempts if each.configuration == f"{mode}, {way}" and not each.failed]
        order = tried(shared)
        shared.sort(key=lambda each: (each.round, order.index(each.domain), each.task))
        last: dict[str, float] = {each.domain: 0.0 for each in shared}
        told = []
        for each in shared:
            last[each.domain] = each.leakage
            told.append(mean(last.values()))
        at = range(1, len(shared) + 1)
        if shared:
            made.append(Series("NL" if way == "one ledger" else "NL, greedy planner", at, told))
        if way == "one ledger" and shared:
            qualities = [each.quality for each in shared]
            made.append(Series("PQS, mean so far", at, [mean(qualities[:place]) for place in at]))
    return made


def depletion(attempts: Sequence[Attempt]) -> str:
    """Draw what a sequence of tasks on one ledger leaves, for sets and for objects."""
    figure, many = _axes(9, 3.2, columns=len(SESSIONS))
    for axes, mode in zip(many, SESSIONS, strict=True):
        made = depletion_series(attempts, mode)
        for number, series in enumerate(made):
            _line(axes, series, number, "-", mark=False)
        axes.set(title=mode, xlabel="task in sequence", ylim=(0, 1.05))
        if made:
            axes.legend(fontsize=7)
    return _svg(figure)


def _line(axes: Any, series: Series, number: int, line: str, mark: bool = True) -> None:
    """Draw a series, shaded by how far it varies."""
    colour = COLOURS[number % len(COLOURS)]
    marker = MARKS[second(number)] if mark else None
    axes.plot(series.at, series.values, line, marker=marker, markersize=4, color=colour, label=series.name)
    if series.band:
        low, high = zip(*series.band, strict=True)
        axes.fill_between(series.at, low, high, color=colour, alpha=0.12, linewidth=0)


PAPER_BUDGET: Final = {f"{scale:g}": pqs for scale, (pqs, _) in paper.BUDGET.items()}


def lines(labels: Sequence[str], values: Mapping[str, Sequence[float]], title: str, log: bool = False) -> str:
    """A line for each of these, over labels."""
    figure, axes = _axes(9, 4)
    for number, (name, found) in enumerate(values.items()):
        mark, colour = MARKS[second(number)], COLOURS[number % len(COLOURS)]
        axes.plot(range(len(labels)), found, marker=mark, color=colour, markersize=4, label=name)
    axes.set_xticks(range(len(labels)), labels, rotation=60, ha="right", fontsize=7)
    axes.set(ylabel=title, **({"yscale": "log"} if log else {}))
    axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return _svg(figure)


def _axes(width: float, height: float, columns: int = 1) -> Any:
    try:
        import matplotlib as mpl

        mpl.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        raise InputError('figures need matplotlib: install it with `pip install "plantwin[evals]"`') from None
    mpl.rcParams.update(_STYLE)
    return pyplot.subplots(1, columns, figsize=(width, height))


def _svg(figure: Any) -> str:
    from matplotlib import pyplot

    out = io.StringIO()
    figure.savefig(out, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    text = out.getvalue()
    # What the library says about the picture names addresses elsewhere; the page holds none.
    return _metadata.sub("", text[text.index("<svg") :])
