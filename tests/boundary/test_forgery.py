"""What may leave cannot be forged, and what comes back cannot be smuggled in."""

from __future__ import annotations

import copy
import json
import pickle

import jsonschema
import pytest
from builders import CATALOG, channel, held

from plantwin.boundary import wire
from plantwin.boundary.release import Release, Released
from plantwin.cloud.answer import decode_plan
from plantwin.cloud.offline.planner import Offline
from plantwin.cloud.planner import outbound
from plantwin.cloud.scripted import Scripted
from plantwin.errors import VocabularyError, WireError
from plantwin.ledgers.records import read_lines
from plantwin.ledgers.rehearsal import Rehearsal
from plantwin.types.envelope import Registration
from plantwin.types.goal import Goal, Verbatim
from plantwin.types.ledger import Receipt
from plantwin.types.plan import Plan, Step
from plantwin.types.schema import wire_schema
from plantwin.types.twin import TwinObject
from plantwin.types.verdict import DONE, Allowed, Code, Denied
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
        _ = wire.Encoded.__new__(wire.Encoded).data
    for data in (b"private", encoded.data + b" ", encoded.data.replace(b"code_file", b"acme_corp"), "text"):
        object.__setattr__(encoded, "_data", data)
        with pytest.raises(WireError):
            _ = encoded.data


def test_what_the_encoder_made_is_not_sent_unless_the_ledger_holds_it(ledger):
    encoded = wire.encode(Registration(objects=(OBJECT,)))
    for unrecorded in (encoded, encoded.data, wire.encode_verbatim(Verbatim(text="review"))):
        with pytest.raises(WireError, match="not recorded"):
            outbound(unrecorded)
        with pytest.raises(WireError, match="only what was recorded"):
            Released(unrecorded, Receipt(1, b"mac"), object())
    released = Release(channel(ledger)).registration([held()])
    (line,) = (each for each in read_lines(ledger) if each.kind == "envelope")
    assert outbound(released) == released.data == json.loads(line.body)["data"].encode()
    assert released.receipt == (line.number, line.mac)
    assert f"line {line.number}>" in repr(released)
    assert len(released) == len(released.data)


def test_a_verdict_that_nobody_charged_is_not_told(ledger):
    """A fully described object in a verdict of one's own has no line in the ledger."""
    made = Release(channel(ledger))
    made.registration([held()])
    verdict = Allowed(outcome=DONE, objects=(held().object,))
    with pytest.raises(WireError, match="only what was decided"):
        made.results(1, [verdict])
    equal, charged = Denied(code=Code.OVER_BUDGET), made.decided(Denied(code=Code.OVER_BUDGET))
    with pytest.raises(WireError, match="only what was decided"):
        made.results(1, [charged, equal])
    assert made.results(1, [charged]).receipt.number


def test_what_was_rehearsed_is_shown_and_not_sent(ledger):
    made = Release(channel(Rehearsal(ledger)))
    drafted = [made.registration([held()]), made.request(Goal(), {held().id: ("semantic_class",)})]
    drafted += [made.results(1, ()), made.repair("cycle"), made.verbatim("review")]
    for envelope in drafted:
        assert envelope.data
        assert envelope.receipt.number == 0
        with pytest.raises(WireError, match="not recorded"):
            outbound(envelope)
    assert list(read_lines(ledger)) == []


@pytest.mark.parametrize("planner", [Scripted([]), Offline(CATALOG)], ids=lambda each: each.name)
def test_no_planner_takes_what_is_not_recorded(ledger, planner):
    recorded, rehearsed = (Release(channel(each)).registration([held()]) for each in (ledger, Rehearsal(ledger)))
    for wrong in (wire.encode(Registration(objects=(OBJECT,))), rehearsed):
        with pytest.raises(WireError, match="not recorded"):
            planner.plan([recorded, wrong])


def test_a_receipt_cannot_be_put_on_other_bytes(ledger):
    released = Release(channel(ledger)).registration([held()])
    with pytest.raises(WireError):
        released._receipt = Receipt(7, b"")
    with pytest.raises(WireError):
        del released._encoded
    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(WireError):
            attempt(released)
    with pytest.raises(WireError):
        type("Loose", (Released,), {})
    object.__setattr__(released._encoded, "_data", b"private")
    with pytest.raises(WireError):
        outbound(released)


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
    envelope = {"message": "registration", "version": 2, "objects": [told], "sets": []}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(envelope, wire_schema())


def test_a_plan_holds_steps_and_policies_only():
    with pytest.raises(WireError):
        Plan(steps=("s1",))
    with pytest.raises(WireError):
        Step(id="s1", capability="audit", policy="waived")
    with pytest.raises(WireError):
        decode_plan("[" * 60_000)
