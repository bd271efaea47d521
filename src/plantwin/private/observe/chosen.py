"""Which files a person means: by path, folder or wildcard, and of these what changed since a commit."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from plantwin.errors import InputError
from plantwin.private.observe.git import STAGED, Command, CommandError, history, unmodified
from plantwin.private.observe.ignore import Warn
from plantwin.private.observe.walk import walk
from plantwin.private.observe.wildcard import SPECIAL, regex, tokens

TIMEOUT = 20.0
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


def chosen(root: Path, paths: Iterable[str], *, ignore: bool, warn: Warn) -> dict[str, None]:
    """The files below `root` that paths, folders and wildcards name, as paths relative to it, in their order."""
    found: dict[str, None] = {}
    for path in paths:
        some = dict.fromkeys(_named(root, path, ignore, warn))
        if not some and not Path(path).exists():
            raise InputError(f"no such file or folder: '{path}'")
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
        raise InputError("not in a git repository that can be read: --since and --staged need one")
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
