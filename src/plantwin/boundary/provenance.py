"""How a step's inputs came to be: which objects are behind them, and what names the very set of them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from plantwin.boundary.held import Held
from plantwin.types.capability import Catalog
from plantwin.types.plan import Plan, Step
from plantwin.types.twin import group_id_like, object_id_like


def behind(step: Step, plan: Plan, shown: Mapping[str, Held]) -> tuple[Held, ...]:
    """Every object that a step's outcome tells about: its inputs, and those behind the results it uses."""
    earlier = {each.id: each for each in plan.steps}
    found: dict[str, Held] = {}
    waiting = list(step.inputs)
    seen: set[str] = set()
    while waiting:
        each = waiting.pop(0)
        if each in seen:
            continue
        seen.add(each)
        if object_id_like(each):
            found[each] = shown[each]
        elif not group_id_like(each):
            waiting += earlier[each].inputs
    return tuple(found.values())


def about(step: Step, plan: Plan, shown: Mapping[str, Held], catalog: Catalog) -> str:
    """Nothing for a built-in on one object; else a digest of how the step's inputs came to be, in their order.

    What a planner hears of A beside B is not what it heard of A beside C: without this, pairs would be free.
    """
    earlier = {each.id: each for each in plan.steps}
    made: dict[str, str] = {}

    def recipe(each: str) -> str:
        if object_id_like(each):
            return shown[each].key.hex()
        if each not in made:
            source = earlier[each]
            capability = catalog[source.capability]
            whole = f"{capability.unit}/{capability.own}({','.join(map(recipe, source.inputs))})"
            made[each] = hashlib.sha256(whole.encode()).hexdigest()
        return made[each]

    single = len(step.inputs) == 1 and object_id_like(step.inputs[0])
    return "" if single and not catalog[step.capability].own else recipe(step.id)[:16]
