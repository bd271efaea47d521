"""Whatever the state folder keeps is a regular file of the person's own: nothing else is opened, written or trusted."""

from __future__ import annotations

import importlib
import json
import os
import sqlite3
import sys
from pathlib import Path

import pytest

from benchmarks.redteam.__main__ import ATTACKS
from benchmarks.redteam.score import Score, table
from plantwin.cloud.planner import Uses
from plantwin.errors import PlanTwinError
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.private.index import Index
from plantwin.private.lineage.store import Remembered
from plantwin.private.queue import ApprovalQueue
from plantwin.private.state import State
from plantwin.statefiles import connect_own
from plantwin.surfaces.cli.doctor import state_findings

REFUSED = (PlanTwinError, OSError)
THEIRS = json.dumps({"forms": {"endpoint": ["theirs", 1 << 40]}}).encode()


def uses(path):
    """That what was used cannot be read or counted never stops a session."""
    if path.suffix != ".json":
        Uses(path.parent).remember("endpoint", "form")
    assert Uses(path.parent).form("endpoint") is None
    raise OSError


OPENED = {
    "index": ("index.db", lambda path: Index(path, "1").records()),
    "approvals": ("queue.db", ApprovalQueue),
    "lineage": ("lineage/lineage.db", lambda path: Remembered(State(path.parent.parent), lambda: False)),
    "mark of the lineage": ("keys/lineage.mark", lambda path: Remembered(State(path.parent.parent), lambda: False)),
    "key": ("keys/local.key", lambda path: State(path.parent.parent).key),
    "ledger": ("ledger.db", lambda path: SqliteLedger(path, bytes(32))),
    "journal of the ledger": ("ledger.db-wal", lambda path: SqliteLedger(path.with_name("ledger.db"), bytes(32))),
    "journal of the approvals": ("queue.db-wal", lambda path: ApprovalQueue(path.with_name("queue.db"))),
    "use": ("use.json", uses),
    "lock of the use": ("use.lock", uses),
}


def planted(path: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What an attacker leaves in the place of a state file; the file that they want to be written or read."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    target = path.parent.parent / "target"
    target.write_bytes(THEIRS)
    if what == "link":
        path.symlink_to(target)
    elif what == "pipe":
        os.mkfifo(path, 0o600)
    else:
        target = path
        path.write_bytes(THEIRS)
        path.chmod(0o666)
        if os.geteuid() == 0:
            os.chown(path, 12345, 12345)
        else:
            monkeypatch.setattr(os, "geteuid", lambda: 12345)
    return target


@pytest.mark.parametrize("what", ["link", "pipe", "file of another user"])
@pytest.mark.parametrize("name", OPENED)
def test_a_planted_link_pipe_or_foreign_file_is_not_opened_as_state(tmp_path, monkeypatch, name, what):
    file, use = OPENED[name]
    place = tmp_path / "state" / file
    place.parent.mkdir(mode=0o700, parents=True)
    target = planted(place, what, monkeypatch)
    with pytest.raises(REFUSED):
        use(place)
    if what != "pipe":
        assert target.read_bytes() == THEIRS


def test_a_database_is_closed_to_others_before_anything_is_written(tmp_path):
    path = tmp_path / "some.db"
    path.touch(0o666)
    path.chmod(0o666)
    connection = connect_own(path, isolation_level=None)
    assert path.stat().st_mode & 0o777 == 0o600
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(sqlite3.ProgrammingError):
        connection.execute("SELECT 1")


@pytest.mark.parametrize("what", ["link", "pipe", "file of another user", "link to a folder"])
def test_doctor_names_what_was_planted_in_the_state_folder(tmp_path, monkeypatch, what):
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    found = {name: sound for name, sound, _ in state_findings(str(state))}
    assert found["files"] and found["permissions"]
    if what == "link to a folder":
        (state / "index").symlink_to(tmp_path)
    else:
        planted(state / "index" / "some.db", what, monkeypatch)
    ((sound, detail),) = [(sound, detail) for name, sound, detail in state_findings(str(state)) if name == "files"]
    assert not sound
    assert detail.startswith("index") and "move it away" in detail


sys.path.insert(0, str(Path(__file__).resolve().parents[2]))


# The attacks of `benchmarks.redteam`, in their short form: each is carried out, and none succeeds

ELSEWHERE = {"kills", "racing"}
"""These have tests of their own beside this one, with more attempts than a short form."""


@pytest.mark.parametrize("name", [name for name in ATTACKS if name not in ELSEWHERE])
def test_no_attack_succeeds(name, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    made = importlib.import_module(f"benchmarks.redteam.{name}").attack(tmp_path, short=True)
    scores = [made] if isinstance(made, Score) else made
    assert scores and all(score.attempts for score in scores)
    assert [(score.attack, score.note) for score in scores if score.successes] == [], table(scores)
    assert all(score.told <= score.charged for score in scores)
