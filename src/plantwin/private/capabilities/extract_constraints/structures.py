"""What settings, schemas, tables and constants limit."""

# ruff: noqa: E501 (patterns)

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.extract_constraints.quantities import EXACT, LEAST, MOST, UNITS, Quantity
from plantwin.private.capabilities.extract_constraints.statements import BAN, DUTY, LIMIT, Statement
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.settings import Setting
from plantwin.private.formats.source_views import MASKS, views
from plantwin.private.formats.values import words

_LEXICON = Lexicon(__file__)
MOST_LINES = 60_000
MOST_CONSTANTS = 500
_LIMITING = _LEXICON.pattern("limiting")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_VALUE = re.compile(r"(\d{1,15}(?:\.\d{1,6})?)\s?(%|[A-Za-z]{0,12})")
_SUFFIXES = {"mi": "mib", "gi": "gib", "ki": "kib", "m": "", "k": "kb", "g": "gb"}
_UNIT_WORDS = words(
    "ms millis milliseconds seconds secs sec minutes mins hours days weeks months years bytes kb mb gb kib mib gib "
    "percent pct"
)
_SCHEMA = {
    "minimum": LEAST, "maximum": MOST, "exclusiveMinimum": LEAST, "exclusiveMaximum": MOST, "minLength": LEAST,
    "maxLength": MOST, "minItems": LEAST, "maxItems": MOST, "minProperties": LEAST, "maxProperties": MOST,
    "multipleOf": EXACT,
}  # fmt: skip
_COUNTED = {"Length": "number of characters", "Items": "number of items", "Properties": "number of fields"}
_FLAGS = {"readOnly": (BAN, "be written"), "required": (DUTY, "be given"), "uniqueItems": (DUTY, "be unique")}
_SCHEMA_WORDS = words("properties schema schemas components definitions content items paths $defs")
_COLUMN = _LEXICON.pattern("column")
_TABLE = re.compile(r"create\s+table\s+(?:if\s+not\s+exists\s+)?([\w.\"`\[\]]{1,100})", re.IGNORECASE)
_SQL_TYPES = words(
    "varchar char text int bigint smallint integer serial bigserial numeric decimal date timestamp timestamptz datetime "
    "time boolean bool uuid json jsonb real float double blob bytea money"
)
_CONSTANT = _LEXICON.pattern("constant")


def of_settings(label: str, found: list[Setting]) -> Iterator[Statement]:
    """Yield limits among settings, and what a JSON Schema or an interface description demands."""
    for setting in found:
        *parents, last = setting.path.split(".")
        line, value = setting.line, setting.value
        name = _field(parents)
        if last in _SCHEMA and re.fullmatch(r"-?\d{1,15}(?:\.\d{1,6})?", value):
            dimension = next((dimension for end, dimension in _COUNTED.items() if last.endswith(end)), "number")
            yield _numbered(label, line, name or last, last, Quantity(float(value), dimension, _SCHEMA[last], value, 0))
        elif last in ("pattern", "format") and value and name:
            yield _demand(label, line, DUTY, name, last, f"have the {last} {value[:80]}")
        elif parents[-1:] == ["required"] and last.isdigit() and value:
            yield _demand(label, line, DUTY, _field(parents[:-1]) or "the record", "required", f"have {value[:80]}")
        elif last in _FLAGS and value.lower() == "true":
            kind, said = _FLAGS[last]
            yield _demand(label, line, kind, name, last, said)
        elif last == "additionalProperties" and value.lower() == "false":
            yield _demand(label, line, BAN, name or "the record", last, "have further fields")
        else:
            yield from _limit(label, setting)


def _field(parts: list[str]) -> str:
    """Return the name of a field, without what a schema puts around it."""
    return ".".join([part for part in parts if part not in _SCHEMA_WORDS and not part.isdigit()][-3:])


def _demand(label: str, line: int, kind: str, subject: str, words: str, said: str) -> Statement:
    text = f"{subject} must {'not ' if kind == BAN else ''}{said}"
    return Statement(kind, label, line, subject, words, said, text, key=subject)


def _numbered(label: str, line: int, name: str, words: str, number: Quantity) -> Statement:
    said = f"{words} {number.written}"
    return Statement(LIMIT, label, line, name, words, said, f"{name}: {said}", quantities=(number,), key=name)


def _limit(label: str, setting: Setting) -> Iterator[Statement]:
    path = _CAMEL.sub("_", setting.path)
    value = setting.value.strip()
    match = _VALUE.fullmatch(value)
    if match is None or not _LIMITING.search(path[-80:]):
        return
    unit = match[2].lower()
    unit = _SUFFIXES.get(unit, unit)
    parts = re.split(r"[._\s-]+", path.lower())
    if not unit:
        unit = next((word for word in reversed(parts[-3:]) if word in _UNIT_WORDS), "")
        unit = {"millis": "ms", "pct": "percent"}.get(unit, unit)
    known = UNITS.get(unit)
    if match[2] and known is None:
        return
    dimension, scale = known or ("number", 1.0)
    tail = set(parts[-4:])
    bound = MOST if {"max", "maximum", "limit"} & tail else LEAST if {"min", "minimum"} & tail else EXACT
    written = value if match[2] else f"{value} {unit}".strip()
    number = Quantity(round(float(match[1]) * scale, 9), dimension, bound, written, 0)
    text = f"{setting.path} = {value}"
    yield Statement(LIMIT, label, setting.line, setting.path, "is set to", value, text, quantities=(number,), key=path)


def of_code(format: str, label: str, text: str) -> Iterator[Statement]:
    """Yield constants and arguments that are limits; in SQL, what columns demand."""
    if format == "sql":
        yield from _columns(label, text)
        return
    if format not in MASKS:
        return
    full = views(format, text.encode("utf-8", "replace")).full.decode("utf-8", "replace")
    told = 0
    for number, line in enumerate(full.split("\n")[:MOST_LINES], start=1):
        if not any(mark in line for mark in "=:") or len(line) > 2000:
            continue
        for match in _CONSTANT.finditer(line):
            value = _product(match[2]) if _LIMITING.search(_CAMEL.sub("_", match[1])) else None
            if not value:
                continue
            yield from _limit(label, Setting(match[1], f"{value:g}" if value < 1e15 else "0", number))
            told += 1
            if told >= MOST_CONSTANTS:
                return


def _product(text: str) -> float | None:
    """Return the value of `15 * 60` or `16 << 20`."""
    parts = re.split(r"\s?(\*{1,2}|<<|<)\s?", text.replace("_", ""))
    try:
        value = float(parts[0])
        for sign, number in zip(parts[1::2], parts[2::2], strict=False):
            if sign == "*":
                value *= float(number)
            elif sign == "<<" and float(number) <= 60:
                value *= 2 ** int(number)
            elif sign == "**" and float(number) <= 18:
                value **= int(number)
            else:
                return None
    except (ValueError, OverflowError):
        return None
    return value


def _columns(label: str, text: str) -> Iterator[Statement]:
    table = ""
    for number, line in enumerate(text.split("\n")[:MOST_LINES], start=1):
        line = line.split("--", 1)[0][:600]
        head = _TABLE.search(line)
        if head is not None:
            table = head[1].strip('"`[]')
            line = line[head.end() :].lstrip(" (")
        match = _COLUMN.match(line) if table else None
        if match is None or match[2].lower() not in _SQL_TYPES:
            if line.strip().startswith(");"):
                table = ""
            continue
        column, type_, size, rest = match.groups()
        name = f"{table}.{column}"
        if size and "CHAR" in type_.upper():
            characters = Quantity(float(size), "number of characters", MOST, size, 0)
            yield _numbered(label, number, _field([name]) or type_.lower(), type_.lower(), characters)
        key = "PRIMARY KEY" in rest.upper()
        if key or "NOT NULL" in rest.upper():
            yield _demand(label, number, DUTY, name, "not null", "have a value")
        if key or "UNIQUE" in rest.upper():
            yield _demand(label, number, DUTY, name, "unique", "be unique")
        if (refers := re.search(r"references\s+([\w.\"]{1,100})", rest, re.IGNORECASE)) is not None:
            yield _demand(label, number, DUTY, name, "references", f"refer to a row of {refers[1]}")
        if (check := re.search(r"check\s?\(([^\n]{1,200})\)", rest, re.IGNORECASE)) is not None:
            yield _demand(label, number, DUTY, name, "check", f"satisfy {check[1]}")
