"""Capabilities that try to get out, to stay, or to break the protocol: each ends as documented, nothing is left."""

from __future__ import annotations

import socket
import time
import uuid
from pathlib import Path

import pytest
from workers import CAPABILITY, executor, running

from plantwin.private.execution import Limits
from plantwin.private.execution.protocol import MB
from plantwin.types.verdict import Failure

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
