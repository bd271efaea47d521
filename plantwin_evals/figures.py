"""Figures in one style: readable when printed, safe for colour-blind readers, as SVG for the report."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from plantwin.errors import InputError
from plantwin_evals import paper, statistics
from plantwin_evals.attempts import Attempt, by_configuration
from plantwin_evals.metrics import mean
from plantwin_evals.reid import Row
from plantwin_evals.suite import DOMAINS
from plantwin_evals.tables import SHORT, disclosure, quality

COLOURS: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")
"""Okabe and Ito's palette."""
MARKS: Final = ("o", "s", "^", "D", "v", "P", "X", "*")
HATCHES: Final = ("", "//", "..", "xx", "\\\\", "--", "++", "oo")
"""A second sign beside colour, for print."""
_STYLE: Final[Any] = {
    "font.size": 10, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.alpha": 0.3,
    "axes.axisbelow": True, "figure.dpi": 100, "svg.fonttype": "none", "svg.hashsalt": "plantwin",
}  # fmt: skip


_metadata = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)


def scatter(attempts: Sequence[Attempt]) -> str:
    """Privacy against utility: SND over PQS, with standard deviations over tasks."""
    figure, axes = _axes(7, 4.5)
    for number, (name, group) in enumerate(by_configuration(attempts)):
        qualities = [each.quality for each in group]
        spread = statistics.deviation([each.non_disclosure for each in group])
        axes.errorbar(
            mean(qualities), disclosure(group) or 0.0, xerr=statistics.deviation(qualities), yerr=spread,
            fmt=MARKS[number % len(MARKS)], color=COLOURS[number % len(COLOURS)], markersize=8, capsize=2,
            elinewidth=0.7, label=name,
        )  # fmt: skip
    axes.set(
        xlabel="plan quality (PQS)", ylabel="sensitive items not disclosed (SND)", xlim=(0, 1.05), ylim=(-0.05, 1.08)
    )
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return _svg(figure)


def domains(attempts: Sequence[Attempt]) -> str:
    """PQS by domain, one group of bars per domain."""
    figure, axes = _axes(9, 3.6)
    groups = list(by_configuration(attempts))
    width = 0.8 / max(1, len(groups))
    for number, (name, group) in enumerate(groups):
        heights = [quality([each for each in group if each.domain == domain]) or 0.0 for domain in DOMAINS]
        places = [at + number * width - 0.4 + width / 2 for at in range(len(DOMAINS))]
        axes.bar(
            places, heights, width, label=name, color=COLOURS[number % len(COLOURS)],
            hatch=HATCHES[number % len(HATCHES)], edgecolor="white", linewidth=0.3,
        )  # fmt: skip
    axes.set_xticks(range(len(DOMAINS)), [SHORT[domain] for domain in DOMAINS])
    axes.set(ylabel="PQS", ylim=(0, 1.05))
    axes.legend(fontsize=8, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.1))
    return _svg(figure)


def study(attempts: Sequence[Attempt], label: str, beside: Mapping[str, float] | None = None) -> str:
    """PQS, object F1 and NL of each variant, with the paper's PQS where it states one."""
    figure, axes = _axes(7, 3.4)
    groups = list(by_configuration(attempts))
    names = [name for name, _ in groups]
    lines = {
        "PQS": [quality(group) or 0.0 for _, group in groups],
        "object F1": [mean(each.aim for each in group) for _, group in groups],
        "NL": [mean(each.leakage for each in group) for _, group in groups],
        "SND": [disclosure(group) or 0.0 for _, group in groups],
    }
    for number, (title, values) in enumerate(lines.items()):
        axes.plot(range(len(names)), values, marker=MARKS[number], color=COLOURS[number], label=title)
    spread = [statistics.deviation([each.quality for each in group]) for _, group in groups]
    low = [max(0.0, value - each) for value, each in zip(lines["PQS"], spread, strict=True)]
    high = [min(1.0, value + each) for value, each in zip(lines["PQS"], spread, strict=True)]
    axes.fill_between(range(len(names)), low, high, color=COLOURS[0], alpha=0.12, linewidth=0)
    if beside:
        known = [(at, beside[name]) for at, name in enumerate(names) if name in beside]
        axes.plot(*zip(*known, strict=True), marker="x", linestyle="--", color=COLOURS[7], label="PQS (paper)")
    axes.set_xticks(range(len(names)), names)
    axes.set(xlabel=label, ylim=(0, 1.05))
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return _svg(figure)


def strategies(rows: Sequence[Row]) -> str:
    """Re-identification at one pool size, by strategy and by what was told."""
    trees = list(dict.fromkeys(row.tree for row in rows))
    figure, many = _axes(4.2 * len(trees), 3.6, columns=len(trees))
    for axes, tree in zip(many if len(trees) > 1 else [many], trees, strict=True):
        known = ("everything", "described", "session", "anyone")
        names = ("random", "kind", "kind+class", "full")
        width = 0.8 / len(known)
        for number, knowledge in enumerate(known):
            found = {row.strategy: row.result for row in rows if row.tree == tree and row.knowledge == knowledge}
            axes.bar(
                [at + number * width - 0.3 for at in range(len(names))],
                [found[name].accuracy if name in found else 0.0 for name in names], width, label=knowledge,
                yerr=[found[name].deviation if name in found else 0.0 for name in names], error_kw={"elinewidth": 0.6},
                color=COLOURS[number], hatch=HATCHES[number], edgecolor="white", linewidth=0.3,
            )  # fmt: skip
        axes.axhline(1 / 15, linestyle="--", color=COLOURS[7], linewidth=0.8)
        axes.set_xticks(range(len(names)), names, fontsize=8)
        axes.set(title=tree, ylim=(0, 1.05), ylabel="accuracy, k = 15")
        axes.legend(fontsize=7)
    return _svg(figure)


def scaling(rows: Sequence[Row]) -> str:
    """Accuracy against the size of the pool."""
    trees = list(dict.fromkeys(row.tree for row in rows))
    figure, many = _axes(4.2 * len(trees), 3.4, columns=len(trees))
    for axes, tree in zip(many if len(trees) > 1 else [many], trees, strict=True):
        for number, strategy in enumerate(("random", "kind", "kind+class", "full")):
            for knowledge, line in (("everything", "-"), ("session", "--")):
                found = [
                    each for each in rows if (each.tree, each.strategy, each.knowledge) == (tree, strategy, knowledge)
                ]
                if not found:
                    continue
                pools = [each.pool for each in found]
                values = [each.result.accuracy for each in found]
                axes.plot(
                    pools, values, line, marker=MARKS[number], color=COLOURS[number], markersize=4,
                    label=f"{strategy}, {knowledge}",
                )  # fmt: skip
        axes.set(title=tree, xlabel="files to choose from (k)", ylabel="accuracy", ylim=(0, 1.05))
        axes.legend(fontsize=6)
    return _svg(figure)


def depletion(attempts: Sequence[Attempt]) -> str:
    """Multi-turn: PQS and NL of the first to the sixth task on one ledger."""
    figure, axes = _axes(6, 3.2)
    for number, (name, group) in enumerate(by_configuration(attempts)):
        turns = sorted({int(each.task.rpartition("-")[2]) for each in group})
        by_turn = [[each for each in group if each.task.endswith(f"-{turn}")] for turn in turns]
        lines = {
            "PQS": ("-", [mean(each.quality for each in some) for some in by_turn]),
            "NL": ("--", [mean(each.leakage for each in some) for some in by_turn]),
        }
        for title, (line, means) in lines.items():
            axes.plot(turns, means, line, marker=MARKS[number], color=COLOURS[number], label=f"{title}, {name}")
    axes.set(xlabel="task on the same workspace", ylim=(0, 1.05))
    axes.legend(fontsize=8)
    return _svg(figure)


PAPER_BUDGET: Final = {f"{scale:g}": pqs for scale, (pqs, _) in paper.BUDGET.items()}


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
