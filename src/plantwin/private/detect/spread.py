"""Values that were hidden once, hidden wherever else they stand: a name in a note, a number in a subject line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from plantwin.lexicon import words as lexicon
from plantwin.private.detect.prose import COMMON, GIVEN
from plantwin.private.detect.redaction import Redaction
from plantwin.private.detect.structured import bare
from plantwin.private.detect.validators import SERVICES
from plantwin.private.facts import Finding, Private

LEAST = 3
"""Letters of a name that is looked for."""
TELLING = 6
"""Characters of any other value that is looked for."""
CHUNK = 1 << 20
NAMES = frozenset(("PERSON_NAME", "USERNAME"))
_VAGUE = frozenset(
    (
        "AGE", "CARD_EXPIRY", "CARD_SECURITY_CODE", "DATE", "DATE_OF_BIRTH", "DATE_OF_DEATH", "DIAGNOSIS", "LOCATION",
        "EMAIL", "IPV4", "IPV6", "MAC_ADDRESS", "ORGANISATION", "PERSON_ATTRIBUTE", "PIN", "POSTAL_CODE", "WEB_ADDRESS",
    )
)  # fmt: skip
"""Types whose values mean nothing elsewhere, or are found by their format wherever they stand."""
_FORMATTED = frozenset(("email", "phone", "iban", "payment_card", "us_ssn", "national_id"))
TOKEN = re.compile(rb"[\w\x80-\xff]+")
_NAME_WORD = re.compile(rb"[^\W\d_][\w\x80-\xff]*|[\x80-\xff][\w\x80-\xff]*")
PLACEHOLDER = re.compile(rb"<[A-Z][A-Z0-9_]{0,47}_[1-9][0-9]{0,11}>")


class Spread(Private):
    """The values of a redaction, ready to be found again."""

    def __init__(self, redaction: Redaction, *, alias: bool = False) -> None:
        self._redaction = redaction
        self._alias = alias
        """Whether a part of a name gets the placeholder of the whole, which cannot be undone."""
        self._phrases: dict[bytes, dict[bytes, tuple[str, str]]] = {}
        """By first word, then by the value in lower case: its type and the placeholder of the whole."""
        self._lengths: dict[bytes, list[int]] = {}
        """By first word: how long these values are, the longest first."""
        self.ordinary: set[bytes] = set()
        """Hidden names that are also ordinary words, and stay where they stand alone."""
        for value, mark in redaction.hidden():
            self._learn(value, mark[1:-1].rpartition("_")[0], mark)
        for first, phrases in self._phrases.items():
            self._lengths[first] = sorted(set(map(len, phrases)), reverse=True)

    def _learn(self, value: bytes, type_: str, mark: str) -> None:
        low = value.strip().lower()
        if type_ in _VAGUE or b"\n" in low or mark.encode() == value:
            return
        words = TOKEN.findall(low)
        named = type_ in NAMES and len(words) > 1
        told = named and (words[0].decode("utf-8", "replace") in GIVEN or not any(map(is_ordinary, words)))
        sure = told or value in self._redaction.sure
        if not words or not sure:
            return
        if type_ in NAMES:
            names = [word for word in _NAME_WORD.findall(low) if len(word) >= LEAST and not word.isdigit()]
            plain = {word for word in names if is_ordinary(word)}
            self.ordinary |= plain
            for word in names:
                if word not in plain:
                    for spelled in _capitals(word):
                        self._add(spelled, spelled, type_, mark)
            if len(words) > 1 and plain != set(names):
                self._add(words[0], low[low.find(words[0]) :], type_, mark)
        elif len(low) >= TELLING and (len(low) >= 10 or not low.isalpha()) and not is_ordinary(low):
            self._add(words[0], low[low.find(words[0]) :], type_, mark)

    def _add(self, first: bytes, value: bytes, type_: str, mark: str) -> None:
        self._phrases.setdefault(first, {}).setdefault(value, (type_, mark))

    def run(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """The text with these values replaced wherever they stand as words, outside of placeholders."""
        for piece in pieces(chunks):
            yield self._replaced(piece) if self._phrases else piece

    def _replaced(self, data: bytes) -> bytes:
        out: list[bytes] = []
        place = 0
        for match in TOKEN.finditer(data):
            first, start = match[0].lower(), match.start()
            if first not in self._phrases or start < place:
                continue
            if data[start - 1 : start] == b"<" and PLACEHOLDER.match(data, start - 1):
                continue
            for length in self._lengths[first]:
                end = start + length
                known = self._phrases[first].get(data[start:end].lower())
                # A last character that no word has ends by itself.
                if known is not None and not (TOKEN.match(data, end) and TOKEN.match(data, end - 1)):
                    out += (data[place:start], self._mark(data, start, end, *known))
                    place = end
                    break
        return b"".join((*out, data[place:]))

    def _mark(self, data: bytes, start: int, end: int, type_: str, mark: str) -> bytes:
        number = self._redaction.json and bare(data, start)
        if self._alias:
            self._redaction.replaced += 1
            return f'"{mark}"'.encode() if number else mark.encode()
        return self._redaction.placeholder(type_, data[start:end], bare=number).encode()


def pieces(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes, cut at ends of lines where there are any."""
    kept = b""
    for chunk in chunks:
        kept += chunk
        if len(kept) >= CHUNK:
            end = kept.rfind(b"\n") + 1 or (len(kept) if len(kept) > CHUNK * 8 else 0)
            if end:
                yield kept[:end]
                kept = kept[end:]
    yield kept


def _capitals(word: bytes) -> set[bytes]:
    """A word as it is and as it is in capitals, both in small letters of ASCII."""
    return {word, word.decode("utf-8", "replace").upper().encode().lower()}


@cache
def is_ordinary(word: bytes) -> bool:
    """Tell whether a lower-case word is one of a language, or the name of an account that every system has."""
    text = word.decode("utf-8", "replace")
    # An account that every system has is also a key, a column and a part of a path.
    return word in SERVICES or text in COMMON or text in lexicon() or text.removesuffix("s") in lexicon()


def telling(found: Finding) -> bool:
    """Tell whether a finding in a cell is a value: sure, or of a type whose format says so."""
    return found.group in ("secret", "personal") and (found.confidence != "low" or found.type in _FORMATTED)
