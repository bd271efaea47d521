"""Which entries are left out: `.gitignore` as git reads it, `.plantwinignore` above it, and a few names.

For one entry, the first of these that has an opinion decides:

1. `.git`, `.hg` and `.svn` are never entered;
2. `.plantwinignore`, the deepest folder's first (also decides about tracked files);
3. a file that git tracks is kept;
4. the folders of `DEFAULTS` are left out;
5. `.gitignore`, the deepest folder's first, then `.git/info/exclude`.

As in git, nothing below a folder that is left out can be brought back (but its tracked files stay).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from plantwin.private.observe.beneath import FOLDER, open_file
from plantwin.private.observe.patterns import MAX_WILD, Patterns

GIT = ".gitignore"
OWN = ".plantwinignore"
NEVER = frozenset({".git", ".hg", ".svn"})
DEFAULTS = frozenset(
    {
        "node_modules",
        "__pycache__",
        ".venv",
        "venv",
        ".tox",
        ".nox",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".hypothesis",
        ".terraform",
        ".gradle",
        ".idea",
    }
)
DEFAULT_FILES = frozenset({".DS_Store"})

MAX_FILE = 1 << 20
"""Bytes of an ignore file that are read."""
MAX_WILD_TOTAL = 1 << 18
"""Bytes of patterns with wildcards that one walk compiles."""

Warn = Callable[[str, str], None]
"""Takes a code and a path."""

KEPT, LEFT_OUT, FORBIDDEN = 0, 1, 2
"""Verdicts: `KEPT` is falsy, `LEFT_OUT` spares tracked files, `FORBIDDEN` does not."""


class _Layer(NamedTuple):
    patterns: Patterns
    prefix: str
    """The current folder as seen from the ignore file: empty, or with a trailing slash."""


class Scope:
    """The rules in force in one folder. Immutable."""

    __slots__ = ("_git", "_own")

    def __init__(self, git: tuple[_Layer, ...] = (), own: tuple[_Layer, ...] = ()) -> None:
        self._git = git
        self._own = own

    @property
    def quiet(self) -> bool:
        """Whether no ignore file has a say here."""
        return not self._git and not self._own

    @property
    def wild(self) -> int:
        """Bytes of patterns with wildcards that every entry is matched against."""
        return sum(layer.patterns.wild for layer in self._git + self._own)

    def below(self, name: str) -> Scope:
        """The rules of a subfolder, before its own ignore files are read."""
        if self.quiet:
            return self
        return Scope(
            tuple(_Layer(patterns, f"{prefix}{name}/") for patterns, prefix in self._git),
            tuple(_Layer(patterns, f"{prefix}{name}/") for patterns, prefix in self._own),
        )

    def verdict(self, name: str, folder: bool) -> int:
        """Whether an entry of this folder is kept."""
        if name in NEVER:
            return FORBIDDEN
        if self._own:
            rank = _rank(self._own, name, folder)
            if rank:
                return KEPT if rank & 1 else FORBIDDEN
        if name in (DEFAULTS if folder else DEFAULT_FILES):
            return LEFT_OUT
        rank = _rank(self._git, name, folder)
        return LEFT_OUT if rank and not rank & 1 else KEPT

    def spared(self, name: str, folder: bool) -> int:
        """The same below a folder that is left out: only what git tracks can be kept."""
        return self.verdict(name, folder) or LEFT_OUT

    def with_git(self, patterns: Patterns) -> Scope:
        """With one more `.gitignore`, of the current folder."""
        return Scope((_Layer(patterns, ""), *self._git), self._own)

    def with_own(self, patterns: Patterns) -> Scope:
        """With one more `.plantwinignore`, of the current folder."""
        return Scope(self._git, (_Layer(patterns, ""), *self._own))

    def without_git(self) -> Scope:
        """As at the top of a repository: git rules from outside it do not apply."""
        return Scope((), self._own)


def _rank(layers: tuple[_Layer, ...], name: str, folder: bool) -> int:
    """The rank of the winning pattern in the deepest ignore file that has one, or 0."""
    for patterns, prefix in layers:
        matcher = patterns.folders if folder else patterns.files
        best = matcher.known.get(name)
        if best is None:
            best = matcher.by_name(name)
        if matcher.deep:
            rank = matcher.by_path(prefix, name)
            if rank > best:
                best = rank
        if best:
            return best
    return 0


class Ignore:
    """Reads ignore files during one walk; equal files are compiled once."""

    __slots__ = ("_compiled", "_room", "_warn")

    def __init__(self, warn: Warn) -> None:
        self._compiled: dict[bytes, Patterns] = {}
        self._room = MAX_WILD_TOTAL
        self._warn = warn

    def outside(self, root: Path) -> Scope:
        """The rules that a root inherits from the folders above it, up to the top of its repository."""
        real = Path(os.path.realpath(root))
        top = repository(real)
        if top is None or top == real or not _trusted(top, real):
            return Scope()
        scope, names = Scope(), real.relative_to(top).parts
        place = top
        for depth, name in enumerate(names):
            scope = self._entered(scope, place, repository_top=depth == 0)
            if scope.verdict(name, folder=True) != KEPT:
                # The person chose a folder that is left out from outside: what is outside has no say in it.
                return Scope()
            scope, place = scope.below(name), place / name
        return scope

    def _entered(self, scope: Scope, folder: Path, repository_top: bool) -> Scope:
        try:
            fd = os.open(folder, FOLDER)
        except OSError:
            return scope
        try:
            return self.enter(scope, fd, "", (GIT, OWN, ".git") if repository_top else (GIT, OWN))
        finally:
            os.close(fd)

    def enter(self, scope: Scope, fd: int, path: str, names: Iterable[str]) -> Scope:
        """The rules of an open folder, given which of `.git`, `.gitignore` and `.plantwinignore` it holds."""
        here = set(names)
        if ".git" in here and _is_repository(fd):
            scope = scope.without_git()
            # A worktree or submodule has its list in another folder, which is not ours to open.
            content = self._content(fd, ".git/info/exclude", path) if _is_folder(fd, ".git") else b""
            if content:
                scope = scope.with_git(self._patterns(content, scope, path))
        if GIT in here:
            content = self._content(fd, GIT, path)
            if content:
                scope = scope.with_git(self._patterns(content, scope, path))
        if OWN in here:
            content = self._content(fd, OWN, path)
            if content:
                scope = scope.with_own(self._patterns(content, scope, path))
        return scope

    def _content(self, folder: int, path: str, at: str) -> bytes:
        """What an ignore file holds: nothing when it is a link, not a regular file, or cannot be read."""
        *parents, name = path.split("/")
        opened: list[int] = []
        try:
            for parent in parents:
                folder = os.open(parent, FOLDER, dir_fd=folder)
                opened.append(folder)
            fd = open_file(name, folder)
            opened.append(fd)
            content = b""
            while len(content) <= MAX_FILE and (more := os.read(fd, MAX_FILE + 1 - len(content))):
                content += more
        except FileNotFoundError:
            return b""
        except OSError:
            self._warn("ignore_unreadable", at)
            return b""
        finally:
            for file in opened:
                os.close(file)
        if len(content) > MAX_FILE:
            self._warn("ignore_cut", at)
            content = content[: content.rfind(b"\n") + 1]
        return content

    def _patterns(self, content: bytes, scope: Scope, at: str) -> Patterns:
        known = self._compiled.get(content)
        if known is not None and scope.wild + known.wild <= MAX_WILD:
            return known
        patterns = Patterns(content, max(0, min(self._room, MAX_WILD - scope.wild)))
        self._room -= patterns.wild
        if patterns.cut:
            self._warn("ignore_cut", at)
        else:
            self._compiled[content] = patterns
        if patterns.bad:
            self._warn("ignore_bad_pattern", at)
        return patterns


def _is_folder(fd: int, name: str) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=fd, follow_symlinks=False).st_mode)


def _is_repository(fd: int) -> bool:
    """Whether `.git` here is a repository, or the file that a worktree or submodule has in its place."""
    try:
        mode = os.stat(".git", dir_fd=fd, follow_symlinks=False).st_mode
        if stat.S_ISDIR(mode):
            os.stat(".git/HEAD", dir_fd=fd, follow_symlinks=False)
        return stat.S_ISDIR(mode) or stat.S_ISREG(mode)
    except OSError:
        return False


def repository(real: Path) -> Path | None:
    """The top folder of the repository that a resolved path lies in."""
    for folder in (real, *real.parents):
        try:
            mode = (folder / ".git").lstat().st_mode
        except OSError:
            continue
        if stat.S_ISDIR(mode) or stat.S_ISREG(mode):
            return folder
    return None


def _trusted(top: Path, real: Path) -> bool:
    """Whether a repository belongs to us or to the owner of the folder: others may not hide files from us."""
    try:
        return (top / ".git").lstat().st_uid in (os.geteuid(), real.stat().st_uid)
    except OSError:
        return False
