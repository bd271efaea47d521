"""What changed in a folder, from git: commits and files since a revision or a day, and what is not committed."""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterable
from pathlib import Path

from plantwin.private.facts import Change, Changes, Entry
from plantwin.private.observe.git import Command, CommandError, History, history, unmodified
from plantwin.private.observe.ignore import repository

MOST_COMMITS = 500
MAX_LOG = 1 << 26
TIMEOUT = 20.0
DAYS = 30
NEWEST = 50
"""Commits that are shown where the last month has none."""
_COMMIT = re.compile(rb"//([0-9a-f]{40,64}) (\d{1,12}) ([^\0\x1f]{0,400})\x1f([^\0]{0,4000})\Z", re.DOTALL)
_NUMBERS = re.compile(rb"\n?(\d+|-)\t(\d+|-)\t(.+)\Z", re.DOTALL)
_REVISION = re.compile(r"(?!-)[\w./@^~{}-]{1,200}")
_SPAN = re.compile(
    r"\b(?:last|past|this)\s+(?:(?P<number>\d{1,3}|two|three|four|few|couple of)\s+)?"
    r"(?P<unit>hour|day|week|fortnight|month|quarter|year)s?|(?P<day>yesterday|today)",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"\b(?:since|after|from)\s++(?:the\s++)?(?:commit|revision|tag|branch|release|version|rev)?\s*+[`'\"]?(?P<rev>[\w./@^~-]{2,80})",
    re.IGNORECASE,
)
_DAYS = {"hour": 1 / 24, "day": 1.0, "week": 7.0, "fortnight": 14.0, "month": 30.0, "quarter": 91.0, "year": 365.0}
_NUMBER = {"two": 2, "three": 3, "four": 4, "few": 3, "couple of": 2}
_ASK = (
    "log", "-z", "--first-parent", "--diff-merges=first-parent", "--format=tformat:%x2f%x2f%H %ct %an%x1f%s",
    "--numstat", "--no-renames", "--relative", "--no-color", "--no-decorate", "--no-ext-diff", "--no-follow",
    "--no-mailmap", "--no-notes", "--no-show-signature", "--no-textconv", "--ignore-submodules=all", "-O/dev/null",
)  # fmt: skip


def since_of(goal: str) -> str:
    """Return from when or where on a request asks: a number of days (`14d`), a revision or nothing."""
    span = _SPAN.search(goal)
    if span is not None:
        if span["day"]:
            return "1d" if span["day"].lower() == "today" else "2d"
        number = span["number"] or "1"
        return f"{(int(number) if number.isdigit() else _NUMBER[number.lower()]) * _DAYS[span['unit'].lower()]:g}d"
    named = _SINCE.search(goal)
    return named["rev"].rstrip(".") if named is not None else ""


def changes(root: Path, paths: Iterable[str], since: str = "", now: float | None = None) -> Changes:
    """Ask git, hardened, what changed. `paths`: the files of the folder, to tell which are not tracked."""
    real = Path(os.path.realpath(root))
    if repository(real) is None:
        return Changes(problem="The folder is not in a git repository, so what changed is not known.")
    now = time.time() if now is None else now
    try:
        command = Command(real, time.monotonic() + TIMEOUT)
        words, chosen = _chosen(command, since, now)
        commits, files = _log(command, chosen)
        if not commits and not since:
            words, chosen = (
                f"The last {NEWEST} commits, since the last {DAYS} days have none",
                [f"--max-count={NEWEST}", "HEAD"],
            )
            commits, files = _log(command, chosen)
        known = history(real, now, timeout=TIMEOUT)
    except CommandError as error:
        return Changes(problem=f"Git did not answer ({error.code}).")
    _pending(files, real, known, paths)
    return Changes(
        since=words, commits=tuple(commits[:MOST_COMMITS]), files=tuple(files[name] for name in sorted(files)),
        whole=len(commits) <= MOST_COMMITS and (known is None or known.complete),
    )  # fmt: skip


def _chosen(command: Command, since: str, now: float) -> tuple[str, list[str]]:
    """Return which commits are asked for, in words and as git's arguments."""
    most = f"--max-count={MOST_COMMITS + 1}"
    days = re.fullmatch(r"(\d+(?:\.\d+)?)d", since)
    if since and days is None and _REVISION.fullmatch(since):
        for revision in (since, f"v{since}"):
            try:
                found = b"".join(
                    command.output(
                        ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"), 200
                    )
                )
            except CommandError:
                continue
            commit = found.decode("ascii", "replace").strip()
            if re.fullmatch(r"[0-9a-f]{40,64}", commit):
                return f"Since {revision}", [most, f"{commit}..HEAD"]
    number = float(days[1]) if days else DAYS
    return f"In the last {number:g} days", [most, f"--since={int(now - number * 86_400)}", "HEAD"]


def _log(command: Command, chosen: list[str]) -> tuple[list[tuple[str, int, str, str]], dict[str, Change]]:
    commits: list[tuple[str, int, str, str]] = []
    files: dict[str, Change] = {}
    for field in command.fields((*_ASK, *chosen, "--"), MAX_LOG):
        head = _COMMIT.match(field.lstrip(b"\n"))
        if head is not None:
            author, subject = (part.decode("utf-8", "replace").strip() for part in head.groups()[2:])
            commits.append((head[1].decode(), int(head[2]), author[:80], subject[:200]))
            continue
        match = _NUMBERS.match(field)
        if match is not None and commits:
            name = os.fsdecode(match[3]).encode("utf-8", "backslashreplace").decode()
            before = files.get(name, Change(name, 0, last=commits[-1][1]))
            added, removed = (int(part) if part != b"-" else 0 for part in match.groups()[:2])
            files[name] = Change(name, before.commits + 1, before.added + added, before.removed + removed, before.last)
    return commits, files


def _pending(files: dict[str, Change], root: Path, known: History | None, paths: Iterable[str]) -> None:
    """Add what is not committed: told by size and time as git keeps them, so that no filter of the repository runs."""
    if known is None:
        return
    states = dict.fromkeys(known.staged, "staged")
    for path, mark in known.index.items():
        try:
            found = os.lstat(root / path)
        except OSError:
            states[path] = "deleted"
            continue
        entry = Entry(path, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_mode)
        if stat.S_ISREG(found.st_mode) and not unmodified(entry, mark):
            states[path] = "modified"
    states |= {path: "untracked" for path in paths if path not in known.tracked}
    for path, state in states.items():
        name = path.encode("utf-8", "backslashreplace").decode()
        before = files.get(name, Change(name, 0))
        files[name] = Change(name, before.commits, before.added, before.removed, before.last, state)
