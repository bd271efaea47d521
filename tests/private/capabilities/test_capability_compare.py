"""Comparing: by what the two are; never an object with a result."""

from __future__ import annotations

import pytest
from capability_inputs import Run, earlier, given

from plantwin.private.capabilities.engine.job import Finding, Result
from tables import cases


def outcome(run: Run, name: str, first: str, second: str) -> tuple[object, object]:
    result = run("compare", given(name, first), given(f"other/{name}", second))
    assert result.outcome["status"] == "done"
    return result.outcome["count"], result.outcome["tags"]


def audit(*rows: tuple[str, str]) -> Result:
    findings = [Finding(name="a.py", line=1, severity=severity, tag=tag, message="m") for severity, tag in rows]
    return Result(outcome={"status": "done"}, title="Security audit", findings=findings)


def test_one_input_and_an_object_with_a_result_are_refused(run: Run) -> None:
    assert run("compare", given("a.py", "x = 1\n")).outcome["status"] == "failed"
    result = run("compare", given("a.py", "x = 1\n"), earlier("s1", "security_audit", audit()))
    assert result.outcome == {"status": "failed", "tags": []}


@pytest.mark.parametrize(
    ("first", "second", "tags"),
    [
        ([("high", "injection")], [("low", "injection")], ["first_worse", "shared_findings"]),
        ([("low", "injection")] * 9, [("high", "weak_crypto")], ["second_worse", "different"]),
        ([("high", "injection")], [("high", "injection")], ["identical", "shared_findings"]),
        ([("high", "injection")], [("high", "weak_crypto")], ["similar", "different"]),
        ([], [], ["identical"]),
        ([("critical", "injection")], [], ["first_worse", "different"]),
    ],
)
def test_results_are_weighed_by_severity(
    run: Run, first: list[tuple[str, str]], second: list[tuple[str, str]], tags: list[str]
) -> None:
    result = run(
        "compare", *(earlier(f"s{n}", "security_audit", audit(*rows)) for n, rows in enumerate((first, second), 1))
    )
    assert result.outcome["tags"] == tags


def test_a_side_may_be_several_files(run: Run) -> None:
    one, two = audit(("low", "injection")), audit(("high", "injection"))
    one.facts["examined"], two.facts["examined"] = ["a.py"], ["e.py", "d.py", "c.py", "b.py"]
    text = run("compare", earlier("s1", "security_audit", one), earlier("s2", "security_audit", two)).text
    several = "`b.py`, `c.py` and 2 more"
    assert text.startswith(f"{several} are worse: `a.py` has 1 low; {several} have 1 high.")


def test_summaries_are_compared_by_what_they_state(run: Run) -> None:
    one = run("summarize", given("a.csv", "id,name\n1,ada\n2,bo\n"))
    two = run("summarize", given("b.csv", "id,name\n1,ada\n"))
    result = run("compare", earlier("s1", "summarize", one), earlier("s2", "summarize", two))
    assert result.outcome["status"] == "done"
    assert "identical" not in result.outcome["tags"]  # type: ignore[operator]


def test_the_same_is_identical(run: Run) -> None:
    for name, text in (("a.py", "x = 1\n"), ("a.yaml", "a: 1\n"), ("a.md", "# a\n"), ("a.bin", "\x00")):
        assert outcome(run, name, text, text) == ("none", ["identical"])


PYTHON = (
    "import os\n\ndef kept():\n    return 1{}\n\ndef {}():\n    return 2\n\n"
    "class A:\n    def m(self):\n        return {}\n"
)
GO = "package a\n\nfunc Kept() int {{\n\treturn {}\n}}\n\nfunc {}() {{\n}}\n"
PARTS = [
    ("a.py", PYTHON.format("", "gone", 3), PYTHON.format("  # a comment", "new", 4), (["gone"], ["new"], ["A", "A.m"])),
    ("a.go", GO.format(1, "Gone"), GO.format(2, "New"), (["Gone"], ["New"], ["Kept"])),
    ("a.md", "# T\n\nx\n\n## A\n\none\n", "# T\n\nx\n\n## A\n\ntwo\n\n## B\n\nz\n", ([], ["B"], ["A"])),
]


@pytest.mark.parametrize(("name", "first", "second", "expected"), PARTS)
def test_code_and_documents_by_their_parts(run: Run, name: str, first: str, second: str, expected: object) -> None:
    facts = run("compare", given(name, first), given(f"b/{name}", second)).facts
    assert (facts["removed"], facts["added"], facts["changed"]) == expected


@cases("name", "first", "second")
def test_settings_by_keys(run: Run, name: str, first: str, second: str) -> None:
    result = run("compare", given(name, first), given(name, second))
    assert result.facts["values"] == ["s.b"]
    assert result.facts["only_second"] == ["s.c"]
    assert result.outcome == {"status": "done", "count": "few", "tags": ["different", "value_differs", "key_missing"]}
