"""A copy of a folder to run tests in: small files are copied, large ones and installed packages linked.

The original is read-only, so that a link can be read through and not written through.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plantwin.private.capabilities.run_tests.process import Clock, Done, run
from plantwin.private.facts import PROGRAMS, Private
from plantwin.private.formats.values import words

LARGE = 1 << 20
"""A larger file is linked."""
MOST_BYTES = 36 << 20
"""Bytes that are copied at most; what comes after is linked."""
MOST_FILES = 40_000
"""Files and folders that are copied at most."""
LEFT_OUT = words(
    ".git .hg .svn __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .hypothesis .coverage .DS_Store .idea"
    " .vscode"
)
"""What no test needs."""
LINKED = words("node_modules .venv venv env .env.d vendor target site-packages .next .terraform")
"""What is too much to copy, and is only read."""


@dataclass(slots=True, repr=False)
class Workspace(Private):
    """A copy of the folder, with a place for what runners write, and the time that is left."""

    root: str
    """The copy."""
    scratch: str
    clock: Clock = field(default_factory=Clock)

    @property
    def log(self) -> str:
        """Where the output of a program goes."""
        return f"{self.scratch}/log"

    def find_program(self, name: str) -> str | None:
        """Return the path of an installed program."""
        return shutil.which(name, path=PROGRAMS)

    def package_of(self, file: str, manifest: str) -> str:
        """Return the nearest folder above a file that is a package: it has this manifest."""
        folder = Path(self.root, file).parent
        while str(folder) != self.root and not (folder / manifest).exists():
            folder = folder.parent
        return str(folder)

    def run(self, command: Sequence[str], folder: str, environment: Mapping[str, str] | None = None) -> Done:
        """Run a program with an environment of its own and a home that is empty."""
        home = f"{self.scratch}/home"
        Path(home).mkdir(exist_ok=True)
        basic = {"PATH": PROGRAMS, "HOME": home, "TMPDIR": self.scratch, "LANG": "C.UTF-8", "CI": "1", "NO_COLOR": "1"}
        return run(command, folder, self.clock, basic | dict(environment or {}), self.log)


@dataclass(slots=True)
class Copied:
    """What became of the files of a folder."""

    copied: int = 0
    linked: int = 0
    unreadable: int = 0
    size: int = field(default=0, repr=False, compare=False)


def copy(folder: str, target: str) -> Copied:
    """Copy `folder` to `target`, which must not exist."""
    counts = Copied()
    Path(target).mkdir(parents=True)
    stack = [(folder, target)]
    while stack:
        source, destination = stack.pop()
        try:
            entries = sorted(os.scandir(source), key=lambda entry: entry.name)
        except OSError:
            counts.unreadable += 1
            continue
        for entry in entries:
            path = Path(destination, entry.name)
            try:
                if entry.name in LEFT_OUT:
                    continue
                if entry.is_symlink():
                    _copy_link(entry.path, path, source, folder)
                elif entry.name == "node_modules" and entry.is_dir(follow_symlinks=False):
                    # Runners keep a cache of theirs beside the packages.
                    path.mkdir()
                    for package in os.scandir(entry.path):
                        (path / package.name).symlink_to(package.path)
                    counts.linked += 1
                elif _is_linked(entry, counts):
                    path.symlink_to(entry.path)
                    counts.linked += 1
                elif entry.is_dir(follow_symlinks=False):
                    path.mkdir()
                    stack.append((entry.path, str(path)))
                elif entry.is_file(follow_symlinks=False):
                    shutil.copy(entry.path, path)
                    counts.size += entry.stat(follow_symlinks=False).st_size
                    counts.copied += 1
            except OSError:
                counts.unreadable += 1
    return counts


def _is_linked(entry: os.DirEntry[str], counts: Copied) -> bool:
    """Tell whether a file or folder is only linked, because it is too much to copy."""
    many = counts.copied + counts.linked > MOST_FILES
    if entry.is_dir(follow_symlinks=False):
        return many or entry.name in LINKED
    if not entry.is_file(follow_symlinks=False):
        return False
    size = entry.stat(follow_symlinks=False).st_size
    return many or size > LARGE or counts.size + size > MOST_BYTES


def _copy_link(path: str, copied: Path, source: str, folder: str) -> None:
    """Copy a symbolic link where it leads to a place inside the folder."""
    aim = os.readlink(path)  # noqa: PTH115 (text throughout)
    inside = os.path.normpath(f"{source}/{aim}")
    if not os.path.isabs(aim) and (inside == folder or inside.startswith(f"{folder}/")):  # noqa: PTH117
        copied.symlink_to(aim)
