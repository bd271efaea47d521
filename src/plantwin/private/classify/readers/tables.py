"""Tables and records: CSV, JSON lines, interchange files, and what their fields are about."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

import msgspec

from plantwin.private.classify.readers.draft import Draft
from plantwin.private.facts import Sample
from plantwin.private.formats.delimited import delimiter, is_header
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.text import READ, decode, head_text
from plantwin.private.formats.values import Tree, is_number, text_of

_LEXICON = Lexicon(__file__)
MAX_ROWS = 400
MAX_COLUMNS = 200
_SHAPE_ROWS = 60
_KEYED = 2
"""Among the first so many columns stands the key."""

_SPLIT = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

_PERSON = _LEXICON.words("person")
_PERSON_NUMBERS = _LEXICON.words("person_numbers")
_CALLED = _LEXICON.words("called")
_FULL_NAME = _LEXICON.pattern("full_name")
_PERSON_OWNERS = _LEXICON.words("person_owners")
_HEALTH = _LEXICON.words("health")
_MONEY = _LEXICON.words("money")
_GOODS = _LEXICON.words("goods")
_TIME = _LEXICON.words("time")
_CODE = _LEXICON.words("code")

_SECRET_COLUMN = _LEXICON.pattern("secret_column")

_DATE = _LEXICON.pattern("date")
_EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s]{1,190}\.[A-Za-z]{2,24}")
_MONEY_VALUE = _LEXICON.pattern("money_value")
_NULLS = _LEXICON.words("nulls")


def _parts(name: str) -> list[str]:
    return [word.lower() for word in _SPLIT.findall(name[:80])]


def _named(parts: list[str], vocabulary: frozenset[str]) -> bool:
    """Return whether the whole name, its last two words or one of its words is in a vocabulary."""
    return (
        "".join(parts) in vocabulary or "".join(parts[-2:]) in vocabulary or any(part in vocabulary for part in parts)
    )


def _is_money(parts: list[str]) -> bool:
    """Return whether a name speaks of money: a total alone does, a total of something else need not."""
    return _named(parts, _MONEY) or parts == ["total"]


def column_features(name: str, values: Sequence[str]) -> list[str]:
    """Return what one column is about."""
    parts = _parts(name)
    filled = [value for value in values if value not in _NULLS]
    count = len(filled)
    numeric = count > 0 and sum(map(is_number, filled)) * 10 >= count * 9
    timely = _named(parts, _TIME)
    dates = 0 if numeric and not timely else sum(1 for value in filled if _DATE.fullmatch(value[:40]))
    dated = count > 0 and dates * 10 >= count * 8
    features: list[str] = []
    if (dated and not _amounts(parts, numeric)) or (timely and not count):
        features.append("time_field")
    if _person(parts, numeric) or (count and sum(map(_is_email, filled)) * 10 >= count * 7):
        features.append("person_field")
    if _named(parts, _HEALTH):
        features.append("health_field")
    if _amounts(parts, numeric) or _monetary(parts, filled, numeric, bool(features)):
        features.append("money_field")
    if not features:
        if numeric and not _key(parts, filled):
            features.append("metric_field")
        elif _running(filled):
            features.append("text_field")
        elif _named(parts, _CODE) or _short(filled):
            features.append("code_field")
    return features


def _is_email(value: str) -> bool:
    return "@" in value and _EMAIL.fullmatch(value[:260]) is not None


def _person(parts: list[str], numeric: bool) -> bool:
    joined = "".join(parts)
    if parts and parts[-1] in ("id", "count", "number", "code", "type") and joined not in _PERSON:
        return False
    if joined in _PERSON or "".join(parts[-2:]) in _PERSON:
        return not numeric or joined in _PERSON_NUMBERS
    if parts and parts[-1] == "name":
        return len(parts) > 1 and parts[-2] in _PERSON_OWNERS
    return any(part in ("email", "phone", "dob", "ssn", "surname", "birthdate") for part in parts)


def _running(values: list[str]) -> bool:
    """Return whether most values are sentences."""
    return bool(values) and sum(value.count(" ") for value in values) * 2 >= len(values) * 11


def _names_people(name: str, values: list[str]) -> bool:
    """Return whether a column called like one of names holds names of people."""
    filled = [value for value in values if value not in _NULLS]
    if not filled or not _CALLED.intersection(_parts(name)):
        return False
    return sum(1 for value in filled if _FULL_NAME.fullmatch(value[:80])) * 10 >= len(filled) * 6


def _amounts(parts: list[str], numeric: bool) -> bool:
    return numeric and _is_money(parts) and parts[-1] not in ("id", "at", "date")


def _monetary(parts: list[str], values: list[str], numeric: bool, otherwise: bool) -> bool:
    """Return whether a money word stands over amounts, or over text that means nothing else."""
    if not _is_money(parts):
        return False
    if not values or (not numeric and not otherwise and _named(parts, _GOODS)):
        return True
    return sum(1 for value in values if _MONEY_VALUE.fullmatch(value[:40])) * 10 >= len(values) * 8


def _key(parts: list[str], values: list[str]) -> bool:
    """Return whether the numbers are identifiers: they measure nothing."""
    if parts and (parts[-1] in _KEYS or parts[0] in ("id", "nr")):
        return True
    if len(values) >= 3 and all(value.isdigit() for value in values) and len(set(values)) == len(values):
        numbers = [int(value[:18]) for value in values]
        if numbers[-1] - numbers[0] == len(numbers) - 1 or (not parts and numbers == sorted(numbers)):
            return True  # They count the rows.
    return not parts and len(set(values)) == len(values)


_KEYS = _LEXICON.words("keys")


def _short(values: list[str]) -> bool:
    return (
        bool(values)
        and all(len(value) <= 40 for value in values)
        and sum(" " in value for value in values) * 2 <= len(values)
    )


def describe_table(
    draft: Draft, header: Sequence[str], rows: Sequence[Sequence[str]], total: int | None = None
) -> None:
    """Count columns, rows and what the fields are about."""
    width = min(len(header), MAX_COLUMNS)
    draft.add("row", len(rows) if total is None else total)
    draft.add("column", width)
    sample = rows[:_SHAPE_ROWS]
    called = 0
    for number in range(width):
        name = header[number].strip()
        draft.name(name)
        values = [row[number].strip() for row in sample if number < len(row)]
        features = column_features(name, values)
        for feature in features:
            draft.add(feature)
        if number < _KEYED and len(values) > 1 and len(set(values)) == len(values) and _short(values):
            draft.add("keyed")
        called += "person_field" not in features and _names_people(name, values)
        draft.add("login_line", sum(len(value) >= 6 for value in values) if _SECRET_COLUMN.search(name.lower()) else 0)
    if called and draft.features.keys() & {"person_field", "health_field"}:
        # A column of full names beside an address or a birthday is about people; alone it may name anything.
        draft.add("person_field", called)
    draft.add("null_value", sum(cell.strip() in _NULLS for row in rows for cell in row[:width]))
    draft.add("duplicate_row", len(rows) - len({tuple(row) for row in rows}))


def describe_records(draft: Draft, records: list[Tree], total: int) -> None:
    """Describe decoded records like a table: nested fields count under their own names, one level down."""
    header: dict[str, int] = {}
    flat: list[dict[str, str]] = []
    for record in records[:MAX_ROWS]:
        cells: dict[str, str] = {}
        for key, value in list(record.items())[:MAX_COLUMNS]:
            if type(value) is dict:
                for inner, leaf in list(value.items())[:40]:
                    cells[f"{key}_{inner}"] = _cell(leaf)
            else:
                cells[key] = _cell(value)
        for key in cells:
            if len(header) < MAX_COLUMNS:
                header.setdefault(key, len(header))
        flat.append(cells)
    keys = list(header)
    rows = [[cells.get(key, "") for key in keys] for cells in flat]
    describe_table(draft, keys, rows, total)


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = text_of(value)
    return text[:400] if text else "[]" if type(value) in (list, dict) else ""


_LINE = 64 << 10
"""Longer lines are not rows of anything."""


def _lines(sample: Sample, limit: int) -> list[str]:
    """Return complete lines of the head, then of each window."""
    lines = [line for line in head_text(sample, READ).split("\n")[: limit + 1] if line]
    if not sample.whole and len(lines) > 1 and not sample.head.endswith(b"\n"):
        lines.pop()
    for window in sample.windows:
        lines.extend(line for line in decode(window[:_LINE]).split("\n")[1 : limit // 8] if line)
    return [line.rstrip("\r") for line in lines if len(line) <= _LINE]


def read_csv(sample: Sample, draft: Draft) -> None:
    """Read CSV and TSV with or without a header; comment lines before the header are skipped."""
    lines = _lines(sample, MAX_ROWS)
    while lines and lines[0].startswith("#") and len(lines) > 1 and not lines[1].startswith("#"):
        lines[0] = lines[0].lstrip("# ")
        break
    lines = [line for number, line in enumerate(lines) if number == 0 or not line.startswith("#")]
    if not lines:
        draft.outline.parsed = not sample.head
        return
    mark = "\t" if draft.outline.format == "tsv" and "\t" in lines[0] else delimiter(lines)
    rows: list[list[str]] = []
    if mark not in lines[-1]:
        # Columns set apart by spaces alone.
        gaps = re.compile(
            r" {2,}" if sum("  " in line.strip() for line in lines[:40]) * 10 >= len(lines[:40]) * 9 else r"\s+"
        )
        lines = ["\t".join(gaps.split(line.strip())) for line in lines if line.strip(" -=+|")]
        mark = "\t"
    reader = csv.reader(lines, delimiter=mark)
    while len(rows) <= MAX_ROWS * 2:
        try:
            row = next(reader, None)
        except csv.Error:
            draft.outline.parsed = False
            continue
        if row is None:
            break
        rows.append(row[:500])
    if not rows:
        return
    widths = [len(row) for row in rows]
    usual = max(set(widths), key=widths.count)
    draft.outline.parsed = draft.outline.parsed and widths.count(usual) * 2 >= len(widths)
    header, body = (rows[0], rows[1:]) if is_header(rows) else ([f"column{n}" for n in range(usual)], rows)
    total = len(body) if sample.whole else max(len(body), sample.size * len(body) // max(len("\n".join(lines)), 1))
    if header is rows[0]:
        describe_table(draft, header, body, total)
    else:
        describe_table(draft, header, body, total)
        draft.outline.names.clear()


def read_jsonl(sample: Sample, draft: Draft) -> None:
    """Read one JSON value per line; log records are counted as such too."""
    decoder = msgspec.json.Decoder()
    records: list[Tree] = []
    failed = other = 0
    lines = _lines(sample, MAX_ROWS * 2)
    for line in lines:
        if line[:1] not in "{[":
            failed += 1
            continue
        try:
            value = decoder.decode(line)
        except (msgspec.DecodeError, ValueError, RecursionError):
            failed += 1
            continue
        if type(value) is dict:
            records.append(value)
        else:
            other += 1
    good = len(records) + other
    draft.outline.parsed = good > 0 and failed * 4 <= good + failed
    total = good if sample.whole else sample.size * good // max(sum(map(len, lines)), 1)
    if records:
        from plantwin.private.classify.readers.logs import count_records, looks_like_log

        if looks_like_log(records, draft.path):
            count_records(draft, records)
        if _finding_lines(draft, records):
            return
        describe_records(draft, records, total)


def _finding_lines(draft: Draft, records: list[Tree]) -> bool:
    """Read findings of scanners that write one per line."""
    if not all(record.keys() & {"template-id", "matcher-name", "rule_id", "check_id"} for record in records[:5]):
        return False
    draft.add("finding_record", len(records))
    for record in records[:200]:
        draft.name(text_of(record.get("template-id") or record.get("rule_id") or record.get("check_id")))
    return True


_MAX_LINES = 5000
_SORTS: list[tuple[re.Pattern[str], dict[str, int]]] = [
    (re.compile(row["start"]), row["features"]) for row in _LEXICON.tables["interchange"]
]
_IBAN = re.compile(r"(?<![A-Z])[A-Z]{2}\d{2}[A-Z0-9]{11,28}")
_CURRENCY = re.compile(r"(?<![A-Za-z])(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|JPY|CAD|AUD)(?![A-Za-z])")
_PADDED_AMOUNT = re.compile(r"(?<!\d)0{2,}\d{4,12}(?!\d)")
_DAY = re.compile(r"(?<!\d)(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?!\d)")
_NUMBERS = re.compile(r"-?\d{1,9}\.\d{1,6}")


def read_interchange(sample: Sample, draft: Draft) -> None:
    """Read one record per line or segment; how the file opens says of which sort they are."""
    text = head_text(sample, READ)
    start = text.lstrip("\ufeff \r\n")[:40]
    rows = [line for line in text.split("\n")[:_MAX_LINES] if line.strip()]
    if len(rows) < 3:
        rows = [part for part in re.split(r"['~\r]", text)[:_MAX_LINES] if part.strip()]
    draft.add("row", len(rows))
    for pattern, features in _SORTS:
        if pattern.match(start):
            for feature, count in features.items():
                draft.add(feature, count)
            return
    _fixed(draft, rows)


def _fixed(draft: Draft, rows: list[str]) -> None:
    """Read columns of a fixed width, without names: what most rows hold tells what they are about."""
    part = rows[:200]
    most = len(part) * 0.5
    money = sum(1 for row in part if _IBAN.search(row) or _CURRENCY.search(row) or _PADDED_AMOUNT.search(row))
    draft.add("money_field", 2 if money > most else 0)
    draft.add("time_field", sum(1 for row in part if _DAY.search(row)) > most)
    draft.add("metric_field", 2 if sum(len(_NUMBERS.findall(row)) >= 2 for row in part) > most else 0)
