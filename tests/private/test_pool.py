"""Workers: one hostile file costs one file, never the scan."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from plantwin import Environment
from plantwin.private import pool, reading

CODE = "import json\n\n\ndef load(path):\n    return json.loads(path)\n"


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "tree"
    root.mkdir()
    for number in range(200):
        (root / f"module{number:03d}.py").write_text(CODE)
    return root


def scan(tree, tmp_path):
    environment = Environment(tree, state=tmp_path / "state")
    try:
        return {record.path: record for record in environment.scan(jobs=2).records()}
    finally:
        environment.close()


def hostile(monkeypatch, act):
    """Make reading one file do something terrible, inside the worker."""
    original = reading.Reader.row

    def row(self, path):
        if path == "module077.py":
            act()
        return original(self, path)

    monkeypatch.setattr(reading.Reader, "row", row)


def given_up(records):
    return [path for path, record in records.items() if record.readiness_cause == "unreadable"]


def test_a_parser_that_hangs_is_killed(tree, tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "PATIENCE", 0.5)
    hostile(monkeypatch, lambda: time.sleep(600))
    started = time.monotonic()
    records = scan(tree, tmp_path)
    assert time.monotonic() - started < 60
    assert len(records) == 200
    assert given_up(records) == ["module077.py"]
    assert records["module077.py"].confidence == "low"
    assert records["module077.py"].sensitivity == "high"
    started = time.monotonic()
    assert given_up(scan(tree, tmp_path)) == ["module077.py"]
    assert time.monotonic() - started < 5, "a file that hung is not tried again before it changes"


def test_a_worker_that_dies_is_replaced(tree, tmp_path, monkeypatch):
    hostile(monkeypatch, lambda: os.kill(os.getpid(), signal.SIGKILL))
    records = scan(tree, tmp_path)
    assert len(records) == 200
    assert given_up(records) == ["module077.py"]


@pytest.mark.parametrize("error", [RuntimeError, MemoryError, RecursionError])
def test_a_stage_that_fails_on_one_file_does_not_fail_the_scan(tree, tmp_path, monkeypatch, error):
    def fail():
        raise error("private content")

    hostile(monkeypatch, fail)
    records = scan(tree, tmp_path)
    assert given_up(records) == ["module077.py"]
    assert "private content" not in " ".join(records["module077.py"].warnings)


def test_paths_longer_than_a_pipe_do_not_deadlock(tmp_path):
    root = tmp_path / "tree"
    root.mkdir()
    descriptor = os.open(root, os.O_RDONLY)
    for level in range(260):
        name = f"{level:03d}" + "d" * 240
        os.mkdir(name, dir_fd=descriptor)
        inner = os.open(name, os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = inner
        for number in range(2):
            file = os.open(f"m{number}.py", os.O_WRONLY | os.O_CREAT, 0o600, dir_fd=descriptor)
            os.write(file, CODE.encode())
            os.close(file)
    os.close(descriptor)
    records = scan(root, tmp_path)
    assert len(records) == 520
    assert not given_up(records)


def test_no_worker_outlives_the_scan(tree, tmp_path):
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    before = set(children.read_text().split())  # of other tests in this process
    scan(tree, tmp_path)
    assert set(children.read_text().split()) <= before
