"""What a planner is shown, and how its plan is judged: all modes are sessions, with the same turns and one repair.

twin        a session as everywhere else: projected goal, the folder as sets within budgets, steps gated and run
objects     the same with objects listed one by one, as in the paper
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
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from plantwin.cloud.answer import decode_plan
from plantwin.cloud.planner import Planner, ask
from plantwin.config.settings import Settings
from plantwin.errors import AnswerError, PlannerError, WireError
from plantwin.run import Ending, Run
from plantwin.session import run as session
from plantwin.types.capability import Catalog
from plantwin.types.plan import Plan
from plantwin.types.verdict import Allowed
from plantwin.vocabulary import CapabilityName
from plantwin_evals import metrics
from plantwin_evals.attempts import Attempt
from plantwin_evals.exchange import Replaying
from plantwin_evals.exposure import TEXTS, Payload
from plantwin_evals.fingerprints import fingerprints
from plantwin_evals.planners import Files, Subject, send_files
from plantwin_evals.redactors import REDACTORS, redacted, redactor
from plantwin_evals.reidentification import reidentified
from plantwin_evals.suite import Task
from plantwin_evals.tables import SESSIONS
from plantwin_evals.task_folder import TaskFolder
from plantwin_evals.variants import skipped
from plantwin_evals.workspace import EvaluationWorkspace

LOOKING: Final = (CapabilityName.DESCRIBE, CapabilityName.SPLIT)
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
    variant: str = "full",
    direct: bool = False,
    approver: str = "all",
) -> Attempt:
    """Try one task. `state`: where what was told before is recorded; a fresh one by default. `variant`: of stages."""
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
    settings = settings if mode in (*SESSIONS, "goal-only") else _open(settings)
    state = state or task_folder.fresh(variant)
    workspace = EvaluationWorkspace(
        task_folder.root, settings, state, task_folder.memory, direct, approver, task_folder.kept
    )
    with closing(workspace), skipped(variant):
        if mode == "goal-only":
            sent = _goal_only(task, workspace, subject, made)
        else:
            files = None if mode in SESSIONS else _files(task, task_folder, workspace, made, mode)
            sent = _session(task, workspace, subject, made, files)
    made.seconds["total"] = time.perf_counter() - began
    made.sent = sum(map(len, sent.bodies or sent.payload))
    if subject.uses is not None:
        made.tokens = subject.uses.taken()
    if mode == "raw":
        made.leakage = made.worst = 1.0
    if mode != "local":
        visible = Payload([*sent.payload, *sent.bodies])
        made.seen = [item.id for item, value in task_folder.items if visible.shows(value, text=item.sort in TEXTS)]
    if mode in REDACTORS:
        # As in the paper: what such a method leaks is the share of items that pass.
        made.leakage = made.worst = 1 - made.non_disclosure
    made.judge(task, None if mode == "goal-only" else workspace.executor.examined)
    return made


class Sent(NamedTuple):
    """What a planner was sent: envelopes or files, and the requests around them where it is a model."""

    payload: Sequence[bytes]
    bodies: Sequence[bytes]


def _files(task: Task, task_folder: TaskFolder, workspace: EvaluationWorkspace, made: Attempt, mode: str) -> Files:
    texts, goal, history = task_folder.texts, task.goal, task_folder.history
    if mode in REDACTORS:
        made.redactor = redactor(mode).described()
        texts, goal, history, made.seconds["redact"] = redacted(mode, texts, goal, history)
    return Files(goal, history, texts, lambda: workspace.names)


def _session(task: Task, workspace: EvaluationWorkspace, subject: Subject, made: Attempt, files: Files | None) -> Sent:
    planner = _planner(subject, workspace)
    if files is not None:
        send_files(planner, workspace.catalog, files)
    done = session(task.goal, workspace, planner)
    made.error, made.valid = done.error, done.ending != Ending.PLANNER
    made.failed = workspace.unanswered > 0
    made.turns = len(done.turns)
    made.executed = True
    made.seconds |= done.timings
    made.questions = workspace.consent.asked
    made.excluded = list(done.excluded)
    for turn in done.turns:
        allowed = {
            position: verdict
            for position in range(len(turn.plan.steps))
            if isinstance(verdict := turn.verdict(position), Allowed)
        }
        _collect(turn.plan, allowed, workspace.catalog, made)
    made.findings = sum(_found(done, finding.contains, finding.capability) for finding in task.findings)
    made.work = sum(_found(done, finding.contains) for finding in task.findings)
    if files is not None:
        # A model with little room is sent less than everything: what it was sent is what counts.
        return Sent([str(getattr(planner, "text", "") or files.text()).encode()], workspace.bodies)
    _disclosed(workspace, planner, made)
    return Sent([envelope.data for envelope in done.outbound], workspace.bodies)


def _disclosed(workspace: EvaluationWorkspace, planner: Planner, made: Attempt) -> None:
    """Set what a twin told: shares of budgets, and objects that can be picked out again."""
    objects = workspace.everything()
    spent = workspace.spent(objects, planner.audience)
    made.leakage, made.worst = metrics.leakage(spent), metrics.worst_leakage(spent)
    made.reidentified = reidentified(fingerprints(workspace, objects, planner.audience))


def _goal_only(task: Task, workspace: EvaluationWorkspace, subject: Subject, made: Attempt) -> Sent:
    """The goal with nothing to work on: what the plan names counts. One turn, since nothing can be carried out.

    There are no inputs to check, so that the one repair of a session is for an answer that is no plan.
    """
    planner = workspace.watched(subject.blind(workspace.catalog)) if subject.blind else _planner(subject, workspace)
    run = Run("evaluation", task.goal, planner.name, planner.audience, planner.locality)
    context = workspace.open_session(task.goal, planner, run)
    envelopes = [context.release.registration(()), context.release.request(context.selected.goal, {})]
    sent, plan = list(envelopes), Plan(steps=())
    try:
        for repaired in (False, True):
            try:
                plan = decode_plan(ask(planner, envelopes, context.seconds, context.release.payload))
                break
            except AnswerError as error:
                if repaired:
                    raise
                envelopes = [context.release.repair(error.code, error.step)]
                sent += envelopes
    except (PlannerError, WireError) as error:
        made.valid, made.error, made.failed = False, str(error), workspace.unanswered > 0
    named = dict.fromkeys(step.capability for step in plan.steps)
    made.turns = 1
    made.proposed = list(named)
    made.approved = [word for word in named if word in workspace.catalog and word not in LOOKING]
    return Sent([envelope.data for envelope in sent], workspace.bodies)


def _planner(subject: Subject, workspace: EvaluationWorkspace) -> Planner:
    planner = subject.planner(workspace.catalog)
    if isinstance(planner, Replaying):
        planner.ids = workspace.ids
    return workspace.watched(planner)


def _collect(plan: Plan, allowed: Mapping[int, Allowed], catalog: Catalog, made: Attempt) -> None:
    """Capabilities of the steps that were let through, and what their outcomes tell."""
    for position, verdict in allowed.items():
        if plan.steps[position].capability not in LOOKING:
            made.calls += 1
            made.told += metrics.grain(verdict.outcome)
    made.proposed = list(dict.fromkeys([*made.proposed, *(step.capability for step in plan.steps)]))
    steps = [plan.steps[position] for position in sorted(allowed)]
    words = [catalog[step.capability].name for step in steps if step.capability in catalog]
    made.approved = list(dict.fromkeys([*made.approved, *(word.value for word in words if word not in LOOKING)]))


def _found(done: Run, text: str, capability: CapabilityName | None = None) -> bool:
    """Whether the local result of a step, of one capability or of any, holds a text."""
    for number, turn in enumerate(done.turns, start=1):
        for step in turn.plan.steps:
            result = done.results.get((number, step.id))
            if capability in (None, step.capability) and result is not None and text in _written(result):
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
        twin=replace(settings.twin, mode="objects"),
        limits=replace(
            settings.limits, max_objects=EVERYTHING, turns_per_hour=1_000_000, fields_per_hour=1_000_000,
            refusals_per_hour=1_000_000,
        ),
    )  # fmt: skip
