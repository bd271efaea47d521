"""What the commands that run a session share: their options, the workspace, the planner, the end."""

from __future__ import annotations

import argparse
import os
import re
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from plantwin.errors import InputError
from plantwin.surfaces.cli.arguments import (
    add_folder,
    add_json,
    changed_files,
    cluster_of,
    duration,
    number,
    settings_of,
    state_of,
)
from plantwin.surfaces.cli.output import note
from plantwin.surfaces.cli.progress import Bar
from plantwin.surfaces.render.text import path_fields, printable, well_formed

if TYPE_CHECKING:
    from plantwin import Environment, Scan
    from plantwin.config.settings import Settings
    from plantwin.private.report.model import Taken
    from plantwin.run import Run, Spending
    from plantwin.session_context import SessionContext
    from plantwin.types.plan import StepInput
    from plantwin.types.verdict import Admission, Priced, Verdict
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

    state = state_of(options).folder
    environment = Environment(options.root, state=state, ignore=not options.no_ignore, cluster=cluster_of(options))
    try:
        with Bar() as bar:
            scan = environment.scan(jobs=options.jobs, progress=bar)
        yield environment, scan
    finally:
        environment.close()


def not_here(context: SessionContext | None, text: str) -> list[str]:
    """A line about each file that a goal names and the folder does not have. `text`: the goal as it was read."""
    if context is None:
        return []
    from difflib import get_close_matches

    from plantwin.private.goal import Why

    spans = [text[piece.start : piece.end] for piece in context.selected.pieces if piece.why is Why.PATH]
    missing = [name for name in spans if "://" not in name and _file_name.search(name)]
    if not missing:
        return []
    known = {record.path for held in context.selected.sets for record in context.members(held.id)}
    names = {path.rpartition("/")[2] for path in known}
    # `Last.fm` is no file: a name without a folder is one only by an ending that files here have.
    endings = {name.rpartition(".")[2].lower() for name in names}
    missing = [name for name in missing if "/" in name or name.rpartition(".")[2].lower() in endings | ENDINGS]
    said = []
    for name in dict.fromkeys(missing):
        if name in names:
            continue  # several are called so
        near = get_close_matches(name.rpartition("/")[2], sorted(names), n=3, cutoff=0.6)
        said.append(f"Not in this folder: {name}" + (f" (nearest: {', '.join(near)})." if near else "."))
    return said


_ENDINGS = "py js ts go rb php java rs c h cpp cs sh sql md txt json yml yaml toml csv log html css xml env"
ENDINGS = frozenset(_ENDINGS.split())
"""Endings of files that people ask for wherever they are."""
_file_name = re.compile(r"[\w-]\.[A-Za-z][\w-]{0,9}\Z")
"""How a word ends that is meant as the name of a file."""
MAX_GOAL = 4000
SENDS_SHORT = (
    "The planners offline, scripted, recorded and local (with a model that PlanTwin starts) send nothing to anybody.\n"
    "A port of this machine is sent to as any other: where it leads PlanTwin cannot know."
)
SENDS = (
    f"{SENDS_SHORT} To others nothing is sent but\n"
    "the envelopes that are shown first, after you agree, within each object's budget. Nothing is sent by --dry-run."
)


def add_goal(parser: argparse.ArgumentParser, *, needed: bool = True) -> None:
    """What is wanted, of which folder, by which planner."""
    number: dict[str, Any] = {} if needed else {"nargs": "?", "default": ""}
    parser.add_argument("goal", metavar="GOAL", help="what is wanted, in your words", **number)
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
        "--goal-mode", choices=("intent", "lexicon", "verbatim"), help="how much of the goal is sent (default: lexicon)"
    )


def add_send(parser: argparse.ArgumentParser) -> None:
    """That nobody is asked before something is sent."""
    parser.add_argument("--send", action="store_true", help="send without asking first; approves no step")


def add_limits(parser: argparse.ArgumentParser) -> None:
    """How far a step over many files goes, and whether objects are told of one by one."""
    parser.add_argument("--max-files", type=number, metavar="N", help="examine at most N files of a set in one step")
    parser.add_argument(
        "--time", type=duration, metavar="T", help="how long a step over a set may take, such as 90s, 10m or 2h"
    )
    parser.add_argument("--per-object", action="store_true", help="tell of objects one by one, not of sets")


def adjusted(settings: Settings, options: argparse.Namespace) -> Settings:
    """The settings with what the options say instead."""
    from msgspec.structs import replace

    limits, twin = settings.limits, settings.twin
    if files := getattr(options, "max_files", None):
        limits = replace(limits, max_files=files)
    if seconds := getattr(options, "time", None):
        limits = replace(limits, step_seconds=seconds)
    if getattr(options, "per_object", False):
        twin = replace(twin, mode="objects")
    return replace(settings, limits=limits, twin=twin)


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
        from plantwin.workspace import Workspace

    made = Workspace(
        options.root,
        settings=adjusted(settings_of(options), options),
        state=state_of(options).folder,
        ignore=not options.no_ignore,
        rehearse=rehearse,
        jobs=options.jobs,
        progress=bar,
        goal_mode=getattr(options, "goal_mode", None),
        only=changed_files(options) if hasattr(options, "since") else None,
        cluster=cluster_of(options),
    )
    if made.begun is not None:
        bar.stop()
        note(f"New audit trail in {printable(str(made.begun))}: what planners are told is counted from now on.")
    try:
        yield made
    finally:
        bar.stop()
        made.close()


def run_members(run: Run, envelopes: list[str], *, dry_run: bool) -> dict[str, Any]:
    """A session for JSON."""
    from plantwin.private.report.full import report_members
    from plantwin.private.report.model import Overview

    overview = Overview.of(run)
    steps = overview.steps
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
        "verdicts": [_decided(step, run) for step in steps],
        "outcomes": [
            {"turn": step.turn, "step": step.step.id, **_outcome(step.verdict)} for step in steps if step.verdict
        ],
        "results": [_result(step) for step in steps if step.result is not None],
        **report_members(run, overview),
        "spent": [_spending(spent, run.audience) for spent in run.spending],
        "leakage": run.leakage / 1000,
        "normalized_leakage": run.normalized,
        "excluded": [path_fields(path) for path in run.excluded],
        "denied": [path_fields(path) for path in run.denied],
        "rationed": run.rationed,
        **path_fields(str(run.report or ""), "report"),
        **path_fields(str(run.full_report or ""), "full_report"),
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
    from plantwin.types.capability import TELLING

    return {
        "price": admission.price / 1000,
        "steps": [
            {
                "step": step.step.id,
                "admitted": step.refusal is None,
                "price": step.price / 1000,
                "open_ended": step.step.capability in TELLING,
                "objects": _about(step, names),
                **(denied_members(step.refusal) if step.refusal else {}),
            }
            for step in admission.steps
        ],
    }


def _about(priced: Priced, names: Mapping[str, tuple[str, str]]) -> list[dict[str, Any]]:
    """What a step's outcome tells about: objects, and what stands for several."""
    inputs = {str(name): name for name in priced.step.inputs}
    return [input_members(inputs.get(id_, id_), names) for id_ in priced.objects]


def object_members(id_: str, names: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    """An object by its id and its real name."""
    if id_ not in names:
        return {"object_id": id_}
    path, part = names[id_]
    return {"object_id": id_, **path_fields(path), **({"part": well_formed(part)} if part else {})}


def input_members(name: StepInput, names: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    """What a step works on: an object, a set with what it is, a step, or a part of a step's result."""
    import msgspec

    from plantwin.private.report.wording import named
    from plantwin.types.plan import Narrowed, part_of, source_of
    from plantwin.types.twin import object_id_like, set_id_like

    source, part = source_of(name), part_of(name)
    if object_id_like(source):
        return object_members(source, names)
    members: dict[str, Any] = {"step": source}
    if set_id_like(source):
        members = {"set_id": source, "is": well_formed(named(source, names))}
    if part is not None:
        members["part"] = part.value
    if isinstance(name, Narrowed):
        members["where"] = msgspec.to_builtins(name.where)
    return members


def denied_members(verdict: Any) -> dict[str, Any]:
    """Why a step was refused: local, and never sent."""
    code = verdict.code
    return {"check": code.check, "code": code.value, "meaning": code.meaning, "detail": well_formed(verdict.detail)}


def _decided(taken: Taken, run: Run) -> dict[str, Any]:
    from plantwin.types.verdict import Allowed, Denied

    members: dict[str, Any] = {
        "turn": taken.turn,
        "step": taken.step.id,
        "capability": taken.step.capability,
        "inputs": [input_members(name, run.names) for name in taken.step.inputs],
        "allowed": isinstance(taken.verdict, Allowed),
        "status": taken.verdict.outcome.status if taken.verdict else None,
        "seconds": taken.seconds,
    }
    if isinstance(taken.verdict, Denied):
        members |= denied_members(taken.verdict)
    if isinstance(taken.verdict, Allowed):
        spent = {id_: cost / 1000 for id_, cost in taken.verdict.spent}
        members |= {"spent": spent, "failure": taken.verdict.failure, "dropped": list(taken.verdict.dropped)}
        members["error"] = run.errors.get((taken.turn, taken.step.id)) or None
    return members


def _result(taken: Taken) -> dict[str, Any]:
    import msgspec

    found = msgspec.to_builtins(taken.result)
    return {"turn": taken.turn, "step": taken.step.id, "title": found["title"], "findings": found["findings"]}


def _spending(spending: Spending, audience: str) -> dict[str, Any]:
    from plantwin.private.report.spending import share

    return {
        **object_members(spending.object_id, {spending.object_id: (spending.path, spending.part)}),
        "audience": audience,
        "before": spending.before / 1000,
        "spent": spending.spent / 1000,
        "in_sets": spending.in_sets / 1000,
        "threshold": spending.threshold / 1000,
        "normalized_leakage": share(spending),
        "told": list(spending.told),
        "withheld": list(spending.withheld),
    }
