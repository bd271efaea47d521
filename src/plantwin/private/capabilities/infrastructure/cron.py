"""Cron schedules, and validity rules over crontabs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.formats.document import Document

if TYPE_CHECKING:
    from plantwin.private.capabilities.infrastructure.project import Project

RULES = Rules("cron")
_FIELDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
_NAMES = ("minute", "hour", "day of the month", "month", "day of the week")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_MACROS = frozenset(("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly", "@reboot"))
_PART = re.compile(r"(?:\*|(?P<low>\w{1,4})(?:-(?P<high>\w{1,4}))?)(?:/(?P<step>\d{1,4}))?")
_CRON_LINE = re.compile(r"\s*(@\w+|(?:\S+\s+){4}\S+)\s+(\S.*)?$")


def validate(document: Document, project: Project) -> Iterator[Finding]:
    """Return what is wrong with a crontab; the lines of a template are not those of the crontab that it becomes."""
    if document.templated:
        return
    system = re.search(r"(?:^|/)(?:etc/crontab|cron\.d/)", document.name) is not None
    for number, text in enumerate(document.source.text.split("\n")[:20_000], start=1):
        line = text.strip()[:2000]
        if not line or line.startswith("#") or re.match(r"[A-Za-z_]\w*\s*=", line):
            continue
        match = _CRON_LINE.match(line)
        schedule, command = (match[1], match[2]) if match is not None else ("", "")
        fault = cron_fault(schedule) if command else "five fields and a command are expected"
        if fault:
            yield RULES.found("CRON-SCHEDULE", number, fault=fault)
        elif re.search(r"(?<!\\)%", command) and "date" in command:
            yield RULES.found("CRON-PERCENT", number)
        elif schedule.startswith("* ") and not system and re.search(r"backup|dump|rsync", command):
            yield RULES.found("CRON-EVERY-MINUTE", number)


def cron_fault(text: str) -> str:
    """Return what is wrong with a schedule of five fields; empty where nothing is."""
    text = re.sub(r"^(?:CRON_)?TZ=\S+\s+", "", text.strip())
    if text.startswith("@"):
        known = text.lower() in _MACROS or re.fullmatch(r"@every \w+", text.lower()) is not None
        return "" if known else "an unknown @ word"
    fields = text.split()
    if len(fields) != 5:
        return f"{len(fields)} fields where a schedule has five"
    for field, (least, most), name in zip(fields, _FIELDS, _NAMES, strict=True):
        for part in field.split(","):
            fault = _field(part, least, most, name)
            if fault:
                return fault
    day, month = fields[2], fields[3]
    last = {"2": 29, "4": 30, "6": 30, "9": 30, "11": 30}.get(month.lstrip("0"), 31)
    never = day.isdigit() and month.isdigit() and int(day) > last
    return "a day that its month does not have, so it never runs" if never else ""


def _field(part: str, least: int, most: int, name: str) -> str:
    if part in ("?", "L", "LW") or re.fullmatch(r"\d{1,2}[LW]|\d#\d|H(?:\(\d+-\d+\))?(?:/\d+)?", part):
        return ""
    match = _PART.fullmatch(part)
    if match is None:
        return f"the {name} is not written as one"
    bounds = [_number(match[key], name) for key in ("low", "high") if match[key]]
    if any(bound is None for bound in bounds):
        return f"the {name} is not written as one"
    known = [bound for bound in bounds if bound is not None]
    if any(not least <= bound <= most for bound in known):
        return f"the {name} is outside {least} to {most}"
    if len(known) == 2 and known[0] > known[1] and name != "day of the week":
        return f"the range of the {name} runs backwards"
    if match["step"] is not None and not 0 < int(match["step"]) <= most + 1:
        return f"the step of the {name} is outside its range"
    return ""


def _number(text: str, name: str) -> int | None:
    if text.isdigit():
        return int(text)
    names = _MONTHS if name == "month" else _DAYS if name == "day of the week" else ()
    return names.index(text[:3].lower()) + (name == "month") if text[:3].lower() in names else None
