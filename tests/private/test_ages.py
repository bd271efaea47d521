"""Age and order, never dates: from git, else from series and contents, else from times of files that differ."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from plantwin.private.environment import Environment
from plantwin.private.observe.git import history, remembered
from plantwin.private.scan import ages, in_series

DAY = 86_400
START = 1_700_000_000


def git(root, *arguments, when=START):
    stamp = f"{when} +0000"
    known = {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": f"{when + 500 * DAY} +0000", "HOME": str(root)}
    names = {f"GIT_{who}_{what}": "nobody@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    done = ["git", "-c", "init.defaultBranch=main", *arguments]
    subprocess.run(done, cwd=root, env={**os.environ, **known, **names}, check=True, capture_output=True)


def commit(root, files, day):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "work", when=START + day * DAY)


@pytest.fixture
def repository(tmp_path):
    """Twelve files, one changed a day; the oldest was moved on the last day."""
    root = tmp_path / "root"
    root.mkdir()
    git(root, "init", "-q")
    for day in range(12):
        commit(root, {f"src/part{day:02}.py": f"def work_{day}():\n    return {day}\n"}, day)
    git(root, "mv", "src/part00.py", "src/moved.py")
    git(root, "commit", "-qm", "move", when=START + 99 * DAY)
    return root


def told(root, field="age", **options):
    environment = Environment(root, keep=False, **options)
    return {record.path: getattr(record, field) for record in environment.scan().records()}


EXPECTED = {
    "src/moved.py": "oldest", "src/part01.py": "oldest", "src/part02.py": "older", "src/part05.py": "older",
    "src/part07.py": "recent", "src/part10.py": "newest", "src/part11.py": "newest",
}  # fmt: skip


def test_git_tells_by_author_and_a_file_that_was_only_moved_keeps_its_age(repository):
    found = told(repository)
    assert {path: found[path] for path in EXPECTED} == EXPECTED


def test_a_fresh_clone_and_a_copy_look_as_old_as_they_are(repository, tmp_path):
    git(tmp_path, "clone", "-q", str(repository), str(tmp_path / "clone"))
    shutil.copytree(repository, tmp_path / "copy", copy_function=shutil.copyfile)
    for folder in ("clone", "copy"):
        found = told(tmp_path / folder)
        assert {path: found[path] for path in EXPECTED} == EXPECTED
    assert told(tmp_path / "copy", "freshness") == told(tmp_path / "clone", "freshness")
    shutil.rmtree(tmp_path / "copy" / ".git")
    assert set(told(tmp_path / "copy").values()) == {""}, "the times of a copy are of no work"


def test_where_a_shallow_clone_ends_nothing_looks_new(repository, tmp_path):
    git(tmp_path, "clone", "-q", "--depth", "3", f"file://{repository}", str(tmp_path / "clone"))
    found = told(tmp_path / "clone")
    assert {path: age for path, age in found.items() if age == "newest"} == {"src/part11.py": "newest"}
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repository}", str(tmp_path / "flat"))
    assert set(told(tmp_path / "flat").values()) == {""}


def test_what_was_read_of_the_history_is_gone_on_from(repository, tmp_path):
    first = history(repository, START, ages=9.0)
    kept = remembered(first.kept())
    kept.authored.times["src/part05.py"] = 7
    commit(repository, {"src/part04.py": "changed = True\n"}, 200)
    git(repository, "mv", "src/part05.py", "src/five.py")
    git(repository, "commit", "-qm", "move", when=START + 201 * DAY)
    later = history(repository, START, previous=kept, ages=9.0).authored.times
    assert later["src/part04.py"] == START + 200 * DAY
    assert later["src/five.py"] == 7, "known from before, under its old name"
    assert later["src/part06.py"] == START + 6 * DAY
    assert remembered(b"") is None
    assert remembered(b"\xff\xffdamaged") is None
    environment = Environment(repository, state=tmp_path / "state")
    before = {record.path: record.age for record in environment.scan().records()}
    assert {record.path: record.age for record in environment.scan().records()} == before
    assert remembered(environment._index.past()).head == history(repository, START).head
    environment.close()


def test_a_deleted_name_that_came_back_is_another_file(repository):
    git(repository, "rm", "-q", "src/part03.py")
    git(repository, "commit", "-qm", "remove", when=START + 20 * DAY)
    commit(repository, {"src/part03.py": "other = 1\n"}, 30)
    times = history(repository, START, ages=9.0).authored.times
    assert times["src/part03.py"] == START + 30 * DAY


def test_times_of_files_count_where_they_differ(tmp_path):
    for day in range(10):
        path = tmp_path / f"note{day}.txt"
        path.write_text(f"something that was written down on one of the days {day}\n" * 3)
        os.utime(path, (START + day * DAY, START + day * DAY))
    found = told(tmp_path)
    assert (found["note0.txt"], found["note3.txt"], found["note6.txt"], found["note9.txt"]) == (
        "oldest", "older", "recent", "newest",
    )  # fmt: skip


def test_a_series_goes_by_its_numbers_whatever_the_times_are(tmp_path):
    folder = tmp_path / "migrations"
    folder.mkdir()
    for number in range(1, 6):
        (folder / f"000{number}_step.sql").write_text(f"ALTER TABLE orders ADD COLUMN c{number} integer;\n")
    found = told(tmp_path)
    assert [found[f"migrations/000{number}_step.sql"] for number in range(1, 6)] == [
        "oldest", "older", "recent", "recent", "newest",
    ]  # fmt: skip


def test_ages_are_told_only_where_there_is_an_order():
    assert ages({1: 5.0, 2: 5.0, 3: 5.0, 4: 5.0, 5: None}) == {}
    assert ages({1: 1.0, 2: 2.0, 3: 3.0}) == {}
    assert ages({1: 1.0, 2: 2.0, 3: 3.0, 4: 4.0, 5: None}) == {1: "oldest", 2: "older", 3: "recent", 4: "newest"}


def test_the_order_of_a_series_follows_its_edges_and_a_circle_has_none():
    rows = [
        (1, "precedes", 2),
        (3, "supersedes", 2),
        (3, "order", 4),
        (1, "imports", 9),
        (7, "order", 8),
        (8, "order", 7),
    ]
    assert in_series(rows) == {1: "oldest", 2: "older", 3: "recent", 4: "newest"}
