"""Git: what is tracked and when it was committed; nothing that a repository brings may run."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest
from trees import NOBODY, commit, fill, git

from plantwin.private.facts import Entry
from plantwin.private.observe import git as commands
from plantwin.private.observe import git as module
from plantwin.private.observe.git import History, freshness_time, history
from plantwin.private.observe.walk import walk

NOW = 1_800_000_000
DAY = 86_400


@pytest.fixture
def repository(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    git(root, "init", "-q")
    return root


def known(root: Path, **options) -> History:
    found = history(root, NOW, **options)
    assert found is not None
    return found


def days(root: Path, found: History | None) -> dict[str, float]:
    """How many days before now each file changed, as freshness sees it."""
    tracked = found.tracked if found else None
    return {entry.path: (NOW - freshness_time(entry, found)) / DAY for entry in walk(root, tracked=tracked)}


def test_the_last_commit_of_each_path_inside_the_window(repository):
    commit(repository, {"old": "1", "both": "1"}, NOW - 100 * DAY)
    commit(repository, {"mid": "1", "sub/new\nline": "1"}, NOW - 20 * DAY)
    head = commit(repository, {"both": "2"}, NOW - 2 * DAY)
    found = known(repository)
    assert found.head == head
    assert found.complete
    assert found.tracked == {"old", "both", "mid", "sub/new\nline"}
    assert found.committed == {"both": NOW - 2 * DAY, "mid": NOW - 20 * DAY, "sub/new\nline": NOW - 20 * DAY}
    assert found.staged == frozenset()


def test_freshness_is_the_commit_for_unmodified_and_the_file_for_others(repository):
    commit(repository, {"old": "1", "new": "1", "edited": "1", "touched": "1", "grown": "1"}, NOW - 100 * DAY)
    commit(repository, {"new": "2"}, NOW - 3 * DAY)
    fill(repository, {"untracked": "1", "edited": "22", "added": "1"})
    git(repository, "add", "added")
    for name in ("untracked", "edited", "touched", "added"):
        os.utime(repository / name, (NOW - 1 * DAY, NOW - 1 * DAY))
    status = (repository / "grown").stat()
    fill(repository, {"grown": "longer, with its time set back"})
    os.utime(repository / "grown", ns=(status.st_atime_ns, status.st_mtime_ns))
    git(repository, "add", "added")
    found = days(repository, known(repository))
    assert found["new"] == 3
    assert found["old"] == pytest.approx(31, abs=0.001)
    assert found["old"] > 31
    assert (found["untracked"], found["edited"], found["touched"], found["added"]) == (1, 1, 1, 1)
    assert found["grown"] == (NOW - status.st_mtime_ns / 1_000_000_000) / DAY


def test_without_a_repository_freshness_is_the_file():
    entry = Entry("f", 1, 5_500_000_000, 0, 1, stat.S_IFREG)
    assert freshness_time(entry, None) == 5.5


def test_an_index_without_nanoseconds_still_tells_unmodified():
    entry = Entry("f", 1, 5_500_000_000, 0, 1, stat.S_IFREG)
    found = History("h", 100.0, {"f": 200}, True, {"f": module._mark(5_000_000_000, 1)})
    assert freshness_time(entry, found) == 200
    assert freshness_time(entry._replace(mtime_ns=6_500_000_000), found) == 6.5
    assert freshness_time(entry._replace(size=2), found) == 5.5


def test_history_cut_short_does_not_call_the_rest_old(repository, monkeypatch):
    for number in range(30):
        commit(repository, {f"f{number:02}": "1"}, NOW - (30 - number) * 1000)
    monkeypatch.setattr(module, "MAX_LOG", 300)
    monkeypatch.setattr(commands, "CHUNK", 100)
    warnings: list[str] = []
    found = known(repository, warn=warnings.append)
    assert warnings == ["git_output_cut"]
    assert not found.complete
    assert "f29" in found.committed
    assert "f00" not in found.committed
    (entry,) = [entry for entry in walk(repository) if entry.path == "f00"]
    assert freshness_time(entry, found) == entry.mtime_ns / 1_000_000_000


def test_a_subfolder_sees_its_own_part(repository):
    commit(repository, {"a/x": "1", "b/y": "1"}, NOW - 9 * DAY)
    commit(repository, {"a/deep/z": "1"}, NOW - 4 * DAY)
    commit(repository, {"b/y": "2"}, NOW - 1 * DAY)
    found = known(repository / "a")
    assert found.committed == {"x": NOW - 9 * DAY, "deep/z": NOW - 4 * DAY}
    assert found.tracked == {"x", "deep/z"}
    assert days(repository / "a", found) == {"x": 9, "deep/z": 4}
    (repository.parent / "link").symlink_to(repository / "a")
    assert known(repository.parent / "link").committed == found.committed


def test_merges_count_from_the_day_they_arrived(repository):
    commit(repository, {"base": "1"}, NOW - 60 * DAY)
    git(repository, "checkout", "-q", "-b", "side")
    commit(repository, {"side": "1"}, NOW - 50 * DAY)
    git(repository, "checkout", "-q", "main")
    commit(repository, {"main": "1"}, NOW - 40 * DAY)
    git(repository, "merge", "-q", "--no-ff", "-m", "merge", "side", when=NOW - 5 * DAY)
    assert known(repository).committed == {"side": NOW - 5 * DAY}


def test_an_earlier_result_is_extended(repository):
    commit(repository, {"a": "1", "b": "1"}, NOW - 20 * DAY)
    first = known(repository)
    second = known(repository, previous=first)
    assert (second.head, second.committed) == (first.head, first.committed)
    marked = History(first.head, first.since, {"a": NOW - 20 * DAY, "from cache": NOW - 19 * DAY}, True)
    commit(repository, {"b": "2", "c": "1"}, NOW - 2 * DAY)
    third = known(repository, previous=marked)
    assert third.committed == {
        "a": NOW - 20 * DAY,
        "from cache": NOW - 19 * DAY,
        "b": NOW - 2 * DAY,
        "c": NOW - 2 * DAY,
    }


def test_an_earlier_result_that_does_not_fit_is_not_used(repository):
    commit(repository, {"a": "1"}, NOW - 20 * DAY)
    lost = commit(repository, {"b": "1"}, NOW - 10 * DAY)
    first = known(repository)
    git(repository, "reset", "-q", "--hard", "HEAD~1")
    commit(repository, {"c": "1"}, NOW - 5 * DAY)
    assert known(repository, previous=first).committed == {"a": NOW - 20 * DAY, "c": NOW - 5 * DAY}
    wide = known(repository, window_days=15)
    assert known(repository, previous=wide).committed == {"a": NOW - 20 * DAY, "c": NOW - 5 * DAY}
    cut = History(wide.head, 0.0, {}, False)
    assert known(repository, previous=cut).committed == {"a": NOW - 20 * DAY, "c": NOW - 5 * DAY}
    later = known(repository, window_days=7, previous=known(repository))
    assert later.committed == {"c": NOW - 5 * DAY}
    assert lost != later.head


def test_few_commits_out_of_order_do_not_end_the_search(repository):
    commit(repository, {"a": "1"}, NOW - 3 * DAY)
    for number in range(5):
        commit(repository, {f"skewed{number}": "1"}, 1_000_000_000)
    commit(repository, {"b": "1"}, NOW - 1 * DAY)
    assert known(repository).committed == {"a": NOW - 3 * DAY, "b": NOW - 1 * DAY}


def test_names_that_try_to_look_like_commits(repository):
    names = {"a" * 40 + " 1799999999", "b/" + "a" * 40 + " 1799999999", "\nodd", "bad\udcff", "x\tflags: 0\ny"}
    commit(repository, dict.fromkeys(names, "1"), NOW - 1 * DAY)
    found = known(repository)
    assert set(found.committed) == found.tracked == names


def test_no_repository_no_commit_and_staged_files(tmp_path, repository):
    warnings: list[str] = []
    plain = fill(tmp_path / "plain", {"f": "1"})
    assert history(plain, NOW, warn=warnings.append) is None
    assert warnings == []
    assert history(repository, NOW, warn=warnings.append) is None
    assert warnings == ["git_no_commit"]
    fill(repository, {"f": "1"})
    git(repository, "add", "f")
    found = known(repository)
    assert (found.head, found.committed, found.tracked, found.complete) == ("", {}, {"f"}, False)
    (entry,) = walk(repository)
    assert freshness_time(entry, found) == entry.mtime_ns / 1_000_000_000


@pytest.mark.parametrize("damage", ["empty .git", "no HEAD", "bad config", "bad index", "no objects", "file"])
def test_a_damaged_repository_is_a_warning(repository, damage):
    commit(repository, {"f": "1"}, NOW - DAY)
    meta = repository / ".git"
    if damage == "empty .git":
        shutil.rmtree(meta)
        meta.mkdir()
    elif damage == "no HEAD":
        (meta / "HEAD").unlink()
    elif damage == "bad config":
        (meta / "config").write_text("[core\n=")
    elif damage == "bad index":
        (meta / "index").write_bytes(b"DIRC" + os.urandom(500))
    elif damage == "no objects":
        for place in (meta / "objects").iterdir():
            shutil.rmtree(place)
    else:
        shutil.rmtree(meta)
        meta.write_text("gitdir: /nonexistent\n")
    warnings: list[str] = []
    found = history(repository, NOW, warn=warnings.append)
    assert warnings == ["git_failed"]
    if found is not None:
        assert damage == "no objects"
        assert found.tracked == {"f"}
        assert not found.complete


def test_missing_git_is_a_warning(repository, monkeypatch, tmp_path):
    warnings: list[str] = []
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert history(repository, NOW, warn=warnings.append) is None
    assert warnings == ["git_missing"]


def test_a_repository_of_someone_else_is_a_warning(repository):
    commit(repository, {"f": "1"}, NOW - DAY)
    if os.geteuid() != 0:
        with pytest.raises(PermissionError):
            os.chown(repository, NOBODY, NOBODY)
        return
    for place in (repository, repository / ".git"):
        os.chown(place, NOBODY, NOBODY)
    warnings: list[str] = []
    assert history(repository, NOW, warn=warnings.append) is None
    assert warnings == ["git_foreign_owner"]


def test_shallow_clones_worktrees_and_submodules(repository, tmp_path):
    commit(repository, {"a": "1"}, NOW - 90 * DAY)
    commit(repository, {"b": "1"}, NOW - 2 * DAY)
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repository}", "shallow")
    assert known(tmp_path / "shallow").committed == {"a": NOW - 2 * DAY, "b": NOW - 2 * DAY}, "an upper bound"
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"), "HEAD")
    assert (tmp_path / "tree/.git").is_file()
    assert known(tmp_path / "tree").committed == {"b": NOW - 2 * DAY}
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "submodule", "--quiet", "add", str(repository), "inner")
    commit(outer, {"own": "1"}, NOW - 1 * DAY)
    assert known(outer).committed == {".gitmodules": NOW - DAY, "own": NOW - DAY}
    assert known(outer / "inner").committed == {"b": NOW - 2 * DAY}


def test_history_prints_nothing_of_the_tree(repository):
    commit(repository, {"payroll.csv": "1"}, NOW - DAY)
    assert "payroll" not in repr(known(repository))
