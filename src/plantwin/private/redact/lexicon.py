"""The word lists of `words.toml`, as sets. Imported only when prose is read."""

from __future__ import annotations

import tomllib
from pathlib import Path

_LISTS: dict[str, str] = tomllib.loads((Path(__file__).parent / "words.toml").read_text("utf-8"))


def _words(name: str) -> frozenset[str]:
    text = _LISTS[name]
    parts = text.replace("\n", " ").split(",") if "," in text else text.split()
    return frozenset(part.strip() for part in parts if part.strip())


GIVEN = _words("given")
ORGANISATION = _words("organisation")
COMMON = _words("common")
PLACES = _words("places")
STREET = _words("street")
NAMING = _words("naming")
NAMING_PAIRS = _words("naming_pairs")
PLACING = _words("placing")
WORKING = _words("working")
