"""What comes back is bounded and closed; every refusal quotes nothing."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from plantwin.cloud.answer import decode_plan
from plantwin.errors import WireError
from plantwin.types.plan import MAX_ANSWER_BYTES, MAX_INPUTS, MAX_STEPS, Narrowed, Plan, Step, part_of, source_of
from plantwin.vocabulary import Part

OBJECT = "artifact_abcdefgh"


def step(**changes):
    return {"id": "s1", "capability": "security_audit", "inputs": [OBJECT], "output": "findings", **changes}


def answer(*steps):
    return json.dumps({"steps": list(steps)}).encode()


def test_a_plan_is_decoded():
    plan = decode_plan(
        answer(step(policy={"human_approval": True}), step(id="s2", capability="compare", inputs=["s1"]))
    )
    assert [each.capability for each in plan.steps] == ["security_audit", "compare"]
    assert plan.steps[0].policy.human_approval is True
    assert plan.steps[1].inputs == ("s1",)
    assert plan.steps[1].policy.human_approval is False


def test_sets_parts_and_narrower_sets_are_inputs_and_steps_of_earlier_plans_too():
    narrower = {"set": "s9.affected", "where": {"semantic_class": "runbook", "contains": "credentials"}}
    inputs = ["set_abcdefgh", OBJECT, "s1", "s9.worst", narrower]
    plan = decode_plan(answer(step(), step(id="s2", inputs=inputs, by="role")), {"s9"})
    assert list(plan.steps[1].uses()) == ["s1", "s9", "s9"]
    assert [(str(source_of(name)), part_of(name)) for name in plan.steps[1].inputs] == [
        ("set_abcdefgh", None), (OBJECT, None), ("s1", None), ("s9", Part.WORST), ("s9", Part.AFFECTED)
    ]  # fmt: skip
    assert str(plan.steps[1].inputs[-1]) == "s9.affected[semantic_class=runbook, contains=credentials]"
    assert plan.order() == (0, 1)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "no plan in it"),
        (b"I think you should", "no plan in it"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b"[]", "no plan in it"),
        (b"{}", "not a plan"),
        (b"{'steps': []}", "not JSON"),
        (b'{"done": 1}', "not a plan"),
        (b'{"done": false}', "not a plan"),
        (b'{"steps": {}}', "not a plan"),
        (b'{"steps": [], "note": 1}', "not a plan"),
        (b'{"steps": ["s1"]}', "step 1: does not fit"),
        (answer(*(step(id=f"s{n}") for n in range(MAX_STEPS + 1))), "over 32 steps"),
        (answer(step(note="please")), "step 1: does not fit"),
        (answer(step(), step(id="s2", policy={"human_approval": False, "waive": True})), "step 2: field policy"),
        (answer(step(policy={"human_approval": "no"})), "step 1: field policy"),
        (answer(step(capability="rm -rf")), "step 1: field capability"),
        (answer(step(capability="a" * 41)), "step 1: field capability"),
        (answer(step(capability=7)), "step 1: field capability"),
        (answer(step(id="artifact_abcdefgh")), "step 1: the id of an object"),
        (answer(step(inputs=[OBJECT] * (MAX_INPUTS + 1))), "step 1: field inputs"),
        (answer(step(inputs=["../../etc/passwd"])), "an input that is neither an object, nor a set"),
        (answer(step(inputs=["artifact_ABCDEFGH"])), "neither an object, nor a set, nor a step"),
        (answer(step(inputs=["s2"]), step(id="s2", inputs=["s1"])), "step 1 is part of a cycle"),
        (answer(step(inputs=["s1"])), "step 1 is part of a cycle"),
        (answer(step(inputs=["s9"])), "step 1 uses a step that is not there"),
        (answer(step(), step()), "step 2 repeats an id"),
        (answer(step(id="set_abcdefgh")), "step 1: the id of an object"),
        (answer(step(inputs=["s9.affected"])), "step 1 uses a step that is not there"),
        (answer(step(inputs=["s9.everything"])), "neither an object, nor a set, nor a step"),
        (answer(step(inputs=["artifact_abcdefgh.affected.clean"])), "neither an object, nor a set, nor a step"),
        (answer(step(inputs=[{"set": "set_abcdefgh", "where": {}}])), "narrows by nothing"),
        (answer(step(inputs=[{"set": OBJECT, "where": {"role": "test"}}])), "narrows no set"),
        (answer(step(inputs=[{"set": "s1", "where": {"role": "test"}}])), "narrows no set"),
        (answer(step(inputs=[{"set": "set_abcdefgh", "where": {"path": "/etc/passwd"}}])), "step 1: field inputs"),
        (answer(step(inputs=[{"set": "set_abcdefgh", "where": {"role": "passwd"}}])), "step 1: field inputs"),
        (answer(step(by="name")), "step 1: field by"),
        (b"[" * 5000, "no plan in it"),
        (b"{" * 5000, "nested deeper"),
        (b'{"steps": ' + b"[" * 5000, "nested deeper"),
        (b"{}" * 17, "too many objects"),
        (answer(step()) + answer(step(id="s2")), "more than one plan"),
        ("text", "not bytes"),
        (b" " * (MAX_ANSWER_BYTES + 1), "over"),
    ],
)
def test_anything_else_is_refused(data, code):
    with pytest.raises(WireError, match=code) as refused:
        decode_plan(data)
    assert "passwd" not in str(refused.value)
    assert "please" not in str(refused.value)


PLAN = '{"steps": [{"id": "s1", "capability": "summarize", "inputs": ["artifact_abcdefgh"]}]}'


@pytest.mark.parametrize(
    "text",
    [
        PLAN,
        f"\ufeff{PLAN}",
        f"```json\n{PLAN}\n```",
        f"Here is the plan.\n```\n{PLAN}\n```\nIt uses {{one}} step, as [asked].",
        f"<think>maybe {{a}} or b</think>{PLAN}",
        PLAN.replace('"]}', '",],}').replace("}]}", "},\n ],\n}"),
        f"{PLAN}\nAgain: {PLAN}",
    ],
)
def test_what_models_wrap_around_a_plan_is_forgiven(text):
    plan = decode_plan(text.encode())
    assert [each.capability for each in plan.steps] == ["summarize"]


def test_commas_and_braces_inside_strings_stay():
    with pytest.raises(WireError, match="step 1: field output"):
        decode_plan(answer(step(output=",}")))


@pytest.mark.parametrize("text", ['{"done": true}', '{"steps": []}', 'I am finished: {"done": true}'])
def test_a_planner_says_that_it_is_done(text):
    assert decode_plan(text.encode()).done


def test_steps_may_come_in_any_order():
    plan = decode_plan(answer(step(id="s2", capability="compare", inputs=["s1", OBJECT]), step()))
    assert plan.order() == (1, 0)
    assert not plan.done


@pytest.mark.parametrize("text", ['\\"', '"', '{"', '"{', ",}", "{,", '"\\'])
def test_reading_an_answer_takes_linear_time(text):
    began = time.process_time()
    with pytest.raises(WireError):
        decode_plan((text * MAX_ANSWER_BYTES)[:MAX_ANSWER_BYTES].encode())
    assert time.process_time() - began < 1


def test_brackets_inside_strings_do_not_count_as_depth():
    with pytest.raises(WireError, match="step 1: field output"):
        decode_plan(answer(step(output='[[[[[[[[[[[[\\"{{{{{{')))


@given(st.binary(max_size=300))
def test_random_bytes_are_refused(data):
    # Constants of the source are tried too, and the one that says that all is done is an answer.
    assume(b"done" not in data and b"steps" not in data)
    with pytest.raises(WireError):
        decode_plan(data)


def test_a_plan_cannot_be_built_around_the_decoder():
    with pytest.raises(WireError):
        Step(id="s1", capability="Drop Table")
    with pytest.raises(WireError):
        Step(id="s1", capability="compare", inputs=["artifact_abcdefgh"])  # type: ignore[arg-type]
    with pytest.raises(WireError):
        Step(id="s1", capability="compare", policy=True)  # type: ignore[arg-type]
    with pytest.raises(WireError):
        Step(id="s1", capability="compare", inputs=(7,))  # type: ignore[arg-type]
    with pytest.raises(WireError):
        Step(id="s1", capability="split", by="component")  # type: ignore[arg-type]
    with pytest.raises(WireError):
        Narrowed(set="set_abcdefgh", where={"role": "test"})  # type: ignore[arg-type]
    with pytest.raises(WireError):
        Plan(steps=[])  # type: ignore[arg-type]
    with pytest.raises(WireError):
        Plan(steps=("s1",))  # type: ignore[arg-type]
    with pytest.raises(WireError):
        Plan(steps=(Step(id="s1", capability="compare", inputs=("s2",)),)).need_known({"s3"})
