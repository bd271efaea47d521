"""An executor that says nothing of sets: what the seam promises where there are none."""

from __future__ import annotations

import pytest
from builders import AUTH, CATALOG, SET, capability, keeper, spent

from plantwin.boundary.isolation import Isolation
from plantwin.types.execution import Executed, Executor
from plantwin.types.plan import Plan, Step
from plantwin.types.verdict import Allowed
from plantwin.vocabulary import Dimension


class Bare(Executor):
    sandboxed = True

    def __init__(self):
        self.ran = []

    def execute(self, step, capability, inputs, **_):
        self.ran.append(step)
        return Executed({"status": "done"})


def test_an_executor_must_run_something():
    with pytest.raises(TypeError, match="abstract"):
        Executor()


def test_steps_on_objects_need_nothing_else(ledger):
    executor = Bare()
    gatekeeper = keeper(ledger, executor=executor)
    steps = tuple(Step(id=id_, capability="security_audit", inputs=(AUTH,)) for id_ in ("a", "b"))
    for position in (0, 1):
        assert isinstance(gatekeeper.gate(Plan(steps=steps), position, frozenset()), Allowed)
    assert executor.ran == ["a"], "the second is answered from the first"
    assert spent(ledger) > 0


def test_nothing_stands_behind_sets_and_none_can_be_cut(ledger):
    gatekeeper = keeper(ledger, executor=Bare())
    for step in (
        Step(id="a", capability="security_audit", inputs=(SET,)),
        Step(id="b", capability="split", inputs=(SET,), by=Dimension.ROLE),
    ):
        verdict = gatekeeper.gate(Plan(steps=(step,)), 0, frozenset())
        assert isinstance(verdict, Allowed) and not verdict.sets
    bare = Bare()
    assert Isolation(bare, 5, CATALOG).keys() == []
    assert (bare.alone(["mark"]), bare.sees(capability()), bare.prepare(capability(), [AUTH])) == ((), (), "")
