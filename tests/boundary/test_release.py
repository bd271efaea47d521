"""Lazy disclosure: kinds first, then what the goal needs; recorded byte by byte before it is handed out."""

from __future__ import annotations

import json

import pytest
from builders import AUTH, ENV, PAY, channel, edge, held, spent

from plantwin.boundary.budget import Weighted
from plantwin.boundary.release import Release
from plantwin.errors import LimitError
from plantwin.ledgers.records import read_lines
from plantwin.types.capability import FIELDS
from plantwin.types.goal import Goal
from plantwin.types.ledger import Limits
from plantwin.types.outcome import Outcome
from plantwin.types.verdict import Allowed, Code, Denied
from plantwin.vocabulary import Kind, SemanticClass, Sensitivity, StepStatus

OBJECTS = (held(AUTH, edges=(edge(),)), held(PAY), held(ENV, kind=Kind.SECRET_CONTAINER))


def release(ledger, most=20, **limits):
    accountant = Weighted(sensitivities=dict.fromkeys(Sensitivity, int(most * 1000)), kinds={})
    return Release(channel(ledger, accountant=accountant, limits=Limits(**limits)))


def sent(encoded):
    return json.loads(encoded.data)


def test_registration_tells_kinds_alone(ledger):
    made = release(ledger)
    message = sent(made.registration(OBJECTS))
    assert {each["object_id"]: each["kind"] for each in message["objects"]} == {
        AUTH: "code_file",
        PAY: "code_file",
        ENV: "secret_container",
    }
    assert all(each.keys() == {"object_id", "kind"} for each in message["objects"])
    assert spent(ledger) == 500
    assert set(made.shown) == {AUTH, PAY, ENV}


def test_an_object_whose_kind_does_not_fit_is_not_shown(ledger):
    made = release(ledger, most=0.4)
    message = sent(made.registration(OBJECTS))
    assert message["objects"] == []
    assert sorted(made.excluded) == [AUTH, PAY, ENV]
    assert made.shown == {}


def test_a_request_tells_the_fields_that_the_goal_needs_of_what_was_shown(ledger):
    made = release(ledger)
    made.registration(OBJECTS[:2])
    fields = {AUTH: ("semantic_class", "edges"), ENV: ("semantic_class",)}
    message = sent(made.request(Goal(objects=(AUTH,)), fields))
    told = {each["object_id"]: each for each in message["objects"]}
    assert told[AUTH]["semantic_class"] == "authentication_module"
    assert told[PAY] == {"object_id": PAY, "kind": "code_file"}
    assert ENV not in told
    assert message["edges"] == [{"edge": "depends_on", "reason": "imports", "source": AUTH, "target": PAY}]
    # That there is no other edge is told by silence, and the edge is a fact about both of its ends.
    assert spent(ledger) == 500 + 2000 + 3500 + 500
    assert spent(ledger, PAY) == 500 + 3500


def test_what_does_not_fit_is_withheld_and_noted(ledger):
    made = release(ledger, most=3)
    made.registration(OBJECTS[:1])
    message = sent(made.request(Goal(), {AUTH: ("semantic_class",)}))
    assert message["objects"] == [{"family": "application", "kind": "code_file", "object_id": AUTH}]
    assert made.withheld == {AUTH: ("semantic_class",)}


def test_a_request_leaves_room_for_outcomes(ledger):
    made = release(ledger, most=20)
    made.registration(OBJECTS[:1])
    made.request(Goal(), {AUTH: FIELDS})
    # Three outcomes of the dearest sort would be 13.5; half of the budget is less.
    assert 20_000 - spent(ledger) >= 10_000
    made = release(ledger, most=40)
    made.registration(OBJECTS[:2])
    message = sent(made.request(Goal(), {AUTH: FIELDS}))
    assert 40_000 - spent(ledger) >= 13_500
    assert len(message["edges"]) == 1


def test_the_hours_share_of_fields_is_not_passed(ledger):
    made = release(ledger, fields_per_hour=2)
    made.registration(OBJECTS[:2])
    message = sent(made.request(Goal(), {AUTH: ("semantic_class",), PAY: ("semantic_class",)}))
    assert all(each.keys() == {"object_id", "kind"} for each in message["objects"])
    late = release(ledger, fields_per_hour=2)
    # What this audience knows already may be told again; what it does not know may not.
    assert {each["object_id"] for each in sent(late.registration(OBJECTS))["objects"]} == {AUTH, PAY}


def test_every_envelope_is_in_the_trail_byte_by_byte(ledger):
    made = release(ledger)
    made.registration(OBJECTS)
    made.request(Goal(), {AUTH: ("semantic_class",)})
    made.results(1, [made.decided(Denied(code=Code.UNKNOWN_OBJECT))])
    made.answered(b'{"steps": [\xff')
    lines = [json.loads(line.body) for line in read_lines(ledger) if line.kind == "envelope"]
    assert [each["data"].encode() for each in lines] == [each.data for each in made.sent]
    assert [each["sha256"] for each in lines] == [each.digest for each in made.sent]
    answer = next(json.loads(line.body) for line in read_lines(ledger) if line.kind == "answer")
    assert (answer["bytes"], answer["data"]) == (12, '{"steps": [\ufffd')


def test_results_tell_outcomes_by_position_and_what_was_described(ledger):
    made = release(ledger)
    described = held(AUTH).object
    bare = held(AUTH, **dict.fromkeys(()))
    verdicts = [
        Denied(code=Code.NO_APPROVER),
        Allowed(outcome=Outcome(status=StepStatus.DONE), objects=(described, held(PAY).object), edges=(edge(),)),
        Allowed(
            outcome=Outcome(status=StepStatus.DONE),
            objects=(type(described)(object_id=AUTH, kind=bare.object.kind),),
        ),
    ]
    message = sent(made.results(2, list(map(made.decided, verdicts))))
    assert message["turn"] == 2
    assert [each["outcome"] for each in message["steps"]] == [
        {"status": "escalated"},
        {"status": "done"},
        {"status": "done"},
    ]
    told = {each["object_id"]: each for each in message["objects"]}
    assert told[AUTH]["semantic_class"] == SemanticClass.AUTHENTICATION_MODULE


def test_turns_are_limited_by_the_hour(ledger):
    made = release(ledger, turns_per_hour=2)
    made.turn()
    made.turn()
    with pytest.raises(LimitError, match="turns_per_hour"):
        made.turn()
    with pytest.raises(LimitError):
        release(ledger, turns_per_hour=2).turn()
