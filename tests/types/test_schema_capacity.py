"""The wire's schema says how much every field can carry, and lets nothing through but what the encoder makes."""

from __future__ import annotations

import json
import re
from math import comb, log2
from pathlib import Path

import jsonschema
import msgspec
import pytest

from plantwin.boundary.wire import MAX_ENVELOPE_BYTES, encode
from plantwin.cloud.answer import decode_plan
from plantwin.private.capabilities import catalog
from plantwin.types.capability import parts_of
from plantwin.types.envelope import (
    MAX_OBJECTS,
    MAX_RELATIONS,
    MAX_TURNS,
    Budget,
    Envelope,
    Registration,
    Remainder,
    Repair,
    Request,
    Results,
    StepPrice,
)
from plantwin.types.goal import Goal
from plantwin.types.outcome import Outcome, StepResult
from plantwin.types.plan import MAX_INPUTS, MAX_STEPS, Narrowed, Plan, Step, Where, part_of, source_of
from plantwin.types.schema import (
    OBJECT_BITS,
    OUTCOME_BITS,
    RELATION_BITS,
    REPAIR_BITS,
    SET_BITS,
    STATED,
    capacity,
    undocumented,
    wire_schema,
)
from plantwin.types.sets import (
    MAX_CLASSES,
    MAX_SETS,
    AbsenceShare,
    AgeShare,
    ClassShare,
    DialectShare,
    EcosystemShare,
    EnvironmentShare,
    ProviderShare,
    SetRelation,
    TagShare,
    TwinSet,
)
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import (
    MAX_TAGS,
    Absence,
    Affected,
    Age,
    CapabilityName,
    ContentTag,
    DeploymentEnvironment,
    Dialect,
    Ecosystem,
    EdgeReason,
    EdgeType,
    Examined,
    Family,
    Freshness,
    Kind,
    Left,
    Part,
    Provider,
    RepairCode,
    Role,
    SemanticClass,
    Sensitivity,
    SetSize,
    Severity,
    Share,
    StepStatus,
)

SCHEMA = wire_schema()
ONE, OTHER, OBJECT = "set_aaaaaaaa", "set_bbbbbbbb", "artifact_aaaaaaaa"
FULL = TwinSet(
    set_id=ONE,
    size=SetSize.DOZENS,
    kind=Kind.CONFIG,
    family=Family.INFRASTRUCTURE,
    semantic_class=SemanticClass.INFRA_STORAGE,
    role=Role.PRODUCTION,
    component="component_aaaaaaaa",
    freshness=next(iter(Freshness)),
    age=(AgeShare(age=Age.NEWEST, share=Share.SOME), AgeShare(age=Age.OLDEST, share=Share.SOME)),
    environment=(EnvironmentShare(environment=DeploymentEnvironment.STAGING, share=Share.ALL),),
    provider=(ProviderShare(provider=Provider.AWS, share=Share.MOST),),
    ecosystem=(EcosystemShare(ecosystem=Ecosystem.GO, share=Share.SOME),),
    dialect=(DialectShare(dialect=Dialect.POSTGRES, share=Share.SOME),),
    sensitivity=Sensitivity.HIGH,
    classes=(ClassShare(semantic_class=SemanticClass.INFRA_STORAGE, share=Share.ALL),),
    contains=(TagShare(tag=ContentTag.CREDENTIALS, share=Share.SOME),),
    lacks=(AbsenceShare(absence=Absence.TESTS, share=Share.MOST),),
    ready=Share.ALL,
    named=True,
    within=OTHER,
)
MIXED = TwinSet(set_id=OTHER, size=SetSize.SEVERAL)
NAMED = TwinObject(object_id=OBJECT, kind=Kind.CONFIG, within=ONE)
RELATION = SetRelation(
    source=OTHER, edge=EdgeType.DEPENDS_ON, reason=EdgeReason.DOCUMENTS, target=OBJECT, share=Share.MOST
)
OUTCOME = Outcome(status=StepStatus.DONE, severity=Severity.HIGH, examined=Examined.MOST, affected=Affected.ONE)
ENVELOPES = [
    Registration(sets=(FULL, MIXED), objects=(NAMED,)),
    Request(
        goal=Goal(intents=(CapabilityName.LINT,), objects=(OBJECT,)),
        sets=(FULL, MIXED),
        relations=(RELATION,),
        objects=(NAMED,),
    ),
    Results(
        turn=2,
        steps=(StepResult(step=1, outcome=OUTCOME),),
        sets=(FULL, MIXED),
        relations=(RELATION,),
        objects=(NAMED,),
    ),
    Repair(code=RepairCode.UNKNOWN_PART, step=3),
    Budget(turns=3, steps=(StepPrice(step=1, price=40),), remainders=(Remainder(of=ONE, left=Left.SOME),)),
]


@pytest.mark.parametrize("envelope", ENVELOPES, ids=lambda each: type(each).__name__)
def test_what_the_encoder_makes_fits_the_schema(envelope):
    jsonschema.validate(json.loads(encode(envelope).data), SCHEMA)


def changed(position: int, *path: str | int, value: object) -> dict:
    """An envelope with one leaf replaced."""
    message = json.loads(encode(ENVELOPES[position]).data)
    node = message
    for each in path[:-1]:
        node = node[each]
    node[path[-1]] = value
    return message


def at(envelope: dict, set_id: str) -> int:
    return next(place for place, each in enumerate(envelope["sets"]) if each["set_id"] == set_id)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("set_id", "group_aaaaaaaa"),
        ("set_id", "set_AAAAAAAA"),
        ("size", "47"),
        ("size", 47),
        ("kind", "spreadsheet"),
        ("component", "payments"),
        ("classes", []),
        ("classes", [{"semantic_class": "runbook"}]),
        ("contains", [{"tag": "credentials", "share": "none"}]),
        ("contains", ["credentials"]),
        ("lacks", [{"absence": "tests", "share": "all", "name": "x"}]),
        ("age", "newest"),
        ("age", [{"age": "2024", "share": "all"}]),
        ("environment", [{"environment": "acme-prod", "share": "all"}]),
        ("provider", [{"provider": "aws"}]),
        ("named", False),
        ("within", "s1.affected"),
        ("name", "src/payments"),
    ],
)
def test_no_other_word_fits_a_set(field, value):
    message = json.loads(encode(ENVELOPES[0]).data)
    message["sets"][at(message, ONE)][field] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(message, SCHEMA)


@pytest.mark.parametrize(
    ("position", "path", "value"),
    [
        (1, ("relations", 0, "source"), "component_aaaaaaaa"),
        (1, ("relations", 0, "share"), "none"),
        (1, ("groups",), []),
        (1, ("version",), 1),
        (2, ("steps", 0, "outcome", "affected"), "three"),
        (2, ("steps", 0, "outcome", "examined"), "one"),
        (2, ("turn",), MAX_TURNS + 1),
        (3, ("step",), 33),
        (3, ("code",), "please"),
        (4, ("turns",), MAX_TURNS + 1),
        (4, ("steps", 0, "price"), 65),
        (4, ("remainders", 0, "left"), "3.5"),
        (4, ("remainders", 0, "of"), "s1"),
    ],
)
def test_no_other_word_fits_a_message(position, path, value):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(changed(position, *path, value=value), SCHEMA)


def test_every_field_of_every_type_states_its_capacity():
    assert undocumented() == set()
    for type_, bits in STATED:
        definition = SCHEMA["$defs"][type_.__name__]
        assert set(definition["properties"]) - {"message"} == set(type_.__struct_fields__) == set(bits)
        for field, stated in bits.items():
            assert definition["properties"][field]["x-capacity-bits"] == round(stated, 3)
        assert definition["x-capacity-bits"] == round(sum(bits.values()), 2)


def test_every_type_of_the_wire_that_has_fields_is_among_them():
    carried = {
        name
        for name, each in SCHEMA["$defs"].items()
        if each.get("type") == "object"
        and name not in ("Registration", "Request", "Results", "StepResult", "TagAmount")
    }
    assert carried == {type_.__name__ for type_, _ in STATED}


def test_the_capacity_of_a_set_counts_every_value_it_could_have():
    tags, leaves = len(ContentTag), len(SemanticClass)
    assert SET_BITS["set_id"] == 0.0
    assert SET_BITS["size"] == pytest.approx(log2(len(SetSize)))
    assert SET_BITS["named"] == 1.0
    assert SET_BITS["contains"] == pytest.approx(log2(sum(comb(tags, n) * 3**n for n in range(MAX_TAGS + 1))))
    assert SET_BITS["classes"] == pytest.approx(log2(sum(comb(leaves, n) * 3**n for n in range(MAX_CLASSES + 1))))
    assert SET_BITS["within"] == OBJECT_BITS["within"] == pytest.approx(log2(MAX_SETS * (MAX_TURNS + 1) + 1))
    assert RELATION_BITS["source"] == RELATION_BITS["target"] == pytest.approx(log2(MAX_OBJECTS + MAX_SETS))


def test_the_capacity_of_an_outcome_and_a_repair_counts_the_new_words():
    assert OUTCOME_BITS["examined"] == pytest.approx(log2(len(Examined) + 1))
    assert OUTCOME_BITS["affected"] == pytest.approx(log2(len(Affected) + 1))
    assert REPAIR_BITS["step"] == pytest.approx(log2(33))


def test_envelopes_are_the_sum_of_what_they_hold():
    bits = capacity()
    one_set, one_object = bits["set"]["total"], bits["object"]["total"]
    listed = log2(MAX_OBJECTS + 1) + MAX_OBJECTS * one_object + log2(MAX_SETS + 1) + MAX_SETS * one_set
    assert bits["registration"] == pytest.approx(listed)
    assert bits["envelope"] == max(bits["request"], bits["results"]) > bits["registration"]
    assert bits["request"] > listed + MAX_RELATIONS * bits["relation"]["total"] + bits["goal"]["total"]
    assert bits["limits"]["sets"] == MAX_SETS and bits["limits"]["relations"] == MAX_RELATIONS
    for name in ("Registration", "Request", "Results"):
        assert SCHEMA["$defs"][name]["x-capacity-bits"] == round(bits[name.lower()], 2)


def test_a_set_tells_less_than_its_members_would():
    assert capacity()["set"]["total"] < 2 * capacity()["object"]["total"]


def test_no_free_string_is_among_the_leaves():
    def strings(node):
        if isinstance(node, dict):
            if node.get("type") == "string":
                yield node
            for each in node.values():
                yield from strings(each)
        elif isinstance(node, list):
            for each in node:
                yield from strings(each)

    for leaf in strings(SCHEMA):
        assert re.match(r"\^(?:\\\+|(?:artifact|component|custom|set|\(\?:set\|artifact\))_)", leaf["pattern"])
        assert leaf["maxLength"] <= 25


def test_the_schema_of_a_plan_knows_ids_and_narrower_sets():
    """What comes back has a schema too: `msgspec` makes one of the union of inputs."""
    schema = msgspec.json.schema(Plan)
    step = Step(
        id="s1",
        capability="summarize",
        inputs=(ONE, Narrowed(set=OTHER, where=Where(semantic_class=SemanticClass.RUNBOOK))),
    )
    jsonschema.validate(json.loads(msgspec.json.encode(Plan(steps=(step,)))), schema)
    wrong = {"steps": [{"id": "s1", "capability": "summarize", "inputs": [{"set": OTHER, "where": {"name": "x"}}]}]}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, schema)


# The page about the wire format shows what the encoder makes and the decoder takes, and states every field

PAGE = (Path(__file__).parents[2] / "docs" / "wire-format.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"<!-- (?:encoded|decoded): (\w+) -->\n((?: {4}.*\n)+)", PAGE))


@pytest.mark.parametrize("name", ["registration", "request", "results", "repair", "budget"])
def test_an_example_is_what_the_encoder_makes(name):
    shown = json.loads(EXAMPLES[name])
    assert shown["message"] == name
    envelope = msgspec.convert(shown, Envelope)
    jsonschema.validate(shown, wire_schema())
    made = json.loads(encode(envelope).data)
    for message in (shown, made):  # rows are in random order on the wire
        for rows in ("sets", "objects", "relations", "edges"):
            message.get(rows, []).sort(key=json.dumps)
    assert json.dumps(made) == json.dumps(shown)


def test_the_plan_is_one_over_the_sets_of_the_examples():
    shown = {each["set_id"] for each in json.loads(EXAMPLES["request"])["sets"]}
    plan = decode_plan(EXAMPLES["plan"].encode())
    made = {step.id: catalog()[step.capability] for step in plan.steps}
    for step in plan.steps:
        for each in step.inputs:
            source = source_of(each)
            assert source in shown or source in made
            assert part_of(each) is None or part_of(each) in parts_of(made[source].returns)


def test_every_field_part_condition_and_limit_is_stated():
    for field in (*TwinSet.__struct_fields__, *TwinObject.__struct_fields__, *Where.__struct_fields__, *Part):
        assert re.search(rf"`(?:s1\.)?{field}`", PAGE), field
    for number in (MAX_SETS, MAX_STEPS, MAX_INPUTS, f"{MAX_ENVELOPE_BYTES:,}"):
        assert str(number) in PAGE
    bits = capacity()
    stated = re.search(r"One set can carry (\d+) bits at most, one object (\d+), one outcome (\d+)", PAGE)
    assert stated
    assert [int(each) for each in stated.groups()] == [
        round(bits[each]["total"]) for each in ("set", "object", "outcome")
    ]
