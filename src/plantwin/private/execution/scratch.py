"""A private temporary folder for a worker that has no file system of its own."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

_NAME = re.compile(r"worker-(\d{1,9})-\w+")


@contextlib.contextmanager
def scratch(place: Path | None) -> Iterator[str]:
    """A new folder below `place`, gone afterwards; so are those that a killed process left there."""
    if place is not None:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        _sweep(place)
    folder = tempfile.mkdtemp(prefix=f"worker-{os.getpid()}-", dir=place)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sweep(place: Path) -> None:
    for each in place.iterdir():
        named = _NAME.fullmatch(each.name)
        if named is not None and not _runs(int(named[1])):
            shutil.rmtree(each, ignore_errors=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
