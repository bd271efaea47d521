"""The page about the wire format shows what the encoder makes and the decoder takes, and states every field."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import msgspec
import pytest

from plantwin.boundary.wire import MAX_ENVELOPE_BYTES, encode
from plantwin.cloud.answer import decode_plan
from plantwin.private.capabilities import catalog
from plantwin.types.capability import parts_of
from plantwin.types.envelope import Envelope
from plantwin.types.plan import MAX_INPUTS, MAX_STEPS, Where, part_of, source_of
from plantwin.types.schema import capacity, wire_schema
from plantwin.types.sets import MAX_SETS, TwinSet
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import Part

PAGE = (Path(__file__).parents[2] / "docs" / "wire-format.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"<!-- (?:encoded|decoded): (\w+) -->\n((?: {4}.*\n)+)", PAGE))


@pytest.mark.parametrize("name", ["registration", "request", "results", "repair"])
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
