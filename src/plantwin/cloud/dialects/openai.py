"""Chat completions as OpenAI defined them and many others serve them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plantwin.cloud.answering import NAME
from plantwin.cloud.conversation import Talk
from plantwin.cloud.dialects.dialect import Form, Reading, Wishes, chosen, dig
from plantwin.cloud.keys import Key
from plantwin.errors import PlannerError


class OpenAI:
    """OpenAI, OpenRouter, Azure, Groq, vLLM, LM Studio, llama.cpp and their like."""

    forms: tuple[Form, ...] = (Form.JSON_SCHEMA, Form.JSON_OBJECT, Form.TOOL, Form.TEXT)
    listing = "/models"

    def __init__(self, provider: str = "", key_header: str | None = None) -> None:
        self._provider = provider
        self._key_header = key_header

    def path(self, wishes: Wishes) -> str:
        """Below the base URL, which ends in the version."""
        return "/chat/completions"

    def headers(self, key: Key | None) -> dict[str, str]:
        """The key as a bearer, or in the header that the person names (Azure: `api-key`)."""
        if key is None:
            return {}
        if self._key_header is not None and self._key_header.lower() != "authorization":
            return {self._key_header: key.reveal()}
        return {"Authorization": f"Bearer {key.reveal()}"}

    def body(self, talk: Talk, wishes: Wishes, form: Form) -> dict[str, Any]:
        """A streamed completion in the given form."""
        openai = self._provider in ("openai", "azure")
        routed = self._provider == "openrouter"
        body: dict[str, Any] = {
            "model": wishes.model,
            "messages": [
                {"role": "system", "content": talk.system},
                *({"role": each.role, "content": each.text} for each in talk.said),
            ],
            "stream": True,
            **chosen(
                # The last resort is a request with nothing in it that some server might not know.
                stream_options=None if form is Form.TEXT else {"include_usage": True},
                max_completion_tokens=wishes.max_tokens if openai else None,
                max_tokens=None if openai else wishes.max_tokens,
                temperature=wishes.temperature,
                seed=wishes.seed,
                reasoning_effort=None if routed else wishes.effort,
                reasoning={"effort": wishes.effort} if routed and wishes.effort else None,
            ),
        }
        match form:
            case Form.JSON_SCHEMA:
                schema = {"name": NAME, "strict": True, "schema": talk.schema}
                body["response_format"] = {"type": "json_schema", "json_schema": schema}
            case Form.JSON_OBJECT:
                body["response_format"] = {"type": "json_object", "schema": talk.schema}
            case Form.TOOL:
                function = {"name": NAME, "description": "Hand over the plan.", "parameters": talk.schema}
                body["tools"] = [{"type": "function", "function": function}]
                body["tool_choice"] = {"type": "function", "function": {"name": NAME}}
            case Form.TEXT:
                pass
        return body

    def read(self, message: Mapping[str, Any], reading: Reading) -> None:
        """A chunk of a stream (`delta`) or a whole completion (`message`)."""
        if message.get("error") is not None:
            raise PlannerError("the planner's provider reports an error in its answer: try again later")
        usage = message.get("usage")
        reading.count(dig(usage, "prompt_tokens"), dig(usage, "completion_tokens"))
        choice = dig(message, "choices", 0)
        said = dig(choice, "delta") or dig(choice, "message")
        reading.add(dig(said, "content"))
        reading.add(dig(said, "tool_calls", 0, "function", "arguments"))
        if dig(said, "refusal"):
            reading.end("refusal")
        reason = dig(choice, "finish_reason")
        if reason is not None:
            reading.end(reason)
