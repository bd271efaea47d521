"""What is declared of a capability of the person's own, and how a worker runs it: closed words, checked."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from plantwin.private.facts import Private
from plantwin.types.capability import Capability
from plantwin.types.plan import MAX_INPUTS
from plantwin.vocabulary import CapabilityName, Family, Kind, OutcomeTag, ResultType, Risk, SemanticClass

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
ALWAYS = (OutcomeTag.TOOL_MISSING, OutcomeTag.TRUNCATED, OutcomeTag.UNPARSABLE)
"""Tags about the state of the work, which any may tell."""

Input = Annotated[int, Meta(ge=1, le=MAX_INPUTS)]
Text = Annotated[str, Meta(max_length=500)]


NAMED = "a name of lower-case letters, digits and _ that no built-in has is needed"
RESERVED = ("modules", "mcp")
"""Sections that are something else."""


def free(name: str) -> bool:
    """Whether a capability of the person's own can be called so."""
    return bool(NAME.fullmatch(name)) and name not in CapabilityName._value2member_map_ and name not in RESERVED


class Declaration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`like` is the word for what it does. Without a word to the contrary it is of high risk, and a person is asked."""

    like: CapabilityName
    doc: Text = ""
    kinds: tuple[Kind, ...] = tuple(Kind)
    families: tuple[Family, ...] = ()
    classes: tuple[SemanticClass, ...] = ()
    takes: tuple[ResultType, ...] = ()
    least: Input = 1
    most: Input = 1
    returns: ResultType = ResultType.FINDINGS
    required_fields: tuple[str, ...] = ("semantic_class",)
    tags: tuple[OutcomeTag, ...] = ()
    risk: Risk = Risk.HIGH
    approval: bool = True
    seconds: Annotated[float, Meta(ge=1, le=3600)] = 60.0

    def capability(self, own: str, *, programs: bool) -> Capability:
        """The capability of this name; `ValueError` where what is declared does not go together."""
        return Capability(
            name=self.like,
            own=own,
            doc=self.doc or f"{own}: {self.like.definition}",
            example=f"{own} (your own)",
            kinds=frozenset(self.kinds),
            families=frozenset(self.families),
            classes=frozenset(self.classes),
            takes=frozenset(self.takes),
            least=self.least,
            most=max(self.least, self.most),
            returns=self.returns,
            required_fields=self.required_fields,
            tags=frozenset((*self.tags, *ALWAYS)),
            risk=self.risk,
            approval=self.approval,
            seconds=self.seconds,
            programs=programs,
        )


KEYS = Declaration.__struct_fields__


MARK = "__plantwin_capability__"

F = TypeVar("F", bound=Callable[..., Any])


def capability(*, name: str, like: str, **declared: object) -> Callable[[F], F]:
    """Declare a function as a capability that does what the word `like` of the vocabulary says.

    The function is called with a `pathlib.Path` for each object and a dict for each earlier result, and returns a
    dict (`status`, `severity`, `count`, `tags`, `findings`, `text`, `title`, `facts`, all optional) or a `Result`.
    """

    def marked(function: F) -> F:
        setattr(function, MARK, {"name": name, "like": like, **declared})
        return function

    return marked


class Extension(Private, msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A Python function, a command line, or a tool of an MCP server; or the question what a module declares."""

    sort: Literal["declare", "function", "command", "tool"]
    own: str = ""
    """The capability's own name."""
    file: str = ""
    """The Python file, where it is not an installed module."""
    module: str = ""
    command: tuple[str, ...] = ()
    """Words of the command line, or of the one that starts the server. `{input}` stands for a path."""
    exits: dict[str, tuple[str, ...]] = {}
    """Words of the outcome by exit code."""
    pattern: str = ""
    """What a line of output looks like that is a finding."""
    severities: dict[str, str] = {}
    """Words of the tool for severity, with ours."""
    severity: str = "medium"
    """Of a finding that states none."""
    tag: str = ""
    """Of every finding."""
    tool: str = ""
    """The tool's name at the server."""
    arguments: dict[str, str] = {}
    """The tool's arguments: `{input}`, `{text}`, or a fixed word."""
    shown: tuple[str, ...] = ()
    """Files and folders that the worker sees besides its inputs, read-only."""
