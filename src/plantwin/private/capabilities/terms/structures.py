"""What settings, schemas, tables and constants limit."""

# ruff: noqa: E501 (patterns)

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.audit.views import MASKS, views
from plantwin.private.capabilities.common.settings import Setting
from plantwin.private.capabilities.terms.phrases import BAN, DUTY, LIMIT
from plantwin.private.capabilities.terms.quantities import EXACT, LEAST, MOST, UNITS, Quantity
from plantwin.private.capabilities.terms.statement import Statement

_LIMITING = re.compile(
    r"(?:^|[._\s-])(?:max|min|maximum|minimum|limit|limits|timeout|ttl|retention|quota|window|interval|expiry|expires?|expiration|lifetime|"
    r"threshold|retries|retry|attempts|pool|rate|days|hours|minutes|seconds|secs|ms|millis|mb|gb|kb|bytes|percent|ratio|capacity|"
    r"concurrency|replicas|burst|age|keep|deadline|delay|grace|budget|cooldown|backoff|parallelism|batch)(?=$|[._\s-])",
    re.IGNORECASE,
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_VALUE = re.compile(r"(\d{1,15}(?:\.\d{1,6})?)\s?(%|[A-Za-z]{0,12})")
_SUFFIXES = {"mi": "mib", "gi": "gib", "ki": "kib", "m": "", "k": "kb", "g": "gb"}
_UNIT_WORDS = ("ms", "millis", "milliseconds", "seconds", "secs", "sec", "minutes", "mins", "min", "hours", "days", "weeks", "months", "years", "bytes", "kb", "mb", "gb", "kib", "mib", "gib", "percent", "pct")  # fmt: skip
_SCHEMA = {
    "minimum": LEAST, "maximum": MOST, "exclusiveMinimum": LEAST, "exclusiveMaximum": MOST, "minLength": LEAST,
    "maxLength": MOST, "minItems": LEAST, "maxItems": MOST, "minProperties": LEAST, "maxProperties": MOST,
    "multipleOf": EXACT,
}  # fmt: skip
_COUNTED = {"Length": "number of characters", "Items": "number of items", "Properties": "number of fields"}
_NOISE = frozenset(
    ("properties", "schema", "schemas", "components", "definitions", "content", "items", "paths", "$defs")
)
_COLUMN = re.compile(
    r"\s{0,40}[\"`\[]?([A-Za-z_]\w{0,60})[\"`\]]?\s+([A-Za-z]{2,20})\s?(?:\((\d{1,6})(?:,\s?\d{1,4})?\))?(.{0,400})"
)
_TABLE = re.compile(r"create\s+table\s+(?:if\s+not\s+exists\s+)?([\w.\"`\[\]]{1,100})", re.IGNORECASE)
_SQL_TYPES = re.compile(r"(?:var)?char|text|int|bigint|smallint|integer|serial|bigserial|numeric|decimal|date|timestamp|timestamptz|datetime|time|boolean|bool|uuid|json|jsonb|real|float|double|blob|bytea|money", re.IGNORECASE)  # fmt: skip
_CONSTANT = re.compile(
    r"\b([A-Za-z_]\w{2,60})\s?(?::\s?[\w\[\], ]{1,30}?\s?)?(?::=|=|:)\s?(\d[\d_]{0,14}(?:\.\d{1,6})?(?:\s?[*<]{1,2}\s?\d[\d_]{0,9}){0,3})(?![\w.])"
)


def of_settings(label: str, found: list[Setting]) -> Iterator[Statement]:
    """Limits among settings, and what a JSON Schema or an interface description demands."""
    for each in found:
        parts = each.path.split(".")
        last = parts[-1]
        if last in _SCHEMA and re.fullmatch(r"-?\d{1,15}(?:\.\d{1,6})?", each.value):
            dimension = next((name for end, name in _COUNTED.items() if last.endswith(end)), "number")
            yield _made(label, each.line, parts[:-1], last, _SCHEMA[last], float(each.value), dimension, each.value)
        elif last in ("pattern", "format") and each.value and _field(parts) != last and "." in each.path:
            yield _plain(label, each.line, DUTY, _field(parts[:-1]), last, f"have the {last} {each.value[:80]}")
        elif len(parts) > 1 and parts[-2] == "required" and last.isdigit() and each.value:
            owner = _field(parts[:-2]) or "the record"
            yield _plain(label, each.line, DUTY, owner, "required", f"have {each.value[:80]}")
        elif last in ("required", "readOnly", "uniqueItems") and each.value.lower() == "true":
            name = _field(parts[:-1])
            kind, said = (
                (BAN, "be written") if last == "readOnly" else (DUTY, "be given" if last == "required" else "be unique")
            )
            yield _plain(label, each.line, kind, name, last, said)
        elif last == "additionalProperties" and each.value.lower() == "false":
            yield _plain(label, each.line, BAN, _field(parts[:-1]) or "the record", last, "have further fields")
        else:
            yield from _limit(label, each)


def _field(parts: list[str]) -> str:
    """The name of a field, without what a schema puts around it."""
    kept = [each for each in parts if each not in _NOISE and not each.isdigit()]
    return ".".join(kept[-3:])


def _plain(label: str, line: int, kind: str, subject: str, words: str, said: str) -> Statement:
    text = f"{subject} must {'not ' if kind == BAN else ''}{said}"
    return Statement(kind, label, line, subject, words, said, text, key=subject)


def _made(
    label: str, line: int, parts: list[str], words: str, bound: str, value: float, dimension: str, written: str
) -> Statement:
    name = _field(parts) or words
    number = Quantity(value, dimension, bound, written, 0)
    text = f"{name}: {words} {written}"
    return Statement(LIMIT, label, line, name, words, f"{words} {written}", text, quantities=(number,), key=name)


def _limit(label: str, each: Setting) -> Iterator[Statement]:
    path = _CAMEL.sub("_", each.path)
    if not _LIMITING.search(path[-80:]):
        return
    match = _VALUE.fullmatch(each.value.strip())
    if match is None:
        return
    unit = match[2].lower()
    unit = _SUFFIXES.get(unit, unit)
    words = re.split(r"[._\s-]+", path.lower())
    if not unit:
        unit = next((word for word in reversed(words[-3:]) if word in _UNIT_WORDS and word != "min"), "")
        unit = {"millis": "ms", "pct": "percent"}.get(unit, unit)
    known = UNITS.get(unit)
    if match[2] and known is None:
        return
    dimension, scale = known or ("number", 1.0)
    if words[-1] == "min" and dimension == "number" and len(words) > 1:
        pass
    tail = words[-4:]
    bound = MOST if {"max", "maximum", "limit"} & set(tail) else LEAST if {"min", "minimum"} & set(tail) else EXACT
    written = each.value.strip() if match[2] else f"{each.value.strip()} {unit}".strip()
    number = Quantity(round(float(match[1]) * scale, 9), dimension, bound, written, 0)
    yield Statement(
        LIMIT, label, each.line, each.path, "is set to", each.value.strip(), f"{each.path} = {each.value.strip()}",
        quantities=(number,), key=path,
    )  # fmt: skip


def of_code(format: str, label: str, text: str) -> Iterator[Statement]:
    """Constants and arguments that are limits; in SQL, what columns demand."""
    if format == "sql":
        yield from _columns(label, text)
        return
    if format not in MASKS:
        return
    full = views(format, text.encode("utf-8", "replace")).full.decode("utf-8", "replace")
    told = 0
    for number, line in enumerate(full.split("\n")[:60_000], start=1):
        if not any(mark in line for mark in "=:") or len(line) > 2000:
            continue
        for match in _CONSTANT.finditer(line):
            if not _LIMITING.search(_CAMEL.sub("_", match[1])):
                continue
            value = _product(match[2])
            if not value:
                continue
            yield from _limit(label, Setting(match[1], f"{value:g}" if value < 1e15 else "0", number))
            told += 1
            if told >= 500:
                return


def _product(text: str) -> float | None:
    """`15 * 60`, `16 << 20`."""
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
    for number, line in enumerate(text.split("\n")[:60_000], start=1):
        line = line.split("--", 1)[0][:600]
        head = _TABLE.search(line)
        if head is not None:
            table = head[1].strip('"`[]')
            line = line[head.end() :].lstrip(" (")
        match = _COLUMN.match(line) if table else None
        if match is None or not _SQL_TYPES.fullmatch(match[2]):
            if line.strip().startswith(");"):
                table = ""
            continue
        name = f"{table}.{match[1]}"
        rest = match[4].upper()
        if match[3] and "CHAR" in match[2].upper():
            yield _made(
                label, number, [name], match[2].lower(), MOST, float(match[3]), "number of characters", match[3]
            )
        if "NOT NULL" in rest or "PRIMARY KEY" in rest:
            yield _plain(label, number, DUTY, name, "not null", "have a value")
        if "UNIQUE" in rest or "PRIMARY KEY" in rest:
            yield _plain(label, number, DUTY, name, "unique", "be unique")
        refers = re.search(r"references\s+([\w.\"]{1,100})", match[4], re.IGNORECASE)
        if refers is not None:
            yield _plain(label, number, DUTY, name, "references", f"refer to a row of {refers[1]}")
        check = re.search(r"check\s?\(([^\n]{1,200})\)", match[4], re.IGNORECASE)
        if check is not None:
            yield _plain(label, number, DUTY, name, "check", f"satisfy {check[1]}")
