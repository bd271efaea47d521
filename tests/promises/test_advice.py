"""Promise 5: a plan is advice. Whatever a planner answers, it gets no more than the gatekeeper lets through."""

from __future__ import annotations

import json
import time

import pytest
from scenes import CANARY, GOAL, folder, outcomes, session, settings, step, workspace

from plantwin.cloud.scripted import Scripted
from plantwin.errors import InputError, StageError
from plantwin.run import Ending
from plantwin.session import run

AUTH = "@semantic_class=authentication_module"
PAY = "@semantic_class=payment_module"


@pytest.fixture(autouse=True)
def no_config(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def place(tmp_path):
    return folder(tmp_path), tmp_path / "state"


NONSENSE = {
    "prose": "I would rather not.",
    "empty": "",
    "ten thousand steps": json.dumps(
        {"steps": [{"id": f"s{n}", "capability": "summarize", "inputs": []} for n in range(10_000)]}
    ),
    "deep": '{"steps":' + "[" * 2000 + "]" * 2000 + "}",
    "huge string": json.dumps({"steps": [{"id": "s1", "capability": "a" * 60_000}]}),
    "huge": "x" * 3_000_000,
    "two ids": json.dumps({"steps": [step("summarize", id_="s1"), step("compare", id_="s1")]}),
    "a cycle": json.dumps({"steps": [step("compare", "s2", id_="s1"), step("compare", "s1", id_="s2")]}),
    "a path": json.dumps({"steps": [step("summarize", "../../etc/passwd")]}),
    "code": json.dumps({"steps": [step("__import__('os').system", "s1")]}),
    "unknown field": json.dumps({"steps": [{**step("summarize"), "query": "password"}]}),
    "waived approval": json.dumps(
        {"steps": [{**step("summarize"), "policy": {"human_approval": False, "waive": True}}]}
    ),
    "narrowed by nothing": json.dumps({"steps": [step("summarize", {"set": "set_aaaaaaaa", "where": {}})]}),
    "narrowed by a word of its own": json.dumps(
        {"steps": [step("summarize", {"set": "set_aaaaaaaa", "where": {"path": "secret"}})]}
    ),
    "narrowed by a pattern": json.dumps(
        {"steps": [step("summarize", {"set": "set_aaaaaaaa", "where": {"contains": "pass*"}})]}
    ),
    "no such part": json.dumps({"steps": [step("summarize", "s1.names")]}),
    "a part of an object": json.dumps({"steps": [step("summarize", "artifact_aaaaaaaa.affected")]}),
    "split along a name": json.dumps({"steps": [step("split", "set_aaaaaaaa", by="path")]}),
    "two plans": json.dumps({"steps": []}) + json.dumps({"steps": [step("summarize", "artifact_aaaaaaaa")]}),
}


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_ends_in_a_clear_error_and_runs_nothing(place, name):
    made, planner = session(*place, [NONSENSE[name]])
    assert made.error
    assert made.turns == []
    assert made.results == {}
    assert len(planner.received) == (2 if name == "huge" else 3)  # with one chance to correct it
    assert len(made.error) < 200


REFUSED = {
    "unknown capability": step("delete_everything", AUTH),
    "foreign id": step("security_audit", "artifact_zzzzzzzz"),
    "same input twice": step("compare", AUTH, AUTH),
    "a set to describe": step("describe", "@set=1"),
    "a split of an object": step("split", AUTH, by="role"),
    "a split along nothing": step("split", "@set=1"),
    "a foreign set": step("security_audit", "set_zzzzzzzz"),
    "wrong kind": step("security_audit", "@kind=structured_record"),
    "wrong output": step("security_audit", AUTH, output="events"),
    "nothing": step("security_audit"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_may_not_be_is_refused_with_one_word(place, name):
    made, planner = session(*place, [{"steps": [REFUSED[name]]}])
    assert not made.error
    assert outcomes(planner) == [[{"status": "rejected"}]]
    assert made.results == {}


def test_ids_of_an_earlier_session_mean_nothing(place):
    first, _ = session(*place, [])
    old = next(iter(first.names))
    made, planner = session(*place, [{"steps": [step("summarize", old)]}])
    assert outcomes(planner) == [[{"status": "rejected"}]]
    assert made.turns[0].verdicts[0].code == "unknown_object"


def test_a_result_cannot_be_used_as_another_type(place):
    steps = [step("describe", AUTH, id_="a"), step("compare", "a", PAY, id_="b"), step("compare", "b", "a", id_="c")]
    _, planner = session(*place, [{"steps": steps}])
    assert [each["status"] for each in outcomes(planner)[0]] == ["done", "rejected", "rejected"]


def test_what_needs_a_person_is_escalated_where_none_can_be_asked(place):
    asked = {"steps": [step("security_audit", AUTH, policy={"human_approval": True})]}
    made, planner = session(*place, [asked])
    assert outcomes(planner) == [[{"status": "escalated"}]]
    assert made.turns[0].verdicts[0].code == "no_approver"


def test_a_planner_that_hangs_or_dies_keeps_what_was_done(tmp_path):
    class Hanging(Scripted):
        def plan(self, envelopes):
            if len(self.received) >= 2:
                time.sleep(30)
            return super().plan(envelopes)

    class Dying(Scripted):
        def plan(self, envelopes):
            if len(self.received) >= 2:
                raise MemoryError(CANARY)
            return super().plan(envelopes)

    root, quick = folder(tmp_path), settings(tmp_path, "[limits]\nplanner_seconds = 1\n")
    for kind, error in ((Hanging, "did not answer within 1 seconds"), (Dying, "MemoryError")):
        planner = kind([{"steps": [step("security_audit", AUTH)]}])
        with workspace(root, tmp_path / "state", settings=quick) as made:
            finished = run(GOAL, made, planner)
        assert error in finished.error
        assert CANARY not in finished.error
        assert (1, "s1") in finished.results
        assert finished.spending


def test_a_refused_step_has_no_result_of_an_earlier_one_of_its_name(place):
    made, _ = session(*place, [{"steps": [step("security_audit", AUTH)]}, {"steps": [step("no_such_thing", AUTH)]}])
    assert set(made.results) == {(1, "s1")}


@pytest.mark.parametrize("error", [InputError("x"), StageError("x")])
def test_whatever_a_planner_raises_is_its_own_failure(place, error):
    class Raising(Scripted):
        def plan(self, envelopes):
            raise error

    with workspace(*place) as made:
        finished = run(GOAL, made, Raising([]))
    assert finished.ending is Ending.PLANNER


@pytest.mark.parametrize("error", [OSError(24, "Too many open files", CANARY), InputError("no such question")])
def test_a_step_that_the_system_refuses_keeps_what_was_done(place, error):
    with workspace(*place) as made:
        context = made.open_session

        def prepared(*arguments):
            found = context(*arguments)
            carry_out = found.executor.run

            def refusing(task):
                if task.step == "s2":
                    raise error
                return carry_out(task)

            found.executor.run = refusing
            return found

        made.open_session = prepared
        steps = [step("security_audit", AUTH), step("summarize", AUTH, id_="s2")]
        finished = run(GOAL, made, Scripted([{"steps": steps}]))
    assert finished.ending is Ending.GATE
    assert finished.error
    assert CANARY not in finished.error
    assert (1, "s1") in finished.results


def test_turns_end(tmp_path):
    again = {"steps": [step("describe", AUTH)]}
    made, planner = session(folder(tmp_path), tmp_path / "state", [again] * 50)
    assert len(made.turns) == 4
    assert len(outcomes(planner)) == 3
