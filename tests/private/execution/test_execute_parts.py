"""Limits, the protocol, the kernel's filter and the running of programs, each on its own."""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import sys
import time
from pathlib import Path

import msgspec
import pytest

from plantwin.errors import InputError
from plantwin.private.capabilities.engine.job import Finding, Input, Job, Result
from plantwin.private.execution import kernel, process, worker
from plantwin.private.execution.launcher import scratch
from plantwin.private.execution.process import Bounds, run
from plantwin.private.execution.protocol import MB, Limits, Reply, Request, shallow
from plantwin.types.verdict import Failure

BOUNDS = Bounds(10.0, 11, 1000)


def _python(code: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-B", "-c", f"import os, signal, sys, time\n{code}"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"seconds": 0},
        {"seconds": -1.0},
        {"seconds": float("nan")},
        {"seconds": float("inf")},
        {"memory": 10 * MB},
        {"processes": 0},
        {"output": 0},
        {"scratch": 0},
    ],
)
def test_limits_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match="limits"):
        Limits(**wrong)  # type: ignore[arg-type]


def test_time_is_the_smaller_of_two() -> None:
    assert Limits(seconds=5).within(60).seconds == 5
    assert Limits(seconds=5).within(2).seconds == 2
    assert Limits(seconds=5).within(0).seconds == 5
    assert Limits(seconds=1.5).cpu == 3


@pytest.mark.parametrize(
    ("code", "failure"),
    [
        ("sys.exit(1)", Failure.CRASHED),
        ("sys.exit(255)", Failure.CRASHED),
        ("sys.exit(128 + 15)", Failure.INTERRUPTED),
        ("sys.exit(128 + 9)", Failure.MEMORY),
        ("sys.exit(128 + 24)", Failure.TIMEOUT),
        ("os.kill(os.getpid(), signal.SIGTERM)", Failure.INTERRUPTED),
        ("signal.signal(signal.SIGHUP, signal.SIG_DFL); os.kill(os.getpid(), signal.SIGHUP)", Failure.INTERRUPTED),
        ("os.kill(os.getpid(), signal.SIGKILL)", Failure.MEMORY),
        ("os.kill(os.getpid(), signal.SIGXCPU)", Failure.TIMEOUT),
        ("os.kill(os.getpid(), signal.SIGABRT)", Failure.CRASHED),
        ("print('x' * 2000)", Failure.OUTPUT_TOO_LARGE),
    ],
)
def test_how_a_program_ends(code: str, failure: Failure) -> None:
    assert run(_python(code), b"", BOUNDS) == (b"", failure, False)


def test_one_killed_after_its_processor_time_had_too_little_time() -> None:
    spent = Bounds(10.0, 0, 1000)
    assert run(_python("os.kill(os.getpid(), signal.SIGKILL)"), b"", spent).failure is Failure.TIMEOUT


def test_a_program_is_given_all_and_told_the_end() -> None:
    given = b"x" * 3_000_000
    ended = run(_python("os.write(1, b'ready '); print(len(sys.stdin.read()))"), given, BOUNDS)
    assert (ended.output, ended.failure) == (b"ready 3000000\n", None)
    assert repr(ended) == "<Ended private>"


def test_a_program_that_does_not_listen_is_no_trouble() -> None:
    assert run(_python("os.close(0); print(1)"), b"x" * 3_000_000, BOUNDS).output == b"1\n"


def test_a_program_that_says_nothing_is_given_nothing() -> None:
    code = "import select; sys.exit(bool(select.select([0], [], [], 0.5)[0]))"
    assert run(_python(code), b"given", BOUNDS).failure is None


def test_a_program_that_cannot_be_started_crashed() -> None:
    assert run(["/nowhere/program"], b"", BOUNDS).failure is Failure.CRASHED


def test_children_that_stay_behind_are_killed(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    code = f"if os.fork() == 0:\n os.closerange(0, 9)\n time.sleep(1.5)\n open({str(mark)!r}, 'w')\nelse: print(1)"
    assert run(_python(code), b"", BOUNDS).output == b"1\n"
    time.sleep(1.6)
    assert not mark.exists()


def test_without_waitid_programs_end_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(process.os, "waitid")
    assert run(_python("print(1)"), b"", BOUNDS).output == b"1\n"
    stuck = run(_python("os.closerange(0, 9); time.sleep(60)"), b"", Bounds(0.5, 11, 1000))
    assert stuck.failure is Failure.TIMEOUT


def test_depth() -> None:
    def nested(levels: int) -> object:
        value: object = 1
        for each in range(levels):
            value = [value] if each % 2 else {"k": value}
        return value

    assert shallow(nested(63))
    assert not shallow(nested(64))
    assert not shallow(nested(100_000))
    assert shallow({"wide": list(range(100_000))})


def test_a_request_survives_the_way() -> None:
    earlier = Result(
        outcome={"status": "done"}, findings=[Finding(name="n", severity="low", tag="injection", message="m")]
    )
    given = Request(
        capability="compare",
        inputs=(
            Input(name="a", file="/in/0"),
            Input(name="s1", result=msgspec.to_builtins(earlier), capability="summarize"),
        ),
        limits=Limits(),
        sandboxed=True,
        identities=(("/in/0", (1, 2)),),
    )
    taken = msgspec.json.decode(msgspec.json.encode(given), type=Request)
    assert taken == given
    assert taken.job.inputs[1].findings() == earlier.findings
    assert not hasattr(taken.job, "limits")
    assert repr(taken) == "<Request private>"


def test_inputs_are_read_within_a_limit(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"\xff\xfeh\x00i\x00")
    given = Input(name="f", file=str(file))
    assert (given.read(3), given.size, given.text(), given.is_result) == (b"\xff\xfeh", 6, "hi", False)
    assert Input(name="f", data=b"\xef\xbb\xbfab\xff").text() == "ab\ufffd"
    assert (Input(name="f", data=b"abc").read(2), Input(name="f", data=b"abc").size) == (b"ab", 3)
    earlier = Input(name="s1", result={})
    assert (earlier.read(), earlier.size, earlier.is_result, earlier.findings()) == (b"", 0, True, [])
    with pytest.raises(OSError, match=r"regular|directory"):
        Input(name="f", file=str(tmp_path)).read()


def test_the_filter_is_well_formed() -> None:
    for machine, clone in (("x86_64", 56), ("aarch64", 220)):
        code = [
            struct.unpack("=HBBI", kernel.program(machine, loopback=True)[at : at + 8])
            for at in range(0, 10**4, 8)[: _length(machine)]
        ]
        assert len(code) < 4096
        assert code[-1] == (0x06, 0, 0, 0x7FFF0000)
        assert all(at + 1 + max(jump[1], jump[2]) < len(code) for at, jump in enumerate(code) if jump[0] & 7 == 5)
        assert (0x15, 0, 4, clone) in code
    assert kernel.program("mips") == b""


def _length(machine: str) -> int:
    return len(kernel.program(machine, loopback=True)) // 8


@pytest.mark.parametrize(("filtered", "expected"), [(False, b"True\n"), (True, b"False\n")])
def test_the_filter_refuses_sockets(filtered: bool, expected: bytes) -> None:
    code = f"""
sys.path[:0] = {sys.path!r}
from plantwin.private.execution import kernel
import socket
if {filtered}: print(kernel.confine(), file=sys.stderr)
try: socket.socket(); print(True)
except PermissionError: print(False)
"""
    assert run(_python(code), b"", BOUNDS).output == expected


def test_tests_with_a_loopback_get_tcp_and_udp_and_no_other_socket() -> None:
    code = f"""
sys.path[:0] = {sys.path!r}
from plantwin.private.execution import kernel
import socket
kernel.confine(programs=True, loopback=True)
nonblocking = socket.SOCK_STREAM | socket.SOCK_NONBLOCK
for family, kind, protocol in (
    (2, 1, 0), (10, 1, 6), (2, 2, 17), (2, nonblocking, 0),
    (1, 1, 0), (16, 3, 0), (17, 3, 0), (40, 1, 0), (2, 6, 0), (2, 1, 132), (2, 5, 132), (2, 1, 262), (2, 3, 1),
):
    try: socket.socket(family, kind, protocol); print("made")
    except PermissionError: print("refused")
    except OSError as error: print(error)
"""
    assert run(_python(code), b"", BOUNDS).output.split() == [b"made"] * 4 + [b"refused"] * 9


def test_an_unknown_machine_has_no_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "_MACHINES", {})
    assert kernel.confine() is False


def test_signals_have_meanings() -> None:
    assert process._failure(-signal.SIGINT, False) is Failure.INTERRUPTED
    assert process._failure(999, False) is Failure.CRASHED


def test_a_temporary_folder_goes_away_even_when_its_process_was_killed(tmp_path: Path) -> None:
    place = tmp_path / "state" / "work"
    with scratch(place) as folder:
        assert Path(folder).stat().st_mode & 0o777 == 0o700
        left = place / "worker-999999999-left"
        left.mkdir()
        (left / "note").write_text("private")
        others = {place / "worker-1-running", place / "something else"}
        for each in others:
            each.mkdir()
        with scratch(place) as second:
            assert set(place.iterdir()) == {Path(folder), Path(second), *others}
    assert set(place.iterdir()) == others
    with scratch(None) as folder:
        assert Path(folder).is_dir()
    assert not Path(folder).exists()


def test_limits_and_failures_are_documented() -> None:
    documented = (Path(__file__).parents[3] / "docs" / "sandbox.md").read_text()
    for each in (*Limits.__struct_fields__, *Failure):
        assert f"| `{each}` |" in documented, each


@pytest.mark.parametrize("kind", ["pipe", "folder", "gone"])
def test_an_input_that_is_no_file_is_unreadable_and_waits_for_nobody(kind: str, tmp_path: Path) -> None:
    place = tmp_path / "input"
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    given = Input(name="input", file=str(place))
    with pytest.raises(OSError):
        given.read()
    request = Request(capability="summarize", inputs=(given,), limits=Limits(), sandboxed=False)

    def reads(job: Job) -> Result:
        job.inputs[0].read()
        return Result(outcome={"status": "done"})

    assert worker._reply(request, lambda name: reads) == Reply(failure="unreadable")


def test_another_error_of_the_system_is_a_crash(tmp_path: Path) -> None:
    (tmp_path / "input").write_text("x")

    def writes(job: Job) -> Result:
        raise OSError("disk full")

    given = Input(name="input", file=str(tmp_path / "input"))
    request = Request(capability="summarize", inputs=(given,), limits=Limits(), sandboxed=False)
    reply = worker._reply(request, lambda name: writes)
    assert (reply.failure, reply.error.partition(" at ")[0]) == ("crashed", "OSError")


def test_the_filter_is_still_there_when_the_kernel_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that was freed before may be refused, or be any other: what comes to lie in its place decides."""
    wanted = kernel.program(os.uname().machine)
    read: list[bytes] = []

    class Other(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ulong), ("code", ctypes.c_ulong))

    def prctl(option: int, value: int, address: int | None = None) -> None:
        if address is not None:
            taking_its_place = [Other(0, 0) for _ in range(1000)]
            length, code = struct.unpack("=H6xQ", ctypes.string_at(address, 16))
            read.append(ctypes.string_at(code, length * 8) if length == len(wanted) // 8 else b"")
            del taking_its_place

    monkeypatch.setattr(kernel, "_prctl", prctl)
    assert kernel.confine()
    assert read == [wanted]
