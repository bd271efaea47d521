"""What a session costs, phase by phase, on every workspace: with a peer in the same run where there is one.

Sessions are real: nothing is remembered from one to the next, every step runs in a worker of its own, and the ledger
is synced. A peer does the part of the work that could not be left out: reading the files, the bare transaction, the
same function without a worker.
"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from plantwin.boundary.wire import decode_envelope, encode
from plantwin.config.settings import Settings
from plantwin.errors import InputError
from plantwin.private.capabilities import function
from plantwin.private.capabilities.engine.job import Job
from plantwin.private.environment import Environment
from plantwin.private.execution.over_sets import Task as StepTask
from plantwin.private.report.session import write as write_report
from plantwin.run import Ending, Run
from plantwin.session import run as session
from plantwin.session_context import SessionContext
from plantwin.types.capability import Capability
from plantwin.types.execution import Executed
from plantwin.workspace import Workspace
from plantwin_evals.direct import job_of
from plantwin_evals.stopwatch import Stopwatch
from plantwin_evals.suite import Task
from plantwin_evals.suite import domain as domain_of
from plantwin_evals.task_folder import TaskFolder
from plantwin_evals.workspace import Consent
from plantwin_evals.workspaces import files

if TYPE_CHECKING:
    from plantwin.cloud.planner import Planner
    from plantwin_evals.planners import Subject

SAMPLES: Final = "overhead.json"
TIMES: Final = 5
"""How often what takes under a millisecond is done."""
Render = Callable[[Run], object]
Progress = Callable[[int, int], None]


class Sample(NamedTuple):
    """One phase of one task, or of one workspace; seconds."""

    domain: str
    phase: str
    seconds: float
    peer: float | None = None
    """What the peer took for the same."""
    planner: str = "offline"


class Ran(NamedTuple):
    """One step that a worker carried out."""

    capability: Capability
    job: Job
    seconds: float
    outcome: Any
    """What it told, for whoever wants to see that a direct call tells the same."""


class Watched(Workspace):
    """A workspace whose parts are timed. Every approval is given."""

    def __init__(self, root: Path, settings: Settings, state: Path, watch: Stopwatch) -> None:
        super().__init__(root, settings=settings, state=state, approver=Consent(), jobs=1)
        self.ran: list[Ran] = []
        self._watch = watch
        watch.over(self.environment, "observe", "scan")
        watch.over_ledger(self.ledger)

    def open_session(
        self, goal: str, planner: Planner, made: Run, only: Collection[tuple[str, str]] | None = None
    ) -> SessionContext:
        """As a workspace's, with a watch on all of it."""
        with self._watch.phase("project"):
            context = super().open_session(goal, planner, made, only)
        release = ("registration", "request", "results", "repair", "turn", "answered")
        self._watch.over(context.release, "release", *release)
        self._keep(context)
        self._watch.over(context.executor, "steps", "run", "expect")
        self._watch.over(context.gatekeeper, "decide", "admit")
        self._watch.over(context.gatekeeper, "decide, a step", "gate")
        return context

    def _keep(self, context: SessionContext) -> None:
        """Remember what each worker was asked, and how long it took."""
        executor: Any = context.executor
        run = executor.run

        def kept(task: StepTask) -> Executed:
            job = job_of(context, task.capability, task.inputs)
            began = time.perf_counter()
            executed: Executed = run(task)
            took = time.perf_counter() - began
            if executed.failure is None and job is not None:
                self.ran.append(Ran(task.capability, job, took, executed.raw))
            return executed

        executor.run = kept


def measure(
    subject: Subject,
    domains: Sequence[str],
    settings: Settings,
    *,
    most: int | None = None,
    render: Render | None = None,
    progress: Progress | None = None,
) -> list[Sample]:
    """Every phase on these workspaces, with `most` tasks of each. `render`: draws a session for a person."""
    made: list[Sample] = []
    with tempfile.TemporaryDirectory(prefix="plantwin-bench-") as place:
        for number, name in enumerate(domains):
            task_folder = TaskFolder(domain_of(name), Path(place) / name)
            task_folder.fresh()  # loads what the first scan of all loads
            made += [
                Sample(name, *each, planner=subject.name) for each in _workspace(task_folder, Path(place) / f"{name}-")
            ]
            for task in domain_of(name).some(most):
                found = _session(task, task_folder, subject, settings, render)
                made += [Sample(name, *each, planner=subject.name) for each in found]
            if progress:
                progress(number + 1, len(domains))
    return made


Found = tuple[str, float, float | None]


def _workspace(task_folder: TaskFolder, state: Path) -> Iterator[Found]:
    """What is done once for a folder, and what redaction without a twin does instead."""
    from plantwin_evals.redactors import Own

    environment = Environment(task_folder.root, state=state)
    yield "observe, first time", timed(lambda: environment.scan(jobs=1)), timed(lambda: _read(task_folder.root))
    yield "observe, again", timed(lambda: environment.scan(jobs=1)), timed(lambda: _looked(task_folder.root))
    environment.close()
    texts, own = task_folder.texts, Own()
    yield "redact, without a twin", timed(lambda: [own.redact(text, path) for path, text in texts.items()]), None


def _session(
    task: Task, task_folder: TaskFolder, subject: Subject, settings: Settings, render: Render | None
) -> Iterator[Found]:
    watch = Stopwatch()
    workspace = Watched(task_folder.root, settings, task_folder.fresh(), watch)
    try:
        planner: Any = subject.planner(workspace.catalog)
        watch.over(planner, "planner", "plan")
        began = time.perf_counter()
        with watch.phase("rest"):
            done = session(task.goal, workspace, planner)
        total = time.perf_counter() - began
        if done.ending == Ending.PLANNER:
            return  # how long a call takes that fails is no figure of a session
        spent, entered = watch.spent, watch.entered
        yield "projection", spent["observe"] + spent["project"] + spent["release"], None
        yield "project", spent["project"], None
        yield "release", spent["release"], None
        yield "planner", spent["planner"], None
        if entered["decide, a step"]:
            yield "decide", (spent["decide"] + spent["decide, a step"]) / entered["decide, a step"], None
        if entered["ledger"]:
            yield "ledger", spent["ledger"] / entered["ledger"], bare(workspace.state.folder, entered["ledger"])
        for each in workspace.ran:
            yield "step", each.seconds, directly(each)
        envelopes = [decode_envelope(each.data) for each in done.outbound]
        plain = [json.loads(each.data) for each in done.outbound]
        yield (
            "encode",
            best(lambda: [encode(each) for each in envelopes]),
            best(lambda: [json.dumps(each, sort_keys=True, separators=(",", ":")) for each in plain]),
        )
        yield "report", timed(lambda: write_report(done, workspace.state.subfolder("reports"))), None
        if render is not None:
            yield "render", timed(lambda: render(done)), None
        yield "total", total, None
    finally:
        workspace.close()


def directly(ran: Ran) -> float:
    """The same function on the same files in this process, which has loaded everything that it needs."""
    run = function(ran.capability.name.value)
    run(ran.job)
    return timed(lambda: run(ran.job))


def bare(folder: Path, times: int) -> float:
    """A transaction of one row, synced to the same disk."""
    with closing(sqlite3.connect(folder / "bare.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE IF NOT EXISTS line (body BLOB)")

        def write() -> None:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO line VALUES (zeroblob(500))")
            connection.execute("COMMIT")

        write()
        return median(timed(write) for _ in range(max(TIMES, times)))


def timed(work: Callable[[], object]) -> float:
    """Seconds by the clock."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def best(work: Callable[[], object]) -> float:
    """The median of a few times."""
    return median(timed(work) for _ in range(TIMES))


def _read(root: Path) -> None:
    for name in files(root):
        sha256((root / name).read_bytes()).digest()


def _looked(root: Path) -> None:
    for folder, _, names in os.walk(root):
        for name in names:
            os.stat(f"{folder}/{name}")


def write_samples(folder: Path, samples: Sequence[Sample]) -> None:
    """Keep them in a folder of results."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SAMPLES).write_bytes(msgspec.json.encode(list(samples)))


def read_samples(folder: Path) -> list[Sample]:
    """Those that a folder of results holds."""
    try:
        return msgspec.json.decode((folder / SAMPLES).read_bytes(), type=list[Sample])
    except FileNotFoundError:
        return []
    except (OSError, msgspec.MsgspecError):
        raise InputError(f"{SAMPLES} cannot be read: run `plantwin bench overhead` again") from None
