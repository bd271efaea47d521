"""The shared tables: every feature they name exists, and names fall back as promised."""

from __future__ import annotations

import json
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from plantwin.private.classify.languages import CODE_FORMATS, meanings, outline_code
from plantwin.private.classify.languages.meanings import package, resource_feature
from plantwin.private.classify.rules import FEATURES
from plantwin.vocabulary import EdgeReason
from tables import cases


def defined_features() -> set[str]:
    """Features that definitions of languages name."""
    folder = Path(str(files("plantwin.private.classify.languages"))) / "definitions"
    tables = [tomllib.loads(file.read_text()) for file in folder.glob("*.toml")]
    named = {
        feature
        for table in tables
        for kind in ("marks", "counts", "once", "commands")
        for feature in table.get(kind, ())
    }
    spellings = json.loads((folder / "endings.json").read_bytes())["spellings"]
    return named | {feature for marks in spellings.values() for feature in marks}


def test_every_feature_exists() -> None:
    named = {known.feature for known in meanings.PACKAGES.values() if known.feature} | defined_features()
    for table in (meanings.CALLS, meanings.METHODS, meanings.DECORATORS, meanings.BASES, meanings.RESOURCES):
        named |= set(table.values())
    for grouped in (meanings.GROUPED_METHODS, meanings.GROUPED_MARKS):
        named |= {feature for features in grouped.values() for feature in features.values()}
    assert named <= set(FEATURES)


def test_every_group_has_an_import() -> None:
    groups = {known.group for known in meanings.PACKAGES.values()}
    for grouped in (meanings.GROUPED_METHODS, meanings.GROUPED_MARKS):
        assert {group for features in grouped.values() for group in features} <= groups


def test_reasons_are_words() -> None:
    assert set(meanings.OPENERS.values()) <= {str(reason) for reason in EdgeReason}


@pytest.mark.parametrize("format", sorted(CODE_FORMATS))
def test_every_format_has_a_reader(format: str) -> None:
    outline = outline_code(format, b"", "x")
    assert outline.format == format
    assert outline.parsed
    assert outline.lines == 0
    assert not outline.references
    assert not outline.names


@cases("how", "name", "feature")
def test_packages(how: str, name: str, feature: str) -> None:
    found = package(how, name)
    assert found is not None
    assert found.feature == feature


def test_a_common_word_counts_in_its_ecosystem_alone() -> None:
    assert package("python", "mail") is None
    assert package("python", "unheard.of.thing") is None


@cases("resource", "feature")
def test_resources(resource: str, feature: str) -> None:
    assert resource_feature(resource) == feature


OUTLINES = tomllib.loads((Path(__file__).parent / "outlines.toml").read_text(encoding="utf-8"))["outline"]


@pytest.mark.parametrize("row", OUTLINES, ids=lambda row: f"{row['format']}: {row['title']}")
def test_outlines(row: dict[str, Any]) -> None:
    outline = outline_code(row["format"], row["text"].encode(), row["path"])
    assert outline.parsed == row.get("parsed", True)
    assert outline.lines == row.get("lines", outline.lines)
    for part in ("references", "provides"):
        found = [" ".join(entry) for entry in getattr(outline, part)]
        assert found == row.get(part, found), part
    for part in ("names", "calls"):
        assert list(getattr(outline, part)) == row.get(part, list(getattr(outline, part))), part
    assert [list(pair) for pair in outline.settings] == row.get("settings", [list(pair) for pair in outline.settings])
    expected = row.get("features", {})
    assert {feature: outline.features.get(feature, 0) for feature in expected} == expected


@cases("format", "path", "source", "read", "made")
def test_models(format, path, source, read: list[str], made: list[str]) -> None:
    outline = outline_code(format, source.encode(), path)
    assert [each.target for each in outline.references if each.how == "table"] == read
    assert [each.name for each in outline.provides if each.how == "table"] == made
