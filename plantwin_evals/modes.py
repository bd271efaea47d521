"""What a planner is shown, and how its plan is judged: one function per mode, all judged alike.

twin        a session as everywhere else: projected goal, twin within budgets, steps gated and run
goal-only   the projected goal and the catalog, no twin: what the twin is worth is the difference to this
redacted    the goal and all files, with what stage 2 finds replaced; redacted-presidio: with what that peer finds
raw         the goal and all files as they are
local       as raw, on a model of this machine: nothing leaves

Rules read envelopes and no prose: in the modes that send files they are given everything that the local
side knows of every object, which is the most that a rule could read out of the files. What counts as sent is the text.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from plantwin.boundary.answer import decode_plan
from plantwin.cloud.asking import ask
from plantwin.cloud.planner import Planner
from plantwin.config.settings import Settings
from plantwin.errors import PlannerError, WireError
from plantwin.private.execution.pretended import PretendedExecutor
from plantwin.run import Run
from plantwin.session import run as session
from plantwin.session_context import SessionContext
from plantwin.types.capability import FIELDS, Catalog
from plantwin.types.plan import Plan
from plantwin.types.twin import object_id_like
from plantwin.types.verdict import Allowed, Denied
from plantwin.vocabulary import CapabilityName
from plantwin_evals import knowledge, metrics
from plantwin_evals.attempts import Attempt
from plantwin_evals.exchange import Replaying
from plantwin_evals.exposure import TEXTS, Payload
from plantwin_evals.prompts import prompt
from plantwin_evals.redactors import REDACTORS, redacted, redactor
from plantwin_evals.subjects import Open, Subject
from plantwin_evals.suite import Task
from plantwin_evals.task_folder import TaskFolder
from plantwin_evals.workspace import Change, EvaluationWorkspace

MODES: Final = ("twin", "goal-only", *REDACTORS, "raw", "local")
LOOKING: Final = (CapabilityName.DESCRIBE, CapabilityName.EXPAND)
"""Steps that ask for more of the twin: not work of their own, so they count neither for nor against a plan."""
EVERYTHING: Final = 256
"""Objects that are shown where nothing is held back."""


def attempt(
    task: Task,
    task_folder: TaskFolder,
    subject: Subject,
    mode: str,
    settings: Settings,
    *,
    state: Path | None = None,
    configuration: str = "",
    study: str = "main",
    change: Change | None = None,
    direct: bool = False,
) -> Attempt:
    """Try one task. `state`: where what was told before is recorded; a fresh one by default."""
    made = Attempt(
        configuration=configuration or f"{mode} + {subject.name}",
        planner=subject.name,
        mode=mode,
        study=study,
        domain=task_folder.domain.domain,
        task=task.id,
        group=task.group,
        sensitive=len(task_folder.items),
        expected_findings=len(task.findings),
    )
    began = time.perf_counter()
    settings = settings if mode in ("twin", "goal-only") else _open(settings)
    workspace = EvaluationWorkspace(
        task_folder.root, settings, state or task_folder.fresh(), task_folder.memory, change, direct
    )
    try:
        if mode == "twin":
            payload = _twin(task, workspace, subject, made)
        elif mode == "goal-only":
            payload = _goal_only(task, workspace, subject, made)
        else:
            payload = _open_context(task, task_folder, workspace, subject, made, mode)
    finally:
        workspace.close()
    made.seconds["total"] = time.perf_counter() - began
    made.sent = sum(map(len, payload))
    if mode != "local":
        visible = Payload(payload)
        made.seen = [item.id for item, value in task_folder.items if visible.shows(value, text=item.sort in TEXTS)]
    if mode in REDACTORS:
        # As in the paper: what such a method leaks is the share of items that pass.
        made.leakage = made.worst = 1 - made.non_disclosure
    made.judge(task, objects=mode != "goal-only")
    return made


def _twin(task: Task, workspace: EvaluationWorkspace, subject: Subject, made: Attempt) -> list[bytes]:
    planner = _planner(subject, workspace)
    done = session(task.goal, workspace, planner)
    made.error, made.valid = done.error, done.ending != "planner"
    made.turns = len(done.turns)
    made.executed = True
    made.seconds |= done.timings
    spent = [(each.spent, each.threshold) for each in done.spending]
    made.leakage, made.worst = metrics.leakage(spent), metrics.worst_leakage(spent)
    made.bits = knowledge.total(unit for each in done.spending for unit in each.told)
    made.excluded = len(done.excluded)
    for turn in done.turns:
        allowed = [each for each in range(len(turn.plan.steps)) if isinstance(turn.verdict(each), Allowed)]
        _collect(turn.plan, allowed, workspace.catalog, {id_: name for id_, (name, _) in done.names.items()}, made)
    made.findings = sum(_found(done, each.capability, each.contains) for each in task.findings)
    made.tokens = subject.tokens(planner)
    return [*(each.data for each in done.outbound), *workspace.bodies]


def _goal_only(task: Task, workspace: EvaluationWorkspace, subject: Subject, made: Attempt) -> list[bytes]:
    """The goal with nothing to work on: capabilities alone can be judged, so those that the plan names count."""
    planner = subject.blind(workspace.catalog) if subject.blind else _planner(subject, workspace)
    with _opened(task, workspace, planner) as context:
        envelopes = [
            context.release.registration(()),
            context.release.request(context.selected.goal, {}),
        ]
        try:
            plan = decode_plan(ask(planner, envelopes, context.seconds, context.release.payload))
        except (PlannerError, WireError) as error:
            made.valid, made.error = False, str(error)
            plan = Plan(steps=())
    named = dict.fromkeys(step.capability for step in plan.steps)
    made.turns = 1
    made.proposed = list(named)
    made.approved = [each for each in named if each in workspace.catalog and each not in LOOKING]
    made.tokens = subject.tokens(planner)
    return [*(each.data for each in envelopes), *workspace.bodies]


def _open_context(
    task: Task, task_folder: TaskFolder, workspace: EvaluationWorkspace, subject: Subject, made: Attempt, mode: str
) -> list[bytes]:
    texts, goal, history = task_folder.texts, task.goal, task_folder.history
    if mode in REDACTORS:
        made.redactor = redactor(mode).described()
        texts, goal, history, made.seconds["redact"] = redacted(mode, texts, goal, history)
    with _opened(task, workspace, _planner(subject, workspace)) as context:
        scene, release = context.selected, context.release
        everything = {each.id: FIELDS for each in scene.held}
        envelopes = [release.registration(scene.held), release.request(scene.goal, everything)]
        names = {id_: record.path for id_, record in scene.records.items()}
        seen = Open(goal, texts, prompt(goal, texts, history, names, workspace.catalog), names)
        planner = _planner(subject, workspace) if subject.opened is None else subject.opened(workspace.catalog, seen)
        try:
            with _timed(made, "planner"):
                answer = ask(planner, envelopes, context.seconds, context.release.payload)
            plan = decode_plan(answer)
        except (PlannerError, WireError) as error:
            made.valid, made.error = False, str(error)
            plan = Plan(steps=())
        gatekeeper = context.gate(PretendedExecutor(lambda _: {"status": "ok"}))
        admission = gatekeeper.admit(plan)
        allowed, refused = [], set[str]()
        for position in admission.order:
            verdict = gatekeeper.gate(plan, position, frozenset(refused))
            if isinstance(verdict, Denied):
                refused.add(plan.steps[position].id)
            else:
                allowed.append(position)
    _collect(plan, allowed, workspace.catalog, names, made)
    made.turns = 1
    made.leakage = made.worst = 1.0 if mode == "raw" else 0.0
    made.tokens = subject.tokens(planner)
    # A model with little room is sent less than everything: what it was sent is what counts.
    return [str(getattr(planner, "text", "") or seen.prompt).encode()]


def _planner(subject: Subject, workspace: EvaluationWorkspace) -> Planner:
    planner = subject.planner(workspace.catalog)
    if isinstance(planner, Replaying):
        planner.names = workspace.names
    return planner


@contextmanager
def _opened(task: Task, workspace: EvaluationWorkspace, planner: Planner) -> Iterator[SessionContext]:
    run = Run("evaluation", task.goal, planner.name, planner.audience, planner.locality)
    yield workspace.open_session(task.goal, planner, run)


def _collect(plan: Plan, allowed: Iterable[int], catalog: Catalog, names: dict[str, str], made: Attempt) -> None:
    """Capabilities and files of the steps that were let through."""
    made.proposed = list(dict.fromkeys([*made.proposed, *(step.capability for step in plan.steps)]))
    steps = [plan.steps[position] for position in sorted(allowed)]
    words = [catalog[step.capability].name for step in steps if step.capability in catalog]
    made.approved = list(dict.fromkeys([*made.approved, *(word.value for word in words if word not in LOOKING)]))
    used = [
        names[each]
        for step in steps
        if step.capability not in LOOKING
        for each in step.inputs
        if object_id_like(each) and each in names
    ]
    made.objects = list(dict.fromkeys([*made.objects, *used]))


def _found(done: Run, capability: CapabilityName, text: str) -> bool:
    """Whether the local result of one of this capability's steps holds a text."""
    for number, turn in enumerate(done.turns, start=1):
        for step in turn.plan.steps:
            result = done.results.get((number, step.id))
            if step.capability == capability and result is not None and text in _written(result):
                return True
    return False


def _written(result: Any) -> str:
    return json.dumps(msgspec.to_builtins(result, str_keys=True, enc_hook=str), ensure_ascii=False)


def _open(settings: Settings) -> Settings:
    """Nothing is held back."""
    replace = msgspec.structs.replace
    return replace(
        settings,
        budget=replace(settings.budget, scale=100.0),
        limits=replace(
            settings.limits, max_objects=EVERYTHING, turns_per_hour=1_000_000, fields_per_hour=1_000_000,
            refusals_per_hour=1_000_000,
        ),
    )  # fmt: skip


@contextmanager
def _timed(made: Attempt, phase: str) -> Iterator[None]:
    began = time.perf_counter()
    try:
        yield
    finally:
        made.seconds[phase] = made.seconds.get(phase, 0.0) + time.perf_counter() - began
