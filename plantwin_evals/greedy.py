"""A planner that wants to know, not to work: it asks for every detail of everything until nothing more is told.

With probes it also plays differencing: it asks one capability about a set, and the next one about the part in which
the first found something, the part in which it found nothing, and the set narrowed by a condition.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from plantwin.boundary.release import Released
from plantwin.cloud.planner import outbound
from plantwin.types.plan import MAX_STEPS
from plantwin.vocabulary import Affected, Dimension, Part, Sensitivity

ASKED = {"split": 0, "describe": 1}
"""What is asked first."""
SOME = (Affected.ONE, Affected.FEW, Affected.MOST)
"""Neither none nor all: both parts have members."""


class Greedy:
    """`split` on every set along every dimension, then `describe` on every object, then these probes of all."""

    name = "greedy"
    audience = "greedy"
    locality = "local"

    def __init__(self, audience: str = audience, probes: Sequence[str] = ()) -> None:
        self.audience, self._probes = audience, probes
        self._questions: dict[tuple[str, str, str], bool] = {}
        """Capability, input and dimension of every question, and whether it was asked."""
        self._asked: list[tuple[str, str, str]] = []
        """Those of the last plan."""

    def plan(self, envelopes: Sequence[Released]) -> bytes:
        """As many questions as a plan holds."""
        for envelope in envelopes:
            message = json.loads(outbound(envelope))
            for told in message.get("sets", ()):
                for dimension in Dimension:
                    self._wonder("split", told["set_id"], dimension.value)
                for probe in self._probes:
                    self._wonder(probe, told["set_id"])
                    self._wonder(probe, told["set_id"], Sensitivity.HIGH.value)
            for told in message.get("objects", ()):
                for word in ("describe", *self._probes):
                    self._wonder(word, told["object_id"])
        if envelopes:
            self._difference(json.loads(outbound(envelopes[-1])).get("steps", ()))
        waiting = sorted(question for question, asked in self._questions.items() if not asked)
        self._asked = sorted(waiting, key=lambda question: ASKED.get(question[0], len(ASKED)))[:MAX_STEPS]
        first = 1 + sum(self._questions.values())
        self._questions |= dict.fromkeys(self._asked, True)
        steps = [
            {"id": f"s{number}", "capability": word, **_given(word, name, more)}
            for number, (word, name, more) in enumerate(self._asked, start=first)
        ]
        return json.dumps({"steps": steps} if steps else {"done": True}).encode()

    def _wonder(self, word: str, name: str, more: str = "") -> None:
        self._questions.setdefault((word, name, more), False)

    def _difference(self, results: Sequence[dict[str, Any]]) -> None:
        """Ask the next capability about the parts of every set in which the last plan found something in some."""
        first = 1 + sum(self._questions.values()) - len(self._asked)
        for result in results:
            word, *_ = self._asked[result["step"] - 1]
            if word in self._probes and result["outcome"].get("affected") in SOME:
                other = self._probes[(self._probes.index(word) + 1) % len(self._probes)]
                for part in (Part.AFFECTED, Part.CLEAN):
                    self._wonder(other, f"s{first + result['step'] - 1}.{part}")


def _given(word: str, name: str, more: str) -> dict[str, Any]:
    """Inputs of a step, with the dimension of a split or the sensitivity that a set is narrowed to."""
    if word == "split":
        return {"inputs": [name], "by": more}
    return {"inputs": [{"set": name, "where": {"sensitivity": more}} if more else name]}
