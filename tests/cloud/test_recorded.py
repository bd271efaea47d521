"""A conversation is recorded as it was, and played again in the ids of another session."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from handed import released
from servers import PLAN
from told import AUTH, FIRST, OBJECTS, PAY, SECOND

from plantwin.cloud.planner import Witnessed, unwitnessed
from plantwin.cloud.recorded import Recorded, Recording
from plantwin.cloud.scripted import Scripted
from plantwin.errors import InputError, PlannerError
from plantwin.types.envelope import Offer, Registration, Request
from plantwin.types.goal import Goal
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import CapabilityName, Kind, ResultType

ANSWER = json.dumps({"steps": [{"id": "s1", "capability": "compare", "inputs": [AUTH, PAY]}]})


def recorded(tmp_path):
    path = tmp_path / "talk.json"
    planner = Recording(Scripted([ANSWER, PLAN], audience="acme", locality="remote"), path)
    assert (planner.name, planner.audience, planner.locality) == ("scripted", "acme", "remote")
    assert planner.plan(FIRST) == ANSWER.encode()
    planner.plan(SECOND)
    return path


def test_it_is_kept_as_it_was(tmp_path):
    path = recorded(tmp_path)
    tree = json.loads(path.read_text())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert tree["turns"][0] == {"envelopes": [each.data.decode() for each in FIRST], "answer": ANSWER}
    assert len(tree["turns"]) == 2


def test_a_file_that_others_could_read_is_theirs_no_longer(tmp_path):
    path = tmp_path / "talk.json"
    path.touch(0o644)
    assert stat.S_IMODE(recorded(tmp_path).stat().st_mode) == 0o600
    Recording(Scripted([]), Path("/dev/null"))


def test_it_is_played_in_the_ids_of_this_session(tmp_path):
    planner = Recorded.from_file(recorded(tmp_path))
    assert (planner.name, planner.audience, planner.locality) == ("recorded", "acme", "local")
    ids = {AUTH: "artifact_zzzzzzzz", PAY: "artifact_yyyyyyyy"}
    other = [
        TwinObject(object_id=ids[each.object_id], kind=each.kind, semantic_class=each.semantic_class)
        for each in reversed(OBJECTS)
    ]
    played = planner.plan([released(Registration(objects=tuple(other)))])
    assert json.loads(played)["steps"][0]["inputs"] == [ids[AUTH], ids[PAY]]
    assert json.loads(planner.plan(SECOND)) == PLAN
    assert planner.plan(SECOND) == b'{"steps":[]}'


def test_what_has_no_like_keeps_its_id(tmp_path):
    planner = Recorded.from_file(recorded(tmp_path))
    other = TwinObject(object_id="artifact_zzzzzzzz", kind=Kind.DOCUMENT)
    assert planner.plan([released(Registration(objects=(other,)))]) == ANSWER.encode()


def test_own_capabilities_are_matched_too():
    def request(name):
        offer = Offer(capability=name, like=CapabilityName.LINT, kinds=(Kind.CONFIG,), returns=ResultType.FINDINGS)
        return released(Request(goal=Goal(), offers=(offer,)))

    turn = {"envelopes": [request("custom_aaaaaaaa").data.decode()], "answer": "custom_aaaaaaaa"}
    assert Recorded([turn]).plan([request("custom_bbbbbbbb")]) == b"custom_bbbbbbbb"


@pytest.mark.parametrize(
    "text",
    ["", "{", "[" * 100_000, "[]", "{}", '{"format": 1, "audience": "a", "turns": [{"answer": 3, "envelopes": []}]}',
     '{"format": 1, "audience": "a", "turns": [{"answer": "x", "envelopes": [3]}]}',
     '{"format": 1, "audience": 3, "turns": []}', '{"format": 2, "audience": "a", "turns": []}'],
)  # fmt: skip
def test_a_file_that_is_no_recording_is_refused(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(InputError, match="recording"):
        Recorded.from_file(tmp_path / "x.json")
    with pytest.raises(InputError, match="cannot be read"):
        Recorded.from_file(tmp_path / "none.json")


@pytest.mark.parametrize("envelope", ["{", "[]", '{"objects": [1]}', '{"objects": [{}]}'])
def test_a_damaged_turn_is_an_error_of_the_planner(envelope):
    with pytest.raises(PlannerError, match="damaged"):
        Recorded([{"envelopes": [envelope], "answer": "x"}]).plan([])


def test_a_place_that_cannot_be_written_is_known_before_anything_is_sent(tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        Recording(Scripted([]), tmp_path / "missing" / "talk.json")


def test_a_witness_reaches_the_planner_behind_it(tmp_path):
    class Sending(Scripted, Witnessed):
        def __init__(self):
            Witnessed.__init__(self)
            Scripted.__init__(self, [])

    inner = Sending()
    planner = Recording(inner, tmp_path / "talk.json")
    assert inner.witness is unwitnessed
    planner.witness = print
    assert inner.witness is planner.witness is print
