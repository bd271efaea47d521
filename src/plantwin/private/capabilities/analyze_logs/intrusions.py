"""Failed sign-ins by where they came from, and requests that look like an attack."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.results import Mask, placed
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.logs.log import Log, is_attack
from plantwin.private.formats.logs import Entry
from plantwin.private.formats.timestamps import duration
from plantwin.text import plural
from plantwin.vocabulary import Severity

RULES = Rules("logs")
MANY = 5
"""Failures by one source within `WITHIN` seconds from which it looks like guessing."""
WITHIN = 300.0
SOURCES = 2000
_USER = re.compile(
    r"(?:for(?: invalid user| user)?|user(?:name)?[=: ]{1,2}|account[=: ]{1,2}|acct=|logname=|email[=: ]{1,2})\s?[\"']?"
    r"([\w.+@-]{2,80})", re.IGNORECASE,
)  # fmt: skip
_LOGIN = re.compile(r"log-?in|sign-?in|auth|session|token|oauth", re.IGNORECASE)


class Attempt(NamedTuple):
    """One attempt to sign in."""

    time: float
    line: int
    user: str
    source: str
    succeeded: bool


def _attempts(log: Log) -> Iterator[Attempt]:
    for entry, template in log.matched:
        login = bool(entry.path) and _LOGIN.search(entry.path[:200]) is not None
        refused = template.sign == "refused" or entry.status == 401 or (entry.status == 403 and login)
        admitted = template.sign == "admitted" or (login and entry.method == "POST" and 200 <= entry.status < 400)
        if refused or admitted:
            found = _USER.search(entry.text[:400])
            user = found[1] if found is not None else ""
            yield Attempt(entry.time, entry.line, user, entry.address or user, not refused)


def failed_sign_ins(log: Log) -> tuple[list[Finding], dict[str, object]]:
    """Return what the attempts of a log amount to, by source, and how many failed."""
    sources: dict[str, list[Attempt]] = {}
    for attempt in _attempts(log):
        if attempt.source in sources or len(sources) < SOURCES:
            sources.setdefault(attempt.source, []).append(attempt)
    failures = {
        source: failed
        for source, attempts in sources.items()
        if (failed := [attempt for attempt in attempts if not attempt.succeeded])
    }
    if not failures:
        return [], {}
    found = [
        placed(finding, log.label)
        for source, failed in failures.items()
        if source
        for finding in _judged(source, sources[source], failed)
    ]
    total = sum(map(len, failures.values()))
    if not found:
        named = sum(map(bool, failures))
        where = f" from {plural(named, 'source')}" if named else ""
        line = next(iter(failures.values()))[0].line
        count = plural(total, "sign-in")
        found.append(placed(RULES.found("LOG-SIGN-IN-FAILURES", line, count=count, where=where), log.label))
    most = sorted(failures, key=lambda source: -len(sources[source]))[:20]
    return found, {"failures": total, "sources": {source or "(not stated)": len(failures[source]) for source in most}}


def _judged(source: str, attempts: list[Attempt], failed: list[Attempt]) -> Iterator[Finding]:
    most, first, last = _densest(failed)
    if most < MANY:
        return
    users = {attempt.user for attempt in failed if attempt.user and attempt.user != source}
    values: dict[str, Any] = {
        "count": len(failed),
        "source": source,
        "most": most,
        "span": duration(last.time - first.time) if first.time >= 0 else "the log",
        "names": f", with {len(users)} different names" if len(users) > 1 else "",
    }
    after = [
        attempt
        for attempt in attempts
        if attempt.succeeded and attempt.time >= first.time and attempt.line > first.line
    ]
    if after:
        user = f" as {after[0].user}" if after[0].user else ""
        yield RULES.found("LOG-SIGN-IN-AFTER-GUESSING", after[0].line, user=user, **values)
    elif len(users) >= MANY:
        yield RULES.found("LOG-PASSWORD-SPRAYING", first.line, **values)
    else:
        yield RULES.found("LOG-PASSWORD-GUESSING", first.line, severity=Severity.HIGH if most >= 20 else None, **values)


def _densest(failed: list[Attempt]) -> tuple[int, Attempt, Attempt]:
    """Return most failures within the window, with the first and last of them."""
    if failed[0].time < 0:
        return len(failed), failed[0], failed[-1]
    failed = sorted(failed, key=lambda attempt: attempt.time)
    best, left = (0, failed[0], failed[0]), 0
    for right, attempt in enumerate(failed):
        while attempt.time - failed[left].time > WITHIN:
            left += 1
        if right - left + 1 > best[0]:
            best = right - left + 1, failed[left], attempt
    return best


def attacks(log: Log, mask: Mask) -> Iterator[Finding]:
    """Yield requests that look like a probe or an exploit, by source."""
    sources: dict[str, list[Entry]] = {}
    for entry in log.entries:
        if entry.path and (entry.address in sources or len(sources) < SOURCES) and is_attack(entry.path):
            sources.setdefault(entry.address, []).append(entry)
    for source, requests in sources.items():
        answered = [entry for entry in requests if 200 <= entry.status < 300]
        shown = answered[0] if answered else requests[0]
        values: dict[str, Any] = {"count": plural(len(requests), "request"), "source": source or "an unknown source"}
        if answered:
            finding = RULES.found("LOG-ATTACK-ANSWERED", shown.line, answered=len(answered), **values)
        else:
            finding = RULES.found("LOG-ATTACK-PROBE", shown.line, **values)
        yield placed(finding, log.label, mask(shown.text))
