"""Killing plantwin leaves nothing of it running, at whatever moment."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest
from workers import running, settled

from plantwin.private.execution import guard

BUSY = """
import os, sys, time
from pathlib import Path
sys.path.insert(0, {here!r})
from workers import CAPABILITY, executor, record
from plantwin.private.capabilities import catalog
{more}
worker = executor(Path({root!r}), "naps", {{"o": record("sleep.txt"), "p": record("a/b.txt")}}, token={token!r})
print("started", flush=True)
while True:
    worker.expect([CAPABILITY] * 3)
    worker.execute("s1", CAPABILITY, ["p"])
    worker.execute("s2", {capability}, ["o"])
"""
PROJECT = "catalog()['run_tests']"
# The sandbox stops between the birth of its first process and the word that lets that one go on.
STUCK = """
import fcntl
from plantwin.private.execution import launcher as executing
pipe = os.pipe
def full():
    ends = pipe()
    os.set_blocking(ends[1], False)
    try:
        while os.write(ends[1], bytes(1 << 16)):
            pass
    except BlockingIOError:
        os.set_blocking(ends[1], True)
    return ends
class Slow:
    def __getattr__(self, name):
        return full if name == "pipe" else getattr(os, name)
executing.os = Slow()
"""


def started(tree: Path, token: str, capability: str = "CAPABILITY", more: str = "") -> subprocess.Popen[bytes]:
    (tree / "sleep.txt").write_text("sleep")
    code = BUSY.format(here=str(Path(__file__).parent), root=str(tree), token=token, capability=capability, more=more)
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(
        [sys.executable, "-B", "-c", code], stdout=subprocess.PIPE, env=environment, start_new_session=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"started\n"
    return process


@pytest.mark.parametrize("capability", ["CAPABILITY", PROJECT])
def test_killing_plantwin_at_any_moment_leaves_nothing_running(tree: Path, capability: str) -> None:
    # Each carries the token in its command line, so that an orphan of any shape is found.
    chosen = random.Random(7)
    tokens = []
    for _ in range(8):
        token = uuid.uuid4().hex
        with started(tree, token, capability) as process:
            time.sleep(chosen.random() * 0.5)
            process.send_signal(signal.SIGKILL)
        tokens.append(token)
    assert [token for token in tokens if not settled(token, 0, 5)] == []


def test_killing_plantwin_while_a_sandbox_is_being_made_leaves_nothing_running(tree: Path) -> None:
    token = uuid.uuid4().hex
    with started(tree, token, more=STUCK) as process:
        assert settled(token, 1)
        time.sleep(0.5)
        process.kill()
    assert settled(token, 0, 5)


def test_a_worker_without_a_job_ends(tree: Path) -> None:
    token = uuid.uuid4().hex
    with started(tree, token) as process:
        assert settled(token, 1)
        # The guard is gone too: the end of the pipe from which a worker reads its job has to do.
        for each in Path("/proc").glob("[0-9]*/stat"):
            parts = each.read_text().rpartition(")")[2].split()
            if int(parts[1]) == process.pid and b"trap" in (each.parent / "cmdline").read_bytes():
                os.kill(int(each.parent.name), signal.SIGKILL)
        process.kill()
    assert settled(token, 0, 5)


def test_a_guard_that_was_ended_is_replaced() -> None:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as process:
        guard.watch(process.pid)
        before = guard._pipe
        for each in Path("/proc").glob("[0-9]*/cmdline"):
            parent = (each.parent / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid() and b"trap" in each.read_bytes():
                os.kill(int(each.parent.name), signal.SIGKILL)
                os.waitpid(int(each.parent.name), 0)
        guard.watch(process.pid)
        assert guard._pipe >= 0
        os.close(guard._pipe)
        guard._pipe = -1
        assert process.wait(5) == -signal.SIGKILL
        guard.release(process.pid)
    assert before >= 0


def test_what_was_released_is_not_killed() -> None:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as process:
        guard.watch(process.pid)
        guard.release(process.pid)
        os.close(guard._pipe)
        guard._pipe = -1
        time.sleep(0.3)
        assert process.poll() is None
        process.kill()


def test_a_fork_does_not_keep_the_guard_from_seeing_the_end(tree: Path) -> None:
    token = uuid.uuid4().hex
    fork = "import threading\nthreading.Timer(0.4, lambda: os.fork() or time.sleep(20)).start()"
    with started(tree, token, more=fork) as process:
        assert settled(token, 1)
        time.sleep(0.8)
        process.kill()
        process.wait()
        leader = process.pid
        until = time.monotonic() + 5
        # The fork itself carries the token too, in the command line that it shares.
        while running(token) > 1 and time.monotonic() < until:
            time.sleep(0.05)
        assert running(token) <= 1
        os.killpg(leader, signal.SIGKILL)
    assert settled(token, 0, 5)
