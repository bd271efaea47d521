"""How much one call tells: the expected weighted fields that it discloses, for one capability and for a catalog."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from plantwin.private.capabilities import declared
from plantwin.types.capability import FIELDS, TELLING, Capability
from plantwin.types.prices import COSTS
from plantwin.vocabulary import MAX_OUTCOME_TAGS, CapabilityName

WORDS = ("status", "severity", "count")


def domain(capability: Capability) -> str:
    """Return what it is for; the person's own are a domain of their own."""
    if capability.own:
        return "your own"
    return declared()[capability.name][1]


def most(capability: Capability, costs: Mapping[str, int] = COSTS) -> int:
    """Return the most that one call can tell of one object, in thousandths."""
    if capability.name is CapabilityName.DESCRIBE:
        return sum(_cost(field, costs) for field in FIELDS)
    if capability.name is CapabilityName.SPLIT:
        return costs["split"] + costs["size"] + costs["kind"] + costs["semantic_class"]
    tags = min(MAX_OUTCOME_TAGS, len(capability.tags))
    return sum(costs[word] for word in WORDS) + tags * costs["tag"]


def expected(capability: Capability, costs: Mapping[str, int] = COSTS) -> float:
    """Return what a call tells of one object, in thousandths, when every number of tags that it may have is as likely.

    A description is taken to tell one unit of every field.
    """
    if capability.name in TELLING:
        return float(most(capability, costs))
    tags = min(MAX_OUTCOME_TAGS, len(capability.tags))
    return sum(costs[word] for word in WORDS) + tags / 2 * costs["tag"]


def needs(capability: Capability, costs: Mapping[str, int] = COSTS) -> int:
    """Return what a planner has to be told of an object before it can choose this well, in thousandths."""
    return sum(_cost(field, costs) for field in {"kind", *capability.required_fields})


def mean(capabilities: Iterable[Capability], costs: Mapping[str, int] = COSTS) -> float:
    """Return the grain of a catalog: that of its calls, all equally likely. A description is no call on content."""
    grains = [expected(capability, costs) for capability in capabilities if capability.name not in TELLING]
    return sum(grains) / len(grains) if grains else 0.0


def _cost(field: str, costs: Mapping[str, int]) -> int:
    return costs["edge" if field == "edges" else field]
