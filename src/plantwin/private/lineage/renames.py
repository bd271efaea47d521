"""Renames that git knows: where a path of today was before."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path

from plantwin.private.observe.git import Command, CommandError
from plantwin.private.observe.ignore import repository

RENAMES = 2000
"""Renames that git is asked for at most."""


def former_paths(path: str, renames: Mapping[str, set[str]]) -> set[str]:
    """Every name that a path had before, over any number of renames."""
    found: set[str] = set()
    waiting = [path]
    while waiting:
        for old in renames.get(waiting.pop(), ()):
            if old not in found:
                found.add(old)
                waiting.append(old)
    return found


def renames_in(root: Path) -> dict[str, set[str]]:
    """New name to old names, as git knows them: committed and staged. Comparing the work tree could run filters."""
    real = Path(os.path.realpath(root))
    if repository(real) is None:
        return {}
    found: dict[str, set[str]] = {}
    shared = ("-z", "--name-status", "--diff-filter=R", "-M30%", "--relative", "--no-ext-diff", "--no-textconv")
    quiet = ("--ignore-submodules=all", "-O/dev/null")
    for arguments in (
        ("log", f"--max-count={RENAMES}", "--format=", *shared, *quiet, "HEAD", "--"),
        ("diff-index", "--cached", *shared, *quiet, "HEAD", "--"),
    ):
        try:
            fields = iter(list(Command(real, time.monotonic() + 20).fields(arguments, 16 << 20)))
        except CommandError:
            continue
        for field in fields:
            if field.lstrip(b"\n").startswith(b"R"):
                old, new = next(fields, b""), next(fields, b"")
                found.setdefault(os.fsdecode(new), set()).add(os.fsdecode(old))
    return found
