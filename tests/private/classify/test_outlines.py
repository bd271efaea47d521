"""Outlines of files of every format: rows of `outline_examples.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from format_outlines import outline, provides, references

EXAMPLES = tomllib.loads((Path(__file__).parent / "outline_examples.toml").read_text("utf-8"))["example"]
LISTS = ("names", "pins", "settings", "headings", "calls")


def plain(values: list[Any]) -> list[Any]:
    """Return pairs as lists, as TOML writes them."""
    return [list(value) if isinstance(value, tuple) else value for value in values]


@pytest.mark.parametrize("row", EXAMPLES, ids=[f"{number}-{row['title']}" for number, row in enumerate(EXAMPLES)])
def test_outline(row: dict[str, Any]):
    found = outline(row["format"], row["text"], row.get("path", "file"))
    features = found.features
    assert {feature: features.get(feature, 0) for feature in row.get("counts", {})} == row.get("counts", {})
    assert all(features.get(feature, 0) >= count for feature, count in row.get("at_least", {}).items())
    assert features.keys() >= set(row.get("some_features", []))
    assert features == row.get("features", features)
    assert found.parsed is row.get("parsed", found.parsed)
    assert list(found.span or []) == row.get("span", list(found.span or []))
    for name in LISTS:
        values = plain(getattr(found, name))
        assert values == row.get(name, values)
        assert all(value in values for value in row.get(f"some_{name}", []))
        assert not any(value in values for value in row.get(f"no_{name}", []))
    for how, expected in row.get("references", {}).items():
        assert plain(references(found, how)) == expected
    for how, expected in row.get("some_references", {}).items():
        assert all(tuple(pair) in references(found, how) for pair in expected)
    provided = sorted(plain(list(provides(found))))
    assert provided == row.get("provides", provided)
    assert all(pair in provided for pair in row.get("some_provides", []))
