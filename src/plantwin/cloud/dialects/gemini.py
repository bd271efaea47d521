"""Google's Gemini interface."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from plantwin.cloud.answering import NAME
from plantwin.cloud.conversation import Talk
from plantwin.cloud.dialects.dialect import Form, Reading, Wishes, chosen, dig
from plantwin.cloud.keys import Key
from plantwin.errors import PlannerError

ROLES: Final = {"user": "user", "assistant": "model"}


class Gemini:
    """Gemini, by `streamGenerateContent`."""

    forms: tuple[Form, ...] = (Form.JSON_SCHEMA, Form.JSON_OBJECT, Form.TOOL, Form.TEXT)
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
            "contents": [{"role": ROLES[each.role], "parts": [{"text": each.text}]} for each in talk.said],
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
            case Form.TEXT:
                pass
        if config:
            body["generationConfig"] = config
        return body

    def read(self, message: Mapping[str, Any], reading: Reading) -> None:
        """One part of the answer; thoughts are left out."""
        if message.get("error") is not None:
            raise PlannerError("the planner's provider reports an error in its answer: try again later")
        usage = message.get("usageMetadata")
        counts = [dig(usage, "candidatesTokenCount"), dig(usage, "thoughtsTokenCount")]
        written = [each for each in counts if type(each) is int]
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
