"""Texts of contracts in languages of their own, as tokens with lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

MOST = 200_000


class Word(NamedTuple):
    """One token."""

    text: str
    line: int

    def __repr__(self) -> str:
        return "<Word private>"


def split(pattern: re.Pattern[str], text: str, comments: tuple[str, ...]) -> list[Word]:
    """The tokens of a text without its comments."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    found: list[Word] = []
    for match in pattern.finditer(text):
        if not match[0].startswith(comments):
            found.append(Word(match[0], bisect_right(starts, match.start())))
            if len(found) >= MOST:
                break
    return found


class Reader:
    """Tokens one after the other."""

    def __init__(self, words: list[Word]) -> None:
        self.words = words
        self.at = 0

    @property
    def next(self) -> str:
        """The token that comes; empty at the end."""
        return self.words[self.at].text if self.at < len(self.words) else ""

    @property
    def line(self) -> int:
        """Its line."""
        return self.words[min(self.at, len(self.words) - 1)].line if self.words else 1

    def take(self) -> str:
        """The token that comes, and on to the next."""
        found = self.next
        self.at += 1
        return found

    def skip(self, opening: str, closing: str) -> None:
        """Past a pair of brackets, if one comes."""
        if self.next != opening:
            return
        depth = 0
        while self.next:
            piece = self.take()
            depth += (piece == opening) - (piece == closing)
            if depth == 0:
                return

    def until(self, *ends: str) -> list[str]:
        """The tokens before one of these; that one is left."""
        found = []
        while self.next and self.next not in ends:
            found.append(self.take())
        return found
