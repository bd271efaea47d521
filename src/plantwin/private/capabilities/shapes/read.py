"""What a schema file gives: shapes, and what is wrong with them."""

from __future__ import annotations

from typing import NamedTuple

from plantwin.private.capabilities.shapes.shape import Shape


class Problem(NamedTuple):
    """Something wrong with a schema itself."""

    line: int
    severity: str
    message: str

    def __repr__(self) -> str:
        return "<Problem private>"


class Read(NamedTuple):
    """The shapes of one file, and what is wrong with them."""

    shapes: list[Shape]
    problems: list[Problem]

    def __repr__(self) -> str:
        return "<Read private>"


def line_of(text: str, name: str) -> int:
    """The first line that has a name."""
    at = text.find(f'"{name}"')
    at = text.find(name) if at < 0 else at
    return text.count("\n", 0, at) + 1 if at >= 0 else 0


def number_of(value: object) -> float | None:
    """A number as it stands in a schema."""
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def literal(value: object) -> str:
    """A value as a cell would be written."""
    return str(value).lower() if isinstance(value, bool) else str(value)
