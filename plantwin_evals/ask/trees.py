"""Folders to ask about: the example, the tasks' workspaces, installed packages and the standard library."""

from __future__ import annotations

import shutil
import sysconfig
from importlib.util import find_spec
from pathlib import Path

from plantwin.errors import InputError
from plantwin_evals.suite import domain
from plantwin_evals.workspaces import build


class Trees:
    """Trees by the names that questions give them, made in a folder as they are asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[str, Path] = {}

    def __getitem__(self, name: str) -> Path:
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def _make(self, name: str) -> Path:
        source, _, rest = name.partition(":")
        target = self._folder / (rest or source)
        match source:
            case "task":
                return build(domain(rest), target)
            case "shop":
                place = Path(__file__).parents[2] / "examples" / "shop"
            case "stdlib":
                place = Path(sysconfig.get_path("stdlib")) / rest
            case _:
                found = find_spec(rest)
                place = Path(found.origin).parent if found and found.origin else Path(rest)
        if not place.is_dir():
            raise InputError(f"no such tree: {name}; `pip install -e .[test]` brings all of them")
        shutil.copytree(place, target, ignore=shutil.ignore_patterns("__pycache__"))
        return target
