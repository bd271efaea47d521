"""A copy of a folder to run tests in: small files are copied, large ones and installed packages linked.

The original is read-only, so that a link can be read through and not written through.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NamedTuple

LARGE = 1 << 20
"""A larger file is linked."""
TOTAL = 36 << 20
"""Bytes that are copied at most; what comes after is linked."""
MOST = 40_000
"""Files and folders that are copied at most."""
LEFT = frozenset((".git", ".hg", ".svn", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".nox",
                  ".hypothesis", ".coverage", ".DS_Store", ".idea", ".vscode"))  # fmt: skip
"""What no test needs."""
LINKED = frozenset(
    ("node_modules", ".venv", "venv", "env", ".env.d", "vendor", "target", "site-packages", ".next", ".terraform")
)
"""What is too much to copy, and is only read."""


class Copied(NamedTuple):
    """What became of the files of a folder."""

    copied: int = 0
    linked: int = 0
    unreadable: int = 0


def copy(folder: str, target: str) -> Copied:
    """Copy `folder` to `target`, which must not exist."""
    copied = linked = unreadable = size = 0
    Path(target).mkdir(parents=True)
    stack = [(folder, target)]
    while stack:
        here, there = stack.pop()
        try:
            entries = sorted(os.scandir(here), key=lambda each: each.name)
        except OSError:
            unreadable += 1
            continue
        for entry in entries:
            to = f"{there}/{entry.name}"
            try:
                if entry.name in LEFT:
                    continue
                if entry.is_symlink():
                    _link_again(entry.path, to, here, folder)
                elif entry.is_dir(follow_symlinks=False):
                    if entry.name in LINKED or copied + linked > MOST:
                        Path(to).symlink_to(entry.path)
                        linked += 1
                    else:
                        Path(to).mkdir()
                        stack.append((entry.path, to))
                elif entry.is_file(follow_symlinks=False):
                    length = entry.stat(follow_symlinks=False).st_size
                    if length > LARGE or size + length > TOTAL or copied + linked > MOST:
                        Path(to).symlink_to(entry.path)
                        linked += 1
                    else:
                        shutil.copy(entry.path, to)
                        size += length
                        copied += 1
            except OSError:
                unreadable += 1
    return Copied(copied, linked, unreadable)


def _link_again(path: str, to: str, here: str, folder: str) -> None:
    """A link of the folder stays one where it leads to a place inside it."""
    aim = os.readlink(path)  # noqa: PTH115 (text throughout)
    inside = os.path.normpath(f"{here}/{aim}")
    if not os.path.isabs(aim) and (inside == folder or inside.startswith(f"{folder}/")):  # noqa: PTH117
        Path(to).symlink_to(aim)
