"""Killing plantwin leaves nothing of it running, at whatever moment."""

from __future__ import annotations

import gc
import importlib.util
import os
import random
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest
from workers import CAPABILITY, executor, record, running, settled

import plantwin
from plantwin.private.capabilities import catalog
from plantwin.private.execution import kernel, launcher, worker
from plantwin.private.execution.executor import SandboxExecutor
from plantwin.private.execution.launcher import Launcher
from plantwin.private.execution.process import Bounds
from plantwin.types.verdict import Failure
from tables import value_of

BUSY = value_of(__file__, "busy")
PROJECT = "catalog()['run_tests']"
# The sandbox stops between the birth of its first process and the word that lets that one go on.
STUCK = value_of(__file__, "stuck")


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
        kernel.watch(process.pid)
        before = kernel._pipe
        for each in Path("/proc").glob("[0-9]*/cmdline"):
            parent = (each.parent / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid() and b"trap" in each.read_bytes():
                os.kill(int(each.parent.name), signal.SIGKILL)
                os.waitpid(int(each.parent.name), 0)
        kernel.watch(process.pid)
        assert kernel._pipe >= 0
        os.close(kernel._pipe)
        kernel._pipe = -1
        assert process.wait(5) == -signal.SIGKILL
        kernel.release(process.pid)
    assert before >= 0


def test_what_was_released_is_not_killed() -> None:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as process:
        kernel.watch(process.pid)
        kernel.release(process.pid)
        os.close(kernel._pipe)
        kernel._pipe = -1
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


# Workers that start before their step: each serves one job, has nothing before it, and none stays behind

ANOTHER = catalog()["compare"]
PROGRAM = {
    place.parts[2]
    for place in (Path(sys.prefix), Path(sys.base_prefix), Path(plantwin.__file__), Path(__file__))
    if place.parts[1] == "tmp"
}
"""What lies in a worker's own /tmp where the program itself is installed below that folder."""


def test_an_expected_step_gives_what_any_other_gives(tree: Path) -> None:
    (tree / "c.txt").write_text("second")
    results = []
    for expected in (False, True):
        worker = executor(tree, "honest", {"o": record("a/b.txt"), "p": record("c.txt")})
        if expected:
            worker.expect([CAPABILITY] * 2)
        assert worker.execute("s1", CAPABILITY, ["o"]).failure is None
        assert worker.execute("s2", CAPABILITY, ["p", "s1", "o"]).failure is None
        results.append(worker.results)
        worker.close()
    assert results[0] == results[1]


def test_no_worker_serves_two_steps(tree: Path) -> None:
    token = uuid.uuid4().hex
    for number in range(4):
        (tree / f"{number}.txt").write_text(f"content {number}")
    objects = {f"o{number}": record(f"{number}.txt") for number in range(4)}
    worker = executor(tree, "remembers", objects, token=token)
    worker.expect([CAPABILITY] * 4)
    for number in range(4):
        assert worker.execute(f"s{number}", CAPABILITY, [f"o{number}"]).failure is None
        facts = worker.results[f"s{number}"].facts
        assert facts["served"] == [f"content {number}"]
        assert set(facts["left"]) - PROGRAM == {"in"}
        assert facts["file"] == f"{launcher.COPIES}/0"
    assert running(token) == 0


def test_one_that_waits_sees_no_input_and_is_told_no_name(tree: Path) -> None:
    token = uuid.uuid4().hex
    worker = executor(tree, "honest", token=token)
    worker.expect([CAPABILITY])
    try:
        assert settled(token, 1)
        seen = 0
        for each in Path("/proc").glob("[0-9]*"):
            try:
                if token.encode() not in (each / "cmdline").read_bytes():
                    continue
                words, mounts = (each / "cmdline").read_text(), (each / "mountinfo").read_text()
                opened = [str(fd.readlink()) for fd in (each / "fd").iterdir()]
            except OSError:
                continue
            seen += 1
            assert "b.txt" not in words
            assert not [fd for fd in opened if fd.startswith(str(tree))]
            if "bwrap" not in words.split("\0")[0]:
                assert str(tree) not in mounts
        assert seen
    finally:
        worker.close()
    assert running(token) == 0


def test_those_of_steps_that_were_skipped_end(tree: Path) -> None:
    token = uuid.uuid4().hex
    worker = executor(tree, "honest", token=token)
    worker.expect([ANOTHER, CAPABILITY])
    assert settled(token, 1)
    assert worker.execute("s1", CAPABILITY, ["o"]).failure is None
    assert running(token) == 0
    assert worker.execute("s2", CAPABILITY, ["o"]).failure is None


@pytest.mark.parametrize("how", ["close", "forget", "expect", "dropped"])
def test_none_outlives_its_plan(tree: Path, how: str) -> None:
    token = uuid.uuid4().hex
    worker = executor(tree, "honest", token=token)
    worker.expect([CAPABILITY] * 3)
    assert settled(token, 1)
    if how == "dropped":
        del worker
        gc.collect()
    elif how == "expect":
        worker.expect([])
    else:
        getattr(worker, how)()
    assert running(token) == 0


def test_one_that_died_while_it_waited_is_replaced(tree: Path) -> None:
    worker = executor(tree, "honest")
    worker.expect([CAPABILITY])
    for each in worker._room._waiting:
        each.program._process.kill()
        while each.alive:
            time.sleep(0.01)
    assert worker.execute("s1", CAPABILITY, ["o"]).failure is None
    assert worker.results["s1"].facts["texts"] == ["hello"]


def test_a_sandbox_that_cannot_start_leaves_nobody_waiting(tree: Path) -> None:
    worker = executor(tree, "honest")
    assert worker._launcher.tool is not None
    worker._launcher.tool = worker._launcher.tool._replace(program="/nowhere/bwrap")
    worker.expect([CAPABILITY])
    assert worker._room._waiting == []
    assert worker.execute("s1", CAPABILITY, ["o"]).failure is Failure.CRASHED


def test_time_counts_from_the_job_on(tree: Path) -> None:
    worker = executor(tree, "sleeps")
    worker.expect([CAPABILITY])
    before = time.monotonic()
    ended = worker._room.take("summarize")
    assert ended is not None
    assert ended.finish(b"{}", Bounds(0.3, 1, 1000)).failure in (Failure.TIMEOUT, Failure.CRASHED)
    assert time.monotonic() - before < 5


def test_inputs_that_are_too_large_for_a_copy_are_shown_instead(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launcher, "MOST", 4)
    token = uuid.uuid4().hex
    worker = executor(tree, "remembers", token=token)
    worker.expect([CAPABILITY])
    assert worker.execute("s1", CAPABILITY, ["o"]).failure is None
    facts = worker.results["s1"].facts
    assert (facts["served"], set(facts["left"]) - PROGRAM, facts["file"]) == (["hello"], set(), "/in/0")
    assert running(token) == 0


def test_a_file_that_changes_while_it_is_copied_is_not_copied(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tree / "a" / "b.txt"
    real = launcher.read
    with file.open("rb") as opened:
        assert launcher.copied([opened.fileno()], 1 << 20) == [b"hello"]
        assert launcher.copied([opened.fileno()], 16) is None

        def read(descriptor: int, size: int) -> bytes:
            file.write_text("longer than before")
            return real(descriptor, size)

        monkeypatch.setattr(launcher, "read", read)
        assert launcher.copied([opened.fileno()], 1 << 20) is None


def test_what_needs_more_than_its_inputs_is_not_started_early(tree: Path) -> None:
    worker = executor(tree, "honest")
    worker.expect([catalog()["run_tests"], catalog()["lint"], catalog()["describe"]])
    assert worker._room._waiting == []


def test_without_a_sandbox_nobody_waits(tree: Path, mode: str) -> None:
    worker = executor(tree, "honest")
    worker.expect([CAPABILITY])
    assert bool(worker._room._waiting) == (mode == "sandbox")
    assert worker.execute("s1", CAPABILITY, ["o"]).failure is None
    worker.close()


@pytest.mark.parametrize("name", sorted(name for name in catalog() if name not in ("describe", "split")))
def test_what_a_built_in_loads_is_known(name: str) -> None:
    worker.load_modules(name)


def test_the_shipped_capabilities_run_in_workers_that_waited(tree: Path) -> None:
    (tree / "a" / "b.txt").write_text("import os\nos.system(input())\n")
    worker = SandboxExecutor(Launcher(tree), {"o": record("a/b.txt")}, scanned_ns=2**62)
    steps = [catalog()[name] for name in ("security_audit", "secret_scan", "summarize")]
    worker.expect(steps)
    for each in steps:
        assert worker.execute(each.name.value, each, ["o"]).failure is None, worker.errors
    assert worker._room._waiting == []


@pytest.mark.parametrize("module", sorted(worker.ALSO))
def test_what_is_loaded_ahead_exists(module: str) -> None:
    assert importlib.util.find_spec(module) is not None
