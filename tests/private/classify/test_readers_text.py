"""Formats that are read by lines: documents, logs, keys."""

from __future__ import annotations

import pytest
from format_outlines import expect, outline, sample

from plantwin.private.classify.readers import outline_format
from plantwin.private.classify.readers.sentences import mishaps
from plantwin.private.formats.timestamps import when
from tables import cases


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


RECORDS = {
    "python": "2024-03-01 10:00:00,123 INFO shop.api started\n2024-03-01 10:00:01,999 ERROR shop.api boom\n",
    "iso": "2024-03-01T10:00:00Z INFO starting\n2024-03-01T10:00:01Z ERROR boom\n",
    "bracketed": "[2024-03-01 10:00:00] INFO starting\n[2024-03-01 10:00:01] ERROR: boom\n",
    "java": "2024-03-01 10:00:00.001  INFO 1 --- [main] c.e.App : Started App\n"
    "2024-03-01 10:00:01.001 ERROR 1 --- [main] c.e.App : boom\n",
    "logfmt": "time=2024-03-01T10:00:00Z level=info msg=starting\ntime=2024-03-01T10:00:01Z level=error msg=boom\n",
    "json": '{"timestamp": "2024-03-01T10:00:00Z", "level": "info", "message": "starting"}\n'
    '{"timestamp": "2024-03-01T10:00:01Z", "level": "error", "message": "boom"}\n',
    "nginx": "2024/03/01 10:00:00 [notice] 1#1: starting\n2024/03/01 10:00:01 [error] 1#1: boom\n",
    "apache": "[Fri Mar 01 10:00:00.1 2024] [core:notice] [pid 1] starting\n"
    "[Fri Mar 01 10:00:01.1 2024] [core:error] boom\n",
    "hadoop": "240301 100000 148 INFO dfs.DataNode: starting\n240301 100001 148 ERROR dfs.DataNode: boom\n",
    "spark": "24/03/01 10:00:00 INFO SparkContext: starting\n24/03/01 10:00:01 ERROR Executor: boom\n",
}


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


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n", ["private key"]),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", ["certificate"]),
        ("ssh-ed25519 AAAAC3Nza someone@example.com\n", ["public key"]),
    ],
)
def test_pem(text: str, names: list[str]):
    found = outline("pem", text)
    assert found.parsed
    assert found.names == names
    assert found.settings == []


def test_one_word_of_a_mishap_needs_somebody_who_tells_of_it():
    assert mishaps("08:00 drill for an outage") == 0
    assert mishaps("08:00 outage, the desk was called") == 1
    assert mishaps("08:00 outage, two errors") == 2
