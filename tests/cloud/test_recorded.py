"""A conversation is recorded as it was, and played again in the ids of another session."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import jsonschema
import pytest
from handed import released
from servers import PLAN
from set_folders import set_id, told
from told import AUTH, CATALOG, FIRST, OBJECTS, PAY, SECOND, configured

from plantwin.cloud import conversation
from plantwin.cloud.conversation import Conversation
from plantwin.cloud.planner import Witnessed, unwitnessed
from plantwin.cloud.recorded import Recorded, Recording
from plantwin.cloud.remote import RefusedError
from plantwin.cloud.scripted import Scripted
from plantwin.cloud.serving import Served
from plantwin.errors import InputError, PlannerError
from plantwin.types.capability import Catalog
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
    ["", "{", "[" * 100_000, "[]", "{}", '{"format": 2, "audience": "a", "turns": [{"answer": 3, "envelopes": []}]}',
     '{"format": 2, "audience": "a", "turns": [{"answer": "x", "envelopes": [3]}]}',
     '{"format": 2, "audience": 3, "turns": []}', '{"format": 3, "audience": "a", "turns": []}'],
)  # fmt: skip
def test_a_file_that_is_no_recording_is_refused(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(InputError, match="recording"):
        Recorded.from_file(tmp_path / "x.json")
    with pytest.raises(InputError, match="cannot be read"):
        Recorded.from_file(tmp_path / "none.json")


@pytest.mark.parametrize(
    "tree",
    [
        {"format": 1, "turns": []},
        {"turns": [{"answer": "x", "envelopes": ['{"message":"registration","objects":[],"version":1}']}]},
        {"turns": [{"answer": '{"steps":[{"id":"s1","capability":"expand","inputs":[]}]}', "envelopes": []}]},
        {
            "turns": [
                {"answer": '{"steps":[{"id":"s1","capability":"lint","inputs":["group_aaaaaaaa"]}]}', "envelopes": []}
            ]
        },
    ],
)
def test_a_recording_of_wire_format_1_is_refused_and_says_how_to_record_anew(tmp_path, tree):
    (tmp_path / "old.json").write_text(json.dumps({"format": 2, "audience": "a", **tree}))
    with pytest.raises(InputError, match=r"wire format 1.*run the same goal again with --record FILE"):
        Recorded.from_file(tmp_path / "old.json")


def test_sets_are_matched_by_what_was_told_of_them():
    def shown(letters):
        sets = (
            told(letters[0], "dozens", "config infra_storage"),
            told(letters[1], "dozens", "document runbook+readme", within=set_id(letters[2])),
        )
        return released(Registration(sets=sets))

    inputs = [set_id("a"), {"set": set_id("b"), "where": {"semantic_class": "runbook"}}, "s1.worst"]
    answer = json.dumps({"steps": [{"id": "s2", "capability": "summarize", "inputs": inputs}]})
    planner = Recorded([{"envelopes": [shown("abc").data.decode()], "answer": answer}])
    (step,) = json.loads(planner.plan([shown("yzx")]))["steps"]
    assert step["inputs"] == [set_id("y"), {**inputs[1], "set": set_id("z")}, "s1.worst"]


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


# A real model behind a real OpenAI-compatible server on this machine: SmolLM2, served by llama.cpp

FEW = Catalog([CATALOG[name] for name in ("security_audit", "compare", "summarize")])
"""A short list, so that a small model has less to read."""


@pytest.fixture(scope="module")
def served():
    made = Served(context=4096)
    yield made
    made.close()


def test_the_schema_holds_a_real_model_to_the_form_of_a_plan(served, monkeypatch, tmp_path):
    # So small a model fills every place that there is: two steps are enough to show that it is held.
    monkeypatch.setattr(conversation, "MOST_STEPS", 2)
    monkeypatch.setenv("REAL_KEY", served.key)
    planner = configured(
        tmp_path, catalog=FEW, url=f"{served.url}/v1", key_env="REAL_KEY", model="smollm2", max_tokens=900,
        temperature=0.0, seed=1, seconds=300.0, read_seconds=300.0,
    )  # fmt: skip
    assert planner.reachable(10) == ""
    answer = json.loads(planner.plan(FIRST))
    jsonschema.validate(answer, Conversation(FEW).hear(FIRST).schema)
    assert answer["steps"] and all(step["capability"] in FEW for step in answer["steps"])
    (use,) = json.loads((tmp_path / "use.json").read_text())["planners"].values()
    assert use[0] == 1
    assert use[1] > 1000
    assert use[2] > 3


def test_a_wrong_key_is_refused_by_the_server(served, monkeypatch):
    monkeypatch.setenv("REAL_KEY", "wrong")
    planner = configured(url=f"{served.url}/v1", key_env="REAL_KEY", model="smollm2")
    with pytest.raises(RefusedError, match="does not accept the key"):
        planner.plan(FIRST)
