"""Words that mean alike, so that what is learned of `leak` holds for `reveal`: words of the lexicon with groups."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from plantwin.cloud.offline.language import stem

TABLE: Final = Path(__file__).parent / "senses.tsv"


@cache
def senses() -> Mapping[str, tuple[str, ...]]:
    """Groups by stem, read once."""
    rows = (line.split("\t") for line in TABLE.read_text(encoding="ascii").splitlines())
    return {stem(word): tuple(groups.split()) for word, groups in rows}
