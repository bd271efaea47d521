"""Results of unchanged files are kept from run to run: by content, name, options and program, in bounds, and dropped
when damaged."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from workers import AUDIT, CAPABILITY, SET, executor, written

from plantwin.private.capabilities.engine.job import Neighbour, Surroundings
from plantwin.private.execution import cache
from plantwin.private.execution.cache import ResultCache
from plantwin.private.execution.executor import SandboxExecutor
from plantwin.private.facts import Record
from plantwin.private.index import Signature


def over(root: Path, records: list[Record], **more: Any) -> SandboxExecutor:
    more.setdefault("cache", root.parent / "results.db")
    return executor(root, "by_content", {}, members=lambda _: records, **more)


def reused(worker: SandboxExecutor, **more: Any) -> int:
    """How many members of a step were known already."""
    capability = more.pop("capability", AUDIT)
    assert worker.execute("s1", capability, [SET], **more).failure is None
    coverage = worker.results["s1"].coverage
    assert coverage is not None
    assert coverage.examined == coverage.given
    worker.close()
    return coverage.reused


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


FILES = {f"{number}.py": "low" if number % 2 else "" for number in range(10)}


def test_a_second_run_takes_what_is_known(root: Path, mode: str) -> None:
    records = written(root, FILES)
    time.sleep(0.1)
    assert reused(over(root, records)) == 0
    worker = over(root, records)
    worker._launcher.waiting = None  # type: ignore[method-assign,assignment]  # none may start
    assert reused(worker) == 10
    assert len(worker.results["s1"].findings) == 5
    assert len(worker.resolve(["s1.affected"])) == 5


def test_an_edit_another_name_and_another_class_are_examined_again(root: Path) -> None:
    records = written(root, FILES)
    time.sleep(0.1)
    assert reused(over(root, records)) == 0
    (root / "1.py").write_text("high")
    os.utime(root / "3.py")
    worker = over(root, records)
    assert reused(worker) == 9  # another time alone is the same content
    assert worker.results["s1"].findings[0].severity == "high"
    (root / "1.py").rename(root / "moved.py")
    moved = [msgspec.structs.replace(each, path="moved.py") if each.path == "1.py" else each for each in records]
    assert reused(over(root, moved)) == 9
    other = [msgspec.structs.replace(each, semantic_class="payment_module") for each in records[2:]]
    assert reused(over(root, other)) == 0


def test_a_file_of_the_same_size_and_time_but_another_inode_is_read(root: Path) -> None:
    records = written(root, {"a.py": "low"})
    before = (root / "a.py").stat()
    time.sleep(0.1)
    assert reused(over(root, records)) == 0
    (root / "b.py").write_text("max")
    os.utime(root / "b.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    (root / "b.py").rename(root / "a.py")
    worker = over(root, records)
    assert reused(worker) == 0
    assert worker.results["s1"].findings == []


def test_a_file_that_changed_just_now_is_read_again(root: Path) -> None:
    kept = ResultCache(root.parent / "results.db", root)
    now = time.time_ns()
    fresh, old = (Signature(1, now - age, now - age + 1, 1, 1) for age in (1000, 10**9))
    kept.note("a.py", fresh, b"digest")
    kept.note("b.py", old, b"digest")
    kept.flush()
    assert kept.digest("a.py", fresh) is None
    assert kept.digest("b.py", old) == b"digest"
    assert kept.digest("b.py", old._replace(mode=2)) is None
    kept.close()


def test_options_decide(root: Path) -> None:
    records = written(root, FILES)
    time.sleep(0.1)
    assert reused(over(root, records)) == 0
    assert reused(over(root, records, rules_off=["SEC-1"])) == 0
    assert reused(over(root, records, rules_off=["SEC-1"])) == 10
    assert reused(over(root, records), capability=CAPABILITY) == 0


def test_another_version_of_the_program_knows_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = written(root, FILES)
    time.sleep(0.1)
    assert reused(over(root, records)) == 0
    monkeypatch.setattr("plantwin.private.execution.fanout.program_version", lambda: b"another")
    assert reused(over(root, records)) == 0


def test_what_lies_around_decides_where_it_is_looked_at(root: Path) -> None:
    records = written(root, FILES)
    time.sleep(0.1)
    looking = msgspec.structs.replace(AUDIT, surroundings=True)

    def around(name: str) -> Any:
        near = (Neighbour(name=name, kind="code_file", semantic_class="x"),)
        return lambda inputs, _: Surroundings(objects=near, inputs=(-1,) * len(inputs))

    assert reused(over(root, records, surroundings=around("a")), capability=looking) == 0
    assert reused(over(root, records, surroundings=around("a")), capability=looking) == 10
    assert reused(over(root, records, surroundings=around("b")), capability=looking) == 0


def test_failures_are_not_kept(root: Path) -> None:
    records = written(root, {"a.py": "raise", "b.py": "low"})
    time.sleep(0.1)
    for known in (0, 1):
        worker = over(root, records)
        worker.execute("s1", AUDIT, [SET])
        coverage = worker.results["s1"].coverage
        assert coverage is not None
        assert (coverage.examined, coverage.reused) == (1, known)
        worker.close()


def test_a_damaged_file_is_dropped(root: Path) -> None:
    records = written(root, FILES)
    time.sleep(0.1)
    file = root.parent / "results.db"
    for damage in (b"no database at all" * 500, b""):
        assert reused(over(root, records)) == 0
        assert reused(over(root, records)) == 10
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        file.write_bytes(damage)
        for suffix in ("-wal", "-shm"):
            file.with_name(f"{file.name}{suffix}").unlink(missing_ok=True)


def test_a_damaged_result_is_a_miss(root: Path) -> None:
    kept = ResultCache(root.parent / "results.db", root)
    kept.put(b"key", b"{}")
    kept.close()
    with kept._opened() as database:
        database.execute("UPDATE results SET data = x'00'")
    assert kept.known([b"key"]) == {}
    assert kept.known([b"key"]) == {}
    kept.put(b"key", b"{}")
    kept.flush()
    assert kept.known([b"key"]) == {b"key": b"{}"}
    kept.close()


def test_what_is_not_ours_is_not_opened(root: Path) -> None:
    file = root.parent / "results.db"
    file.symlink_to(root.parent / "elsewhere.db")
    records = written(root, FILES)
    assert reused(over(root, records)) == 0
    assert reused(over(root, records)) == 0
    assert not (root.parent / "elsewhere.db").exists()


def test_the_oldest_go_where_there_is_too_much(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "BATCH", 4)
    kept = ResultCache(root.parent / "results.db", root, most=200_000)
    for number in range(100):
        monkeypatch.setattr(time, "time", lambda number=number: 1_000_000.0 + number)
        kept.put(b"%d" % number, os.urandom(8000))
    kept.flush()
    assert set(kept.known([b"0", b"99"])) == {b"99"}
    assert cache._pages(kept._opened()) <= 200_000
    kept.close()
