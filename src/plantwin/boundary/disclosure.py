"""Which fields of an object fit its budget: asked for in order, told as far as they fit, withheld where not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from msgspec import UNSET

from plantwin.boundary.budget import Accountant
from plantwin.boundary.held import Held
from plantwin.boundary.ledger.interface import Charge, Known
from plantwin.types.twin import TwinEdge, TwinObject, canonical

ONE = ("role", "component", "sensitivity", "freshness", "size_bucket", "readiness", "readiness_cause", "confidence")
MANY = ("sensitivity_causes", "contains", "usable_for", "lacks")
FIRST_TAGS = 3
"""Most tags of a set-valued field that a goal-driven release tells; `describe` tells the others."""
FIRST_EDGES = 2
"""Most edges of an object that it tells."""


class Told(NamedTuple):
    """What is told of one object in one release."""

    object: TwinObject | None
    """None: not even its kind fits, so the planner is not shown it."""
    edges: tuple[TwinEdge, ...]
    charges: tuple[Charge, ...]
    withheld: tuple[str, ...]
    """Fields that did not fit."""


class _Purse:
    """What is left of one object's budget, and what has been taken from it."""

    def __init__(self, held: Held, known: Known, accountant: Accountant, reserve: int) -> None:
        self.held, self.accountant = held, accountant
        self.known = known
        self.left = accountant.threshold(held) - known.spent - reserve
        self.charges: list[Charge] = []

    def take(self, *units: str) -> bool:
        """Pay for all of these units, or for none."""
        new = [unit for unit in dict.fromkeys(units) if unit not in self.known.units]
        prices = [self.accountant.price(self.held, unit, self.known) for unit in new]
        if new and sum(prices) > self.left:
            return False
        self.left -= sum(prices)
        self.charges += [Charge(self.held.key, unit, price) for unit, price in zip(new, prices, strict=True)]
        self.known = Known(self.known.units | set(new), self.known.spent + sum(prices))
        return True


def disclose(
    held: Held,
    fields: Sequence[str],
    known: Known,
    accountant: Accountant,
    *,
    most_tags: int = FIRST_TAGS,
    most_edges: int = FIRST_EDGES,
    reserve: int = 0,
    key_of: Callable[[str], bytes | None] = lambda _: None,
) -> Told:
    """The object with the fields that fit, in the order asked for; `kind` always comes first.

    `reserve` is left untouched. `key_of` names the ledger key of an edge's target; an edge to an object that the
    planner has not been shown is not told.
    """
    purse = _Purse(held, known, accountant, reserve)
    source = held.object
    if not purse.take(f"kind={source.kind}"):
        return Told(None, (), (), ("kind",))
    told: dict[str, Any] = {"object_id": source.object_id, "kind": source.kind}
    withheld: list[str] = []
    edges: list[TwinEdge] = []
    for field in fields:
        if field == "kind":
            continue
        if field == "edges":
            fits = _edges(held, purse, edges, key_of, most_edges)
        elif field == "semantic_class":
            fits = _class(held, purse, told)
        elif field == "family":
            fits = _family(held, purse, told)
        elif field == "amounts":
            fits = _amounts(source, purse, told)
        elif field in MANY:
            fits = _some(source, field, purse, told, most_tags)
        else:
            fits = _one(source, field, purse, told)
        if not fits:
            withheld.append(field)
    return Told(TwinObject(**told), tuple(edges), tuple(purse.charges), tuple(withheld))


def bare(held: Held) -> TwinObject:
    """An object that was shown before, with nothing but what showing it tells."""
    return TwinObject(object_id=held.object.object_id, kind=held.object.kind)


def _one(source: TwinObject, field: str, purse: _Purse, told: dict[str, Any]) -> bool:
    value = getattr(source, field)
    if value is UNSET:
        return True
    # A component's id is new in every session; that the object belongs to one is what is paid for.
    unit = "component=yes" if field == "component" else f"{field}={value}"
    if not purse.take(unit):
        return False
    told[field] = value
    return True


def _class(held: Held, purse: _Purse, told: dict[str, Any]) -> bool:
    """The leaf, else its family when only that fits."""
    leaf = held.semantic_class
    # Who knows the leaf knows the family: the leaf is the dearer way to tell both.
    if purse.take(f"semantic_class={leaf}"):
        told["semantic_class"] = leaf
        return True
    _family(held, purse, told)
    return False


def _family(held: Held, purse: _Purse, told: dict[str, Any]) -> bool:
    """The family alone, and the leaf where that is known already."""
    leaf = held.semantic_class
    if f"semantic_class={leaf}" in purse.known.units:
        told["semantic_class"] = leaf
        return True
    if not purse.take(f"family={leaf.family}"):
        return False
    told["family"] = leaf.family
    return True


def _some(source: TwinObject, field: str, purse: _Purse, told: dict[str, Any], most: int) -> bool:
    values = getattr(source, field)
    if values is UNSET:
        return True
    known = [each for each in values if f"{field}={each}" in purse.known.units]
    rest = [each for each in values if each not in known]
    taken = known + [each for each in rest[: max(0, most - len(known))] if purse.take(f"{field}={each}")]
    if taken:
        told[field] = canonical(taken)
    return len(taken) >= min(len(values), most)


def _amounts(source: TwinObject, purse: _Purse, told: dict[str, Any]) -> bool:
    """How much of each tag that is told."""
    amounts = source.amounts if isinstance(source.amounts, tuple) else ()
    tags = told.get("contains", ())
    wanted = [each for each in amounts if each.tag in tags]
    taken = tuple(each for each in wanted if purse.take(f"amounts={each.tag}:{each.amount}"))
    if taken:
        told["amounts"] = taken
    return len(taken) == len(wanted)


def _edges(held: Held, purse: _Purse, edges: list[TwinEdge], key_of: Callable[[str], bytes | None], most: int) -> bool:
    """Edges to what was shown, in their order: those known already, and of the others so many that there are `most`."""
    fits = True
    for edge in held.edges:
        if isinstance(edge.target, str):
            key = key_of(edge.target)
            if key is None:
                continue
            other = key.hex()[:16]
        else:
            other = "tool"
        unit = f"edge={edge.edge}:{other}"
        if len(edges) >= most and unit not in purse.known.units:
            continue
        reason = f"reason={edge.reason}:{other}"
        if purse.take(unit, reason):
            edges.append(edge)
        elif purse.take(unit):
            edges.append(TwinEdge(source=edge.source, edge=edge.edge, target=edge.target))
        else:
            fits = False
    return fits
