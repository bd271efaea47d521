"""The skill agrees with the vocabulary, the types and the catalog, because it is made from them; and it is short."""

from __future__ import annotations

import json
import re

import pytest
from handed import released
from told import AUTH, CATALOG, FIRST, PAY, SECOND

from plantwin.boundary.answer import decode_plan
from plantwin.cloud.answering import KEPT, plan_schema
from plantwin.cloud.conversation import Conversation
from plantwin.cloud.skill import EXAMPLES, FIELDS, SMALL, Skill, described
from plantwin.types.envelope import Registration
from plantwin.types.plan import MAX_INPUTS, MAX_STEPS, Step
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import CapabilityName, Kind, RepairCode

WHOLE = Skill(CATALOG, set(Kind))


def test_every_field_of_an_object_is_explained_and_no_other():
    assert tuple(FIELDS) == TwinObject.__struct_fields__
    assert all(f"{name} (" in WHOLE.text for name in FIELDS)


def test_every_word_of_the_small_vocabularies_is_there():
    for vocabulary in SMALL:
        assert "|".join(vocabulary) in WHOLE.text
    assert RepairCode in SMALL


def test_every_capability_of_the_catalog_is_listed_with_its_definition():
    lines = WHOLE.text.splitlines()
    for name, capability in CATALOG.items():
        (line,) = [each for each in lines if each.startswith(f"{name}(")]
        assert line.endswith(f"-> {capability.returns}: {capability.name.definition}")
        number = (
            str(capability.least) if capability.least == capability.most else f"{capability.least}-{capability.most}"
        )
        assert line.startswith(f"{name}({number} ") or name == "expand"
    assert f"At most {MAX_STEPS} steps, at most {MAX_INPUTS} inputs" in WHOLE.text


@pytest.mark.parametrize("kind", sorted(Kind))
def test_only_capabilities_that_fit_the_shown_kinds_are_listed(kind):
    skill = Skill(CATALOG, {kind})
    assert {each.word for each in skill.listed} == {
        name for name, capability in CATALOG.items() if kind in capability.kinds
    }
    assert set(re.findall(r"^([a-z_]+)\(", skill.text, re.MULTILINE)) == {each.word for each in skill.listed}


def test_lines_name_kinds_only_where_the_class_does_not_decide():
    assert described(CATALOG["analyze_logs"], set(Kind)).startswith("analyze_logs(1-8 log_stream|structured_record)")
    assert described(CATALOG["analyze_logs"], {Kind.LOG_STREAM}).startswith("analyze_logs(1-8 any)")
    assert described(CATALOG["compare"], set(Kind)).startswith("compare(2 any; any result) -> comparison")
    assert "of infrastructure|container_build" in described(CATALOG["audit_infrastructure"], set(Kind))


def test_examples_are_plans_over_the_catalog():
    for _, goal, plan in EXAMPLES:
        decoded = decode_plan(json.dumps(plan).encode())
        results = {}
        for step in decoded.steps:
            capability = CATALOG[step.capability]
            assert capability.least <= len(step.inputs) <= capability.most
            assert all(each not in results or results[each] in capability.takes for each in step.inputs)
            results[step.id] = capability.returns
        assert isinstance(goal["text"], list)
    assert "# Examples\ntwo modules" in WHOLE.text


def test_an_example_whose_capabilities_are_not_listed_is_left_out():
    assert "analyze_logs" not in Skill(CATALOG, {Kind.SECRET_CONTAINER}).text


def test_it_is_short_versioned_and_the_same_every_time():
    # About 3.9 characters to a token of English with such words: 2,100 tokens for everything.
    assert len(WHOLE.text) < 8600
    assert Skill(CATALOG, set(Kind)).version == WHOLE.version
    assert re.fullmatch(r"1\.[0-9a-f]{12}", WHOLE.version)
    assert Skill(CATALOG, {Kind.DOCUMENT}).version != WHOLE.version


def test_it_holds_nothing_of_the_session():
    talk = Conversation(CATALOG).hear(FIRST)
    assert AUTH not in talk.system
    assert PAY not in talk.system
    assert talk.system == Skill(CATALOG, {Kind.CODE_FILE}).text


def test_envelopes_stand_in_the_conversation_as_they_were_encoded():
    conversation = Conversation(CATALOG)
    talk = conversation.hear(FIRST)
    assert [line.encode() for line in talk.said[0].text.splitlines()] == [each.data for each in FIRST]
    conversation.answered('{"steps":[]}')
    again = conversation.hear(SECOND)
    assert [each.role for each in again.said] == ["user", "assistant", "user"]
    assert again.said[0] == talk.said[0]
    assert again.system == talk.system


def test_a_registration_begins_a_new_conversation():
    conversation = Conversation(CATALOG)
    conversation.hear(FIRST)
    conversation.answered("x")
    other = TwinObject(object_id="artifact_cccccccc", kind=Kind.DOCUMENT)
    talk = conversation.hear([released(Registration(objects=(other,)))])
    assert len(talk.said) == 1
    assert AUTH not in json.dumps([talk.schema, talk.system, talk.said[0].text])


def test_the_schema_is_tight_and_made_from_the_types():
    schema = Conversation(CATALOG).hear(FIRST).schema
    step = schema["properties"]["steps"]["items"]
    assert set(KEPT) <= set(Step.__struct_fields__)
    assert list(step["properties"]) == step["required"] == list(KEPT)
    assert step["additionalProperties"] is schema["additionalProperties"] is False
    assert step["properties"]["capability"]["enum"] == sorted(
        name for name, each in CATALOG.items() if Kind.CODE_FILE in each.kinds and name != "expand"
    )
    ids = step["properties"]["inputs"]["items"]["enum"]
    assert ids[:2] == [AUTH, PAY]
    assert ids[2:] == [f"s{number}" for number in range(1, MAX_STEPS + 1)]
    assert step["properties"]["inputs"]["maxItems"] == MAX_INPUTS
    assert schema["properties"]["steps"]["maxItems"] == MAX_STEPS
    plan = {"steps": [{"id": "s1", "capability": "lint", "inputs": [AUTH]}]}
    import jsonschema

    jsonschema.validate(plan, schema)
    assert decode_plan(json.dumps(plan).encode()).steps[0].capability == "lint"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"steps": [{"id": "s1", "capability": "lint", "inputs": ["artifact_zzzzzzzz"]}]}, schema)


def test_what_is_offered_and_grouped_can_be_asked_for():
    schema = plan_schema(["custom_abcdefgh", "lint"], ["group_abcdefgh"])
    text = json.dumps(schema)
    assert "custom_abcdefgh" in text
    assert "group_abcdefgh" in text
    assert CapabilityName.EXPAND.value not in text
