"""What a model is told and has answered, turn by turn. Envelopes stand in it exactly as they were encoded."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from plantwin.boundary.release import Released
from plantwin.cloud.answering import plan_schema
from plantwin.cloud.planner import outbound
from plantwin.cloud.skill import Skill
from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Kind, member


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
    _groups: dict[str, None] = field(default_factory=dict)
    _offered: dict[str, None] = field(default_factory=dict)

    def hear(self, envelopes: Sequence[Released]) -> Talk:
        """Add the envelopes of a turn, and give all that is to be sent."""
        lines = [outbound(each).decode() for each in envelopes]
        for line in lines:
            self._note(json.loads(line))
        self.said.append(Said("user", "\n".join(lines)))
        skill = self.skill or self._taught(set(Kind))
        listed = [each.word for each in skill.listed if self._groups or each.name is not CapabilityName.EXPAND]
        schema = plan_schema([*listed, *self._offered], [*self._ids, *self._groups])
        return Talk(skill.text, tuple(self.said), schema)

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
            self.said.clear()
            self._ids.clear()
            self._groups.clear()
            self._offered.clear()
            shown = [*message.get("objects", ()), *message.get("groups", ())]
            self._taught({member(Kind, each["kind"]) for each in shown} or set(Kind))
        self._ids |= dict.fromkeys(each["object_id"] for each in message.get("objects", ()))
        self._groups |= dict.fromkeys(each["group_id"] for each in message.get("groups", ()) if "group_id" in each)
        self._offered |= dict.fromkeys(each["capability"] for each in message.get("offers", ()))

    def _taught(self, kinds: set[Kind]) -> Skill:
        self.skill = Skill(self.catalog, kinds)
        return self.skill
