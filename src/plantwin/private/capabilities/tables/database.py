"""Tables of a database file that an input holds."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from plantwin.private.capabilities.engine.job import Input
from plantwin.private.observe.tables import Table, cells, tables


@contextmanager
def descriptor(given: Input) -> Iterator[int]:
    """Open the input and give its descriptor."""
    if given.data is None:
        fd = os.open(given.file, os.O_RDONLY | os.O_CLOEXEC)
        try:
            yield fd
        finally:
            os.close(fd)
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy.db")
        copy.write_bytes(given.data)
        with copy.open("rb") as file:
            yield file.fileno()


def declared(given: Input) -> list[Table]:
    """Return the input's table, or every table if it names none."""
    with descriptor(given) as fd:
        return [table for table in tables(fd) if given.part in ("", table.name)]


def contents(given: Input, limit: int) -> tuple[bytes, bool]:
    """Return the cells as CSV up to a limit, and whether that is all."""
    warnings: list[str] = []
    chunks: list[bytes] = []
    left = limit
    with descriptor(given) as fd:
        for name, chunk in cells(fd, warnings.append):
            if given.part not in ("", name):
                continue
            chunks.append(chunk[:left])
            left -= len(chunk)
            if left <= 0:
                return b"".join(chunks), False
    return b"".join(chunks), not warnings
