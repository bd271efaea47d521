"""`intent` mode: of the person's sentence only closed intents and families cross.

The sentence is matched against public words; what matches says which capability or family is meant. No
word of the sentence itself leaves, so nothing in it can.
"""

from __future__ import annotations

import re
from typing import Final

from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.goal import MAX_GOAL
from plantwin.types.goal import MAX_FAMILIES, MAX_INTENTS
from plantwin.types.twin import canonical
from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import Family, member

_LEXICON = Lexicon(__file__)

INTENTS: Final = tuple(
    (member(Can, word), _LEXICON.expand(pattern)) for word, pattern in _LEXICON.tables["intents"].items()
)
"""Each capability with the public words that ask for it."""

FAMILIES: Final = tuple(
    (member(Family, word), _LEXICON.expand(pattern)) for word, pattern in _LEXICON.tables["families"].items()
)

_intents = tuple((word, re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)) for word, pattern in INTENTS)
_by_name: Final[dict[str, re.Pattern[str]]] = {word.value: pattern for word, pattern in _intents}
_families = tuple((word, re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)) for word, pattern in FAMILIES)


def topic(can: str, word: str) -> bool:
    """Whether a word asks for this capability."""
    pattern = _by_name.get(can)
    return pattern is not None and pattern.fullmatch(word) is not None


def intents(text: str, available: frozenset[Can]) -> tuple[Can, ...]:
    """The capabilities that a goal asks for, among those there are; those named first where there are too many."""
    text = text[:MAX_GOAL]
    found = [
        (match.start(), word) for word, pattern in _intents if word in available and (match := pattern.search(text))
    ]
    return canonical(word for _, word in sorted(found)[:MAX_INTENTS])


def families(text: str) -> tuple[Family, ...]:
    """The families of objects that a goal speaks of."""
    text = text[:MAX_GOAL]
    found = [(match.start(), word) for word, pattern in _families if (match := pattern.search(text))]
    return canonical(word for _, word in sorted(found)[:MAX_FAMILIES])
