"""What a migration does, whatever it is written in, and how each tool writes it."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

_NAME = r"(?:[`\"\[]?[\w$]+[`\"\]]?\.){0,2}[`\"\[]?[\w$]+[`\"\]]?"


class Operation(NamedTuple):
    """One change."""

    kind: str
    """One of the kinds in `operations.toml`."""
    line: int
    table: str = ""
    column: str = ""
    type: str = ""
    required: bool = False
    """NOT NULL."""
    default: str = ""
    """As it is written; empty where there is none."""
    gentle: bool = False
    """CONCURRENTLY, NOT VALID, or what an engine offers instead of a lock."""
    reversible: bool = True
    text: str = ""

    def __repr__(self) -> str:
        return "<Operation private>"

    @property
    def target(self) -> str:
        """The table and column as a message names them."""
        return ".".join(filter(None, (self.table, self.column))) or "the table"


@dataclass
class Migration:
    """One file."""

    label: str
    tool: str
    engine: str = ""
    up: list[Operation] = field(default_factory=list)
    down: list[Operation] | None = None
    """None where the tool has no place for a downgrade in the same file."""
    no_downgrade: bool = False
    """The tool has a place for the downgrade, and it is empty or refuses."""
    transaction: bool | None = None
    """Whether it runs in one; None where that is not known."""
    revision: str = ""
    parents: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "<Migration private>"


class Form(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one kind of operation is written."""

    kind: str
    pattern: str
    gentle: str = ""
    required: str = ""

    def operation(self, match: re.Match[str], line: int, table: str, text: str) -> Operation:
        """Return the operation that a match of the pattern tells of."""
        named = match.groupdict()
        return Operation(
            self.kind,
            line,
            bare_name(named.get("table") or table),
            bare_name(named.get("column") or ""),
            named.get("type") or "",
            bool(self.required and re.search(self.required, match.string, re.IGNORECASE)),
            gentle=bool(self.gentle and re.search(self.gentle, match.string, re.IGNORECASE)),
            text=text,
        )


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    statement: list[Form]
    action: list[Form]
    script: list[Form]
    php: list[Form]
    methods: dict[str, dict[str, str]]


@cache
def _file() -> _File:
    text = Path(__file__).with_name("operations.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), _File)


@cache
def forms(name: str) -> list[tuple[Form, re.Pattern[str]]]:
    """Return the forms of statements, actions or calls with their patterns."""
    flags = re.IGNORECASE | re.DOTALL if name in ("statement", "action") else 0
    found = []
    for form in getattr(_file(), name):
        pattern = form.pattern.replace("<name>", _NAME)
        pattern = re.sub(r"(?<!P)<(table|column)>", lambda group: f"(?P{group[0]}{_NAME})", pattern)
        found.append((form, re.compile(pattern, flags)))
    return found


def methods(tool: str) -> dict[str, str]:
    """Return the kinds of operations by the name of the method that a tool gives them."""
    return _file().methods[tool]


def bare_name(name: str) -> str:
    """Return the last part of a name, without quotes."""
    return name.split(".")[-1].strip('`"[]').lower()
