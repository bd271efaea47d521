"""Git over a hostile repository: nothing that it brings may run, write, fetch or keep us waiting."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from pathlib import Path

import pytest
from trees import commit, fill, git

from plantwin.private.observe.git import freshness_time, history
from plantwin.private.observe.walk import walk
from tables import cases

NOW = 1_800_000_000
DAY = 86_400


@pytest.fixture
def repository(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    git(root, "init", "-q")
    return root


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
    commit(
        repository, {"f": "1", "sub/g": "1", ".gitattributes": "* diff=evil filter=evil merge=evil\n"}, NOW - 9 * DAY
    )
    commit(repository, {"f": "2"}, NOW - DAY)
    sign(repository)
    for folder in (".git/hooks", ".githooks"):
        for hook in (
            "post-index-change",
            "fsmonitor-watchman",
            "reference-transaction",
            "pre-auto-gc",
            "post-checkout",
        ):
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
    found = history(repository, NOW)
    assert found.head == head
    assert found.committed == {"f": NOW - DAY, "sub/g": NOW - 9 * DAY, ".gitattributes": NOW - 9 * DAY}
    (entry,) = [entry for entry in walk(repository) if entry.path == "f"]
    assert freshness_time(entry, found) == NOW, "modified, so the time of the file"
    assert {path: path.stat().st_mtime_ns for path in (repository / ".git").rglob("*")} == before, "nothing is written"
    assert not canary.exists()


def test_nothing_is_fetched_that_a_partial_clone_lacks(hostile):
    repository, canary = hostile
    lose_a_tree(repository)
    with (repository / ".git/config").open("a") as file:
        file.write(hostile_settings(canary))
    warnings: list[str] = []
    found = history(repository, NOW, warn=warnings.append)
    assert warnings == ["git_failed"]
    assert found.tracked == {"f", "sub/g", ".gitattributes"}
    assert not found.complete
    assert not canary.exists()


@cases("command", "settings")
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


def test_git_is_never_taken_from_the_observed_folder(repository, monkeypatch):
    commit(repository, {"f": "1"}, NOW - DAY)
    fill(repository, {"git": "#!/bin/sh\ntouch ran\n"})
    (repository / "git").chmod(0o755)
    monkeypatch.chdir(repository)
    for path in (".", "", "./", "relative"):
        monkeypatch.setenv("PATH", path + os.pathsep + "/usr/local/bin:/usr/bin:/bin")
        assert history(repository, NOW).tracked == {"f"}
        assert not (repository / "ran").exists()
