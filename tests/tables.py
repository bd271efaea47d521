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

    A parameter that is annotated as bytes gets the text's bytes.
    """

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        raw = {place for place, name in enumerate(names) if test.__annotations__.get(name) == "bytes"}
        rows = rows_of(test.__globals__["__file__"], test.__name__.removeprefix("test_"))
        values = [row if len(names) > 1 else (row,) for row in rows]
        made = [tuple(one.encode() if place in raw else one for place, one in enumerate(row)) for row in values]
        return pytest.mark.parametrize(names, made)(test)

    return decorate


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
