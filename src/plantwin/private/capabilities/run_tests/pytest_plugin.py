"""A plugin for pytest that writes one line for each test as it ends. It runs in the folder's own interpreter, alone."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

_clocks = [time.time, time.perf_counter]
"""Kept in a list, where what replaces the clocks of modules for a test (freezegun, time-machine) does not look."""
_started: dict[str, float] = {}
"""When a test began."""
_LATE = "did not end within"
_late: list[str] = []
"""Tests that were stopped: the more there are, the sooner the next is, since they may hang for one reason."""


def _write(**values: object) -> None:
    with open(os.environ["TRIAL_RESULTS"], "a", encoding="utf-8", errors="replace") as file:  # noqa: PTH123 (any Python)
        file.write(json.dumps(values) + "\n")


def _frames(failure: object) -> list[list[object]]:
    """Return the places of a failure, the outermost first."""
    found: list[list[object]] = []
    chain = getattr(failure, "chain", None)
    parts = [link[0] for link in chain] if chain else [getattr(failure, "reprtraceback", None)]
    for part in parts:
        for entry in getattr(part, "reprentries", None) or []:
            place = getattr(entry, "reprfileloc", None)
            if place is not None:
                found.append([str(place.path), int(place.lineno)])
    return found[-40:]


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item) -> Iterator[None]:  # type: ignore[no-untyped-def]
    """Write that a test begins, and stop it where it takes too long; start no other when the time is up."""
    until = float(os.environ["TRIAL_UNTIL"])
    _started[item.nodeid] = _clocks[1]()
    _write(began=item.nodeid, file=item.location[0], line=(item.location[1] or 0) + 1)
    limit = max(0.1, min(until - _clocks[0](), max(3.0, float(os.environ["TRIAL_LONGEST"]) / 2 ** len(_late))))

    def stop(_signal: int, _frame: object) -> None:
        _late.append(item.nodeid)
        pytest.fail(f"{_LATE} {limit:.0f} s")

    # Only the main thread takes signals; a test that cannot be interrupted is known by its beginning.
    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGALRM, stop) if main else None
    if main:
        signal.setitimer(signal.ITIMER_REAL, limit, limit)
    yield
    if main:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    if _clocks[0]() >= until:
        item.session.shouldstop = "the time is up"


def pytest_runtest_logreport(report) -> None:  # type: ignore[no-untyped-def]
    """Write that a phase of a test has ended."""
    if report.when != "call" and report.outcome == "passed":
        return
    failure = report.longrepr
    crash = getattr(failure, "reprcrash", None)
    text = ""
    if report.outcome == "failed":
        text = str(getattr(crash, "message", "") or failure)
    elif report.outcome == "skipped":
        text = str(failure[2]) if isinstance(failure, tuple) and len(failure) == 3 else ""
    _write(
        id=report.nodeid,
        file=report.location[0],
        line=(report.location[1] or 0) + 1,
        when=report.when,
        outcome="stopped" if text.startswith(f"Failed: {_LATE} ") else report.outcome,
        seconds=round(_clocks[1]() - _started[report.nodeid], 4),
        text=text[:4000],
        frames=_frames(failure) if report.outcome == "failed" else [],
    )


def pytest_collectreport(report) -> None:  # type: ignore[no-untyped-def]
    """Write that a file could not be collected."""
    if report.outcome == "failed":
        _write(
            id=report.nodeid,
            file=report.nodeid,
            line=0,
            when="collect",
            outcome="failed",
            seconds=0,
            text=str(report.longrepr)[-4000:],
            frames=[],
        )


def pytest_collection_finish(session) -> None:  # type: ignore[no-untyped-def]
    """Write how many tests there are."""
    _write(collected=len(session.items))
