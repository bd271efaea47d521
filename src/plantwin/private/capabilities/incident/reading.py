"""Logs among the inputs, read and bounded, with the template of every entry."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from plantwin.private.capabilities.common.source import decoded
from plantwin.private.capabilities.incident.entry import Entry
from plantwin.private.capabilities.incident.lines import entries
from plantwin.private.capabilities.incident.moments import known
from plantwin.private.capabilities.incident.templates import Miner, Template
from plantwin.private.capabilities.job import Input
from plantwin.private.extract.content import binary

READ = 8 << 20
"""Bytes of one log that are examined: of a longer one the last, where an incident shows."""
TOGETHER = 24 << 20
"""Bytes of all logs of one step."""
BEFORE = 512 << 20
"""Bytes before the examined part whose lines are counted; of a longer log the first part is examined instead."""
CHUNK = 1 << 20


class Log:
    """One log with its entries and their templates."""

    def __init__(
        self, label: str, text: str, *, skipped: int = 0, truncated: bool = False, opaque: bool = False
    ) -> None:
        self.label = label
        self.truncated = truncated
        self.opaque = opaque
        """Whether it is no text at all."""
        self.entries: list[Entry] = [] if opaque else entries(text)
        if skipped:
            for each in self.entries:
                each.line += skipped
        dated = sum(known(each.time) for each in self.entries)
        if dated * 2 > sum(each.timed for each in self.entries):
            # Here and there a number looks like a time of day.
            for each in self.entries:
                if each.timed and not known(each.time):
                    each.time = -1.0
        if len(self.entries) > 50 and sum(each.timed for each in self.entries) * 50 < len(self.entries):
            for each in self.entries:
                each.time = -1.0
        self.miner = Miner()
        self.kinds: list[Template] = [self.miner.add(each) for each in self.entries]

    def __repr__(self) -> str:
        return "<Log private>"

    @property
    def times(self) -> list[float]:
        """The times of all entries that have one."""
        return [each.time for each in self.entries if each.time >= 0]

    def shift(self, amount: float) -> None:
        """Move every time."""
        if amount:
            for each in self.entries:
                if each.timed:
                    each.time += amount
            for template in self.miner.templates:
                if template.first >= 0:
                    template.first += amount
                    template.last += amount


def read(given: Input, limit: int = READ) -> Log:
    """One input as a log."""
    data, skipped, truncated = _tail(given, limit)
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    opaque = not wide and bool(data) and (data[:65536].count(b"\0") > 16 or binary(data[:4096]))
    return Log(given.label, "" if opaque else decoded(data), skipped=skipped, truncated=truncated, opaque=opaque)


def share(inputs: int) -> int:
    """What may be read of each of so many inputs."""
    return min(READ, TOGETHER // max(1, inputs))


def _tail(given: Input, limit: int) -> tuple[bytes, int, bool]:
    """The last bytes, how many lines stand before them, and whether there are such."""
    size = given.size
    if size <= limit or size - limit > BEFORE:
        data = given.read(limit)
        return data, 0, size > len(data)
    if given.data is not None:
        before, data = given.data[: size - limit], given.data[size - limit :]
        skipped = before.count(b"\n")
    else:
        skipped = 0
        with Path(given.file).open("rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError("not a regular file")
            file.seek(0)
            left = size - limit
            while left > 0 and (chunk := file.read(min(CHUNK, left))):
                skipped += chunk.count(b"\n")
                left -= len(chunk)
            data = file.read(limit)
    cut = data.find(b"\n", 0, 1 << 20)
    return data[cut + 1 :], skipped + (cut >= 0), True
