"""Other scanners on the same text in the same run, where they are installed.

Each is told to look offline: none may try a credential that it finds.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from plantwin.private.detect import Detector
from plantwin_evals.detection import Source

SAMPLE = 1_500_000
"""Bytes that slow scanners get."""
LIMIT = 60_000_000
PATIENCE = 600

ENDED = {"kingfisher": (0, 200, 205)}
"""Exit codes that say the work was done, where 0 is not the only one."""
COMMANDS: dict[str, tuple[str, ...]] = {
    "gitleaks": ("detect", "--no-git", "--source", "{tree}", "--no-banner", "--exit-code", "0"),
    "kingfisher": ("scan", "{tree}", "--no-validate", "--no-update-check"),
    "noseyparker": ("scan", "--datastore", "{scratch}/store", "{tree}"),
    "trufflehog": ("filesystem", "{tree}", "--no-verification", "--no-update", "--json"),
}
"""Programs with their arguments; the processor time of a run includes their start."""


class Peer(NamedTuple):
    """One scanner and PlanTwin on the same files."""

    name: str
    files: int
    bytes: int
    seconds: float
    """Processor time of the other; negative when it failed."""
    ours: float
    """Processor time of PlanTwin, reading included."""

    @property
    def ratio(self) -> float:
        """How many times as fast PlanTwin is."""
        return max(0.0, self.seconds / self.ours) if self.ours else 0.0

    @property
    def failed(self) -> bool:
        """Whether it did not do its work: then its time says nothing."""
        return self.seconds < 0


def peers(files: list[Source], detector: Detector) -> Iterator[Peer]:
    """Every scanner that is installed, on files spread over the trees."""
    if installed("detect_secrets"):
        yield _compared("detect-secrets", spread(files, SAMPLE), detector, _detect_secrets)
    for name, arguments in COMMANDS.items():
        program = shutil.which(name)
        if program is not None:
            yield _compared(name, spread(files, LIMIT), detector, _program(program, arguments, ENDED.get(name, (0,))))


def absent() -> list[str]:
    """Scanners that are known here and not installed."""
    missing = [name for name in COMMANDS if shutil.which(name) is None]
    return missing if installed("detect_secrets") else ["detect-secrets", *missing]


def installed(module: str) -> bool:
    """Whether a Python module is there, whichever distribution brought it: detect-secrets has a fork."""
    return find_spec(module) is not None


def spread(files: list[Source], size: int) -> list[Source]:
    """Files evenly over the list, of about this many bytes in all."""
    total = sum(file.size for file in files)
    if total <= size:
        return files
    step = total / size
    return [files[int(place * step)] for place in range(max(1, int(len(files) / step)))]


def _compared(name: str, files: list[Source], detector: Detector, run: Callable[[list[Source]], float]) -> Peer:
    theirs = run(files)
    ours = float("inf")
    for _ in range(3):
        begin = time.process_time()
        for file in files:
            detector.scan(file.path.read_bytes(), path=file.name)
        ours = min(ours, time.process_time() - begin)
    return Peer(name, len(files), sum(file.size for file in files), theirs, ours)


def _detect_secrets(files: list[Source]) -> float:
    from detect_secrets.core import scan
    from detect_secrets.settings import default_settings

    begin = time.process_time()
    with default_settings():
        for file in files:
            list(scan.scan_file(str(file.path)))
    return time.process_time() - begin


def _program(program: str, arguments: tuple[str, ...], ended: tuple[int, ...]) -> Callable[[list[Source]], float]:
    def run(files: list[Source]) -> float:
        with tempfile.TemporaryDirectory() as scratch:
            tree = Path(scratch) / "tree"
            tree.mkdir()
            for number, file in enumerate(files):
                shutil.copyfile(file.path, tree / f"{number}{file.path.suffix}")
            command = [program, *(each.format(tree=tree, scratch=scratch) for each in arguments)]
            before = _spent()
            try:
                ran = subprocess.run(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    cwd=scratch,
                    env={"PATH": os.environ.get("PATH", ""), "HOME": scratch},
                    timeout=PATIENCE,
                    check=False,
                )
            except (OSError, subprocess.SubprocessError):
                return -1.0
            return _spent() - before if ran.returncode in ended else -1.0

    return run


def _spent() -> float:
    """Processor time of ended children."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
