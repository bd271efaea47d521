"""Folders as sets, written briefly, and what the embedded planner answers about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from handed import released
from msgspec import UNSET

from plantwin.cloud.answer import decode_plan
from plantwin.cloud.offline import Offline
from plantwin.private.capabilities import catalog
from plantwin.types.envelope import Registration, Request, Results
from plantwin.types.goal import Goal, token_like
from plantwin.types.goal import joined as joined_tokens
from plantwin.types.plan import Narrowed, Plan, StepInput
from plantwin.types.sets import AbsenceShare, ClassShare, SetRelation, TagShare, TwinSet
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import (
    Absence,
    CapabilityName,
    ContentTag,
    EdgeReason,
    Family,
    Kind,
    Role,
    SemanticClass,
    Sensitivity,
    SetSize,
    Share,
)

CATALOG = catalog()


def set_id(letter: str) -> str:
    """The id of a set that tests know by a letter."""
    return f"set_{letter * 8}"


def object_id(letter: str) -> str:
    """The id of an object that tests know by a letter."""
    return f"artifact_{letter * 8}"


def told(letter: str, size: str, words: str = "", **fields: Any) -> TwinSet:
    """A set from words: `config infra_storage high credentials:some -tests:all named`; `a+b` are shares of classes."""
    made: dict[str, Any] = {}
    tags: list[TagShare] = []
    lacks: list[AbsenceShare] = []
    for word in words.split():
        name, _, share = word.partition(":")
        if name.startswith("-"):
            lacks.append(AbsenceShare(absence=Absence(name[1:]), share=Share(share or "all")))
        elif "+" in name:
            leaves = sorted(name.split("+"))
            made["classes"] = tuple(ClassShare(semantic_class=SemanticClass(each), share=Share.SOME) for each in leaves)
        elif name in Kind._value2member_map_ and "kind" not in made:
            made["kind"] = Kind(name)
        elif share or name in ContentTag._value2member_map_:
            tags.append(TagShare(tag=ContentTag(name), share=Share(share or "most")))
        elif name == "named":
            made["named"] = True
        else:
            for field_, words_ in FIELDS.items():
                if name in words_._value2member_map_:
                    made[field_] = words_(name)
                    break
            else:
                raise ValueError(name)
    made |= {"contains": tuple(sorted(tags, key=lambda each: each.tag))} if tags else {}
    made |= {"lacks": tuple(sorted(lacks, key=lambda each: each.absence))} if lacks else {}
    return TwinSet(set_id=set_id(letter), size=SetSize(size), **made, **fields)


FIELDS = {"semantic_class": SemanticClass, "family": Family, "role": Role, "sensitivity": Sensitivity}


def joined(source: str, reason: str, target: str, share: str = "some") -> SetRelation:
    """A relation between two sets that tests know by letters; a capital is an object."""
    known = EdgeReason(reason)
    ends = [object_id(each.lower()) if each.isupper() else set_id(each) for each in (source, target)]
    return SetRelation(source=ends[0], edge=known.edge, reason=known, target=ends[1], share=Share(share))


def crossing(text: str) -> tuple[str, ...]:
    """A goal's words as they cross: what the lexicon does not know is a blank, a capital letter an object."""
    words = (object_id(each.lower()) if len(each) == 1 and each.isupper() else each for each in text.split())
    return joined_tokens(each if token_like(each) else "<term>" for each in words)


@dataclass
class Folder:
    """Sets, relations between them, and objects that a goal names."""

    sets: tuple[TwinSet, ...]
    relations: tuple[SetRelation, ...] = ()
    objects: tuple[TwinObject, ...] = ()
    planner: Offline = field(default_factory=lambda: Offline(CATALOG))

    def ask(self, text: str = "", *, intents: tuple[str, ...] = (), families: tuple[str, ...] = ()) -> Plan:
        """The first plan for a goal; a capital letter in it is an object."""
        words = crossing(text)
        named = tuple(sorted({each for each in words if each.startswith("artifact_")}))
        goal = Goal(
            mode="lexicon" if words else "intent",
            text=words or UNSET,
            intents=tuple(sorted(CapabilityName(each) for each in intents)),
            families=tuple(sorted(Family(each) for each in families)),
            objects=named,
        )
        objects = tuple(each for each in self.objects if each.object_id in named)
        ends = {each.object_id for each in objects} | {each.set_id for each in self.sets}
        relations = tuple(each for each in self.relations if {each.source, each.target} <= ends)
        bare = tuple(
            TwinSet(set_id=each.set_id, size=each.size, kind=each.kind, family=each.family) for each in self.sets
        )
        first = (
            released(Registration(sets=bare, objects=objects)),
            released(Request(goal=goal, sets=self.sets, relations=relations, objects=objects)),
        )
        return decode_plan(self.planner.plan(first))

    def hear(self, results: Results, earlier: Plan) -> Plan:
        """What it answers to results."""
        return decode_plan(self.planner.plan([released(results)]), {step.id for step in earlier.steps})


def brief(name: StepInput) -> str:
    """An input as tests write it: `a`, `a[runbook]`, `s1.worst`."""
    if isinstance(name, Narrowed):
        return f"{brief(name.set)}[{','.join(word for _, word in name.where.conditions)}]"
    if name.startswith("set_"):
        return name[4]
    return name[9].upper() if name.startswith("artifact_") else name


def written(plan: Plan) -> str:
    """A plan in one line: `audit_infrastructure a b[runbook]; report s1`."""
    return "; ".join(f"{step.capability} {' '.join(sorted(map(brief, step.inputs)))}" for step in plan.steps)
