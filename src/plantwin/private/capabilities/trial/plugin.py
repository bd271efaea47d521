"""A plugin for pytest that writes one line for each test as it ends. It runs in the folder's own interpreter, alone."""

from __future__ import annotations

import json
import os


def _say(**values: object) -> None:
    with open(os.environ["TRIAL_RESULTS"], "a", encoding="utf-8", errors="replace") as file:  # noqa: PTH123 (any Python)
        file.write(json.dumps(values) + "\n")


def _frames(failure: object) -> list[list[object]]:
    """Places of a failure, the outermost first."""
    found: list[list[object]] = []
    chain = getattr(failure, "chain", None)
    parts = [each[0] for each in chain] if chain else [getattr(failure, "reprtraceback", None)]
    for part in parts:
        for entry in getattr(part, "reprentries", None) or []:
            place = getattr(entry, "reprfileloc", None)
            if place is not None:
                found.append([str(place.path), int(place.lineno)])
    return found[-40:]


def pytest_runtest_logreport(report) -> None:  # type: ignore[no-untyped-def]
    """One phase of one test has ended."""
    if report.when != "call" and report.outcome == "passed":
        return
    failure = report.longrepr
    crash = getattr(failure, "reprcrash", None)
    text = ""
    if report.outcome == "failed":
        text = str(getattr(crash, "message", "") or failure)
    elif report.outcome == "skipped":
        text = str(failure[2]) if isinstance(failure, tuple) and len(failure) == 3 else ""
    _say(
        id=report.nodeid,
        file=report.location[0],
        line=(report.location[1] or 0) + 1,
        when=report.when,
        outcome=report.outcome,
        seconds=round(report.duration, 4),
        text=text[:4000],
        frames=_frames(failure) if report.outcome == "failed" else [],
    )


def pytest_collectreport(report) -> None:  # type: ignore[no-untyped-def]
    """A file was looked through for tests."""
    if report.outcome == "failed":
        _say(
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
    """All tests are known."""
    _say(collected=len(session.items))
