"""What may leave cannot be forged, and what comes back cannot be smuggled in."""

from __future__ import annotations

import copy
import pickle

import jsonschema
import pytest

from plantwin.boundary import wire
from plantwin.boundary.answer import decode_plan
from plantwin.cloud.planner import outbound
from plantwin.errors import VocabularyError, WireError
from plantwin.types.envelope import Registration
from plantwin.types.plan import Plan, Step
from plantwin.types.schema import wire_schema
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import ContentTag, Kind

OBJECT = TwinObject(object_id="artifact_aaaaaaaa", kind=Kind.CODE_FILE)


def test_encoded_bytes_cannot_be_changed_copied_or_forged():
    encoded = wire.encode(Registration(objects=(OBJECT,)))
    with pytest.raises(WireError):
        encoded._data = b"private"
    with pytest.raises(WireError):
        del encoded._data
    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(WireError):
            attempt(encoded)
    with pytest.raises(WireError):
        type("Loose", (wire.Encoded,), {})
    with pytest.raises(WireError):
        outbound(wire.Encoded.__new__(wire.Encoded))
    for data in (b"private", encoded.data + b" ", encoded.data.replace(b"code_file", b"acme_corp"), "text"):
        object.__setattr__(encoded, "_data", data)
        with pytest.raises(WireError):
            outbound(encoded)


def test_a_tuple_that_lies_about_its_members_is_refused():
    class Liar(tuple):
        __slots__ = ()

        def __iter__(self):
            return iter((ContentTag.TABLES,))

        def __len__(self):
            return 1

        def __eq__(self, other):
            return True

        __hash__ = None

    with pytest.raises(VocabularyError):
        TwinObject(object_id="artifact_aaaaaaaa", kind=Kind.CODE_FILE, contains=Liar(("private text",)))
    with pytest.raises(VocabularyError):
        Registration(objects=Liar((OBJECT,)))


@pytest.mark.parametrize("field", ["contains", "usable_for", "lacks", "amounts", "sensitivity_causes"])
def test_the_schema_refuses_an_empty_list_as_the_types_do(field):
    told = {"object_id": "artifact_aaaaaaaa", "kind": "code_file", field: []}
    envelope = {"message": "registration", "version": 1, "objects": [told], "edges": [], "groups": []}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(envelope, wire_schema())


def test_a_plan_holds_steps_and_policies_only():
    with pytest.raises(WireError):
        Plan(steps=("s1",))
    with pytest.raises(WireError):
        Step(id="s1", capability="audit", policy="waived")
    with pytest.raises(WireError):
        decode_plan("[" * 60_000)
