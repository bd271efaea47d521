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
SMALLEST: Final = (2, 3, 5, 10)
LARGER: Final = (6, 8, 10)
"""Groups beyond the default: where the curve of quality against re-identification falls off."""
CATALOGS: Final = ("coarse", "orchestration", "fine")
ACCOUNTANTS: Final = ("weighted", "calibrated", "entropy", "k-anonymity", "differential")
GOALS: Final = ("intent", "lexicon", "verbatim")


class Configuration(NamedTuple):
    """One way to plan all tasks. Everything in it is plain, so that another process can be told."""

    name: str
    planner: str
    mode: str
    study: str = "main"
    accountant: str = ""
    """Who sets prices. If empty, as shipped over sets, and the paper's weights over objects and where all is sent."""
    scale: float = 1.0
    k: int = 5
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
    tasks: int | None = None
    """Of each domain at most, where it is fewer than of the others."""

    def unnamed(self) -> Configuration:
        """What is tried, whatever a study calls it."""
        return self._replace(name="", study="")

    def settings(self) -> Settings:
        """As shipped, but for what is studied. Hourly limits are lifted: they bound a day, not a plan."""
        shipped: Any = Settings()
        replace = msgspec.structs.replace
        who = self.accountant or (shipped.budget.accountant if self.mode == "twin" else "weighted")
        budget = replace(shipped.budget, accountant=who, scale=self.scale, ration_local=True)
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
    """Every planner in every mode, but for `local` without objects: its answers are bound to those it is shown."""
    wanted = list(modes)
    return [
        Configuration(f"{mode} + {planner}", planner, mode)
        for planner in planners
        for mode in wanted
        if (planner, mode) != ("local", "goal-only")
    ]


def of_paper() -> list[Configuration]:
    """The paper's nineteen. Its twin lists objects one by one."""
    return [
        Configuration(f"{mode} + {row.planner}", row.planner, mode)
        for row in paper.ROWS
        for mode in ["objects" if row.mode == "twin" else row.mode]
    ]


STUDIES: Final[dict[str, dict[str, dict[str, Any]]]] = {
    "approval": {each: {"approver": each} for each in APPROVERS},
    # As in the paper, objects one by one; thresholds do not depend on what a stage says.
    "ablation": {each: {"mode": "objects", "variant": each, "fixed_thresholds": True} for each in VARIANTS},
    # The paper's weights: k-anonymity withholds by who is alike, and from half of its thresholds on they bind nothing.
    "budget": {f"{each:g}": {"accountant": "weighted", "scale": each} for each in SCALES},
    "privacy": {
        f"{name} {scale:g}": {"accountant": name, "scale": scale}
        for name in ACCOUNTANTS
        for scale in ((0.75, 1.0) if name in ("weighted", "k-anonymity") else (1.0,))
    }
    | {f"k-anonymity 1, k = {k}": {"accountant": "k-anonymity", "k": k} for k in LARGER},
    "multiturn": {
        f"{mode}, {name}": {"mode": mode, "shared": name != "fresh", **who}
        for mode in ("objects", "twin")
        for name, who in (("fresh", {}), ("one ledger", {}), ("one ledger, greedy", {"planner": "greedy"}))
    },
    "granularity": {each: {"catalog": each} for each in CATALOGS},
    "goals": {each: {"goal": each} for each in GOALS},
    "smallest": {str(each): {"k": each} for each in SMALLEST},
}
"""What each study varies: the name of a variant, and how it differs from a session as shipped."""


def study(name: str, planner: str) -> list[Configuration]:
    """The configurations of one study."""
    return [
        Configuration(**{"name": variant, "planner": planner, "mode": "twin", "study": name, **changes})
        for variant, changes in STUDIES[name].items()
    ]
