"""SARIF 2.1.0: by the book, tracked from run to run, and harmless whatever files are called."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import jsonschema
import pytest
from report_runs import DONE, EVIL, SCRIPT, covered, finding, made, many, result

from plantwin.private.capabilities.engine.rules import load
from plantwin.private.report.model import Overview
from plantwin.private.report.sarif import located, sarif, unescaped
from plantwin.text import printable
from plantwin.types.outcome import Outcome
from plantwin.types.verdict import Allowed, Code, Denied, Failure
from plantwin.vocabulary import StepStatus
from tables import cases

RAN = Allowed(outcome=DONE)


def closed(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    """An object with these members and no others."""
    return {
        "type": "object", "properties": properties, "required": list(required), "additionalProperties": False,
    }  # fmt: skip


LEVEL = {"enum": ["none", "note", "warning", "error"]}
TEXT = closed(("text",), text={"type": "string", "minLength": 1})
ARTIFACT = closed(("uri",), uri={"type": "string", "format": "uri-reference"}, uriBaseId={"const": "%SRCROOT%"})
LOCATION = closed(
    ("physicalLocation",),
    physicalLocation=closed(
        ("artifactLocation",), artifactLocation=ARTIFACT,
        region=closed(("startLine",), startLine={"type": "integer", "minimum": 1}),
    ),
    logicalLocations={"type": "array", "items": closed(("name",), name={"type": "string"}, kind={"type": "string"})},
)  # fmt: skip
BAG = {"type": "object", "properties": {"tags": {"type": "array", "uniqueItems": True}}}
RULE = closed(
    ("id",), id={"type": "string", "minLength": 1}, shortDescription=TEXT, help=TEXT, helpUri={"format": "uri"},
    defaultConfiguration=closed(level=LEVEL), properties=BAG,
)  # fmt: skip
RESULT = closed(
    ("message",), ruleId={"type": "string"}, ruleIndex={"type": "integer", "minimum": 0},
    kind={"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]}, level=LEVEL, message=TEXT,
    locations={"type": "array", "items": LOCATION, "minItems": 1},
    partialFingerprints={"type": "object", "additionalProperties": {"type": "string"}}, properties=BAG,
)  # fmt: skip
NOTE = closed(("message",), message=TEXT, level=LEVEL, locations={"type": "array", "items": LOCATION})
LOG = closed(
    ("version", "runs"),
    **{"$schema": {"type": "string", "format": "uri"}},
    version={"const": "2.1.0"},
    runs={
        "type": "array",
        "items": closed(
            ("tool",),
            tool=closed(
                ("driver",),
                driver=closed(
                    ("name",), name={"type": "string"}, semanticVersion={"type": "string"},
                    rules={"type": "array", "items": RULE, "uniqueItems": True},
                ),
            ),
            originalUriBaseIds={"type": "object", "additionalProperties": closed(description=TEXT)},
            columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
            invocations={
                "type": "array",
                "items": closed(
                    ("executionSuccessful",), executionSuccessful={"type": "boolean"},
                    toolExecutionNotifications={"type": "array", "items": NOTE},
                ),
            },
            results={"type": "array", "items": RESULT},
        ),
    },
)  # fmt: skip
"""Of the specification's schema what is used here, closed: what it does not have may not be there."""


def log_of(*arguments: Any, **more: Any) -> dict[str, Any]:
    """The SARIF log of a made-up run, checked."""
    run = made(*arguments, **more)
    log: dict[str, Any] = json.loads(sarif(run, Overview.of(run)))
    jsonschema.Draft202012Validator(LOG, format_checker=jsonschema.FormatChecker()).validate(log)
    return log


def test_five_thousand_findings_with_hostile_names_are_valid() -> None:
    log = log_of([RAN], {"s1": result(*many(5000))})
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len(run["results"]) == 5000 and len(rules) == 40
    for each in run["results"]:
        assert rules[each["ruleIndex"]]["id"] == each["ruleId"]
        place = each["locations"][0]["physicalLocation"]
        assert re.fullmatch(r"[A-Za-z0-9._~%/-]+", place["artifactLocation"]["uri"])
        assert "](" not in each["message"]["text"] and "{{}}" in each["message"]["text"]
    prints = [each["partialFingerprints"]["primaryLocationLineHash"] for each in run["results"]]
    assert len(set(prints)) == 5000


def test_a_rule_is_told_by_its_row() -> None:
    row = next(rule for rule in load("kubernetes").rule if rule.id == "K8S-PRIVILEGED")
    found = finding(row.severity.value, rule=row.id, tag=row.tag.value, message="m", reference=row.reference)
    log = log_of([RAN], {"s1": result(found)}, ("audit_infrastructure",))
    (rule,) = log["runs"][0]["tool"]["driver"]["rules"]
    assert rule["id"] == "K8S-PRIVILEGED"
    assert "security" in rule["properties"]["tags"] and float(rule["properties"]["security-severity"]) >= 7
    assert row.reference in rule["help"]["text"]
    assert rule["properties"]["precision"] == row.confidence


@cases("severity", "level", "kind")
def test_levels(severity: str, level: str, kind: str) -> None:
    (found,) = log_of([RAN], {"s1": result(finding(severity))})["runs"][0]["results"]
    assert (found["level"], found["kind"]) == (level, kind)


def test_a_finding_without_rule_has_an_id_that_stays() -> None:
    (found,) = log_of([RAN], {"s1": result(finding(line=0))}, ("secret_scan",))["runs"][0]["results"]
    assert found["ruleId"] == "secret_scan/injection"
    assert "region" not in found["locations"][0]["physicalLocation"]


def test_fingerprints_stay_when_lines_move() -> None:
    def prints(*lines: int) -> list[str]:
        found = [finding(rule="A", line=line, name="a.tf") for line in lines]
        results = log_of([RAN], {"s1": result(*found)})["runs"][0]["results"]
        return [each["partialFingerprints"]["primaryLocationLineHash"] for each in results]

    assert prints(3, 9) == prints(5, 40)
    assert len(set(prints(3, 9))) == 2


def test_what_was_not_done_or_examined_is_told() -> None:
    coverage = covered(5, 3, {"unreadable": ["a b.tf", EVIL]})
    failed = Allowed(outcome=Outcome(status=StepStatus.FAILED), failure=Failure.TIMEOUT)
    log = log_of([RAN, failed, Denied(code=Code.OVER_BUDGET), None], {"s1": result(coverage=coverage)})
    (invocation,) = log["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    notes = invocation["toolExecutionNotifications"]
    assert [each["level"] for each in notes] == ["error", "warning", "warning", "warning"]
    assert "did not examine 2: unreadable" in notes[-1]["message"]["text"]
    assert notes[-1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b.tf"
    assert log_of([RAN], {"s1": result()})["runs"][0]["invocations"][0]["executionSuccessful"] is True


@pytest.mark.parametrize(
    "name", [EVIL, SCRIPT, "a\\b", "caf\udce9.txt", "tab\there", "ünï/日本.py", "\U000e0001x", "c:d"]
)
def test_a_uri_leads_to_the_very_file(name: str) -> None:
    assert unescaped(printable(name)) == name
    uri, part = located(printable(name), None) if "#" not in name else (located(printable(name) + "#p", None)[0], "")
    assert unquote_to_bytes(uri) == name.encode("utf-8", "surrogateescape") and not part


def test_a_part_of_a_file_is_told_beside_its_uri(tmp_path: Path) -> None:
    (tmp_path / "odd#name.py").touch()
    assert located("odd#name.py", tmp_path) == ("odd%23name.py", "")
    assert located("data.db#users", tmp_path) == ("data.db", "users")
    found = finding(name="data.db#users", line=0)
    (told,) = log_of([RAN], {"s1": result(found)}, root=tmp_path)["runs"][0]["results"]
    assert told["locations"][0]["logicalLocations"] == [{"name": "users", "kind": "member"}]


def test_the_folder_itself_is_not_told() -> None:
    assert "/srv/shop" not in json.dumps(log_of([RAN], {"s1": result(finding())}))
