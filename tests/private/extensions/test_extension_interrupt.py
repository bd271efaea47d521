"""Ctrl-C in a session: once skips the step that runs, twice ends the session; what was done is kept either way."""

from __future__ import annotations

import os
import signal
import threading
import time
import uuid
from pathlib import Path

import pytest
from scenes import folder, outcomes, session, settings, step

from plantwin.run import Ending
from plantwin.types.verdict import Allowed, Failure
from tables import value_of

AUTH = "@semantic_class=authentication_module"
SLOW = value_of(__file__, "slow")


def _running(token: str) -> bool:
    """Whether the program of a step runs: the shell that was given the token."""
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = each.read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"sh") and token.encode() in b" ".join(words):
            return True
    return False


def _press(token: str, times: int) -> None:
    """Press Ctrl-C while the slow step runs, each time that it does."""
    for _ in range(times):
        until = time.monotonic() + 25
        while not _running(token) and time.monotonic() < until:
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)
        while _running(token) and time.monotonic() < until:
            time.sleep(0.02)


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_skips_one_step_and_twice_ends_the_session(times: int, tmp_path: Path) -> None:
    token = uuid.uuid4().hex
    (tmp_path / "config").mkdir()
    chosen = settings(tmp_path / "config", SLOW.replace("TOKEN", token))
    slow = [step("@like=lint", AUTH, id_=f"s{number}") for number in range(times)]
    plan = {"steps": [*slow, step("summarize", AUTH, id_="last"), step("summarize", "s0", id_="after")]}
    presses = threading.Thread(target=_press, args=(token, times))
    presses.start()
    done, planner = session(folder(tmp_path), tmp_path / "state", [plan], "Lint it", settings=chosen)
    presses.join()
    first = done.turns[0].verdict(0)
    assert isinstance(first, Allowed)
    assert first.failure is Failure.INTERRUPTED
    assert done.ending is Ending.INTERRUPTED
    if times == 2:
        assert done.turns[0].verdict(2) is None
        assert outcomes(planner) == []
        return
    (heard,) = outcomes(planner)
    assert [each["status"] for each in heard] == ["failed", "done", "rejected"]
    assert set(heard[0]) == {"status"}
    assert (1, "last") in done.results
    assert not _running(token)
