"""What one session did, for the person: everything sent, planned, decided, found and spent. Local only."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plantwin.boundary.release import Released
    from plantwin.types.plan import Plan
    from plantwin.types.verdict import Admission, Verdict


class Ending(StrEnum):
    """How a session ended."""

    DONE = "done"
    STOPPED = "stopped"
    """A watcher wanted no more."""
    PLANNER = "planner"
    """The planner hung, died, flooded or answered nonsense."""
    GATE = "gate"
    """A gate failed closed."""
    INTERRUPTED = "interrupted"


@dataclass(repr=False)
class Turn:
    """One plan and what became of its steps."""

    plan: Plan
    admission: Admission
    _verdicts: dict[int, Verdict] = field(default_factory=dict)
    seconds: dict[int, float] = field(default_factory=dict)

    def decided(self, position: int, verdict: Verdict, seconds: float) -> None:
        """Keep what became of a step."""
        self._verdicts[position] = verdict
        self.seconds[position] = seconds

    def verdict(self, position: int) -> Verdict | None:
        """What became of the step at this position; None when it was not reached."""
        return self._verdicts.get(position)

    @property
    def reached(self) -> dict[int, Verdict]:
        """What became of the steps that were reached, by position."""
        return dict(self._verdicts)

    @property
    def verdicts(self) -> list[Verdict]:
        """In the order of the plan, once every step is decided."""
        return [self._verdicts[position] for position in sorted(self._verdicts)]

    def superseded(self, position: int) -> bool:
        """Whether a list found nothing to list in the question's words, and passages were found in its place."""
        from plantwin.types.verdict import Allowed
        from plantwin.vocabulary import CapabilityName, StepStatus

        states = {
            self.plan.steps[place].capability: verdict.outcome.status
            for place, verdict in self._verdicts.items()
            if isinstance(verdict, Allowed)
        }
        found = states.get(CapabilityName.FIND_CODE) in (StepStatus.DONE, StepStatus.PARTIAL)
        listing = self.plan.steps[position].capability == CapabilityName.LIST_INVENTORY
        return found and listing and states.get(CapabilityName.LIST_INVENTORY) is StepStatus.FAILED


@dataclass(repr=False)
class Spending:
    """What one object has cost with this audience."""

    path: str
    part: str
    object_id: str
    before: int
    spent: int
    threshold: int
    told: tuple[str, ...]
    """Units told in this session."""
    withheld: tuple[str, ...]
    in_sets: int = 0
    """What was told of it as one of many, which the same threshold holds."""


@dataclass(repr=False)
class Run:
    """A session from beginning to end."""

    session: str
    goal: str
    planner: str
    audience: str
    locality: str = "local"
    read_as: str = ""
    """The goal in English and without misspellings, where it had to be read so."""
    root: Path | None = None
    started: float = field(default_factory=time.time)
    outbound: list[Released] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    names: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Path and part of every object that was shown, by id; of a set what it is and how many files it has."""
    members: dict[str, list[str]] = field(default_factory=dict)
    """Names of the first members of every set that was told of, by its id."""
    results: dict[tuple[int, str], Any] = field(default_factory=dict)
    """Full results, by turn (from 1) and step id."""
    errors: dict[tuple[int, str], str] = field(default_factory=dict)
    """Why a step that crashed did, where that is known."""
    spending: list[Spending] = field(default_factory=list)
    set_spending: list[Spending] = field(default_factory=list)
    """What has been told of the members of each set, as some of many."""
    others: dict[str, str] = field(default_factory=dict)
    """Names of objects by the start of their ledger key, as units of edges name them."""
    excluded: list[str] = field(default_factory=list)
    """Paths of objects that were not shown because their budget is used up."""
    applicable: dict[str, int] = field(default_factory=dict)
    """How many files of the folder each capability that was carried out could be put to."""
    rationed: bool = True
    """Whether budgets refuse; what a planner that cannot send hears is only counted."""
    unplanned: list[str] = field(default_factory=list)
    """What the sets are that no step took."""
    denied: list[str] = field(default_factory=list)
    """Paths of objects that the policy keeps from this planner."""
    warnings: list[str] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)
    ending: Ending = Ending.DONE
    error: str = ""
    """Why it ended early, where it did."""
    report: Path | None = None
    full_report: Path | None = None
    """Every finding as JSON, written with the report."""
    documents: dict[tuple[int, str], list[Path]] = field(default_factory=dict)
    """Files that steps made, by turn and step id; written with the report."""
    parts: tuple[Run, ...] = ()
    """Each of its questions by itself, where several were asked."""

    def __repr__(self) -> str:
        return "<Run private>"

    def _repr_html_(self) -> str:
        """What a notebook shows its owner: steps with real names, what was found, and what was told."""
        from plantwin.text import table

        about = [("goal", self.goal), ("planner", self.planner), ("ended", self.error or str(self.ending))]
        about += [("warning", line) for line in self.warnings] + [("report", str(self.report or "not written"))]
        steps, found = [], []
        for number, turn in enumerate(self.turns, start=1):
            for position, step in enumerate(turn.plan.steps):
                verdict, result = turn.verdict(position), self.results.get((number, step.id))
                inputs = ", ".join(self.names.get(str(name), (str(name), ""))[0] for name in step.inputs)
                words: tuple[str, ...] = ("not reached", "", "")
                if verdict is not None:
                    told_of = verdict.outcome
                    words = (told_of.status, told_of.severity or "", told_of.count or "")
                steps.append((number, step.id, step.capability, inputs, *words))
                for finding in getattr(result, "findings", ()):
                    found.append((step.id, finding.severity, finding.name, finding.line or "", finding.message))
        told = [
            (spending.path, spending.spent / 1000, spending.threshold / 1000)
            for spending in (*self.spending, *self.set_spending)
        ]
        return "".join(
            (
                table("Session", ("", ""), about),
                table("Steps", ("turn", "step", "capability", "inputs", "status", "severity", "count"), steps),
                table("Findings", ("step", "severity", "file", "line", "what"), found),
                table("Told", ("of", "spent", "of at most"), told),
            )
        )

    @property
    def question(self) -> str:
        """What was asked, in English; nothing where one capability was called by its name, without words."""
        return self.read_as or (self.goal if self.planner else "")

    def begin(self, plan: Plan, admission: Admission) -> Turn:
        """A new plan came back."""
        turn = Turn(plan, admission)
        self.turns.append(turn)
        return turn

    def keep(self, step: str, result: Any, error: str) -> None:
        """Keep the full result of a step of the current plan, or why it has none."""
        if result is not None:
            self.results[len(self.turns), step] = result
        elif error:
            self.errors[len(self.turns), step] = error

    @contextmanager
    def timed(self, phase: str) -> Iterator[None]:
        """Add the time of a block to its phase."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.timings[phase] = self.timings.get(phase, 0.0) + time.perf_counter() - began

    @property
    def leakage(self) -> int:
        """L: the most that has been spent on one object, by itself or as one of a set, in thousandths."""
        return max((spending.spent for spending in (*self.spending, *self.set_spending)), default=0)

    @property
    def normalized(self) -> float:
        """NL over all objects and sets of the session: the share of their budgets that is used."""
        from plantwin.types.prices import normalized_leakage

        told = (*self.spending, *self.set_spending)
        return (
            normalized_leakage(sum(spent.spent for spent in told), sum(spent.threshold for spent in told))
            if told
            else 0
        )

    @property
    def undone(self) -> bool:
        """Whether a step was refused or failed that the person did not take out themselves."""
        from plantwin.types.verdict import Code, Denied
        from plantwin.vocabulary import StepStatus

        own = (Code.APPROVAL_DENIED, Code.DESELECTED)
        for turn in self.turns:
            for place, verdict in sorted(turn.reached.items()):
                if isinstance(verdict, Denied):
                    if verdict.code not in own:
                        return True
                elif verdict.failure is not None or (
                    verdict.outcome.status is StepStatus.FAILED and not turn.superseded(place)
                ):
                    return True
        return False


def joined(goal: str, parts: Sequence[Run]) -> Run:
    """Put the sessions of several questions together as one; its turns are theirs, in order."""
    first, last = parts[0], parts[-1]
    made = Run(first.session, goal, first.planner, first.audience, first.locality, root=first.root, parts=tuple(parts))
    made.started, made.ending, made.error, made.rationed = first.started, last.ending, last.error, last.rationed
    made.read_as = "; ".join(part.question for part in parts) if any(part.read_as for part in parts) else ""
    for part in parts:
        before = len(made.turns)
        for own, others in ((made.results, part.results), (made.errors, part.errors)):
            own |= {(turn + before, step): kept for (turn, step), kept in others.items()}
        made.turns += part.turns
        made.outbound += part.outbound
        made.names |= part.names
        made.members |= part.members
        made.others |= part.others
        made.applicable |= part.applicable
        made.timings |= {phase: made.timings.get(phase, 0.0) + spent for phase, spent in part.timings.items()}
    made.unplanned = [name for name in last.unplanned if all(name in part.unplanned for part in parts)]
    made.spending = _summed([one for part in parts for one in part.spending])
    made.set_spending = _summed([one for part in parts for one in part.set_spending])
    for name in ("excluded", "denied", "warnings"):
        setattr(made, name, list(dict.fromkeys(line for part in parts for line in getattr(part, name))))
    return made


def _summed(spending: Sequence[Spending]) -> list[Spending]:
    """One row for each object: what it had cost before the first session, and after the last."""
    found: dict[tuple[str, str], Spending] = {}
    for one in spending:
        known = found.get((one.path, one.part))
        told = (*known.told, *(unit for unit in one.told if unit not in known.told)) if known else one.told
        found[one.path, one.part] = replace(one, before=known.before if known else one.before, told=told)
    return list(found.values())
