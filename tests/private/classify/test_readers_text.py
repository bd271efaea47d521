"""Formats that are read by lines: documents, logs, keys."""

from __future__ import annotations

import pytest
from format_outlines import expect, outline, sample

from plantwin.private.classify.readers import outline_format
from plantwin.private.classify.readers.sentences import mishaps
from plantwin.private.formats.timestamps import when
from tables import cases, value_of


def test_markup_inside_code_is_not_structure():
    found = outline(
        "markdown", "```\n# not a heading\n- not an item\n[x](secret.md)\nThe system shall not count.\n```\n"
    )
    assert found.features == {"code_block": 1}
    assert found.references == []


@cases("text", "phrases")
def test_licences_by_their_text(text: str, phrases: int):
    for format in ("license", "text", "markdown"):
        assert outline(format, text).features.get("license_text", 0) == phrases


def test_prose_never_reaches_names():
    for format in ("markdown", "rst", "text", "asciidoc"):
        assert outline(format, "This is the payment module. It charges cards and verifies passwords.\n").names == []


RECORDS = value_of(__file__, "records")


@pytest.mark.parametrize("form", sorted(RECORDS))
def test_application_logs(form: str):
    found = outline("log", RECORDS[form])
    expect(found, log_line=2, log_error=1, log_restart=1, log_access=0)
    assert found.span == (1709287200, 1709287201)
    assert found.parsed


@cases("text", "feature", "count")
def test_other_records(text: str, feature: str, count: int):
    found = outline("log", text)
    assert found.features[feature] == count
    assert found.features["log_line"] == len(text.splitlines())


def test_windows_count_and_extend_the_span():
    line = b"2024-03-%02d 10:00:00 ERROR x\n"
    given = sample(line % 1 * 100, windows=(line % 5 * 10, line % 9 * 10))
    found = outline_format("log", given)
    assert found.features["log_line"] == 120
    assert found.features["log_error"] == 120
    assert found.span == (1709287200, 1709978400)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2024-02-29T23:59:59+02:00", 1709243999),
        ("2024-13-01 10:00:00", None),
        ("99:99:99", None),
        ("no time", None),
        ("1709287200", 1709287200),
        ("1709287200123 x", 1709287200),
        ("03/01/2024 10:00:00", 1709287200),
        ("31/12/2023 10:00:00", 1704016800),
    ],
)
def test_times(text: str, seconds: int | None):
    assert when(text) == seconds


@cases("text", "names")
def test_pem(text: str, names: list[str]):
    found = outline("pem", text)
    assert found.parsed
    assert found.names == names
    assert found.settings == []


def test_one_word_of_a_mishap_needs_somebody_who_tells_of_it():
    assert mishaps("08:00 drill for an outage") == 0
    assert mishaps("08:00 outage, the desk was called") == 1
    assert mishaps("08:00 outage, two errors") == 2
