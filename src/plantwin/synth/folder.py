"""The folder: written beside its place, then put there at once; nothing outside of it is touched."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import time
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from plantwin.errors import InputError
from plantwin.synth import File

MAX_TOTAL = 8 << 30
_DAY = 86_400
_CHANGED = {"today": 0, "recent": 8, "stale": 400}
"""Days since a file of each freshness changed; of age, within that: the newer, the fewer."""
_LATER = 61
_AUTHORED = 700
"""Days over which a history spreads: how long ago content was written is told apart from when files changed here."""
_STAND = {"newest": 0.0, "recent": 0.3, "older": 0.6, "oldest": 0.9}
_GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent", "LC_ALL": "C",
    "GIT_AUTHOR_NAME": "synth", "GIT_AUTHOR_EMAIL": "synth@localhost",
    "GIT_COMMITTER_NAME": "synth", "GIT_COMMITTER_EMAIL": "synth@localhost",
}  # fmt: skip


def write_folder(
    files: Iterable[File], target: Path, *, force: bool = False, now: float | None = None
) -> dict[str, str]:
    """Write the files below `target`, which must not be there unless `force`; returns ids with their paths."""
    target = target.absolute()
    if target.is_symlink() or (target.exists() and not force):
        raise InputError(f"'{target.name}' is there already: --force replaces it, if it is a folder")
    if target.exists() and not target.is_dir():
        raise InputError(f"'{target.name}' is no folder")
    if not target.parent.is_dir():
        raise InputError("the folder around DIR does not exist")
    beside = target.parent / f".{target.name}.{secrets.token_hex(4)}"
    old = beside.with_name(f"{beside.name}.old")
    beside.mkdir(mode=0o755)
    try:
        written = _written(files, beside, time.time() if now is None else now)
        if target.exists():
            target.rename(old)
        beside.rename(target)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    if old.exists():
        shutil.rmtree(old)
    return written


def _written(files: Iterable[File], root: Path, now: float) -> dict[str, str]:
    """Write every file, then the times and the history that they have."""
    found: dict[str, str] = {}
    untracked, copied = 0, False
    times: dict[str, tuple[int, int]] = {}
    total = 0
    made: set[str] = set()
    for file in files:
        path = PurePosixPath(file.path)
        if path.is_absolute() or ".." in path.parts:
            raise InputError("a path that leads out of the folder")
        total += len(file.data)
        if total > MAX_TOTAL:
            raise InputError(f"more than {MAX_TOTAL >> 30} GiB would be written")
        if str(path.parent) not in made:
            root.joinpath(path.parent).mkdir(parents=True, exist_ok=True)
            made.add(str(path.parent))
        place = root / path
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(file.data)
        changed = _changed(file, now)
        os.utime(place, (changed, changed))
        found[file.object_id] = file.path
        untracked += not file.tracked
        copied |= not file.tracked and not file.age
        if file.tracked:
            authored = now // _DAY * _DAY - (1 + _STAND.get(file.age, 0.5) * _AUTHORED) * _DAY
            times[file.path] = changed, int(authored)
    if untracked:
        _history(root, times)
    for name, (changed, _) in times.items() if copied else ():
        # As in a copy of a repository, whose files are all newer than git saw them: then only git knows of ages.
        os.utime(root / name, (changed + _LATER, changed + _LATER))
    return found


def _changed(file: File, now: float) -> int:
    """When a file changed: one folder for one day, whenever it is made."""
    stand = _STAND.get(file.age, 0.5)
    if file.freshness == "today":
        return int(now - (0.1 + stand) * _DAY / 2)
    days = _CHANGED.get(file.freshness, 60)
    return int(now // _DAY * _DAY - 1 - (days + stand * min(15, days)) * _DAY)


def _history(root: Path, times: Mapping[str, tuple[int, int]]) -> None:
    """A repository that knows these files, each since it changed."""
    environment = {**_GIT, "PATH": os.environ.get("PATH", os.defpath)}

    def git(*arguments: str, text: str | None = None, when: tuple[int, int] = (0, 0)) -> None:
        dates = {"GIT_AUTHOR_DATE": f"{when[1]} +0000", "GIT_COMMITTER_DATE": f"{when[0]} +0000"}
        subprocess.run(
            ["git", "-c", "core.hooksPath=/dev/null", "-c", "core.autocrlf=false", *arguments],
            cwd=root, env=environment | dates, input=text, text=True, check=True, capture_output=True,
        )  # fmt: skip

    try:
        git("init", "--quiet", "--template=", "--initial-branch=main")
        for when in sorted({*times.values()}):
            paths = "".join(f"{path}\n" for path, changed in times.items() if changed == when)
            git("update-index", "--add", "--stdin", text=paths)
            git("commit", "--quiet", "--message", "Made up", when=when)
    except FileNotFoundError:
        return  # without git, nothing is under version control
    except subprocess.CalledProcessError:
        raise InputError("git could not keep the history of the made-up folder") from None
