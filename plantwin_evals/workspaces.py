"""A domain's workspace, made real: files with their secrets and ages, databases, a git history."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import time
import tomllib
from contextlib import closing
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import msgspec

from plantwin.errors import InputError
from plantwin_evals.suite import Domain

AGE = "30d"
"""Of files that no rule names."""
_SECONDS = {"m": 60, "h": 3600, "d": 86400}


class Commit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One commit of a history."""

    author: str
    mail: str
    date: str
    message: str
    files: tuple[str, ...]


class History(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A repository's commits and the branches that point at the last one."""

    branches: tuple[str, ...]
    commit: tuple[Commit, ...]


def build(domain: Domain, target: Path) -> Path:
    """The workspace in a new folder. Returns it."""
    if domain.source is not None:
        return Path(shutil.copytree(domain.source, target, symlinks=True))
    source = domain.folder / "workspace"
    for path in sorted(source.rglob("*")):
        place = target / path.relative_to(source)
        if path.is_dir():
            place.mkdir(parents=True, exist_ok=True)
        elif "__pycache__" not in path.parts:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(_filled(domain, path.read_bytes()))
    for each in domain.databases:
        script = domain.filled((domain.folder / each.sql).read_text())
        place = target / each.file
        place.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(place)) as connection:
            connection.executescript(script)
            connection.commit()
    history = domain.folder / "git.toml"
    if history.is_file():
        _commit(msgspec.convert(tomllib.loads(domain.filled(history.read_text())), History), target)
    _age(domain, target)
    return target


def files(root: Path) -> list[str]:
    """Paths of a workspace's files, without its repository."""
    return sorted(
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(root).parts
    )


def _filled(domain: Domain, data: bytes) -> bytes:
    if b"{{secret:" not in data:
        return data
    return domain.filled(data.decode()).encode()


def _age(domain: Domain, target: Path) -> None:
    now = time.time()
    for name in files(target):
        age = AGE
        for glob, other in domain.modified.items():
            if fnmatchcase(name, glob):
                age = other
        moment = now - int(age[:-1]) * _SECONDS[age[-1]]
        os.utime(target / name, (moment, moment))


def _commit(history: History, target: Path) -> None:
    """A real repository. A file that several commits name grows from one to the next."""
    whole = {name: (target / name).read_bytes() for each in history.commit for name in each.files}
    times: dict[str, int] = {}
    for each in history.commit:
        for name in each.files:
            times[name] = times.get(name, 0) + 1
    seen: dict[str, int] = {}
    _git(target, "init", "--quiet", f"--initial-branch={history.branches[0]}")
    for each in history.commit:
        for name in each.files:
            seen[name] = seen.get(name, 0) + 1
            lines = whole[name].splitlines(keepends=True)
            (target / name).write_bytes(b"".join(lines[: max(1, len(lines) * seen[name] // times[name])]))
        _git(target, "add", "--", *each.files)
        who = {"NAME": each.author, "EMAIL": each.mail, "DATE": each.date}
        identity = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
        _git(target, "commit", "--quiet", "--allow-empty", "-m", each.message, extra=identity)
    for branch in history.branches[1:]:
        _git(target, "branch", branch)


def _git(target: Path, *arguments: str, extra: dict[str, str] | None = None) -> None:
    environment: dict[str, Any] = {
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(target),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        **(extra or {}),
    }
    command = ["git", "-c", "core.autocrlf=false", "-c", "commit.gpgsign=false", "-c", "gc.auto=0", *arguments]
    done = subprocess.run(command, cwd=target, env=environment, capture_output=True, check=False)
    if done.returncode:
        raise InputError(f"git {arguments[0]} failed for a workspace: is git installed?")
