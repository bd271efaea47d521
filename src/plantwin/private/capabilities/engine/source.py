"""An input as a capability reads it: bounded, decoded, with its format."""

from __future__ import annotations

from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Input
from plantwin.private.classify.content import binary
from plantwin.private.classify.identify import identify

READ = 2 << 20
"""Bytes of one input that are examined; the result says when there are more."""


class Source(NamedTuple):
    """The examined part of one object."""

    input: Input
    label: str
    format: str
    data: bytes
    text: str
    truncated: bool
    binary: bool

    def __repr__(self) -> str:
        return "<Source private>"

    @property
    def lines(self) -> int:
        """How many lines the examined part has."""
        return self.text.count("\n") + (not self.text.endswith("\n") and bool(self.text))


def source(given: Input, limit: int = READ) -> Source:
    """Read one object."""
    data = given.read(limit)
    truncated = given.size > len(data)
    if truncated and b"\n" in data[-65536:]:
        data = data[: data.rfind(b"\n") + 1]
    format = identify(given.name, data)
    opaque = format != "sqlite" and (b"\0" in data[:65536] or binary(data[:4096])) and not _wide(data)
    return Source(given, given.label, format, data, "" if opaque else decoded(data), truncated, opaque)


def decoded(data: bytes) -> str:
    """Text by its byte order mark, else UTF-8; line ends as one character."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace")
    else:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _wide(data: bytes) -> bool:
    return data.startswith((b"\xff\xfe", b"\xfe\xff"))
