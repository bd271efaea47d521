"""A declared table or record, whatever language declares it."""

from __future__ import annotations

from dataclasses import dataclass, field

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.facts import Private


@dataclass(repr=False)
class Field(Private):
    """One column or key."""

    name: str
    types: frozenset[str] = frozenset()
    """Types of values it may hold: integer, number, boolean, date, timestamp, text, nested; any where empty."""
    line: int = 0
    required: bool = False
    """It must be there."""
    filled: bool = False
    """It must have a value."""
    unique: bool = False
    values: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    longest: int = 0
    shortest: int = 0
    pattern: str = ""
    references: tuple[str, str] | None = None
    """The table and column that its values must be in."""
    declared_type: str = ""
    """The type as it is written."""


@dataclass(repr=False)
class Schema(Private):
    """One table, record or model."""

    name: str
    language: str
    label: str
    """The object that declares it."""
    line: int = 0
    fields: dict[str, Field] = field(default_factory=dict)
    closed: bool = False
    """Whether other columns are forbidden."""
    keys: list[tuple[str, ...]] = field(default_factory=list)
    """Columns that are unique together."""
    document: object = None
    """A JSON Schema, for data that is JSON itself."""

    def matching_field_count(self, columns: set[str]) -> tuple[int, int]:
        """Return how many fields and columns are the same, and how many there are altogether."""
        names = {name.lower() for name in self.fields}
        return len(names & columns), len(names | columns)


@dataclass(repr=False)
class SchemaFile(Private):
    """The schemas of one object, and what is wrong with them."""

    schemas: list[Schema] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def line_of(text: str, name: str) -> int:
    """Return the first line that has a name."""
    at = text.find(f'"{name}"')
    at = text.find(name) if at < 0 else at
    return text.count("\n", 0, at) + 1 if at >= 0 else 0


def number_of(value: object) -> float | None:
    """Return a number as it stands in a schema."""
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def cell_text(value: object) -> str:
    """Return a value as a cell would be written."""
    return str(value).lower() if isinstance(value, bool) else str(value)
