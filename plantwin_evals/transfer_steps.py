"""Whether steps go on a real folder as they went on a made-up one: the same verdict, the same outcome.

The steps are those that the suite's tasks expect: each capability on the objects of its task. On either folder, with a
ledger of its own, one session decides them as for a provider that is told in rations; another carries them out for a
planner of this machine, which hears all words of outcomes. Verdicts of both, and the words of the latter, are compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from plantwin.cloud.planner import Planner
from plantwin.config.settings import Settings
from plantwin.private.capabilities import catalog
from plantwin.private.environment import Environment
from plantwin.private.facts import Record
from plantwin.private.project import projection
from plantwin.session import run as session
from plantwin.session_context import SessionContext
from plantwin.surfaces.cli.rehearse import Place, make_up, place_of, words_of
from plantwin.surfaces.cli.saved import Saved, SavedPlanner, wanted
from plantwin.types.capability import Capability
from plantwin.vocabulary import Kind, SemanticClass, member
from plantwin.workspace import Workspace
from plantwin_evals.suite import Task, domain
from plantwin_evals.tables import Table
from plantwin_evals.transfer import SEVERAL, SINGLE, RoundTrip, compared
from plantwin_evals.workspace import Consent
from plantwin_evals.workspaces import build

OUTCOME = ("status", "severity", "count", "tags")
"""Words of an outcome that are compared."""


class Step(NamedTuple):
    """What became of one step on both folders."""

    domain: str
    task: str
    capability: str
    made_up: Mapping[str, Any]
    real: Mapping[str, Any]

    @property
    def verdict_agrees(self) -> bool:
        """Whether both were decided alike, as far as either planner hears."""
        return all(self.made_up[name] == self.real[name] for name in ("rationed", "verdict"))

    def agreement(self, word: str) -> tuple[int, int]:
        """Of one word of the outcome: values that both have, and values that either has."""
        ours, theirs = (_several(side.get(word)) for side in (self.made_up, self.real))
        return len(ours & theirs), len(ours | theirs)


def _several(value: Any) -> set[str]:
    return set(value) if isinstance(value, list) else {value} if value else set()


class Measured(NamedTuple):
    """One workspace: how its twin came back, and how its steps went."""

    domain: str
    trip: RoundTrip
    steps: Sequence[Step]


class _Told(SavedPlanner):
    """A plan that is there already, of a provider that is told in rations. Nothing is sent."""

    audience, locality, sends = "transfer", "remote", True


def measure(name: str, place: Path, most: int | None = None, seed: int = 1) -> Measured:
    """Make a workspace's folder up, project it, and carry the steps of the tasks out on both."""
    chosen = domain(name)
    real, folder = place / "real", place / "made"
    build(chosen, real)
    environment = Environment(real, state=place / "state-real")
    before = projection(environment.scan())
    environment.close()
    made_up = make_up(before, folder, place / "state-made", seed)
    became = made_up.became
    trip = compared(before.twin, made_up.after.twin, made_up.ids)
    records = [record for record in before.objects.values() if place_of(record) in became]
    steps: list[Step] = []
    for task in chosen.some(most):
        wants = _steps(task, records)
        names = [capability.name.value for capability, _ in wants]
        ours = _went(folder, place / "state-made", [(one, [became[at] for at in inputs]) for one, inputs in wants])
        theirs = _went(real, place / "state-real", wants)
        steps += [Step(name, task.id, *found) for found in zip(names, ours, theirs, strict=True)]
    return Measured(name, trip, steps)


def _steps(task: Task, records: Sequence[Record]) -> list[tuple[Capability, list[Place]]]:
    """Each expected capability with the objects of the task that it takes."""
    known = {capability.name: capability for capability in catalog(Settings().session.catalog).values()}
    found = []
    for name in task.expected:
        capability = known[name]
        inputs = [
            place_of(record)
            for record in records
            if (record.path in task.objects or f"{record.path}/{record.part}" in task.objects)
            and capability.accepts(member(Kind, record.kind), member(SemanticClass, record.semantic_class))
        ]
        if len(inputs) >= capability.least:
            found.append((capability, sorted(inputs)[: capability.most]))
    return found


def _went(root: Path, state: Path, steps: Sequence[tuple[Capability, Sequence[Place]]]) -> list[dict[str, Any]]:
    """What a session says of the steps, in their order."""
    plan = [
        {
            "id": f"s{number}",
            "capability": capability.name.value,
            "inputs": ["#".join(filter(None, place)) for place in inputs],
            "output": capability.returns.value,
        }
        for number, (capability, inputs) in enumerate(steps, 1)
    ]
    contexts: list[SessionContext] = []
    workspace = _Watched(contexts, root, settings=Settings(), state=state, approver=Consent(), jobs=1)
    saved = Saved(plan, {}, {}, None, "", "transfer", "transfer", "remote", True, True)
    found: list[dict[str, Any]] = []
    try:
        for kind in (_Told, SavedPlanner):
            planner: Planner = kind(saved, lambda: contexts[-1] if contexts else None)
            run = session("Look at these files", workspace, planner, only=wanted(saved))
            reached = run.turns[0].reached if run.turns else {}
            words = [words_of(reached.get(position)) for position in range(len(plan))]
            found = (
                [{"rationed": one["status"] if one["verdict"] == "denied" else one["verdict"]} for one in words]
                if kind is _Told
                else [{**before, **one} for before, one in zip(found, words, strict=True)]
            )
    finally:
        workspace.close()
    return found


class _Watched(Workspace):
    """A workspace that keeps what its sessions work with."""

    def __init__(self, contexts: list[SessionContext], root: Path, **options: Any) -> None:
        self._contexts = contexts
        super().__init__(root, **options)

    def open_session(self, *given: Any, **options: Any) -> SessionContext:
        """As usual, and kept."""
        context = super().open_session(*given, **options)
        self._contexts.append(context)
        return context


def tables(measured: Sequence[Measured]) -> list[Table]:
    """How twins came back, field by field, and how steps transferred, by workspace."""
    fields = []
    for field in (*SINGLE, *SEVERAL, "component", "relations"):
        found = [one.trip.fields[field] for one in measured if field in one.trip.fields]
        both, either = sum(one.both for one in found), sum(one.either for one in found)
        fields.append((field, both, either, both / either if either else None))
    both, either = sum(row[1] for row in fields), sum(row[2] for row in fields)
    fields.append(("all", both, either, both / either if either else None))
    rows = []
    every = [step for one in measured for step in one.steps]
    for name, steps in [*((one.domain, one.steps) for one in measured), ("all", every)]:
        number = len(steps)
        row: list[Any] = [name, number, sum(step.verdict_agrees for step in steps) / number if number else None]
        for word in OUTCOME:
            both, either = map(sum, zip(*(step.agreement(word) for step in steps), strict=True)) if steps else (0, 0)
            row.append(both / either if either else None)
        rows.append(tuple(row))
    title = "Steps on the made-up and on the real folder: shares that agree"
    return [
        Table("roundtrip", "Twins of made-up folders", ("field", "equal", "values", "share"), fields),
        Table("transfer", title, ("workspace", "steps", "verdict", *OUTCOME), rows),
    ]
