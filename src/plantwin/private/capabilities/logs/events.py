"""What happened and when: from logs, from documents with dates, from results of earlier steps."""

from __future__ import annotations

import re
from calendar import timegm
from collections import Counter
from collections.abc import Callable, Iterator

import msgspec

from plantwin.private.capabilities.engine.job import Input, Job
from plantwin.private.capabilities.engine.source import source
from plantwin.private.capabilities.logs.log import CHANGES, Log, is_attack, read, share, sign_of
from plantwin.private.facts import Private
from plantwin.private.formats.documents import FORMATS as DOCUMENTS
from plantwin.private.formats.settings import FORMATS as SETTINGS
from plantwin.private.formats.settings import Setting, settings
from plantwin.private.formats.timestamps import MONTHS, known, offset, shift

MOST = 400
"""Events of one source."""
MOST_ERRORS = 50_000
LINES = 20_000
"""Lines of a document that are read."""
AGAIN = 60.0
"""The same thing within so many seconds is told once."""
FAILED = frozenset(("error", "critical", "crash"))
WEIGHT = {
    "critical": 6, "crash": 6, "rollback": 6, "deploy": 5, "attack": 5, "error": 4, "config": 4, "migration": 4,
    "recovery": 3, "restart": 3, "note": 3, "slow": 2, "warning": 1, "refused": 1,
}  # fmt: skip
"""What is kept first where there is too much."""
LETTERS = {
    "deploy": "D", "rollback": "B", "migration": "M", "config": "C", "restart": "S", "crash": "X", "attack": "A",
}  # fmt: skip
"""How a plot marks them."""
_TOLD = CHANGES | {"crash", "restart", "recovery", "refused"}
_MONTH = (
    r"(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember)"
)
_DATE = re.compile(
    rf"(?<!\d)(\d{{4}})[-/.](\d{{1,2}})[-/.](\d{{1,2}})(?!\d)"
    rf"|(?<!\d)(\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?{_MONTH}\.?(?:,? (\d{{4}}))?(?!\d)"
    rf"|\b{_MONTH}\.? (\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,? (\d{{4}}))?"
    r"|(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)"
)
_CLOCK = re.compile(
    r"(?<![\d:.])([01]?\d|2[0-3])(?::([0-5]\d)(?::([0-5]\d))?(?:[.,]\d{1,6})?(?!\d|:\d)|(?=\s?[ap]\.?m\b))"
    r"\s{0,2}([ap]\.?m\b\.?)?\s{0,2}(?:Uhr\s)?(Z\b|[+-]\d\d:?\d\d\b|\(?[A-Z]{3,4}\b)?", re.IGNORECASE,
)  # fmt: skip
_ZONES = {
    "cet": 1, "mez": 1, "cest": 2, "mesz": 2, "bst": 1, "eet": 2, "eest": 3, "jst": 9, "aest": 10, "aedt": 11,
    "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
}  # fmt: skip
"""Hours ahead of UTC."""
BESIDE = 24
"""Characters between a date and its time of day at most, where another day is known."""
_SENTENCE = re.compile(r"(?<=[.!?;])(?<! \d\.)(?<! \d\d\.)\s{1,4}(?=[A-Z\"'(\d])")
_LEAD = re.compile(r"[\s*_`#>|\-+\[\](]+")
_ASIDE = re.compile(
    r"(?i)\b(?:similar|like|unlike|previously|as on|same as|since|until|compared|due|deadline|expir\w{1,5}|scheduled"
    r"|planned|back (?:in|on))\b"
)
"""What a sentence says that only compares with another day."""
_STANDING = re.compile(
    r"(?i)\b(?:office|opening|business|working|support|visiting) hours\b|\b(?:daily|nightly|weekly|weekdays|usually)\b"
    r"|\b(?:every|each) (?:day|night|morning|week|month|\w{3,6}day)\b|\b(?:mon|tue|wedne|thur|fri|satur|sun)s?days\b"
    r"|\b(?:is|are|opens?|closes?|runs?|starts?|begins?|ends?) (?:\w+ ){0,2}?(?:at |from |by |between )?\d{1,2}:\d\d"
)
"""What a sentence says that holds on every day: office hours, a nightly job."""
_ON = re.compile(r"(?i)(?:^|\bon )\W{0,4}$")
SHORT = 16
"""Letters before a date that begins a line, such as `Date:` or `The outage on`."""
_YEAR = re.compile(r"(?<![\d:.,$€£-])((?:19|20)\d\d)(?![\d:.,-]\d|\w)")
_MARKUP = re.compile(r"[*_`#>|]{1,6}")
_GERMAN = {"mär": "mar", "mai": "may", "okt": "oct", "dez": "dec"}
Masked = Callable[[str], str]
Date = tuple[int, int, int]


class Event(Private, msgspec.Struct):
    """One thing that happened."""

    time: float
    source: str
    line: int
    kind: str
    """A sign of `signs`, a level from warning upwards, attack, or note."""
    text: str
    count: int = 1
    until: float = -1.0
    """When it happened last, where it happened more than once."""

    def as_dict(self) -> dict[str, object]:
        """Return it as a result hands it on to a later step."""
        return msgspec.structs.asdict(self)

    @property
    def times(self) -> list[float]:
        """Its times, spread evenly where it happened often."""
        if self.count < 2 or self.until <= self.time:
            return [self.time]
        count = min(self.count, 200)
        return [self.time + (self.until - self.time) * number / (count - 1) for number in range(count)]


class Origin(Private):
    """One input as a source of events."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.log: Log | None = None
        self.events: list[Event] = []
        self.settings: list[Setting] = []
        self.truncated = False
        self.written = False
        """Whether people wrote it: its times say little of when things failed."""

    @property
    def times(self) -> list[float]:
        """Every time that it tells of."""
        return self.log.times if self.log is not None else [event.time for event in self.events]

    @property
    def errors(self) -> list[float]:
        """Times at which something failed."""
        if self.log is not None:
            return self.log.errors[:MOST_ERRORS]
        failed = [event for event in self.events if event.kind in FAILED and not self.written]
        return [time for event in failed for time in event.times][:MOST_ERRORS]

    def shift(self, amount: float) -> None:
        """Move every time."""
        if self.log is not None:
            self.log.shift(amount)
        for event in self.events:
            event.time += amount
            event.until += amount if event.until >= 0 else 0.0


def gather(job: Job, mask: Masked) -> list[Origin]:
    """Read every input, with times that can be set beside each other."""
    limit = share(len(job.inputs))
    origins: list[Origin] = []
    for given in job.inputs:
        origins += _of_result(given) if given.is_result else [_of_object(given, limit)]
    reference = [time for origin in origins for time in origin.times if known(time)]
    for origin in origins:
        origin.shift(shift(origin.times, reference))
        if origin.log is not None:
            origin.events = events_of(origin.log, mask)
        else:
            for event in origin.events:
                event.text = mask(event.text)
    return origins


def _of_result(given: Input) -> list[Origin]:
    """Return the logs that a result was made from, with the events that it hands on."""
    facts = (given.result or {}).get("facts")
    stated = facts.get("events") if isinstance(facts, dict) else None
    found: dict[str, Origin] = {}
    for value in stated[: MOST * 8] if isinstance(stated, list) else ():
        try:
            event = msgspec.convert(value, Event)
        except msgspec.ValidationError:
            continue
        found.setdefault(event.source, Origin(event.source)).events.append(event)
    return list(found.values()) or [Origin(given.label)]


def _of_object(given: Input, limit: int) -> Origin:
    read_source = source(given)
    origin = Origin(given.label)
    origin.truncated = read_source.truncated
    # An account whose every line begins with a time looks like a log, and none of its lines has a level.
    if given.kind == "document" or (given.kind != "log_stream" and read_source.format != "log"):
        if given.kind == "document" or read_source.format in DOCUMENTS:
            origin.written = True
            origin.events = list(dated(given.label, given.name, read_source.text))
            return origin
        if read_source.format in SETTINGS and given.kind != "structured_record":
            origin.settings = settings(read_source.format, read_source.text)[0]
            return origin
        if given.kind in ("config", "code_file", "secret_container"):
            return origin
    origin.log = read(given, limit)
    origin.truncated = origin.log.truncated
    return origin


def events_of(log: Log, mask: Masked) -> list[Event]:
    """Return what a log tells that matters: changes, starts, crashes, errors; repetitions joined."""
    latest: dict[tuple[int, str], Event] = {}
    found: list[Event] = []
    for entry, template in log.matched:
        if not entry.timed:
            continue
        kind = _kind(entry.level, template.sign)
        if entry.path and 200 <= entry.status < 300 and is_attack(entry.path):
            kind = "attack"
        elif entry.status in (401, 403) and not kind:
            kind = "refused"
        if not kind:
            continue
        key = template.number, kind
        before = latest.get(key)
        if before is not None and 0 <= entry.time - max(before.time, before.until) <= AGAIN:
            before.count += 1
            before.until = entry.time
        elif len(found) < MOST * 10:
            latest[key] = Event(entry.time, log.label, entry.line, kind, entry.text)
            found.append(latest[key])
    kept = most_telling(found, MOST)
    for event in kept:
        event.text = mask(event.text)
    return kept


def _kind(level: str, sign: str) -> str:
    if sign in CHANGES or sign == "crash":
        return sign
    if level in ("critical", "error"):
        return level
    if sign in _TOLD:
        return sign
    return "warning" if level == "warning" and sign != "admitted" else ""


def most_telling(found: list[Event], most: int) -> list[Event]:
    """Keep the events that tell most, in the order of time; of the same words the first ones."""
    if len(found) > most:
        seen: Counter[tuple[str, str]] = Counter()
        ranked: list[tuple[float, int]] = []
        for number, event in enumerate(found):
            words = event.kind, event.text[:24]
            seen[words] += 1
            ranked.append((WEIGHT.get(event.kind, 0) - 0.5 * seen[words], -number))
        found = [found[-number] for _, number in sorted(ranked, reverse=True)[:most]]
    return sorted(found, key=lambda event: (event.time, event.source, event.line))


_HEAD = re.compile(r"(?i)\W*(?:date|day|datum|fecha)\b[\W\d]*$")
"""A line that tells the day of what follows, and nothing besides."""


def dated(label: str, name: str, text: str) -> Iterator[Event]:
    """Read the sentences of a document with their time.

    A time of day belongs to the day that its paragraph told of last, else to the one that heads its section. A date in
    passing (`as on 2021-06-04`, `expires 2025-01-01`) is not the day of what follows.
    """
    day = _date(_DATE.search(name.replace("_", "-")), 0)
    here: Date | None = None
    told = 0
    for number, line in enumerate(text.split("\n")[:LINES], 1):
        line = line[:4000]
        heading = line.lstrip().startswith("#")
        here = None if heading or not line.strip() else here
        for sentence in _SENTENCE.split(line):
            clock = _CLOCK.search(sentence)
            mine = here or day
            found = _nearest(sentence, clock, BESIDE if mine else len(sentence))
            if found is not None:
                mine = _date(found, mine[0] if mine else 0)
                with_year = found[1] or found[6] or found[9] or found[12]
                if mine and with_year and (heading or clock or not _ASIDE.search(sentence)):
                    if heading or len(_LEAD.sub("", line[: line.find(sentence) + found.start()])) <= SHORT:
                        day, here = mine, None
                    elif clock or _ON.search(sentence[: found.start()]):
                        here = mine
            elif (clock and _STANDING.search(sentence)) or (
                not (clock and len(_LEAD.sub("", sentence[: clock.start()])) <= 3)
                and mine is not None
                and any(int(year) != mine[0] for year in _YEAR.findall(sentence))
            ):
                mine = None
            if mine is None or (clock is None and (found is None or heading or _HEAD.match(sentence))):
                continue
            said = " ".join(_MARKUP.sub(" ", sentence).split())
            if len(said) >= 12 and told < MOST:
                told += 1
                sign = sign_of(said)
                yield Event(_time(mine, clock), label, number, sign if sign not in ("", "admitted") else "note", said)


def _date(found: re.Match[str] | None, year: int) -> Date | None:
    if found is None:
        return None
    if found[1]:
        made = int(found[1]), int(found[2]), int(found[3])
    elif found[12]:
        made = int(found[12]), int(found[11]), int(found[10])
    else:
        name = (found[5] or found[7])[:3].lower()
        month = MONTHS.index(_GERMAN.get(name, name)) + 1
        made = int(found[6] or found[9] or year), month, int(found[4] or found[8])
    return made if 1970 <= made[0] < 2200 and 1 <= made[1] <= 12 and 1 <= made[2] <= 31 else None


def _nearest(sentence: str, clock: re.Match[str] | None, beside: int) -> re.Match[str] | None:
    """Return the date of a sentence: the one that stands nearest to its time of day, if near enough, else the first."""
    if clock is None:
        return _DATE.search(sentence)
    start, end = clock.span()

    def distance(date: re.Match[str]) -> int:
        return max(start - date.end(), date.start() - end)

    dates = (date for date in _DATE.finditer(sentence) if distance(date) <= beside)
    return min(dates, key=distance, default=None)


def _time(day: Date, clock: re.Match[str] | None) -> float:
    if clock is None:
        return float(timegm((*day, 0, 0, 0)))
    hour = int(clock[1])
    half, zone = (clock[4] or "").lower()[:1], (clock[5] or "").lower().lstrip("(")
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    ahead = _ZONES[zone] * 3600 if zone in _ZONES else offset(zone)
    return float(timegm((*day, hour, int(clock[2] or 0), int(clock[3] or 0))) - ahead)
