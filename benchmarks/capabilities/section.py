"""What a measurement of a capability gives: a title, a few words and one table."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from plantwin.private.capabilities import function
from plantwin.private.capabilities.adapters import installed
from plantwin.private.capabilities.engine.job import Input, Job, Result

# Peers may lie anywhere on the search path here, which a worker never looks at.
installed.PLACES = (*installed.PLACES, *os.environ.get("PATH", "").split(os.pathsep))
installed.NODE_PACKAGES = (*installed.NODE_PACKAGES, *filter(None, os.environ.get("NODE_PATH", "").split(os.pathsep)))
PACKAGES = Path(msgspec.__file__).parents[1]
"""Real files that everybody has."""
HEADS = ("examined by", "found", "others flagged", "precision", "recall", "time")
ABSENT = "not installed, or over two minutes"
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


class Peer(NamedTuple):
    """What another program printed, and how long it took."""

    text: str
    seconds: float


def peer(words: Sequence[str], folder: Path | None = None, seconds: float = 120) -> Peer | None:
    """Run a program of others, by default at most two minutes long; none where it is not installed or does not end."""
    path = shutil.which(words[0])
    if path is None:
        return None
    begun = time.perf_counter()
    try:
        done = subprocess.run([path, *words[1:]], cwd=folder, capture_output=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    return Peer(done.stdout.decode("utf-8", "replace"), time.perf_counter() - begun)


def done(capability: str, folder: Path, *paths: str) -> tuple[dict[str, Any], float]:
    """Run a capability that looks at a whole folder, or at files in it, as a person does, start and scan included."""
    with tempfile.TemporaryDirectory() as state:
        words = ["do", capability, *paths, "--root", str(folder), "--json", "-q", "--state", state]
        begun = time.perf_counter()
        ended = subprocess.run([sys.executable, "-m", "plantwin", *words], capture_output=True, check=False)
        return json.loads(ended.stdout), time.perf_counter() - begun


def judged(name: str, labels: Sequence[bool], flags: Sequence[bool] | None, seconds: float) -> list[object]:
    """Return a row of `HEADS`: what is labelled and flagged. `flags`: none where the peer is not installed."""
    if flags is None:
        return [name, ABSENT, *["—"] * 4]
    found = sum(label and flag for label, flag in zip(labels, flags, strict=True))
    others = sum(flags) - found
    precision = f"{found / (found + others):.2f}" if found + others else "—"
    recall = f"{found / sum(labels):.2f}" if any(labels) else "—"
    told = f"{found} of {sum(labels)}", f"{others} of {len(labels) - sum(labels)}"
    return [name, *told, precision, recall, f"{seconds:.1f} s"]


def sampled(items: Sequence[Any], most: int) -> list[Any]:
    """Return at most so many, evenly chosen and always the same."""
    return list(items[:: max(1, -(-len(items) // most))])
