"""Formats that are read by lines: documents, logs, keys."""

from __future__ import annotations

import pytest
from format_outlines import expect, outline, sample

from plantwin.private.classify.readers import outline_format
from plantwin.private.classify.readers.sentences import mishaps
from plantwin.private.formats.timestamps import when


def test_markup_inside_code_is_not_structure():
    found = outline(
        "markdown", "```\n# not a heading\n- not an item\n[x](secret.md)\nThe system shall not count.\n```\n"
    )
    assert found.features == {"code_block": 1}
    assert found.references == []


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        (
            "MIT License\n\nPermission is hereby granted, free of\ncharge, ... "
            'THE SOFTWARE IS PROVIDED "AS\nIS", WITHOUT',
            2,
        ),
        ("Apache License\nVersion 2.0, January 2004\nTERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION", 2),
        ("Redistribution and use in source and binary forms, with or without", 1),
        ("This project has a license and grants permission.", 0),
    ],
)
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


@pytest.mark.parametrize(
    ("text", "feature", "count"),
    [
        ("[    0.000000] Linux version 6.1.0\n[    1.250000] usb 1-1: new device\n", "log_system", 2),
        ("I0301 10:00:00.000001 1 main.go:1] ok\nE0301 10:00:01.000001 1 main.go:2] bad\n", "log_error", 1),
        ("1709287200.123456\tCx1\t192.0.2.1\t5\t198.51.100.2\t443\ttcp\n", "log_network", 1),
        ("2 123456789012 eni-1 192.0.2.1 198.51.100.2 443 5 6 1 1 1 1 ACCEPT OK\n", "log_network", 1),
        ("10:00:00.000001 IP 192.0.2.1.5 > 198.51.100.2.443: Flags [S], seq 1\n", "log_network", 1),
        ("===== test session starts =====\ncollected 3 items\n3 passed in 0.12s\n", "log_build", 3),
        ("Step 1/3 : FROM python\nStep 2/3 : RUN x\nSuccessfully built 1\n", "log_build", 3),
        ("Epoch 1/10 loss: 0.52 acc: 0.8\nEpoch 2/10 loss: 0.40 acc: 0.9\n", "log_build", 2),
        ("[INFO] --- compile ---\n[INFO] BUILD SUCCESS\n", "log_build", 2),
        ("2024-03-01 10:00:00 WARN slow query took 2500 ms\n", "log_latency", 1),
        ("2024-03-01 10:00:00 WARN slow query took 2500 ms\n", "log_warning", 1),
    ],
)
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
