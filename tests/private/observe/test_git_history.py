"""Git: what is tracked and when it was committed; nothing that a repository brings may run."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import subprocess
import time
from pathlib import Path

import pytest
from trees import NOBODY, commit, fill, git

from plantwin.private.facts import Entry
from plantwin.private.observe import command as commands
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


def test_git_is_never_taken_from_the_observed_folder(repository, monkeypatch):
    commit(repository, {"f": "1"}, NOW - DAY)
    fill(repository, {"git": "#!/bin/sh\ntouch ran\n"})
    (repository / "git").chmod(0o755)
    monkeypatch.chdir(repository)
    for path in (".", "", "./", "relative"):
        monkeypatch.setenv("PATH", path + os.pathsep + "/usr/local/bin:/usr/bin:/bin")
        assert known(repository).tracked == {"f"}
        assert not (repository / "ran").exists()


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


def hostile_settings(canary: Path) -> str:
    run = f"touch {canary}"
    script = f"!{run}"
    return f"""
[core]
    fsmonitor = {run}
    hooksPath = .githooks
    pager = {run}
    sshCommand = {run}
    askPass = {run}
    editor = {run}
    gitProxy = {run}
    alternateRefsCommand = {run}
[pager]
    log = {run}
    diff-index = {run}
    ls-files = {run}
[alias]
    log = {script}
    ls-files = {script}
    diff-index = {script}
[log]
    showSignature = true
    follow = true
    mailmap = true
[gpg]
    program = {run}
[gpg "ssh"]
    program = {run}
    allowedSignersFile = x
[diff]
    external = {run}
    orderFile = order
    relative = false
[diff "evil"]
    textconv = {run}
    command = {run}
[filter "evil"]
    clean = {run}
    smudge = {run}
    process = {run}
    required = true
[merge "evil"]
    driver = {run}
[credential]
    helper = {script}
[protocol]
    allow = always
[protocol "ext"]
    allow = always
[protocol "file"]
    allow = always
[remote "origin"]
    url = ext::{run.replace(" ", "% ")}
    uploadpack = {run}
    promisor = true
    partialclonefilter = blob:none
[extensions]
    partialClone = origin
[core]
    repositoryFormatVersion = 1
[sequence]
    editor = {run}
[trace2]
    normalTarget = {canary}
    eventTarget = {canary}
"""


def sign(root: Path) -> str:
    """Give the current commit a signature, so that git has something to verify."""
    head, _, rest = git(root, "cat-file", "commit", "HEAD").partition(b"\n\n")
    signature = b"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----"
    (root.parent / "commit").write_bytes(head + signature + b"\n\n" + rest)
    signed = git(root, "hash-object", "-t", "commit", "-w", str(root.parent / "commit")).decode().strip()
    git(root, "update-ref", "HEAD", signed)
    return signed


def lose_a_tree(root: Path) -> Path:
    """Remove the folder listing of the commit before the current one, as a partial clone may lack it."""
    tree = git(root, "rev-parse", "HEAD~1^{tree}").decode().strip()
    place = root / ".git/objects" / tree[:2] / tree[2:]
    place.unlink()
    return place


@pytest.fixture
def hostile(repository, tmp_path):
    """A repository that runs something wherever git lets it, and the file that would then exist."""
    canary = tmp_path / "canary"
    commit(repository, {"f": "1", "sub/g": "1", ".gitattributes": "* diff=evil filter=evil merge=evil\n"}, NOW - 9 * DAY)
    commit(repository, {"f": "2"}, NOW - DAY)
    sign(repository)
    for folder in (".git/hooks", ".githooks"):
        for hook in ("post-index-change", "fsmonitor-watchman", "reference-transaction", "pre-auto-gc", "post-checkout"):
            fill(repository, {f"{folder}/{hook}": f"#!/bin/sh\ntouch {canary}\n"})
            (repository / folder / hook).chmod(0o755)
    fill(repository, {"f": "3 modified", "sub/g": "2"})
    os.utime(repository / "f", (NOW, NOW))
    return repository, canary


def test_nothing_that_a_repository_brings_is_run(hostile, monkeypatch):
    repository, canary = hostile
    head = git(repository, "rev-parse", "HEAD").decode().strip()
    for name in ("GIT_DIR", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_SSH_COMMAND", "GIT_CONFIG_PARAMETERS", "GIT_TRACE"):
        monkeypatch.setenv(name, f"touch {canary}")
    with (repository / ".git/config").open("a") as file:
        file.write(hostile_settings(canary))
    before = {path: path.stat().st_mtime_ns for path in (repository / ".git").rglob("*")}
    found = known(repository)
    assert found.head == head
    assert found.committed == {"f": NOW - DAY, "sub/g": NOW - 9 * DAY, ".gitattributes": NOW - 9 * DAY}
    assert days(repository, found)["f"] == 0, "modified, so the time of the file"
    assert {path: path.stat().st_mtime_ns for path in (repository / ".git").rglob("*")} == before, "nothing is written"
    assert not canary.exists()


def test_nothing_is_fetched_that_a_partial_clone_lacks(hostile):
    repository, canary = hostile
    lose_a_tree(repository)
    with (repository / ".git/config").open("a") as file:
        file.write(hostile_settings(canary))
    warnings: list[str] = []
    found = known(repository, warn=warnings.append)
    assert warnings == ["git_failed"]
    assert found.tracked == {"f", "sub/g", ".gitattributes"}
    assert not found.complete
    assert not canary.exists()


@pytest.mark.parametrize(
    ("command", "settings"),
    [
        (("status",), "[core]\n fsmonitor = {run}\n"),
        (("ls-files", "-m"), '[filter "evil"]\n clean = {run}\n'),
        (("log",), "[log]\n showSignature = true\n[gpg]\n program = {script}\n"),
        (
            ("log", "--name-only"),
            '[protocol "ext"]\n allow = always\n[extensions]\n partialClone = origin\n[core]\n'
            ' repositoryFormatVersion = 1\n[remote "origin"]\n promisor = true\n url = ext::{script}\n',
        ),
    ],
)
def test_the_planted_settings_do_run_where_git_is_not_guarded(hostile, tmp_path, command, settings):
    """Otherwise the tests above would pass for the wrong reason."""
    repository, canary = hostile
    if "--name-only" in command:
        lose_a_tree(repository)
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch {canary}\n")
    script.chmod(0o755)
    with (repository / ".git/config").open("a") as file:
        file.write(settings.format(run=f"touch {canary}", script=script))
    with contextlib.suppress(subprocess.CalledProcessError):
        git(repository, *command)
    assert canary.exists()


def test_a_repository_that_makes_git_wait_ends_at_the_time_limit(repository):
    commit(repository, {"f": "1"}, NOW - DAY)
    os.mkfifo(repository / ".git/wait")
    with (repository / ".git/config").open("a") as file:
        file.write("[include]\n    path = wait\n")
    warnings: list[str] = []
    started = time.monotonic()
    assert history(repository, NOW, timeout=0.5, warn=warnings.append) is None
    assert time.monotonic() - started < 5
    assert warnings == ["git_timeout"]


def test_a_planted_bare_repository_is_not_read(tmp_path):
    root = fill(tmp_path / "root", {"f": "1", ".git/": ""})
    git(tmp_path, "init", "-q", "--bare", "root/bare")
    assert history(root / "bare", NOW) is None


def test_history_prints_nothing_of_the_tree(repository):
    commit(repository, {"payroll.csv": "1"}, NOW - DAY)
    assert "payroll" not in repr(known(repository))
