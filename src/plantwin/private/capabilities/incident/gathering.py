"""Inputs of any sort as sources of one story: logs, documents with dates, settings, earlier results."""

from __future__ import annotations

from statistics import median

from plantwin.private.capabilities.common.documents import FORMATS as DOCUMENTS
from plantwin.private.capabilities.common.settings import FORMATS as SETTINGS
from plantwin.private.capabilities.common.settings import Setting, settings
from plantwin.private.capabilities.common.source import source
from plantwin.private.capabilities.incident.dates import dated
from plantwin.private.capabilities.incident.happenings import Happening, happenings, of_result
from plantwin.private.capabilities.incident.moments import known, shift
from plantwin.private.capabilities.incident.reading import Log, read, share
from plantwin.private.capabilities.incident.veil import Veil
from plantwin.private.capabilities.job import Input, Job

FAILED = frozenset(("error", "critical", "crash"))
MOST_ERRORS = 50_000


class Story:
    """One input as a source."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.log: Log | None = None
        self.told: list[Happening] = []
        self.settings: list[Setting] = []
        self.truncated = False
        self.written = False
        """Whether people wrote it: its times say little of when things failed."""

    def __repr__(self) -> str:
        return "<Story private>"

    @property
    def times(self) -> list[float]:
        """Every time that it tells of."""
        return self.log.times if self.log is not None else [each.time for each in self.told]

    @property
    def errors(self) -> list[float]:
        """Times at which something failed."""
        if self.log is not None:
            return [each.time for each in self.log.entries if each.failed and each.timed][:MOST_ERRORS]
        if self.written:
            return []
        return [time for each in self.told if each.kind in FAILED for time in _spread(each)][:MOST_ERRORS]

    def shift(self, amount: float) -> None:
        """Move every time."""
        if self.log is not None:
            self.log.shift(amount)
        for each in self.told:
            each.time += amount
            each.until += amount if each.until >= 0 else 0.0


def _spread(each: Happening) -> list[float]:
    """The times of a happening that happened often."""
    if each.count < 2 or each.until <= each.time:
        return [each.time]
    count = min(each.count, 200)
    return [each.time + (each.until - each.time) * number / (count - 1) for number in range(count)]


def gather(job: Job, veil: Veil) -> list[Story]:
    """Every input, with times that can be set beside each other."""
    limit = share(len(job.inputs))
    stories: list[Story] = []
    for given in job.inputs:
        if given.is_result:
            stories += _results(given)
        else:
            stories.append(_object(given, limit))
    reference = [time for each in stories for time in each.times if known(time)]
    for each in stories:
        each.shift(shift(each.times, reference))
        if each.log is not None:
            each.told = happenings(each.log, veil)
        else:
            for one in each.told:
                one.text = veil(one.text)
    return stories


def _results(given: Input) -> list[Story]:
    """A result speaks for the logs that it was made from."""
    found: dict[str, Story] = {}
    for each in of_result(given):
        found.setdefault(each.source, Story(each.source)).told.append(each)
    return list(found.values()) or [Story(given.label)]


def _object(given: Input, limit: int) -> Story:
    each = source(given)
    made = Story(given.label)
    made.truncated = each.truncated
    if given.kind != "log_stream" and each.format != "log":
        if given.kind == "document" or each.format in DOCUMENTS:
            made.written = True
            made.told = list(dated(given.label, given.name, each.text))
            return made
        if each.format in SETTINGS and given.kind != "structured_record":
            made.settings = settings(each.format, each.text)[0]
            return made
        if given.kind in ("config", "code_file", "secret_container"):
            return made
    made.log = read(given, limit)
    made.truncated = made.log.truncated
    return made


def offset(one: list[tuple[str, float]], two: dict[str, float]) -> tuple[float, int]:
    """By how much the second clock is ahead, from what both name, and how many things agree on it.

    Only steps of a quarter of an hour count: that is what a zone that was not written down makes.
    """
    gaps = [two[name] - time for name, time in one if name in two and time >= 0 and two[name] >= 0]
    if len(gaps) < 2:
        return 0.0, len(gaps)
    middle = median(gaps)
    step = round(middle / 900) * 900.0
    near = sum(abs(gap - step) <= 60 for gap in gaps)
    return (step, near) if step and near * 3 >= len(gaps) * 2 and near >= 2 else (0.0, near)
