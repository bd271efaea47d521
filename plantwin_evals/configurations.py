"""What is compared: every combination of who plans and what is shown, and studies that vary one thing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import msgspec

from plantwin.config.settings import Settings
from plantwin_evals import paper
from plantwin_evals.planners import PLANNING_SECONDS
from plantwin_evals.variants import VARIANTS
from plantwin_evals.workspace import APPROVERS

MANY: Final = 1_000_000
SCALES: Final = (0.25, 0.5, 0.75, 1.0, 1.5)
SHOWN: Final = (5, 10, 20, 40, 80)
SMALLEST: Final = (2, 3, 5, 10)
SETS: Final = (3, 6, 12, 24, 48)
CATALOGS: Final = ("coarse", "orchestration", "fine")
GOALS: Final = ("intent", "lexicon", "verbatim")


class Configuration(NamedTuple):
    """One way to plan all tasks. Everything in it is plain, so that another process can be told."""

    name: str
    planner: str
    mode: str
    study: str = "main"
    scale: float = 1.0
    shown: int = 40
    k: int = 5
    sets: int = 24
    catalog: str = "orchestration"
    goal: str = "lexicon"
    variant: str = "full"
    approver: str = "all"
    fixed_thresholds: bool = False
    """Whether every object has the smallest threshold, whatever its sensitivity."""
    effort: str | None = None
    seconds: float = PLANNING_SECONDS
    """For a turn of a planner."""
    shared: bool = False
    """Whether all tasks of all domains go over one ledger, again and again until nothing more is told."""

    def unnamed(self) -> Configuration:
        """What is tried, whatever a study calls it."""
        return self._replace(name="", study="")

    def settings(self) -> Settings:
        """As shipped, but for what is studied. Hourly limits are lifted: they bound a day, not a plan."""
        shipped: Any = Settings()
        replace = msgspec.structs.replace
        budget = replace(shipped.budget, scale=self.scale, ration_local=True)
        if self.fixed_thresholds:
            levels = budget.thresholds.sensitivity
            least = min(getattr(levels, level) for level in levels.__struct_fields__)
            same = replace(levels, **dict.fromkeys(levels.__struct_fields__, least))
            budget = replace(budget, thresholds=replace(budget.thresholds, sensitivity=same))
        made: Settings = replace(
            shipped,
            # Planners on this machine stand for remote ones here, so budgets refuse.
            budget=budget,
            limits=replace(
                shipped.limits,
                max_objects=self.shown,
                max_sets=self.sets,
                turns_per_hour=MANY,
                fields_per_hour=MANY,
                refusals_per_hour=MANY,
                planner_seconds=self.seconds,
            ),
            twin=replace(shipped.twin, mode="objects" if self.mode == "objects" else "sets"),
            privacy=replace(shipped.privacy, k=self.k),
            session=replace(shipped.session, catalog=self.catalog),
            goal=replace(shipped.goal, mode=self.goal),
        )
        return made


def main(planners: Iterable[str], modes: Iterable[str]) -> list[Configuration]:
    """Every planner in every mode."""
    wanted = list(modes)
    return [Configuration(f"{mode} + {planner}", planner, mode) for planner in planners for mode in wanted]


def of_paper() -> list[Configuration]:
    """The paper's nineteen. Its twin lists objects one by one."""
    return [
        Configuration(f"{mode} + {row.planner}", row.planner, mode)
        for row in paper.ROWS
        for mode in ["objects" if row.mode == "twin" else row.mode]
    ]


def approval(planner: str) -> list[Configuration]:
    """Who is asked where the policy leaves a step to a person."""
    return [Configuration(approver, planner, "twin", "approval", approver=approver) for approver in APPROVERS]


def ablation(planner: str) -> list[Configuration]:
    """Stages of the projection skipped, at thresholds that do not depend on what a stage says; objects, as there."""
    return [
        Configuration(variant, planner, "objects", "ablation", variant=variant, fixed_thresholds=True)
        for variant in VARIANTS
    ]


def budget(planner: str) -> list[Configuration]:
    """Thresholds times a factor."""
    return [Configuration(f"{scale:g}", planner, "twin", "budget", scale=scale) for scale in SCALES]


def multiturn(planner: str) -> list[Configuration]:
    """Fresh budgets for each task, and one ledger for all; then also with a planner that only asks for more."""
    return [
        Configuration(f"{mode}, {name}", who, mode, "multiturn", shared=name != "fresh")
        for mode in ("objects", "twin")
        for name, who in (("fresh", planner), ("one ledger", planner), ("one ledger, greedy", "greedy"))
    ]


def granularity(planner: str) -> list[Configuration]:
    """Three catalogs."""
    return [Configuration(each, planner, "twin", "granularity", catalog=each) for each in CATALOGS]


def goals(planner: str) -> list[Configuration]:
    """What of the sentence crosses."""
    return [Configuration(each, planner, "twin", "goals", goal=each) for each in GOALS]


def shown(planner: str) -> list[Configuration]:
    """How many objects are listed one by one."""
    return [Configuration(str(each), planner, "objects", "shown", shown=each) for each in SHOWN]


def smallest(planner: str) -> list[Configuration]:
    """How many members a set has at least."""
    return [Configuration(str(each), planner, "twin", "smallest", k=each) for each in SMALLEST]


def sets(planner: str) -> list[Configuration]:
    """How many sets are told at first."""
    return [Configuration(str(each), planner, "twin", "sets", sets=each) for each in SETS]


STUDIES: Final = {
    "approval": approval,
    "ablation": ablation,
    "budget": budget,
    "multiturn": multiturn,
    "granularity": granularity,
    "goals": goals,
    "shown": shown,
    "smallest": smallest,
    "sets": sets,
}
"""Studies of one planner's attempts, by name."""
