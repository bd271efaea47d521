"""A ledger that was removed or put back stops every session until the person decides."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from command_line import Cli

from scripts import GOAL, plan, script, step


@pytest.fixture
def session(cli: Cli, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """A session that tells something; the state folder is not in a temporary place, as far as it can know."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "elsewhere").mkdir()
    answers = plan(step("d", "describe", "@kind=config"))
    return lambda: cli("run", GOAL, "--per-object", "--root", tree, "--planner", script(tmp_path, answers), "--json")


@pytest.mark.parametrize("removed", ["ledger", "ledger/ledger.db", "."])
def test_a_removed_ledger_stops_the_next_session(cli: Cli, session, state: Path, removed: str) -> None:
    assert session().code == 0
    gone = state / removed
    gone.unlink() if gone.is_file() else shutil.rmtree(gone)
    if removed.endswith(".db"):
        for other in (state / "ledger").glob("ledger.db-*"):
            other.unlink()
    ran = session()
    assert ran.code == 1
    assert "accept-rollback" in ran.err


def test_a_backup_put_back_is_accepted_by_the_person_alone_and_the_trail_says_so(
    cli: Cli, session, state: Path, tmp_path: Path
) -> None:
    assert session().code == 0
    shutil.copytree(state / "ledger", tmp_path / "backup")
    assert cli("audit", "accept-rollback").out.startswith("The ledger is as it was left")
    assert session().code == 0
    shutil.rmtree(state / "ledger")
    shutil.copytree(tmp_path / "backup", state / "ledger")
    (state / "ledger").chmod(0o700)
    assert session().code == 1
    refused = cli("audit", "accept-rollback")
    assert (refused.code, "nothing was changed" in refused.err) == (1, True)
    assert session().code == 1
    accepted = cli("audit", "accept-rollback", "--yes")
    assert (accepted.code, accepted.out.startswith("Accepted")) == (0, True)
    last = cli("audit", "show", "--last", 1, "--json").json["lines"][0]
    assert (last["kind"], last["body"]["warning"]) == ("warning", "rollback_accepted")
    assert cli("audit", "verify").code == 0
    assert session().code == 0


def test_accepting_does_not_repair_what_was_changed(cli: Cli, session, state: Path) -> None:
    assert session().code == 0
    (state / "ledger" / "ledger.db.anchor").write_bytes(b"x" * 120)
    assert "anchor was changed" in cli("audit", "accept-rollback", "--yes").err


@pytest.mark.parametrize(
    "name", ["keys/local.key", "lineage/lineage.db", "ledger/ledger.db", "ledger/ledger.db.anchor", "planners/use.json"]
)
@pytest.mark.parametrize("what", ["link", "pipe"])
def test_links_and_pipes_in_the_state_folder_are_refused(
    cli: Cli, session, state: Path, tmp_path: Path, name: str, what: str
) -> None:
    assert session().code == 0
    path, target = state / name, tmp_path / "target"
    path.parent.mkdir(exist_ok=True, mode=0o700)
    if path.exists():
        path.rename(target)
    else:
        target.write_text("{}")
    target.chmod(0o644)
    if what == "link":
        path.symlink_to(target)
    else:
        os.mkfifo(path)
    ran = session()
    assert (ran.code, "not a regular file of your own" in ran.err) == (1, True), ran.err
    assert target.stat().st_mode & 0o777 == 0o644


def test_a_state_folder_that_others_may_write_is_refused(cli: Cli, session, state: Path) -> None:
    assert session().code == 0
    state.chmod(0o777)
    ran = session()
    assert (ran.code, "chmod go-w" in ran.err) == (1, True)
