"""The embedded planner: deterministic, without a key or a network. It sees only the encoded envelopes.

It reads the projected goal, chooses capabilities by its words or, where it names no steps, by what the twin shows,
puts each to the sets and objects that fit, asks for what it would need to know, follows up once on what was found, and
ends.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from plantwin.boundary.release import Released
from plantwin.cloud.offline.choice import Choice, choose
from plantwin.cloud.offline.followup import follow, inquire, missed
from plantwin.cloud.offline.hearing import Wanted, named
from plantwin.cloud.offline.language import Sentence, read
from plantwin.cloud.offline.scope import understood, unserved
from plantwin.cloud.offline.sight import Sight
from plantwin.cloud.offline.steps import Draft
from plantwin.cloud.offline.tables import ANSWERS
from plantwin.cloud.offline.targets import Aim
from plantwin.cloud.planner import outbound
from plantwin.types.capability import TELLING, Capability, Catalog
from plantwin.types.plan import MAX_STEPS
from plantwin.vocabulary import CapabilityName, Family, Kind, ResultType, member

ROUNDS: Final = 2
"""Turns that may be spent on asking for fields and smaller sets: one, and one for what it shows."""

_tokens = re.compile(r"[a-z0-9]+|[,.?!;:]")


class Offline:
    """Plans by rule."""

    name = "offline"
    audience = "offline"
    locality = "local"
    sends = False

    def __init__(self, catalog: Catalog, *, blind: bool = False) -> None:
        """`blind`: where nothing is shown, name the capabilities all the same, in steps without inputs."""
        self._catalog: dict[str, Capability] = dict(catalog)
        self._blind = blind
        self._sight = Sight()
        self._sentence = Sentence()
        self._goal: Mapping[str, Any] = {}
        self._choice: Choice | None = None
        self._begin()

    def _begin(self) -> None:
        self._rounds = ROUNDS
        self._followed = False
        self._planned: list[dict[str, Any]] = []
        """Steps of the last answer."""
        self._asked: set[str] = set()
        """Capabilities that were asked for before, and objects and sets that were asked about."""

    def plan(self, envelopes: Sequence[Released]) -> bytes:
        """Steps for a request, what follows from results, and then done."""
        steps: list[dict[str, Any]] = []
        results: Mapping[str, Any] | None = None
        requested = False
        own: list[str] = []
        messages = [json.loads(outbound(envelope)) for envelope in envelopes]
        if any(message["message"] == "request" for message in messages):
            self._sight = Sight()  # a new session has ids of its own
        for message in messages:
            self._sight.take(message)
            match message["message"]:
                case "request":
                    self._request(message)
                    requested = True
                case "verbatim":
                    own = _tokens.findall(message["text"].lower())
                case "results":
                    results = message
                case _:  # a registration is taken above; a plan of ours that needs repair would need it again
                    pass
        if requested:
            said = self._goal.get("text", own)
            self._sentence = read(said)
            steps = self._steps() if self._serves(said) else []
        elif results is not None:
            steps = self._after(results)
        self._planned = steps[:MAX_STEPS]
        for step in self._planned:
            self._asked |= set(step["inputs"]) if step["capability"] in TELLING else {step["capability"]}
        return json.dumps({"steps": self._planned} if self._planned else {"done": True}).encode()

    def _request(self, message: Mapping[str, Any]) -> None:
        self._begin()
        self._catalog |= {each["capability"]: _offered(each) for each in message.get("offers", ())}
        self._goal = message["goal"]

    def _steps(self) -> list[dict[str, Any]]:
        draft = Draft(self._catalog, self._sight, self._sentence, self._aim())
        known = dict.fromkeys(each.name for each in self._catalog.values() if each.name not in TELLING)
        blind = self._blind and not self._sight.things
        feasible = list(known) if blind else [each for each in known if draft.feasible(each)]
        intents = [member(CapabilityName, word) for word in self._goal.get("intents", ())]
        families = [member(Family, word) for word in self._goal.get("families", ())]
        choice = self._choice = choose(self._sentence, intents, families, self._sight, feasible)
        if blind:
            names = [each.can.value for each in choice.wanted]
            return [{"id": f"s{n}", "capability": each, "inputs": []} for n, each in enumerate(names, start=1)]
        steps = [each for each in draft.steps(choice) if each["capability"] not in self._asked]
        if self._rounds:
            self._rounds -= 1
            questions = inquire(choice, draft.unmet, self._sight, self._catalog, self._asked)
            if questions:
                # What joins results waits for all of them; a vague goal may be planned otherwise when more is known.
                return questions if draft.joins or choice.vague else [*steps, *questions]
        return steps

    def _serves(self, said: Sequence[str]) -> bool:
        """Whether the goal asks for something that capabilities do. Where no words may cross, that is not known."""
        if not said and "text" not in self._goal:
            return True
        if unserved(said, self._sentence, self._sight):
            return False
        # What did not cross is told by the intents and families that it stands for.
        intents = self._goal.get("intents", ())
        whole = any(member(CapabilityName, word) in ANSWERS for word in intents)
        told = bool(self._sentence.blanks and intents and (whole or self._goal.get("families")))
        return self._blind or told or understood(self._sentence, self._sight)

    def _aim(self) -> Aim:
        """What the goal names. Its families count where neither a word nor an id says what it is about."""
        names = (*self._goal.get("objects", ()), *(each.id for each in self._sight.things.values() if each.named))
        nouns = named(self._sentence, range(self._sentence.clauses))
        families = tuple(self._goal.get("families", ()))
        said = {word for text in nouns for word in text.split()}
        hidden = tuple(each for each in families if each not in said) if self._sentence.blanks and not names else ()
        return Aim(names, hidden if names or nouns else families, families)

    def _after(self, results: Mapping[str, Any]) -> list[dict[str, Any]]:
        """What was asked about is known now; what was found may lead on, once."""
        if any(each["capability"] in TELLING for each in self._planned):
            return self._steps()
        if self._choice is None:
            return []
        if then := missed(self._sentence, self._planned, results, self._asked):
            places = frozenset(range(self._sentence.clauses))
            draft = Draft(self._catalog, self._sight, self._sentence, self._aim())
            return draft.steps(Choice((Wanted(then, 1.0, places),), vague=False))
        if self._followed:
            return []
        self._followed = True
        return follow(self._choice, self._sentence, self._planned, results, self._catalog, self._asked)


def _offered(offer: Mapping[str, Any]) -> Capability:
    """A capability of the person's own, as far as it is told."""
    return Capability(
        name=member(CapabilityName, offer["like"]),
        own=offer["capability"],
        wire=offer["capability"],
        doc="",
        example="",
        kinds=frozenset(member(Kind, kind) for kind in offer["kinds"]),
        most=1,
        returns=member(ResultType, offer["returns"]),
    )
