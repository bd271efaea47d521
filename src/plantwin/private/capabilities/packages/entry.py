"""What a manifest or lock file says, whatever its syntax."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

MOST = 20_000
"""Packages of one file."""


class Wanted(NamedTuple):
    """One package as a file names it."""

    name: str
    wanted: str
    """The version or range, as written; empty where none is."""
    line: int
    source: str = "registry"
    """registry, git, url, path, http or other."""
    fixed: bool = False
    """Of a git or URL source: whether a commit or hash pins it."""
    dev: bool = False
    hashed: bool | None = None
    """Whether its content is pinned by a hash; none where the syntax has none."""
    license: str = ""
    marked: bool = False
    """Whether it is wanted under a condition, or under another name: then it may stand twice."""

    def __repr__(self) -> str:
        return "<Wanted private>"


class Runtime(NamedTuple):
    """A language or system that a file asks for."""

    product: str
    wanted: str
    line: int

    def __repr__(self) -> str:
        return "<Runtime private>"


class Listing(NamedTuple):
    """One file, read."""

    label: str
    path: str
    ecosystem: str
    kind: str
    """manifest, lock, image or workflow."""
    packages: Sequence[Wanted]
    runtimes: Sequence[Runtime] = ()
    sound: bool = True
    remarks: Sequence[tuple[int, str]] = ()
    """Lines with a word for what is odd about them, as `http_index`."""
    library: bool = False
    """Whether others depend on it, so that ranges are right."""
    license: str = ""

    def __repr__(self) -> str:
        return "<Listing private>"

    @property
    def folder(self) -> str:
        """Where the file lies."""
        return self.path.rpartition("/")[0]


_NUMBER = re.compile(r"\d+")
_PRE = re.compile(r"(?i)(?:a|b|rc|alpha|beta|dev|pre|preview|snapshot|m|canary|next)[.\-]?\d*$")


def version(text: str) -> tuple[int, ...] | None:
    """A version for comparing; none where the text is none."""
    bare = (
        text.strip().lstrip("vV=").partition("+")[0].partition("!")[2] or text.strip().lstrip("vV=").partition("+")[0]
    )
    if not bare[:1].isdigit():
        return None
    head, dash, tail = bare.partition("-")
    numbers = [int(each[:9]) for each in _NUMBER.findall(re.split(r"[A-Za-z]", head, maxsplit=1)[0])][:6]
    early = bool(dash and not re.fullmatch(r"(?i)\d+|jre|android|ga|final|release|post\d*|alpine.*|slim.*", tail)) or (
        _PRE.search(head) is not None
    )
    return (*numbers, *[0] * (6 - len(numbers)), -1 if early else 0)


def normal(ecosystem: str, name: str) -> str:
    """A name as its registry compares it."""
    if ecosystem == "pypi":
        return re.sub(r"[-_.]+", "-", name).lower()
    return name.lower() if ecosystem in ("npm", "packagist", "actions") else name


def exact(ecosystem: str, kind: str, wanted: str) -> str:
    """The one version that is meant; empty where several would do."""
    wanted = wanted.strip()
    if kind == "lock" or ecosystem == "go":
        return wanted.lstrip("=v ")
    if ecosystem == "pypi":
        match = re.fullmatch(r"={2,3}\s*([^*,;\s]+)(?:\s*;.*)?", wanted)
        return match[1] if match else ""
    if ecosystem in ("npm", "packagist"):
        return wanted.lstrip("=v ") if re.fullmatch(r"[=v ]*\d+\.\d+\.\d+[\w.+-]*", wanted) else ""
    if ecosystem == "cargo":
        return wanted[1:].strip() if wanted.startswith("=") else ""
    if ecosystem == "rubygems":
        return wanted.lstrip("= ") if re.fullmatch(r"(?:=\s*)?\d[\w.]*", wanted) else ""
    if ecosystem == "maven":
        return wanted.strip("[]") if re.fullmatch(r"\[?\d[\w.-]*\]?", wanted) and "SNAPSHOT" not in wanted else ""
    return wanted


_BOUND = re.compile(r"(>=|<=|==|!=|~=|~>|<|>|=|\^|~)?\s*v?(\d[\w.*+-]*)")


def admits(wanted: str, ecosystem: str, held: str) -> bool:
    """Whether a range admits a version; also where it cannot be told."""
    at = version(held)
    if at is None or not wanted or "||" in wanted or " - " in wanted or "|" in wanted:
        return True
    for mark, number in _BOUND.findall(wanted.partition(";")[0]):
        if not _within(at, mark or _usual(ecosystem), number):
            return False
    return True


def _usual(ecosystem: str) -> str:
    return "^" if ecosystem == "cargo" else "="


def _within(at: tuple[int, ...], mark: str, number: str) -> bool:
    stars = number.partition("*")[0].rstrip(".") if "*" in number or ".x" in number else ""
    if stars or ".x" in number:
        prefix = [int(each) for each in _NUMBER.findall(stars or number.partition(".x")[0])]
        return list(at[: len(prefix)]) == prefix or mark in ("!=",)
    bound = version(number)
    if bound is None:
        return True
    parts = len(_NUMBER.findall(re.split(r"[A-Za-z+-]", number, maxsplit=1)[0]))
    if mark in (">=", ">"):
        return at >= bound
    if mark in ("<=", "<"):
        return at <= bound
    if mark == "!=":
        return at != bound
    if mark == "^":
        first = next((index for index, value in enumerate(bound[:3]) if value), max(0, parts - 1))
        return at >= bound and at[: first + 1] == bound[: first + 1]
    if mark in ("~=", "~>"):
        return at >= bound and at[: max(1, parts - 1)] == bound[: max(1, parts - 1)]
    if mark == "~":
        keep = 2 if parts >= 2 else 1
        return at >= bound and at[:keep] == bound[:keep]
    return at[:parts] == bound[:parts]
