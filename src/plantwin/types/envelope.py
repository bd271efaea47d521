"""What is sent: envelopes. Each is a closed message with bounds on everything it holds."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from plantwin.errors import VocabularyError
from plantwin.types.twin import Group, TwinEdge, TwinObject, check_graph
from plantwin.vocabulary import MAX_EDGES, Kind

WIRE_VERSION: Final = 1
MAX_OBJECTS = 256
"""Most objects that one envelope lists; the rest appear as groups."""


class Registration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first message of a session: which objects there are."""

    message: Literal["registration"] = "registration"
    version: Literal[1] = WIRE_VERSION
    objects: Annotated[tuple[TwinObject, ...], Meta(max_length=MAX_OBJECTS)]
    edges: Annotated[tuple[TwinEdge, ...], Meta(max_length=MAX_OBJECTS * MAX_EDGES)] = ()
    groups: Annotated[tuple[Group, ...], Meta(max_length=len(Kind))] = ()

    def __post_init__(self) -> None:
        if self.message != "registration" or type(self.version) is not int or self.version != WIRE_VERSION:
            raise VocabularyError("envelope: not a registration of this version")
        _bounded(self.objects, TwinObject, MAX_OBJECTS, "objects")
        _bounded(self.edges, TwinEdge, MAX_OBJECTS * MAX_EDGES, "edges")
        _bounded(self.groups, Group, len(Kind), "groups")
        if len({group.kind for group in self.groups}) != len(self.groups):
            raise VocabularyError("groups: a kind twice")
        check_graph(self.objects, self.edges)


def _bounded(values: object, of: type, most: int, field: str) -> None:
    if type(values) is not tuple or len(values) > most or any(type(each) is not of for each in values):
        raise VocabularyError(f"{field}: not at most {most} of {of.__name__}")
