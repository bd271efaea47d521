"""A log among the inputs: read within bounds, every entry with its template.

Templates are found by Drain's fixed-depth tree over lines whose values are replaced first. Most lines are the same
then, so that a dictionary answers for nearly all of them, and the tree is walked once for each different line.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path

from plantwin.private.capabilities.engine.job import Input
from plantwin.private.capabilities.engine.source import decoded
from plantwin.private.facts import Private
from plantwin.private.formats.lexicon import beside
from plantwin.private.formats.logs import Entry, entries
from plantwin.private.formats.text import binary
from plantwin.private.formats.timestamps import known
from plantwin.vocabulary import OutcomeTag, member

READ = 8 << 20
"""Bytes of one log that are examined: of a longer one the last, where an incident shows."""
TOGETHER = 24 << 20
"""Bytes of all logs of one step."""
BEFORE = 512 << 20
"""Bytes before the examined part whose lines are counted; of a longer log the first part is examined instead."""
CHUNK = 1 << 20
ANY = "<*>"
ALIKE = 0.6
"""Share of equal words from which two lines are of one template."""
WIDEST = 100
"""Templates that one branch of the tree holds; what comes after joins the last."""
MOST = 20_000
"""Templates in all."""
_PATH_VALUE = re.compile(r"/(?=[^/?\s]{0,80}\d)[^/?\s]{1,200}|/[^/?\s]{24,400}")
_VALUE = re.compile(
    r"\"[^\"]{0,300}\"|'[^']{0,300}'|[\w.+-]{1,64}@[\w.-]{1,100}|\b[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}\b|\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b"
    r"|\b0x[0-9a-fA-F]+\b|\b(?=[a-z_]{0,20}\d)[\w-]{6,}\b|(?<![\w.])[-+]?\d[\d.,:]{0,30}\w{0,3}\b|(?<=\s)/[\w./-]{2,200}"
)
_STAMP = re.compile(
    r"^[\[(<\"]{0,2}(?:\d{4}[-/]\d\d[-/]\d\d[T _,]{0,2}[\d:.,]{0,18}(?:Z|[+-]\d\d:?\d\d)?"
    r"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d\d:\d\d:\d\d[.,\d]{0,8})[\])>\"]{0,2}[ ,|-]{0,4}"
)
CHANGES = frozenset(("deploy", "rollback", "migration", "config"))
"""What people or pipelines do to a system."""

_SIGN_TABLES = beside(__file__, "signs.toml")


def _compiled(table: str) -> list[tuple[str, re.Pattern[str]]]:
    return [(name, re.compile("|".join(parts), re.IGNORECASE)) for name, parts in _SIGN_TABLES[table].items()]


_SIGNS, _CAUSES = _compiled("signs"), [(member(OutcomeTag, tag), pattern) for tag, pattern in _compiled("causes")]
((_, _ATTACK),) = _compiled("requests")


def sign_of(text: str) -> str:
    """Return the kind of event that a line tells of; empty where it is none of these."""
    text = text[:400]
    return next((sign for sign, pattern in _SIGNS if pattern.search(text) is not None), "")


def cause_of(text: str) -> OutcomeTag:
    """Return why something failed, as far as its words tell."""
    text = text[:2000]
    return next((tag for tag, pattern in _CAUSES if pattern.search(text) is not None), OutcomeTag.ERRORS)


def is_attack(path: str) -> bool:
    """Return whether a request looks like a probe or an exploit."""
    return _ATTACK.search(path[:2000]) is not None


class Template(Private):
    """A template with how often it was seen."""

    __slots__ = ("count", "first", "last", "levels", "line", "number", "sample", "sign", "words")

    def __init__(self, number: int, words: list[str], entry: Entry) -> None:
        self.number = number
        self.words = words
        self.count = 0
        self.first = self.last = -1.0
        self.levels: dict[str, int] = {}
        self.line = entry.line
        self.sample = entry.text[:400]
        self.sign = sign_of(entry.text)

    @property
    def text(self) -> str:
        """Its words, with a mark where lines differ."""
        return " ".join(self.words)

    @property
    def level(self) -> str:
        """The level that most of its lines have."""
        return max(self.levels, key=lambda level: self.levels[level], default="")

    @property
    def failed(self) -> bool:
        """Whether it tells of an error."""
        return self.level in ("error", "critical")


class Miner:
    """Gives each entry its template, and learns templates on the way."""

    def __init__(self) -> None:
        self.templates: list[Template] = []
        self._known: dict[str, Template] = {}
        self._tree: dict[tuple[int, str], list[Template]] = {}

    def __repr__(self) -> str:
        return f"<Miner {len(self.templates)} templates>"

    def add(self, entry: Entry) -> Template:
        """Return the template of an entry."""
        masked = _masked(entry)
        found = self._known.get(masked)
        if found is None:
            found = self._place(masked, entry)
            if len(self._known) < MOST * 5:
                self._known[masked] = found
        found.count += 1
        found.levels[entry.level] = found.levels.get(entry.level, 0) + 1
        if entry.time >= 0:
            if found.first < 0 or entry.time < found.first:
                found.first = entry.time
            found.last = max(found.last, entry.time)
        return found

    def _place(self, masked: str, entry: Entry) -> Template:
        words = masked.split()[:60]
        request = bool(entry.path) and words[-1] == str(entry.status)
        head = next((word for word in words[:3] if ANY not in word and not word[:1].isdigit()), ANY)
        # Requests that differ in route or status are never alike: a failure must not hide among successes.
        alike = 1.0 if request else ALIKE
        branch = self._tree.setdefault((len(words), f"{head} {entry.status}" if request else head), [])
        best: Template | None = None
        most = 0.0
        for template in branch:
            same = sum(map(str.__eq__, template.words, words)) / max(1, len(words))
            if same > most:
                best, most = template, same
        if best is not None and (most >= alike or len(branch) >= WIDEST):
            best.words = [mine if mine == other else ANY for mine, other in zip(best.words, words, strict=True)]
            return best
        if len(self.templates) >= MOST:
            return self.templates[-1]
        made = Template(len(self.templates), words, entry)
        self.templates.append(made)
        branch.append(made)
        return made


def template_of(line: str) -> str:
    """Return a line without its time, its values replaced."""
    return " ".join(_VALUE.sub(ANY, _STAMP.sub("", line[:400])).split())


def _masked(entry: Entry) -> str:
    """Return an entry's text with its values replaced; of a request, its route and status."""
    if entry.path and entry.text.startswith(entry.method):
        return f"{entry.method} {_PATH_VALUE.sub('/' + ANY, entry.path.partition('?')[0][:300])} {entry.status}"
    return template_of(entry.text)


def drop_false_times(found: Sequence[Entry]) -> None:
    """Take the times from entries in which a number only looks like a time of day."""
    timed = [entry for entry in found if entry.timed]
    dated = [entry for entry in timed if known(entry.time)]
    kept = dated if len(dated) * 2 > len(timed) else timed
    rare = len(found) > 50 and len(kept) * 50 < len(found)
    for entry in timed:
        if rare or (kept is dated and not known(entry.time)):
            entry.time = -1.0


class Log(Private):
    """A log with its entries and their templates."""

    def __init__(self, label: str, text: str, *, skipped: int = 0, truncated: bool = False) -> None:
        self.label = label
        self.truncated = truncated
        self.entries = entries(text)
        for entry in self.entries if skipped else ():
            entry.line += skipped
        drop_false_times(self.entries)
        miner = Miner()
        self.matched: list[tuple[Entry, Template]] = [(entry, miner.add(entry)) for entry in self.entries]
        """Each entry with its template."""
        self.templates = miner.templates

    @property
    def telling(self) -> bool:
        """Whether a line has a time, a level or a status, by which a log can be judged."""
        return any(entry.timed or entry.level or entry.status for entry in self.entries)

    @property
    def times(self) -> list[float]:
        """The times of all entries that have one."""
        return [entry.time for entry in self.entries if entry.time >= 0]

    @property
    def errors(self) -> list[float]:
        """The times of errors."""
        return [entry.time for entry in self.entries if entry.failed and entry.timed]

    def shift(self, amount: float) -> None:
        """Move every time."""
        for entry in self.entries if amount else ():
            if entry.timed:
                entry.time += amount
        for template in self.templates if amount else ():
            if template.first >= 0:
                template.first += amount
                template.last += amount


def read(given: Input, limit: int = READ) -> Log:
    """Read one input as a log; what is not text has no entries."""
    data, skipped, truncated = _tail(given, limit)
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    opaque = not wide and bool(data) and (data[:65536].count(b"\0") > 16 or binary(data[:4096]))
    return Log(given.label, "" if opaque else decoded(data), skipped=skipped, truncated=truncated)


def share(inputs: int) -> int:
    """Return how many bytes may be read of each of so many inputs."""
    return min(READ, TOGETHER // max(1, inputs))


def _tail(given: Input, limit: int) -> tuple[bytes, int, bool]:
    """Return the last bytes, how many lines stand before them, and whether there are such."""
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
