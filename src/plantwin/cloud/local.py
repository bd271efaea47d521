"""A planner on this machine: a small model behind a loopback port, whose answers cannot be other than plans.

The model is one that the person runs (Ollama, llama.cpp, any OpenAI-compatible server on loopback), or one that
PlanTwin starts from the `slm` extra and ends again. What it may answer is a schema made from the envelopes
(`cloud/grammar.py`), so that even a model of 135 million parameters returns a plan that decodes and is well typed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from plantwin.boundary.release import Released
from plantwin.cloud.endpoint import LOOPBACK
from plantwin.cloud.grammar import MOST_CAPABILITIES, Item, Menu, Told, fits, items
from plantwin.cloud.loopback import Endpoint
from plantwin.cloud.planner import Witnessed, outbound
from plantwin.cloud.serving import CONTEXT, Served
from plantwin.errors import PlannerError
from plantwin.types.capability import Capability, Catalog
from plantwin.types.twin import object_id_like
from plantwin.vocabulary import CapabilityName, Kind, ResultType, member
from plantwin.weights import installed

MOST_ITEMS = 12
LARGER = 40
"""Objects, sets and their classes that are shown to a model with room for more."""
LETTERS = 2.5
"""Characters of a prompt like ours that make one token, at the least."""
KEY = "PLANTWIN_LOCAL_KEY"
"""The environment variable with the key of a server of the person's own."""
SKILL = "local-2"
"""The version of this prompt."""
SYSTEM = (
    "You plan work on files that you cannot see. Pick the capabilities that the goal asks for, and for each the files "
    "or sets of files that it shall work on. Answer with JSON: a first step, then further steps. Few steps are better "
    "than many."
)
SHOWN = ("size", "kind", "semantic_class", "family", "role", "sensitivity", "freshness")
EXAMPLE = (
    "Goal: review the payment module and the login form for security issues and compare them\n"
    "Files:\nf1: code_file payment_module\nf2: code_file authentication_form\n"
    "Capabilities:\nsecurity_audit: Looks for weaknesses.\ncompare: Sets two side by side.",
    '{"first":{"capability":"security_audit","inputs":["f1"]},'
    '"then":[{"capability":"security_audit","inputs":["f2"]},{"capability":"compare","inputs":["s1","s2"]}]}',
)


class Local(Witnessed):
    """Plans with a model behind a port of this machine: its own, which sends nothing, or one of the person's."""

    name = "local"
    audience = "local"
    locality = "local"

    def __init__(
        self,
        catalog: Catalog,
        *,
        endpoint: str | None = None,
        model: str = "",
        weights: str | None = None,
        context: int = CONTEXT,
        seconds: float = 120.0,
        rounds: int = 1,
    ) -> None:
        """`endpoint`: a server of the person's own, and `model` its name for the model; without, one is started.

        `weights`: a GGUF file for the one that is started. `context`: tokens that it has room for.
        `rounds`: how often it is asked before the session is done; a small model gains nothing from results.
        """
        super().__init__()
        if endpoint is None:
            # Told now, before anything is released for a planner that could not answer.
            installed(weights)
        else:
            # A port that others serve may lead elsewhere: it learns no more than all of them together.
            self.audience = LOOPBACK
        self.sends = endpoint is not None
        self._catalog: dict[str, Capability] = dict(catalog)
        self._told: dict[str, dict[str, Any]] = {}
        self._goal: dict[str, Any] = {}
        self._verbatim = ""
        self._endpoint = Endpoint(endpoint, key=os.environ.get(KEY, ""), seconds=seconds) if endpoint else None
        self._served: Served | None = None
        self._model, self._weights, self._context, self._seconds = model, weights, context, seconds
        self._rounds = rounds

    def __repr__(self) -> str:
        return "<Local>"

    def __enter__(self) -> Local:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the model that was started, if one was."""
        if self._served is not None:
            self._served.close()
            self._served = self._endpoint = None

    def plan(self, envelopes: Sequence[Released]) -> bytes:
        """The model's plan for these envelopes; done when it has had its rounds, or when nothing fits."""
        for envelope in envelopes:
            self._learn(json.loads(outbound(envelope)))
        menu = self._menu()
        if self._rounds < 1 or not menu:
            return b'{"done":true}'
        self._rounds -= 1
        steps = menu.steps(self._answer(menu))
        if not steps:
            raise PlannerError("the local model's server does not hold answers to a schema: use another, or the extra")
        return json.dumps({"steps": steps}).encode()

    def _learn(self, message: dict[str, Any]) -> None:
        for rows, name in (("objects", "object_id"), ("sets", "set_id")):
            for row in message.get(rows, ()):
                self._told.setdefault(row[name], {}).update(row)
        if message["message"] == "verbatim":
            self._verbatim = " ".join(message["text"].split())
        if message["message"] == "request":
            self._goal = message["goal"]
            self._catalog |= {offer["capability"]: _offered(offer) for offer in message.get("offers", ())}

    def _menu(self) -> Menu:
        """The capabilities, objects and sets that the goal is most likely about, as many as there is room for."""
        shown = [item for words in self._told.values() for item in items(words)]
        capabilities = self._wanted(shown)
        named = self._goal.get("objects", ())

        def rank(item: Item) -> tuple[bool, int]:
            meant = item.input in named or bool(item.told.get("named"))
            return not meant, -sum(fits(capability, item.told) for capability in capabilities)

        most = MOST_ITEMS if self._context <= CONTEXT else LARGER
        return Menu(capabilities, sorted(shown, key=rank)[:most])

    def _wanted(self, shown: Sequence[Item]) -> list[Capability]:
        """What the goal asks for in so many words; else what something shown fits, the likeliest first."""
        usable = [
            entry
            for entry in self._catalog.values()
            if sum(item.members for item in shown if fits(entry, item.told)) >= max(entry.least, 1)
        ]
        intents = self._goal.get("intents", ())
        asked = [capability for capability in usable if capability.name in intents]
        if asked:
            return asked[:MOST_CAPABILITIES]
        words = {token.rstrip("s") for token in self._goal.get("text", ()) if len(token) > 3}

        def overlap(capability: Capability) -> int:
            known = f"{capability.name.value.replace('_', ' ')} {capability.doc} {capability.example}".lower()
            return -len(words & {word.strip(".,:;").rstrip("s") for word in known.split()})

        return sorted(usable, key=overlap)[:MOST_CAPABILITIES]

    def _answer(self, menu: Menu) -> str:
        endpoint = self._endpoint or self._started()
        question = {
            "model": self._model or "local",
            "messages": self._messages(menu),
            "max_tokens": menu.room(),
            "temperature": 0,
            "seed": 0,
        }
        schema = menu.schema()
        while True:
            body = endpoint.body(question, schema)
            self.witness(body, endpoint.origin, SKILL)
            answer = endpoint.ask(body)
            if answer is not None:
                return answer
            if not endpoint.degrade():
                raise PlannerError("the local model's server refused the question: see its own log")

    def _started(self) -> Endpoint:
        self._served = Served(self._weights, context=self._context)
        self._endpoint = Endpoint(self._served.url, key=self._served.key, seconds=self._seconds)
        return self._endpoint

    def _messages(self, menu: Menu) -> list[dict[str, str]]:
        room = int((self._context - menu.room()) * LETTERS) - len(SYSTEM) - sum(map(len, EXAMPLE))
        return [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": EXAMPLE[0]},
            {"role": "assistant", "content": EXAMPLE[1]},
            {"role": "user", "content": self._question(menu, room)},
        ]

    def _question(self, menu: Menu, room: int) -> str:
        """Goal, files and capabilities; descriptions are left out where there is no room for them."""
        short = {item.input: name for name, item in menu.items.items() if isinstance(item.input, str)}
        goal = self._goal.get("text") or [*self._goal.get("intents", ()), *self._goal.get("objects", ())]
        wanted = self._verbatim or " ".join(
            "a file" if object_id_like(token) and token not in short else short.get(token, token.lstrip("+"))
            for token in goal
        )
        files = [f"{name}: {_described(item.told)}" for name, item in menu.items.items()]
        for brief in (False, True):
            lines = [
                choice.capability.word if brief else f"{choice.capability.word}: {_first(choice.capability.doc)}"
                for choice in menu.choices.values()
            ]
            text = "\n".join(
                [
                    f"Goal: {wanted[: 600 if wanted.isascii() else 150] or 'look at the files'}",
                    "Files:",
                    *files,
                    "Capabilities:",
                    *lines,
                ]
            )
            if len(text) <= room:
                break
        return text[: max(room, 0)]


def _described(told: Told) -> str:
    """What a model is shown of it in one line."""
    return " ".join([*(["set of"] if "set_id" in told else []), *(told[field] for field in SHOWN if field in told)])


def _first(doc: str) -> str:
    """The first clause of a capability's description."""
    return doc.partition(":")[0].rstrip(".") + "."


def _offered(offer: dict[str, Any]) -> Capability:
    """A capability of the person's own, as far as it is told."""
    like = member(CapabilityName, offer["like"])
    return Capability(
        name=like,
        own=offer["capability"],
        wire=offer["capability"],
        doc=f"Does what {like} does.",
        example="",
        kinds=frozenset(member(Kind, kind) for kind in offer["kinds"]),
        most=1,
        returns=member(ResultType, offer["returns"]),
    )
