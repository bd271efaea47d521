"""What a measurement of a capability gives: a title, a few words and one table."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from plantwin.private.capabilities import function
from plantwin.private.capabilities.engine.job import Input, Job, Result

SKIPPED = frozenset((".git", "node_modules", "vendor", "__pycache__"))


class Section(NamedTuple):
    """One table of the page."""

    title: str
    text: str
    heads: Sequence[str]
    rows: Sequence[Sequence[object]]

    def markdown(self) -> str:
        """Return it as Markdown."""
        lines = [f"| {' | '.join(map(str, row))} |" for row in self.rows]
        rule = f"|{'---|' * len(self.heads)}"
        return "\n".join([f"## {self.title}", "", self.text, "", f"| {' | '.join(self.heads)} |", rule, *lines, "", ""])


class Measured(NamedTuple):
    """The result of a capability on some files, and how long it took."""

    results: list[Result]
    seconds: float


def files(folder: Path, endings: Iterable[str]) -> list[Path]:
    """Return the files below a folder whose names end so, without what tools put there."""
    chosen = tuple(endings)
    found = []
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - SKIPPED)
        found += [Path(here, name) for name in sorted(names) if name.endswith(chosen)]
    return [path for path in found if path.is_file() and not path.is_symlink()]


def measured(
    capability: str, folder: Path, paths: Sequence[Path], engines: dict[str, object] | None = None
) -> Measured:
    """Run a capability as a step would, in calls of 32 files. `engines`: `{}` for our own rules alone."""
    begun = time.perf_counter()
    options: dict[str, object] = {} if engines is None else {"engines": engines}
    results = []
    for at in range(0, len(paths), 32):
        inputs = tuple(Input(name=str(path.relative_to(folder)), file=str(path)) for path in paths[at : at + 32])
        results.append(function(capability)(Job(capability=capability, inputs=inputs, options=options)))
    return Measured(results, time.perf_counter() - begun)
