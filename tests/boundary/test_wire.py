"""The one encoder: canonical, bounded, checked by reading back."""

from __future__ import annotations

import json

import jsonschema
import pytest

from plantwin.boundary import wire
from plantwin.boundary.identity import Issuer
from plantwin.errors import WireError
from plantwin.private.opening import registration
from plantwin.types.envelope import MAX_OBJECTS, Registration
from plantwin.types.schema import EDGE_BITS, GROUP_BITS, OBJECT_BITS, capacity, undocumented, wire_schema
from plantwin.types.twin import Twin, TwinObject
from plantwin.vocabulary import Confidence, Kind, SemanticClass


def twin(size, **fields):
    issuer = Issuer()
    return Twin(
        objects=tuple(TwinObject(object_id=issuer.object_id(), kind=Kind.CONFIG, **fields) for _ in range(size))
    )


def test_registration_tells_the_kind_and_nothing_else():
    full = twin(3, semantic_class=SemanticClass.APP_CONFIG, confidence=Confidence.HIGH)
    message = json.loads(wire.encode(registration(full)).data)
    assert {frozenset(each) for each in message["objects"]} == {frozenset({"object_id", "kind"})}
    assert message["edges"] == []


def test_a_large_tree_is_sampled_and_the_rest_counted():
    full = twin(MAX_OBJECTS + 5)
    message = json.loads(wire.encode(registration(full)).data)
    assert len(message["objects"]) == MAX_OBJECTS
    assert [(each["count"], each["kind"]) for each in message["groups"]] == [("few", "config")]
    listed = [tuple(each["object_id"] for each in message["objects"])]
    again = json.loads(wire.encode(registration(full)).data)
    assert listed != [tuple(each["object_id"] for each in again["objects"])]


@pytest.mark.parametrize(("rest", "count"), [(1, "one"), (2, "few"), (9, "few"), (10, "many")])
def test_counts_are_buckets(rest, count):
    message = registration(twin(MAX_OBJECTS + rest))
    assert [group.count for group in message.groups] == [count]


def test_bytes_are_canonical_and_match_the_schema():
    encoded = wire.encode(registration(twin(4)))
    message = json.loads(encoded.data)
    assert encoded.data == json.dumps(message, sort_keys=True, separators=(",", ":")).encode()
    jsonschema.validate(message, wire_schema())
    assert len(encoded) == len(encoded.data)
    assert encoded.digest in repr(encoded) or encoded.digest[:12] in repr(encoded)


def test_oversized_envelopes_do_not_leave(monkeypatch):
    monkeypatch.setattr(wire, "MAX_ENVELOPE_BYTES", 100)
    with pytest.raises(WireError, match="may leave"):
        wire.encode(registration(twin(4)))
    with pytest.raises(WireError, match="too large"):
        wire.decode_envelope(b"x" * 101)


def test_bytes_that_do_not_read_back_do_not_leave(monkeypatch):
    monkeypatch.setattr(wire, "decode_envelope", lambda data: Registration(objects=()))
    with pytest.raises(WireError, match="read back"):
        wire.encode(registration(twin(1)))


def test_capacity_counts_every_field_once():
    bits = capacity()
    assert undocumented() == set()
    assert bits["object"]["total"] == pytest.approx(sum(OBJECT_BITS.values()))
    assert bits["edge"]["total"] == pytest.approx(sum(EDGE_BITS.values()))
    assert bits["group"]["total"] == pytest.approx(sum(GROUP_BITS.values()))
    assert OBJECT_BITS["kind"] == pytest.approx(2.585, abs=1e-3)
    assert bits["registration"] < bits["envelope"]
    for name, fields in (("TwinObject", OBJECT_BITS), ("TwinEdge", EDGE_BITS), ("Group", GROUP_BITS)):
        assert set(wire_schema()["$defs"][name]["properties"]) == set(fields)


def test_an_issuer_never_issues_an_id_twice(monkeypatch):
    draws = iter([b"\0" * 5, b"\0" * 5, b"\1" * 5])
    monkeypatch.setattr("plantwin.boundary.identity.secrets.token_bytes", lambda size: next(draws))
    issuer = Issuer()
    assert issuer.object_id() != issuer.object_id()


@pytest.mark.parametrize("spoil", ["twice", "unknown", "order"])
def test_an_envelope_with_a_wrong_graph_is_refused(spoil):
    message = json.loads(wire.encode(registration(twin(2))).data)
    if spoil == "twice":
        message["objects"].append(message["objects"][0])
    elif spoil == "unknown":
        edge = {"source": message["objects"][0]["object_id"], "edge": "depends_on", "target": "artifact_zzzzzzzz"}
        message["edges"] = [edge]
    else:
        message["objects"][0]["contains"] = ["tables", "dates"]
    with pytest.raises(WireError):
        wire.decode_envelope(json.dumps(message).encode())
