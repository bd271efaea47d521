"""One ignore file, compiled.

Patterns are bytes, as git matches bytes. Literal names and plain suffixes become dict entries; the rest
becomes one regular expression whose alternatives stand in reverse order, so that the first that matches
is the one that git lets win.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from plantwin.private.observe.wildcard import SPECIAL, STAR, BadPatternError, Token, regex, tokens

MAX_WILD = 1 << 14
"""Bytes of patterns with wildcards that one file may bring: what is beyond is left out, with a warning."""
MAX_PATTERN = 1 << 12
"""Bytes of one pattern with wildcards."""
MAX_MEMO = 1 << 14
"""Names whose verdict one file remembers."""


class Line(NamedTuple):
    """One pattern as written, taken apart."""

    rank: int
    """Later lines rank higher; odd when negated."""
    text: bytes
    folders_only: bool
    whole_path: bool


def lines(content: bytes) -> Iterator[Line]:
    """The patterns of an ignore file, in order."""
    for number, raw in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if not raw or raw.startswith(b"#"):
            continue
        text = _trimmed(raw.removesuffix(b"\r").partition(b"\0")[0])
        negated = text.startswith(b"!")
        if negated:
            text = text[1:]
        folders_only = text.endswith(b"/")
        if folders_only:
            text = text[:-1]
        if text:
            yield Line(number << 1 | negated, text, folders_only, b"/" in text)


def _trimmed(text: bytes) -> bytes:
    """Without trailing spaces, unless a backslash keeps the first of them."""
    bare = text.rstrip(b" ")
    if len(bare) == len(text):
        return text
    backslashes = len(bare) - len(bare.rstrip(b"\\"))
    return bare + b" " if backslashes % 2 else bare


class _Place(NamedTuple):
    """Where a pattern without a regular expression is looked up."""

    table: str
    folder: str
    name: str


def _place(line: Line, parts: list[Token]) -> _Place | None:
    literal = bytes(part for part in parts if isinstance(part, int))
    if len(literal) == len(parts):
        text = os.fsdecode(literal)
        if not line.whole_path:
            return _Place("names", "", text)
        folder, slash, name = text.rpartition("/")
        if not name or (slash and not folder) or "//" in folder or folder.startswith("/"):
            return _Place("nowhere", "", "")
        return _Place("anchored", folder + slash, name)
    one_star = not line.whole_path and parts[0] == STAR and len(literal) == len(parts) - 1
    if one_star and literal.startswith(b".") and literal.count(b".") == 1:
        return _Place("suffixes", "", os.fsdecode(literal))
    return None


class Matcher:
    """The patterns of one ignore file that apply to files, or to folders."""

    __slots__ = ("_loose", "_loose_ranks", "_memo", "_names", "_path_ranks", "_paths", "_suffixes", "anchored", "broad")

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._suffixes: dict[str, int] = {}
        self._memo: dict[str, int] = {}
        self.anchored: dict[str, dict[str, int]] = {}
        """Folder below the ignore file (with its trailing slash) to name and rank."""
        self._loose: re.Pattern[bytes] | None = None
        self._loose_ranks: tuple[int, ...] = ()
        self._paths: re.Pattern[bytes] | None = None
        self._path_ranks: tuple[int, ...] = ()
        self.broad = False
        """Whether whole paths must be matched too."""

    def add(self, rank: int, place: _Place) -> None:
        """Keep a pattern that needs no regular expression."""
        if place.table == "names":
            self._names[place.name] = rank
        elif place.table == "suffixes":
            self._suffixes[place.name] = rank
        elif place.table == "anchored":
            self.anchored.setdefault(place.folder, {})[place.name] = rank

    def close(self, loose: list[tuple[int, bytes]], paths: list[tuple[int, bytes]]) -> None:
        """Compile the patterns that need a regular expression."""
        self._loose, self._loose_ranks = _joined(loose)
        self._paths, self._path_ranks = _joined(paths)
        self.broad = self._paths is not None

    def by_name(self, name: str) -> int:
        """The highest rank among the patterns that match this name in any folder, or 0."""
        known = self._memo.get(name)
        if known is not None:
            return known
        best = self._names.get(name, 0)
        rank = self._suffixes.get(name[name.rfind(".") :], 0)
        if rank > best:
            best = rank
        if self._loose is not None:
            match = self._loose.fullmatch(name.encode("utf-8", "surrogateescape"))
            if match is not None:
                best = max(best, self._loose_ranks[(match.lastindex or 1) - 1])
        if len(self._memo) < MAX_MEMO:
            self._memo[name] = best
        return best

    def by_path(self, path: str) -> int:
        """The highest rank among the patterns that match this whole path, or 0."""
        if self._paths is None:
            return 0
        match = self._paths.fullmatch(path.encode("utf-8", "surrogateescape"))
        return 0 if match is None else self._path_ranks[(match.lastindex or 1) - 1]


def _joined(patterns: list[tuple[int, bytes]]) -> tuple[re.Pattern[bytes] | None, tuple[int, ...]]:
    """One expression that tries the highest rank first."""
    if not patterns:
        return None, ()
    patterns.sort(reverse=True)
    expression = re.compile(b"|".join(b"(%b)" % each for _, each in patterns), re.DOTALL)
    return expression, tuple(rank for rank, _ in patterns)


class Patterns:
    """A compiled ignore file."""

    __slots__ = ("bad", "cut", "files", "folders", "wild")

    def __init__(self, content: bytes, room: int = MAX_WILD) -> None:
        self.files, self.folders = Matcher(), Matcher()
        self.bad = 0
        """Patterns that can never match."""
        self.cut = False
        """Whether patterns were left out because the file holds too many."""
        self.wild = 0
        """Bytes of patterns with wildcards."""
        loose: dict[Matcher, list[tuple[int, bytes]]] = {self.files: [], self.folders: []}
        paths: dict[Matcher, list[tuple[int, bytes]]] = {self.files: [], self.folders: []}
        for line in lines(content):
            matchers = (self.folders,) if line.folders_only else (self.folders, self.files)
            line = _simpler(line)
            if len(line.text) > MAX_PATTERN and SPECIAL.search(line.text):
                self.cut = True
                continue
            try:
                parts = tokens(line.text, line.whole_path)
                place = _place(line, parts)
                if place is not None:
                    for matcher in matchers:
                        matcher.add(line.rank, place)
                elif self.wild + len(line.text) > room:
                    self.cut = True
                else:
                    self.wild += len(line.text)
                    expression = regex(parts, line.whole_path)
                    for matcher in matchers:
                        (paths if line.whole_path else loose)[matcher].append((line.rank, expression))
            except BadPatternError:
                self.bad += 1
        for matcher in (self.folders, self.files):
            matcher.close(loose[matcher], paths[matcher])


def _simpler(line: Line) -> Line:
    """The leading slash only anchors, and `**/name` is `name`: names are looked up faster than paths."""
    if not line.whole_path:
        return line
    text = line.text.removeprefix(b"/")
    if text.startswith(b"**/") and len(text) > 3 and b"/" not in text[3:]:
        return line._replace(text=text[3:], whole_path=False)
    return line._replace(text=text)
