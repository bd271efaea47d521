"""What lies around an object: which paths there are, and which keys environment files set."""

# ruff: noqa: E501 (word lists and patterns)

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from plantwin.private.capabilities.job import Job
from plantwin.private.extract.formats.words import words

_MADE = words("dist build out target node_modules vendor tmp cache public lib generated coverage bin obj")
"""Folders that tools fill: what is missing there will be made."""
_SEEN = words(
    "py js ts jsx tsx vue svelte go java rb rs php cs c h cpp sh sql yaml yml json toml ini cfg conf env md rst txt html css scss "
    "tf tfvars hcl proto graphql xml properties csv service"
)
"""Endings of files that are objects; others may be there without being seen."""


class Place:
    """Names of the whole folder, where the job was given them."""

    def __init__(self, job: Job) -> None:
        around = job.surroundings
        self.names = {each.name for each in around.objects}
        self.known = bool(self.names)
        self.names |= {each.name for each in job.inputs if not each.is_result}
        self.folders = {"."}
        for name in self.names:
            folder = posixpath.dirname(name)
            while folder and folder not in self.folders:
                self.folders.add(folder)
                folder = posixpath.dirname(folder)
        self.keys = {each.name: frozenset(key for key, _ in each.keys) for each in around.objects}

    def missing(self, holder: str, path: str, *, folder: bool = False) -> bool:
        """Whether a path that is named relative to a file is surely not there."""
        path = path.strip().split("#", 1)[0]
        if not self.known or not path or path[0] in "/~$-<" or any(mark in path for mark in "*?${}%:|<> "):
            return False
        whole = posixpath.normpath(posixpath.join(posixpath.dirname(holder), path))
        if whole.startswith("..") or set(whole.split("/")[:-1]) & _MADE or whole in _MADE:
            return False
        if whole in self.names or whole in self.folders:
            return False
        ending = posixpath.basename(whole).rpartition(".")[2].lower()
        return folder or ending in _SEEN or posixpath.basename(whole).lower().startswith(("dockerfile", ".env"))

    def beside(self, holder: str, names: Iterable[str]) -> list[str]:
        """Which of these stand in the same folder."""
        folder = posixpath.dirname(holder)
        return [path for name in names if (path := posixpath.join(folder, name)) in self.names]

    def sure(self, holder: str, endings: tuple[str, ...], given: Iterable[str]) -> bool:
        """Whether every file of the folder with these endings is among those given."""
        folder = posixpath.dirname(holder)
        here = {name for name in self.names if posixpath.dirname(name) == folder and name.endswith(endings)}
        return self.known and here <= set(given)
