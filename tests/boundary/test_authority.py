"""What the policy lets a planner know, and what its verdicts would give away: named by policy and told values alone."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import cedarpy
import pytest
from builders import AUTH, CATALOG, ENV, PAY, REMOTE, Rules, capability, channel, held, key, of_class, several, tell

from plantwin.boundary import authority as module
from plantwin.boundary.authority import Authority
from plantwin.boundary.budget import Weighted
from plantwin.boundary.release import Release
from plantwin.config.policies import policy_from_text, policy_named
from plantwin.errors import PolicyError
from plantwin.ledgers.records import read_lines, read_statements
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.types.capability import Catalog
from plantwin.types.goal import Goal
from plantwin.types.ledger import Known
from plantwin.types.policy import Party, Ruling
from plantwin.vocabulary import Confidence, Freshness, Kind, SemanticClass, Sensitivity, SensitivityCause

LOCAL = Party("offline", "offline", "local")
AUDIT, DESCRIBE = CATALOG["security_audit"], CATALOG["describe"]
FIELDS = ("semantic_class", "sensitivity")


def authority(text, *, labels=("acme", "private", "public"), party=REMOTE, catalog=CATALOG):
    return Authority(policy_from_text(text), party, catalog, labels=labels)


def permit(condition, action="action"):
    return f"permit (principal, {action}, resource) when {{ {condition} }};\n"


def given(made, thing=None, known=(), asked=False, wanted=AUDIT):
    return set(made.verdict(wanted, asked, thing or held(), Known(frozenset(known))))


EVERYTHING = "permit (principal, action, resource);\n"
LABELS = {"labels=not_acme", "labels=not_private", "labels=not_public"}
CAUSES = {f"sensitivity_causes=not_{each}" for each in SensitivityCause}
FIELD_OF = {
    'resource.sensitivity == Sensitivity::"low"': {"sensitivity=low"},
    'resource.freshness == Freshness::"stale"': {"freshness=recent"},
    'resource.confidence == Confidence::"high"': {"confidence=high", "confidence=sure"},
    'resource.class == Class::"authentication_module"': {"semantic_class=authentication_module"},
    'resource.family == Family::"logs"': {"semantic_class=authentication_module"},
    'resource.causes.contains(Cause::"credential")': {"sensitivity_causes=not_credential"},
    'resource.labels.contains("private")': {"labels=not_private"},
    'resource.kind == Kind::"code_file"': set(),
    'principal.locality == Locality::"remote"': set(),
    'resource.labels.contains("of nobody")': set(),
    'resource.labels.containsAny(["private", "of nobody"])': {"labels=not_private"},
    'resource.causes.containsAll([Cause::"credential"])': {"sensitivity_causes=not_credential"},
    # Where a set is not asked for literal words, every word of it matters.
    "resource.labels.isEmpty()": LABELS,
    '["public"].containsAll(resource.labels)': LABELS,
    'resource.labels == ["public"]': LABELS,
    "resource.labels.contains(principal.audience)": LABELS,
    'resource.labels.containsAny(["public", principal.audience])': LABELS,
    "resource.causes.isEmpty()": CAUSES,
    '[Cause::"personal"].containsAll(resource.causes)': CAUSES,
}


@pytest.mark.parametrize("condition", FIELD_OF)
def test_a_verdict_gives_away_the_fields_on_which_it_can_depend(condition):
    sure = {"confidence=sure"}
    made = authority(permit(condition))
    found = given(made)
    # Where a policy never permits, nobody is ever asked for being unsure.
    assert found - sure == FIELD_OF[condition] - sure
    assert given(made, known=found) == set(), "what is known is not given away again"
    assert given(made, held(version="v2"), known=found) == {f"{unit}@v2" for unit in found}, "another version is news"


def test_being_sure_is_given_away_where_a_step_would_else_have_been_asked_about():
    made = authority(EVERYTHING)
    assert given(made) == {"confidence=sure"}
    assert given(made, held(ambiguous=True)) == {"confidence=unsure"}
    assert given(made, held(confidence=Confidence.LOW)) == {"confidence=sure"}, "a class of low confidence asks nobody"
    assert given(made, asked=True) == set(), "a person is asked anyway"
    # Its confidence does not say that the goal meant no other object.
    assert given(made, known=["confidence=high"]) == {"confidence=sure"}


def test_what_a_verdict_gives_away_does_not_depend_on_values_that_were_not_told():
    text = (
        permit('resource.sensitivity == Sensitivity::"low" || resource.labels.contains("public")')
        + permit('context.approved && resource.freshness == Freshness::"today"')
        + 'forbid (principal, action, resource) when { resource.causes.contains(Cause::"credential") };\n'
    )
    made = authority(text)
    names = set()
    for fields in (
        {},
        {"sensitivity": Sensitivity.HIGH},
        {"labels": {"public"}},
        {"freshness": Freshness.TODAY},
        {"sensitivity_causes": (SensitivityCause.CREDENTIAL,)},
        {"confidence": Confidence.LOW},
        {"ambiguous": True},
    ):
        names.add(tuple(unit.partition("=")[0] for unit in made.verdict(AUDIT, False, held(**fields), Known())))
    assert len(names) == 1
    assert set(names.pop()) == {"labels", "sensitivity_causes", "sensitivity", "confidence", "freshness"}


def test_a_family_that_was_told_leaves_only_its_classes_to_be_told_apart():
    made = authority(permit('resource.class == Class::"authentication_module"') + permit("context.approved"))
    assert "semantic_class=authentication_module" in given(made)
    assert "semantic_class=authentication_module" in given(made, known=["family=application"])
    log = held(kind=Kind.LOG_STREAM, semantic_class=SemanticClass.ERROR_LOG)
    assert "semantic_class=error_log" in given(made, log)
    assert given(made, log, known=["family=logs"]) == set(), "a person is asked about all of them"


def test_where_there_are_too_many_cases_every_field_counts_as_given_away(monkeypatch):
    made = authority(permit('resource.sensitivity == Sensitivity::"low"'))
    monkeypatch.setattr(module, "MOST_CASES", 3)
    assert given(made) == {
        "sensitivity=low", "confidence=high", "confidence=sure", "freshness=recent",
        "semantic_class=authentication_module",
    }  # fmt: skip


def test_listing_gives_away_what_decides_whether_an_object_is_listed():
    made = authority(EVERYTHING + 'forbid (principal, action, resource) when { resource.labels.contains("private") };')
    assert made.admits(held().subject)
    assert not made.admits(held(labels={"private"}).subject)
    assert made.listing(held(), Known()) == ("labels=not_private",)
    assert authority(EVERYTHING).listing(held(), Known()) == ()
    one = authority(permit("true", 'action == Action::"compare"'))
    assert one.admits(held().subject), "one capability is enough"
    asks = authority(permit("context.approved"))
    assert asks.admits(held().subject), "so is one that a person must agree to"


def test_fields_are_told_unasked_where_describing_is_permitted():
    assert authority(EVERYTHING).telling(held(), Known()) == (True, ())
    asks = authority(permit('resource.sensitivity == Sensitivity::"low" || context.approved'))
    assert asks.telling(held(), Known()) == (True, ("sensitivity=low",))
    assert asks.telling(held(sensitivity=Sensitivity.HIGH), Known()) == (False, ("sensitivity=high",))
    without = authority(permit("context.approved"), catalog=Catalog([capability()]))
    assert without.telling(held(), Known()) == (True, ())


def test_an_empty_folder_is_judged_as_an_ordinary_document_would_be():
    authority(EVERYTHING).need_admitted([])
    with pytest.raises(PolicyError, match="permits nothing"):
        authority("forbid (principal, action, resource);").need_admitted([])


# Opening messages


def opening(ledger, policy, objects, party=REMOTE, **options):
    made = Release(channel(ledger, policy=policy, party=party, **options))
    registered = json.loads(made.registration(objects).data)
    requested = json.loads(made.request(Goal(), {each.id: FIELDS for each in objects}).data)
    return made, registered, requested


NOTHING = {
    "local-only": policy_named("local-only"),
    "a lone forbid": policy_from_text("forbid (principal, action, resource);"),
    "a permit of nothing here": policy_from_text(permit('resource.kind == Kind::"log_stream"')),
    "one that fails": Rules(Ruling.FAIL),
}


@pytest.mark.parametrize("name", NOTHING)
def test_where_the_policy_permits_nothing_the_opening_tells_and_records_nothing(ledger, name):
    guide = held(kind=Kind.DOCUMENT, semantic_class=SemanticClass.README).subject
    made = Release(channel(ledger, policy=NOTHING[name]))
    with pytest.raises(PolicyError, match="nothing was sent"):
        made.registration([held(), held(PAY)], [several()], [guide])
    assert list(read_lines(ledger)) == list(read_statements(ledger)) == []
    assert (made.sent, made.shown, made.sets) == ([], {}, {})


def test_local_only_tells_a_local_planner(ledger):
    _, registered, requested = opening(ledger, policy_named("local-only"), [held()], LOCAL)
    assert [each["object_id"] for each in registered["objects"]] == [AUTH]
    assert requested["objects"][0]["semantic_class"] == "authentication_module"


def test_what_a_policy_denies_is_neither_listed_nor_named(ledger):
    secret = held(ENV, kind=Kind.SECRET_CONTAINER, semantic_class=SemanticClass.CREDENTIALS_FILE)
    hidden = held(PAY, sensitivity_causes=(SensitivityCause.CREDENTIAL,))
    made, registered, requested = opening(ledger, policy_named("strict"), [held(), hidden, secret])
    assert [each["object_id"] for each in registered["objects"]] == [AUTH]
    assert [each["object_id"] for each in requested["objects"]] == [AUTH]
    assert sorted(made.denied) == [PAY, ENV]
    assert not {key(PAY), key(ENV)} & {each.key for each in read_statements(ledger)}
    units = {each.unit for each in read_statements(ledger, None, [key(AUTH)])}
    assert "sensitivity_causes=not_credential" in units, "that it is listed says so"


@pytest.mark.parametrize("sensitivity", Sensitivity)
def test_of_what_a_policy_asks_about_only_the_kind_is_told_unasked(ledger, sensitivity):
    made, _, requested = opening(ledger, policy_named("strict"), [held(sensitivity=sensitivity)])
    (told,) = requested["objects"]
    if sensitivity is Sensitivity.HIGH:
        assert told == {"object_id": AUTH, "kind": "code_file"}
        assert made.withheld == {AUTH: FIELDS}
    else:
        assert told["sensitivity"] == sensitivity
    # Told or not, it gives the sensitivity away, and that is paid for.
    units = {each.unit for each in read_statements(ledger, None, [key(AUTH)])}
    assert f"sensitivity={sensitivity}" in units


def test_where_silence_cannot_be_paid_for_it_is_the_same_for_all(ledger, tmp_path):
    heard = []
    for sensitivity in (Sensitivity.LOW, Sensitivity.HIGH):
        other = SqliteLedger(tmp_path / sensitivity / "ledger.db", b"k" * 32)
        thing = held(sensitivity=sensitivity)
        made = Release(channel(other, policy=policy_named("strict")))
        made.registration([thing])
        spent = other.known(made._channel.audience, [thing.key])[thing.key].spent
        accountant = made._channel.accountant
        tell(other, "raced=1", cost=accountant.threshold(thing, Known()) - spent - 900)
        heard.append(json.loads(made.request(Goal(), {AUTH: FIELDS}).data)["objects"])
        other.close()
    assert heard[0] == heard[1] == [{"object_id": AUTH, "kind": "code_file"}]


def test_a_class_that_decides_is_paid_for_by_those_that_are_listed(ledger):
    rules = of_class(Ruling.DENY, SemanticClass.PAYMENT_MODULE)
    pay = held(PAY, semantic_class=SemanticClass.PAYMENT_MODULE)
    made, registered, _ = opening(ledger, rules, [held(), pay])
    assert [each["object_id"] for each in registered["objects"]] == [AUTH]
    assert made.denied == [PAY]
    assert "semantic_class=authentication_module" in {each.unit for each in read_statements(ledger, None, [key(AUTH)])}


def test_a_policy_that_names_many_labels_is_answered_without_trying_all_their_combinations():
    names = [f"label{number}" for number in range(200)]
    found = given(authority(permit(f"resource.labels.containsAny({json.dumps(names)})"), labels=names))
    assert {f"labels=not_{each}" for each in names} <= found


# Remembering


def test_equal_cases_are_decided_once_whatever_the_id(monkeypatch):
    calls = []
    real = cedarpy.is_authorized_batch
    monkeypatch.setattr(cedarpy, "is_authorized_batch", lambda *each: calls.append(1) or real(*each))
    made = authority(EVERYTHING)
    for thing in (held(AUTH), held(PAY), replace(held(AUTH), key=b"other", version="other")):
        assert made.rule(AUDIT, thing.subject).ruling is Ruling.PERMIT
    assert len(calls) == 1
    assert made.rule(AUDIT, replace(held(), labels=frozenset({"x"})).subject).ruling is Ruling.PERMIT
    assert made.rule(DESCRIBE, held().subject).ruling is Ruling.PERMIT
    assert made.rule(AUDIT, held().subject, "verbatim").ruling is Ruling.PERMIT
    assert len(calls) == 4


def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr(module, "REMEMBERED", 2)
    made = authority(EVERYTHING)
    for number in range(9):
        made.rule(AUDIT, replace(held(), labels=frozenset({str(number)})).subject)
        assert len(made._rulings) <= 3


def test_another_hour_is_another_ruling():
    """A ruling that was remembered past its hour would let through what is forbidden now."""
    hour = [time.struct_time((2026, 5, 4, each, 0, 0, 0, 124, 0)) for each in (12, 20)]
    policy = policy_from_text(permit("context.hour < 18"), clock=lambda: hour[0])
    made = Authority(policy, REMOTE, CATALOG)
    assert made.rule(AUDIT, held().subject).ruling is Ruling.PERMIT and made.admits(held().subject)
    hour.pop(0)
    assert made.rule(AUDIT, held().subject).ruling is Ruling.DENY and not made.admits(held().subject)


def test_a_repeated_decision_costs_microseconds():
    made, thing = Authority(policy_named("default"), REMOTE, CATALOG), held().subject
    made.rule(AUDIT, thing)
    start = time.process_time()
    for _ in range(500):
        made.rule(AUDIT, thing)
    assert (time.process_time() - start) / 500 < 50e-6


def test_a_kind_without_a_budget_is_not_listed_and_does_not_end_the_telling_of_sets(ledger):
    """A threshold of 0 for one kind must not take the budget of the sets of all others, nor be passed within one."""
    accountant = Weighted(kinds={Kind.SECRET_CONTAINER: 0, Kind.CONFIG: 12_000})
    assert accountant.least == 12_000
    made = Authority(policy_from_text(EVERYTHING), REMOTE, CATALOG, unlisted=[Kind.SECRET_CONTAINER])
    release = Release(channel(ledger, accountant=accountant, authority=made))
    secret = held(ENV, kind=Kind.SECRET_CONTAINER)
    assert (made.admits(held().subject), made.admits(secret.subject)) == (True, False)
    message = json.loads(release.registration([held(), secret], [several()]).data)
    assert ([each["object_id"] for each in message["objects"]], len(message["sets"])) == ([AUTH], 1)
    assert release.denied == [ENV]
