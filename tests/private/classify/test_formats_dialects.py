"""Contracts, pipelines, infrastructure, security and package files inside JSON, YAML and TOML."""

from __future__ import annotations

import json

import pytest
from format_outlines import counts, outline, sample

from plantwin.private.classify.readers import Draft
from plantwin.private.classify.readers.dialects import dialects
from plantwin.private.classify.readers.trees import recognise


@pytest.mark.parametrize(
    ("format", "text"),
    [
        (
            "yaml",
            "title: X\nlogsource: {product: linux}\ndetection: {selection: {a: b}, condition: "
            "selection}\nlevel: high\n",
        ),
        (
            "yaml",
            "rules:\n  - id: no-eval\n    pattern: eval(...)\n    message: no\n    severity: ERROR\n    "
            "languages: [python]\n",
        ),
        ("yaml", "- rule: shell\n  condition: spawned_process\n  output: x\n  priority: WARNING\n"),
        ("security_rules", 'rule Evil\n{\n  strings:\n    $a = "x"\n  condition:\n    $a\n}\n'),
        ("security_rules", 'alert tcp any any -> any 22 (msg:"ssh"; sid:1000001; rev:1;)\n'),
        ("security_rules", "package kubernetes.admission\n\ndeny[msg] {\n  input.request\n}\n"),
    ],
    ids=["sigma", "semgrep", "falco", "yara", "snort", "rego"],
)
def test_security_rules(format: str, text: str):
    found = outline(format, text)
    assert found.parsed
    assert found.features["security_rule"] == 1


@pytest.mark.parametrize(
    "report",
    [
        {"$schema": "x", "version": "2.1.0", "runs": [{"tool": {}, "results": [{"ruleId": "R1"}, {"ruleId": "R2"}]}]},
        {"SchemaVersion": 2, "Results": [{"Vulnerabilities": [{"PkgName": "a"}, {"PkgName": "b"}]}]},
        {"vulnerabilities": {"a": {"name": "a", "severity": "high", "via": []}, "b": {"name": "b", "via": []}}},
        {"site": [{"alerts": [{"name": "XSS"}, {"name": "CSRF"}]}]},
        {"results": [{"filename": "a.py", "line_number": n, "issue_severity": "LOW", "test_id": "B1"} for n in (1, 2)]},
        [{"check_id": "C1", "severity": "HIGH", "file": "a.tf"}, {"check_id": "C2", "severity": "LOW", "file": "b.tf"}],
    ],
    ids=["sarif", "trivy", "npm", "zap", "bandit", "list"],
)
def test_findings(report: object):
    assert outline("json", json.dumps(report)).features["finding_record"] == 2


def test_lock_files():
    npm = outline(
        "json", '{"lockfileVersion": 3, "packages": {"": {}, "node_modules/a": {"version": "1.2.3", "integrity": "x"}}}'
    )
    assert npm.features["locked"] == 1
    assert npm.pins == [("a", "1.2.3")]
    cargo = '[[package]]\nname = "serde"\nversion = "1.0.1"\n\n[[package]]\nname = "rand"\nversion = "0.8.5"\n\n'
    for format in ("toml", "lock"):
        assert outline(format, "version = 3\n\n" + cargo).pins == [("serde", "1.0.1"), ("rand", "0.8.5")]
    yarn = outline(
        "lock", '# yarn lockfile v1\n\n"@a/b@^1.0.0", "@a/b@^1.1.0":\n  version "1.2.0"\n\nc@2:\n  version "2.0.0"\n'
    )
    assert yarn.pins == [("@a/b", "1.2.0"), ("c", "2.0.0")]
    go = outline("lock", "golang.org/x/net v0.17.0 h1:abc=\ngolang.org/x/net v0.17.0/go.mod h1:def=\n")
    assert go.pins == [("golang.org/x/net", "v0.17.0")]
    gem = outline(
        "lock", "GEM\n  remote: https://rubygems.org/\n  specs:\n    rails (7.0.4)\n      activesupport (= 7.0.4)\n"
    )
    assert gem.pins == [("rails", "7.0.4")]


def test_cloud_trail():
    event = {
        "eventTime": "2024-03-01T10:00:00Z",
        "eventName": "ConsoleLogin",
        "userIdentity": {"type": "IAMUser"},
        "errorCode": "AccessDenied",
    }
    found = outline("json", json.dumps({"Records": [event, {**event, "eventTime": "2024-03-01T11:00:00Z"}]}))
    assert counts(found, "log_line", "log_auth", "log_auth_failure") == {
        "log_line": 2,
        "log_auth": 2,
        "log_auth_failure": 2,
    }
    assert found.span == (1709287200, 1709290800)


JUNK = (
    None,
    True,
    0,
    1.5,
    "",
    "x",
    "${X}",
    [],
    {},
    [None],
    [[]],
    [{}],
    ["x", 1],
    {"a": None},
    {"name": {}},
    {"type": {}},
)


def test_keys_of_every_dialect_with_values_of_every_type():
    for keys, _ in dialects():
        for value in JUNK:
            nested = {"name": value, "type": value, "fields": [{"name": value, "type": {"type": value}}]}
            for other in (value, {"x": value}, [value], [nested], nested):
                given = sample("{}")
                recognise(Draft("json", given), [dict.fromkeys(keys, other), other])
