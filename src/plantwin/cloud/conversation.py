"""What a model is told and has answered, turn by turn, and the form of its answer as JSON Schema.

Envelopes stand in a conversation exactly as they were encoded. The schema is made from the plan's own types and is
tight: only capabilities that are offered, only ids that were shown, only words that were told, only so many steps.
Strict schemas know no optional fields, so what a field may leave out is one form of several.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from plantwin.boundary.release import Released
from plantwin.cloud.planner import outbound
from plantwin.cloud.skill import Skill
from plantwin.types.capability import Capability
from plantwin.types.plan import Plan, Where
from plantwin.types.twin import set_id_like
from plantwin.vocabulary import CapabilityName, Dimension, Kind, Part, SemanticClass, Share, member

NAME: Final = "plan"
"""What the schema and the tool are called."""
KEPT: Final = ("id", "capability", "inputs")
"""Fields of a step that a model fills in; the others have defaults, but for `by` of a split."""
MOST_STEPS: Final = 8
"""Steps of an answer that is held to a schema: every name and part is spelled out, and servers bound how many are."""

Told = Mapping[str, Collection[str]]
"""Words that sets were told to hold, by the field of a condition."""


def plan_schema(capabilities: Iterable[str], ids: Iterable[str], told: Told | None = None) -> dict[str, Any]:
    """The schema of a plan over these capabilities and ids. `told`: what sets can be narrowed by."""
    most = msgspec.json.schema(Plan)["$defs"]["Step"]["properties"]["inputs"]["maxItems"]
    names, shown = set(capabilities), sorted(ids)
    sets = [id_ for id_ in shown if set_id_like(id_)]
    steps = [f"s{number}" for number in range(1, MOST_STEPS + 1)]
    parts = [f"{step}.{part}" for step in steps for part in Part]
    forms = [_words([*shown, *steps, *parts]), *_narrowed([*sets, *parts], told or {})]
    inputs = {"type": "array", "items": any_schema(forms), "maxItems": most}
    splitting = CapabilityName.SPLIT.value
    step = [object_schema(id=_words(steps), capability=_words(sorted(names - {splitting})), inputs=inputs)]
    if sets and splitting in names:
        one = {"type": "array", "items": _words(sets), "maxItems": 1}
        step.append(
            object_schema(
                id=_words(steps),
                capability=_words([splitting]),
                inputs=one,
                by=_words(list(Dimension)),
            )
        )
    return object_schema(steps={"type": "array", "items": any_schema(step), "maxItems": MOST_STEPS})


def _narrowed(sources: list[str], told: Told) -> list[dict[str, Any]]:
    """A set or a part of a result, narrowed by one condition."""
    conditions = [
        object_schema(**{field: _words(sorted(told[field]))}) for field in Where.__struct_fields__ if told.get(field)
    ]
    return [object_schema(set=_words(sources), where=any_schema(conditions))] if sources and conditions else []


def _words(words: list[str]) -> dict[str, Any]:
    return {"type": "string", "enum": words}


def any_schema(forms: list[dict[str, Any]]) -> dict[str, Any]:
    """One of several forms."""
    return forms[0] if len(forms) == 1 else {"anyOf": forms}


def object_schema(**properties: dict[str, Any]) -> dict[str, Any]:
    """An object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


@dataclass(frozen=True)
class Said:
    """One message: of the person's side (`user`) or of the model (`assistant`)."""

    role: str
    text: str


@dataclass(frozen=True)
class Talk:
    """All that one request holds, but for how a provider wants it put."""

    system: str
    said: tuple[Said, ...]
    schema: dict[str, Any]


@dataclass
class Conversation:
    """A session's messages. A registration begins a new one: nothing of an earlier session is sent again."""

    catalog: Mapping[str, Capability]
    skill: Skill | None = None
    said: list[Said] = field(default_factory=list)
    _ids: dict[str, None] = field(default_factory=dict)
    _offered: dict[str, None] = field(default_factory=dict)
    _told: dict[str, dict[str, None]] = field(default_factory=dict)
    """Words that were told of sets, by the field of a condition."""
    _kinds: set[Kind] = field(default_factory=set)
    _classes: set[SemanticClass] = field(default_factory=set)

    def hear(self, envelopes: Sequence[Released]) -> Talk:
        """Add the envelopes of a turn, and give all that is to be sent."""
        lines = [outbound(envelope).decode() for envelope in envelopes]
        for line in lines:
            self._note(json.loads(line))
        self.said.append(Said("user", "\n".join(lines)))
        # Once for a session, so that what is sent again and again stays the same.
        skill = self.skill = self.skill or Skill(self.catalog, self._kinds or set(Kind), self._classes)
        words = [capability.word for capability in skill.listed]
        return Talk(skill.text, tuple(self.said), plan_schema([*words, *self._offered], self._ids, self._told))

    def answered(self, text: str) -> None:
        """Add what the model answered."""
        self.said.append(Said("assistant", text))

    def unheard(self) -> None:
        """Take the last turn back: it got no answer."""
        self.said.pop()

    @property
    def version(self) -> str:
        """Which skill is taught."""
        return self.skill.version if self.skill else ""

    def _note(self, message: dict[str, Any]) -> None:
        if message["message"] == "registration":
            self.skill = None
            for known in (self.said, self._ids, self._offered, self._told, self._kinds, self._classes):
                known.clear()
        objects, sets = message.get("objects", ()), message.get("sets", ())
        self._ids |= dict.fromkeys(held["set_id"] for held in sets)
        self._ids |= dict.fromkeys(obj["object_id"] for obj in objects)
        self._offered |= dict.fromkeys(offer["capability"] for offer in message.get("offers", ()))
        for described in (*objects, *sets):
            # A set of several kinds may hold any of them.
            self._kinds |= {member(Kind, described["kind"])} if "kind" in described else set(Kind)
            self._classes |= {member(SemanticClass, leaf) for leaf in _classes(described)}
        for set_ in sets:
            for field_, words in _conditions(set_):
                self._told.setdefault(field_, {}).update(dict.fromkeys(words))


def _classes(told: dict[str, Any]) -> list[str]:
    """Classes that are told of an object or a set."""
    shares = [class_["semantic_class"] for class_ in told.get("classes", ())]
    return [told["semantic_class"], *shares] if "semantic_class" in told else shares


def _conditions(told: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """What members of a set can be told apart by: classes, families and tags that only some have."""
    classes = [class_["semantic_class"] for class_ in told.get("classes", ())]
    families = sorted({member(SemanticClass, class_).family.value for class_ in classes})
    kinds = [] if "kind" in told else [kind.value for kind in Kind]
    tags = [contain["tag"] for contain in told.get("contains", ()) if contain["share"] != Share.ALL]
    found = {"kind": kinds, "family": families, "semantic_class": classes, "contains": tags}
    return [(field_, words) for field_, words in found.items() if words]
