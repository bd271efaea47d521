"""How each provider wants a request put, and how it answers: a class for each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final
from urllib.parse import quote

from plantwin.cloud.conversation import NAME, Talk
from plantwin.cloud.endpoint import Key
from plantwin.cloud.transport import LostError, UnusableError
from plantwin.errors import PlannerError
from plantwin.types.plan import MAX_ANSWER_BYTES


class Form(StrEnum):
    """How a model is held to the form of a plan, the strictest first."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    TOOL = "tool"
    TEXT = "text"


@dataclass(frozen=True)
class Wishes:
    """What the person wants of a model; what is None is left to the provider."""

    model: str
    effort: str | None = None
    max_tokens: int | None = None
    temperature: float | None = None
    seed: int | None = None


@dataclass
class Reading:
    """What has been read of a reply so far."""

    parts: list[str] = field(default_factory=list)
    size: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    ended: bool = False
    """Whether the provider said that the answer is whole."""

    def add(self, text: object) -> None:
        """Add a piece of the answer."""
        if not isinstance(text, str):
            return
        self.size += len(text)
        if self.size > MAX_ANSWER_BYTES:
            raise UnusableError("the planner's answer is too long")
        self.parts.append(text)

    def count(self, read: object, written: object) -> None:
        """Take over token counts; the last ones hold."""
        for name, number in (("input_tokens", read), ("output_tokens", written)):
            if type(number) is int and 0 <= number < 1 << 40:
                setattr(self, name, number)

    def end(self, reason: object) -> None:
        """The provider says why it ended."""
        if reason is not None and not isinstance(reason, str):
            raise PlannerError("the planner's reply is not in its provider's format")
        if reason in CUT:
            raise UnusableError("the planner's answer was cut off at its token limit: raise max_tokens for it")
        if reason in DECLINED:
            raise UnusableError("the planner declined to answer: its provider's filter stopped it")
        self.ended = True

    @property
    def text(self) -> str:
        """The answer."""
        return "".join(self.parts)


CUT = frozenset({"length", "max_tokens", "MAX_TOKENS", "model_context_window_exceeded"})
DECLINED = frozenset(
    {"content_filter", "refusal", "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE"}
)


class Dialect:
    """One provider's way of speaking; what most have in common is here."""

    forms: tuple[Form, ...] = (Form.JSON_SCHEMA, Form.JSON_OBJECT, Form.TOOL, Form.TEXT)
    """What it can be asked for, the strictest first."""
    listing: str
    """A path that lists models: for checking that it can be reached."""
    route: str
    """Where requests go, below the base URL."""

    def path(self, wishes: Wishes) -> str:
        """Where a request for this model goes."""
        return self.route

    def headers(self, key: Key | None) -> dict[str, str]:
        """Headers that carry the key and the version of the interface."""
        return {"Authorization": f"Bearer {key.reveal()}"} if key else {}

    def body(self, talk: Talk, wishes: Wishes, form: Form) -> dict[str, Any]:
        """The request."""
        raise NotImplementedError

    def read(self, message: Mapping[str, Any], reading: Reading) -> None:
        """Take in one message of the reply, of a stream or whole."""
        raise NotImplementedError


def spoken(talk: Talk) -> list[dict[str, str]]:
    """A conversation as most providers want it: roles and texts, the skill first."""
    return [{"role": "system", "content": talk.system}, *({"role": one.role, "content": one.text} for one in talk.said)]


def dig(tree: Any, *path: str | int) -> Any:
    """A value inside a reply, or None where the reply is not of that form."""
    for step in path:
        if isinstance(step, str) and isinstance(tree, Mapping):
            tree = tree.get(step)
        elif isinstance(step, int) and isinstance(tree, list) and -len(tree) <= step < len(tree):
            tree = tree[step]
        else:
            return None
    return tree


def chosen(**fields: Any) -> dict[str, Any]:
    """The fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


class OpenAI(Dialect):
    """OpenAI, OpenRouter, Azure, Groq, vLLM, LM Studio, llama.cpp and their like."""

    listing = "/models"
    route = "/chat/completions"

    def __init__(self, provider: str = "", key_header: str | None = None) -> None:
        self._provider = provider
        self._key_header = key_header

    def headers(self, key: Key | None) -> dict[str, str]:
        """The key as a bearer, or in the header that the person names (Azure: `api-key`)."""
        if key and self._key_header is not None and self._key_header.lower() != "authorization":
            return {self._key_header: key.reveal()}
        return super().headers(key)

    def body(self, talk: Talk, wishes: Wishes, form: Form) -> dict[str, Any]:
        """A streamed completion in the given form."""
        openai = self._provider in ("openai", "azure")
        routed = self._provider == "openrouter"
        body: dict[str, Any] = {
            "model": wishes.model,
            "messages": spoken(talk),
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


VERSION: Final = "2023-06-01"
MAX_TOKENS: Final = 8192
"""The interface needs a limit; this one holds where the person sets none."""
BUSY: Final = frozenset({"overloaded_error", "rate_limit_error", "api_error", "timeout_error"})


class Anthropic(Dialect):
    """Claude."""

    forms: tuple[Form, ...] = (Form.JSON_SCHEMA, Form.TOOL, Form.TEXT)
    listing = "/v1/models"
    route = "/v1/messages"

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
            "messages": [{"role": message.role, "content": message.text} for message in talk.said],
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
    numbers = [count for count in counts if type(count) is int]
    return sum(numbers) if numbers else None


def _plain(schema: Any) -> Any:
    """The schema without bounds on lengths, which the interface does not take; the decoder holds them."""
    if isinstance(schema, dict):
        return {name: _plain(value) for name, value in schema.items() if name != "maxItems"}
    return [_plain(form) for form in schema] if isinstance(schema, list) else schema


ROLES: Final = {"user": "user", "assistant": "model"}


class Gemini(Dialect):
    """Gemini, by `streamGenerateContent`."""

    listing = "/v1beta/models"

    def path(self, wishes: Wishes) -> str:
        """The model is part of the path."""
        return f"/v1beta/models/{quote(wishes.model, safe='')}:streamGenerateContent?alt=sse"

    def headers(self, key: Key | None) -> dict[str, str]:
        """The key in a header, never in the address."""
        return {"x-goog-api-key": key.reveal()} if key else {}

    def body(self, talk: Talk, wishes: Wishes, form: Form) -> dict[str, Any]:
        """Contents, with the skill as the system's instruction."""
        config: dict[str, Any] = chosen(
            temperature=wishes.temperature,
            maxOutputTokens=wishes.max_tokens,
            seed=wishes.seed,
            thinkingConfig={"thinkingLevel": wishes.effort} if wishes.effort else None,
        )
        body: dict[str, Any] = {
            "systemInstruction": {"parts": [{"text": talk.system}]},
            "contents": [{"role": ROLES[message.role], "parts": [{"text": message.text}]} for message in talk.said],
        }
        match form:
            case Form.JSON_SCHEMA:
                config |= {"responseMimeType": "application/json", "responseJsonSchema": talk.schema}
            case Form.JSON_OBJECT:
                config |= {"responseMimeType": "application/json"}
            case Form.TOOL:
                function = {"name": NAME, "description": "Hand over the plan.", "parametersJsonSchema": talk.schema}
                body["tools"] = [{"functionDeclarations": [function]}]
                body["toolConfig"] = {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": [NAME]}}
        if config:
            body["generationConfig"] = config
        return body

    def read(self, message: Mapping[str, Any], reading: Reading) -> None:
        """One part of the answer; thoughts are left out."""
        if message.get("error") is not None:
            raise PlannerError("the planner's provider reports an error in its answer: try again later")
        usage = message.get("usageMetadata")
        counts = [dig(usage, "candidatesTokenCount"), dig(usage, "thoughtsTokenCount")]
        written = [count for count in counts if type(count) is int]
        reading.count(dig(usage, "promptTokenCount"), sum(written) if written else None)
        if dig(message, "promptFeedback", "blockReason"):
            reading.end("SAFETY")
        candidate = dig(message, "candidates", 0)
        parts = dig(candidate, "content", "parts")
        for part in parts if isinstance(parts, list) else ():
            if not dig(part, "thought"):
                reading.add(dig(part, "text"))
                call = dig(part, "functionCall", "args")
                reading.add(json.dumps(call) if call is not None else None)
        if (reason := dig(candidate, "finishReason")) is not None:
            reading.end(reason)


STEP: Final = 4096
"""Tokens by which the room for a conversation grows."""


class Ollama(Dialect):
    """Ollama, on this machine or elsewhere."""

    forms: tuple[Form, ...] = (Form.JSON_SCHEMA, Form.JSON_OBJECT, Form.TEXT)
    listing = "/api/tags"
    route = "/api/chat"

    def body(self, talk: Talk, wishes: Wishes, form: Form) -> dict[str, Any]:
        """A streamed chat in the given form."""
        body: dict[str, Any] = {
            "model": wishes.model,
            "messages": spoken(talk),
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
    characters = len(talk.system) + sum(len(message.text) for message in talk.said)
    return (characters // 3 // STEP + 2) * STEP
