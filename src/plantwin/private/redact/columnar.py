"""Findings about whole columns: by the name, by what share of the values has a valid shape or check digit, or both."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from plantwin.private.redact.checkdigits import (
    NATIONAL,
    china_id,
    finland_hetu,
    iban,
    italy_cf,
    luhn,
    spain_dni,
    us_ssn,
)
from plantwin.private.redact.headings import Heading, heading
from plantwin.private.redact.sheets import Cells, sheets
from plantwin.private.redact.validators import email, ipv4, ipv6, issuer, mac

if TYPE_CHECKING:
    from plantwin.private.redact.engine import Detector

LEAST = 5
"""So few values prove nothing without a name."""
SHARE = 0.9
"""Of the values must be valid, where the name says nothing."""
NAMED_SHARE = 0.5
"""Of the values must be valid for a name to be believed fully."""


class ColumnFinding(NamedTuple):
    """A sensitive column or key."""

    column: str
    type: str
    group: str
    confidence: str
    filled: int
    """Values seen."""
    amount: str
    """one, few or many."""
    by: str
    """What told: name, values or both."""
    start: int
    end: int
    """Where the name stands; 0 and 0 when it stands nowhere."""
    cells: Cells
    """What it was read from, with some of the values."""
    allowed: str = ""
    """Who allows it: see `allow.py`."""

    def __repr__(self) -> str:
        return "<ColumnFinding private>"


_DIGITS = re.compile(rb"\D")
_EMAIL = re.compile(
    rb"[A-Za-z0-9\x80-\xff][A-Za-z0-9._%+\-\x80-\xff]{0,127}@(?:[A-Za-z0-9\-\x80-\xff]{1,127}\.){1,6}[A-Za-z\x80-\xff]"
    rb"[A-Za-z0-9\-\x80-\xff]{1,40}"
)
_PHONE = re.compile(
    rb"\+[1-9][\d ().\-/]{6,20}|\(?[2-9]\d\d\)?[ .\-][2-9]\d\d[ .\-]\d{4}|0\d{1,4}[ /\-][\d ]{5,12}(?:-\d{1,5})?"
)
_NUMBER = re.compile(rb"\d[\d ().\-/]{5,24}")
_CARD = re.compile(rb"\d(?:[ \-]?\d){11,18}")
_IBAN = re.compile(rb"[A-Z]{2}\d\d(?: ?[A-Z0-9]{1,4}){3,8}")
_SSN = re.compile(rb"\d{3}-\d\d-\d{4}")
_IPV4 = re.compile(rb"(?:\d{1,3}\.){3}\d{1,3}")
_IPV6 = re.compile(rb"[0-9A-Fa-f:]{6,39}")
_MAC = re.compile(rb"(?:[0-9A-Fa-f]{2}[:\-]){5}[0-9A-Fa-f]{2}")
_DATE = re.compile(rb"\d{1,4}[\-/.]\d{1,2}[\-/.]\d{1,4}(?:[T ][\d:.Z+]{4,20})?|\d{8}")


def _card(value: bytes) -> bool:
    digits = _DIGITS.sub(b"", value)
    return _CARD.fullmatch(value) is not None and issuer(digits) and luhn(digits)


def _account(value: bytes) -> bool:
    return _IBAN.fullmatch(value) is not None and iban(value.replace(b" ", b""))


def _address(value: bytes) -> bool:
    return (
        _IPV4.fullmatch(value) is not None and all(int(each) < 256 for each in value.split(b".")) and bool(ipv4(value))
    )


def _shaped(pattern: bytes, check: Callable[[bytes], bool]) -> Callable[[bytes], bool]:
    shape = re.compile(pattern)
    return lambda value: shape.fullmatch(value) is not None and check(value)


_LETTERED = (
    _shaped(rb"(?:[XYZ]\d{7}|\d{8})[A-Z]", spain_dni),
    _shaped(rb"\d{6}[+\-A]\d{3}[0-9A-Y]", finland_hetu),
    _shaped(rb"[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]", italy_cf),
    _shaped(rb"\d{17}[\dXx]", china_id),
)
VALID: dict[str, tuple[str, str, Callable[[bytes], bool]]] = {
    "email": ("personal", "high", lambda value: _EMAIL.fullmatch(value) is not None and bool(email(value))),
    "payment_card": ("personal", "high", _card),
    "iban": ("personal", "high", _account),
    "us_ssn": ("personal", "high", lambda value: _SSN.fullmatch(value) is not None and us_ssn(_DIGITS.sub(b"", value))),
    "phone": ("personal", "medium", lambda value: _PHONE.fullmatch(value) is not None),
    "ipv4": ("infrastructure", "medium", _address),
    "ipv6": ("infrastructure", "medium", lambda value: _IPV6.fullmatch(value) is not None and bool(ipv6(value))),
    "mac_address": ("infrastructure", "medium", lambda value: _MAC.fullmatch(value) is not None and bool(mac(value))),
}
"""Group, confidence and check of the types that values alone can tell."""
_DATED = frozenset(("date_of_birth",))


def columns(detector: Detector, data: bytes, path: str = "") -> list[ColumnFinding]:
    """One finding for each sensitive column of a structured input."""
    out = []
    for cells in sheets(data, path):
        found = _judged(detector, cells, heading(cells.name.rpartition(": ")[2].rpartition(".")[2]))
        if found is not None:
            out.append(found)
    return out


def _judged(detector: Detector, cells: Cells, named: Heading | None) -> ColumnFinding | None:
    values = cells.values
    shape = _shape(values) or _secret(detector, values)
    if named is None:
        if shape is None or len(values) < LEAST or shape[3] < SHARE:
            return None
        type_, group, confidence, _ = shape
        return _made(cells, type_, group, confidence, "values")
    if shape is not None and shape[3] >= NAMED_SHARE:
        type_, group, confidence, _ = shape
        if named.type == type_ or (group == named.group == "secret"):
            return _made(cells, type_, group, "high", "both")
        # Values that are valid as something else tell more than a name.
        if shape[3] >= SHARE and len(values) >= LEAST:
            return _made(cells, type_, group, confidence, "values")
    confidence = named.confidence
    if named.type in VALID or named.type in ("national_id", *_DATED):
        fits = _fitting(named.type, values)
        if fits < NAMED_SHARE:
            confidence = "medium" if fits else "low"
        elif named.type in _DATED:
            return _made(cells, named.type, named.group, "high", "both")
    return _made(cells, named.type, named.group, confidence, "name")


def amount(count: int) -> str:
    """A number of values as a bucket."""
    return "one" if count <= 1 else "few" if count < 10 else "many"


def _made(cells: Cells, type_: str, group: str, confidence: str, by: str) -> ColumnFinding:
    many = amount(cells.count)
    return ColumnFinding(cells.name, type_, group, confidence, cells.count, many, by, cells.start, cells.end, cells)


def _fitting(type_: str, values: list[bytes]) -> float:
    """What share of the values could be of a type at all."""
    check = (
        VALID[type_][2]
        if type_ in VALID and type_ not in ("us_ssn", "phone", "payment_card")
        else lambda value: (
            (_DATE if type_ in _DATED else _NUMBER).fullmatch(value) is not None
            or (type_ == "national_id" and re.fullmatch(rb"[A-Z0-9\-+]{6,20}", value) is not None)
        )
    )
    return sum(map(check, values)) / len(values)


def _shape(values: list[bytes]) -> tuple[str, str, str, float] | None:
    """The type that most of the values are valid as, and their share."""
    size = len(values)
    best: tuple[str, str, str, float] | None = None
    for type_, (group, confidence, check) in VALID.items():
        # Two in the beginning decide whether the rest is worth a look.
        if not any(check(value) for value in values[:8]):
            continue
        share = sum(map(check, values)) / size
        if best is None or share > best[3]:
            best = (type_, group, confidence, share)
    if best is not None and best[3] >= NAMED_SHARE:
        return best
    return _national(values) or best


def _national(values: list[bytes]) -> tuple[str, str, str, float] | None:
    """A national id: one country's check digits hold for nearly all, which chance does not do."""
    if len(values) < LEAST or len(set(values)) * 2 < len(values):
        return None
    digits = [_DIGITS.sub(b"", value) for value in values if _NUMBER.fullmatch(value)]
    if len(digits) * 10 >= len(values) * 9:
        size, many = Counter(map(len, digits)).most_common(1)[0]
        if many * 10 >= len(values) * 9:
            same = [each for each in digits if len(each) == size]
            for check in NATIONAL.get(size, ()):
                share = sum(map(check, same)) / len(values)
                if share >= SHARE:
                    # One digit of ten is right by chance: few values prove little.
                    return "national_id", "personal", "high" if len(same) >= 8 else "medium", share
    for check in _LETTERED:
        if check(values[0]) or check(values[-1]):
            share = sum(map(check, values)) / len(values)
            if share >= SHARE:
                return "national_id", "personal", "high", share
    return None


def _secret(detector: Detector, values: list[bytes]) -> tuple[str, str, str, float] | None:
    """A kind of secret that has a format of its own, in most of the values."""
    sample = [value for value in values[:100] if len(value) >= 12]
    if len(sample) * 2 < min(len(values), 100) or not sample:
        return None
    counts: Counter[tuple[str, str]] = Counter()
    for found in detector.scan(b"\n".join(sample), path="values.log"):
        if found.group == "secret" and found.confidence != "low":
            counts[found.type, found.confidence] += 1
    if not counts:
        return None
    (type_, confidence), many = counts.most_common(1)[0]
    return type_, "secret", confidence, min(1.0, many / len(sample))
