"""Words, phrases and patterns of a module: rows of the TOML file beside it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from plantwin import expressions

_FOLDED = expressions.compile(r"\n *")
_PART = expressions.compile(r"@@(\w+)@@")


def beside(module: str, name: str = "") -> dict[str, Any]:
    """Read the tables of a file beside a module; where it is not named, of the module's own name."""
    path = Path(module).with_name(name) if name else Path(module).with_suffix(".toml")
    return tomllib.loads(path.read_text("utf-8"))


class Lexicon:
    """One file of tables, by their names. A module reads its tables once, when it is imported."""

    def __init__(self, module: str) -> None:
        self.tables = beside(module)

    def words(self, name: str) -> frozenset[str]:
        """Return the words of a text, or the phrases of a list, as a set."""
        table = self.tables[name]
        return frozenset(table.split() if isinstance(table, str) else table)

    def byte_words(self, name: str) -> frozenset[bytes]:
        """Return words as bytes."""
        return frozenset(word.encode() for word in self.words(name))

    def phrases(self, name: str) -> tuple[str, ...]:
        """Return a list in its order."""
        return tuple(self.tables[name])

    def byte_phrases(self, name: str) -> tuple[bytes, ...]:
        """Return a list in its order, as bytes."""
        return tuple(phrase.encode() for phrase in self.tables[name])

    def groups(self, name: str) -> dict[str, str]:
        """Return which group each word of a table belongs to."""
        return {word: group for group, text in self.tables[name].items() for word in text.split()}

    def pattern(self, name: str) -> re.Pattern[str]:
        """Return an expression."""
        return expressions.compile(self.expand(self.tables[name]))

    def patterns(self, name: str) -> dict[str, re.Pattern[str]]:
        """Return the expressions of a table, in its order."""
        return {key: expressions.compile(self.expand(text)) for key, text in self.tables[name].items()}

    def bytes_pattern(self, name: str) -> re.Pattern[bytes]:
        """Return an expression over bytes."""
        return expressions.compile(self.expand(self.tables[name]).encode())

    def bytes_patterns(self, name: str) -> dict[str, re.Pattern[bytes]]:
        """Return the expressions over bytes of a table, in its order."""
        return {key: expressions.compile(self.expand(text).encode()) for key, text in self.tables[name].items()}

    def expand(self, text: str) -> str:
        """Return an expression on one line, with `@@name@@` replaced by the row of that name."""
        return _PART.sub(lambda match: self.expand(self.tables[match[1]]), _FOLDED.sub("", text))
