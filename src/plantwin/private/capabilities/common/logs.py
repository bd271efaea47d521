"""Logs: the time they cover, their levels, and the templates that their lines repeat."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime
from typing import NamedTuple

from plantwin.private.extract.formats.clock import YEAR_KNOWN, when

MOST = 50_000
"""Lines that are read."""
_LEVEL = re.compile(r"\b(TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|FATAL|PANIC|ALERT|EMERG)\b", re.IGNORECASE)
_STATUS = re.compile(r"\" ([1-5]\d\d) ")
_NAMES = {"warn": "warning", "fatal": "critical", "panic": "critical", "alert": "critical", "emerg": "critical"}
_VARIABLE = re.compile(
    r"\"[^\"]{0,300}\"|'[^']{0,300}'|[\w.+-]{1,64}@[\w.-]{1,100}|\b[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}\b|\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b"
    r"|\b0x[0-9a-fA-F]+\b|\b(?=[a-z_]{0,20}\d)[\w-]{6,}\b|(?<![\w.])[-+]?\d[\d.,:]{0,30}\w{0,3}\b|(?<=\s)/[\w./-]{2,200}"
)
_STAMP = re.compile(
    r"^[\[(<\"]{0,2}(?:\d{4}[-/]\d\d[-/]\d\d[T _,]{0,2}[\d:.,]{0,18}(?:Z|[+-]\d\d:?\d\d)?"
    r"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d\d:\d\d:\d\d[.,\d]{0,8})[\])>\"]{0,2}[ ,|-]{0,4}"
)


class Log(NamedTuple):
    """What a log shows."""

    lines: int
    first: str
    last: str
    levels: dict[str, int]
    templates: list[tuple[str, int]]

    def __repr__(self) -> str:
        return "<Log private>"


def template(line: str) -> str:
    """A line without its time and its values."""
    return " ".join(_VARIABLE.sub("<*>", _STAMP.sub("", line[:400])).split())


def read(text: str) -> Log:
    """The period, levels and templates of a log."""
    lines = [line for line in text.split("\n") if line.strip()]
    seconds: list[int] = []
    levels: Counter[str] = Counter()
    templates: Counter[str] = Counter()
    for line in lines[:MOST]:
        found = when(line[:200])
        if found is not None:
            seconds.append(found)
        level = _LEVEL.search(line[:160])
        status = _STATUS.search(line[:2000])
        if level is not None:
            levels[_NAMES.get(level[1].lower(), level[1].lower())] += 1
        elif status is not None:
            levels[f"{status[1][0]}xx"] += 1
        templates[template(line)] += 1
    return Log(
        len(lines),
        _time(min(seconds, default=None)),
        _time(max(seconds, default=None)),
        dict(levels.most_common()),
        [(each, count) for each, count in templates.most_common(8)],
    )


def _time(seconds: int | None) -> str:
    if seconds is None:
        return ""
    moment = datetime.fromtimestamp(seconds, UTC)
    return moment.strftime("%Y-%m-%d %H:%M:%S" if seconds >= YEAR_KNOWN else "%m-%d %H:%M:%S")
