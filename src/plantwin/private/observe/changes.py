"""What changed in a folder, from git, and which files a person means: by path, folder, wildcard or what changed."""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from plantwin.errors import InputError
from plantwin.private.facts import Change, Changes, Entry
from plantwin.private.observe.git import STAGED, Command, CommandError, History, history, unmodified
from plantwin.private.observe.ignore import Warn, repository
from plantwin.private.observe.walk import walk
from plantwin.private.observe.wildcard import SPECIAL, regex, tokens

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


MAX_LISTING = 1 << 26
_REASONS = {
    "git_missing": "git is not installed",
    "git_foreign_owner": "git refuses a repository of another owner: run as its owner",
    "git_timeout": "git took too long",
}


def common_folder(paths: Iterable[str]) -> Path:
    """The folder to observe for these paths: the current one, where it holds all of them.

    Not so where they lie in a repository below it, or where it holds the home folder: who names one project from there
    does not ask about all the others. A lone folder is taken itself then; else the deepest that holds all.
    """
    here = Path.cwd()
    real = [_fixed(Path(path).expanduser().absolute()).resolve() for path in paths] or [here]
    common = Path(os.path.commonpath(real))
    common = common if common.is_dir() else common.parent
    if not common.is_relative_to(here):
        return common
    between = [folder for folder in (common, *common.parents) if folder.is_relative_to(here) and folder != here]
    if not os.path.lexists(here / ".git"):
        below = next((folder for folder in reversed(between) if os.path.lexists(folder / ".git")), None)
        if below is not None:
            return below
    return common if Path.home().is_relative_to(here) else here


def placed(path: str, root: Path) -> str:
    """A path that is given along with a folder: as it stands where that is in the folder, else relative to it."""
    given, below = Path(path).expanduser(), root / Path(path).expanduser()
    inside = given.absolute().resolve().is_relative_to(root)
    here = os.path.lexists(given) and (inside or not os.path.lexists(below))
    return path if given.is_absolute() or here else os.fspath(below)


def _fixed(path: Path) -> Path:
    """What stands before the first wildcard of a path that is not there as it is."""
    if os.path.lexists(path):
        return path
    return next((parent for parent in path.parents if not SPECIAL.search(os.fsencode(parent))), Path("/"))


def missing(path: str | os.PathLike[str], error: type[InputError] = InputError) -> InputError:
    """The error for a path that is not there, with the one beside it that is spelled nearly so."""
    from difflib import get_close_matches

    wanted = Path(path)
    try:
        near = get_close_matches(wanted.name, [beside.name for beside in wanted.parent.iterdir()], 1)
    except (OSError, ValueError):
        near = []
    guess = f"; did you mean '{wanted.parent / near[0]}'?" if near else ""
    return error(
        f"no such file or folder: '{os.fspath(path)}'{guess}", f"Paths count from the current folder, {Path.cwd()}."
    )


def chosen(root: Path, paths: Iterable[str], *, ignore: bool, warn: Warn) -> dict[str, None]:
    """The files below `root` that paths, folders and wildcards name, as paths relative to it, in their order."""
    found: dict[str, None] = {}
    for path in paths:
        some = dict.fromkeys(_named(root, path, ignore, warn))
        if not some and not Path(path).exists():
            raise missing(path)
        found |= some
    return found


def _named(root: Path, path: str, ignore: bool, warn: Warn) -> Iterator[str]:
    given = Path(path).expanduser().absolute()
    place = _fixed(given).resolve()
    if not place.is_relative_to(root):
        raise InputError(f"'{path}' lies outside of the folder: give another --root")
    below = place.relative_to(root).as_posix()
    if place.is_file():
        yield below
        return
    if not place.is_dir():
        return
    prefix = "" if below == "." else f"{below}/"
    pattern = None if os.path.lexists(given) else _pattern(os.path.relpath(given, _fixed(given)))
    for entry in _walked(place, ignore, lambda code, name: warn(code, prefix + name)):
        if pattern is None or pattern.fullmatch(os.fsencode(entry)):
            yield prefix + entry


def _pattern(text: str) -> re.Pattern[bytes]:
    return re.compile(regex(tokens(os.fsencode(text), True), True))


def _walked(folder: Path, ignore: bool, warn: Warn) -> Iterator[str]:
    past = history(folder, time.time(), warn=lambda _: None) if ignore else None
    tracked = past.tracked if past is not None else None
    yield from (entry.path for entry in walk(folder, ignore=ignore, tracked=tracked, warn=warn))


def changed(root: Path, *, since: str | None = None, staged: bool = False) -> frozenset[str]:
    """Files below `root` that differ from a commit, staged or not; with `staged` those of the index alone.

    Since a commit means since this branch left it. Whether a file on disk differs from the index is told by its size
    and time: comparing the content could run filters that the repository names.
    """
    past = history(root, time.time(), warn=lambda _: None)
    if past is None:
        raise InputError(
            "not in a git repository that can be read: --since and --staged need one",
            "Leave the option out, or run it on a folder of a git repository.",
        )
    if staged:
        return frozenset(path for path in past.staged or (() if past.head else past.tracked))
    differing = _differing(root, since or "HEAD")
    return frozenset(
        entry.path
        for entry in walk(root, tracked=past.tracked)
        if entry.path in differing or (mark := past.index.get(entry.path)) is None or not unmodified(entry, mark)
    )


def _differing(root: Path, since: str) -> set[str]:
    """Paths whose content in the index differs from where this branch left the commit."""
    if since.startswith("-") or "\0" in since:
        raise InputError(f"'{since}' is no revision: give a commit, a branch or a tag")
    arguments = [*STAGED[:-2], "--merge-base", since, "--"]
    try:
        fields = Command(root, time.monotonic() + TIMEOUT).fields(arguments, MAX_LISTING)
        return {os.fsdecode(field) for field in fields if field}
    except CommandError as error:
        why = _REASONS.get(error.code, "no such revision, or no common history; in CI, fetch more than one commit")
        raise InputError(f"--since '{since}': {why}") from None
