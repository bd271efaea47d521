"""The goal as a planner may see it: closed intents and ids of objects. No word of the person's own crosses."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from plantwin.errors import VocabularyError
from plantwin.types.twin import ObjectId, canonical, object_id_like
from plantwin.vocabulary import CapabilityName, Family

MAX_INTENTS = 8
MAX_FAMILIES = 6
MAX_MENTIONS = 16


class Goal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is wanted (`intents`), of what sort of object (`families`), and which ones are named (`objects`)."""

    intents: Annotated[tuple[CapabilityName, ...], Meta(max_length=MAX_INTENTS)] = ()
    families: Annotated[tuple[Family, ...], Meta(max_length=MAX_FAMILIES)] = ()
    objects: Annotated[tuple[ObjectId, ...], Meta(max_length=MAX_MENTIONS)] = ()

    def __post_init__(self) -> None:
        for field, values, vocabulary, most in (
            ("intents", self.intents, CapabilityName, MAX_INTENTS),
            ("families", self.families, Family, MAX_FAMILIES),
        ):
            if type(values) is not tuple or len(values) > most or any(type(each) is not vocabulary for each in values):
                raise VocabularyError(f"goal.{field}: not at most {most} words of {vocabulary.__name__}")
            if values != canonical(values):
                raise VocabularyError(f"goal.{field}: a member twice or out of order")
        objects = self.objects
        if type(objects) is not tuple or len(objects) > MAX_MENTIONS or not all(map(object_id_like, objects)):
            raise VocabularyError(f"goal.objects: not at most {MAX_MENTIONS} ids")
        if objects != tuple(sorted(set(objects))):
            raise VocabularyError("goal.objects: an id twice or out of order")
