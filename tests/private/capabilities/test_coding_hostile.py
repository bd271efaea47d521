"""Hostile content for the capabilities about code: bounded time, no crash, outcomes inside the vocabulary."""

from __future__ import annotations

import time

import pytest
from capability_inputs import Run, given
from test_capability_hostile import BOMBS, SECONDS

from plantwin.boundary.outcome import sanitize
from plantwin.private.capabilities import catalog

CAPABILITIES = ("lint", "measure_complexity", "audit_dependencies")
MORE = {
    "operators": ("a.kt", lambda: "a < b > c ? d : \n" * 20_000),
    "scala_lines": ("a.scala", lambda: "let a = b + 'xx' + c;\n" * 30_000),
    "one_line": ("a.js", lambda: "a+=1;" * 400_000),
    "else_if": ("a.js", lambda: "if (a) {} " + "else if (a) {} " * 5000),
    "elif": ("a.py", lambda: "if a:\n    pass\n" + "elif a:\n    pass\n" * 5000),
    "logic": ("a.js", lambda: "x = " + "a && " * 5000 + "b;\n"),
    "same_lines": ("a.py", lambda: "value = compute(one, two, three, four, five, six)\n" * 20_000),
    "cases": ("a.js", lambda: "switch (a) {" + "case 1: b();\n" * 10_000 + "}"),
    "keys": ("a.json", lambda: "{" + ",".join('"a": 1' for _ in range(50_000)) + "}"),
    "requirements": ("requirements.txt", lambda: "a" * 100_000 + "\n" + "-r x \\\n" * 50_000),
    "pom": ("pom.xml", lambda: "<dependency>" * 30_000),
    "lock": ("yarn.lock", lambda: "a@1:\n  version " * 40_000),
    "workflow": (".github/workflows/a.yml", lambda: "  - uses: a@b\n" * 60_000),
    "entities": ("pom.xml", lambda: '<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><a>&b;</a>'),
}
ALL = {**BOMBS, **MORE}
PATHS = ("a.py", "a.js", "a.go", "a.sh", "a.css", "a.yaml", "a.json", "a.xml")
PATHS += ("a", "package.json", "Dockerfile", "a.ipynb")


@pytest.mark.parametrize("name", ALL)
def test_bombs_end_in_time(run: Run, name: str) -> None:
    path, make = ALL[name]
    bomb = given(path, make())
    for capability in CAPABILITIES:
        started = time.process_time()
        outcome = run(capability, bomb).outcome
        assert outcome["status"] in ("done", "partial", "failed")
        assert sanitize(outcome, catalog()[capability]).dropped == ()
        assert time.process_time() - started < SECONDS, capability


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "data", [b"", b"\0" * 5000, bytes(range(256)) * 40, b"\xff\xfe" + b"a\0" * 50, b"\xc3\x28" * 99]
)
def test_junk_is_no_reason_to_crash(run: Run, path: str, data: bytes) -> None:
    for capability in CAPABILITIES:
        assert run(capability, given(path, data)).outcome["status"] in ("done", "partial", "failed")


@pytest.mark.parametrize("capability", ["lint", "measure_complexity"])
def test_what_is_too_long_is_said_to_be_cut(run: Run, capability: str) -> None:
    outcome = run(capability, given("a.py", "x = 1\n" * 500_000)).outcome
    assert outcome["status"] in ("partial", "failed")
    assert {"truncated", "unparsable"} & set(outcome["tags"])  # type: ignore[arg-type]


def test_content_cannot_act_as_markdown(run: Run) -> None:
    result = run("lint", given("a.js", "import { evil } from '[x](http://evil.example)<b>';\n"))
    assert "[x](http" not in result.text.replace("`import { evil } from '[x](http://evil.example)<b>';`", "")


@pytest.mark.parametrize("error", [KeyError, ImportError, RuntimeError, RecursionError])
def test_a_tool_that_fails_is_told_to_the_person_and_makes_the_outcome_partial(
    error: type[Exception], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from plantwin.private.capabilities.security_audit.python import bandit

    def broken(data: bytes) -> list[object]:
        raise error("content of the file")

    monkeypatch.setattr(bandit, "run", broken)
    code = "import subprocess\n\n\ndef f(name):\n    subprocess.run('ls ' + name, shell=True)\n"
    result = run("security_audit", given("a.py", code))
    assert result.outcome["status"] == "partial"
    assert {each.tag for each in result.findings} == {"unsafe_execution"}, "our own rules still hold"
    assert result.facts["tools_failed"] == {"bandit": ["a.py"]}
    assert "bandit failed on a.py" in result.text
    assert "content of the file" not in str(result.facts) + result.text
    assert sanitize(result.outcome, catalog()["security_audit"]).dropped == ()


def test_what_bandit_says_names_its_rule(run: Run) -> None:
    result = run("security_audit", given("a.py", "import yaml\n\n\ndef f(x):\n    return yaml.load(x)\n"))
    assert result.facts["tools_failed"] == {}
    assert "B506" in {finding.rule for finding in result.findings}
