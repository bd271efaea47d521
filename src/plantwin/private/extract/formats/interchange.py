"""Records as systems hand them over by file: banking, trade, health, contacts, calendars, fixed columns."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.text import READ, head_text
from plantwin.private.facts import Sample

_MAX = 5000
_SORTS: tuple[tuple[re.Pattern[str], dict[str, int]], ...] = tuple(
    (re.compile(pattern), features)
    for pattern, features in (
        # SWIFT statements, EDIFACT, X12, QIF, OFX, BAI
        (r":20:|\{1:F|UN[AB]|ISA.|!Type:|!Account|OFXHEADER|<OFX>|01,\w{1,12},", {"money_field": 2, "time_field": 1}),
        (r"MSH\||FHS\||BHS\|", {"person_field": 3, "health_field": 2}),
        (r"BEGIN:VCARD|0 HEAD", {"person_field": 3}),
        (r"BEGIN:VCALENDAR", {"time_field": 2}),
        (r"[$!](?:GP|GN|AI|GL)", {"metric_field": 3, "column": 6}),
        (
            r"# (?:HELP|TYPE) |[a-zA-Z_:][\w:]{2,120}(?:\{[^{}]{0,300}\})? [\d.]|[^\s;]{1,200};|TN:|SF:",
            {"metric_field": 3, "column": 4},
        ),
        (r"##fileformat=VCF|>[\w|.]|@SQ|@HD|HEADER ", {"annotation": 1}),
    )
)
_IBAN = re.compile(r"(?<![A-Z])[A-Z]{2}\d{2}[A-Z0-9]{11,28}")
_CURRENCY = re.compile(r"(?<![A-Za-z])(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|JPY|CAD|AUD)(?![A-Za-z])")
_AMOUNT = re.compile(r"(?<!\d)0{2,}\d{4,12}(?!\d)")
_DAY = re.compile(r"(?<!\d)(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?!\d)")
_NUMBERS = re.compile(r"-?\d{1,9}\.\d{1,6}")


def read_interchange(sample: Sample, draft: Draft) -> None:
    """One record per line or segment; how the file opens says of which sort they are."""
    text = head_text(sample, READ)
    start = text.lstrip("\ufeff \r\n")[:40]
    rows = [line for line in text.split("\n")[:_MAX] if line.strip()]
    if len(rows) < 3:
        rows = [part for part in re.split(r"['~\r]", text)[:_MAX] if part.strip()]
    draft.add("row", len(rows))
    for pattern, features in _SORTS:
        if pattern.match(start):
            for feature, count in features.items():
                draft.add(feature, count)
            return
    _fixed(draft, rows)


def _fixed(draft: Draft, rows: list[str]) -> None:
    """Columns of a fixed width, without names: what most rows hold tells what they are about."""
    part = rows[:200]
    most = len(part) * 0.5
    money = sum(1 for row in part if _IBAN.search(row) or _CURRENCY.search(row) or _AMOUNT.search(row))
    draft.add("money_field", 2 if money > most else 0)
    draft.add("time_field", sum(1 for row in part if _DAY.search(row)) > most)
    draft.add("metric_field", 2 if sum(len(_NUMBERS.findall(row)) >= 2 for row in part) > most else 0)
