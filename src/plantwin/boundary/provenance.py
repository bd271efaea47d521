"""How a step's inputs came to be: which objects are behind them, and what names the very set of them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from plantwin.boundary.local_object import LocalObject
from plantwin.types.capability import Catalog
from plantwin.types.plan import Plan, Step
from plantwin.types.twin import group_id_like, object_id_like


def behind(step: Step, plan: Plan, shown: Mapping[str, LocalObject]) -> tuple[LocalObject, ...]:
    """Every object that a step's outcome tells about: its inputs, and those behind the results it uses."""
    earlier = {each.id: each for each in plan.steps}
    found: dict[str, LocalObject] = {}
    waiting = list(step.inputs)
    seen: set[str] = set()
    while waiting:
        name = waiting.pop(0)
        if name in seen:
            continue
        seen.add(name)
        if object_id_like(name):
            found[name] = shown[name]
        elif not group_id_like(name):
            waiting += earlier[name].inputs
    return tuple(found.values())


def recipe(step: Step, plan: Plan, shown: Mapping[str, LocalObject], catalog: Catalog) -> str:
    """A digest of what the step does, on which versions of which objects, in their order: equal for equal steps.

    What a planner hears of A beside B is not what it heard of A beside C, or of A as it was before.
    """
    earlier = {each.id: each for each in plan.steps}
    made: dict[str, str] = {}

    def digest(name: str) -> str:
        if object_id_like(name):
            return f"{shown[name].key.hex()}.{shown[name].version}"
        if name not in made:
            source = earlier[name]
            capability = catalog[source.capability]
            whole = f"{capability.unit}/{capability.own}({','.join(map(digest, source.inputs))})"
            made[name] = hashlib.sha256(whole.encode()).hexdigest()
        return made[name]

    return digest(step.id)
