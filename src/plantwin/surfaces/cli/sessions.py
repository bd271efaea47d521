"""What the commands that run a session share: their options, the workspace, the planner, the end."""

from __future__ import annotations

import argparse
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plantwin.errors import InputError
from plantwin.surfaces.cli.arguments import add_json, number
from plantwin.surfaces.cli.output import note
from plantwin.surfaces.cli.progress import Bar
from plantwin.surfaces.render.text import path_fields, printable, well_formed

if TYPE_CHECKING:
    from plantwin import Environment, Scan
    from plantwin.boundary.admission import Admission
    from plantwin.private.report.session import Taken
    from plantwin.run import Run, Spending
    from plantwin.types.verdict import Verdict
    from plantwin.workspace import Workspace


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C waits: inside an extension that is just being loaded it could crash the interpreter."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def observation(options: argparse.Namespace) -> Iterator[tuple[Environment, Scan]]:
    """The environment that ROOT names, scanned; what is unchanged comes from the index."""
    with uninterrupted():
        from plantwin import Environment
        from plantwin.config.settings import load_settings
        from plantwin.private.model.selection import for_extraction

    model = for_extraction(load_settings())
    state = Path(options.state) if options.state else None
    environment = Environment(options.root, state=state, ignore=not options.no_ignore, model=model)
    try:
        with Bar() as bar:
            scan = environment.scan(jobs=options.jobs, progress=bar)
        yield environment, scan
    finally:
        environment.close()


MAX_GOAL = 4000
SENDS_SHORT = (
    "The planners offline, scripted, recorded and local (with a model that PlanTwin starts) send nothing to anybody.\n"
    "A port of this machine is sent to as any other: where it leads PlanTwin cannot know."
)
SENDS = (
    f"{SENDS_SHORT} To others nothing is sent but\n"
    "the envelopes that are shown first, after you agree, within each object's budget. Nothing is sent by --dry-run."
)


def add_goal(parser: argparse.ArgumentParser) -> None:
    """What is wanted, of which folder, by which planner."""
    parser.add_argument("goal", metavar="GOAL", help="what is wanted, in your words; `preview` shows which cross")
    # As other commands take it; without it, --root or the current folder.
    parser.add_argument("root", nargs="?", default=argparse.SUPPRESS, metavar="ROOT", help="the folder, as --root")
    add_folder(parser)
    parser.add_argument(
        "--planner", metavar="NAME", help="offline (the default), local, openai:MODEL, …; `plantwin planners` lists all"
    )
    parser.add_argument("--record", metavar="FILE", help="keep the conversation here, to play with recorded:FILE")
    add_mode(parser)
    add_send(parser)
    parser.add_argument("--dry-run", action="store_true", help="show what would be sent and its price; send nothing")
    parser.add_argument("--show", action="store_true", help="show the exact bytes of every envelope too")
    add_json(parser)


def add_mode(parser: argparse.ArgumentParser) -> None:
    """How much of the goal crosses."""
    parser.add_argument(
        "--goal-mode", choices=("intent", "lexicon", "verbatim"), help="what of the goal crosses (default: lexicon)"
    )


def add_send(parser: argparse.ArgumentParser) -> None:
    """That nobody is asked before something is sent."""
    parser.add_argument("--send", action="store_true", help="send without asking first; approves no step")


def add_folder(parser: argparse.ArgumentParser, *, default: str | None = ".") -> None:
    """The folder, and where state and settings are."""
    parser.add_argument("--root", default=default, metavar="R", help="the folder (default: the current one)")
    parser.add_argument("--jobs", type=number, metavar="N", help="worker processes of the scan (default: one per core)")
    parser.add_argument("--no-ignore", action="store_true", help="read what ignore files leave out too")
    add_state(parser)


def add_state(parser: argparse.ArgumentParser) -> None:
    """Where state and settings are."""
    parser.add_argument("--state", metavar="DIR", help="keep state in this folder instead of the user's state folder")
    parser.add_argument("--config", metavar="FILE", help="take the settings from this file instead of the user's")


def goal_of(options: argparse.Namespace) -> str:
    """The goal, checked."""
    goal: str = options.goal
    if not goal.strip():
        raise InputError("an empty goal: say what is wanted")
    if len(goal) > MAX_GOAL:
        raise InputError(f"a goal of over {MAX_GOAL} characters: say it in fewer words")
    return goal


@contextmanager
def workspace(options: argparse.Namespace, bar: Bar, *, rehearse: bool = False) -> Iterator[Workspace]:
    """The folder with its ledger, policy and catalog, as the options name them."""
    with uninterrupted():
        from plantwin.config.settings import load_settings
        from plantwin.workspace import Workspace

    made = Workspace(
        options.root,
        settings=load_settings(Path(options.config) if options.config else None),
        state=Path(options.state) if options.state else None,
        ignore=not options.no_ignore,
        rehearse=rehearse,
        jobs=options.jobs,
        progress=bar,
        goal_mode=getattr(options, "goal_mode", None),
    )
    if made.begun is not None:
        bar.stop()
        note(f"A new ledger was begun in {printable(str(made.begun))}: it counts nothing that was told before.")
    try:
        yield made
    finally:
        bar.stop()
        made.close()


def run_members(run: Run, envelopes: list[str], *, dry_run: bool) -> dict[str, Any]:
    """A session for JSON."""
    from plantwin.private.report.session import taken

    steps = taken(run)
    return {
        "session": run.session,
        "goal": well_formed(run.goal),
        **path_fields(os.fspath(run.root or ""), "root"),
        "planner": {"name": well_formed(run.planner), "audience": run.audience, "locality": run.locality},
        "dry_run": dry_run,
        "sent": bool(run.outbound),
        "outbound": envelopes,
        "plan": _plan(run.turns[0].plan) if run.turns else None,
        "plans": [_plan(turn.plan) for turn in run.turns],
        "admission": [admission_members(turn.admission, run.names) for turn in run.turns],
        "verdicts": [_decided(each, run) for each in steps],
        "outcomes": [
            {"turn": each.turn, "step": each.step.id, **_outcome(each.verdict)} for each in steps if each.verdict
        ],
        "results": [_result(each) for each in steps if each.result is not None],
        "spent": [_spending(each, run.audience) for each in run.spending],
        "leakage": run.leakage / 1000,
        "normalized_leakage": run.normalized,
        "excluded": [path_fields(path) for path in run.excluded],
        "denied": [path_fields(path) for path in run.denied],
        "rationed": run.rationed,
        **path_fields(str(run.report or ""), "report"),
        "timings": run.timings,
        "warnings": list(map(well_formed, run.warnings)),
        "ending": run.ending.value,
        "error": run.error or None,
    }


def _plan(plan: object) -> Any:
    import msgspec

    return msgspec.to_builtins(plan)


def _outcome(verdict: Verdict) -> Any:
    import msgspec

    return msgspec.to_builtins(verdict.outcome)


def admission_members(admission: Admission, names: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    """A priced plan for JSON."""
    return {
        "price": admission.price / 1000,
        "steps": [
            {
                "step": each.step.id,
                "admitted": each.refusal is None,
                "price": each.price / 1000,
                "open_ended": each.step.capability == "describe",
                "objects": [object_members(id_, names) for id_ in each.objects],
                **(denied_members(each.refusal) if each.refusal else {}),
            }
            for each in admission.steps
        ],
    }


def object_members(id_: str, names: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    """An object by its id and its real name; an earlier step by its id."""
    from plantwin.types.twin import group_id_like, object_id_like

    if group_id_like(id_):
        return {"group_id": id_}
    if id_ not in names:
        return {"object_id" if object_id_like(id_) else "step": id_}
    path, part = names[id_]
    return {"object_id": id_, **path_fields(path), **({"part": well_formed(part)} if part else {})}


def denied_members(verdict: Any) -> dict[str, Any]:
    """Why a step was refused: local, and never sent."""
    code = verdict.code
    return {"check": code.check, "code": code.value, "meaning": code.meaning, "detail": well_formed(verdict.detail)}


def _decided(each: Taken, run: Run) -> dict[str, Any]:
    from plantwin.types.verdict import Allowed, Denied

    members: dict[str, Any] = {
        "turn": each.turn,
        "step": each.step.id,
        "capability": each.step.capability,
        "inputs": [object_members(id_, run.names) for id_ in each.step.inputs],
        "allowed": isinstance(each.verdict, Allowed),
        "status": each.verdict.outcome.status if each.verdict else None,
        "seconds": each.seconds,
    }
    if isinstance(each.verdict, Denied):
        members |= denied_members(each.verdict)
    if isinstance(each.verdict, Allowed):
        spent = {id_: cost / 1000 for id_, cost in each.verdict.spent}
        members |= {"spent": spent, "failure": each.verdict.failure, "dropped": list(each.verdict.dropped)}
        members["error"] = run.errors.get((each.turn, each.step.id)) or None
    return members


def _result(each: Taken) -> dict[str, Any]:
    import msgspec

    found = msgspec.to_builtins(each.result)
    return {"turn": each.turn, "step": each.step.id, "title": found["title"], "findings": found["findings"]}


def _spending(each: Spending, audience: str) -> dict[str, Any]:
    from plantwin.private.report.session import share

    return {
        **object_members(each.object_id, {each.object_id: (each.path, each.part)}),
        "audience": audience,
        "before": each.before / 1000,
        "spent": each.spent / 1000,
        "threshold": each.threshold / 1000,
        "normalized_leakage": share(each),
        "told": list(each.told),
        "withheld": list(each.withheld),
    }
