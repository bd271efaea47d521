"""What lies in a folder and was not observed: ignored files, which nobody has looked at for secrets."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path, PurePosixPath

INSTALLED = frozenset({"node_modules", ".venv", "venv", ".tox", ".nox"})
"""Folders of packages that tests import. What else is left out by default, caches above all, holds what hidden files
hold: a compiled module has its strings."""


def unobserved(root: Path, observed: Collection[str]) -> set[str]:
    """Paths of files and whole folders that hold nothing observed, but for links and installed packages."""
    inhabited = {str(parent) for path in observed for parent in PurePosixPath(path).parents}
    base, found, folders = os.path.realpath(root), set(), [""]
    while folders:
        here = folders.pop()
        try:
            with os.scandir(f"{base}/{here}") as opened:
                entries = list(opened)
        except OSError:
            found.add(here)
            continue
        for entry in entries:
            path = f"{here}/{entry.name}" if here else entry.name
            if entry.is_symlink() or path in observed:
                continue
            if not entry.is_dir(follow_symlinks=False) or (entry.name not in INSTALLED and path not in inhabited):
                found.add(path)
            elif entry.name not in INSTALLED:
                folders.append(path)
    return found - {""}
