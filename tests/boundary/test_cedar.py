"""The policy in Cedar: mistakes are found when it is loaded, and whatever is not a clean Allow is refused."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import cedarpy
import msgspec
import pytest

from plantwin.boundary import policy as cedar
from plantwin.boundary.policy import CedarPolicy
from plantwin.config import policy_text
from plantwin.config.policies import (
    NAMES,
    explain,
    policy_from_file,
    policy_from_text,
    policy_named,
    policy_of,
    shipped,
)
from plantwin.config.policy_text import LONGEST, MOST, read, schema_text
from plantwin.config.settings import LIMIT, Settings, load_settings
from plantwin.errors import PolicyError
from plantwin.types.capability import Capability
from plantwin.types.local import LocalObject
from plantwin.types.policy import Decided, Party, Ruling
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

REMOTE = Party("gpt", "openai", "remote")
LOCAL = Party("offline", "offline", "local")
PERMIT = '@id("all")\npermit (principal, action, resource) when { resource.kind != Kind::"document" };\n'
NOON = time.struct_time((2024, 5, 1, 12, 0, 0, 2, 122, 0))


def capability(name: CapabilityName = CapabilityName.LINT, risk: Risk = Risk.LOW) -> Capability:
    return Capability(name=name, doc="-", example="-", returns=ResultType.FINDINGS, risk=risk)


def held(**changes: Any) -> LocalObject:
    labels = frozenset(changes.pop("labels", ()))
    fields = {
        "object_id": "artifact_aaaaaaaa",
        "kind": Kind.CODE_FILE,
        "semantic_class": SemanticClass.AUTHENTICATION_MODULE,
        "sensitivity": Sensitivity.LOW,
        "freshness": Freshness.RECENT,
        "confidence": Confidence.HIGH,
        **changes,
    }
    return LocalObject(TwinObject(**fields), b"k" * 32, labels=labels)


def decide(policy: CedarPolicy, thing: LocalObject | None = None, party: Party = REMOTE, **changes: Any) -> Decided:
    asked = {"goal_mode": "intent", "sandboxed": True, **changes}
    return policy.decide(party, asked.pop("capability", capability()), (thing or held()).subject, **asked)


def when(condition: str, effect: str = "permit") -> str:
    return f'@id("{effect}-it") {effect} (principal, action, resource) when {{ {condition} }};\n'


# Loading


MISTAKES = {
    "": "line 1: holds no policy",
    "  // only a comment; and nothing else\n": "holds no policy",
    "permit (": "line 1: does not parse: unexpected end of input",
    "\n\npermit (principal, action, resource)": "line 3: does not parse",
    PERMIT + "\npermit (principal, action, resource) when { foo };": "line 4: does not parse: invalid variable: foo",
    PERMIT + ";": "line 3: does not parse",
    PERMIT + 'permit (principal, action, resource) when { "': "line 3: does not parse",
    PERMIT + "/* x */": "line 3: does not parse",
    "permit (principal == ?principal, action, resource);": "a template",
    '@id("a b") permit (principal, action, resource);': "@id: letters",
    "@id permit (principal, action, resource);": "@id: letters",
    PERMIT + PERMIT: "line 3: all: this id is given twice",
    '@id("policy2") permit (principal, action, resource);\npermit (principal, action, resource);': "policy2: this id",
    when('resource.knd == Kind::"config"'): "permit-it: attribute `knd` on entity type `Object` not found",
    when("context.aproved"): "attribute `aproved`",
    when('principal.localty == Locality::"local"'): "attribute `localty`",
    when('resource.kind == Kind::"cofnig"'): '`"cofnig"` is not declared',
    when('resource.kind == "config"'): 'is written as Kind::"config"',
    when('resource.sensitivity == Risk::"high"'): "compares Risk and Sensitivity, which are never equal",
    when('Risk::"high" != resource.sensitivity', "forbid"): "compares Risk and Sensitivity",
    when('[Kind::"config", Risk::"high"].contains(resource.kind)'): "not compatible",
    when('[Risk::"high"].contains(resource.kind)'): "types Kind and Risk",
    when('resource.causes.contains(Kind::"config")'): "types Cause and Kind",
    when('resource.causes.containsAny([Cause::"health", Cause::"personal"])') + when("foo"): "line 2",
    when("context.risk == resource.sensitivity"): "compares Risk and Sensitivity",
    when('resource.kind in [Kind::"config"] || resource.kind in Class::"readme"'): "compares Class and Kind",
    when("resource.labels == 1"): "not compatible",
    when('context.hour < "8"'): "unexpected type",
    '@id("x") permit (principal, action == Action::"summarise", resource);': 'unrecognized action `Action::"summarise"',
    '@id("x") permit (principal is User, action, resource);': "unrecognized entity type `User`",
    "x" * (LIMIT + 1): "longer than 256 KiB",
    "permit (principal, action, resource);" * (MOST + 1): "more than 500 policies",
}


@pytest.mark.parametrize("text", MISTAKES, ids=range(len(MISTAKES)))
def test_a_mistake_is_found_when_loading_and_says_where(text: str) -> None:
    with pytest.raises(PolicyError) as caught:
        policy_from_text(text)
    assert MISTAKES[text] in str(caught.value)
    assert len(str(caught.value)) < 400 and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "condition",
    ["(" * 51 + "true" + ")" * 51, "(" * 20_000 + "true", "[" * 100 + "1" + "]" * 100 + " == 1",
     "true" + " && true" * 500, "1" + " + 1" * 200 + " == 2", "context" + ".approved" * 1_500,
     "if true then true else " * 100 + "true", "true" + " " * LONGEST],
    ids=range(8),
)  # fmt: skip
def test_depth_and_length_are_bounded(condition: str) -> None:
    with pytest.raises(PolicyError, match="line 1: too long or nested too deeply"):
        policy_from_text(when(condition))


def test_brackets_in_texts_and_comments_are_not_nested() -> None:
    text = f"// {'(' * 200}\n" + when(f'resource.labels.contains("{"(" * 200}\\"{"[" * 200}")')
    assert policy_from_text(text + when(f"{'(' * 40}true{')' * 40}", "forbid"))


def test_several_mistakes_are_counted() -> None:
    with pytest.raises(PolicyError, match=r"^policy: line 1: .*\(and 1 more: plantwin policy check\)$"):
        policy_from_text(when("context.foo") + "permit (")


def test_a_text_that_cedar_divides_otherwise_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # Not a space to Cedar, so the whole does not parse though the part would.
    with pytest.raises(PolicyError, match="cannot be divided"):
        policy_from_text("\x1c" + PERMIT)
    monkeypatch.setattr(policy_text, "_split", lambda text: iter([(1, PERMIT)]))
    with pytest.raises(PolicyError, match="cannot be divided"):
        policy_from_text(PERMIT + when("context.approved"))


def test_statements_have_their_line_their_name_and_their_comment() -> None:
    text = (
        '// A header; not part of anything.\n\n// Why: one;\n// two.\n@id("a.b-c")\n'
        'permit (principal, action, resource)\nwhen { resource.labels.contains("x;y//z\\"") }; // after; it\n\n'
        "forbid (principal, action, resource) // inside;\nwhen { false };\n"
    )
    found, problems = read(text)
    assert problems == []
    assert [(each.id, each.line, each.tree["effect"]) for each in found] == [
        ("a.b-c", 5, "permit"),
        ("policy2", 9, "forbid"),
    ]
    assert found[0].text.startswith('// Why: one;\n// two.\n@id("a.b-c")\npermit')
    assert found[1].text.endswith("inside;\nwhen { false };")


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "own.cedar"
    for content, message in (
        (b"\xff", "not UTF-8"),
        (b"", "own.cedar: line 1: holds no policy"),
        (b"x" * (LIMIT + 1), "larger"),
    ):
        path.write_bytes(content)
        with pytest.raises(PolicyError, match=message):
            policy_from_file(path)
    path.write_text(PERMIT)
    assert policy_from_file(path).version == policy_from_text(PERMIT).version
    path.unlink()
    with pytest.raises(PolicyError, match="cannot be read"):
        policy_from_file(path)
    os.mkfifo(path)
    with pytest.raises(PolicyError, match="not a regular file"):
        policy_from_file(path)


def test_settings_choose_the_policy(tmp_path: Path) -> None:
    assert policy_of(Settings()).version == policy_named("default").version
    (tmp_path / "own.cedar").write_text(PERMIT)
    (tmp_path / "config.toml").write_text("[policy]\nfile = 'own.cedar'\n")
    assert policy_of(load_settings(tmp_path / "config.toml")).version == policy_from_text(PERMIT).version
    (tmp_path / "config.toml").write_text("[policy]\nname = 'strict'\n")
    assert policy_of(load_settings(tmp_path / "config.toml")).version == policy_named("strict").version


@pytest.mark.parametrize("name", ["", "nonsense", "../default", "default.cedar"])
def test_only_named_policies_ship(name: str) -> None:
    with pytest.raises(PolicyError, match="no policy of this name"):
        shipped(name)


def test_the_version_names_the_text() -> None:
    versions = {policy_named(name).version for name in NAMES}
    versions |= {policy_from_text(PERMIT).version, policy_from_text(PERMIT + " ").version}
    assert len(versions) == len(NAMES) + 2


def test_the_schema_holds_every_word_of_the_vocabulary() -> None:
    text = schema_text()
    for vocabulary in (Kind, SemanticClass, Sensitivity, SensitivityCause, Freshness, Confidence, Risk, CapabilityName):
        assert all(f'"{each}"' in text for each in vocabulary)


# Deciding


def test_what_no_policy_permits_is_denied() -> None:
    policy = policy_from_text(when('resource.kind == Kind::"config"'))
    assert decide(policy) == Decided(Ruling.DENY, "")
    assert decide(policy, held(kind=Kind.CONFIG)) == Decided(Ruling.PERMIT, "permit-it")
    assert decide(policy_from_text(when("true", "forbid"))) == Decided(Ruling.DENY, "forbid-it")


def test_a_person_is_asked_where_approval_makes_the_difference() -> None:
    assert decide(policy_from_text(when("context.approved"))) == Decided(Ruling.ASK, "permit-it")
    unless = PERMIT + '@id("agree") forbid (principal, action, resource) unless { context.approved };'
    assert decide(policy_from_text(unless)) == Decided(Ruling.ASK, "agree")
    assert decide(policy_from_text(unless + when("true", "forbid"))).ruling is Ruling.DENY


def test_several_deciding_policies_are_all_named() -> None:
    text = PERMIT + '@id("b") permit (principal, action, resource);'
    assert decide(policy_from_text(text)) == Decided(Ruling.PERMIT, "all,b")


OVERFLOW = "context.hour * 9223372036854775807 * 9223372036854775807 > 0"


def test_an_error_in_any_statement_fails_the_whole() -> None:
    # Cedar itself passes a failing forbid over and says Allow.
    policy = policy_from_text(PERMIT + when(OVERFLOW, "forbid"), clock=lambda: NOON)
    assert decide(policy) == Decided(Ruling.FAIL)
    later = PERMIT + when(f"context.approved && {OVERFLOW}", "forbid")
    assert decide(policy_from_text(later, clock=lambda: NOON)) == Decided(Ruling.FAIL)


@pytest.mark.parametrize(
    "changes",
    [
        {"goal_mode": "nonsense"},
        {"party": Party("gpt", "openai", "nowhere")},
        {"party": Party("gpt", None, "local")},  # type: ignore[arg-type]
        {"thing": held(labels=(1,))},
        {"thing": held(labels=("\udc80",))},
    ],
)
def test_a_value_outside_the_schema_fails(changes: dict[str, Any]) -> None:
    policy = policy_from_text('@id("x") permit (principal, action, resource);')
    assert decide(policy).ruling is Ruling.PERMIT
    assert decide(policy, **changes) == Decided(Ruling.FAIL)


@pytest.mark.parametrize(
    "answer",
    [
        {"decision": "NoDecision", "diagnostics": {"errors": []}},
        {"decision": "Allow", "diagnostics": {"errors": ["x"], "reason": ["all"]}},
        {"decision": "Perhaps", "diagnostics": {"errors": []}},
        {},
    ],
)
def test_anything_but_a_clean_answer_fails(answer: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    policy = policy_from_text(PERMIT)
    answers = [cedarpy.AuthzResult(answer), cedarpy.AuthzResult({"decision": "Allow"})]
    for order in (answers, answers[::-1], answers[:1], []):
        monkeypatch.setattr(cedarpy, "is_authorized_batch", lambda *_, order=order: order)
        assert decide(policy).ruling is Ruling.FAIL


def test_the_engine_is_asked_once_for_one_case_and_what_it_said_is_not_kept_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    policy, asked = policy_from_text(PERMIT), []
    ask = cedarpy.is_authorized_batch
    monkeypatch.setattr(cedarpy, "is_authorized_batch", lambda *given: (asked.append(1), ask(*given))[1])
    monkeypatch.setattr(cedar, "REMEMBERED", 2)
    for kind, ruling, times in (
        (Kind.CONFIG, Ruling.PERMIT, 1),
        (Kind.CONFIG, Ruling.PERMIT, 1),
        (Kind.DOCUMENT, Ruling.DENY, 2),
        (Kind.LOG_STREAM, Ruling.PERMIT, 3),  # the third case: the two before it are forgotten
        (Kind.CONFIG, Ruling.PERMIT, 4),
    ):
        assert decide(policy, held(kind=kind)).ruling is ruling
        assert len(asked) == times


def test_a_crash_of_the_engine_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr(cedarpy, "is_authorized_batch", broken)
    assert decide(policy_from_text(PERMIT)) == Decided(Ruling.FAIL)


ATTRIBUTES = {
    'resource.kind == Kind::"config"': {"thing": held(kind=Kind.CONFIG)},
    'resource.class == Class::"readme"': {"thing": held(semantic_class=SemanticClass.README)},
    f'resource.family == Family::"{SemanticClass.README.family}"': {"thing": held(semantic_class=SemanticClass.README)},
    'resource.sensitivity == Sensitivity::"high"': {"thing": held(sensitivity=Sensitivity.HIGH)},
    'resource.causes.contains(Cause::"health")': {"thing": held(sensitivity_causes=(SensitivityCause.HEALTH,))},
    'resource.freshness == Freshness::"stale"': {"thing": held(freshness=Freshness.STALE)},
    'resource.confidence == Confidence::"low"': {"thing": held(confidence=Confidence.LOW)},
    'resource.labels.contains("private")': {"thing": held(labels=("private", "x"))},
    'principal == Planner::"offline"': {"party": LOCAL},
    'principal.audience == "offline"': {"party": LOCAL},
    'principal.locality == Locality::"local"': {"party": LOCAL},
    'action == Action::"compare"': {"capability": capability(CapabilityName.COMPARE)},
    'context.risk == Risk::"high"': {"capability": capability(risk=Risk.HIGH)},
    'context.goal_mode == GoalMode::"verbatim"': {"goal_mode": "verbatim"},
    "!context.sandboxed": {"sandboxed": False},
}


@pytest.mark.parametrize("condition", ATTRIBUTES)
def test_a_policy_can_speak_of_everything(condition: str) -> None:
    policy = policy_from_text(when(condition))
    assert decide(policy).ruling is Ruling.DENY
    assert decide(policy, **ATTRIBUTES[condition]).ruling is Ruling.PERMIT


def test_a_policy_can_speak_of_the_time() -> None:
    text = when("context.hour >= 8 && context.hour < 18 && context.weekday <= 5")
    now = [NOON]
    policy = policy_from_text(text, clock=lambda: now[0])
    rulings = []
    # The same object again and again: what is remembered must not outlive the hour.
    for hour, day in ((12, 2), (18, 2), (17, 4), (12, 5), (8, 0), (7, 0), (12, 2)):
        now[0] = time.struct_time((2024, 5, 1, hour, 0, 0, day, 122, 0))
        rulings.append(decide(policy).ruling.value)
    assert rulings == ["permit", "deny", "permit", "deny", "permit", "deny", "permit"]


def test_what_is_not_stated_is_taken_for_the_worst() -> None:
    unset = msgspec.UNSET
    bare = held(sensitivity=unset, freshness=unset, confidence=unset)
    for condition in (
        'resource.sensitivity == Sensitivity::"high"',
        'resource.confidence == Confidence::"low"',
        'resource.freshness == Freshness::"today"',
    ):
        assert decide(policy_from_text(when(condition)), bare).ruling is Ruling.PERMIT
    assert decide(policy_from_text(when("!context.sandboxed")), sandboxed="yes").ruling is Ruling.PERMIT


# Explaining


def test_an_explanation_names_and_shows_the_deciding_policy() -> None:
    policy = policy_named("default")
    explained = explain(policy, REMOTE, capability(), held(labels=("private",)).subject)
    assert explained.decided == Decided(Ruling.DENY, "private-stays-here")
    assert not explained.without.allowed and not explained.approved.allowed
    (statement,) = explained.statements
    assert statement.id == "private-stays-here" and "no remote planner" in statement.text
    assert shipped("default").splitlines()[statement.line - 1] == '@id("private-stays-here")'

    asked = explain(policy, REMOTE, capability(risk=Risk.HIGH), held().subject)
    assert asked.decided == Decided(Ruling.ASK, "ask")
    assert (asked.without.allowed, asked.without.policies) == (False, ())
    assert (asked.approved.allowed, asked.approved.policies) == (True, ("ask",))
    refused = explain(policy, REMOTE, capability(risk=Risk.HIGH), held().subject, sandboxed=False)
    assert refused.decided == Decided(Ruling.DENY, "high-risk-needs-sandbox")
    verbatim = explain(policy, REMOTE, capability(), held().subject, goal_mode="verbatim")
    assert verbatim.decided == Decided(Ruling.DENY, "no-verbatim-goal")
    assert {each.id for each in verbatim.statements} == {"no-verbatim-goal"}


def test_an_explanation_agrees_with_the_decision() -> None:
    policy = policy_named("team")
    for risk in Risk:
        for sensitivity in Sensitivity:
            thing, asked = held(sensitivity=sensitivity), capability(risk=risk)
            assert explain(policy, LOCAL, asked, thing.subject).decided == decide(
                policy, thing, LOCAL, capability=asked
            )


def test_the_object_is_named_nowhere() -> None:
    case = cedar.Case(REMOTE, "lint", "low", "intent", True, 12, 1, held().subject)
    request, entities = cedar.question(case, True)
    assert "artifact" not in str(request) + str(entities)
