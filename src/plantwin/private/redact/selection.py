"""Which findings are wanted: by type, by group, by how sure they are at least."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import NamedTuple

from plantwin.errors import InputError

GROUPS = ("secret", "personal", "infrastructure", "identifier")
CONFIDENCES = ("low", "medium", "high")

READ = frozenset(
    {
        "age",
        "date",
        "date_of_birth",
        "diagnosis",
        "location",
        "medical_record_number",
        "national_id",
        "organisation",
        "password",
        "payment_card",
        "person_attribute",
        "person_name",
        "phone",
        "postal_address",
        "postal_code",
        "us_ssn",
        "web_address",
    }
)
"""Types that code reads out of sentences, numbers, fields and columns; not all have a rule of their name."""


class Selection(NamedTuple):
    """What to keep; nothing chosen keeps everything."""

    types: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    confidences: frozenset[str] = frozenset()

    def keeps(self, type_: str, group: str, confidence: str) -> bool:
        """Whether a finding is wanted."""
        return (
            (not self.types or type_ in self.types)
            and (not self.groups or group in self.groups)
            and (not self.confidences or confidence in self.confidences)
        )


def selection(
    known: Iterable[str], types: Iterable[str] = (), groups: Iterable[str] = (), least: str = "low"
) -> Selection:
    """A selection from words; a type may hold `*`. A word that names nothing is refused, not ignored."""
    every = frozenset(known)
    chosen: set[str] = set()
    for text in types:
        found = {text} & every or {each for each in every if fnmatchcase(each, text)}
        if not found:
            from difflib import get_close_matches

            near = get_close_matches(text[:64], sorted(every), n=3)
            hint = f"; did you mean {', '.join(near)}?" if near else ""
            raise InputError(f"'{text}' is not a type of finding{hint}")
        chosen |= found
    for text in groups:
        if text not in GROUPS:
            raise InputError(f"'{text}' is not a group: {', '.join(GROUPS)}")
    if least not in CONFIDENCES:
        raise InputError(f"'{least}' is not a confidence: {', '.join(CONFIDENCES)}")
    sure = frozenset() if least == CONFIDENCES[0] else frozenset(CONFIDENCES[CONFIDENCES.index(least) :])
    return Selection(frozenset(chosen), frozenset(groups), sure)


def known_types(rules: Iterable[str]) -> frozenset[str]:
    """Every type that a finding can have, given the types of the rules."""
    return frozenset(rules) | READ
