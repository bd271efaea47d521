"""A confinement that fails ends the worker before it sees an input; without a sandbox no code of the folder runs."""

from __future__ import annotations

import socket
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from workers import CAPABILITY, HOSTILE, executor, running

from plantwin.private.execution import calls as executing
from plantwin.private.execution import kernel, sandbox
from plantwin.private.execution.executor import SandboxExecutor
from plantwin.private.execution.protocol import MB, Extension, Limits
from plantwin.private.execution.sandbox import Boot
from plantwin.types.capability import Capability
from plantwin.types.verdict import Failure
from plantwin.vocabulary import CapabilityName, ResultType, Risk
from tables import cases

PROJECT = Capability(
    name=CapabilityName.SUMMARIZE, doc="", example="", returns=ResultType.SUMMARY, risk=Risk.HIGH, project=True
)
BREAKS = {
    "filter": "kernel._MODE_FILTER = 77",
    "no new rights": "kernel._PR_SET_NO_NEW_PRIVS = 99999",
    "machine": "kernel._MACHINES = {}",
    "limits": "import resource; resource.setrlimit = lambda *_: (_ for _ in ()).throw(OSError(1, 'refused'))",
    "no such limit": "import resource; del resource.RLIMIT_AS",
    "look inside": "kernel._PR_SET_DUMPABLE = 99999",
}
"""What goes wrong in a worker whose kernel refuses something."""


def broken(root: Path, how: str, mark: str) -> SandboxExecutor:
    """An executor in whose workers this confinement fails, and whose capability says that it ran."""
    worker = executor(root, "honest")
    code = (
        "import sys; at = sys.argv.index('--'); sys.path[:0] = sys.argv[at + 1:]; import hostile; "
        "from plantwin.private.execution import kernel\n"
        f"{BREAKS[how]}\n"
        "from plantwin.private.execution.worker import main; "
        f"main(int(sys.argv[1]), lambda name: hostile.honest) # {mark}"
    )
    worker._launcher.boot = Boot(code, (str(HOSTILE),))
    return worker


@pytest.mark.parametrize("how", sorted(BREAKS))
@pytest.mark.parametrize("waits", [False, True])
def test_a_confinement_that_fails_ends_the_worker(tree: Path, how: str, waits: bool) -> None:
    worker = broken(tree, how, "x")
    assert worker.sandboxed
    if waits:
        worker.expect([CAPABILITY])
    assert worker.execute("s1", CAPABILITY, ["o"]).failure is Failure.CRASHED
    assert worker.results == {}
    assert worker.errors.get("s1", "the sandbox is not complete").startswith("the sandbox is not complete")
    worker.close()


@pytest.mark.parametrize("how", ["filter", "limits", "look inside"])
def test_a_confinement_that_fails_ends_a_worker_without_a_sandbox_too(
    tree: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: None)
    worker = broken(tree, how, "x")
    assert worker.execute("s1", CAPABILITY, ["o"]).failure is Failure.CRASHED
    assert worker.results == {}


@pytest.fixture
def fresh() -> Iterator[None]:
    sandbox.bubblewrap.cache_clear()
    yield
    sandbox.bubblewrap.cache_clear()


def _bwrap(folder: Path, script: str) -> tuple[str]:
    folder.mkdir()
    (folder / "bwrap").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "bwrap").chmod(0o755)
    return (str(folder),)


@cases("script", "reason")
def test_why_there_is_no_sandbox_is_said(
    tree: Path, tmp_path: Path, script: str, reason: str, fresh: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "PLACES", _bwrap(tmp_path / "bin", script))
    worker = executor(tree, "honest")
    assert not worker.sandboxed
    assert worker.unsandboxed_reason.startswith(reason)
    assert ": " in worker.unsandboxed_reason


def test_a_sandbox_that_confines_less_than_asked_is_none(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sandbox.bubblewrap() is not None
    sandbox.bubblewrap.cache_clear()
    words = sandbox.command
    monkeypatch.setattr(sandbox, "command", lambda *a, **k: [*words(*a, **k)[:-1], "--uid", "0", "--"])
    assert sandbox.bubblewrap() is None
    assert "without confining" in sandbox.unusable()


def test_other_reasons_for_want_of_a_sandbox(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sandbox.unusable() == ""
    sandbox.bubblewrap.cache_clear()
    monkeypatch.setattr(sandbox, "PLACES", ())
    monkeypatch.setenv("PATH", "/nowhere")
    assert sandbox.unusable().startswith("bubblewrap is not installed: ")
    sandbox.bubblewrap.cache_clear()
    monkeypatch.setattr(kernel, "_MACHINES", {})
    assert "no filter of system calls" in sandbox.unusable()
    sandbox.bubblewrap.cache_clear()
    monkeypatch.setattr(sandbox.sys, "platform", "darwin")
    assert "needs Linux" in sandbox.unusable()


def test_root_says_when_nobody_else_can_read_the_folder(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = executor(tree, "starts")
    found = tree.stat()
    for user, mode, runs in (
        ((found.st_uid, found.st_gid), 0o500, True),
        ((found.st_uid + 1, found.st_gid), 0o050, True),
        ((found.st_uid + 1, found.st_gid + 1), 0o005, True),
        ((found.st_uid + 1, found.st_gid + 1), 0o770, False),
        ((found.st_uid + 1, found.st_gid), 0o707, False),
    ):
        tree.chmod(mode)
        assert executing._readable(tree.stat(), user) is runs
    tree.chmod(0o700)
    monkeypatch.setattr(worker.calls, "_user", lambda: (found.st_uid + 1, found.st_gid + 1))
    assert worker.execute("s1", PROJECT, ["o"]).failure is Failure.UNREADABLE
    assert "only root can read the folder" in worker.errors["s1"]


def test_a_sandbox_for_programs_that_does_not_start_is_explained(tree: Path) -> None:
    worker = executor(tree, "starts")
    assert worker._launcher.tool is not None
    worker._launcher.tool = worker._launcher.tool._replace(program="/nowhere/bwrap")
    assert worker.execute("s1", PROJECT, ["o"]).failure is Failure.CRASHED
    assert "unprivileged user" in worker.errors["s1"]


def own(sort: str) -> tuple[Capability, dict[str, Extension]]:
    """A person's own capability of this sort."""
    capability = Capability(
        name=CapabilityName.LINT, own="mine", doc="", example="", returns=ResultType.FINDINGS, risk=Risk.HIGH,
        programs=True,
    )  # fmt: skip
    return capability, {"mine": Extension(sort=sort, own="mine", command=("/bin/sh", "{input}"))}  # type: ignore[arg-type]


def test_without_a_sandbox_no_code_of_the_folder_runs(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: None)
    mark = tree.parent / "ran"
    (tree / "a" / "b.txt").write_text(f"touch {mark}\n")
    worker = executor(tree, "starts")
    started: list[object] = []
    worker._launcher.launch = lambda *given: started.append(given)  # type: ignore[method-assign,assignment,func-returns-value]
    assert worker.execute("s1", PROJECT, ["o"]).failure is Failure.CRASHED
    assert worker.errors["s1"].startswith("not run without a sandbox: ")
    for sort in ("command", "tool"):
        capability, extensions = own(sort)
        worker.calls._extensions = extensions
        assert worker.execute("s2", capability, ["o"]).failure is Failure.CRASHED
        assert worker.errors["s2"].startswith("not run without a sandbox: ")
    assert started == []
    assert not mark.exists()


# Capabilities that try to get out, to stay, or to break the protocol: each ends as documented, nothing is left

SHORT = Limits(seconds=1.5)
SMALL = Limits(seconds=20, memory=300 * MB, output=1 * MB, scratch=4 * MB)


@pytest.mark.parametrize(
    ("function", "failure", "error"),
    [
        ("bomb", Failure.CRASHED, "SystemExit"),
        ("allocates", Failure.MEMORY, None),
        ("hoards", Failure.MEMORY, None),
        ("floods", Failure.OUTPUT_TOO_LARGE, None),
        ("huge", Failure.OUTPUT_TOO_LARGE, None),
        ("forges", Failure.CRASHED, "not a reply"),
        ("deep", Failure.CRASHED, "nested too deeply"),
        ("bottomless", Failure.CRASHED, "RecursionError"),
        ("circular", Failure.CRASHED, "RecursionError"),
        ("raw_not_a_number", Failure.CRASHED, "not a reply"),
        ("unencodable", Failure.CRASHED, "TypeError"),
        ("no_result", Failure.CRASHED, "not a result"),
        ("wrong_types", Failure.CRASHED, "not a reply"),
        ("raises", Failure.CRASHED, "ValueError"),
        ("overflows", Failure.CRASHED, "RecursionError"),
        ("exits", Failure.CRASHED, None),
        ("exits_well", Failure.CRASHED, "not a reply"),
        ("segfaults", Failure.CRASHED, None),
        ("alarmed", Failure.CRASHED, None),
    ],
)
def test_it_fails_as_documented(tree: Path, mode: str, function: str, failure: Failure, error: str | None) -> None:
    token = uuid.uuid4().hex
    worker = executor(tree, function, limits=SMALL, token=token)
    executed = worker.execute("s1", CAPABILITY, ["o"])
    assert (executed.failure, executed.raw) == (failure, None)
    assert worker.results == {}
    if error is None:
        assert worker.errors == {}
    else:
        assert worker.errors["s1"].split(" at ")[0] == error
    assert "hello" not in str(worker.errors)
    assert running(token) == 0


@pytest.mark.parametrize("function", ["sleeps", "spins", "closes"])
def test_one_that_does_not_end_is_killed(tree: Path, mode: str, function: str) -> None:
    token = uuid.uuid4().hex
    worker = executor(tree, function, limits=SHORT, token=token)
    before = time.monotonic()
    assert worker.execute("s1", CAPABILITY, ["o"]).failure is Failure.TIMEOUT
    assert time.monotonic() - before < 6
    assert running(token) == 0


def test_the_network_is_out_of_reach(tree: Path, mode: str) -> None:
    with socket.socket() as stream, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagram:
        stream.bind(("127.0.0.1", 0))
        stream.listen()
        datagram.bind(stream.getsockname())
        (tree / "a" / "b.txt").write_text(str(stream.getsockname()[1]))
        worker = executor(tree, "network")
        worker.execute("s1", CAPABILITY, ["o"])
        assert set(worker.results["s1"].facts) == {"stream", "datagram", "local", "name"}
        assert not any(str(each).startswith("did") for each in worker.results["s1"].facts.values())
        for each in (stream, datagram):
            each.setblocking(False)
        with pytest.raises(BlockingIOError):
            stream.accept()
        with pytest.raises(BlockingIOError):
            datagram.recv(10)


def test_no_other_process_can_be_started_or_signalled(tree: Path, mode: str) -> None:
    worker = executor(tree, "forks")
    worker.execute("s1", CAPABILITY, ["o"])
    refused = "PermissionError"
    expected = {"fork": refused, "spawn": refused, "execute": refused, "kill": refused, "unshare": -1}
    assert worker.results["s1"].facts == expected


def test_threads_are_possible(tree: Path, mode: str) -> None:
    worker = executor(tree, "threads", limits=Limits(seconds=20, processes=100_000))
    worker.execute("s1", CAPABILITY, ["o"])
    assert worker.results["s1"].facts == {"ran": 1}


def test_printing_disturbs_nothing(tree: Path, mode: str) -> None:
    worker = executor(tree, "prints")
    assert worker.execute("s1", CAPABILITY, ["o"]).raw == {"status": "done"}
    assert worker.results["s1"].facts == {"ok": True}


def test_values_that_json_lacks_are_replaced(tree: Path, mode: str) -> None:
    worker = executor(tree, "not_a_number")
    assert worker.execute("s1", CAPABILITY, ["o"]).raw == {"status": None, "count": None}
    worker = executor(tree, "half_characters")
    worker.execute("s1", CAPABILITY, ["o"])
    assert (worker.results["s1"].title, worker.results["s1"].facts) == ("caf?", {"k?": ["?"]})


def test_environment_and_descriptors_are_empty(tree: Path, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTWIN_SECRET", "in the environment")
    worker = executor(tree, "surroundings")
    worker.execute("s1", CAPABILITY, ["o"])
    facts = worker.results["s1"].facts
    assert facts["environment"] == ["HOME", "LC_CTYPE", "PWD" if mode == "sandbox" else "TMPDIR"]
    assert facts["stdin"] == ""
    # The three standard ones, the reply, and without a sandbox the input itself.
    assert len(facts["descriptors"]) == (4 if mode == "sandbox" else 5)  # type: ignore[arg-type]
    heavy = {"plantwin.private.index", "plantwin.private.environment", "plantwin.private.execution.executor"}
    assert not heavy & set(facts["modules"])  # type: ignore[call-overload]


def test_a_folder_for_temporary_files_is_private_and_goes_away(tree: Path, mode: str) -> None:
    place = tree.parent / "temporary"
    worker = executor(tree, "scratch", temporary=place)
    worker.execute("s1", CAPABILITY, ["o"])
    facts = worker.results["s1"].facts
    assert facts["mode"] == "0o700"
    assert facts["here"] == facts["folder"]
    assert not (Path(str(facts["folder"])) / "note").exists()
    if mode == "plain":
        assert Path(str(facts["folder"])).parent == place
        assert list(place.iterdir()) == []
