"""Sign-ins that failed, by where they came from, and requests that look like an attack."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from plantwin.private.capabilities.incident.entry import Entry
from plantwin.private.capabilities.incident.moments import lasting, times
from plantwin.private.capabilities.incident.reading import Log
from plantwin.private.capabilities.incident.signs import ADMITTED, REFUSED, attack
from plantwin.private.capabilities.job import Finding
from plantwin.vocabulary import OutcomeTag, Severity

MANY = 5
"""Failures by one source within `WITHIN` from which it looks like guessing."""
WITHIN = 300.0
SOURCES = 2000
_USER = re.compile(
    r"(?:for(?: invalid user| user)?|user(?:name)?[=: ]{1,2}|account[=: ]{1,2}|acct=|logname=|email[=: ]{1,2})\s?[\"']?"
    r"([\w.+@-]{2,80})", re.IGNORECASE,
)  # fmt: skip
_LOGIN = re.compile(r"log-?in|sign-?in|auth|session|token|oauth", re.IGNORECASE)


class Try(NamedTuple):
    """One attempt to sign in."""

    time: float
    line: int
    user: str
    source: str
    succeeded: bool


def attempts(log: Log) -> Iterable[Try]:
    """Every attempt to sign in that a log tells of."""
    for entry, kind in zip(log.entries, log.kinds, strict=True):
        login = entry.path and _LOGIN.search(entry.path[:200]) is not None
        if kind.sign == REFUSED or entry.status == 401 or (entry.status == 403 and login):
            yield _try(entry, False)
        elif kind.sign == ADMITTED or (login and entry.method == "POST" and 200 <= entry.status < 400):
            yield _try(entry, True)


def _try(entry: Entry, succeeded: bool) -> Try:
    user = _USER.search(entry.text[:400])
    name = user[1] if user is not None else ""
    return Try(entry.time, entry.line, name, entry.address or name, succeeded)


def signed(log: Log) -> tuple[list[Finding], dict[str, object]]:
    """What the attempts of a log amount to, by source."""
    sources: dict[str, list[Try]] = {}
    for each in attempts(log):
        if each.source in sources or len(sources) < SOURCES:
            sources.setdefault(each.source, []).append(each)
    found: list[Finding] = []
    failures = 0
    for source, tries in sources.items():
        failed = [each for each in tries if not each.succeeded]
        failures += len(failed)
        if source and failed:
            found += _judged(log.label, source, tries, failed)
    unclear = sum(not each.succeeded for each in sources.get("", ()))
    facts: dict[str, object] = {
        "failures": failures,
        "sources": {
            source or "(not stated)": sum(not each.succeeded for each in tries)
            for source, tries in sorted(sources.items(), key=lambda pair: -len(pair[1]))[:20]
            if any(not each.succeeded for each in tries)
        },
    }
    if failures and not found:
        first = next(each for tries in sources.values() for each in tries if not each.succeeded)
        known = sum(bool(name) and any(not one.succeeded for one in tries) for name, tries in sources.items())
        where = f" from {times(known, 'source')}" if failures > unclear else ""
        found.append(
            Finding(
                name=log.label,
                line=first.line,
                severity=Severity.LOW.value,
                tag=OutcomeTag.AUTH_FAILURES.value,
                message=f"{times(failures, 'sign-in')} failed or refused{where}",
                hint="As few as this are usual; look at who it was if they repeat.",
            )
        )
    return found, facts if failures else {}


def _judged(label: str, source: str, tries: list[Try], failed: list[Try]) -> Iterable[Finding]:
    most, first, last = _dense(failed)
    if most < MANY:
        return
    users = {each.user for each in failed if each.user and each.user != source}
    after = [each for each in tries if each.succeeded and each.time >= first.time and each.line > first.line]
    span = lasting(last.time - first.time) if first.time >= 0 else "the log"
    how = f"{len(failed)} sign-ins failed from {source}, {most} of them within {span}"
    how += f", with {len(users)} different names" if len(users) > 1 else ""
    if after:
        yield Finding(
            name=label,
            line=after[0].line,
            severity=Severity.CRITICAL.value,
            tag=OutcomeTag.ATTACK_SIGNS.value,
            message=f"{how}; then one succeeded" + (f" as {after[0].user}" if after[0].user else ""),
            hint="Treat the account as taken over: end its sessions, change its password, see what it did since.",
        )
        return
    spread = len(users) >= MANY
    yield Finding(
        name=label,
        line=first.line,
        severity=(Severity.HIGH if most >= 20 or spread else Severity.MEDIUM).value,
        tag=OutcomeTag.ATTACK_SIGNS.value,
        message=how + (" (password spraying)" if spread else " (guessing)"),
        hint="Limit attempts by source and by account, and block this one.",
    )


def _dense(failed: list[Try]) -> tuple[int, Try, Try]:
    """Most failures within the window, with the first and last of them."""
    if failed[0].time < 0:
        return len(failed), failed[0], failed[-1]
    failed = sorted(failed, key=lambda each: each.time)
    best, left = (0, failed[0], failed[0]), 0
    for right, each in enumerate(failed):
        while each.time - failed[left].time > WITHIN:
            left += 1
        if right - left + 1 > best[0]:
            best = right - left + 1, failed[left], each
    return best


def attacks(log: Log, veil: Callable[[str], str]) -> list[Finding]:
    """Requests that look like a probe or an exploit, by source; those that were answered first."""
    sources: dict[str, list[Entry]] = {}
    for entry in log.entries:
        if entry.path and (entry.address in sources or len(sources) < SOURCES) and attack(entry.path):
            sources.setdefault(entry.address, []).append(entry)
    found: list[Finding] = []
    for source, made in sources.items():
        answered = [each for each in made if 200 <= each.status < 300]
        shown = answered[0] if answered else made[0]
        found.append(
            Finding(
                name=log.label,
                line=shown.line,
                severity=(Severity.HIGH if answered else Severity.LOW).value,
                tag=OutcomeTag.ATTACK_SIGNS.value,
                message=f"{times(len(made), 'request')} from {source or 'somewhere'} that can be an attack, "
                f"{len(answered) or 'none'} answered with success",
                hint="See what was sent back, and check the handler for injection."
                if answered
                else "Usual noise on a public server; make sure that nothing answers.",
                evidence=veil(shown.text),
            )
        )
    return found
