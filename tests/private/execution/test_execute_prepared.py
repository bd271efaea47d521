"""What was approved is what runs: the folder's code is refused when anything that it would see has changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from driver import put
from workers import CAPABILITY, executor

from plantwin.types.capability import Capability
from plantwin.types.verdict import Failure
from plantwin.vocabulary import CapabilityName, ResultType, Risk

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


def test_code_that_is_looked_for_by_another_question_is_another_thing_told(tree: Path) -> None:
    """The same word about the same files is news where something else was looked for."""
    looking = Capability(
        name=CapabilityName.FIND_CODE, doc="", example="", returns=ResultType.MATCHES, surroundings=True
    )
    questions = ("where is the login", "where are payments made", "where is the login")
    first, other, again = (executor(tree, "honest", request=question).prepare(looking, ["o"]) for question in questions)
    assert first == again != other
