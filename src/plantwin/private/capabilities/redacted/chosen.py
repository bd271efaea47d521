"""Which findings a copy hides. What prose only makes likely is weighed: a heading is no person, a year no address."""

from __future__ import annotations

import re
from itertools import pairwise

from plantwin.private.facts import Finding

READ = 400_000
"""Bytes of a text whose words tell which of them are ordinary."""
_LOWER = re.compile(rb"(?<![\w@./-])[a-z]{3,24}(?![\w@/-]|\.\w)")
_NAME_WORD = re.compile(rb"[A-Z\xc3][\w\x80-\xff'\xe2\x80\x99-]{1,40}")
_ENDING = tuple(b"tion sion ment ing ity ness ed ly ure ence ance able ful ware".split())
_DATED = re.compile(
    rb"(?i)\d{1,4}[.:/ -]\s?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|\d{1,2}\b)|^\d{1,2}:\d\d|^\d{4}$"
)
_PUBLIC = frozenset(("date", "location", "postal_code", "web_address", "age"))
"""Types that, without more evidence, say nothing of a person."""
_NAMES = frozenset(("person_name", "organisation"))


class Chosen:
    """Decides for one text."""

    def __init__(self, data: bytes) -> None:
        from plantwin.private.redact.lexicon import COMMON, GIVEN, ORGANISATION

        self._spoken = {match.decode() for match in _LOWER.findall(data[:READ])} | COMMON
        self._given, self._organisation = GIVEN, ORGANISATION
        self._known: set[str] = set()
        """Words of names that were kept: alone they stand for the same."""

    def __repr__(self) -> str:
        return "<Chosen private>"

    def keeps(self, found: Finding, value: bytes) -> bool:
        """Whether a value is to be hidden."""
        if found.confidence != "low" or found.group != "personal":
            return True
        if found.type in _PUBLIC:
            return False
        if found.type == "postal_address":
            return _DATED.search(value[:40]) is None and b"\n" not in value
        return found.type not in _NAMES or self._name(value)

    def alone(self, found: Finding, value: bytes) -> bytes:
        """The word that stands for a longer name elsewhere: the first of an organisation, the last of a person."""
        if found.type not in _NAMES or b" " not in value:
            return b""
        words = [word for word in _NAME_WORD.findall(value) if not self._ordinary(word.decode("utf-8", "replace"))]
        chosen = (words[-1] if found.type == "person_name" else words[0]) if words else b""
        return chosen if len(chosen) >= 5 and chosen.isalpha() else b""

    def _name(self, value: bytes) -> bool:
        words = [each.decode("utf-8", "replace") for each in _NAME_WORD.findall(value)]
        if not words:
            return False
        strange = [not self._ordinary(word) for word in words]
        kept = any(one and other for one, other in pairwise(strange))
        given = any(word.lower() in self._given for word in words)
        kept = kept or given or (len(words) > 1 and words[-1].lower() in self._organisation and strange[0])
        if kept:
            self._known |= {word for word, odd in zip(words, strange, strict=True) if odd and len(word) > 3}
        return kept or (len(words) == 1 and words[0].removesuffix("'s") in self._known)

    def _ordinary(self, word: str) -> bool:
        low = word.lower()
        plain = low.removesuffix("s")
        return low in self._spoken or plain in self._spoken or low.encode().endswith(_ENDING) or word.isupper()
