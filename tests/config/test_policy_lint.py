"""Advice on a policy: mistakes with their line, and what is hardly meant."""

from __future__ import annotations

import pytest

from plantwin.config import policy_lint as lint
from plantwin.config.policy_lint import check
from plantwin.config.policy_text import Problem
from tables import cases

FINE = '@id("fine") permit (principal, action, resource) when { context.approved };\n'


def warnings(condition: str, effect: str = "permit", labels: tuple[str, ...] = ()) -> list[str]:
    text = f'{FINE}@id("x") {effect} (principal, action, resource) when {{ {condition} }};'
    problems = check(text, labels)
    assert all((each.level, each.line, each.policy) == ("warning", 2, "x") for each in problems)
    return [each.message for each in problems]


def test_errors_come_with_their_line_and_do_not_hide_advice() -> None:
    text = (
        FINE
        + 'permit (principal, action == Action::"lnit", resource);\npermit (principal, action, resource);\npermit (\n'
    )
    problems = check(text)
    assert [(each.level, each.line, each.policy) for each in problems] == [
        ("error", 2, "policy2"),
        ("error", 2, "policy2"),
        ("warning", 3, "policy3"),
        ("warning", 3, "policy3"),
        ("error", 4, ""),
    ]
    assert str(problems[0]) == 'line 2: policy2: unrecognized action `Action::"lnit"`'
    assert str(problems[4]) == "line 4: does not parse: unexpected end of input"
    assert [each.message.partition(":")[0] for each in problems[2:4]] == [
        "has no name",
        "permits without any condition",
    ]


def test_empty_is_an_error() -> None:
    assert [each.level for each in check("")] == ["error"]


def test_only_forbids_refuse_everything() -> None:
    text = '@id("x") forbid (principal, action, resource);'
    assert check(text) == [Problem("warning", 1, "", "no permit: everything is refused")]
    assert check(text + FINE) == []


def test_labels() -> None:
    condition = 'resource.labels.contains("acme") || resource.labels.containsAny(["secret", "private", "public"])'
    assert warnings(condition) == ['label "acme" is given to no path', 'label "secret" is given to no path']
    assert warnings(condition, labels=("acme", "secret")) == []
    assert warnings('["a", "b"].contains(principal.audience)') == []


@pytest.mark.parametrize("effect", ["permit", "forbid"])
@cases("condition")
def test_what_can_never_apply(condition: str, effect: str) -> None:
    assert warnings(condition, effect) == ["can never apply"]


@cases("condition")
def test_what_can_apply(condition: str) -> None:
    assert warnings(condition) == []


def test_what_cannot_be_tried_out_is_given_the_benefit_of_the_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lint, "MOST_CASES", 10)
    assert warnings("context.hour > 30") == []
    many = " && ".join(f'resource.labels.contains("l{number}")' for number in range(14))
    assert warnings(f"{many} && false", labels=tuple(f"l{number}" for number in range(14))) == []
