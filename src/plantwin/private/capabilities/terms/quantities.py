"""Numbers with their units, as one scale per dimension, and dates as the calendar writes them."""

# ruff: noqa: E501 (patterns)

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

MOST, LEAST, EXACT = "at most", "at least", "exactly"

_NUMBER_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "fourteen": 14, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40,
    "forty-five": 45, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100,
    "ein": 1, "eine": 1, "einem": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7,
    "acht": 8, "zehn": 10, "zwölf": 12, "vierzehn": 14, "dreißig": 30, "sechzig": 60, "neunzig": 90,
    "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "sept": 7, "huit": 8, "dix": 10, "douze": 12,
    "quinze": 15, "trente": 30, "soixante": 60,
    "uno": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "siete": 7, "ocho": 8, "diez": 10, "doce": 12,
    "quince": 15, "treinta": 30, "sesenta": 60, "noventa": 90,
}  # fmt: skip

_TIME = (
    (0.001, "ms msec msecs millisecond milliseconds millisekunden millisecondes milisegundos"),
    (1, "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos"),
    (60, "min mins minute minutes minuten minuto minutos"),
    (3600, "h hr hrs hour hours stunde stunden heure heures hora horas"),
    (86400, "d day days tag tage tagen jour jours día días dia dias"),
    (604800, "wk week weeks woche wochen semaine semaines semana semanas fortnight"),
    (2592000, "month months monat monate monaten mois mes meses"),
    (31536000, "yr yrs year years jahr jahre jahren an ans année années año años"),
)
_DATA = (
    (1, "byte bytes octet octets"), (1000, "kb kilobyte kilobytes"), (1 << 10, "kib"), (10**6, "mb megabyte megabytes"),
    (1 << 20, "mib"), (10**9, "gb gigabyte gigabytes"), (1 << 30, "gib"), (10**12, "tb terabyte terabytes"),
    (1 << 40, "tib"),
)  # fmt: skip
_COUNTED = (
    "character characters char chars zeichen caractères caracteres item items entry entries row rows record records "
    "request requests attempt attempts versuch versuche retry retries user users connection connections "
    "connexions verbindungen person persons people employee employees "
    "line lines page pages file files word words digit digits letter letters copy copies time times mal fois veces "
    "version versions bit bits level levels thread threads worker workers process processes replica replicas "
    "node nodes instance instances message messages event events element elements field fields column columns "
    "parameter parameters argument arguments failure failures error errors reviewer reviewers approval approvals "
    "backup backups participant participants member members session sessions device devices unit units tokens "
    "core cores cpu cpus hop hops core"
)
_MONEY = "usd eur gbp chf jpy sek nok dkk cad aud inr dollar dollars euro euros pound pounds franken"
_LENGTH = ((0.001, "mm"), (0.01, "cm"), (1, "metre metres meter meters"), (1000, "km"), (0.0254, "inch inches"))
_OTHER = (("pixel", "px pixel pixels"), ("degree", "°c °f celsius"), ("mass", "kg kilogram kilograms"))

UNITS: dict[str, tuple[str, float]] = {
    **{word: ("time", scale) for scale, words in _TIME for word in words.split()},
    **{word: ("data", scale) for scale, words in _DATA for word in words.split()},
    **{word: ("length", scale) for scale, words in _LENGTH for word in words.split()},
    **{word: (f"number of {word.rstrip('s')}s", 1) for word in _COUNTED.split()},
    **{word: (word[:3].replace("dol", "usd").replace("pou", "gbp"), 1) for word in _MONEY.split()},
    **{word: (dimension, 1) for dimension, words in _OTHER for word in words.split()},
    "%": ("share", 0.01), "percent": ("share", 0.01), "prozent": ("share", 0.01), "pourcent": ("share", 0.01),
    "pct": ("share", 0.01),
    "$": ("usd", 1), "€": ("eur", 1), "£": ("gbp", 1),
}  # fmt: skip
"""Dimension and scale of each unit."""
_SHORT = frozenset(("s", "h", "d", "an", "mes"))
"""Units that are words or endings of their own: only straight after digits."""
_ADJECTIVE = r"(?:(?:business|calendar|working|consecutive|full|whole|concurrent|failed|aktive|jours ouvr[ée]s|login|open|active|successive|simultaneous|parallel|previous|printable|alphanumeric|consecutive|new)[ \t]){0,2}"
_SPELT = "|".join(sorted(_NUMBER_WORDS, key=len, reverse=True))
_QUANTITY = re.compile(
    rf"(?P<before>[$€£]|\b(?:USD|EUR|GBP|CHF|JPY|SEK)[ \xa0])?"
    rf"(?<![\w.,/-])(?:(?P<digits>\d{{1,15}}(?:[,.' \u202f]\d{{3}}(?!\d))*(?:[.,]\d{{1,6}})?)(?P<scale>[ \xa0]?(?:million|billion|thousand|Mio\.?|[kMG](?=\b(?![ ]?[Bb]))))?"
    rf"|(?P<word>{_SPELT})(?:[ ]\((?P<inside>\d{{1,9}})\))?)"
    rf"(?P<gap>[ \xa0-]?){_ADJECTIVE}(?P<unit>%|[$€£]|°[CF]|[A-Za-zäöüéèñí]{{1,16}})?",
    re.IGNORECASE,
)
_MULTIPLE = {"thousand": 10**3, "k": 10**3, "million": 10**6, "m": 10**6, "mio": 10**6, "billion": 10**9, "g": 10**9}
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero", "february feb februar février fevrier febrero", "march mar märz mars marzo",
            "april apr avril abril", "may mai mayo", "june jun juni juin junio", "july jul juli juillet julio",
            "august aug août aout agosto", "september sep sept septembre septiembre", "october oct oktober octobre octubre",
            "november nov novembre noviembre", "december dec dezember décembre decembre diciembre",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"(?<![\w.-])(?:(?P<iso>\d{{4}}-\d\d-\d\d)(?!\d)"
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.)?[ ](?:of[ ]|de[ ])?(?P<month>{_MONTH})\.?,?[ ](?:de[ ])?(?P<year>\d{{4}})"
    rf"|(?P<first>{_MONTH})\.?[ ](?P<second>\d{{1,2}})(?:st|nd|rd|th)?,?[ ](?P<third>\d{{4}})"
    rf"|(?P<dotted>\d{{1,2}}\.\d{{1,2}}\.\d{{4}})(?!\d))",
    re.IGNORECASE,
)

_BOUNDS = (
    (
        MOST,
        re.compile(
            r"(?:at most|no more than|not more than|up to|(?:must|shall|may|should|can|does|do) not exceed|never exceed"
            r"|not exceeding|exceeds?|maximum(?: (?:of|is|length|size|number))?|max\.?|less than|fewer than|under|below|no later than|within"
            r"|limited to|no longer than|not longer than|<=|≤|höchstens|maximal|bis zu|nicht mehr als|innerhalb(?: von)?|binnen"
            r"|au plus|au maximum|maximum de|jusqu'à|moins de|dans un délai de|como máximo|hasta|no más de|máximo de"
            r"|dentro de|en un plazo de)(?: (?:of|de|von|a|the|any|first|next))?\s*$",
            re.IGNORECASE,
        ),
    ),
    (
        LEAST,
        re.compile(
            r"(?:at least|no less than|not less than|no fewer than|minimum(?: (?:of|is|length|size|number))?|min\.?"
            r"|more than|longer than|greater than|above|over|>=|≥|at a minimum|mindestens|wenigstens|minimum de|au moins"
            r"|au minimum|plus de|al menos|como mínimo|mínimo de|más de)(?: (?:of|de|von|a|the))?\s*$",
            re.IGNORECASE,
        ),
    ),
)
_AFTER = (
    (MOST, re.compile(r"\s*(?:\w+\s){0,2}(?:or (?:less|fewer|below)|at (?:the )?most|maximum|max\b|oder weniger|ou moins|o menos)", re.I)),
    (LEAST, re.compile(r"\s*(?:\w+\s){0,2}(?:or (?:more|later|newer|above|greater|higher|longer)|\+|at (?:the )?least|minimum|and (?:up|above)|oder mehr|ou plus|o más)", re.I)),
)  # fmt: skip


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
    written: str
    start: int
    end: int


def quantities(text: str, dates: list[Day] | None = None) -> list[Quantity]:
    """Numbers that have a unit, and those that a comparison limits. Parts of dates are none."""
    taken = [(each.start, each.end) for each in (days(text) if dates is None else dates)]
    found: list[Quantity] = []
    for match in _QUANTITY.finditer(text):
        if any(start <= match.start() < end for start, end in taken):
            continue
        made = _quantity(text, match)
        if made is not None:
            found.append(made)
            if len(found) == 20:
                break
    return found


def _quantity(text: str, match: re.Match[str]) -> Quantity | None:
    value = _value(match)
    if value is None:
        return None
    before = (match["before"] or "").strip().lower()
    unit = before or (match["unit"] or "").lower()
    if unit in _SHORT and (match["word"] or match["gap"] not in ("", " ")):
        unit = ""
    bound = _bound(text, match)
    if unit == "m" or (unit == "d" and bound == EXACT):
        unit = ""  # metre, minute or million; paragraph 6d
    known = UNITS.get(unit)
    if known is None:
        if match["word"] or bound == EXACT:
            return None
        end = match.end("scale") if match["scale"] else match.end("digits")
        return Quantity(value, "number", bound, text[match.start("digits") : end].strip(), match.start())
    return Quantity(round(value * known[1], 9), known[0], bound, " ".join(match[0].split()), match.start())


def _value(match: re.Match[str]) -> float | None:
    if match["word"]:
        return float(match["inside"]) if match["inside"] else float(_NUMBER_WORDS[match["word"].lower()])
    raw = re.sub(r"[' \u202f]", "", match["digits"])
    if re.fullmatch(r"\d{1,3}(?:[,.]\d{3})+", raw) and not re.fullmatch(r"\d{1,3}\.\d{3}", raw):
        raw = re.sub(r"[,.]", "", raw)
    elif "," in raw and "." in raw:
        raw = raw.replace(",", "") if raw.rindex(".") > raw.rindex(",") else raw.replace(".", "").replace(",", ".")
    raw = raw.replace(",", ".")
    try:
        value = float(raw)
    except ValueError:
        return None
    scale = (match["scale"] or "").strip().lower().rstrip(".")
    return value * _MULTIPLE.get(scale, 1)


def _bound(text: str, match: re.Match[str]) -> str:
    before = text[max(0, match.start() - 40) : match.start()]
    after = text[match.end() : match.end() + 40]
    for bound, pattern in _BOUNDS:
        if pattern.search(before) is not None:
            return bound
    for bound, pattern in _AFTER:
        if pattern.match(after) is not None:
            return bound
    return EXACT


def days(text: str) -> list[Day]:
    """The dates in a text."""
    found: list[Day] = []
    for match in _DATE.finditer(text):
        try:
            iso = _iso(match)
        except ValueError:
            continue
        found.append(Day(iso, match[0], match.start(), match.end()))
        if len(found) == 20:
            break
    return found


def _iso(match: re.Match[str]) -> str:
    if match["iso"]:
        return date.fromisoformat(match["iso"]).isoformat()
    if match["dotted"]:
        day, month, year = (int(each) for each in match["dotted"].split("."))
        return date(year, month, day).isoformat()
    if match["month"]:
        return date(int(match["year"]), _MONTHS[match["month"].lower()], int(match["day"])).isoformat()
    return date(int(match["third"]), _MONTHS[match["first"].lower()], int(match["second"])).isoformat()


def shown(value: float, dimension: str) -> str:
    """A value in its base unit, as people read it."""
    if dimension == "time":
        for scale, word in ((31536000, "years"), (86400, "days"), (3600, "h"), (60, "min")):
            if value >= scale and value % scale == 0:
                return f"{value / scale:g} {word}"
        return f"{value:g} s"
    if dimension == "data":
        for scale, word in ((1 << 30, "GiB"), (10**9, "GB"), (1 << 20, "MiB"), (10**6, "MB"), (1 << 10, "KiB"), (1000, "kB")):  # fmt: skip
            if value >= scale and value % scale == 0:
                return f"{value / scale:g} {word}"
        return f"{value:g} bytes"
    if dimension == "share":
        return f"{value * 100:g} %"
    return f"{value:g}" if dimension == "number" else f"{value:g} {dimension.removeprefix('number of ')}"
