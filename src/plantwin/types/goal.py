"""The goal as a planner may see it: closed intents, ids of objects, and public words. Nothing else crosses.

`intent` tells what is wanted and of which objects. `lexicon` also tells the sentence, word by word: each token
is a word of the shipped lexicon, a typed blank, a mark, an id of a named object, or `+` and a word that the
person added in their own configuration.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from plantwin.errors import VocabularyError
from plantwin.lexicon import SHAPE, words
from plantwin.types.twin import ObjectId, canonical, object_id_like
from plantwin.vocabulary import CapabilityName, Family

MAX_INTENTS = 8
MAX_FAMILIES = 6
MAX_MENTIONS = 16
MAX_TOKENS = 200
"""Most tokens of a goal's text."""
MAX_ADDED = 500
"""Most words that a person may add."""
MAX_VERBATIM = 4000
"""Most characters of a goal that crosses in its own words."""

SUBJECTS: Final = ("<health>", "<legal>", "<money>", "<belief>", "<staff>")
"""What stands for a word of a sensitive subject."""
BLANKS: Final = ("<name>", "<path>", "<number>", "<date>", "<version>", "<secret>", "<text>", "<term>", *SUBJECTS)
"""What stands for a word that does not cross: all that is told is what sort of word it was."""
MARKS: Final = (",", ".", "?", "!", ";", ":")
ADDED: Final = "[a-z]{2,24}"
"""What a word of the person's own looks like."""
TOKEN: Final = rf"^(?:{SHAPE}|\+{ADDED}|<[a-z]{{4,7}}>|artifact_[a-z2-7]{{8}}|[,.?!;:])$"

Token = Annotated[str, Meta(pattern=TOKEN, max_length=25)]
Mode = Literal["intent", "lexicon"]

_added = re.compile(rf"\+{ADDED}")


def token_like(token: object) -> bool:
    """Whether this may stand in a goal's text."""
    if type(token) is not str:
        return False
    if token in BLANKS or token in MARKS or token in words():
        return True
    return object_id_like(token) or _added.fullmatch(token) is not None


def joined(tokens: Iterable[str]) -> tuple[str, ...]:
    """These tokens as a goal's text: a blank or a mark only once in a row, no mark first, and not too many."""
    made: list[str] = []
    for token in tokens:
        before = made[-1] if made else "."
        if not (token == before and token in BLANKS) and not (token in MARKS and before in MARKS):
            made.append(token)
    return tuple(made[:MAX_TOKENS])


class Goal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is wanted (`intents`), of what sort of object (`families`), which are named (`objects`), in which `text`."""

    mode: Mode = "intent"
    text: Annotated[tuple[Token, ...], Meta(max_length=MAX_TOKENS)] | UnsetType = UNSET
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
        self._check_text()

    def _check_text(self) -> None:
        if self.mode not in ("intent", "lexicon") or (self.mode == "lexicon") is (self.text is UNSET):
            raise VocabularyError("goal.mode: text belongs to the mode lexicon, and to it alone")
        if self.text is UNSET:
            return
        text = self.text
        if type(text) is not tuple or len(text) > MAX_TOKENS or not all(map(token_like, text)):
            raise VocabularyError(f"goal.text: not at most {MAX_TOKENS} tokens of the lexicon")
        # How many private words follow each other would be a channel of its own.
        if any(one == two and one in BLANKS for one, two in pairwise(text)):
            raise VocabularyError("goal.text: a blank twice in a row")
        if not {each for each in text if object_id_like(each)} <= set(self.objects):
            raise VocabularyError("goal.text: an id that is not among the objects")


class Verbatim(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="message", tag="verbatim"
):
    """The person's own sentence: outside the closed language, sent only where they and the policy say so."""

    version: Literal[2] = 2
    text: Annotated[str, Meta(min_length=1, max_length=MAX_VERBATIM)]

    def __post_init__(self) -> None:
        if self.version != 2 or type(self.text) is not str or not 1 <= len(self.text) <= MAX_VERBATIM:
            raise VocabularyError(f"verbatim.text: not between 1 and {MAX_VERBATIM} characters")

    def __repr__(self) -> str:
        return "<Verbatim private>"
