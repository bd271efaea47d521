"""The four policies that ship: what each says to every combination of risk, sensitivity, kind and locality."""

from __future__ import annotations

import time
from functools import cache
from itertools import product
from typing import Any

import pytest

from plantwin.boundary.policy import CedarPolicy
from plantwin.config import policy_lint as lint
from plantwin.config.policies import NAMES, policy_from_text, policy_named, shipped
from plantwin.config.policy_lint import check
from plantwin.config.policy_text import Problem
from plantwin.types.capability import Capability
from plantwin.types.local import LocalObject
from plantwin.types.policy import LOCALITIES, Party, Ruling
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import (
    CapabilityName,
    Confidence,
    Freshness,
    Kind,
    ResultType,
    Risk,
    SemanticClass,
    Sensitivity,
    SensitivityCause,
)
from tables import cases

PARTY = {
    "remote": Party("gpt", "openai", "remote"),
    "local": Party("offline", "offline", "local"),
    "loopback": Party("ollama:m", "loopback", "local"),
}
LETTER = {Ruling.PERMIT: "P", Ruling.ASK: "A", Ruling.DENY: "D", Ruling.FAIL: "F"}
WORKDAY = time.struct_time((2024, 5, 1, 12, 0, 0, 2, 122, 0))
NIGHT = time.struct_time((2024, 5, 1, 22, 0, 0, 2, 122, 0))
SUNDAY = time.struct_time((2024, 5, 5, 12, 0, 0, 6, 126, 0))

# For each locality and risk: what is said to low, restricted and high sensitivity, of ordinary kinds and of
# secret containers. P: permitted, A: a person is asked, D: denied.
TABLE = {
    ("default", WORKDAY): {
        ("remote", "low"): ("PPP", "AAA"),
        ("remote", "medium"): ("PPA", "AAA"),
        ("remote", "high"): ("AAA", "AAA"),
        ("local", "low"): ("PPP", "PPP"),
        ("local", "medium"): ("PPP", "PPP"),
        ("local", "high"): ("AAA", "AAA"),
    },
    ("strict", WORKDAY): {
        ("remote", "low"): ("PPA", "DDD"),
        ("remote", "medium"): ("AAA", "DDD"),
        ("remote", "high"): ("AAA", "DDD"),
        ("local", "low"): ("PPA", "DDD"),
        ("local", "medium"): ("AAA", "DDD"),
        ("local", "high"): ("AAA", "DDD"),
    },
    ("team", WORKDAY): {
        ("remote", "low"): ("PPA", "DDD"),
        ("remote", "medium"): ("PPA", "DDD"),
        ("remote", "high"): ("AAA", "DDD"),
        ("local", "low"): ("PPA", "AAA"),
        ("local", "medium"): ("PPA", "AAA"),
        ("local", "high"): ("AAA", "AAA"),
    },
    ("local-only", WORKDAY): {
        ("remote", "low"): ("DDD", "DDD"),
        ("remote", "medium"): ("DDD", "DDD"),
        ("remote", "high"): ("DDD", "DDD"),
        ("local", "low"): ("PPP", "PPP"),
        ("local", "medium"): ("PPP", "PPP"),
        ("local", "high"): ("AAA", "AAA"),
    },
}
for quiet in (NIGHT, SUNDAY):
    for name in ("default", "strict", "local-only"):
        TABLE[name, quiet] = TABLE[name, WORKDAY]
    TABLE["team", quiet] = {
        ("remote", "low"): ("PPA", "DDD"),
        ("remote", "medium"): ("AAA", "DDD"),
        ("remote", "high"): ("DDD", "DDD"),
        ("local", "low"): ("PPA", "AAA"),
        ("local", "medium"): ("AAA", "AAA"),
        ("local", "high"): ("DDD", "DDD"),
    }


def held(
    kind: Kind = Kind.CODE_FILE, sensitivity: Sensitivity = Sensitivity.LOW, *labels: str, **more: Any
) -> LocalObject:
    thing = TwinObject(
        object_id="artifact_aaaaaaaa",
        kind=kind,
        semantic_class=SemanticClass.AUTHENTICATION_MODULE,
        sensitivity=sensitivity,
        freshness=Freshness.RECENT,
        confidence=Confidence.HIGH,
        **more,
    )
    return LocalObject(thing, b"k", labels=frozenset(labels))


def capability(risk: Risk = Risk.LOW, name: CapabilityName = CapabilityName.LINT) -> Capability:
    return Capability(name=name, doc="-", example="-", returns=ResultType.FINDINGS, risk=risk)


@cache
def made(name: str, now: time.struct_time) -> CedarPolicy:
    return policy_from_text(shipped(name), name, lambda: now)


def said(
    name: str,
    thing: LocalObject,
    asked: Capability,
    locality: str = "remote",
    *,
    now: time.struct_time = WORKDAY,
    goal_mode: str = "intent",
    sandboxed: bool = True,
) -> str:
    decided = made(name, now).decide(PARTY[locality], asked, thing.subject, goal_mode=goal_mode, sandboxed=sandboxed)
    return LETTER[decided.ruling]


@pytest.mark.parametrize(
    ("name", "now"), TABLE, ids=lambda each: each if isinstance(each, str) else f"{each[6]}-{each[3]}"
)
def test_every_combination(name: str, now: time.struct_time) -> None:
    table = TABLE[name, now]
    policy = policy_from_text(shipped(name), name, lambda: now)
    for (locality, risk), kind, (place, sensitivity) in product(table, Kind, enumerate(Sensitivity)):
        wanted, thing = capability(Risk[risk.upper()]), held(kind, sensitivity).subject
        decided = policy.decide(PARTY[locality], wanted, thing, goal_mode="intent", sandboxed=True)
        expected = table[locality, risk][kind is Kind.SECRET_CONTAINER][place]
        assert LETTER[decided.ruling] == expected, (locality, risk, kind, sensitivity)
        assert decided.policy or decided.ruling is Ruling.DENY


def test_the_tables_leave_nothing_out() -> None:
    assert {name for name, _ in TABLE} == set(NAMES)
    assert all(len(rows) == len(LOCALITIES) * len(Risk) for rows in TABLE.values())
    assert list(Sensitivity) == [Sensitivity.LOW, Sensitivity.RESTRICTED, Sensitivity.HIGH]


@pytest.mark.parametrize("name", NAMES)
def test_no_shipped_policy_has_a_problem(name: str) -> None:
    assert check(shipped(name)) == []


@pytest.mark.parametrize("name", NAMES)
def test_every_statement_is_named_and_commented(name: str) -> None:
    for each in policy_named(name).statements:
        assert each.text.startswith("// ") and "id" in each.tree["annotations"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("action", "kind"),
    [(CapabilityName.SECRET_SCAN, Kind.SECRET_CONTAINER), (CapabilityName.SECRET_SCAN, Kind.CONFIG),
     (CapabilityName.DESCRIBE, Kind.SECRET_CONTAINER)],
)  # fmt: skip
def test_secrets_are_never_looked_at_for_a_remote_planner_without_asking(
    name: str, action: CapabilityName, kind: Kind
) -> None:
    for risk in (Risk.LOW, Risk.MEDIUM):
        assert said(name, held(kind, Sensitivity.HIGH), capability(risk, action)) in "AD"


def test_default_lets_a_secret_scan_of_ordinary_files_pass() -> None:
    scan, describe = CapabilityName.SECRET_SCAN, CapabilityName.DESCRIBE
    for sensitivity in (Sensitivity.LOW, Sensitivity.RESTRICTED):
        assert said("default", held(Kind.CONFIG, sensitivity), capability(Risk.LOW, scan)) == "P"
    assert said("default", held(Kind.CONFIG, Sensitivity.HIGH), capability(Risk.LOW, scan)) == "A"
    assert said("default", held(Kind.CONFIG, Sensitivity.HIGH), capability(Risk.LOW, scan), "local") == "P"
    # Whether fields are told must not depend on a field that was not: budgets bound it for all alike.
    assert {said("default", held(Kind.CONFIG, each), capability(Risk.LOW, describe)) for each in Sensitivity} == {"P"}


@pytest.mark.parametrize(("name", "local"), [("default", "P"), ("strict", "D"), ("team", "P"), ("local-only", "P")])
def test_what_is_private_stays_here(name: str, local: str) -> None:
    for risk, sensitivity, kind in product(Risk, Sensitivity, Kind):
        assert said(name, held(kind, sensitivity, "private", "public"), capability(risk)) == "D"
    assert said(name, held(Kind.CODE_FILE, Sensitivity.LOW, "private"), capability(), "local") == local


def test_strict_never_touches_credentials() -> None:
    thing = held(Kind.CONFIG, Sensitivity.RESTRICTED, sensitivity_causes=(SensitivityCause.CREDENTIAL,))
    for risk, locality in product(Risk, PARTY):
        assert said("strict", thing, capability(risk), locality) == "D"
    other = held(Kind.CONFIG, Sensitivity.RESTRICTED, sensitivity_causes=(SensitivityCause.PERSONAL,))
    assert said("strict", other, capability()) == "P"


@pytest.mark.parametrize(
    ("name", "letters"), [("default", "PPD"), ("strict", "DDD"), ("team", "PPD"), ("local-only", "PPD")]
)
def test_without_a_sandbox(name: str, letters: str) -> None:
    found = [said(name, held(), capability(risk), "local", sandboxed=False) for risk in Risk]
    assert "".join(found) == letters


@pytest.mark.parametrize(
    ("name", "remote", "local"),
    [("default", "D", "P"), ("strict", "D", "D"), ("team", "D", "P"), ("local-only", "D", "P")],
)
def test_a_request_in_its_own_words(name: str, remote: str, local: str) -> None:
    assert said(name, held(), capability(), goal_mode="verbatim") == remote
    assert said(name, held(), capability(), "local", goal_mode="verbatim") == local
    assert said(name, held(), capability(), "local", goal_mode="lexicon") == "P"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("goal_mode", ["lexicon", "verbatim"])
def test_a_port_that_is_not_trusted_is_permitted_no_more_than_a_remote_planner(name: str, goal_mode: str) -> None:
    for risk, sensitivity, kind, label in product(Risk, Sensitivity, Kind, ("private", "public", "other")):
        thing, wanted = held(kind, sensitivity, label), capability(risk)
        port, remote = (said(name, thing, wanted, each, goal_mode=goal_mode) for each in ("loopback", "remote"))
        assert "DAP".index(port) <= "DAP".index(remote)


def test_team_takes_public_for_public() -> None:
    public = held(Kind.DOCUMENT, Sensitivity.RESTRICTED, "public")
    assert said("team", public, capability(Risk.MEDIUM), now=NIGHT) == "P"
    assert said("team", public, capability(Risk.HIGH)) == "A"
    assert said("team", held(Kind.DOCUMENT, Sensitivity.HIGH, "public"), capability()) == "A"
    assert said("team", held(Kind.SECRET_CONTAINER, Sensitivity.LOW, "public"), capability()) == "D"


@pytest.mark.parametrize(
    ("hour", "day", "letter"), [(7, 0, "A"), (8, 0, "P"), (17, 4, "P"), (18, 4, "A"), (12, 5, "A"), (12, 6, "A")]
)
def test_the_working_hours_of_a_team(hour: int, day: int, letter: str) -> None:
    now = time.struct_time((2024, 5, 1, hour, 0, 0, day, 122, 0))
    assert said("team", held(), capability(Risk.MEDIUM), now=now) == letter


# Advice on a policy: mistakes with their line, and what is hardly meant

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
