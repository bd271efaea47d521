"""What a provider's stream says, one JSON object at a time: server-sent events, lines of JSON, or one document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from plantwin.cloud.transport import LostError, Reply
from plantwin.errors import PlannerError

DONE: Final = b"[DONE]"
"""How an OpenAI-compatible stream ends."""


def messages(reply: Reply) -> Iterator[dict[str, Any]]:
    """Every JSON object of the body, by its media type."""
    if reply.media == "text/event-stream":
        return _parsed(events(reply.chunks()))
    if reply.media in ("application/x-ndjson", "application/jsonl"):
        return _parsed(line for line in lines(reply.chunks()) if line.strip())
    return _parsed(iter([b"".join(reply.chunks())]))


def events(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The data of each server-sent event, until the stream says that it is done."""
    data: list[bytes] = []
    for line in lines(chunks):
        if not line:
            if data:
                yield b"\n".join(data)
            data = []
        elif line.startswith(b"data:"):
            value = line[5:].removeprefix(b" ")
            if value.strip() == DONE:
                return
            data.append(value)
    if data:  # a last event without the empty line after it
        yield b"\n".join(data)


def lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Lines without their ends; every byte is looked at once."""
    parts: list[bytes] = []
    for chunk in chunks:
        first, *rest = chunk.split(b"\n")
        parts.append(first)
        for each in rest:
            yield b"".join(parts).removesuffix(b"\r")
            parts = [each]
    if any(parts):
        yield b"".join(parts).removesuffix(b"\r")


def _parsed(texts: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    for text in texts:
        try:
            tree = msgspec.json.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise LostError("the planner's reply is not in its provider's format, or broke off") from None
        if not isinstance(tree, dict):
            raise PlannerError("the planner's reply is not in its provider's format")
        yield tree
