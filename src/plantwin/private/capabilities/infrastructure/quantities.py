"""Durations, sizes and quantities of Kubernetes as numbers."""

from __future__ import annotations

import re

_DURATION = re.compile(r"(\d{1,18}(?:\.\d{1,9})?)\s{0,2}([a-zµμ]{0,12})", re.IGNORECASE)
_UNITS = {
    "": 1.0, "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "usec": 1e-6, "ms": 1e-3, "msec": 1e-3, "millis": 1e-3,
    "millisecond": 1e-3, "milliseconds": 1e-3, "s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0,
    "m": 60.0, "min": 60.0, "mins": 60.0, "minute": 60.0, "minutes": 60.0, "h": 3600.0, "hr": 3600.0, "hrs": 3600.0,
    "hour": 3600.0, "hours": 3600.0, "d": 86400.0, "day": 86400.0, "days": 86400.0, "w": 604800.0, "week": 604800.0,
    "weeks": 604800.0, "mo": 2592000.0, "month": 2592000.0, "months": 2592000.0, "y": 31536000.0, "year": 31536000.0,
    "years": 31536000.0,
}  # fmt: skip
_SIZE = re.compile(r"(\d{1,18}(?:\.\d{1,9})?)\s{0,2}([a-z]{0,6})", re.IGNORECASE)
_SIZES = {
    "": 1.0, "b": 1.0, "k": 1e3, "kb": 1e3, "ki": 2.0**10, "kib": 2.0**10, "m": 1e6, "mb": 1e6, "mi": 2.0**20,
    "mib": 2.0**20, "g": 1e9, "gb": 1e9, "gi": 2.0**30, "gib": 2.0**30, "t": 1e12, "tb": 1e12, "ti": 2.0**40,
    "tib": 2.0**40, "p": 1e15, "pb": 1e15, "pi": 2.0**50, "pib": 2.0**50, "e": 1e18, "ei": 2.0**60,
}  # fmt: skip
_QUANTITY = re.compile(r"(\d{1,18}(?:\.\d{0,9})?)(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE]\d{1,2})?")
_FACTORS = {
    None: 1.0, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18,
    "Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50, "Ei": 2.0**60,
}  # fmt: skip


def seconds(text: str) -> float | None:
    """Return a duration in seconds (`1h30m`, `500ms`, `30`); None where it is none."""
    text = text.strip().lower()
    if re.fullmatch(r"p(?:\d+[ymwd])*(?:t(?:\d+(?:\.\d+)?[hms])+)?", text[:60]) and len(text) > 2:
        return _iso(text)
    total, end = 0.0, 0
    for match in _DURATION.finditer(text[:100]):
        if text[end : match.start()].strip() or match[2] not in _UNITS:
            return None
        total += float(match[1]) * _UNITS[match[2]]
        end = match.end()
    return total if end and not text[end:].strip() else None


def _iso(text: str) -> float:
    days, _, time = text[1:].partition("t")
    factors = {"y": 31536000.0, "m": 2592000.0, "w": 604800.0, "d": 86400.0}
    total = sum(float(number) * factors[unit] for number, unit in re.findall(r"(\d+)([ymwd])", days))
    clock = {"h": 3600.0, "m": 60.0, "s": 1.0}
    return total + sum(float(number) * clock[unit] for number, unit in re.findall(r"(\d+(?:\.\d+)?)([hms])", time))


def size(text: str) -> float | None:
    """Return a size in bytes (`512MB`, `1Gi`, `64k`); None where it is none."""
    match = _SIZE.fullmatch(text.strip()[:40])
    return float(match[1]) * _SIZES[match[2].lower()] if match is not None and match[2].lower() in _SIZES else None


def quantity(text: str) -> float | None:
    """Return a quantity of Kubernetes (`500m`, `128Mi`); None where it is none."""
    match = _QUANTITY.fullmatch(text.strip()[:40])
    if match is None:
        return None
    unit = match[2]
    if unit is not None and unit[0] in "eE" and unit not in ("E", "Ei"):
        return float(match[1]) * 10.0 ** int(unit[1:])
    return float(match[1]) * _FACTORS[unit]
