"""The one encoder: canonical, bounded, checked by reading back."""

from __future__ import annotations

import json

import jsonschema
import pytest

from plantwin.boundary import wire
from plantwin.errors import WireError
from plantwin.types.envelope import Registration
from plantwin.types.identity import Issuer
from plantwin.types.schema import STATED, capacity, undocumented, wire_schema
from plantwin.types.sets import TwinSet
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import Kind, SetSize


def registration(size=4):
    issuer = Issuer()
    sets = sorted(issuer.set_id() for _ in range(size))
    return Registration(
        objects=tuple(TwinObject(object_id=issuer.object_id(), kind=Kind.CONFIG, within=sets[0]) for _ in range(size)),
        sets=tuple(TwinSet(set_id=each, size=SetSize.DOZENS, kind=Kind.CONFIG) for each in sets),
    )


def test_bytes_are_canonical_and_match_the_schema():
    encoded = wire.encode(registration())
    message = json.loads(encoded.data)
    assert encoded.data == json.dumps(message, sort_keys=True, separators=(",", ":")).encode()
    jsonschema.validate(message, wire_schema())
    assert len(encoded) == len(encoded.data)
    assert encoded.digest in repr(encoded) or encoded.digest[:12] in repr(encoded)


def test_oversized_envelopes_do_not_leave(monkeypatch):
    monkeypatch.setattr(wire, "MAX_ENVELOPE_BYTES", 100)
    with pytest.raises(WireError, match="may leave"):
        wire.encode(registration())
    with pytest.raises(WireError, match="too large"):
        wire.decode_envelope(b"x" * 101)


def test_bytes_that_do_not_read_back_do_not_leave(monkeypatch):
    monkeypatch.setattr(wire, "decode_envelope", lambda data: Registration(objects=()))
    with pytest.raises(WireError, match="read back"):
        wire.encode(registration(1))


def test_capacity_counts_every_field_once():
    bits = capacity()
    assert undocumented() == set()
    for name in ("object", "edge", "set", "relation", "goal", "offer", "outcome"):
        assert bits[name]["total"] == pytest.approx(sum(bits[name]["fields"].values()))
    assert bits["object"]["fields"]["kind"] == pytest.approx(2.585, abs=1e-3)
    assert bits["registration"] < bits["envelope"]
    for type_, fields in STATED:
        told = set(wire_schema()["$defs"][type_.__name__]["properties"]) - {"message"}
        assert told == set(fields), type_


def test_an_issuer_never_issues_an_id_twice(monkeypatch):
    draws = iter([b"\0" * 5, b"\0" * 5, b"\1" * 5])
    monkeypatch.setattr("plantwin.types.identity.secrets.token_bytes", lambda size: next(draws))
    issuer = Issuer()
    assert issuer.component_id() != issuer.component_id()


@pytest.mark.parametrize("spoil", ["twice", "unknown", "order", "size", "set_order"])
def test_an_envelope_with_a_wrong_graph_is_refused(spoil):
    message = json.loads(wire.encode(registration(2)).data)
    if spoil == "twice":
        message["objects"].append(message["objects"][0])
    elif spoil == "unknown":
        edge = {"source": message["objects"][0]["object_id"], "edge": "depends_on", "target": "artifact_zzzzzzzz"}
        message |= {"message": "results", "turn": 1, "edges": [edge]}
    elif spoil == "size":
        message["sets"][0]["size"] = 12
    elif spoil == "set_order":
        message["sets"].reverse()
    else:
        message["objects"][0]["contains"] = ["tables", "dates"]
    with pytest.raises(WireError):
        wire.decode_envelope(json.dumps(message).encode())
