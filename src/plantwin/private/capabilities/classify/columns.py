"""Columns by what they mean: from their names, and from what their cells look like."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from plantwin.private.capabilities.classify.parts import Part, words
from plantwin.private.capabilities.tables.cells import (
    BOOLEAN,
    DATE,
    EMPTY,
    INTEGER,
    NESTED,
    NUMBER,
    TIME,
    Cell,
    understood,
)
from plantwin.private.capabilities.tables.profiled import sensitive
from plantwin.private.capabilities.tables.table import Table
from plantwin.private.detect.engine import Detector

SAMPLED = 2000
_PERSONAL = {"email": "contact", "phone": "contact", "person_name": "person"}
_SPLIT = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])")
_LOOKS = {
    "link": re.compile(r"https?://|^/[\w./-]+$|^(?:\d{1,3}\.){3}\d{1,3}$|^[\w-]+(?:/[\w.-]+)+$"),
    "money": re.compile(r"[$€£¥]\s?\d|\d\s?(?:EUR|USD|GBP)$"),
    "identifier": re.compile(r"^(?:[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-fA-F]{16,64}|[A-Z]{1,6}[-_]?\d{2,12})$"),
}
"""What the cells of a kind look like."""


def columns(detector: Detector, table: Table, *, several: bool = False) -> Iterator[Part]:
    """Yield each column with its meaning; `several`: the table is one of many, so its name is told too."""
    hidden = sensitive(detector, table)
    sample: list[list[Cell]] = [[] for _ in table.columns]
    for batch in table.batches():
        for at, cells in enumerate(batch.columns[: len(sample)]):
            sample[at] += list(cells[: SAMPLED - len(sample[at])])
        if not sample or len(sample[0]) >= SAMPLED:
            break
    for name, cells in zip(table.columns, sample, strict=True):
        kinds = Counter(understood(cell).kind for cell in cells)
        filled = sum(kinds.values()) - kinds[EMPTY]
        stored = next((kind for kind, _ in kinds.most_common() if kind != EMPTY), EMPTY)
        meaning = _meaning(name, cells, stored, filled)
        detail = f"{stored}, {filled} of {len(cells)} filled"
        if name in hidden:
            group, type_ = hidden[name]
            meaning = "secret" if group == "secret" else _PERSONAL.get(type_, "personal data")
            detail += f", {type_.replace('_', ' ')}"
        yield Part(meaning, f"{table.name}.{name}" if several else name, 0, detail, table.name)


def _meaning(name: str, cells: list[Cell], stored: str, filled: int) -> str:
    texts = [str(cell).strip() for cell in cells if cell is not None and str(cell).strip()][:500]
    named = [word.lower() for word in _SPLIT.split(name) if word]
    if not filled:
        return "empty"
    if stored == NESTED:
        return "nested"
    if stored in (DATE, TIME):
        return "time"
    if stored == BOOLEAN or (named and named[0] in ("is", "has")):
        return "flag"
    looks = _looks(texts)
    if looks:
        return looks
    distinct = len(set(texts))
    for word in reversed(named):
        for kind, known in words("column").items():
            if word in known and _possible(kind, stored, distinct, len(texts)):
                return kind
    if stored in (INTEGER, NUMBER):
        counted = stored == INTEGER and distinct == len(texts) > 20 and _is_rising(texts)
        return "identifier" if counted else "measure"
    if distinct <= max(2, len(texts) // 10) and distinct <= 50:
        return "category"
    return "text" if sum(map(len, texts)) > 24 * len(texts) else "label"


def _possible(kind: str, stored: str, distinct: int, total: int) -> bool:
    if kind in ("money", "quantity", "measure"):
        return stored in (INTEGER, NUMBER)
    if kind == "time":
        return stored in (INTEGER, DATE, TIME)
    if kind == "flag":
        return distinct <= 3
    if kind == "category":
        return total < 10 or distinct * 2 <= total
    return stored != NUMBER or kind in ("identifier", "place")


def _looks(texts: list[str]) -> str:
    if not texts:
        return ""
    for kind, pattern in _LOOKS.items():
        fits = sum(pattern.search(text[:200]) is not None for text in texts)
        if fits * 10 >= len(texts) * 9:
            return kind
    return ""


def _is_rising(texts: list[str]) -> bool:
    try:
        numbers = [int(text) for text in texts[:100]]
    except ValueError:
        return False
    return all(one < other for one, other in pairwise(numbers))
