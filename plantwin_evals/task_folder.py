"""A domain's workspace built and scanned once, with a fresh state for every attempt on it."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from contextlib import closing
from functools import cached_property
from pathlib import Path

from plantwin.private.environment import Environment
from plantwin_evals.suite import Domain, Sensitive
from plantwin_evals.variants import skipped
from plantwin_evals.workspace import Memory
from plantwin_evals.workspaces import build, files

LARGEST = 256 << 10
"""Bytes of one file that a raw prompt holds at most."""


class ScannedFolder:
    """A folder that is scanned once, with a fresh state beside it for every attempt."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = root
        self.memory: Memory = {}
        """What was carried out here before."""
        self._folder = folder
        self._count = 0

    def fresh(self, variant: str = "full") -> Path:
        """A state in which nothing has been told yet, with the folder's index as this variant of stages makes it."""
        scanned = self._folder / f"scanned-{variant}"
        if not scanned.exists():
            with skipped(variant), closing(Environment(self.root, state=scanned)) as environment:
                environment.scan()
        self._count += 1
        return Path(shutil.copytree(scanned, self._folder / f"state-{self._count}"))


class TaskFolder(ScannedFolder):
    """Where the tasks of one domain are tried."""

    def __init__(self, domain: Domain, folder: Path, kept: Path | None = None) -> None:
        """`kept`: what workers answered for it, in this process or another; by default in this folder."""
        super().__init__(build(domain, folder / "work" / domain.domain), folder)
        self.kept = kept / domain.domain if kept is not None else folder
        self.domain = domain
        self.items: list[tuple[Sensitive, str]] = list(domain.items())

    @cached_property
    def texts(self) -> dict[str, str]:
        """Every file as text: what someone who uploads the folder sends."""
        return {name: self._text(self.root / name) for name in files(self.root)}

    @cached_property
    def history(self) -> str:
        """The repository's log with names, mails and branches; nothing where there is none."""
        if not (self.root / ".git").exists():
            return ""
        command = ["git", "log", "--all", "--decorate", "--format=%h %an <%ae> %ad%d%n  %s", "--date=short"]
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)
        return done.stdout

    def _text(self, path: Path) -> str:
        with path.open("rb") as file:
            data = file.read(LARGEST)
        if data.startswith(b"SQLite format 3\0"):
            with closing(sqlite3.connect(path)) as connection:
                return "\n".join(connection.iterdump())
        return data.decode("utf-8", "replace")
