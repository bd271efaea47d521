"""Findings about whole columns, instead of one for each of their cells.

A cell's finding goes when its column is told and says no less: the same type, or in the same group
something that is no secret. Whatever is surer than its column, or of another group, is told by itself.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from plantwin.private.detect.assignment import judge
from plantwin.private.detect.context import ASSIGNED, LABELLED, Context, natural
from plantwin.private.detect.names import Heading, heading, naming, plain_word, table
from plantwin.private.detect.national_ids import (
    NATIONAL,
    china_id,
    finland_hetu,
    iban,
    italy_cf,
    luhn,
    spain_dni,
    us_ssn,
)
from plantwin.private.detect.tables import LIMIT, Cells, form, sheets
from plantwin.private.detect.validators import email, ipv4, ipv6, issuer, mac
from plantwin.private.facts import Finding, Private, private

if TYPE_CHECKING:
    from plantwin.private.detect.engine import Detector

LEAST = 5
"""So few values prove nothing without a name."""
SHARE = 0.9
"""Of the values must be valid, where the name says nothing."""
NAMED_SHARE = 0.5
"""Of the values must be valid for a name to be believed fully."""


@private
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


_DIGITS = re.compile(rb"\D")
_EMAIL = re.compile(
    rb"[A-Za-z0-9\x80-\xff][A-Za-z0-9._%+\-\x80-\xff]{0,127}@(?:[A-Za-z0-9\-\x80-\xff]{1,127}\.){1,6}[A-Za-z\x80-\xff]"
    rb"[A-Za-z0-9\-\x80-\xff]{1,40}"
)
_PHONE = re.compile(
    rb"\+[1-9][\d ().\-/]{6,20}|\(?[2-9]\d\d\)?[ .\-][2-9]\d\d[ .\-]\d{4}|0\d{1,4}[ /\-][\d ]{5,12}(?:-\d{1,5})?"
)
_NUMBER = re.compile(rb"\d[\d ().\-/]{5,24}")
_DECIMAL = re.compile(rb"\d{0,12}\.\d{1,20}")
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
        _IPV4.fullmatch(value) is not None and all(int(word) < 256 for word in value.split(b".")) and bool(ipv4(value))
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
    context = Context.of(path, data[:1024])
    tabled = form(data, path) != "pairs"
    for cells in sheets(data, path):
        found = _judged(detector, cells, heading(cells.name.rpartition(": ")[2].rpartition(".")[2]))
        if found is not None:
            labelled = context.catalog and found.by == "name" and found.type in LABELLED
            secret = found.group == "secret" and found.by == "name"
            if labelled or (secret and _only_words(cells, context, tabled)):
                found = found._replace(confidence="low")
            out.append(found)
    return out


def _only_words(cells: Cells, context: Context, tabled: bool) -> bool:
    """Whether what stands under the name of a secret is text for people, tells where it is kept, or is a test's."""
    if context.catalog or context.lock or (context.test and context.code) or all(b" " in one for one in cells.values):
        return True
    name = naming(b"password")
    judged = [
        None if b" " in value or natural(value) else judge(name, value, b":", True, Context()) for value in cells.values
    ]
    # Passwords that people choose are words too: of a table, and of many, none need be more.
    strong = tabled or cells.count >= 10 or "medium" in judged or "high" in judged
    return not strong or (not tabled and 2 * judged.count(None) > len(judged))


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
    return national(values) or best


def national(values: list[bytes]) -> tuple[str, str, str, float] | None:
    """A national id: one country's check digits hold for nearly all, which chance does not do."""
    if len(values) < LEAST or len(set(values)) * 2 < len(values):
        return None
    digits = [_DIGITS.sub(b"", value) for value in values if _NUMBER.fullmatch(value) and not _DECIMAL.fullmatch(value)]
    if len(digits) * 10 >= len(values) * 9:
        size, many = Counter(map(len, digits)).most_common(1)[0]
        if many * 10 >= len(values) * 9:
            same = [digit for digit in digits if len(digit) == size]
            for check in NATIONAL.get(size, ()):
                share = _share(check, same, len(values))
                if share >= SHARE:
                    # One digit of ten is right by chance: few values prove little.
                    return "national_id", "personal", "high" if len(same) >= 8 else "medium", share
    for check in _LETTERED:
        if check(values[0]) or check(values[-1]):
            share = _share(check, values, len(values))
            if share >= SHARE:
                return "national_id", "personal", "high", share
    return None


def _share(check: Callable[[bytes], bool], values: list[bytes], total: int) -> float:
    """Return what share of a total is valid, or 0 as soon as it cannot be enough."""
    valid = len(values)
    for value in values:
        if not check(value):
            valid -= 1
            if valid < SHARE * total:
                return 0.0
    return valid / total


def _secret(detector: Detector, values: list[bytes]) -> tuple[str, str, str, float] | None:
    """A kind of secret that has a format of its own, in most of the values."""
    sample = [value for value in values[:100] if len(value) >= 12]
    if len(sample) * 2 < min(len(values), 100) or not sample:
        return None
    counts: Counter[tuple[str, str]] = Counter()
    for found in detector.scan(b"\n".join(sample), path="values.log"):
        if found.group == "secret" and found.confidence != "low" and found.type not in ASSIGNED:
            counts[found.type, found.confidence] += 1
    if not counts:
        return None
    (type_, confidence), many = counts.most_common(1)[0]
    return type_, "secret", confidence, min(1.0, many / len(sample))


_SURE = {"low": 0, "medium": 1, "high": 2}
BEFORE = 2400
"""Bytes before a value in which its key is looked for: a key and a long value, in the widest encoding."""


class Fold(Private):
    """The columns of one input that are told as a whole. Findings must come in the order of their places."""

    def __init__(self, detector: Detector, head: bytes, path: str, wide: str) -> None:
        self._form = form(head, path)
        self._wide = wide
        found = detector.columns(head, path) if self._form else []
        self.columns = sorted(
            (finding for finding in found if self._telling(finding)), key=lambda finding: finding.start
        )
        self._by_number = {column.cells.number: column for column in self.columns if column.cells.number >= 0}
        self._by_key = {column.column.encode("utf-8", "replace"): column for column in self.columns}
        self._values = {value: column for column in self.columns for value in column.cells.values}
        self._spans = self._intervals()
        self._named: set[tuple[int, str]] = set()
        if self._form == "delimited":
            line = self._plain(head[:65536]).partition(b"\n")[0]
            self._delimiter = max((b",", b"\t", b";", b"|"), key=line.count)
            named = table(self._plain(head[:16384]))
            self._named = {(column.place, column.type) for column in named.columns} if named else set()
        self._place = 0
        self._column = 0
        self._quoted = False
        self._tail = b""

    def _telling(self, column: ColumnFinding) -> bool:
        """Whether a column is worth a line: a key of JSON is one from two values on, and not by a word like `name`."""
        if self._form != "pairs":
            return True
        vague = column.confidence == "low" or plain_word(column.column)
        return column.filled > 1 and (column.by != "name" or not vague)

    def _intervals(self) -> tuple[list[int], list[tuple[int, ColumnFinding]]]:
        """Starts of a dump's cells and of JSON's lists, with where each ends and its column."""
        if self._form not in ("dump", "pairs"):
            return [], []
        cells = [
            (start, end, column)
            for column in self.columns
            for start, end in zip(column.cells.places[::2], column.cells.places[1::2], strict=True)
        ]
        cells.sort(key=lambda cell: cell[0])
        return [cell[0] for cell in cells], [cell[1:] for cell in cells]

    def kept(self, findings: list[Finding], data: bytes, base: int) -> list[Finding]:
        """The findings of a block that no column tells."""
        if not self.columns:
            return findings
        out = [finding for finding in findings if not self._told(finding, data, base)]
        self._pass(data[max(0, self._place - base) :], base + len(data))
        self._tail = (self._tail + data[-BEFORE:])[-BEFORE:]
        return out

    def placed(self, findings: list[Finding], data: bytes) -> Iterator[tuple[Finding, int]]:
        """The findings of a whole table that no column tells, each with the number of its column."""
        for finding in findings:
            if not self._told(finding, data, 0):
                yield finding, self._column

    def _told(self, found: Finding, data: bytes, base: int) -> bool:
        column = self._column_of(found, data, base)
        if column is None:
            return False
        surer = _SURE[found.confidence] > _SURE[column.confidence]
        if found.type == column.type:
            # Where the header alone makes findings of the cells, the column was judged by more than that.
            return not surer or (column.cells.number, found.type) in self._named
        return not surer and found.group == column.group and (found.group != "secret" or found.confidence != "high")

    def _column_of(self, found: Finding, data: bytes, base: int) -> ColumnFinding | None:
        if self._form == "delimited":
            self._pass(data[max(0, self._place - base) : found.start - base], found.start)
            return self._by_number.get(self._column)
        if self._form == "pairs":
            start = found.start - base
            before = data[max(0, start - BEFORE) : start]
            key = _key(self._plain(before if start >= BEFORE else self._tail + before))
            return self._by_key.get(key) if key else self._within(found.start)
        if self._form == "notebook":
            return self._values.get(self._plain(data[found.start - base : found.end - base]))
        return self._of_dump(found)

    def _of_dump(self, found: Finding) -> ColumnFinding | None:
        if found.start >= LIMIT or self._wide:
            # Past what is read as structure, the type alone tells.
            return next((column for column in self.columns if column.type == found.type), None)
        return self._within(found.start)

    def _within(self, start: int) -> ColumnFinding | None:
        starts, cells = self._spans
        place = bisect_right(starts, start) - 1
        return cells[place][1] if place >= 0 and start < cells[place][0] else None

    def _pass(self, between: bytes, place: int) -> None:
        """Move on to a place, over these bytes: count the delimiters of its line, outside of quotes."""
        self._place = max(self._place, place)
        if self._form != "delimited":
            return
        between = self._plain(between)
        line = between.rfind(b"\n")
        if line >= 0:
            # A quote that is not closed on its line is more often a stray one than a cell of several lines.
            self._column, self._quoted, between = 0, False, between[line + 1 :]
        if self._quoted or b'"' in between:
            parts = between.split(b'"')
            self._column += sum(part.count(self._delimiter) for part in parts[self._quoted :: 2])
            self._quoted ^= len(parts) % 2 == 0
        else:
            self._column += between.count(self._delimiter)

    def _plain(self, data: bytes) -> bytes:
        return data.decode(self._wide, "ignore").encode("utf-8", "ignore") if self._wide else data


def _key(before: bytes) -> bytes:
    """The key of the JSON value that starts at the end of these bytes, or goes on there."""
    parts = before.rsplit(b'"', 3)
    if len(parts) == 4 and parts[2].strip() == b":":
        return parts[1]
    return parts[-2] if len(parts) > 2 and parts[-1].lstrip().startswith(b":") else b""
