"""Check (1): a step's capability is in the catalog, and every input is one that it takes.

It depends on what the planner was told, so what is wrong can be told back to it, unless an object's class
that it was not told decides.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import UNSET
from msgspec.structs import replace

from plantwin.boundary.channel import Channel
from plantwin.boundary.pricing import Origin
from plantwin.boundary.release import Release
from plantwin.types.capability import TELLING, Capability, Catalog, parts_of
from plantwin.types.local import LocalObject
from plantwin.types.plan import Narrowed, Plan, Step, StepInput, part_of, several_like, source_of
from plantwin.types.twin import object_id_like, set_id_like
from plantwin.types.verdict import Code, Denied
from plantwin.vocabulary import CapabilityName, ResultType


class Typing:
    """Types of the inputs of one session's steps."""

    def __init__(self, channel: Channel, catalog: Catalog, release: Release) -> None:
        self._channel, self._catalog, self._release = channel, catalog, release

    def check(self, step: Step, plan: Plan, refused: Collection[str], earlier: Mapping[str, Origin]) -> Denied | None:
        """What is wrong with a step; nothing where it may go on. `refused`: steps of the plan without a result."""
        capability = self._catalog.get(step.capability)
        if capability is None:
            return Denied(code=Code.UNKNOWN_CAPABILITY)
        if len(set(step.inputs)) != len(step.inputs):
            return Denied(code=Code.REPEATED_INPUT)
        if wrong := _number(step, capability):
            return wrong
        if step.output in ResultType._value2member_map_ and step.output != capability.returns:
            return Denied(code=Code.WRONG_OUTPUT)
        made_by: Mapping[str, Capability | None] = {}
        for name in step.inputs:
            if object_id_like(name):
                wrong = self._object(str(name), capability)
            else:
                if not made_by:
                    made_by = {id_: origin.capability for id_, origin in earlier.items()}
                    made_by |= {each.id: self._catalog.get(each.capability) for each in plan.steps}
                wrong = self._several(name, capability, made_by, refused)
            if wrong:
                return wrong
        return None

    def _several(
        self,
        name: StepInput,
        capability: Capability,
        made_by: Mapping[str, Capability | None],
        refused: Collection[str],
    ) -> Denied | None:
        source = source_of(name)
        if several_like(name) and capability.name is CapabilityName.DESCRIBE:
            return Denied(code=Code.WRONG_KIND)
        if set_id_like(source):
            return self._set(name, source, capability)
        made = made_by.get(source)
        if source in refused or made is None:
            return Denied(code=Code.DEPENDS_ON_REFUSED, detail=source)
        if made.word == CapabilityName.REPORT:  # which is for the person; whether there is one is told to nobody else
            return Denied(code=Code.WRONG_RESULT, detail=source)
        if part := part_of(name):
            return None if part in parts_of(made.returns) else Denied(code=Code.UNKNOWN_PART, detail=source)
        return None if made.returns in capability.takes else Denied(code=Code.WRONG_RESULT, detail=source)

    def _set(self, name: StepInput, source: str, capability: Capability) -> Denied | None:
        """Members that it cannot take are skipped; a set of which it is known that none fits is refused."""
        told = self._release.told.get(source)
        if told is None:
            return Denied(code=Code.UNKNOWN_OBJECT)
        kinds = {told.kind} if told.kind is not UNSET else set(capability.kinds)
        if isinstance(name, Narrowed) and name.where.kind is not UNSET:
            kinds &= {name.where.kind}
        if capability.name in TELLING or kinds & capability.kinds:
            return None
        return Denied(code=Code.WRONG_KIND, detail=source)

    def _object(self, name: str, capability: Capability) -> Denied | None:
        held = self._release.shown.get(name)
        if held is None:
            # Foreign, from an earlier session, or never shown: all the same to the planner.
            return Denied(code=Code.UNKNOWN_OBJECT)
        if held.object.kind not in capability.kinds:
            return Denied(code=Code.WRONG_KIND, detail=name)
        if capability.selective and not self._foreseeable(capability, held):
            return Denied(code=Code.UNTOLD_CLASS, detail=name)
        if not capability.accepts(held.object.kind, held.semantic_class):
            return Denied(code=Code.WRONG_KIND, detail=name)
        return None

    def _foreseeable(self, capability: Capability, held: LocalObject) -> bool:
        """Whether what was told of an object says already whether a capability takes it.

        Otherwise that it does, and does not, would tell an object's class for nothing.
        """
        leaf = held.semantic_class
        told = self._channel.ledger.known(self._channel.audience, [held.key])[held.key].units
        if held.unit(f"semantic_class={leaf}") in told:
            return True
        return leaf.family in capability.families and held.unit(f"family={leaf.family}") in told


def _number(step: Step, capability: Capability) -> Denied | None:
    """How many inputs a step has: a set counts for as many as it is, and a `split` takes one alone."""
    if capability.name is CapabilityName.SPLIT:
        fits = len(step.inputs) == 1 and set_id_like(step.inputs[0]) and step.by is not UNSET
        return None if fits else Denied(code=Code.WRONG_ARITY)
    number, least = len(step.inputs), capability.least or 1
    fits = least <= number <= capability.most or (number > 0 and any(map(several_like, step.inputs)))
    return None if fits else Denied(code=Code.WRONG_ARITY)


def joining(step: Step, refused: Collection[str]) -> Step:
    """A report without the inputs that gave no result, as long as others did; any other step as it is."""
    if step.capability != CapabilityName.REPORT:
        return step
    there = tuple(name for name in step.inputs if source_of(name) not in refused)
    return replace(step, inputs=there) if there and there != step.inputs else step
