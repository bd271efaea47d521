"""What sessions cost, as tables: by phase beside a peer, and in the form of the paper's table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import mean, median
from typing import Any, Final, NamedTuple

from plantwin_evals import paper
from plantwin_evals.overhead import Sample
from plantwin_evals.suite import DOMAINS
from plantwin_evals.tables import SHORT, Table


class Phase(NamedTuple):
    """A line of the table."""

    name: str
    per: str
    peer: str = ""
    paper: str | None = None


_RANGE: Final = "{:g} to {:g} s"


def _paper(values: Iterable[float | None]) -> str:
    known = [each for each in values if each is not None]
    return _RANGE.format(min(known), max(known))


_TWIN: Final = [row for row in paper.ROWS if row.mode == "twin" and row.planner != "heuristic"]
PHASES: Final = (
    Phase(
        "observe, first time", "folder", "reading every file",
        f"{_paper(paper.OVERHEAD[row.name].projection for row in _TWIN)} with a model, <1 ms with rules",
    ),
    Phase("observe, again", "folder", "every file's date"),
    Phase("project", "task", "", "<1 ms"),
    Phase("release", "task"),
    Phase("encode", "task", "json.dumps"),
    Phase("planner", "task", "", f"{_paper(paper.OVERHEAD[row.name].planner for row in _TWIN)} in a cloud"),
    Phase("decide", "step", "", "<1 ms"),
    Phase("ledger", "writing", "bare transaction"),
    Phase("step", "step", "direct call"),
    Phase("report", "task"),
    Phase("render", "task"),
    Phase("total", "task", "", f"{_paper(row.seconds for row in _TWIN)} (medians)"),
    Phase("redact, without a twin", "folder", "", "<0.1 s"),
)  # fmt: skip
"""In the order of a session; the last is what a tool without a twin does instead."""
NOTE: Final = (
    "Medians over the tasks of a workspace; then the median, the least and the most of the workspaces. Time inside the "
    "ledger counts for the ledger alone. encode is a part of release. ratio: ours over the peer, in the same run."
)
PAPER_NOTE: Final = (
    "Seconds; projection, planner and domains are means. Here a domain's figure is a whole session with every step "
    "carried out; the paper's is projection and planner. Its <0.1 stands as 0.1. Other machines, other tasks."
)


def phase_table(samples: Sequence[Sample]) -> Table:
    """Milliseconds by phase, over workspaces, beside a peer and the paper's figure."""
    rows: list[tuple[Any, ...]] = []
    for phase in PHASES:
        places = _by_domain(each for each in samples if each.phase == phase.name)
        if not places:
            continue
        times = {name: median(each.seconds for each in group) for name, group in places.items()}
        peers = {
            name: median(known)
            for name, group in places.items()
            if (known := [each.peer for each in group if each.peer is not None])
        }
        ratio = f"{median(times[name] / other for name, other in peers.items()):.1f}" if peers else None
        spread = (median(times.values()), min(times.values()), max(times.values()))
        rows.append(
            (
                phase.name, phase.per, *map(_milliseconds, spread), phase.peer if peers else None,
                _milliseconds(median(peers.values())) if peers else None, ratio, phase.paper,
            )
        )  # fmt: skip
    columns = ("phase", "per", "median", "least", "most", "peer", "peer's median", "ratio", "paper")
    return Table("overhead", "What a session costs by phase, in milliseconds", columns, rows, NOTE)


def latency_table(samples: Sequence[Sample]) -> Table:
    """The paper's table of overhead, with a line of ours for each planner that was measured."""
    rows: list[tuple[Any, ...]] = []
    for planner in dict.fromkeys(each.planner for each in samples):
        own = [each for each in samples if each.planner == planner]
        totals = [each for each in own if each.phase == "total"]
        by_domain = {name: mean(each.seconds for each in group) for name, group in _by_domain(totals).items()}
        rows.append(
            (
                f"twin + {planner}, here", _mean(own, "projection"), _mean(own, "planner"),
                *(by_domain.get(name) for name in DOMAINS), median(each.seconds for each in totals),
            )
        )  # fmt: skip
    for row in paper.ROWS:
        held = paper.OVERHEAD[row.name]
        rows.append((f"{row.name}, paper", held.projection, held.planner, *held.domains, row.seconds))
    columns = ("configuration", "projection", "planner", *(SHORT.get(name, name) for name in DOMAINS), "median")
    return Table("latency", "Latency of a task, in the form of the paper's table", columns, rows, PAPER_NOTE)


def _by_domain(samples: Iterable[Sample]) -> dict[str, list[Sample]]:
    groups: dict[str, list[Sample]] = {}
    for each in samples:
        groups.setdefault(each.domain, []).append(each)
    return groups


def _mean(samples: Iterable[Sample], phase: str) -> float | None:
    found = [each.seconds for each in samples if each.phase == phase]
    return mean(found) if found else None


def _milliseconds(seconds: float) -> str:
    value = seconds * 1000
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"
