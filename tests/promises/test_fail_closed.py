"""Promise 7: what fails stops everything. Nothing is sent, nothing is run, and the person is told which part it was."""

from __future__ import annotations

import pytest
from scenes import GOAL, folder, session, settings, step, workspace

from plantwin.cloud.scripted import Scripted
from plantwin.errors import GateError, LedgerError, PolicyError
from plantwin.run import Ending
from plantwin.session import run
from tables import cases

AUTH = "@semantic_class=authentication_module"


@pytest.fixture(autouse=True)
def no_config(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@cases("text")
def test_a_policy_that_is_empty_broken_or_mistyped_stops_everything(tmp_path, text):
    (tmp_path / "own.cedar").write_text(text)
    own = settings(tmp_path, '[policy]\nfile = "own.cedar"\n')
    with pytest.raises(PolicyError):
        session(folder(tmp_path), tmp_path / "state", [], settings=own)
    assert not list((tmp_path / "state").glob("ledger/*.db"))


def test_a_folder_of_which_every_file_is_denied_by_its_label_is_not_taken_for_an_empty_one(tmp_path):
    own = settings(tmp_path, '[policy]\nname = "strict"\n\n[[labels]]\nglob = "**"\nlabel = "private"\n')
    planner = Scripted([])
    with workspace(folder(tmp_path), tmp_path / "state", settings=own) as made:
        finished = run(GOAL, made, planner)
    assert finished.ending is Ending.GATE
    assert "permits nothing on this folder" in finished.error
    assert planner.received == [], "not even the words of the request"


def test_a_ledger_that_cannot_be_written_sends_nothing(tmp_path):
    root, state = folder(tmp_path), tmp_path / "state"
    planner = Scripted([])
    with workspace(root, state) as made:

        def refuse(*_):
            raise LedgerError("the disk is full")

        made.ledger.transact = refuse
        finished = run(GOAL, made, planner)
    assert (finished.ending, finished.error) == (Ending.GATE, "the disk is full")
    assert planner.received == []
    assert finished.outbound == []


def test_a_damaged_ledger_is_never_started_anew(tmp_path):
    root, state = folder(tmp_path), tmp_path / "state"
    session(root, state, [])
    for path in (state / "ledger").glob("ledger.db*"):
        if not path.name.endswith("anchor"):
            path.unlink()
    planner = Scripted([])
    with pytest.raises(GateError), workspace(root, state) as made:
        run(GOAL, made, planner)
    assert planner.received == []


def test_a_sandbox_that_is_required_and_missing_runs_nothing(tmp_path, monkeypatch):
    from plantwin.private.execution import sandbox

    monkeypatch.setattr(sandbox, "bubblewrap", lambda: None)
    strict = settings(tmp_path, "[sandbox]\nrequire = true\n")
    made, _ = session(
        folder(tmp_path), tmp_path / "state", [{"steps": [step("security_audit", AUTH)]}], settings=strict
    )
    assert made.turns[0].verdicts[0].code == "no_sandbox"
    assert made.results == {}


def test_the_hourly_limit_of_turns_stops_before_anything_is_sent(tmp_path):
    root, state = folder(tmp_path), tmp_path / "state"
    slow = settings(tmp_path, "[limits]\nturns_per_hour = 1\n")
    session(root, state, [], settings=slow)
    planner = Scripted([])
    planner.sends = True
    with workspace(root, state, settings=slow) as made:
        finished = run(GOAL, made, planner)
    assert finished.ending is Ending.GATE
    assert "turns_per_hour" in finished.error
    assert planner.received == []
