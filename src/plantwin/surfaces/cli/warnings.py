"""Warnings in words: which file, what is wrong with it, and what to do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from plantwin.surfaces.cli.output import note
from plantwin.surfaces.render.text import plural, printable

_counted = re.compile(r"([\d,]+) objects")
"""How a scan counts what it does not name."""
MOST = 10
"""Warnings that are told."""
TIMES = "ages of files come from their times alone"
MEANINGS = {
    "folder_unreadable": "cannot be listed, so nothing in it was looked at: check its permissions",
    "folder_too_deep": "lies too deep, so nothing in it was looked at: start PlanTwin further down",
    "folder_moved": "was moved while it was read: run the command again",
    "file_unreadable": "cannot be read: check that it is a file, and its permissions",
    "ignore_unreadable": "cannot be read, so what it leaves out was looked at: check its permissions",
    "ignore_cut": "is too long for an ignore file, so its end was not used: shorten it",
    "ignore_bad_pattern": "has an invalid pattern: correct it; git does not use it either",
    "git_missing": f"git is not installed: {TIMES}",
    "git_foreign_owner": f"git refuses a repository of another owner: {TIMES}; run PlanTwin as its owner",
    "git_no_commit": f"the repository has no commit yet: {TIMES}",
    "git_timeout": f"git took too long: {TIMES}",
    "git_failed": f"git could not tell the history: {TIMES}; see what `git status` says",
    "git_output_cut": f"the history is too long: {TIMES}",
    "git_unknown_output": f"this version of git is not understood: {TIMES}",
    "read_failed": "could not be read to the end: check its permissions and the disk",
    "parse_error": "could not be parsed, so less is known of it: check its syntax",
    "undecodable": "could not be decoded, so less is known of it: convert it to UTF-8",
    "timeout_or_crash": "took a parser too long or made it crash, so only its name is known: look at it by hand",
}
"""What each code means."""


def explained(warning: str) -> str:
    """`CODE: place` as a sentence about the place; what has no code stays as it is."""
    code, _, place = warning.partition(": ")
    meaning = MEANINGS.get(code)
    if meaning is None:
        return printable(warning)
    if counted := _counted.fullmatch(place):
        files = plural(int(counted[1].replace(",", "")), "file")
        return f"{files} {meaning.partition(',')[0]}; `plantwin scan` says which"
    if code.startswith("git_"):
        return meaning
    shown = printable(place) or "the folder itself"
    return f"an ignore file in {shown} {meaning}" if code.startswith("ignore_") else f"{shown} {meaning}"


def warn(warnings: Sequence[str], rest: str = "") -> None:
    """Tell the first warnings on stderr. `rest`: where the others are listed."""
    for warning in warnings[:MOST]:
        note(f"warning: {explained(warning)}")
    if len(warnings) > MOST:
        note(f"and {plural(len(warnings) - MOST, 'more warning')}{rest}")
