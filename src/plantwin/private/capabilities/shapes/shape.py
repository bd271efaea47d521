"""A table's or record's declared shape, whatever language declares it."""

# ruff: noqa: E501 (messages and patterns)

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Field:
    """One column or key."""

    name: str
    types: frozenset[str] = frozenset()
    """Kinds of values it may hold (`integer`, `number`, `boolean`, `date`, `timestamp`, `text`, `nested`); any where empty."""
    line: int = 0
    required: bool = False
    """It must be there."""
    filled: bool = False
    """It must have a value."""
    unique: bool = False
    values: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    size: int = 0
    shortest: int = 0
    pattern: str = ""
    references: tuple[str, str] | None = None
    word: str = ""
    """The type as it is declared."""


@dataclass
class Shape:
    """One table, record or model."""

    name: str
    language: str
    label: str
    line: int = 0
    fields: dict[str, Field] = field(default_factory=dict)
    closed: bool = False
    """Whether other columns are forbidden."""
    keys: list[tuple[str, ...]] = field(default_factory=list)
    document: object = None
    """A JSON Schema, for data that is JSON itself."""

    def __repr__(self) -> str:
        return "<Shape private>"


class Defect(Exception):  # noqa: N818 (never raised to a caller: a value that stops reading)
    """A schema that cannot be read."""
