"""A step's inputs and results: what the worker gets, what is kept, what is refused as unreadable."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from driver import put
from workers import CAPABILITY, executor, record

from plantwin.private.execution.calls import WORDED
from plantwin.private.execution.executor import SandboxExecutor
from plantwin.private.execution.launcher import Launcher
from plantwin.private.index import UNSETTLED
from plantwin.private.reading import signature_of
from plantwin.types.capability import Capability
from plantwin.types.execution import Executed, Executor
from plantwin.types.verdict import Failure
from plantwin.vocabulary import CapabilityName, ResultType, Risk


def test_an_object_is_read_and_its_result_kept(tree: Path, mode: str) -> None:
    worker: Executor = executor(tree, "honest")
    assert worker.sandboxed == (mode == "sandbox")
    executed = worker.execute("s1", CAPABILITY, ["o"])
    assert executed == Executed(raw={"status": "done", "severity": "none", "count": "none", "tags": []})
    assert isinstance(worker, SandboxExecutor)
    result = worker.results["s1"]
    assert result.title == "Read"
    assert result.text == "# Read"
    assert result.findings[0].name == "a/b.txt"
    assert result.facts["texts"] == ["hello"]
    assert result.facts["kinds"] == [["code_file", "auth_module"]]
    assert result.facts["sizes"] == [5]
    assert result.facts["twice"] == "helhel"
    assert result.facts["capability"] == "summarize"


def test_an_earlier_result_is_an_input_in_its_place(tree: Path, mode: str) -> None:
    (tree / "c.txt").write_text("second")
    worker = executor(tree, "honest", {"o": record("a/b.txt"), "p": record("c.txt")})
    worker.execute("s1", CAPABILITY, ["o"])
    worker.execute("s2", CAPABILITY, ["p", "s1", "o"])
    facts = worker.results["s2"].facts
    assert facts["texts"] == ["second", "", "hello"]
    assert facts["results"] == [None, msgspec.to_builtins(worker.results["s1"]), None]
    assert facts["capabilities"] == ["", "summarize", ""]
    assert facts["labels"] == ["c.txt", "s1", "a/b.txt"]
    assert facts["found"] == ["m"]


def test_a_table_is_the_database_with_its_part(tree: Path, mode: str) -> None:
    with sqlite3.connect(tree / "shop.db") as database:
        database.execute("CREATE TABLE orders (id)")
        database.execute("INSERT INTO orders VALUES (1), (2)")
    database.close()
    worker = executor(tree, "table", {"o": record("shop.db", "orders")})
    assert worker.execute("s1", CAPABILITY, ["o"]).failure is None
    assert worker.results["s1"].facts == {"rows": 2, "label": "shop.db#orders"}
    assert sorted(each.name for each in tree.iterdir()) == ["a", "secret.txt", "shop.db"]


def test_a_name_that_is_no_text_is_spelled_out(tree: Path) -> None:
    name = os.fsdecode(b"caf\xe9\n.txt")
    (tree / name).write_text("x")
    worker = executor(tree, "honest", {"o": record(name)})
    worker.execute("s1", CAPABILITY, ["o"])
    assert worker.results["s1"].facts["labels"] == ["caf\\udce9\n.txt"]


@pytest.mark.parametrize("path", ["gone.txt", "link.txt", "folder/b.txt", "a", "pipe", "../outside.txt", "/etc/passwd"])
def test_what_is_no_regular_file_below_the_root_is_unreadable(tree: Path, path: str) -> None:
    (tree.parent / "outside.txt").write_text("outside")
    (tree / "link.txt").symlink_to("a/b.txt")
    (tree / "folder").symlink_to("a")
    os.mkfifo(tree / "pipe")
    worker = executor(tree, "honest", {"o": record(path)})
    assert worker.execute("s1", CAPABILITY, ["o"]) == Executed(failure=Failure.UNREADABLE)
    assert worker.results == {}


def test_a_root_that_went_away_is_unreadable(tree: Path) -> None:
    worker = executor(tree, "honest")
    tree.rename(tree.parent / "elsewhere")
    assert worker.execute("s1", CAPABILITY, ["o"]).failure is Failure.UNREADABLE


def test_an_unknown_input_is_unreadable_and_nothing_runs(tree: Path) -> None:
    worker = executor(tree, "honest")
    assert worker.execute("s1", CAPABILITY, ["o", "nobody"]).failure is Failure.UNREADABLE


def test_a_file_changed_since_the_scan_is_unreadable(tree: Path) -> None:
    file = tree / "a" / "b.txt"
    seen = {"a/b.txt": signature_of(file.stat())}
    worker = executor(tree, "honest", signatures=seen)
    assert worker.execute("s1", CAPABILITY, ["o"]).failure is None
    file.write_text("other")
    assert worker.execute("s2", CAPABILITY, ["o"]).failure is Failure.UNREADABLE


def test_a_file_without_a_sure_signature_must_be_older_than_the_scan(tree: Path) -> None:
    changed = (tree / "a" / "b.txt").stat().st_ctime_ns
    for signatures in ({}, {"a/b.txt": UNSETTLED}):
        worker = executor(tree, "honest", signatures=signatures, scanned_ns=changed)
        assert worker.execute("s1", CAPABILITY, ["o"]).failure is None
        worker = executor(tree, "honest", signatures=signatures, scanned_ns=changed - 1)
        assert worker.execute("s1", CAPABILITY, ["o"]).failure is Failure.UNREADABLE


def test_an_earlier_result_of_the_same_step_does_not_outlive_a_failure(tree: Path) -> None:
    worker = executor(tree, "honest")
    worker.execute("s1", CAPABILITY, ["o"])
    (tree / "a" / "b.txt").unlink()
    assert worker.execute("s1", CAPABILITY, ["o"]).failure is Failure.UNREADABLE
    assert "s1" not in worker.results


def test_the_capability_may_declare_less_time_than_the_settings(tree: Path) -> None:
    hasty = Capability(name=CapabilityName.SUMMARIZE, doc="", example="", returns=ResultType.SUMMARY, seconds=0.5)
    assert executor(tree, "sleeps").execute("s1", hasty, ["o"]).failure is Failure.TIMEOUT


def test_the_shipped_capabilities_run_and_nothing_else_has_a_name(tree: Path, mode: str) -> None:
    token = "ghp_" + "Zq3Xv7Lw9Tn2Rk5Yb8Hd4Mf6Js1Pc0" + "aBcDeF"
    (tree / "a" / "b.txt").write_text(f'github_token = "{token}"\n')
    worker = SandboxExecutor(Launcher(tree), {"o": record("a/b.txt")}, scanned_ns=2**62)
    scan = Capability(name=CapabilityName.SECRET_SCAN, doc="", example="", returns=ResultType.FINDINGS)
    executed = worker.execute("s1", scan, ["o"])
    assert executed.failure is None, worker.errors
    assert worker.results["s1"].findings
    describe = Capability(name=CapabilityName.DESCRIBE, doc="", example="", returns=ResultType.FINDINGS)
    assert worker.execute("s2", describe, ["o"]).failure is Failure.CRASHED
    assert worker.errors["s2"].startswith("VocabularyError at private/")


def test_nothing_private_is_printed(tree: Path) -> None:
    worker = executor(tree, "honest")
    executed = worker.execute("s1", CAPABILITY, ["o"])
    assert repr(worker) == "<SandboxExecutor private>"
    assert repr(executed) == "<Executed private>"
    assert repr(worker.results["s1"]) == "<Result private>"


# What was approved is what runs: the folder's code is refused when anything that it would see has changed

PROJECT = Capability(
    name=CapabilityName.SUMMARIZE, doc="", example="", returns=ResultType.SUMMARY, risk=Risk.HIGH, project=True
)
FILES = {"src/code.py": "x = 1\n", "tests/test_code.py": "assert 1\n", ".env": "secret", "run.sh": "exit 0"}


def _same_length_and_time(root: Path) -> None:
    before = (root / "src/code.py").stat()
    (root / "src/code.py").write_text("x = 2\n")
    os.utime(root / "src/code.py", ns=(before.st_atime_ns, before.st_mtime_ns))


def _replaced(root: Path) -> None:
    (root / "new").write_text("x = 1\n")
    (root / "new").rename(root / "src/code.py")


CHANGES: dict[str, Callable[[Path], object]] = {
    "edited": lambda root: (root / "src/code.py").write_text("import os\n"),
    "same length and time": _same_length_and_time,
    "replaced": _replaced,
    "added": lambda root: (root / "tests/conftest.py").write_text("evil"),
    "removed": lambda root: (root / "run.sh").unlink(),
    "renamed": lambda root: (root / "run.sh").rename(root / "ran.sh"),
    "made executable": lambda root: (root / "run.sh").chmod(0o755),
    "linked": lambda root: (root / "tests/link").symlink_to("../src/code.py"),
    "folder": lambda root: (root / "src/empty").mkdir(),
}


@pytest.mark.parametrize("change", sorted(CHANGES))
def test_code_that_changed_after_its_approval_does_not_run(tree: Path, change: str) -> None:
    worker = executor(put(tree, FILES), "listing", hidden=lambda: (".env",))
    prepared = worker.prepare(PROJECT, ["o"])
    assert len(prepared) == 64
    assert worker.execute("s1", PROJECT, ["o"], prepared=prepared).failure is None
    CHANGES[change](tree)
    assert worker.prepare(PROJECT, ["o"]) != prepared
    assert worker.execute("s2", PROJECT, ["o"], prepared=prepared).failure is Failure.UNREADABLE
    assert worker.errors["s2"] == "the folder changed after this was approved: ask again"
    assert "s2" not in worker.results
    assert worker.execute("s3", PROJECT, ["o"]).failure is None


@pytest.mark.parametrize("change", ["edited", "added"])
def test_code_that_changed_while_it_ran_has_no_result(tree: Path, change: str) -> None:
    worker = executor(put(tree, FILES), "listing")
    prepared, real = worker.prepare(PROJECT, ["o"]), worker._launcher.launch

    def launch(*given: object) -> object:
        CHANGES[change](tree)
        return real(*given)  # type: ignore[arg-type]

    worker._launcher.launch = launch  # type: ignore[method-assign,assignment]
    assert worker.execute("s1", PROJECT, ["o"], prepared=prepared).failure is Failure.UNREADABLE
    assert worker.results == {}


def test_what_the_code_does_not_see_may_change(tree: Path) -> None:
    put(tree, {**FILES, ".git/index": "1", "state/ledger": "1"})
    worker = executor(tree, "listing", hidden=lambda: (".env",), private=[tree / "state"])
    prepared = worker.prepare(PROJECT, ["o"])
    put(tree, {".env": "another", ".git/index": "2", ".git/more": "3", "state/ledger": "2"})
    (tree / "src/code.py").read_text()
    assert worker.prepare(PROJECT, ["o"]) == prepared
    assert worker.execute("s1", PROJECT, ["o"], prepared=prepared).failure is None


def test_what_comes_to_light_is_a_change(tree: Path) -> None:
    hidden = [".env"]
    worker = executor(put(tree, FILES), "listing", hidden=lambda: hidden)
    prepared = worker.prepare(PROJECT, ["o"])
    hidden.clear()
    assert worker.execute("s1", PROJECT, ["o"], prepared=prepared).failure is Failure.UNREADABLE


def test_other_capabilities_need_no_preparation(tree: Path) -> None:
    worker = executor(tree, "honest")
    assert worker.prepare(CAPABILITY, ["o"]) == ""
    assert worker.execute("s1", CAPABILITY, ["o"], prepared="").failure is None


@pytest.mark.parametrize("name", WORDED)
def test_what_is_looked_for_by_another_question_is_another_thing_told(tree: Path, name: CapabilityName) -> None:
    """The same word about the same files is news where something else was looked for."""
    looking = Capability(name=name, doc="", example="", returns=ResultType.MATCHES, surroundings=True)
    questions = ("where is the login", "where are payments made", "where is the login")
    first, other, again = (executor(tree, "honest", request=question).prepare(looking, ["o"]) for question in questions)
    assert first == again != other
