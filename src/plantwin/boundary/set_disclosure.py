"""Which words about a set fit the accounts of its cells: asked for in order, told as far as they fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, Final, NamedTuple

from msgspec import UNSET

from plantwin.boundary.budget import Accounts, Sharing, payer
from plantwin.types.local import LocalObject, LocalSet
from plantwin.types.sets import SHARED, SetRelation, Shared, TwinSet
from plantwin.types.verdict import DONE, OVER, Allowed, Verdict
from plantwin.vocabulary import Dimension

FIRST: Final = ("semantic_class", "family", "named", "within")
"""What a registration tells of a set besides its size and kind."""
FIELDS: Final = (
    "classes", "sensitivity", "contains", "lacks", "environment", "age", "provider", "dialect", "ecosystem", "role",
    "freshness", "ready", "component", "relations",
)  # fmt: skip
"""What a request tells of a set, the most important first."""


RELATIONS: Final = 3
"""Relations that are told of a set, the most useful first."""


class DisclosedSet(NamedTuple):
    """What is told of one set in one release."""

    set: TwinSet | None
    """None: not even its kind fits, so the planner is not told of it."""
    relations: tuple[SetRelation, ...] = ()
    withheld: tuple[str, ...] = ()


def disclose_set(
    held: LocalSet,
    fields: Sequence[str],
    accounts: Accounts,
    sharing: Sharing,
    *,
    reserve: int = 0,
    shown: Mapping[str, LocalSet | LocalObject] | None = None,
) -> DisclosedSet:
    """The set with the words that fit, in the order asked for; size and kind always come first.

    That it has nothing of a sort is told by silence, and paid for. `shown`: the other ends of relations.
    """
    source, payers = held.set, sharing.cells(held)

    def take(*statements: str) -> bool:
        units = list(map(held.unit, statements))
        return accounts.take(*((one, units) for one in payers), reserve=reserve)

    def silent(field: str, another: str) -> bool:
        """Tell that there is nothing more of a sort, only where there was room for another word of it."""
        end, more = held.unit(f"nothing={field}"), [held.unit(another)]
        known = all(accounts.knows(one, end) for one in payers)
        room = known or all(accounts.price(one, more) <= accounts.left(one) - reserve for one in payers)
        return room and take(f"nothing={field}")

    told: dict[str, Any] = {"set_id": held.id, "size": source.size}
    first = [f"size={source.size}", "nothing=kind" if source.kind is UNSET else f"kind={source.kind}"]
    if not take(*first):
        return DisclosedSet(None, (), ("kind",))
    if source.kind is not UNSET:
        told["kind"] = source.kind
    withheld: list[str] = []
    relations: list[SetRelation] = []
    ends = {**(shown or {}), held.id: held}
    for field in fields:
        if field == "relations":
            wanted = [each for each in held.relations[:RELATIONS] if each.target in ends]
            relations = tell_relations(wanted, ends, accounts, sharing, reserve)
            fits = len(relations) == len(wanted)
            fits = fits and (len(wanted) == RELATIONS or silent(field, "relation="))
        elif field == "family" and "semantic_class" in told:
            continue  # the class says it
        elif field in SHARED:
            parts: Sequence[Shared] = getattr(source, field) or ()
            fitting = tuple(takewhile(lambda part: take(f"{field}={part.word}:{part.share}"), parts))  # noqa: B023
            if fitting:
                told[field] = fitting
            fits = len(fitting) == len(parts)
            fits = fits and (len(parts) == SHARED[field][1] or silent(field, f"{field}=:"))
        else:
            fits = take(*_statements(source, field))
            if fits and getattr(source, field) is not UNSET:
                told[field] = getattr(source, field)
        if not fits:
            withheld.append(field)
    return DisclosedSet(TwinSet(**told), tuple(relations), tuple(withheld))


def _statements(source: TwinSet, field: str) -> Sequence[str]:
    """What a field of a set says, where it has one word at most."""
    value: Any = getattr(source, field)
    if field in ("named", "within"):  # it follows from the goal, or from what was split
        return []
    if value is UNSET:
        return [f"nothing={field}"]
    return [f"{field}={'set' if field == 'component' else value}"]


def tell_relations(
    relations: Sequence[SetRelation],
    shown: Mapping[str, LocalSet | LocalObject],
    accounts: Accounts,
    sharing: Sharing,
    reserve: int = 0,
) -> list[SetRelation]:
    """Those relations whose ends were shown, as far as they fit. Each is a fact about both, and paid for by both."""
    told = []
    for relation in relations:
        source, target = shown.get(relation.source), shown.get(relation.target)
        if source is not None and target is not None:
            at = f"{relation.share}:{target.version}@{source.version}"
            units = [f"set.relation={relation.edge}:{relation.reason}:{at}"]
            ends = ([payer(end)] if isinstance(end, LocalObject) else sharing.cells(end) for end in (source, target))
            # A cell that both ends touch pays the larger of the two shares.
            payers = dict(sorted(((one.key, one) for some in ends for one in some), key=lambda each: -each[1].share))
            if accounts.take(*((one, units) for one in payers.values()), reserve=reserve):
                told.append(relation)
    return told


def split(
    whole: LocalSet,
    by: Dimension,
    pieces: Sequence[LocalSet],
    accounts: Accounts,
    sharing: Sharing,
    shown: Mapping[str, LocalSet | LocalObject],
) -> Verdict:
    """What a `split` tells: what fits of the pieces of a set; that it cannot be cut is paid for too."""
    unit = whole.unit(f"split={by}:{bool(pieces)}")
    if not accounts.take(*((cell, [unit]) for cell in sharing.cells(whole))):
        return OVER
    ends = {**shown, **{each.id: each for each in pieces}}
    told = [disclose_set(each, (*FIRST, *FIELDS), accounts, sharing, shown=ends) for each in pieces]
    return Allowed(
        outcome=DONE,
        spent=((whole.id, sum(charge.cost for charge in accounts.charges)),),
        sets=tuple(one.set for one in told if one.set is not None),
        relations=tuple(relation for one in told for relation in one.relations),
    )
