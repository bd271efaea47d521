"""Logs of many formats, and what stands out in them."""

# ruff: noqa: E501 (logs have long lines)

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from capability_inputs import CLEAN, Run, given, shop

from plantwin.private.capabilities.engine.job import Input
from plantwin.private.capabilities.logs.log import Log, read
from plantwin.private.formats.logs import entries

AT = 1709287200
"""2024-03-01 10:00:00 UTC."""
LINES = {
    "iso": ("2024-03-01T10:00:00Z ERROR shop.db could not connect: refused", "error", "shop.db", AT),
    "python": ("2024-03-01 10:00:00,000 - shop.db - ERROR - could not connect", "error", "shop.db", AT),
    "java": ("2024-03-01 10:00:00.000  WARN 1 --- [main] com.acorn.Pool : slow", "warning", "com.acorn.Pool", AT),
    "go": ("2024/03/01 10:00:00 listening on :8080", "", "", AT),
    "zone": ("2024-03-01T12:00:00+02:00 web1 sshd[11]: Accepted publickey for ann", "", "sshd", AT),
    "nginx_error": ("2024/03/01 10:00:00 [crit] 7#7: *1 open() failed", "critical", "", AT),
    "apache_error": ("[Fri Mar 01 10:00:00.000000 2024] [core:error] [pid 7] File does not exist", "error", "", AT),
    "rails": ("E, [2024-03-01T10:00:00.000000 #7] ERROR -- : it failed", "error", "", AT),
    "logfmt": ('ts=2024-03-01T10:00:00Z level=warn caller=main.go:7 msg="it is late" component=api', "warning", "api", AT),
    "pino": ('{"level":50,"time":1709287200000,"name":"api","msg":"it failed"}', "error", "api", AT),
    "json": ('{"@timestamp":"2024-03-01T10:00:00Z","log.level":"INFO","message":"hello","service":"api"}', "info", "api", AT),
    "journal_json": ('{"__REALTIME_TIMESTAMP":"1709287200000000","PRIORITY":"3","MESSAGE":"it failed","SYSLOG_IDENTIFIER":"api"}', "error", "api", AT),
    "mongod": ('{"t":{"$date":"2024-03-01T10:00:00.000+00:00"},"s":"W","c":"REPL","msg":"member is down"}', "warning", "REPL", AT),
    "docker": ('{"log":"2024-03-01 10:00:00 ERROR shop.db it failed\\n","stream":"stderr","time":"2024-03-01T10:00:00.1Z"}', "error", "shop.db", AT),
    "container": ("2024-03-01T10:00:00.000000000Z stderr F panic: it failed", "error", "\0", AT),
    "postgres": ("2024-03-01 10:00:00.000 UTC [7] shop@shop FATAL:  too many connections", "critical", "", AT),
    "php": ("[01-Mar-2024 10:00:00 UTC] PHP Warning:  Undefined variable $a", "warning", "", AT),
    "klog": ("E0301 10:00:00.000000       1 reflector.go:138] failed to list", "error", "reflector.go", None),
    "syslog": ("Mar  1 10:00:00 web1 kernel: Out of memory: Killed process 7 (java)", "error", "kernel", None),
}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_a_line_of_each_format(name: str) -> None:
    line, level, logger, moment = LINES[name]
    (entry,) = entries(line + "\n")
    assert (entry.level, entry.logger) == (level, logger)
    assert entry.timed
    if moment is not None:
        assert int(entry.time) == moment


REQUESTS = [
    (
        '192.0.2.4 - ann [01/Mar/2024:10:00:00 +0000] "GET /a/7?b=1 HTTP/1.1" 502 166 "-" "curl/8" 1.250',
        ("192.0.2.4", "GET", "/a/7?b=1", 502, 1250.0, "error", AT),
    ),
    (
        '2024-03-01T10:00:00Z lb haproxy[2]: 192.0.2.9:33 [01/Mar/2024:10:00:00.1] fe be/web 0/0/1/-1/30002 504 194 - - sH-- 1/1/1/1/0 0/0 "POST /buy HTTP/1.1"',
        ("192.0.2.9", "POST", "/buy", 504, 30002.0, "error", AT),
    ),
    (
        '{"time":"2024-03-01T10:00:00Z","method":"GET","path":"/a","status":200,"duration_ms":12,"ip":"192.0.2.1"}',
        ("192.0.2.1", "GET", "/a", 200, 12.0, "info", AT),
    ),
]


@pytest.mark.parametrize(("line", "expected"), REQUESTS)
def test_requests_have_status_latency_and_address(line: str, expected: tuple[object, ...]) -> None:
    (entry,) = entries(line + "\n")
    found = (entry.address, entry.method, entry.path, entry.status, entry.latency, entry.level, int(entry.time))
    assert found == expected


def test_exports_of_the_journal_and_documents_of_records() -> None:
    text = "".join(
        f"__CURSOR=a{n}\n__REALTIME_TIMESTAMP={(AT + n) * 1000000}\nPRIORITY=4\nMESSAGE=number {n}\n_SYSTEMD_UNIT=a.service\n\n"
        for n in range(3)
    )
    assert [(int(each.time) - AT, each.level, each.text, each.logger, each.line) for each in entries(text)] == [
        (number, "warning", f"number {number}", "a.service", 1 + 6 * number) for number in range(3)
    ]
    record = {"eventTime": "2024-03-01T10:00:00Z", "eventName": "DeleteBucket", "sourceIPAddress": "192.0.2.1"}
    (entry,) = entries(json.dumps({"Records": [record]}, indent=1))
    assert (entry.text, entry.address, int(entry.time)) == ("DeleteBucket", "192.0.2.1", AT)


def test_lines_of_a_trace_belong_to_the_entry_above() -> None:
    first, second = entries("2024-03-01 10:00:00 ERROR a\nmore\n  and more\n2024-03-01 10:00:01 INFO b\n")
    assert (first.more, second.more) == (["more", "  and more"], [])
    device = "03-12 06:12:4{}.001  4411  4411 {}\n"
    first, second = entries(
        device.format(5, "E AndroidRuntime: FATAL EXCEPTION: main")
        + device.format(5, "E AndroidRuntime: java.lang.IllegalStateException: no basket")
        + device.format(5, "E AndroidRuntime: \tat com.acorn.Basket.show(Basket.kt:73)")
        + device.format(6, "I Process : bye")
    )
    assert (first.level, first.logger, len(first.more)) == ("error", "AndroidRuntime", 2)
    assert (second.level, second.text) == ("info", "bye")


def _minutes(count: int, *lines: str, start: datetime | None = None, every: float = 10) -> str:
    start = start or datetime(2024, 3, 1, 10, tzinfo=UTC)
    return "".join(
        f"{(start + timedelta(seconds=every * n)).strftime('%Y-%m-%dT%H:%M:%SZ')} {lines[n % len(lines)].format(n=n)}\n"
        for n in range(count)
    )


CALM = _minutes(600, "INFO shop.http served {n}", "INFO shop.cache hit {n}")


def test_a_burst_of_errors_is_found_and_placed(run: Run) -> None:
    lines = _minutes(600, "INFO shop.http served {n}", "INFO shop.cache hit {n}", "INFO shop.jobs ran {n}")
    ten_to = datetime(2024, 3, 1, 10, 50, tzinfo=UTC)
    noise = _minutes(80, "ERROR shop.pay no answer from gateway {n}", start=ten_to, every=2)
    split = lines.splitlines(keepends=True)
    text = "".join([*split[:300], noise, *split[300:]])
    result = run("analyze_logs", given("a.log", text))
    (burst,) = [each for each in result.findings if each.tag == "burst"]
    assert (burst.severity, burst.line, burst.rule) == ("high", 301, "LOG-BURST")
    assert "at 2024-03-01 10:5" in burst.message
    assert "<*>" in burst.evidence
    assert [each.tag for each in result.findings if each.tag == "new_pattern"] == ["new_pattern"]
    assert result.outcome["severity"] == "high"
    assert "█" in result.text


def test_calm_logs_and_batches_have_no_findings(run: Run) -> None:
    result = run("analyze_logs", given("a.log", CALM))
    assert result.findings == []
    assert result.outcome == CLEAN
    nights = [datetime(2024, 3, day, 2, tzinfo=UTC) for day in (1, 2, 21, 22)]
    text = "".join(_minutes(50, "INFO backup copied file {n}", start=night, every=1) for night in nights)
    assert run("analyze_logs", given("a.log", text)).findings == []


def test_the_shop(run: Run) -> None:
    result = run("analyze_logs", *(shop(f"logs/{name}.log") for name in ("application", "access", "deploy")))
    told = {(each.name, each.line, each.tag) for each in result.findings}
    assert {
        ("logs/access.log", 5, "attack_signs"),
        ("logs/access.log", 6, "slow"),
        ("logs/application.log", 7, "timeout"),
        ("logs/application.log", 20, "resource_exhaustion"),
        ("logs/application.log", 9, "restarts"),
        ("logs/access.log", 2, "auth_failures"),
    } <= told
    assert not [each for each in result.findings if each.name == "logs/deploy.log"]
    assert "4111111111111111" not in json.dumps(result.facts) + result.text
    (trace,) = result.facts["traces"]  # type: ignore[misc]
    assert trace["line"] == 10
    sources = result.facts["sources"]
    assert isinstance(sources, dict)
    assert sources["logs/access.log"]["status"] == {"2xx": 4, "4xx": 2, "5xx": 3}
    assert sources["logs/application.log"]["error_ratio"] == 0.4286


def test_of_a_long_log_the_end_is_examined(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_text("".join(f"2024-03-01 10:00:00 INFO line {n}\n" for n in range(5000)))
    for source in (Input(name="a.log", file=str(path)), given("a.log", path.read_bytes())):
        log = read(source, 10_000)
        assert log.truncated
        assert log.entries[-1].line == 5000
        assert log.entries[-1].text.endswith("line 4999")
        assert log.entries[0].text.endswith(f"line {log.entries[0].line - 1}")


def test_nothing_private_shows_in_a_representation() -> None:
    log = Log("a.log", "2024-03-01 10:00:00 INFO secretword\n")
    assert "secretword" not in repr(log) + repr(log.entries) + repr(log.matched) + repr(log.templates)


def test_the_lines_of_one_crash_count_once(run: Run) -> None:
    crash = (
        "Mar  1 10:00:0{n} web1 kernel: java invoked oom-killer: order=0\n"
        "Mar  1 10:00:0{n} web1 kernel: Out of memory: Killed process 7 (java)\n"
        "Mar  1 10:00:0{n} web1 systemd[1]: shop.service: Main process exited, code=killed\n"
    )
    result = run("analyze_logs", given("sys.log", crash.format(n=1)))
    assert [each.message for each in result.findings if each.tag == "restarts"] == [
        "Crashed or was killed 1 time, first 03-01 10:00:01"
    ]
    often = "".join(crash.format(n=1).replace("10:00", f"10:0{minute}") for minute in range(4))
    again = run("analyze_logs", given("sys.log", often))
    assert len([each for each in again.findings if each.tag == "restarts" and each.severity in ("high", "medium")]) == 2


def test_a_log_that_a_document_quotes_is_not_grave(run: Run) -> None:
    fatal = "".join(f"2024-03-01 10:00:0{second} FATAL the database is gone\n" for second in range(9))
    severities = [run("analyze_logs", given(name, fatal)).outcome["severity"] for name in ("app.log", "docs/crash.md")]
    assert severities == ["high", "medium"]
