"""A plan tried on a made-up folder before it touches the real one: `plantwin run --rehearse`.

The made-up folder is built from the twin alone. A session over it, with a ledger of its own and the policy, audience
and settings of the real one, decides and carries out the same steps; what then goes otherwise is told to the person.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from plantwin.cloud.planner import sends
from plantwin.private.environment import Environment
from plantwin.private.project import Projection, projection
from plantwin.session import run as session
from plantwin.surfaces.cli.check import Agreeing
from plantwin.surfaces.cli.saved import Saved, SavedPlanner, SavedSet, digest_of, values_of, wanted
from plantwin.surfaces.render.text import plural
from plantwin.synth import synth
from plantwin.synth.folder import write_folder
from plantwin.types.verdict import Allowed, Verdict
from plantwin.workspace import Workspace

if TYPE_CHECKING:
    from plantwin.cloud.planner import Planner
    from plantwin.config.settings import Settings
    from plantwin.private.facts import Record
    from plantwin.run import Run
    from plantwin.session_context import SessionContext
    from plantwin.types.plan import Plan

Place = tuple[str, str]
"""Path and part of an object."""
SAID = ("status", "examined")
"""Words of outcomes that a twin tells enough for; how bad things are, and how many, it does not tell."""
FULL = (*SAID, "severity", "count", "tags", "affected")


class MadeUp(NamedTuple):
    """A made-up folder, and which of its objects stands for which of the real ones."""

    before: Projection
    after: Projection
    ids: dict[str, str]
    """Ids of made-up objects by those of real ones; empty where none came of it."""
    became: dict[Place, Place]

    def __repr__(self) -> str:
        return "<MadeUp private>"


class Rehearsal(NamedTuple):
    """How a plan went on a made-up folder."""

    plan: Plan
    files: int
    words: Mapping[str, Mapping[str, Any]]
    """Verdict and outcome of each step, by its id."""


class _Replayed(SavedPlanner):
    """Answers with the plan over the made-up folder, for the audience that the real planner has. Nothing is sent."""

    def __init__(self, saved: Saved, like: Planner, places: Mapping[str, frozenset[Place]], kept: _Kept) -> None:
        """`places`: which made-up objects stand for the members of each set of the plan."""
        super().__init__(saved, lambda: kept.context)
        self.name, self.audience, self.locality = like.name, like.audience, like.locality
        self.sends = sends(like)
        self._places, self._kept = places, kept

    def plan(self, envelopes: Sequence[Any]) -> bytes:
        """The plan, its sets taken for those here that share most members with them."""
        if (context := self._kept.context) is not None:
            here = {held.id: context.members(held.id) for held in context.selected.sets}
            sets = {id_: self._nearest(id_, one, here) for id_, one in self._saved.sets.items()}
            self._saved = self._saved._replace(sets=sets)
        return super().plan(envelopes)

    def _nearest(self, id_: str, one: SavedSet, here: Mapping[str, Sequence[Record]]) -> SavedSet:
        wanted_here = self._places[id_]

        def likeness(members: Sequence[Record]) -> float:
            found = {place_of(member) for member in members}
            return len(found & wanted_here) / len(found | wanted_here or {("", "")})

        best = max(here.values(), key=likeness, default=())
        return one._replace(members=digest_of(best)) if best and likeness(best) > 0 else one


class _Kept(Workspace):
    """A workspace that keeps what its session works with."""

    context: SessionContext | None = None

    def open_session(self, *given: Any, **options: Any) -> SessionContext:
        """As usual, and kept."""
        self.context = super().open_session(*given, **options)
        return self.context


def place_of(record: Record) -> Place:
    """Where an object is."""
    return record.path, record.part


def make_up(before: Projection, folder: Path, state: Path, seed: int = 1) -> MadeUp:
    """Make a folder from the bytes of a twin, and project it."""
    written = write_folder(synth(msgspec.json.encode(before.twin), seed), folder)
    environment = Environment(folder, state=state)
    try:
        after = projection(environment.scan())
    finally:
        environment.close()
    here = {record.path: object_id for object_id, record in after.objects.items()}
    ids = {old: here.get(path, "") for old, path in written.items()}
    became = {place_of(before.objects[old]): place_of(after.objects[new]) for old, new in ids.items() if new}
    return MadeUp(before, after, ids, became)


def rehearse(goal: str, made: Workspace, planner: Planner, plan: Plan, context: SessionContext) -> Rehearsal:
    """Carry a plan out on a folder made from the twin alone, for as long as that takes."""
    with tempfile.TemporaryDirectory(prefix="plantwin-rehearsal-") as place:
        folder, state = Path(place, "folder"), Path(place, "state")
        made_up = make_up(projection(made.environment.scan()), folder, state)
        became = made_up.became
        members = {held.id: context.members(held.id) for held in context.selected.sets}
        places = {
            id_: frozenset(became[place_of(one)] for one in records if place_of(one) in became)
            for id_, records in members.items()
        }
        saved = Saved(
            msgspec.json.decode(msgspec.json.encode(plan.steps)),
            {id_: became.get(place_of(record), ("", "")) for id_, record in context.selected.records.items()},
            {held.id: SavedSet(values_of(held), "", "") for held in context.selected.sets},
            None, goal, planner.name, planner.audience, planner.locality, False, context.rationed,
        )  # fmt: skip
        run = _carried_out(goal, saved, folder, state, made.settings, planner, places)
    reached = run.turns[0].reached if run.turns else {}
    words = {step.id: words_of(reached.get(position)) for position, step in enumerate(plan.steps)}
    return Rehearsal(plan, len(made_up.after.objects), words)


def _carried_out(
    goal: str,
    saved: Saved,
    folder: Path,
    state: Path,
    settings: Settings,
    planner: Planner,
    places: Mapping[str, frozenset[Place]],
) -> Run:
    # A ledger of its own: what a made-up folder tells is charged to nobody.
    own = msgspec.structs.replace(settings, ledger=type(settings.ledger)())
    workspace = _Kept(folder, settings=own, state=state, approver=Agreeing())
    try:
        return session(goal, workspace, _Replayed(saved, planner, places, workspace), only=wanted(saved))
    finally:
        workspace.close()


def words_of(verdict: Verdict | None) -> dict[str, Any]:
    """A verdict and the outcome that a planner hears, as words."""
    if verdict is None:
        return {"verdict": "not reached"}
    if not isinstance(verdict, Allowed):
        # A planner hears the status alone; which check refused is for the person.
        return {"verdict": "denied", "status": verdict.status.value, "code": verdict.code.name.lower()}
    failed = verdict.failure is not None
    return {"verdict": "failed" if failed else "allowed", **msgspec.to_builtins(verdict.outcome)}


def compared(rehearsals: Sequence[Rehearsal], run: Run) -> list[dict[str, Any]]:
    """Every step that was rehearsed, with its words on either folder."""
    rows = []
    for rehearsal in rehearsals:
        turn = next((turn for turn in run.turns if turn.plan is rehearsal.plan), None)
        for position, step in enumerate(rehearsal.plan.steps):
            real = words_of(turn.verdict(position) if turn is not None else None)
            rows.append(
                {"id": step.id, "capability": step.capability, "made_up": rehearsal.words[step.id], "real": real}
            )
    return rows


def lines(rehearsals: Sequence[Rehearsal], run: Run, *, full: bool = False) -> list[str]:
    """What a person is told: how many steps went alike, and each that did not. `full`: by all words of outcomes."""
    rows = compared(rehearsals, run)
    differing = []
    for row in rows:
        ours, theirs = row["made_up"], row["real"]
        words = ("verdict",) if ours["verdict"] != theirs["verdict"] else FULL if full else SAID
        told = [
            f"{_told(ours, word)} there, {_told(theirs, word)} here" for word in words if _differs(ours, theirs, word)
        ]
        if told:
            differing.append(f"{row['id']} {row['capability']}: {'; '.join(told)}")
    files = sum(rehearsal.files for rehearsal in rehearsals[:1])
    alike = len(rows) - len(differing)
    return [f"{alike} of {plural(len(rows), 'step')} went as on {plural(files, 'made-up file')}", *differing]


def _differs(ours: Mapping[str, Any], theirs: Mapping[str, Any], word: str) -> bool:
    return bool(ours.get(word) != theirs.get(word))


def _told(outcome: Mapping[str, Any], word: str) -> str:
    value = outcome.get(word) or "nothing"
    text = value if isinstance(value, str) else " ".join(value)
    if word == "verdict":
        return f"{text} ({outcome['code']})" if "code" in outcome else text
    return f"{word} {text}"
