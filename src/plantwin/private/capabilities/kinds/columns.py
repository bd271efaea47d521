"""Columns by what they mean: from their names, and from what their cells look like."""

# ruff: noqa: E501 (patterns)

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from plantwin.private.capabilities.data.cells import (
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
from plantwin.private.capabilities.data.personal import sensitive
from plantwin.private.capabilities.data.table import Table
from plantwin.private.capabilities.kinds.part import Part
from plantwin.private.redact.engine import Detector

SAMPLED = 2000
_NAMES: tuple[tuple[str, str], ...] = (
    ("identifier", r"id|uuid|guid|key|pk|sku|isbn|ean|number|no|nr|ref|reference|code|hash|serial|handle|slug"),
    ("person", r"name|firstname|lastname|surname|fullname|vorname|nachname|nom|prenom|nombre|author|owner|customer|user|username|employee|contact"),
    ("contact", r"email|mail|phone|tel|telephone|mobile|fax"),
    ("place", r"address|street|city|town|zip|postcode|postal|country|state|region|county|lat|latitude|lon|lng|longitude|location|ort|strasse|plz|ville|pays"),
    ("time", r"date|time|timestamp|at|on|created|updated|modified|deleted|born|birthday|dob|year|month|day|hour|datum|zeit|start|end|expires|since|until|paid|shipped"),
    ("money", r"price|amount|cost|total|sum|fee|tax|vat|salary|balance|revenue|discount|betrag|preis|prix|precio|currency|payment|income"),
    ("quantity", r"count|qty|quantity|units|stock|items|size|length|width|height|weight|volume|pages|hits|visits|views|n|num"),
    ("measure", r"rate|ratio|score|percent|pct|avg|mean|std|min|max|median|value|temperature|pressure|speed|latency|duration|distance|accuracy|loss|error|probability"),
    ("category", r"type|kind|category|class|group|status|state|level|label|tag|role|gender|sex|segment|channel|source|method|unit|language|lang|color|colour|severity|priority"),
    ("flag", r"is|has|flag|active|enabled|deleted|verified|valid|paid|subscribed|optin"),
    ("text", r"description|comment|note|notes|text|message|body|title|subject|summary|review|content|remark|reason|details"),
    ("link", r"url|uri|link|href|path|file|filename|image|photo|host|domain|ip|endpoint"),
)  # fmt: skip
_PATTERNS = tuple((kind, frozenset(words.split("|"))) for kind, words in _NAMES)
_SPLIT = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])")
_LINK = re.compile(r"https?://|^/[\w./-]+$|^(?:\d{1,3}\.){3}\d{1,3}$|^[\w-]+(?:/[\w.-]+)+$")
_IDENTIFIER = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-fA-F]{16,64}|[A-Z]{1,6}[-_]?\d{2,12}")
_MONEY = re.compile(r"[$€£¥]\s?\d|\d\s?(?:EUR|USD|GBP)$")


def columns(detector: Detector, table: Table, *, several: bool = False) -> Iterator[Part]:
    """Each column with its meaning; `several`: the table is one of many, so its name is told too."""
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
        stored = kinds.most_common(2)[0][0] if filled else EMPTY
        if stored == EMPTY and filled:
            stored = kinds.most_common(2)[1][0]
        meaning = _meaning(name, cells, stored, filled)
        detail = f"{stored}, {filled} of {len(cells)} filled"
        if name in hidden:
            group, type_ = hidden[name]
            meaning = "secret" if group == "secret" else "contact" if type_ in ("email", "phone") else "personal data"
            if type_ == "person_name":
                meaning = "person"
            detail += f", {type_.replace('_', ' ')}"
        yield Part(meaning, f"{table.name}.{name}" if several else name, 0, detail, table.name)


def _meaning(name: str, cells: list[Cell], stored: str, filled: int) -> str:
    texts = [str(cell).strip() for cell in cells if cell is not None and str(cell).strip()][:500]
    words = [word.lower() for word in _SPLIT.split(name) if word]
    if not filled:
        return "empty"
    if stored == NESTED:
        return "nested"
    if stored in (DATE, TIME):
        return "time"
    if stored == BOOLEAN or (words and words[0] in ("is", "has")):
        return "flag"
    looks = _looks(texts)
    if looks:
        return looks
    distinct = len(set(texts))
    for word in reversed(words):
        for kind, known in _PATTERNS:
            if word in known and _possible(kind, stored, distinct, len(texts)):
                return kind
    if stored in (INTEGER, NUMBER):
        return (
            "identifier"
            if stored == INTEGER and distinct == len(texts) and len(texts) > 20 and _rising(texts)
            else "measure"
        )
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
    for kind, pattern in (("link", _LINK), ("money", _MONEY), ("identifier", _IDENTIFIER)):
        fits = sum(
            (pattern.fullmatch if kind == "identifier" else pattern.search)(text[:200]) is not None for text in texts
        )
        if fits * 10 >= len(texts) * 9:
            return kind
    return ""


def _rising(texts: list[str]) -> bool:
    try:
        numbers = [int(text) for text in texts[:100]]
    except ValueError:
        return False
    return all(one < other for one, other in pairwise(numbers))
