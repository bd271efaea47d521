"""An answer that is no plan may be corrected once: one closed word is told of it, recorded before it leaves."""

from __future__ import annotations

import hashlib
import json

import msgspec
import pytest
from builders import channel

from plantwin.boundary.release import Release
from plantwin.boundary.wire import decode_envelope, encode
from plantwin.cloud.answer import decode_plan
from plantwin.errors import AnswerError, VocabularyError, WireError
from plantwin.ledgers.records import read_lines
from plantwin.types.envelope import Repair
from plantwin.types.plan import MAX_ANSWER_BYTES, MAX_STEPS
from plantwin.types.verdict import REPAIRS
from plantwin.vocabulary import RepairCode


def steps(*rows):
    listed = [{"id": id_, "capability": "lint", "inputs": list(inputs)} for id_, *inputs in rows]
    return json.dumps({"steps": listed}).encode()


ANSWERS = {
    RepairCode.NOT_TEXT: b"\xff\xfe",
    RepairCode.TOO_LONG: b" " * (MAX_ANSWER_BYTES + 1),
    RepairCode.TOO_DEEP: b'{"steps":' + b"[" * 20 + b"]" * 20 + b"}",
    RepairCode.NOT_JSON: b"{'steps': []}",
    RepairCode.NO_PLAN: b"I would rather not.",
    RepairCode.TWO_PLANS: b'{"steps":[]} or ' + steps(("s1",)),
    RepairCode.TOO_MANY_STEPS: steps(*((f"s{number}",) for number in range(MAX_STEPS + 1))),
    RepairCode.BAD_STEP: b'{"steps":[{"id":"s1","capability":"lint","query":"x"}]}',
    RepairCode.REPEATED_ID: steps(("s1",), ("s1",)),
    RepairCode.UNKNOWN_STEP: steps(("s1", "s9")),
    RepairCode.CYCLE: steps(("s1", "s2"), ("s2", "s1")),
}


STEPS = {RepairCode.BAD_STEP: 1, RepairCode.REPEATED_ID: 2, RepairCode.UNKNOWN_STEP: 1, RepairCode.CYCLE: 1}
"""Which step such an answer is wrong at."""


@pytest.mark.parametrize("code", sorted(set(RepairCode) - set(REPAIRS.values())))
def test_every_code_is_the_word_for_an_answer(code):
    with pytest.raises(AnswerError) as refused:
        decode_plan(ANSWERS[code])
    assert refused.value.code is code
    assert refused.value.step == STEPS.get(code, 0)
    assert isinstance(refused.value, WireError)


def test_a_repair_is_one_closed_word():
    for code in RepairCode:
        data = encode(Repair(code=code)).data
        assert data == f'{{"code":"{code}","message":"repair","version":2}}'.encode()
        assert decode_envelope(data) == Repair(code=code)
    assert json.loads(encode(Repair(code=code, step=3)).data)["step"] == 3
    for step in (0, MAX_STEPS + 1, True, "s1"):
        with pytest.raises(VocabularyError, match=r"repair\.step"):
            Repair(code=code, step=step)


@pytest.mark.parametrize("code", ["cycle", None, 3])
def test_nothing_else_is_a_code(code):
    with pytest.raises(VocabularyError, match=r"repair\.code"):
        Repair(code=code)
    with pytest.raises(WireError):
        decode_envelope(msgspec.json.encode({"message": "repair", "version": 2, "code": "because"}))


def release(ledger):
    return Release(channel(ledger, session="s"))


def test_it_is_recorded_before_it_is_handed_out(ledger):
    made = release(ledger)
    encoded = made.repair("cycle")
    assert "step" not in json.loads(encoded.data)
    (line,) = read_lines(ledger)
    assert json.loads(line.body)["data"] == encoded.data.decode()
    assert made.sent == [encoded]
    with pytest.raises(VocabularyError):
        made.repair("because of your file")
    assert len(list(read_lines(ledger))) == 1


def test_a_payload_is_recorded_by_its_digest(ledger):
    release(ledger).payload(b"the whole request", "https://planner.test", "1.abc")
    (line,) = read_lines(ledger)
    assert line.kind == "payload"
    assert json.loads(line.body) == {
        "session": "s",
        "audience": "acme",
        "origin": "https://planner.test",
        "sha256": hashlib.sha256(b"the whole request").hexdigest(),
        "bytes": 17,
        "skill": "1.abc",
    }
