"""Secrets and what a policy denies are not there for the folder's own code, under any of their names."""

from __future__ import annotations

import os
import sysconfig
import time
from pathlib import Path

import pytest
from driver import USERS, put, ran
from workers import executor, record

from plantwin.private.capabilities.adapters import installed
from plantwin.private.capabilities.adapters.installed import find as found
from plantwin.private.execution import sandbox
from plantwin.private.execution.enclosure import look
from plantwin.private.execution.protocol import MB, Limits
from plantwin.types.capability import Capability
from plantwin.types.verdict import Failure
from plantwin.vocabulary import CapabilityName, ResultType, Risk

SECRET = "sk-live-4f9c2d7e"
PROJECT = Capability(
    name=CapabilityName.SUMMARIZE, doc="", example="", returns=ResultType.SUMMARY, risk=Risk.HIGH, project=True
)
ATTACK = f"""
    import os

    SECRET = "{SECRET}"[:7] + "{SECRET}"[7:]

    def found(top):
        told = []
        for here, folders, files in os.walk(top):
            for name in files:
                path = os.path.join(here, name)
                try:
                    with open(path, "rb") as file:
                        if b"secret-value " + SECRET.encode() in file.read():
                            told.append(path)
                except OSError:
                    pass
        return told

    def test_no_file_of_the_project_tells_the_secret():
        assert found("/project") == []

    def test_no_file_of_the_copy_tells_the_secret():
        assert found(os.getcwd()) == []

    def test_links_lead_nowhere():
        for name in ("link", "conf/deep/link"):
            for top in ("/project/", ""):
                if os.path.exists(top + name):
                    assert SECRET not in open(top + name).read()

    def test_covers_cannot_be_written_nor_taken_off():
        import ctypes
        libc = ctypes.CDLL(None)
        assert libc.umount2(b"/project/.env", 2) == -1
        for flags in (0x10000000, 0x00020000):
            assert libc.unshare(flags) == -1
            assert libc.syscall(56 if os.uname().machine == "x86_64" else 220, flags | 17, 0, 0, 0, 0) == -1
        try:
            with open("/project/.env", "w"):
                raise AssertionError
        except OSError:
            pass

    def test_what_is_not_hidden_is_there():
        assert open("/project/visible.txt").read() == "visible"
"""


def folder(tmp_path: Path) -> Path:
    """A folder with one secret under many names, and its own history of it."""
    text = f"secret-value {SECRET}"
    root = put(
        tmp_path / "folder",
        {
            "tests/test_attack.py": ATTACK,
            "visible.txt": "visible",
            ".env": text,
            "conf/deep/key.pem": text,
            "vault/a/b.txt": text,
            "vault/c.txt": text,
            ".git/objects/aa/bb": text,
            "third/party/.git/objects/cc": text,
            "mirror.git/objects/dd": text,
            "mirror.git/HEAD": "ref",
            "mirror.git/refs/x": "x",
            "big.bin": text + "x" * (2 << 20),
        },
    )
    (root / "link").symlink_to(".env")
    (root / "conf" / "deep" / "link").symlink_to("key.pem")
    (root / "hard").hardlink_to(root / ".env")
    (root / "conf" / "harder").hardlink_to(root / "vault" / "c.txt")
    for name in ("-leading", "new\nline", "quote'\"\\", "--bind", "caf\udce9", " "):
        (root / name).write_text(text)
    return root


HIDDEN = (
    ".env", "conf/deep/key.pem", "vault", "big.bin", "-leading", "new\nline", "quote'\"\\", "--bind", "caf\udce9", " ",
    "gone/long/ago", "vault/a/b.txt", "tests/test_attack.py/not/a/folder", "./conf/../conf/deep/key.pem",
)  # fmt: skip


def names(paths: tuple[str, ...]) -> list[str]:
    return [os.fsencode(each).hex() for each in paths]


@pytest.mark.parametrize("user", USERS)
def test_tests_cannot_read_what_is_hidden(tmp_path: Path, user: str) -> None:
    told = ran(folder(tmp_path), user, hidden=names(HIDDEN))
    assert (told["failure"], told["error"]) == (None, "")
    assert set(told["outcomes"].values()) == {"passed"}, told["text"]
    assert len(told["outcomes"]) == 5


def test_the_attack_reads_what_is_not_hidden(tmp_path: Path) -> None:
    told = ran(folder(tmp_path), hidden=names(("vault",)))
    assert told["outcomes"]["test_no_file_of_the_project_tells_the_secret"] == "failed"


def test_thousands_of_hidden_files_work(tmp_path: Path) -> None:
    files = {f"data/{number % 50}/{number}.txt": f"secret-value {SECRET}" for number in range(5000)}
    root = put(tmp_path / "folder", {"tests/test_attack.py": ATTACK, "visible.txt": "visible", ".env": "", **files})
    told = ran(root, hidden=names((".env", *files)))
    assert set(told["outcomes"].values()) == {"passed"}, told["text"]
    assert told["seconds"] < 90  # without care it would take minutes; the machine may be busy


@pytest.mark.parametrize("path", ["../secret.txt", "/etc/passwd", "a/../../x"])
def test_a_path_outside_the_folder_runs_nothing(tree: Path, path: str) -> None:
    worker = executor(tree, "starts", hidden=lambda: (path,) if not path.startswith("/") else ("../../../../" + path,))
    assert worker.execute("s1", PROJECT, ["o"]).failure is Failure.UNREADABLE
    assert "hide" in worker.errors["s1"]


def test_a_hidden_file_that_is_replaced_meanwhile_spoils_the_result(tree: Path) -> None:
    (tree / ".env").write_text("old")
    worker = executor(tree, "honest", hidden=lambda: (".env",))
    real = worker.calls._run

    def run(*given: object) -> object:
        ended = real(*given)  # type: ignore[arg-type]
        (tree / ".env.new").write_text("new")
        (tree / ".env.new").rename(tree / ".env")
        return ended

    worker.calls._run = run  # type: ignore[method-assign,assignment]
    assert worker.execute("s1", PROJECT, ["o"]).failure is Failure.UNREADABLE
    assert "replaced" in worker.errors["s1"]
    assert worker.results == {}


def test_a_cover_that_cannot_be_made_runs_nothing(tree: Path) -> None:
    # The first process in there has no right to mount: as on a system that keeps it from the sandbox.
    (tree / ".env").write_text("x")
    worker = executor(tree, "starts", hidden=lambda: (".env",))
    real = worker._launcher._view

    def view(*given: object, **more: object) -> list[str]:
        words = real(*given, **more)  # type: ignore[arg-type]
        at = words.index("CAP_SYS_ADMIN")
        return words[: at - 1] + words[at + 1 :]

    worker._launcher._view = view  # type: ignore[method-assign,assignment]
    assert worker.execute("s1", PROJECT, ["o"]).failure is Failure.CRASHED
    assert worker.errors["s1"].startswith("the sandbox is not complete: covers")
    assert worker.results == {}


def test_the_state_folder_inside_the_folder_is_hidden(tree: Path) -> None:
    put(tree, {"state/key": "k", "other/x": "x"})
    worker = executor(tree, "listing", private=[tree / "state"])
    assert worker.execute("s1", PROJECT, ["o"]).failure is None
    assert worker.results["s1"].facts["files"] == ["a/b.txt", "other/x", "secret.txt"]


def test_a_large_folder_is_looked_at_quickly(tmp_path: Path) -> None:
    for outer in range(100):
        (tmp_path / str(outer)).mkdir()
        for inner in range(300):
            (tmp_path / str(outer) / str(inner)).touch()
    began = time.process_time()
    look(str(tmp_path), [f"{outer}/7" for outer in range(100)])
    assert time.process_time() - began < 1
    assert record("x").path == "x"


# What a worker sees in addition when its capability starts programs, or runs the folder's own code

TOOL = sandbox.Bubblewrap("bwrap", True, True)


def capability(**more: bool) -> Capability:
    """A capability that declares these."""
    return Capability(
        name=CapabilityName.SUMMARIZE, doc="", example="", returns=ResultType.SUMMARY, risk=Risk.HIGH, **more
    )


def test_our_own_tools_are_shown_to_what_starts_programs_alone() -> None:
    shown = sandbox.command(TOOL, (), MB, programs=True)
    programs = installed.programs()
    assert programs.keys() >= {"ruff", "oxlint", "shellcheck", "hadolint", "zizmor"}
    for name, path in programs.items():
        assert shown[shown.index(f"{sandbox.TOOLS}/{name}") - 1] == path
    assert sysconfig.get_path("scripts") not in shown
    assert f"{sandbox.TOOLS}/ruff" not in sandbox.command(TOOL, (), MB)


def test_a_tool_that_is_not_installed_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "scripts", lambda: str(tmp_path))
    monkeypatch.setattr(installed, "PLACES", ())
    found.cache_clear()
    monkeypatch.setattr(installed, "find", found)
    assert installed.programs() == {}
    found.cache_clear()


def test_shared_memory_is_for_tests_alone_and_small(tmp_path: Path) -> None:
    words = sandbox.command(TOOL, (), 8 * MB, programs=True, project=tmp_path)
    at = words.index(sandbox.SHARED)
    assert words[at - 5 : at] == ["--size", str(8 * MB), "--perms", "1777", "--tmpfs"]
    assert sandbox.SHARED not in sandbox.command(TOOL, (), MB, programs=True)


@pytest.mark.parametrize(("more", "seen"), [({}, False), ({"programs": True}, True), ({"project": True}, True)])
def test_programs_run_where_they_are_declared(tree: Path, more: dict[str, bool], seen: bool) -> None:
    worker = executor(tree, "starts", objects={"o": record("a/b.txt")}, limits=Limits(seconds=20))
    worker.execute("s1", capability(**more), ["o"])
    facts = worker.results["s1"].facts
    assert facts["started"] is seen
    assert facts["shared"] is ("project" in more)
    assert facts["folder"] == (["a"] if "project" in more else [])
    assert facts["written"] is False
    assert (facts["network"], facts["files"], facts["raw"]) == (False, False, False)
    assert facts["loopback"] is ("project" in more)  # a private one: see the tests of run_tests
    assert facts["ruff"] is seen
