"""Lines of names in a text, looked up in order: parsers of trees do not keep them."""

from __future__ import annotations


class Places:
    """Finds the next place of a word, from where the last one was."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1

    def __repr__(self) -> str:
        return "<Places private>"

    def after(self, word: str) -> int:
        """The line of the next place of this word; of its first place where there is no next."""
        where = self._text.find(word, self._at) if word else -1
        if where < 0:
            return self.first(word)
        self._line += self._text.count("\n", self._at, where)
        self._at = where
        return self._line

    def first(self, word: str) -> int:
        """The line of the first place of this word; zero where there is none."""
        where = self._text.find(word) if word else -1
        return self._text.count("\n", 0, where) + 1 if where >= 0 else 0
