"""Tables of cases and long samples: in the TOML file that is named like the module of tests."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest


def cases(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test with each row of the table that has its name, without `test_`.

    A parameter that is annotated as bytes gets the text's bytes; one that is a list or a set, the array as such.
    """

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        made = [_MADE.get(test.__annotations__.get(name, "").partition("[")[0], _same) for name in names]
        rows = rows_of(test.__globals__["__file__"], test.__name__.removeprefix("test_"))
        values = [row if len(names) > 1 else (row,) for row in rows]
        shaped = [tuple(make(one) for make, one in zip(made, row, strict=True)) for row in values]
        return pytest.mark.parametrize(names, shaped)(test)

    return decorate


def _same(value: Any) -> Any:
    return value


_MADE: dict[str, Callable[[Any], Any]] = {"bytes": str.encode, "list": list, "set": set, "frozenset": frozenset}


def rows_of(module: str, name: str) -> list[Any]:
    """The rows of one table beside a module of tests, arrays as tuples."""
    return [_frozen(row) for row in _file(module)[name]]


def value_of(module: str, name: str) -> Any:
    """A text or a table of the file beside a module, as it is."""
    return _file(module)[name]


@cache
def _file(module: str) -> dict[str, Any]:
    return tomllib.loads(Path(module).with_suffix(".toml").read_text(encoding="utf-8"))


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
