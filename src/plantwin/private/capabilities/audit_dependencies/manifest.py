"""What a manifest or lock file says, whatever its syntax."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field

from plantwin.private.facts import Private
from plantwin.private.formats import json as json_format

MOST_PACKAGES = 20_000
"""Packages, and lines, of one file."""


@dataclass(slots=True, repr=False, kw_only=True)
class Package(Private):
    """One package as a file names it."""

    name: str
    version: str
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
    conditional: bool = False
    """Whether it is wanted under a condition, or under another name: then it may be listed twice."""

    @property
    def managed(self) -> bool:
        """Whether a parent or a bill of materials gives its version (Maven)."""
        return self.version == "(managed)"


@dataclass(slots=True, repr=False)
class Runtime(Private):
    """A language or system that a file asks for."""

    product: str
    version: str
    line: int


@dataclass(slots=True, repr=False, kw_only=True)
class Manifest(Private):
    """One file, read."""

    path: str
    ecosystem: str
    kind: str = "manifest"
    """manifest, lock, sums, image or workflow."""
    packages: list[Package] = field(default_factory=list)
    runtimes: list[Runtime] = field(default_factory=list)
    parsed: bool = True
    problems: list[tuple[int, str]] = field(default_factory=list)
    """Lines with the ids of rules that the file itself breaks."""
    library: bool = False
    """Whether others depend on it, so that ranges are right."""
    license: str = ""

    @property
    def folder(self) -> str:
        """Where the file lies."""
        return self.path.rpartition("/")[0]


class Lines(Private):
    """Find lines of names in a text, in order: parsers of TOML and JSON do not keep them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1

    def after(self, word: str) -> int:
        """Return the line where a word stands next; where it stands first if there is no next."""
        position = self._text.find(word, self._at) if word else -1
        return self.at(position) if position >= 0 else self.first(word)

    def at(self, position: int) -> int:
        """Return the line of a position that is not before the last one."""
        self._line += self._text.count("\n", self._at, position)
        self._at = position
        return self._line

    def first(self, word: str) -> int:
        """Return the line where a word stands first; zero where it does not."""
        position = self._text.find(word) if word else -1
        return self._text.count("\n", 0, position) + 1 if position >= 0 else 0


def numbered(text: str, longest: int = 1000) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text with their numbers, bounded."""
    for number, row in enumerate(text.split("\n")[:MOST_PACKAGES], start=1):
        yield number, row[:longest]


def load_toml(text: str) -> tuple[dict[str, object], bool]:
    """Parse TOML; tell whether that was possible."""
    try:
        return tomllib.loads(text), True
    except (ValueError, RecursionError):
        return {}, False


def load_json(text: str) -> tuple[dict[str, object], bool]:
    """Parse JSON; tell whether it is an object."""
    tree, parsed = json_format.load(text, True)
    return mapping(tree), parsed and isinstance(tree, dict)


def mapping(value: object, *keys: str) -> dict[str, object]:
    """Return the table under these keys; an empty one where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def mappings(value: object) -> list[dict[str, object]]:
    """Return the tables of a list."""
    return [mapping(item) for item in value] if isinstance(value, list) else []


def strings(value: object) -> list[str]:
    """Return the texts of a list."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def table_package(name: str, given: object, lines: Lines, *, dev: bool) -> Package:
    """Read a dependency of Poetry, a Pipfile or a Cargo.toml: a version, or a table that says where from."""
    package = Package(name=name, version="", line=lines.after(name), dev=dev)
    if isinstance(given, list):
        given = given[0] if given else ""
    if not isinstance(given, dict):
        package.version = str(given)
        return package
    package.version = str(given.get("version", ""))
    if "git" in given:
        package.source, package.version = "git", str(given["git"])
        package.fixed = bool(given.get("rev") or given.get("ref"))
    elif given.keys() & {"path", "file", "workspace"}:
        package.source, package.fixed = "path", True
    elif "url" in given:
        package.version = str(given["url"])
        package.source = "http" if package.version.startswith("http:") else "url"
    return package


_NUMBER = re.compile(r"\d+")
_PRERELEASE = re.compile(r"(?i)(?:a|b|rc|alpha|beta|dev|pre|preview|snapshot|m|canary|next)[.\-]?\d*$")
_RELEASE_SUFFIX = re.compile(r"(?i)\d+|jre|android|ga|final|release|post\d*|alpine.*|slim.*")
_BOUND = re.compile(r"(>=|<=|==|!=|~=|~>|<|>|=|\^|~)?\s*v?(\d[\w.*+-]*)")


def parse_version(text: str) -> tuple[int, ...] | None:
    """Return a version of any registry for comparing; none where the text is none."""
    bare = text.strip().lstrip("vV=").partition("+")[0]
    bare = bare.partition("!")[2] or bare
    if not bare[:1].isdigit():
        return None
    head, _, suffix = bare.partition("-")
    numbers = [int(part[:9]) for part in _NUMBER.findall(re.split(r"[A-Za-z]", head, maxsplit=1)[0])][:6]
    early = (suffix and not _RELEASE_SUFFIX.fullmatch(suffix)) or _PRERELEASE.search(head)
    return (*numbers, *[0] * (6 - len(numbers)), -1 if early else 0)


def normalize(ecosystem: str, name: str) -> str:
    """Return a name as its registry compares it."""
    if ecosystem == "pypi":
        return re.sub(r"[-_.]+", "-", name).lower()
    return name.lower() if ecosystem in ("npm", "packagist", "actions") else name


def exact_version(manifest: Manifest, package: Package) -> str:
    """Return the one version that is meant; empty where several would do."""
    wanted = package.version.strip()
    if manifest.kind == "lock" or manifest.ecosystem == "go":
        return wanted.lstrip("=v ")
    match manifest.ecosystem:
        case "pypi":
            found = re.fullmatch(r"={2,3}\s*([^*,;\s]+)(?:\s*;.*)?", wanted)
        case "npm" | "packagist":
            found = re.fullmatch(r"[=v ]*+(\d++\.\d++\.\d++[\w.+-]*+)", wanted)
        case "cargo":
            found = re.fullmatch(r"=\s*(.*)", wanted)
        case "rubygems":
            found = re.fullmatch(r"(?:=\s*)?(\d[\w.]*)", wanted)
        case "maven":
            found = re.fullmatch(r"\[?((?!.*SNAPSHOT)\d[\w.-]*)\]?", wanted)
        case _:
            return wanted
    return found[1] if found else ""


def admits(wanted: str, ecosystem: str, version: str) -> bool:
    """Tell whether a range admits a version; also where it cannot be told."""
    parsed = parse_version(version)
    if parsed is None or "|" in wanted or " - " in wanted:
        return True
    usual = "^" if ecosystem == "cargo" else "="
    bounds = _BOUND.findall(wanted.partition(";")[0])
    return all(_within(parsed, operator or usual, number) for operator, number in bounds)


def _within(version: tuple[int, ...], operator: str, number: str) -> bool:
    if "*" in number or ".x" in number:
        prefix = [int(part) for part in _NUMBER.findall(re.split(r"\*|\.x", number, maxsplit=1)[0])]
        return list(version[: len(prefix)]) == prefix or operator == "!="
    bound = parse_version(number)
    if bound is None:
        return True
    parts = len(_NUMBER.findall(re.split(r"[A-Za-z+-]", number, maxsplit=1)[0]))
    match operator:
        case ">=" | ">":
            return version >= bound
        case "<=" | "<":
            return version <= bound
        case "!=":
            return version != bound
        case "^":
            # What stays the same: everything up to the first number that is not zero.
            kept = 1 + next((position for position, value in enumerate(bound[:3]) if value), max(0, parts - 1))
        case "~=" | "~>":
            kept = max(1, parts - 1)
        case "~":
            kept = min(2, parts)
        case _:
            return version[:parts] == bound[:parts]
    return version >= bound and version[:kept] == bound[:kept]
