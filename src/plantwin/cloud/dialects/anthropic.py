"""Anthropic's Messages interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from plantwin.cloud.answering import NAME
from plantwin.cloud.conversation import Talk
from plantwin.cloud.dialects.dialect import Form, Reading, Wishes, chosen, dig
from plantwin.cloud.keys import Key
from plantwin.cloud.transport import LostError
from plantwin.errors import PlannerError

VERSION: Final = "2023-06-01"
MAX_TOKENS: Final = 8192
"""The interface needs a limit; this one holds where the person sets none."""
BUSY: Final = frozenset({"overloaded_error", "rate_limit_error", "api_error", "timeout_error"})


class Anthropic:
    """Claude."""

    forms: tuple[Form, ...] = (Form.JSON_SCHEMA, Form.TOOL, Form.TEXT)
    listing = "/v1/models"

    def path(self, wishes: Wishes) -> str:
        """The same for every model."""
        return "/v1/messages"

    def headers(self, key: Key | None) -> dict[str, str]:
        """The key and the version of the interface."""
        return {"anthropic-version": VERSION, **({"x-api-key": key.reveal()} if key else {})}

    def body(self, talk: Talk, wishes: Wishes, form: Form) -> dict[str, Any]:
        """A streamed message; the skill is marked as a prefix that can be cached."""
        output: dict[str, Any] = chosen(effort=wishes.effort)
        body: dict[str, Any] = {
            "model": wishes.model,
            "max_tokens": wishes.max_tokens or MAX_TOKENS,
            "system": [{"type": "text", "text": talk.system, "cache_control": {"type": "ephemeral"}}],
            "messages": [{"role": each.role, "content": each.text} for each in talk.said],
            "stream": True,
            **chosen(temperature=wishes.temperature),
        }
        match form:
            case Form.JSON_SCHEMA:
                output["format"] = {"type": "json_schema", "schema": _plain(talk.schema)}
            case Form.TOOL:
                tool = {"name": NAME, "description": "Hand over the plan.", "input_schema": talk.schema}
                body["tools"] = [tool]
                body["tool_choice"] = {"type": "tool", "name": NAME}
            case _:
                pass
        if output:
            body["output_config"] = output
        return body

    def read(self, message: Mapping[str, Any], reading: Reading) -> None:
        """One event of a stream, or a whole message."""
        match message.get("type"):
            case "message_start":
                usage = dig(message, "message", "usage")
                reading.count(_read(usage), dig(usage, "output_tokens"))
            case "content_block_delta":
                reading.add(dig(message, "delta", "text"))
                reading.add(dig(message, "delta", "partial_json"))
            case "message_delta":
                reading.count(None, dig(message, "usage", "output_tokens"))
                if (reason := dig(message, "delta", "stop_reason")) is not None:
                    reading.end(reason)
            case "message":
                self._whole(message, reading)
            case "error":
                if dig(message, "error", "type") in BUSY:
                    raise LostError("the planner's provider is overloaded: try again later")
                raise PlannerError("the planner's provider reports an error in its answer")
            case _:  # pings, and whatever is added later
                pass

    def _whole(self, message: Mapping[str, Any], reading: Reading) -> None:
        import json

        usage = message.get("usage")
        reading.count(_read(usage), dig(usage, "output_tokens"))
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            reading.add(dig(block, "text") if dig(block, "type") == "text" else None)
            if dig(block, "type") == "tool_use":
                reading.add(json.dumps(dig(block, "input")))
        reading.end(message.get("stop_reason"))


def _read(usage: Any) -> int | None:
    """Tokens that were read, those from the cache too."""
    counts = [dig(usage, name) for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")]
    numbers = [each for each in counts if type(each) is int]
    return sum(numbers) if numbers else None


def _plain(schema: Any) -> Any:
    """The schema without bounds on lengths, which the interface does not take; the decoder holds them."""
    if isinstance(schema, dict):
        return {name: _plain(each) for name, each in schema.items() if name != "maxItems"}
    return [_plain(each) for each in schema] if isinstance(schema, list) else schema
