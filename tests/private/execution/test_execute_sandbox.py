"""What a worker sees of the machine, how the sandbox is found, and that it never outlives who started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import sysconfig
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from workers import CAPABILITY, executor, settled

from plantwin.private.execution import calls as executing
from plantwin.private.execution import launcher as launching
from plantwin.private.execution import sandbox
from plantwin.private.execution.protocol import MB, Limits
from plantwin.types.verdict import Failure
from tables import cases, value_of


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    sandbox.bubblewrap.cache_clear()
    yield
    sandbox.bubblewrap.cache_clear()


def test_nothing_but_the_inputs_can_be_read(tree: Path) -> None:
    state = tree.parent / "state"
    state.mkdir()
    (state / "key").write_text("the-key")
    outside = [tree / "secret.txt", tree / "a" / "b.txt", tree, tree / "a", state / "key", state, tree.parent]
    (tree / "a" / "b.txt").write_text("\n".join(map(str, outside)))
    worker = executor(tree, "reads", private=[state])
    assert worker.sandboxed
    worker.execute("s1", CAPABILITY, ["o"])
    read = worker.results["s1"].facts["read"]
    assert isinstance(read, dict)
    assert len(read) == len(outside) + 12
    assert {str(each) for each in outside} < set(read)
    assert set(read.values()) == {"FileNotFoundError"}


def test_only_its_temporary_folder_can_be_written_and_that_is_small(tree: Path) -> None:
    worker = executor(tree, "writes", limits=Limits(seconds=20, scratch=8 * MB))
    worker.execute("s1", CAPABILITY, ["o"])
    facts = dict(worker.results["s1"].facts)
    assert facts.pop("scratch") == "did: 1"
    assert set(facts) == {"input", "mode", "remove", "root", "package", "beside", "fill"}
    assert set(facts.values()) == {"OSError"}
    assert (tree / "a" / "b.txt").read_text() == "hello"


def test_the_worker_is_nobody_on_a_nameless_machine(tree: Path) -> None:
    worker = executor(tree, "surroundings")
    worker.execute("s1", CAPABILITY, ["o"])
    facts = worker.results["s1"].facts
    assert (facts["uid"], facts["host"]) == (65534, "worker")
    assert not {"proc", "sys", "home", "var", "run", "boot", "mnt", "srv"} & set(facts["root"])  # type: ignore[call-overload]


def test_a_private_folder_inside_what_is_shown_is_hidden() -> None:
    tool = sandbox.Bubblewrap("bwrap", True, True)
    installed = Path(sysconfig.get_path("purelib")).resolve()
    words = sandbox.command(tool, (), MB, private=[installed / "msgspec", Path("/elsewhere")])
    shown, hidden = words.index(str(installed)), words.index(str(installed / "msgspec"))
    assert words[shown - 1] == "--ro-bind-try"
    assert words[hidden - 1 : hidden + 3] == ["--tmpfs", words[hidden], "--remount-ro", words[hidden]]
    assert shown < hidden
    assert "/elsewhere" not in words


def test_a_hidden_folder_is_empty_for_the_worker(tree: Path) -> None:
    installed = Path(sysconfig.get_path("purelib")).resolve()
    seen, unseen = installed / "msgspec" / "py.typed", installed / "pytest" / "py.typed"
    assert seen.exists()
    assert unseen.exists()
    (tree / "a" / "b.txt").write_text(f"{seen}\n{unseen}")
    worker = executor(tree, "reads", private=[installed / "pytest"])
    worker.execute("s1", CAPABILITY, ["o"])
    read = worker.results["s1"].facts["read"]
    assert isinstance(read, dict)
    assert (read[str(seen)].split(":")[0], read[str(unseen)]) == ("did", "FileNotFoundError")


def test_a_private_folder_that_the_worker_needs_ends_in_failure(tree: Path) -> None:
    worker = executor(tree, "honest", private=[Path(sysconfig.get_path("purelib"))])
    assert worker.execute("s1", CAPABILITY, ["o"]).failure is Failure.CRASHED


@pytest.mark.parametrize("descriptors", [True, False])
def test_a_file_swapped_after_it_was_opened_is_not_read(
    tree: Path, descriptors: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = executor(tree, "honest")
    worker._launcher.tool = sandbox.Bubblewrap("/usr/bin/bwrap", descriptors, True)
    started = launching.run

    def swap(*given: object, **more: object) -> object:
        (tree / "a" / "b.txt").rename(tree / "a" / "old.txt")
        (tree / "a" / "b.txt").symlink_to(tree / "secret.txt")
        return started(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(launching, "run", swap)
    assert worker.execute("s1", CAPABILITY, ["o"]).failure is None
    assert worker.results["s1"].facts["texts"] == ["hello"]


def test_a_mount_that_shows_another_file_is_refused_by_the_worker(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executing, "_identity", lambda fd: (1, 1))
    worker = executor(tree, "honest")
    assert worker.execute("s1", CAPABILITY, ["o"]).failure is Failure.UNREADABLE
    assert worker.results == {}


def test_what_only_root_may_open_is_shown_as_a_copy(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tree / "a" / "b.txt"
    worker = executor(tree, "honest")
    monkeypatch.setattr(executing, "_needs_copy", lambda *_: True)
    assert worker.execute("s1", CAPABILITY, ["o"]).failure is None
    assert worker.results["s1"].facts["texts"] == ["hello"]
    monkeypatch.setattr(executing, "_needs_copy", lambda *_: False)
    file.chmod(0)
    # As another user we cannot open it; as root we can, and the worker cannot.
    assert worker.execute("s1", CAPABILITY, ["o"]).failure is Failure.UNREADABLE


@cases("uid", "gid", "permissions", "size", "copy")
def test_which_need_a_copy(
    uid: int, gid: int, permissions: int, size: int, copy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = os.stat_result((0o100000 | permissions, 1, 1, 1, uid, gid, size, 0, 0, 0))
    monkeypatch.setattr(executing.os, "getegid", lambda: 0)
    monkeypatch.setattr(executing.os, "getgroups", lambda: [0])
    monkeypatch.setattr(executing.os, "geteuid", lambda: 0)
    assert executing._needs_copy(found, 10) is copy
    monkeypatch.setattr(executing.os, "geteuid", lambda: 1000)
    assert executing._needs_copy(found, 10) is False


def _program(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / "bwrap"
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


@cases("text")
def test_a_sandbox_that_does_not_work_is_none(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _program(tmp_path / "bin", text)
    monkeypatch.setattr(sandbox, "PLACES", (str(tmp_path / "bin"),))
    assert sandbox.bubblewrap() is None


def test_a_sandbox_that_cannot_be_started_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _program(tmp_path / "bin", "").write_bytes(b"\x7fELF nonsense")
    monkeypatch.setattr(sandbox, "PLACES", (str(tmp_path / "bin"),))
    assert sandbox.bubblewrap() is None


def test_a_program_of_the_current_folder_is_never_the_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = tmp_path / "ran"
    _program(tmp_path / "bin", f"touch {mark}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sandbox, "PLACES", ())
    monkeypatch.setenv("PATH", "bin:.::")
    assert sandbox.bubblewrap() is None
    assert not mark.exists()


def test_the_trial_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"
    _program(tmp_path / "bin", f"echo x >> {log}; exit 1")
    monkeypatch.setattr(sandbox, "PLACES", (str(tmp_path / "bin"),))
    assert [sandbox.bubblewrap() for _ in range(3)] == [None] * 3
    assert log.read_text() == "x\n" * 2  # what it can do, and whether it does


def test_a_sandbox_that_went_away_since_is_a_failure(tree: Path) -> None:
    worker = executor(tree, "honest")
    worker._launcher.tool = sandbox.Bubblewrap("/nowhere/bwrap", True, True)
    assert worker.execute("s1", CAPABILITY, ["o"]).failure is Failure.CRASHED


DRIVER = value_of(__file__, "driver")


def _driver(tree: Path, token: str, mode: str, pause: float = 0.0) -> subprocess.Popen[str]:
    (tree / "sleep.txt").write_text("sleep")
    code = DRIVER.format(here=str(Path(__file__).parent), root=str(tree), pause=pause)
    if mode == "plain":
        code = "from plantwin.private.execution import sandbox; sandbox.PLACES = ()\n" + code
    path = os.environ["PATH"] if mode == "sandbox" else "/nowhere"
    environment = {"TOKEN": token, "PATH": path, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    started = subprocess.Popen(
        [sys.executable, "-B", "-c", code], stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True
    )
    assert started.stdout is not None
    assert started.stdout.readline() == f"{mode == 'sandbox'}\n"
    assert settled(token, 1)
    return started


def _line(started: subprocess.Popen[str]) -> str:
    assert started.stdout is not None
    return started.stdout.readline()


@pytest.mark.parametrize("kind", ["sandbox", "plain"])
def test_an_interrupt_ends_one_step_and_a_second_one_soon_after_all(tree: Path, kind: str) -> None:
    token = uuid.uuid4().hex
    with _driver(tree, token, kind) as started:
        os.killpg(started.pid, signal.SIGINT)
        assert [_line(started), _line(started)] == ["interrupted False\n", "done False\n"]
        time.sleep(0.3)
        os.killpg(started.pid, signal.SIGINT)
        said, _ = started.communicate(timeout=20)
    assert said == "interrupted True\ninterrupted True\n"
    assert settled(token, 0)


def test_two_interrupts_that_are_far_apart_end_one_step_each(tree: Path) -> None:
    token = uuid.uuid4().hex
    with _driver(tree, token, "sandbox", pause=2.2) as started:
        os.killpg(started.pid, signal.SIGINT)
        assert [_line(started), _line(started)] == ["interrupted False\n", "done False\n"]
        time.sleep(2.6)
        os.killpg(started.pid, signal.SIGINT)
        assert _line(started) == "interrupted False\n"
        time.sleep(0.3)
        os.killpg(started.pid, signal.SIGINT)
        said, _ = started.communicate(timeout=20)
    assert said == "interrupted True\n"
    assert settled(token, 0)


@pytest.mark.parametrize("kind", ["sandbox", "plain"])
@pytest.mark.parametrize("later", [0.0, 0.03, 0.3])
def test_a_worker_dies_with_its_parent(tree: Path, kind: str, later: float) -> None:
    token = uuid.uuid4().hex
    with _driver(tree, token, kind) as started:
        # At once, its worker may not be bound to it yet; but then it has no job either.
        time.sleep(later)
        started.kill()
        started.communicate(timeout=20)
    assert settled(token, 0)
