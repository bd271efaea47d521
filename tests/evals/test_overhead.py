"""Time by phase: every second counts once, peers do the same work, and tables stand beside the paper's."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from plantwin.cloud.offline import Offline
from plantwin.errors import InputError, PlannerError
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.private.capabilities import catalog, function
from plantwin.private.capabilities.engine.job import Input, Result, Surroundings
from plantwin.private.execution.calls import Called
from plantwin.private.execution.enclosure import Survey
from plantwin.session import run
from plantwin.types.capability import Capability
from plantwin.types.ledger import Audience, Decision, Entry
from plantwin.types.verdict import Failure
from plantwin_evals import paper
from plantwin_evals.configurations import Configuration
from plantwin_evals.direct import KeptCalls
from plantwin_evals.overhead import SAMPLES, Sample, Watched, bare, measure, read_samples, write_samples
from plantwin_evals.overhead_tables import latency_table, phase_table
from plantwin_evals.planners import Subject
from plantwin_evals.stopwatch import Stopwatch
from plantwin_evals.suite import domain
from plantwin_evals.task_folder import TaskFolder

AUDIENCE = Audience("someone", ("someone",))


def test_time_of_a_phase_inside_another_counts_for_the_inner_one() -> None:
    watch = Stopwatch()
    with watch.phase("outer"):
        time.sleep(0.01)
        with watch.phase("inner"):
            time.sleep(0.05)
    assert watch.spent["inner"] >= 0.05 > watch.spent["outer"] >= 0.01
    assert watch.entered == {"outer": 1, "inner": 1}


def test_what_is_decided_inside_a_transaction_counts_for_who_decides(tmp_path: Path) -> None:
    watch, ledger = Stopwatch(), SqliteLedger(tmp_path / "ledger.db", bytes(32))
    watch.over_ledger(ledger)

    def decide(known: object) -> Decision[str]:
        time.sleep(0.2)
        return Decision("said", entries=(Entry("warning", b"{}"),))

    with watch.phase("release"):
        assert ledger.transact(AUDIENCE, [], decide).value == "said"
        assert ledger.known(AUDIENCE, [bytes(32)])[bytes(32)].spent == 0
    ledger.close()
    assert watch.spent["release"] >= 0.2 > watch.spent["ledger"] > 0
    assert watch.entered == {"release": 1, "ledger": 1, "ledger, looking": 1}


class Lost:
    """A planner whose server is not there."""

    name = audience = "lost"
    locality = "local"

    def plan(self, envelopes: object) -> bytes:
        raise PlannerError("nothing listens")


def test_a_call_that_fails_is_no_figure_of_a_session() -> None:
    settings = Configuration("overhead", "lost", "twin").settings()
    samples = measure(Subject("lost", lambda _: Lost()), ["documents"], settings, most=1)
    assert {each.phase for each in samples} == {"observe, first time", "observe, again", "redact, without a twin"}


def test_a_failure_ends_its_phase() -> None:
    watch = Stopwatch()
    with pytest.raises(KeyError), watch.phase("outer"), watch.phase("inner"):
        raise KeyError
    with watch.phase("later"):
        pass
    assert watch.spent.keys() == {"outer", "inner", "later"}


def test_a_direct_call_tells_what_the_worker_told(tmp_path: Path) -> None:
    one = domain("coding")
    task_folder = TaskFolder(one, tmp_path)
    watch = Stopwatch()
    workspace = Watched(task_folder.root, Configuration("o", "offline", "twin").settings(), task_folder.fresh(), watch)
    try:
        with watch.phase("rest"):
            done = run(one.tasks[0].goal, workspace, Offline(workspace.catalog))
    finally:
        workspace.close()
    assert done.error == "" and workspace.ran
    for each in workspace.ran:
        assert function(each.capability.name.value)(each.job).outcome == each.outcome
    assert {"observe", "project", "release", "decide", "ledger", "steps"} <= watch.spent.keys()
    assert watch.spent["steps"] >= sum(each.seconds for each in workspace.ran)


def test_a_worker_is_asked_once_in_a_whole_run(tmp_path: Path) -> None:
    """Tests are run once for a choice of tests; other steps once for their inputs; what failed is tried again."""
    for name in ("app.py", "test_app.py"):
        (tmp_path / name).write_text("pass\n")
    asked: list[str] = []

    class Workers:
        def around(self, *_: object) -> Surroundings:
            return Surroundings()

        def surveyed(self) -> Survey:
            return Survey((), "", ())

        def call(self, capability: Capability, *_: object) -> Called:
            asked.append(capability.word)
            failing = capability.word == "lint" and asked.count("lint") == 1
            return Called(failure=Failure.CRASHED) if failing else Called(result=Result(outcome={"n": len(asked)}))

    workers: Any = Workers()
    known, app, test = catalog(), Input(name="app.py", kind="code_file"), Input(name="test_app.py", kind="code_file")

    def call(word: str, *inputs: Input) -> Called:
        return KeptCalls(workers, tmp_path, tmp_path / "calls").call(known[word], inputs, "", {}, 1.0)

    first = call("run_tests", test)
    assert call("run_tests", test) == call("run_tests", test, test) == first and asked == ["run_tests"]
    call("run_tests", app)  # found by its name: the result says how
    assert [call("lint", app).failure for _ in range(3)] == [Failure.CRASHED, None, None]
    call("lint", test)
    assert asked == ["run_tests", "run_tests", "lint", "lint", "lint"]


def test_a_bare_transaction_is_real(tmp_path: Path) -> None:
    assert bare(tmp_path, 3) > 0 and (tmp_path / "bare.db").stat().st_size > 0


SOME = [
    Sample("coding", "step", 0.2, 0.1),
    Sample("coding", "step", 0.4, 0.1),
    Sample("coding", "step", 0.3, None),
    Sample("devops", "step", 0.5, 0.05),
    Sample("api", "step", 0.1, None),
    Sample("coding", "planner", 0.004),
    Sample("coding", "projection", 0.05),
    Sample("coding", "total", 1.0),
    Sample("coding", "total", 3.0),
    Sample("devops", "total", 4.0),
]


def test_phases_are_medians_over_workspaces_with_their_spread_and_a_ratio_in_pairs() -> None:
    rows = {row[0]: row for row in phase_table(SOME).rows}
    # Workspaces: 300, 500 and 100 ms; where the peer ran, 3 and 10 times what it took.
    assert rows["step"] == ("step", "step", "300", "100", "500", "direct call", "75.0", "6.5", None)
    assert rows["planner"][2] == "4.0" and rows["planner"][5:8] == (None, None, None)
    assert rows["planner"][8] == "8.9 to 81.2 s in a cloud"
    assert "ledger" not in rows


def test_latency_stands_beside_every_line_of_the_paper() -> None:
    table = latency_table(SOME)
    ours, *others = table.rows
    found = dict(zip(table.columns, ours, strict=True))
    assert found["configuration"] == "twin + offline, here"
    assert (found["projection"], found["planner"], found["Code"], found["DevOps"]) == (0.05, 0.004, 2.0, 4.0)
    assert found["API"] is None and found["median"] == 3.0
    assert [row[0] for row in others] == [f"{row.name}, paper" for row in paper.ROWS]


def test_samples_are_kept_and_damage_is_told(tmp_path: Path) -> None:
    assert read_samples(tmp_path) == []
    write_samples(tmp_path, SOME)
    assert read_samples(tmp_path) == SOME
    (tmp_path / SAMPLES).write_text("[[")
    with pytest.raises(InputError, match="bench overhead"):
        read_samples(tmp_path)
