"""Workers that start before their step: each serves one job, has nothing before it, and none stays behind."""

from __future__ import annotations

import gc
import importlib.util
import sys
import time
import uuid
from pathlib import Path

import pytest
from workers import CAPABILITY, executor, record, running, settled

import plantwin
from plantwin.private.capabilities import catalog
from plantwin.private.execution import Launcher, SandboxExecutor, waiting, worker
from plantwin.private.execution.process import Bounds
from plantwin.types.verdict import Failure

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
        assert facts["file"] == f"{waiting.COPIES}/0"
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
    monkeypatch.setattr(waiting, "MOST", 4)
    token = uuid.uuid4().hex
    worker = executor(tree, "remembers", token=token)
    worker.expect([CAPABILITY])
    assert worker.execute("s1", CAPABILITY, ["o"]).failure is None
    facts = worker.results["s1"].facts
    assert (facts["served"], set(facts["left"]) - PROGRAM, facts["file"]) == (["hello"], set(), "/in/0")
    assert running(token) == 0


def test_a_file_that_changes_while_it_is_copied_is_not_copied(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tree / "a" / "b.txt"
    real = waiting.read
    with file.open("rb") as opened:
        assert waiting.copied([opened.fileno()], 1 << 20) == [b"hello"]
        assert waiting.copied([opened.fileno()], 16) is None

        def read(descriptor: int, size: int) -> bytes:
            file.write_text("longer than before")
            return real(descriptor, size)

        monkeypatch.setattr(waiting, "read", read)
        assert waiting.copied([opened.fileno()], 1 << 20) is None


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
