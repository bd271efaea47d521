"""Whole scans over trees made to break them: nothing crashes, hangs, leaks or is lost."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time

import pytest
from observe import trees

from plantwin import Environment, project
from plantwin.errors import RootError

CODE = b"import json\n\n\ndef load(path):\n    return json.loads(path)\n"


@pytest.fixture
def root(tmp_path):
    """A folder that is removed with its deepest corners."""
    folder = tmp_path / "root"
    folder.mkdir()
    yield folder
    if sys.platform == "linux":
        os.system(f"rm -rf '{folder}'")


def scan(root, **options):
    environment = Environment(root, keep=False)
    result = environment.scan(jobs=2, **options)
    return result.summary, {record.path: record for record in result.records()}


def test_links_loops_and_special_files(root, tmp_path):
    (tmp_path / "outside.py").write_bytes(CODE)
    (root / "code.py").write_bytes(CODE)
    (root / "loop").symlink_to(root)
    (root / "self").symlink_to("self")
    (root / "out").symlink_to(tmp_path / "outside.py")
    (root / "up").symlink_to("..")
    os.mkfifo(root / "pipe.py")
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(root / "s.sock"))
    started = time.monotonic()
    summary, records = scan(root)
    server.close()
    assert time.monotonic() - started < 20
    assert list(records) == ["code.py"]
    assert summary.skipped == 6


def test_empty_binary_and_broken_files(root):
    (root / "empty.py").write_bytes(b"")
    (root / "junk.py").write_bytes(bytes(range(256)) * 40)
    (root / "latin.md").write_bytes("Größe und Maß: ñandú".encode("latin-1") * 30)
    people = "full_name,email,phone\n" + "Anna Example,anna@example.org,+46 70 000 11 01\n" * 20
    (root / "utf16.csv").write_text(people, encoding="utf-16")
    (root / "nul.yaml").write_bytes(b"a: 1\n\0\0\0\nb: 2\n")
    (root / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    (root / "bomb.zip").write_bytes(b"PK\x03\x04" + bytes(500))
    summary, records = scan(root)
    assert summary.files == 7
    assert "picture.png" not in records
    assert "bomb.zip" not in records
    assert summary.opaque >= 2
    assert records["empty.py"].readiness_cause == "empty"
    assert records["utf16.csv"].semantic_class == "person_records"


def test_one_line_of_a_hundred_megabytes(root):
    with (root / "line.json").open("wb") as file:
        file.write(b'{"text": "')
        for _ in range(100):
            file.write(b"many words and no end of the line in sight, " * 23_000)
        file.write(b'"}')
    started = time.monotonic()
    summary, records = scan(root)
    assert time.monotonic() - started < 90
    assert records["line.json"].size_bucket == "large"
    assert summary.objects == 1


def test_a_secret_deep_inside_a_large_file_is_seen(root):
    filler = b"2026-01-01T00:00:00Z INFO request served in 12 ms by worker 3\n" * 100_000
    with (root / "server.log").open("wb") as file:
        file.write(filler)
        file.write(b"-----BEGIN RSA PRIVATE KEY-----\n" + b"MIIEow" + b"Ab3dEf6hIj9kLmN0" * 40 + b"\n")
        file.write(b"-----END RSA PRIVATE KEY-----\n")
        file.write(filler)
    _, records = scan(root)
    assert records["server.log"].sensitivity == "high"
    assert "credential" in records["server.log"].sensitivity_causes


def test_hostile_names(root):
    names = ["a\nb.py", "c\x1b[2Jd.py", "-rf.py", "e f.py", "$(touch pwned).py", "';--.py", "\u202egnp.py", "ü.py"]
    for name in names:
        (root / name).write_bytes(CODE)
    (root / os.fsdecode(b"\xff\xfe\x80.py")).write_bytes(CODE)
    summary, records = scan(root)
    assert summary.objects == len(names) + 1
    assert set(names) < set(records)
    project(Environment(root, keep=False))


def test_four_thousand_folders_deep(root):
    descriptor = os.open(root, os.O_RDONLY)
    for _ in range(4_000):
        os.mkdir("d", dir_fd=descriptor)
        inner = os.open("d", os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = inner
    file = os.open("deep.py", os.O_WRONLY | os.O_CREAT, 0o600, dir_fd=descriptor)
    os.write(file, CODE)
    os.close(file)
    os.close(descriptor)
    summary, records = scan(root)
    assert summary.objects == 1
    [record] = records.values()
    assert record.path.endswith("/d/deep.py")
    assert record.readiness == "ready"


def test_unreadable_files_are_objects_of_low_confidence():
    # Loaded while still privileged: the child may not be able to read the installation.
    warm_up()
    with trees.open_to_all() as root:
        trees.fill(root, {"code.py": CODE, "secret.yaml": b"a: 1\n", "closed/inner.py": CODE})
        (root / "secret.yaml").chmod(0)
        (root / "closed").chmod(0)
        objects, warnings = trees.unprivileged(lambda: describe(root))
    assert objects["secret.yaml"] == ("config", "low", "blocked", "unreadable", "high")
    assert objects["code.py"][2] == "ready"
    assert "closed/inner.py" not in objects
    assert any(warning.endswith("closed") for warning in warnings)


def describe(root):
    summary, records = scan(root)
    return (
        {
            path: (each.kind, each.confidence, each.readiness, each.readiness_cause, each.sensitivity)
            for path, each in records.items()
        },
        list(summary.warnings),
    )


def warm_up():
    with trees.open_to_all() as root:
        trees.fill(root, {"code.py": CODE, "settings.yaml": b"a: 1\n"})
        scan(root)


def test_files_that_change_and_vanish_during_the_scan(root):
    for number in range(300):
        (root / f"module{number}.py").write_bytes(CODE)
    stop = threading.Event()

    def disturb():
        number = 0
        while not stop.is_set():
            victim = root / f"module{number % 300}.py"
            if number % 3 == 0:
                victim.unlink(missing_ok=True)
            elif number % 3 == 1:
                victim.write_bytes(CODE * (number % 50))
            else:
                victim.unlink(missing_ok=True)
                victim.mkdir(exist_ok=True)
                victim.rmdir()
            number += 1

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        environment = Environment(root, keep=False)
        for _ in range(5):
            environment.scan(jobs=1)
    finally:
        stop.set()
        thread.join()
    settled = environment.scan(jobs=1)
    assert {record.path for record in settled.records()} == {path.name for path in root.iterdir() if path.is_file()}


def test_a_growing_file_does_not_hold_the_scan(root):
    path = root / "growing.log"
    path.write_bytes(b"x" * 2_000_000)
    stop = threading.Event()

    def grow():
        with path.open("ab") as file:
            while not stop.is_set() and file.tell() < 200_000_000:
                file.write(b"2026-01-01 INFO line\n" * 5_000)

    thread = threading.Thread(target=grow)
    thread.start()
    started = time.monotonic()
    try:
        scan(root)
    finally:
        stop.set()
        thread.join()
    assert time.monotonic() - started < 60


def test_a_root_that_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("")
    for wrong in (tmp_path / "absent", tmp_path / "file" / "below", "\0"):
        with pytest.raises(RootError):
            Environment(wrong, keep=False)
