"""Promise 1: every byte that leaves is a vocabulary word, a fresh random id or a bounded integer."""

from __future__ import annotations

import json
import re

import jsonschema
import msgspec
import pytest
from generated import WORDS, dress, environments, told
from hypothesis import given, settings
from hypothesis import strategies as st

from plantwin.boundary.wire import Encoded, decode_envelope, encode
from plantwin.cloud.planner import outbound
from plantwin.errors import VocabularyError, WireError
from plantwin.lexicon import words
from plantwin.private.project import build
from plantwin.types.goal import BLANKS, MARKS
from plantwin.types.identity import Issuer
from plantwin.types.schema import wire_schema

# Each begins with a character that no vocabulary word has, so that "document" is not found by chance.
VALIDATED = wire_schema()
SECRETS = st.lists(st.text(max_size=12).map("~{}".format), min_size=20, max_size=20).map(lambda texts: texts * 10)


def leaves(schema, node, path=()):
    """Every leaf of a JSON Schema, with the way to it."""
    if "$ref" in node:
        node = {**schema["$defs"][node["$ref"].rsplit("/", 1)[1]], **{k: v for k, v in node.items() if k != "$ref"}}
    if "anyOf" in node:
        for branch in node["anyOf"]:
            yield from leaves(schema, branch, path)
    elif node.get("type") == "object":
        assert node["additionalProperties"] is False, path
        for name, child in node["properties"].items():
            yield from leaves(schema, child, (*path, name))
    elif node.get("type") == "array":
        assert isinstance(node["maxItems"], int), path
        yield from leaves(schema, node["items"], (*path, "[]"))
    else:
        yield path, node


def test_no_leaf_of_the_schema_is_an_unbounded_string():
    schema = wire_schema()
    found = list(leaves(schema, schema))
    assert len(found) > 25
    for path, leaf in found:
        if "enum" in leaf and path[-2:] == ("text", "[]"):
            assert set(leaf["enum"]) == {*words(), *BLANKS, *MARKS}, path
        elif leaf.get("pattern") == r"^\+[a-z]{2,24}$":
            # A word that the person added to their own configuration: never one that the goal or X brings.
            assert path[-3:] == ("goal", "text", "[]")
            assert leaf["maxLength"] == 25
        elif "enum" in leaf:
            assert 1 <= len(leaf["enum"]) <= 128, path
            assert all(value in (2, True) or re.fullmatch("[a-z0-9_]+", value) for value in leaf["enum"]), path
        elif leaf["type"] == "integer":
            assert 0 <= leaf["minimum"] <= leaf["maximum"] <= 64, path
        else:
            assert leaf["type"] == "string", path
            assert leaf["pattern"] == r"^(?:set|artifact)_[a-z2-7]{8}$" or re.fullmatch(
                r"\^(artifact|component|custom|set)_\[a-z2-7\]\{8\}\$", leaf["pattern"]
            ), path
            assert leaf["maxLength"] <= 18, path


def test_every_field_states_its_capacity():
    schema = wire_schema()
    for name in ("TwinObject", "TwinEdge", "TwinSet", "SetRelation", "Goal", "Outcome"):
        for field, spec in schema["$defs"][name]["properties"].items():
            assert isinstance(spec["x-capacity-bits"], float), (name, field)


@settings(max_examples=60, deadline=None)
@given(environments(), SECRETS)
def test_private_text_never_reaches_the_wire(environment, texts):
    records, relations = dress(environment, texts)
    twin, _ = build(records, relations, Issuer())
    sent = told(records, relations)[1]
    everything = msgspec.json.encode(twin)
    for text in texts:
        for form in (text, json.dumps(text)[1:-1]):
            assert form.encode("utf-8", "replace") not in everything
            assert form.encode("utf-8", "replace") not in b"".join(sent)
    for data in sent:
        jsonschema.validate(json.loads(data), VALIDATED)


@settings(max_examples=100, deadline=None)
@given(
    environments(most=3), st.sampled_from([*WORDS, "semantic_class", "family", "readiness_cause"]), st.text(min_size=1)
)
def test_a_value_outside_the_vocabulary_is_an_error_that_quotes_nothing(environment, field, text):
    objects, components, edges = environment
    known = {str(each) for vocabulary in WORDS.values() for each in vocabulary}
    text = text + "~"
    assert text not in known
    spoiled = [{**objects[0], field: text}, *objects[1:]]
    records, relations = dress((spoiled, components, edges), [f"private text {n}" for n in range(200)])
    with pytest.raises(VocabularyError) as refused:
        build(records, relations, Issuer())
    assert len(text) < 4 or text not in str(refused.value)


@pytest.mark.parametrize("field", ["contains", "usable_for", "lacks", "sensitivity_causes"])
def test_a_tag_outside_the_vocabulary_is_an_error(field):
    value = (("acme_payroll", "few"),) if field == "contains" else ("acme_payroll",)
    objects = [
        {
            "kind": "config", "semantic_class": "app_config", "family": "configuration", "role": "production",
            "sensitivity": "low", "freshness": "today", "size_bucket": "small", "confidence": "high", field: value,
        }
    ]  # fmt: skip
    records, _ = dress((objects, [0], []), [f"text {n}" for n in range(20)])
    with pytest.raises(VocabularyError):
        build(records, [], Issuer())


def test_only_the_encoder_makes_outbound_bytes():
    with pytest.raises(WireError):
        Encoded(b"{}", object())
    with pytest.raises(WireError):
        outbound(b"{}")  # type: ignore[arg-type]
    with pytest.raises(WireError):
        encode({"objects": []})  # type: ignore[arg-type]


@given(st.binary(max_size=400))
def test_the_decoder_refuses_what_is_not_an_envelope(data):
    with pytest.raises(WireError):
        decode_envelope(data)


@settings(max_examples=40, deadline=None)
@given(environments(most=4), st.text(max_size=20))
def test_the_decoder_refuses_any_added_field(environment, text):
    records, relations = dress(environment, [f"text {n}" for n in range(200)])
    for data in told(records, relations)[1]:
        for rows in ("objects", "sets", "relations", "steps"):
            envelope = json.loads(data)
            if envelope.get(rows):
                envelope[rows][0]["note"] = text
                with pytest.raises(WireError):
                    decode_envelope(json.dumps(envelope).encode())
