"""Numbers with their units, on one scale per dimension, and dates as the calendar writes them."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from plantwin.private.formats.lexicon import beside

MOST, LEAST, EXACT = "at most", "at least", "exactly"

_TABLES = beside(__file__, "quantities.toml")
_WORDS = _TABLES["words"]
_NUMBERS = {word: float(number) for number, words in _TABLES["number_words"].items() for word in words.split()}
_MULTIPLES: dict[str, int] = _TABLES["multiples"]
_MONTHS = {name: number for number, names in enumerate(_WORDS["months"], start=1) for name in names.split()}
UNITS: dict[str, tuple[str, float]] = {
    **{
        word: (dimension, float(scale))
        for dimension in ("time", "data", "length", "share")
        for scale, words in _TABLES[dimension].items()
        for word in words.split()
    },
    **{word: (f"number of {word.rstrip('s')}s", 1.0) for word in _WORDS["counted"].split()},
    **{word: (dimension, 1.0) for dimension, words in _TABLES["other"].items() for word in words.split()},
}
"""Dimension and scale of each unit."""
_SHORT = frozenset(_WORDS["short"].split())
_BOUNDS = _TABLES["bounds"]
_BEFORE = (
    (LEAST, re.compile(_BOUNDS["negated_least"])),
    (MOST, re.compile(_BOUNDS["negated_most"])),
    (MOST, re.compile(_BOUNDS["most_before"])),
    (LEAST, re.compile(_BOUNDS["least_before"])),
)
_AFTER = ((MOST, re.compile(_BOUNDS["most_after"])), (LEAST, re.compile(_BOUNDS["least_after"])))


_COMPARED, _DENIAL, _DENIAL_ENDS, _RANGE_FIRST, _RANGE_JOIN, _RANGE_SECOND = (
    re.compile(_BOUNDS[name])
    for name in ("compared", "denial", "denial_ends", "range_first", "range_join", "range_second")
)
_CLAUSE = 120
"""Characters ahead of a number in which its comparison is denied."""


def _longest_first(words: dict[str, int] | dict[str, float]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_QUANTITY = re.compile(
    rf"(?P<before>[$€£]|\b(?:USD|EUR|GBP|CHF|JPY|SEK)[ \xa0])?"
    rf"(?<![\w.,/-])(?:(?P<digits>\d{{1,15}}(?:[,.' \u202f]\d{{3}}(?!\d))*(?:[.,]\d{{1,6}})?)"
    rf"(?P<scale>[ \xa0]?(?:million|billion|thousand|Mio\.?|[kMG](?=\b(?![ ]?[Bb]))))?"
    rf"|(?P<word>{_longest_first(_NUMBERS)})(?:[ ]\((?P<inside>\d{{1,9}})\))?)"
    rf"(?P<gap>[ \xa0-]?){_BOUNDS['adjectives']}(?P<unit>%|[$€£]|°[CF]|[A-Za-zäöüéèñí]{{1,16}})?",
    re.IGNORECASE,
)
_MONTH = _longest_first(_MONTHS)
_DATE = re.compile(
    rf"(?<![\w.-])(?:(?P<iso>\d{{4}}-\d\d-\d\d)(?!\d)"
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.)?[ ](?:of[ ]|de[ ])?(?P<month>{_MONTH})\.?,?[ ](?:de[ ])?"
    r"(?P<year>\d{4})"
    rf"|(?P<first>{_MONTH})\.?[ ](?P<second>\d{{1,2}})(?:st|nd|rd|th)?,?[ ](?P<third>\d{{4}})"
    rf"|(?P<dotted>\d{{1,2}}\.\d{{1,2}}\.\d{{4}})(?!\d))",
    re.IGNORECASE,
)
_SCALES = {
    "time": ((31536000, "years"), (86400, "days"), (3600, "h"), (60, "min"), (0, "s")),
    "data": (
        (1 << 30, "GiB"), (10**9, "GB"), (1 << 20, "MiB"), (10**6, "MB"), (1 << 10, "KiB"), (1000, "kB"), (0, "bytes"),
    ),
}  # fmt: skip


class Quantity(NamedTuple):
    """A number with what it measures."""

    value: float
    """In the dimension's base unit: seconds, bytes, shares, currency."""
    dimension: str
    bound: str
    written: str
    start: int

    @property
    def shown(self) -> str:
        """As the report writes it."""
        return f"{self.bound} {self.written}" if self.bound != EXACT else self.written


class Day(NamedTuple):
    """A calendar day."""

    iso: str
    start: int
    end: int


def quantities(text: str, dates: list[Day] | None = None) -> list[Quantity]:
    """Return numbers that have a unit, and those that a comparison limits. Parts of dates are none."""
    taken = [(day.start, day.end) for day in (days(text) if dates is None else dates)]
    found: list[Quantity] = []
    for match in _QUANTITY.finditer(text):
        if any(start <= match.start() < end for start, end in taken):
            continue
        quantity = _quantity(text, match)
        if quantity is not None:
            found.append(quantity)
            if len(found) == 20:
                break
    return found


def _quantity(text: str, match: re.Match[str]) -> Quantity | None:
    value = _value(match)
    if value is None:
        return None
    unit = (match["before"] or "").strip().lower() or (match["unit"] or "").lower()
    bound = _bound(text, match)
    if unit not in UNITS and _RANGE_FIRST.search(text, max(0, match.start() - 20), match.start()):
        # `between 5 and 10 euros`: the unit stands once.
        joint = _RANGE_JOIN.match(text, match.end("digits")) if match["digits"] else None
        second = _QUANTITY.match(text, joint.end()) if joint is not None else None
        unit = ((second["before"] or second["unit"] or "") if second is not None else "").strip().lower()
    if unit in _SHORT and (match["word"] or match["gap"] not in ("", " ")):
        unit = ""
    if unit == "m" or (unit == "d" and bound == EXACT):
        unit = ""  # metre, minute or million; paragraph 6d
    if unit in UNITS:
        dimension, scale = UNITS[unit]
        written = match[0]
        if match["digits"] and match["unit"] and match["unit"].lower() not in UNITS:
            written = f"{text[match.start() : match.end('digits')]}{match['scale'] or ''}" + f" {unit}" * (
                not match["before"]
            )
        return Quantity(round(value * scale, 9), dimension, bound, " ".join(written.split()), match.start())
    if match["word"] or bound == EXACT:
        return None
    end = match.end("scale") if match["scale"] else match.end("digits")
    return Quantity(value, "number", bound, text[match.start("digits") : end].strip(), match.start())


def _value(match: re.Match[str]) -> float | None:
    if match["word"]:
        return float(match["inside"]) if match["inside"] else _NUMBERS[match["word"].lower()]
    raw = re.sub(r"[' \u202f]", "", match["digits"])
    if re.fullmatch(r"\d{1,3}(?:[,.]\d{3})+", raw) and not re.fullmatch(r"\d{1,3}\.\d{3}", raw):
        raw = re.sub(r"[,.]", "", raw)
    elif "," in raw and "." in raw:
        raw = raw.replace(",", "") if raw.rindex(".") > raw.rindex(",") else raw.replace(".", "").replace(",", ".")
    try:
        value = float(raw.replace(",", "."))
    except ValueError:
        return None
    return value * _MULTIPLES.get((match["scale"] or "").strip().lower().rstrip("."), 1)


def _bound(text: str, match: re.Match[str]) -> str:
    before = text[max(0, match.start() - 40) : match.start()]
    if _RANGE_FIRST.search(before):
        return LEAST
    if _RANGE_SECOND.search(before):
        return MOST
    compared = _COMPARED.search(before)
    if compared is not None and _is_denied(text[max(0, match.start() - _CLAUSE) : match.start() - len(compared[0])]):
        return MOST if compared["more"] else LEAST
    after = text[match.end() : match.end() + 40]
    found = next((bound for bound, pattern in _BEFORE if pattern.search(before)), "")
    return found or next((bound for bound, pattern in _AFTER if pattern.match(after)), EXACT)


def _is_denied(before: str) -> bool:
    """Tell whether a clause denies what follows it."""
    *_, clause = _DENIAL_ENDS.split(before)
    return _DENIAL.search(clause) is not None


def days(text: str) -> list[Day]:
    """Return the dates in a text."""
    found: list[Day] = []
    for match in _DATE.finditer(text):
        try:
            found.append(Day(_iso(match), match.start(), match.end()))
        except ValueError:
            continue
        if len(found) == 20:
            break
    return found


def _iso(match: re.Match[str]) -> str:
    if match["iso"]:
        return date.fromisoformat(match["iso"]).isoformat()
    if match["dotted"]:
        day, month, year = match["dotted"].split(".")
    elif match["month"]:
        day, month, year = match["day"], match["month"], match["year"]
    else:
        day, month, year = match["second"], match["first"], match["third"]
    return date(int(year), _MONTHS.get(month.lower()) or int(month), int(day)).isoformat()


def shown(value: float, dimension: str) -> str:
    """Write a value in its base unit as people read it."""
    for scale, unit in _SCALES.get(dimension, ()):
        if not scale or (value >= scale and value % scale == 0):
            return f"{value / (scale or 1):g} {unit}"
    if dimension == "share":
        return f"{value * 100:g} %"
    return f"{value:g}" if dimension == "number" else f"{value:g} {dimension.removeprefix('number of ')}"
