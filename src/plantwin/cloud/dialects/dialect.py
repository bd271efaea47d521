"""The seam of a provider's dialect: what goes into a request's body, and what a reply's messages say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from plantwin.boundary.answer import MAX_ANSWER_BYTES
from plantwin.cloud.conversation import Talk
from plantwin.cloud.keys import Key
from plantwin.errors import PlannerError


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
            raise PlannerError("the planner's answer is too long")
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
            raise PlannerError("the planner's answer was cut off at its token limit: raise max_tokens for it")
        if reason in DECLINED:
            raise PlannerError("the planner declined to answer: its provider's filter stopped it")
        self.ended = True

    @property
    def text(self) -> str:
        """The answer."""
        return "".join(self.parts)


CUT = frozenset({"length", "max_tokens", "MAX_TOKENS", "model_context_window_exceeded"})
DECLINED = frozenset(
    {"content_filter", "refusal", "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE"}
)


class Dialect(Protocol):
    """One provider's way of speaking."""

    forms: tuple[Form, ...]
    """What it can be asked for, the strictest first."""
    listing: str
    """A path that lists models: for checking that it can be reached."""

    def path(self, wishes: Wishes) -> str:
        """Where a request goes, below the base URL."""
        ...

    def headers(self, key: Key | None) -> dict[str, str]:
        """Headers that carry the key and the version of the interface."""
        ...

    def body(self, talk: Talk, wishes: Wishes, form: Form) -> dict[str, Any]:
        """The request."""
        ...

    def read(self, message: Mapping[str, Any], reading: Reading) -> None:
        """Take in one message of the reply, of a stream or whole."""
        ...


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
