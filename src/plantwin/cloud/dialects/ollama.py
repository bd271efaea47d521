"""Ollama's own chat interface: lines of JSON, and a schema that its grammar holds the model to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from plantwin.cloud.conversation import Talk
from plantwin.cloud.dialects.dialect import Form, Reading, Wishes, chosen, dig
from plantwin.cloud.keys import Key
from plantwin.errors import PlannerError

STEP: Final = 4096
"""Tokens by which the room for a conversation grows."""


class Ollama:
    """Ollama, on this machine or elsewhere."""

    forms: tuple[Form, ...] = (Form.JSON_SCHEMA, Form.JSON_OBJECT, Form.TEXT)
    listing = "/api/tags"

    def path(self, wishes: Wishes) -> str:
        """The same for every model."""
        return "/api/chat"

    def headers(self, key: Key | None) -> dict[str, str]:
        """A bearer, for the hosted service and for proxies before it."""
        return {"Authorization": f"Bearer {key.reveal()}"} if key else {}

    def body(self, talk: Talk, wishes: Wishes, form: Form) -> dict[str, Any]:
        """A streamed chat in the given form."""
        body: dict[str, Any] = {
            "model": wishes.model,
            "messages": [
                {"role": "system", "content": talk.system},
                *({"role": each.role, "content": each.text} for each in talk.said),
            ],
            "stream": True,
            "options": chosen(
                temperature=wishes.temperature, seed=wishes.seed, num_predict=wishes.max_tokens, num_ctx=_room(talk)
            ),
            **chosen(think=wishes.effort),
        }
        if form is Form.JSON_SCHEMA:
            body["format"] = talk.schema
        elif form is Form.JSON_OBJECT:
            body["format"] = "json"
        return body

    def read(self, message: Mapping[str, Any], reading: Reading) -> None:
        """One line; the last one has the counts."""
        if message.get("error") is not None:
            raise PlannerError("the planner reports an error: check that its model is installed")
        reading.add(dig(message, "message", "content"))
        if message.get("done") is True:
            reading.count(message.get("prompt_eval_count"), message.get("eval_count"))
            reading.end(message.get("done_reason"))


def _room(talk: Talk) -> int:
    """Tokens to make room for: by default the server cuts off what does not fit into few, and does not say so."""
    characters = len(talk.system) + sum(len(each.text) for each in talk.said)
    return (characters // 3 // STEP + 2) * STEP
