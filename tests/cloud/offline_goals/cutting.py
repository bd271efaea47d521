"""The workspaces of this folder as sets: cut by kind and class, what is left by kind."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import msgspec
from handed import released
from msgspec import UNSET

from offline_goals.examination import Question, Workspace, projected, workspaces
from plantwin.cloud.answer import decode_plan
from plantwin.cloud.offline import Offline
from plantwin.private.capabilities import catalog
from plantwin.types.envelope import Registration, Request
from plantwin.types.plan import Narrowed, Plan, source_of
from plantwin.types.sets import AbsenceShare, ClassShare, SetRelation, TagShare, TwinSet
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import MAX_EDGES, MAX_TAGS, Sensitivity, SetSize, Share

LEAST = 3
"""Members that a set of one class has."""
MOST_CLASSES = 8


class Cut(NamedTuple):
    """Sets, their members by id, and the relations between them."""

    sets: tuple[TwinSet, ...]
    members: dict[str, list[TwinObject]]
    relations: tuple[SetRelation, ...]


def cut(workspace: Workspace) -> Cut:
    """A workspace as sets."""
    by_class: dict[object, list[TwinObject]] = defaultdict(list)
    for each in workspace.objects.values():
        by_class[each.kind, each.semantic_class].append(each)
    parts: dict[object, list[TwinObject]] = defaultdict(list)
    for key, held in by_class.items():
        parts[key if len(held) >= LEAST else held[0].kind] += held
    members = {f"set_{'abcdefghijklmnopqrstuvwxyz234567'[at] * 8}": held for at, held in enumerate(parts.values())}
    of = {each.object_id: id_ for id_, held in members.items() for each in held}
    found: dict[SetRelation, None] = {}
    of_source: dict[str, int] = defaultdict(int)
    for edge in workspace.edges:
        if edge.target is UNSET:
            continue
        source, target = of[edge.source], of[str(edge.target)]
        made = SetRelation(source=source, edge=edge.edge, target=target, reason=edge.reason)
        if made not in found and of_source[source] < MAX_EDGES:
            of_source[source] += 1
            found[made] = None
    return Cut(tuple(_set(id_, held) for id_, held in members.items()), members, tuple(found))


def _set(id_: str, held: list[TwinObject]) -> TwinSet:
    def shares(field: str, most: int) -> list[tuple[str, Share]]:
        counts: dict[str, int] = defaultdict(int)
        for each in held:
            value = getattr(each, field)
            for word in () if value is UNSET else value if isinstance(value, tuple) else (value,):
                counts[word] += 1
        kept = sorted(counts, key=lambda word: -counts[word])[:most]
        return [(word, _share(counts[word], len(held))) for word in sorted(kept)]

    leaves = {each.semantic_class for each in held}
    classes = tuple(
        ClassShare(semantic_class=word, share=share) for word, share in shares("semantic_class", MOST_CLASSES)
    )
    tags = tuple(TagShare(tag=word, share=share) for word, share in shares("contains", MAX_TAGS))
    lacks = tuple(AbsenceShare(absence=word, share=share) for word, share in shares("lacks", MAX_TAGS))
    levels = [each.sensitivity for each in held if each.sensitivity is not UNSET]
    return TwinSet(
        set_id=id_,
        size=next(each for each in reversed(SetSize) if len(held) >= each.least),
        kind=held[0].kind,
        semantic_class=leaves.pop() if len(leaves) == 1 else UNSET,
        classes=classes if len(classes) > 1 else UNSET,
        contains=tags or UNSET,
        lacks=lacks or UNSET,
        sensitivity=max(levels, key=list(Sensitivity).index) if levels else UNSET,
    )


def _share(count: int, whole: int) -> Share:
    return Share.ALL if count == whole else Share.MOST if 2 * count > whole else Share.SOME


def _reached(plan: Plan, made: Cut) -> set[str]:
    """Ids of the objects that a plan's steps work on."""
    found: set[str] = set()
    for step in plan.steps:
        for each in step.inputs:
            source = source_of(each)
            for member in made.members.get(source, ()):
                if not isinstance(each, Narrowed) or all(_holds(member, *one) for one in each.where.conditions):
                    found.add(member.object_id)
            if source.startswith("artifact_"):
                found.add(source)
    return found


def _holds(member: TwinObject, field: str, word: str) -> bool:
    if field == "family":
        return member.semantic_class is not UNSET and member.semantic_class.family == word
    value = getattr(member, field)
    return word in value if isinstance(value, tuple) else value == word


def asked_over_sets(question: Question) -> tuple[Plan, Cut]:
    """The first plan of the offline planner, which is told of the workspace as sets and of what the goal names."""
    workspace = workspaces()[question.workspace]
    goal, made = projected(question, workspace), cut(workspace)
    named = tuple(
        msgspec.structs.replace(each, within=id_)
        for id_, held in made.members.items()
        for each in held
        if each.object_id in goal.objects
    )
    envelopes = [
        released(Registration(sets=made.sets, objects=named)),
        released(Request(goal=goal, sets=made.sets, relations=made.relations, objects=named)),
    ]
    return decode_plan(Offline(catalog()).plan(envelopes)), made


def reached_by(plan: Plan, made: Cut, question: Question) -> set[str]:
    """Paths of the objects that a plan's steps work on."""
    paths = {each.object_id: path for path, each in workspaces()[question.workspace].objects.items()}
    return {paths[each] for each in _reached(plan, made)}
