"""Which sensitive items a planner could see: searched for in the very bytes that it was sent.

An item counts as seen when it stands there as it is, in any case, in a common encoding, or, where it is a text, when
something very much like it does. What is searched is what was sent, so a planner's own words do not count.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import json
import re
import urllib.parse
from collections.abc import Iterable, Iterator
from functools import lru_cache

TEXTS = frozenset({"person", "customer", "codename", "address", "health"})
"""Sorts that are words: for these a near match counts too."""
NEAR = 0.85
"""Share of an item's letter triples, in order and close together, that makes a near match."""
SHORTEST = 6
"""Letters that a near match needs at least: shorter ones stand anywhere by chance."""

_letters = re.compile(r"[^a-z0-9]+")


def forms(value: str) -> Iterator[str]:
    """The item as it may be written, all in lower case."""
    data = value.encode()
    yield value.casefold()
    yield json.dumps(value)[1:-1].casefold()
    yield html.escape(value).casefold()
    yield urllib.parse.quote(value, safe="").casefold()
    yield urllib.parse.quote(value).casefold()
    yield urllib.parse.quote_plus(value).casefold()
    yield binascii.hexlify(data).decode()
    yield codecs.encode(value, "rot13").casefold()
    yield value[::-1].casefold()
    for skipped in range(3):
        # In a longer text that is encoded as a whole, three alignments are possible.
        encoded = base64.b64encode(data[skipped : len(data) - (len(data) - skipped) % 3]).decode().casefold()
        if len(encoded) >= 8:
            yield encoded
            yield encoded.replace("+", "-").replace("/", "_")


@lru_cache(4096)
def _forms(value: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(forms(value)))


def seen(payload: bytes, value: str, *, text: bool = False) -> bool:
    """Whether an item can be read in a payload. `text`: also when something very much like it can."""
    return Payload([payload]).shows(value, text=text)


class Payload:
    """Everything that a planner was sent for one task."""

    def __init__(self, parts: Iterable[bytes]) -> None:
        whole = b"\n".join(parts).decode("utf-8", "replace")
        self._plain = whole.casefold()
        self._letters = _letters.sub("", self._plain)
        self._triples: dict[str, list[int]] | None = None

    def shows(self, value: str, *, text: bool = False) -> bool:
        """Whether an item can be read in it."""
        if any(each and each in self._plain for each in _forms(value)):
            return True
        letters = _letters.sub("", value.casefold())
        if len(letters) < SHORTEST:
            return False
        return letters in self._letters or (text and self._near(letters))

    def _near(self, letters: str) -> bool:
        """Whether most triples of these letters stand close together."""
        if self._triples is None:
            self._triples = {}
            for at in range(len(self._letters) - 2):
                self._triples.setdefault(self._letters[at : at + 3], []).append(at)
        wanted = [letters[at : at + 3] for at in range(len(letters) - 2)]
        needed = NEAR * len(wanted)
        starts: dict[int, set[int]] = {}
        for offset, triple in enumerate(wanted):
            for at in self._triples.get(triple, ()):
                # One or two letters more or less move what follows: neighbouring alignments count together.
                for shift in (-1, 0, 1):
                    starts.setdefault(at - offset + shift, set()).add(offset)
        return any(len(found) >= needed for found in starts.values())
