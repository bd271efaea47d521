"""The skill agrees with the vocabulary, the types and the catalog, because it is made from them; and it is short."""

from __future__ import annotations

import json
import re

import jsonschema
import msgspec
import pytest
from handed import released
from set_folders import object_id, set_id, told
from told import AUTH, CATALOG, FIRST, PAY, SECOND

from plantwin.cloud.answer import decode_plan
from plantwin.cloud.conversation import KEPT, MOST_STEPS, Conversation, plan_schema
from plantwin.cloud.skill import EXAMPLES, FIELDS, SECTIONS, SMALL, Skill, described
from plantwin.types.capability import TELLING, Catalog, parts_of
from plantwin.types.envelope import Registration, Request
from plantwin.types.goal import Goal
from plantwin.types.plan import MAX_INPUTS, MAX_STEPS, Step, Where, part_of, source_of
from plantwin.types.sets import TwinSet
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import Dimension, Kind, Part, ResultType, SemanticClass, WorksOn

WHOLE = Skill(CATALOG, set(Kind))


def tokens(text):
    """How long a text is for a model, by a simple measure: words and marks."""
    return len(re.findall(r"\w+|[^\w\s]", text))


def test_every_field_of_a_set_is_there_and_no_other():
    assert ("set_id", "size", *FIELDS) == TwinSet.__struct_fields__
    assert all(re.search(rf"\b{name}\b", WHOLE.text) for name in (*FIELDS, "size"))


def test_every_word_of_the_small_vocabularies_is_there():
    for vocabulary in SMALL:
        assert "|".join(vocabulary) in WHOLE.text


def test_what_an_input_may_be_is_said():
    assert ", ".join(Where.__struct_fields__) in WHOLE.text
    for part in Part:
        assert re.search(rf"\b{part.value}\b", WHOLE.text)
    for type_ in ResultType:
        besides = parts_of(type_) - parts_of(ResultType.FINDINGS)
        assert not besides or re.search(rf"of [a-z|]*\b{type_.value}\b[a-z|]* {', '.join(sorted(besides))}", WHOLE.text)
    assert f'"by":"{"|".join(Dimension)}"' in WHOLE.text
    assert f"At most {MAX_STEPS} steps of {MAX_INPUTS} inputs" in WHOLE.text


def test_every_capability_of_the_catalog_is_listed_with_its_definition():
    lines = WHOLE.text.splitlines()
    for name, capability in CATALOG.items():
        (line,) = [each for each in lines if re.match(rf"{name}[ (:]", each)]
        assert line.endswith(f": {capability.name.definition}")
        assert f"-> {capability.returns}:" in line or capability.returns in (ResultType.FINDINGS, ResultType.FIELDS)


@pytest.mark.parametrize("works_on", sorted(WorksOn))
def test_it_says_of_every_capability_what_it_does_with_a_set(works_on):
    lines = WHOLE.text.splitlines()
    names = [name for name, each in CATALOG.items() if each.works_on is works_on and each.name not in TELLING]
    if not names:
        assert SECTIONS[works_on] not in lines
        return
    start = lines.index(SECTIONS[works_on]) + 1
    assert [re.split(r"[ (:]", line)[0] for line in lines[start : start + len(names)]] == names


def test_pairs_say_how_they_are_found():
    changed = msgspec.structs.replace(CATALOG["compare"], works_on=WorksOn.PAIRS)
    text = Skill(Catalog([changed, CATALOG["lint"]]), set(Kind)).text
    assert f"{SECTIONS[WorksOn.PAIRS]}\ncompare(" in text and "by relations and names" in text


@pytest.mark.parametrize("kind", sorted(Kind))
def test_only_capabilities_that_fit_the_shown_kinds_are_listed(kind):
    skill = Skill(CATALOG, {kind})
    fitting = {name for name, capability in CATALOG.items() if kind in capability.kinds}
    assert {each.word for each in skill.listed} == fitting
    assert {name for name in CATALOG if re.search(rf"^{name}[ (:]", skill.text, re.MULTILINE)} == fitting


def test_lines_name_kinds_only_where_the_class_does_not_decide():
    assert described(CATALOG["analyze_logs"], set(Kind)).startswith("analyze_logs(log_stream|structured_record) -> ")
    assert described(CATALOG["analyze_logs"], {Kind.LOG_STREAM}).startswith("analyze_logs -> events:")
    assert described(CATALOG["compare"], set(Kind)).startswith("compare(any; results) -> comparison")
    assert "(infrastructure|ci_pipeline|container_build" in described(CATALOG["audit_infrastructure"], set(Kind))


def test_the_family_of_every_class_that_is_shown_is_said_and_of_no_other():
    leaves = [SemanticClass.RUNBOOK, SemanticClass.INFRA_STORAGE, SemanticClass.INFRA_ACCESS]
    assert (
        "Families: guides: runbook; infrastructure: infra_access, infra_storage\n"
        in Skill(CATALOG, set(Kind), leaves).text
    )
    assert "Families" not in WHOLE.text


def test_examples_are_plans_over_the_catalog():
    for _, plan in EXAMPLES:
        results = {}
        for step in decode_plan(json.dumps(plan).encode()).steps:
            for each in step.inputs:
                made = results.get(source_of(each))
                assert made is None or part_of(each) in parts_of(made)
            results[step.id] = CATALOG[step.capability].returns
    assert WHOLE.text.count('{"steps":[{"id":"s1"') == 1 + len(EXAMPLES)


def test_an_example_whose_capabilities_are_not_listed_is_left_out():
    assert "analyze_logs" not in Skill(CATALOG, {Kind.SECRET_CONTAINER}).text


def test_it_asks_for_economy():
    assert "what this folder is" in WHOLE.text and "the one question behind the goal" in WHOLE.text
    assert "the few capabilities whose results together answer exactly that" in WHOLE.text.replace("\n", " ")
    assert "Prefer the capability made for that class of things over a general one" in WHOLE.text


def test_it_is_short_versioned_and_the_same_every_time():
    # With sets, parts, narrowing and eleven more capabilities it is shorter than edition 1: 1,942 words and marks.
    assert tokens(WHOLE.text) < 1942
    assert len(WHOLE.text) < 8900
    assert Skill(CATALOG, set(Kind)).version == WHOLE.version
    assert re.fullmatch(r"3\.[0-9a-f]{12}", WHOLE.version)
    assert Skill(CATALOG, {Kind.DOCUMENT}).version != WHOLE.version


def test_it_holds_nothing_of_the_session():
    talk = Conversation(CATALOG).hear(FIRST)
    assert AUTH not in talk.system
    assert PAY not in talk.system
    leaves = [SemanticClass.AUTHENTICATION_MODULE, SemanticClass.PAYMENT_MODULE]
    assert talk.system == Skill(CATALOG, {Kind.CODE_FILE}, leaves).text


SETS = (
    told("a", "dozens", "config infra_storage credentials:some"),
    told("b", "several", "document runbook+readme personal_data:all"),
)
OBJECT = TwinObject(object_id=object_id("p"), kind=Kind.CONFIG, within=set_id("a"))
OVER_SETS = (
    released(Registration(sets=tuple(TwinSet(set_id=each.set_id, size=each.size, kind=each.kind) for each in SETS))),
    released(Request(goal=Goal(objects=(object_id("p"),)), sets=SETS, objects=(OBJECT,))),
)


def test_the_skill_of_a_session_lists_what_its_sets_are_of():
    conversation = Conversation(CATALOG)
    talk = conversation.hear(OVER_SETS)
    leaves = [SemanticClass.INFRA_STORAGE, SemanticClass.RUNBOOK, SemanticClass.README]
    assert talk.system == Skill(CATALOG, {Kind.CONFIG, Kind.DOCUMENT}, leaves).text
    assert conversation.hear(SECOND).system == talk.system
    mixed = Conversation(CATALOG).hear([released(Registration(sets=(told("c", "dozens"),)))])
    assert mixed.system == WHOLE.text


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
        name for name, each in CATALOG.items() if Kind.CODE_FILE in each.kinds and name != "split"
    )
    names = step["properties"]["inputs"]["items"]["enum"]
    steps = [f"s{number}" for number in range(1, MOST_STEPS + 1)]
    assert names == [AUTH, PAY, *steps, *(f"{each}.{part}" for each in steps for part in Part)]
    assert step["properties"]["inputs"]["maxItems"] == MAX_INPUTS
    assert schema["properties"]["steps"]["maxItems"] == MOST_STEPS <= MAX_STEPS
    plan = {"steps": [{"id": "s1", "capability": "lint", "inputs": [AUTH]}]}
    jsonschema.validate(plan, schema)
    assert decode_plan(json.dumps(plan).encode()).steps[0].capability == "lint"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"steps": [{"id": "s1", "capability": "lint", "inputs": ["artifact_zzzzzzzz"]}]}, schema)


RUNBOOKS = {"set": set_id("b"), "where": {"semantic_class": "runbook"}}


@pytest.mark.parametrize(
    "step",
    [
        {"capability": "summarize", "inputs": [set_id("a"), set_id("b"), object_id("p")]},
        {"capability": "summarize", "inputs": [RUNBOOKS]},
        {"capability": "summarize", "inputs": [{"set": "s1.affected", "where": {"family": "guides"}}]},
        {"capability": "secret_scan", "inputs": [{"set": set_id("a"), "where": {"contains": "credentials"}}]},
        {"capability": "find_impact", "inputs": ["s2.worst"]},
        {"capability": "split", "inputs": [set_id("b")], "by": "semantic_class"},
    ],
)
def test_the_schema_lets_plans_over_sets_through(step):
    schema = Conversation(CATALOG).hear(OVER_SETS).schema
    plan = {"steps": [{"id": "s3", **step}]}
    jsonschema.validate(plan, schema)
    assert decode_plan(json.dumps(plan).encode(), {"s1", "s2"}).steps


@pytest.mark.parametrize(
    "step",
    [
        {"capability": "summarize", "inputs": [set_id("z")]},
        {"capability": "summarize", "inputs": [{"set": object_id("p"), "where": {"semantic_class": "runbook"}}]},
        {"capability": "summarize", "inputs": [{"set": set_id("b"), "where": {}}]},
        {"capability": "summarize", "inputs": [{"set": set_id("b"), "where": {"semantic_class": "lock_file"}}]},
        {"capability": "summarize", "inputs": [{"set": set_id("b"), "where": {"contains": "personal_data"}}]},
        {"capability": "summarize", "inputs": [set_id("b")], "by": "family"},
        {"capability": "split", "inputs": [set_id("b")]},
        {"capability": "split", "inputs": [object_id("p")], "by": "family"},
        {"capability": "split", "inputs": [set_id("b")], "by": "kind"},
        {"capability": "find_impact", "inputs": ["s1.best"]},
    ],
)
def test_the_schema_refuses_what_was_not_told_and_what_is_no_step(step):
    schema = Conversation(CATALOG).hear(OVER_SETS).schema
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"steps": [{"id": "s1", **step}]}, schema)


def test_what_is_offered_can_be_asked_for_and_nothing_is_split_where_there_are_no_sets():
    text = json.dumps(plan_schema(["custom_abcdefgh", "lint", "split"], [AUTH]))
    assert "custom_abcdefgh" in text
    assert '"by"' not in text and '"where"' not in text


def test_no_field_is_optional_as_strict_servers_want_it():
    def objects(node):
        if isinstance(node, dict):
            if node.get("type") == "object":
                yield node
            for each in node.values():
                yield from objects(each)
        elif isinstance(node, list):
            for each in node:
                yield from objects(each)

    for node in objects(Conversation(CATALOG).hear(OVER_SETS).schema):
        assert node["required"] == list(node["properties"])
        assert node["additionalProperties"] is False
