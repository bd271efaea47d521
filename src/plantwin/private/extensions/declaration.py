"""What is declared of a capability of the person's own: closed words, checked."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from plantwin.types.capability import Capability
from plantwin.types.plan import MAX_INPUTS
from plantwin.vocabulary import CapabilityName, Family, Kind, OutcomeTag, ResultType, Risk, SemanticClass

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
ALWAYS = (OutcomeTag.TOOL_MISSING, OutcomeTag.TRUNCATED, OutcomeTag.UNPARSABLE)
"""Tags about the state of the work, which any may tell."""

Input = Annotated[int, Meta(ge=1, le=MAX_INPUTS)]
Text = Annotated[str, Meta(max_length=500)]


NAMED = "a name of lower-case letters, digits and _ that no built-in has is needed"
MODULES = "modules"
"""A list of Python files, and no name of a capability."""


def free(name: str) -> bool:
    """Whether a capability of the person's own can be called so."""
    return bool(NAME.fullmatch(name)) and name not in CapabilityName._value2member_map_ and name != MODULES


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
