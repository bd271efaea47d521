"""What comes back is bounded and closed; every refusal quotes nothing."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plantwin.boundary.answer import MAX_ANSWER_BYTES, decode_plan
from plantwin.errors import WireError
from plantwin.types.plan import MAX_INPUTS, MAX_STEPS, Plan, Step

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


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not JSON"),
        (b"I think you should", "not JSON"),
        (b"\xff\xfe{}", "not JSON"),
        (b"[]", "not a plan"),
        (b"{}", "not a plan"),
        (answer(), "not a plan"),
        (answer(*(step(id=f"s{n}") for n in range(MAX_STEPS + 1))), "not a plan"),
        (answer(step(note="please")), "not a plan"),
        (answer(step(policy={"human_approval": False, "waive": True})), "not a plan"),
        (answer(step(policy={"human_approval": "no"})), "not a plan"),
        (answer(step(capability="rm -rf")), "not a plan"),
        (answer(step(capability="a" * 41)), "not a plan"),
        (answer(step(inputs=[OBJECT] * (MAX_INPUTS + 1))), "not a plan"),
        (answer(step(inputs=["../../etc/passwd"])), "neither an object nor a step"),
        (answer(step(inputs=["artifact_ABCDEFGH"])), "neither an object nor a step"),
        (answer(step(inputs=["s2"]), step(id="s2", inputs=["s1"])), "step 1 uses a step that does not come before"),
        (answer(step(inputs=["s1"])), "step 1 uses a step that does not come before"),
        (answer(step(), step()), "step 2 repeats an id"),
        (b"[" * 5000, "nested deeper"),
        (b" " * (MAX_ANSWER_BYTES + 1), "over"),
    ],
)
def test_anything_else_is_refused(data, code):
    with pytest.raises(WireError, match=code) as refused:
        decode_plan(data)
    assert "passwd" not in str(refused.value)
    assert "please" not in str(refused.value)


def test_brackets_inside_strings_do_not_count_as_depth():
    with pytest.raises(WireError, match="not a plan"):
        decode_plan(answer(step(output='[[[[[[[[[[[[\\"{{{{{{')))


@given(st.binary(max_size=300))
def test_random_bytes_are_refused(data):
    with pytest.raises(WireError):
        decode_plan(data)


def test_a_plan_cannot_be_built_around_the_decoder():
    with pytest.raises(WireError):
        Step(id="s1", capability="Drop Table")
    with pytest.raises(WireError):
        Step(id="s1", capability="compare", inputs=["artifact_abcdefgh"])  # type: ignore[arg-type]
    with pytest.raises(WireError):
        Plan(steps=())
    with pytest.raises(WireError):
        Plan(steps=(Step(id="s1", capability="compare", inputs=("s2",)), Step(id="s2", capability="compare")))
