"""What a planner would be told first of a folder, for showing it to its owner: before any goal, policy or budget."""

from __future__ import annotations

import secrets
from collections import Counter

from plantwin.boundary.groups import count_of
from plantwin.boundary.identity import Issuer
from plantwin.types.envelope import MAX_OBJECTS, Registration
from plantwin.types.twin import Group, Twin, TwinObject
from plantwin.vocabulary import Kind


def registration(twin: Twin) -> Registration:
    """What a planner is told first: the kind of each object, in random order, and nothing else.

    A tree with more objects than an envelope lists is sampled at random; the others are counted.
    """
    objects = [TwinObject(object_id=each.object_id, kind=each.kind) for each in twin.objects]
    secrets.SystemRandom().shuffle(objects)
    listed, rest = objects[:MAX_OBJECTS], objects[MAX_OBJECTS:]
    return Registration(objects=tuple(listed), groups=_by_kind(Counter(each.kind for each in rest)))


def _by_kind(counts: Counter[Kind]) -> tuple[Group, ...]:
    issuer = Issuer()
    return tuple(
        Group(group_id=issuer.group_id(), kind=kind, count=count_of(counts[kind]))
        for kind in sorted(Kind)
        if counts[kind]
    )
