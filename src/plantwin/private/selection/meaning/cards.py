"""The few words that stand for a file when its meaning is looked at: of its name and folders, then of its beginning.

Each word is there once, in the order of the file. Words with digits are left out, and so keys, tokens and numbers are.
"""

from __future__ import annotations

from typing import Final

from plantwin.private.selection.terms import pieces_of

HEAD: Final = 4 << 10
"""Bytes of a file that are looked at."""
PIECES: Final = 48
"""Pieces of a card that the model looks at: it takes twice as long for twice as many, and finds little more."""
DEEP: Final = 3
"""Names at the end of a path that count."""
MOST: Final = 64
"""Words of a card at most: more would not be looked at."""


def card(path: str, head: bytes) -> str:
    """The words that stand for this file."""
    place = pieces_of("/".join(path.split("/")[-DEEP:]).encode("ascii", "replace"))
    said = [] if b"\0" in head else pieces_of(head[:HEAD])
    return f"{' '.join(place)} . {' '.join(list(dict.fromkeys(said))[:MOST])}"
