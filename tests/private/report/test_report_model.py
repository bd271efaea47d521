"""Findings of all steps together: each once, worst first, and nothing called clean that was not examined."""

from __future__ import annotations

from typing import Any

import pytest
from report_runs import DONE, ONE, covered, finding, made, many, result

from plantwin.private.report.model import Overview
from plantwin.private.report.wording import unit, words
from plantwin.types.outcome import Outcome
from plantwin.types.verdict import Allowed, Code, Denied, Failure
from plantwin.vocabulary import Severity, StepStatus
from tables import cases

RAN = Allowed(outcome=DONE)
FAILED = Allowed(outcome=Outcome(status=StepStatus.FAILED), failure=Failure.TIMEOUT)
SAID_SO = Allowed(outcome=Outcome(status=StepStatus.FAILED))
PARTLY = Allowed(outcome=Outcome(status=StepStatus.PARTIAL, severity=Severity.NONE))
TOLD = Allowed(outcome=Outcome(status=StepStatus.DONE))
REFUSED = Denied(code=Code.POLICY_DENIES)
TWO_STEPS = ("security_audit", "secret_scan")


@cases("first", "second", "by")
def test_what_two_capabilities_find_is_one_finding(
    first: dict[str, Any], second: dict[str, Any], by: list[tuple[str, ...]]
) -> None:
    results = {"s1": result(finding(**first)), "s2": result(finding(**second))}
    found = Overview.of(made([RAN, RAN], results, TWO_STEPS)).findings
    assert sorted(each.by for each in found) == sorted(by)


def test_one_capability_may_find_a_rule_twice_at_a_line_and_the_same_only_once() -> None:
    twice = result(finding(rule="A"), finding(rule="A", message="another container"))
    again = result(finding(rule="A"))
    found = Overview.of(made([RAN, RAN], {"s1": twice, "s2": again})).findings
    assert [each.by for each in found] == [("security_audit",), ("security_audit",)]


def test_a_joined_finding_is_as_bad_as_the_worse_and_a_report_is_no_second_opinion() -> None:
    results = {"s1": result(finding("low", message="m")), "s2": result(finding("high", message="m")),
               "s3": result(finding("high", message="m"))}  # fmt: skip
    capabilities = ("report", "secret_scan", "security_audit")
    (one,) = Overview.of(made([RAN, RAN, RAN], results, capabilities)).findings
    assert one.finding.severity == "high" and one.by == ("secret_scan", "security_audit")


def test_worst_first_by_rule_and_by_file() -> None:
    overview = Overview.of(made([RAN], {"s1": result(*many(400, files=20, rules=8))}))
    assert [each.finding.severity for each in overview.findings[:3]] == ["critical"] * 3
    assert list(overview.by_sort)[:2] == ["TF-RULE-3", "TF-RULE-7"]
    assert {each.finding.rule for each in overview.by_sort["TF-RULE-3"]} == {"TF-RULE-3"}
    assert len(overview.by_file) == 20
    assert overview.headline() == "400 findings in 20 files: 100 critical, 100 high, 100 medium, 100 low."


@pytest.mark.parametrize(
    ("verdicts", "results", "headline", "undone"),
    [
        ([], {}, "No step was planned.", ""),
        ([RAN], {"s1": result()}, "No findings.", ""),
        ([TOLD], {"s1": result(text="A summary.")}, "1 step carried out.", ""),
        ([PARTLY], {"s1": result()}, "No findings in what was examined.", ""),
        ([RAN, FAILED], {"s1": result()}, "No findings in what was examined.", "Not done: of 2 steps 1 failed."),
        ([SAID_SO], {"s1": result()}, "Nothing was examined.", "Not done: of 1 step 1 failed."),
        ([FAILED], {}, "Nothing was examined.", "Not done: of 1 step 1 failed."),
        (
            [REFUSED, REFUSED, None],
            {},
            "Nothing was examined.",
            "Not done: of 3 steps 2 were refused, 1 was not reached.",
        ),
        ([RAN], {"s1": result(coverage=covered(5, 4, {"too large": ["a"]}))},
         "No findings in what was examined.", ""),
        ([RAN], {"s1": result(coverage=covered(5, 5))}, "No findings.", ""),
    ],
)  # fmt: skip
def test_nothing_is_called_clean_that_was_not_examined(
    verdicts: list[Any], results: dict[str, Any], headline: str, undone: str
) -> None:
    overview = Overview.of(made(verdicts, results))
    assert (overview.headline(), overview.undone()) == (headline, undone)


def test_how_much_was_examined_is_told_once_for_equal_figures() -> None:
    same, other = covered(50, 50), covered(9, 6, {"unreadable": ["a"], "out of time": ["b", "c"]})
    results = {f"s{number}": result(coverage=each) for number, each in enumerate((same, same, other, None), 1)}
    overview = Overview.of(made([RAN] * 4, results))
    capability = words(overview.steps[0].step.capability)
    assert overview.examined({}) == [
        f"50 of 50 files ({capability})",
        f"6 of 9 files; 3 not: 2 out of time, 1 unreadable ({capability})",
        "1 file",
    ]
    one = Overview.of(made([RAN], {"s1": result()}))
    assert one.examined({}) == ["1 file"]
    assert one.examined({one.singles[0]: ("a.db", "t")}) == ["a.db#t"]


def test_nothing_of_it_is_printed_by_accident() -> None:
    overview = Overview.of(made([RAN], {"s1": result(finding())}))
    assert "auth.py" not in f"{overview.findings}{overview!r}" and ONE not in repr(overview)


@pytest.mark.parametrize(("told", "said"), [("True", "can be split by role"), ("False", "cannot be split by role")])
def test_whether_a_set_can_be_split_is_said_in_words(told: str, said: str) -> None:
    assert unit(f"set.split=role:{told}") == f"as a member of a set: {said}"
