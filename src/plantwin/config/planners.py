"""Settings of planners: `[planner]` for all of them, `[planners.NAME]` for each of the person's own.

A key of a provider has no place here; `key_env` and `keyring` say where it is.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta

MAX_PLANNERS: Final = 64

Line = Annotated[str, Meta(min_length=1, max_length=1000, pattern=r"^[^\x00-\x1f\x7f]*\Z")]
Variable = Annotated[str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}\Z")]
Header = Annotated[str, Meta(pattern=r"^[A-Za-z][A-Za-z0-9-]{0,63}\Z")]
Span = Annotated[float, Meta(ge=0.1, le=3600)]
Money = Annotated[float, Meta(ge=0, le=1_000_000)]


class Price(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a million tokens cost, in the person's currency."""

    input: Money = 0.0
    output: Money = 0.0


class PlannerChoice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which planner is asked where none is named, and what planners cost."""

    default: Line = "offline"
    prices: Annotated[dict[Line, Price], Meta(max_length=1000)] = {}
    """By the planner's name (`openai:gpt-x`) or its model's."""


class PlannerEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One planner of the person's own."""

    kind: Annotated[str, Meta(pattern=r"^(openai|anthropic|gemini|ollama|command)\Z")] = "openai"
    url: Line | None = None
    model: Line | None = None
    key_env: Variable | None = None
    key_header: Header | None = None
    keyring: Line | None = None
    audience: Annotated[str, Meta(pattern=r"^[a-z0-9._-]{1,64}\Z")] | None = None
    trusted: bool = False
    form: Annotated[str, Meta(pattern=r"^(json_schema|json_object|tool|text)\Z")] | None = None
    effort: Annotated[str, Meta(pattern=r"^[a-z]{1,16}\Z")] | None = None
    max_tokens: Annotated[int, Meta(ge=16, le=1_000_000)] | None = None
    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    seed: Annotated[int, Meta(ge=0, le=2_147_483_647)] | None = None
    seconds: Span = 120.0
    connect_seconds: Span = 10.0
    read_seconds: Span = 60.0
    retries: Annotated[int, Meta(ge=0, le=10)] = 3
    proxy: Line | None = None
    ca: Line | None = None
    unsafe_plain_http: bool = False
    command: Annotated[tuple[Line, ...], Meta(min_length=1, max_length=64)] | None = None
    shell: bool = False
    environment: Annotated[tuple[Variable, ...], Meta(max_length=64)] = ()


Name = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9._-]{0,39}\Z")]
Planners = Annotated[dict[Name, PlannerEntry], Meta(max_length=MAX_PLANNERS)]


def incomplete(entry: PlannerEntry) -> tuple[str, str] | None:
    """The key that an entry lacks or should not have, and what is needed; None when it is complete."""
    if entry.kind == "command":
        if entry.command is None:
            return "command", "the program and its arguments are needed"
        return ("url", 'not with kind = "command"') if entry.url is not None or entry.trusted else None
    if entry.command is not None or entry.shell or entry.environment:
        return "command", 'only with kind = "command"'
    if entry.model is None:
        return "model", "the model's name is needed"
    if entry.kind == "openai" and entry.url is None:
        return "url", "the base URL is needed"
    return None
