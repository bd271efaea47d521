"""Which fields of an object fit its budget: asked for in order, told as far as they fit, withheld where not.

That an object has nothing of a sort is told by silence, where there was room to tell it: so silence is paid for too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import UNSET

from plantwin.boundary.budget import Accounts, Payer, payer
from plantwin.types.capability import FIELDS
from plantwin.types.local import LocalObject
from plantwin.types.twin import TwinEdge, TwinObject, canonical
from plantwin.types.verdict import DONE, OVER, Allowed, Verdict
from plantwin.vocabulary import MAX_EDGES, MAX_TAGS

MANY = ("sensitivity_causes", "contains", "usable_for", "lacks")
FIRST_TAGS = 3
"""Most tags of a set-valued field that a goal-driven release tells; `describe` tells the others."""
FIRST_EDGES = 2
"""Most edges of an object that it tells."""


class Disclosed(NamedTuple):
    """What is told of one object in one release."""

    object: TwinObject | None
    """None: not even its kind fits, so the planner is not shown it."""
    edges: tuple[TwinEdge, ...] = ()
    withheld: tuple[str, ...] = ()
    """Fields that did not fit."""


class _Account(NamedTuple):
    """One object's account, but for what must be left in it."""

    held: LocalObject
    accounts: Accounts
    reserve: int

    def take(self, *statements: str) -> bool:
        """Pay for these statements about the object, or for none of them."""
        return self.accounts.take((payer(self.held), list(map(self.held.unit, statements))), reserve=self.reserve)

    def silent(self, field: str, instead: str) -> bool:
        """Tell by silence that there is nothing of a sort, or no more; only where there was room for `instead`.

        Otherwise what follows would fit or not by whether there is something that does not.
        """
        if self.knows(f"nothing={field}"):
            return True
        one = payer(self.held)
        fits = self.accounts.price(one, [instead]) <= self.accounts.left(one) - self.reserve
        return fits and self.take(f"nothing={field}")

    def knows(self, statement: str) -> bool:
        """Whether this was told before."""
        return self.accounts.knows(payer(self.held), self.held.unit(statement))


def disclose(
    held: LocalObject,
    fields: Sequence[str],
    accounts: Accounts,
    *,
    given_away: Sequence[str] = (),
    most_tags: int = FIRST_TAGS,
    most_edges: int = FIRST_EDGES,
    reserve: int = 0,
    shown: Mapping[str, LocalObject] | None = None,
) -> Disclosed:
    """The object with the fields that fit, in the order asked for; `kind` always comes first.

    `given_away`: units that showing the object at all gives away. `reserve` is left untouched. `shown`: the other ends
    of edges; an edge to an object that the planner has not been shown is not told.
    """
    purse = _Account(held, accounts, reserve)
    source = held.object
    if not accounts.take((payer(held), [held.unit(f"kind={source.kind}"), *given_away]), reserve=reserve):
        return Disclosed(None, (), ("kind",))
    told: dict[str, Any] = {"object_id": source.object_id, "kind": source.kind}
    withheld: list[str] = []
    edges: list[TwinEdge] = []
    for field in fields:
        if field == "kind":
            continue
        if field == "edges":
            fits = _edges(purse, edges, shown or {}, most_edges)
        elif field == "semantic_class":
            fits = _class(purse, told)
        elif field == "family":
            fits = _family(purse, told)
        elif field == "amounts":
            fits = _amounts(source, purse, told)
        elif field in MANY:
            fits = _some(source, field, purse, told, most_tags)
        else:
            fits = _one(source, field, purse, told)
        if not fits:
            withheld.append(field)
    return Disclosed(TwinObject(**told), tuple(edges), tuple(withheld))


def bare(held: LocalObject) -> TwinObject:
    """An object that was shown before, with nothing but what showing it tells."""
    return TwinObject(object_id=held.object.object_id, kind=held.object.kind)


def _one(source: TwinObject, field: str, purse: _Account, told: dict[str, Any]) -> bool:
    value = getattr(source, field)
    if value is UNSET:
        return purse.silent(field, f"{field}=")
    # The ids of a component and of a set are new in every session; that the object belongs to one is paid for.
    if not purse.take(f"{field}=yes" if field in ("component", "within") else f"{field}={value}"):
        return False
    told[field] = value
    return True


def _class(purse: _Account, told: dict[str, Any]) -> bool:
    """The leaf, else its family when only that fits."""
    leaf = purse.held.semantic_class
    # Who knows the leaf knows the family: the leaf is the dearer way to tell both.
    if purse.take(f"semantic_class={leaf}"):
        told["semantic_class"] = leaf
        return True
    _family(purse, told)
    return False


def _family(purse: _Account, told: dict[str, Any]) -> bool:
    """The family alone, and the leaf where that is known already."""
    leaf = purse.held.semantic_class
    if purse.knows(f"semantic_class={leaf}"):
        told["semantic_class"] = leaf
        return True
    if not purse.take(f"family={leaf.family}"):
        return False
    told["family"] = leaf.family
    return True


def _some(source: TwinObject, field: str, purse: _Account, told: dict[str, Any], most: int) -> bool:
    values = () if getattr(source, field) is UNSET else getattr(source, field)
    known = [each for each in values if purse.knows(f"{field}={each}")]
    rest = [each for each in values if each not in known]
    taken = list(known)
    for each in rest:
        if len(taken) < most and purse.take(f"{field}={each}"):
            taken.append(each)
    if taken:
        told[field] = canonical(taken)
    if len(taken) == len(values) < most:
        return purse.silent(field, f"{field}=")
    return len(taken) >= min(len(values), most)


def _amounts(source: TwinObject, purse: _Account, told: dict[str, Any]) -> bool:
    """How much of each tag that is told."""
    amounts = source.amounts if isinstance(source.amounts, tuple) else ()
    wanted = [each for each in amounts if each.tag in told.get("contains", ())]
    taken = tuple(each for each in wanted if purse.take(f"amounts={each.tag}:{each.amount}"))
    if taken:
        told["amounts"] = taken
    return len(taken) == len(wanted)


def _edges(purse: _Account, edges: list[TwinEdge], shown: Mapping[str, LocalObject], most: int) -> bool:
    """Edges to what was shown, in their order: those known already, and of the others so many that there are `most`.

    An edge is a fact about both of its ends, and paid for by both.
    """
    held, fits = purse.held, True
    for edge in held.edges:
        other = shown.get(edge.target) if isinstance(edge.target, str) else None
        if other is None and edge.target is not UNSET:
            continue
        sides = _sides(held, other, edge)
        known = all(purse.accounts.knows(holder, units[0]) for holder, units in sides)
        if len(edges) >= most and not known:
            continue
        if purse.accounts.take(*sides, reserve=purse.reserve):
            edges.append(edge)
        elif purse.accounts.take(*((holder, units[:1]) for holder, units in sides), reserve=purse.reserve):
            edges.append(TwinEdge(source=edge.source, edge=edge.edge, target=edge.target))
        else:
            fits = False
    if fits and len(edges) < most:
        return purse.silent("edges", "edge=")
    return fits


def _sides(held: LocalObject, other: LocalObject | None, edge: TwinEdge) -> list[tuple[Payer, list[str]]]:
    """What an edge tells of each of its ends: that it is there, and why."""
    if other is None:
        return [(payer(held), [held.unit(f"edge={edge.edge}:tool"), held.unit(f"reason={edge.reason}:tool")])]
    version = f"@{held.version}.{other.version}" if held.version or other.version else ""
    to, back = other.key.hex()[:16], held.key.hex()[:16]
    return [
        (payer(held), [f"edge={edge.edge}:{to}{version}", f"reason={edge.reason}:{to}{version}"]),
        (payer(other), [f"edge={edge.edge}:from:{back}{version}", f"reason={edge.reason}:from:{back}{version}"]),
    ]


def describe(
    held: Sequence[LocalObject],
    given_away: Sequence[tuple[Payer, Sequence[str]]],
    accounts: Accounts,
    reserve: int,
    shown: Mapping[str, LocalObject],
) -> Verdict:
    """What a `describe` tells: the next fields of these objects that fit. `shown`: the other ends of their edges."""
    # What the verdict gives away is paid for as a refusal would pay for it: without a reserve.
    if not accounts.take(*given_away):
        return OVER
    told = [
        disclose(each, FIELDS, accounts, most_tags=MAX_TAGS, most_edges=MAX_EDGES, reserve=reserve, shown=shown)
        for each in held
    ]
    objects = {one.object.object_id: one.object for one in told if one.object is not None}
    edges = tuple(edge for one in told for edge in one.edges)
    keys = {each.id: each.key for each in held}
    for edge in edges:  # an edge's other end pays too, and is named with what is known of it anyway: its kind
        if isinstance(edge.target, str):
            other = shown[edge.target]
            keys[other.id] = other.key
            objects.setdefault(other.id, bare(other))
    spent = accounts.spent(keys)
    return Allowed(outcome=DONE, spent=spent, objects=tuple(objects.values()), edges=edges)
