"""What every closed vocabulary is made of: words that carry their own definition."""

from __future__ import annotations

from enum import StrEnum
from typing import Self, TypeVar

from plantwin.errors import VocabularyError

W = TypeVar("W", bound=StrEnum)


def member(vocabulary: type[W], text: str) -> W:
    """The member that a text names; a text outside the vocabulary is refused and never quoted."""
    found = vocabulary._value2member_map_.get(text)
    if isinstance(found, vocabulary):
        return found
    raise VocabularyError(f"not a word of {vocabulary.__name__}")


class Term(StrEnum):
    """A word of a closed vocabulary that carries its own definition."""

    definition: str

    def __new__(cls, word: str, definition: str) -> Self:
        member = str.__new__(cls, word)
        member._value_ = word
        member.definition = definition
        return member
