"""An input as a capability reads it: bounded, decoded, with its format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Input
from plantwin.private.classify.identify import identify
from plantwin.private.facts import private
from plantwin.private.formats.text import binary

READ = 2 << 20
"""Bytes of one input that are examined; the result says when there are more."""

_SQLITE = b"SQLite format 3\0"
_REHEARSAL = re.compile(
    r"(?:^|/)(?:[\w.-]*(?:(?<!la)(?<!con)(?<!at)tests?|specs?|fixtures?|testdata|examples?|samples?|demos?|mocks?|e2e|integration"
    r"|benchmarks?)"
    r"(?:[_-](?:files?|data|resources?|support|apps?|projects?|cases|assets|utils?|helpers?|suites?))?"
    r"|suites?|docs?|documentation|tutorials?|playground|cypress|stories|\.storybook|seeds?|\.?ci|\.circleci|\.?dev|\.devcontainer|\.?gitpod|developer[\w-]*|local|\.github/workflows/[^/]+)/"
    r"|(?:^|/)(?:test_|conftest|example|phpunit|vagrant)[^/]*$|(?:^|/)(?:seeds?\.\w+|config/config\.exs)$|(?:[._-]|(?<=[a-z])(?=[A-Z]))(?i:tests?|specs?|ci|e2e|dev|local)\.\w+$"
    r"|(?:^|[./_-])(?:example|sample|template|dist|fixture|mock|demo|test|testing|dev|development|local|localhost)s?(?:[./_-][^/]*)?$"
)
_VENDORED = re.compile(r"(?:^|/)(?:vendor|node_modules|third[_-]?party|bower_components)/[^/]+/")
_MADE = re.compile(
    r"(?i)(?:^|/)(?:generated|gen|build|dist|skeletons?|boilerplates?|starters?|quick-?starts?|installers?|contrib"
    r"|externals?|3rd-?party|vendors|deps)/|\.(?:j2|jinja2?|tpl|tmpl|erb|mustache|hbs|stub|snap|md|rst|adoc)$|[._-]generated\."
)
"""What is generated, filled in or by others, and what explains; more than `rehearsal`, for severity alone."""
_PRODUCTION = re.compile(r"(?i)(?:^|[/._-])(?:prod|production|live)(?:$|[/._-])")
_STAGE = re.compile(rb"(?m)^[ \t]*(?:export )?\w{0,40}(?:ENV|ENVIRONMENT|STAGE)[ \t]*=[ \t]*[\"']?prod(?:uction)?\b")
"""The line of an environment file that says so."""
_MINIFIED = re.compile(r"\.min\.\w+$")
_LONG_LINE = 5000
"""Characters of a line that no person wrote."""


@private
class Source(NamedTuple):
    """The examined part of one object."""

    input: Input
    label: str
    format: str
    data: bytes
    text: str
    truncated: bool
    binary: bool

    @property
    def name(self) -> str:
        """The path of the object."""
        return self.input.name

    @property
    def rehearsal(self) -> bool:
        """Whether its path is one of tests, examples, documents or a developer's own machine."""
        return rehearsal(self.input.name)

    @property
    def guessed(self) -> bool:
        """Whether its format is known by its content alone: then what does not parse may be of another."""
        return identify(self.input.name, b"") != self.format

    @property
    def minified(self) -> bool:
        """Whether a tool put it on few long lines."""
        return bool(_MINIFIED.search(self.input.name)) or any(len(line) > _LONG_LINE for line in self.text.split("\n"))

    @property
    def lines(self) -> int:
        """How many lines the examined part has."""
        return self.text.count("\n") + (not self.text.endswith("\n") and bool(self.text))


def rehearsal(path: str) -> bool:
    """Return whether a path is one of tests, examples, documents or a developer's own machine: not used in earnest."""
    return _REHEARSAL.search(path) is not None


def vendored(path: str) -> bool:
    """Return whether a path is one of a package by others that lies in the project."""
    return _VENDORED.search(path) is not None


def in_earnest(path: str) -> bool:
    """Return whether a file is used as it is: no test, example, document, template or package by others."""
    return not (rehearsal(path) or vendored(path) or _MADE.search(path) or _MINIFIED.search(path))


def production(path: str, data: bytes) -> bool:
    """Return whether a file says that it is one of production: by its path, or as an environment file."""
    environment = path.rpartition("/")[2].startswith(".env") or path.endswith(".env")
    return _PRODUCTION.search(path) is not None or (environment and _STAGE.search(data) is not None)


def source(given: Input, limit: int = READ) -> Source:
    """Read one object."""
    data = given.read(limit)
    truncated = given.size > len(data)
    if truncated and b"\n" in data[-65536:]:
        data = data[: data.rfind(b"\n") + 1]
    format = identify(given.name, data)
    opaque = format != "sqlite" and (b"\0" in data[:65536] or binary(data[:4096])) and not _wide(data)
    return Source(given, given.label, format, data, "" if opaque else decoded(data), truncated, opaque)


def in_the_clear(data: bytes) -> bool:
    """Return whether the bytes are text, or hold it as it is: not compressed, encoded or a program."""
    return not data or data.startswith(_SQLITE) or _wide(data) or not (b"\0" in data[:65536] or binary(data[:4096]))


def unclear(labels: Sequence[str]) -> list[str]:
    """Return the note on inputs that are not text, so that a search of their bytes says little."""
    more = " …" if len(labels) > 8 else ""
    return (
        [f"Not text, so that only what stands in it unencoded was searched: {', '.join(labels[:8])}{more}."]
        if labels
        else []
    )


def decoded(data: bytes) -> str:
    """Text by its byte order mark, else UTF-8; line ends as one character."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace")
    else:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _wide(data: bytes) -> bool:
    return data.startswith((b"\xff\xfe", b"\xfe\xff"))
