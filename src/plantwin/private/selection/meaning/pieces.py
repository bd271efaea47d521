"""Text as numbers of word pieces, in the way in which the model was trained: the longest known piece first."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Final

BEGIN: Final = "[CLS]"
END: Final = "[SEP]"
UNKNOWN: Final = "[UNK]"
LONGEST: Final = 100
"""Letters of a word above which it is unknown."""
REMEMBERED: Final = 50_000
"""Words whose pieces are remembered in a process at most."""
_word = re.compile(r"[^\W_]+|[^\w\s]|_")


class Pieces:
    """The model's vocabulary."""

    def __init__(self, file: Path) -> None:
        self._known = {line: at for at, line in enumerate(file.read_text(encoding="utf-8").splitlines())}
        self._begin, self._end, self._unknown = (self._known[each] for each in (BEGIN, END, UNKNOWN))
        self._remembered: dict[str, tuple[int, ...]] = {}

    def of(self, text: str, most: int) -> list[int]:
        """Numbers of at most so many pieces, the marks of beginning and end included."""
        found = [self._begin]
        for match in _word.finditer(_plain(text)):
            found += self._word(match[0])
            if len(found) >= most:
                break
        return [*found[: most - 1], self._end]

    def _word(self, word: str) -> tuple[int, ...]:
        found = self._remembered.get(word)
        if found is None:
            found = self._divided(word)
            if len(self._remembered) < REMEMBERED:
                self._remembered[word] = found
        return found

    def _divided(self, word: str) -> tuple[int, ...]:
        if len(word) > LONGEST:
            return (self._unknown,)
        found: list[int] = []
        start, mark = 0, ""
        while start < len(word):
            end = len(word)
            while end > start and mark + word[start:end] not in self._known:
                end -= 1
            if end == start:
                return (self._unknown,)
            found.append(self._known[mark + word[start:end]])
            start, mark = end, "##"
        return tuple(found)


def _plain(text: str) -> str:
    """Lower case without accents."""
    if text.isascii():
        return text.lower()
    return "".join(each for each in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(each) != "Mn")
