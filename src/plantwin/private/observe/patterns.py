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

from plantwin.private.observe.wildcard import ANY_DEPTH, SPECIAL, STAR, BadPatternError, Token, depth, regex, tokens

MAX_WILD = 1 << 14
"""Bytes of patterns with wildcards that one file may bring: what is beyond is left out, with a warning."""
MAX_PATTERN = 1 << 12
"""Bytes of one pattern with wildcards."""
MAX_KNOWN = 1 << 14
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


class _Expression:
    """Patterns joined into one regular expression, the highest rank first."""

    __slots__ = ("_ranks", "_regex")

    def __init__(self, patterns: list[tuple[int, bytes]]) -> None:
        patterns = sorted(patterns, reverse=True)
        self._ranks = tuple(rank for rank, _ in patterns)
        self._regex = re.compile(b"|".join(b"(%b)" % pattern for _, pattern in patterns), re.DOTALL)

    def rank(self, text: str) -> int:
        """The rank of the first pattern that matches all of `text`, or 0."""
        match = self._regex.fullmatch(text.encode("utf-8", "surrogateescape"))
        return 0 if match is None else self._ranks[(match.lastindex or 1) - 1]


class Matcher:
    """The patterns of one ignore file that apply to files, or to folders."""

    __slots__ = (
        "_anchored",
        "_at",
        "_depths",
        "_expression",
        "_here",
        "_loose",
        "_names",
        "_paths",
        "_suffixes",
        "deep",
        "known",
    )

    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        """Answers of `by_name` so far."""
        self.deep = False
        """Whether `by_path` can answer anything."""
        self._names: dict[str, int] = {}
        self._suffixes: dict[str, int] = {}
        self._loose: _Expression | None = None
        self._anchored: dict[str, dict[str, int]] = {}
        self._paths: dict[int, list[tuple[int, bytes]]] = {}
        self._depths: dict[int, _Expression | None] = {}
        # What `by_path` needs in the folder that it was last asked about.
        self._at: str | None = None
        self._here: dict[str, int] = {}
        self._expression: _Expression | None = None

    def add(self, rank: int, place: _Place) -> None:
        """Keep a pattern that needs no regular expression."""
        if place.table == "names":
            self._names[place.name] = rank
        elif place.table == "suffixes":
            self._suffixes[place.name] = rank
        elif place.table == "anchored":
            self._anchored.setdefault(place.folder, {})[place.name] = rank
            self.deep = True

    def close(self, loose: list[tuple[int, bytes]], paths: dict[int, list[tuple[int, bytes]]]) -> None:
        """Take the patterns that need a regular expression: for names, and for paths by depth (see `depth`)."""
        self._loose = _Expression(loose) if loose else None
        self._paths = paths
        self.deep = self.deep or bool(paths)

    def by_name(self, name: str) -> int:
        """The highest rank among the patterns that match this name in any folder, or 0."""
        best = max(self._names.get(name, 0), self._suffixes.get(name[name.rfind(".") :], 0))
        if self._loose is not None:
            best = max(best, self._loose.rank(name))
        if len(self.known) < MAX_KNOWN:
            self.known[name] = best
        return best

    def by_path(self, folder: str, name: str) -> int:
        """The highest rank among the patterns that match this path below the ignore file, or 0."""
        if folder != self._at:
            self._at = folder
            self._here = self._anchored.get(folder, _NOTHING)
            self._expression = self._at_depth(folder.count("/"))
        best = self._here.get(name, 0)
        return best if self._expression is None else max(best, self._expression.rank(folder + name))

    def _at_depth(self, depth: int) -> _Expression | None:
        if not self._paths:
            return None
        if depth not in self._paths:
            depth = ANY_DEPTH
        if depth not in self._depths:
            chosen = [*self._paths.get(ANY_DEPTH, ()), *(self._paths.get(depth, ()) if depth != ANY_DEPTH else ())]
            self._depths[depth] = _Expression(chosen) if chosen else None
        return self._depths[depth]


_NOTHING: dict[str, int] = {}


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
        paths: dict[Matcher, dict[int, list[tuple[int, bytes]]]] = {self.files: {}, self.folders: {}}
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
                    expression = line.rank, regex(parts, line.whole_path)
                    for matcher in matchers:
                        if line.whole_path:
                            paths[matcher].setdefault(depth(parts), []).append(expression)
                        else:
                            loose[matcher].append(expression)
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
