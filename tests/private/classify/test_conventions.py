"""Files whose place says what they are for."""

from __future__ import annotations

from pathlib import Path

import pytest

from plantwin.private.classify.rules import convention_of, conventions
from plantwin.private.environment import Environment
from tables import cases


@pytest.mark.parametrize(("row", "path"), [(row, path) for row in conventions() for path in row.examples])
def test_every_example_follows_its_own_convention(row, path):
    assert convention_of(path, next(iter(row.formats), "text")) == row


@pytest.mark.parametrize(
    ("path", "format_"),
    [("src/readme_parser.py", "python"), ("src/license.go", "go"), ("app/values.py", "python"),
     ("migrations/x.sql", "log"),
     ("compose/letter.md", "markdown"), ("docs/history.py", "python"), ("src/security.ts", "typescript")],
)  # fmt: skip
def test_what_only_sounds_like_a_convention_follows_none(path, format_):
    assert convention_of(path, format_) is None


@cases("path", "text", "kind", "semantic_class")
def test_a_convention_decides_class_and_kind(tmp_path: Path, path, text, kind, semantic_class):
    file = tmp_path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    (record,) = Environment(tmp_path, keep=False, ignore=False).scan(jobs=1).records()
    assert (str(record.kind), str(record.semantic_class)) == (kind, semantic_class)
