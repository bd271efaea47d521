"""Columns that identify a person, judged as columns: by their name, what their values look like and what stands beside.

The rows are in `identifying.toml`. This is the broad judgement that redaction needs, where a value that is left does
more harm than one that goes without need; what is reported as a finding is judged in `column_findings.py`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from plantwin.lexicon import words as lexicon
from plantwin.private.detect.column_findings import VALID, national
from plantwin.private.detect.names import HUMP
from plantwin.private.detect.prose import COMMON, GIVEN, ORGANISATION, STREET

_TABLE = Path(__file__).with_name("identifying.toml")
LEAST = 5
"""So few values prove nothing without a name."""
MOST = 0.6
"""Share of the values that must fit a name."""
MISSING = frozenset(("", "na", "n/a", "nan", "null", "none", "nil", "-", "--", "?", "\\n", "#n/a", "true", "false"))
"""Cells that hold no value."""

_NAME = re.compile(r"[^\W\d_][\w .,'’´`\-]{0,60}", re.U)
_WORD = re.compile(r"[^\W\d_]{2,}")
_DATE = re.compile(
    r"\d{1,4}[\-/. ](?:\d{1,2}|[A-Za-z]{3,9})[\-/. ]\d{1,4}(?:[T ][\d:.Z+\-]{4,20})?|(?:\d{8}|(?:1[89]|20)\d\d)(?:\.0)?"
    r"|[A-Za-z]{3,9}\.? \d{1,2},? \d{4}|\d{4}[年년] ?\d{1,2}[月월] ?\d{1,2}[日일]"
)
_COORDINATE = re.compile(r"-?\d{1,3}[.,]\d{2,20}°?|.{0,20}-?\d{1,3}\.\d{2,20}[ ,;]{1,3}-?\d{1,3}\.\d{2,20}.{0,20}")
_CARD = re.compile(r"[\d*xX•](?:[ \-]?[\d*xX•]){10,18}")
_HANDLE = re.compile(r"@?(?=.*[^\W\d_])[\w.\-+\\@]{2,64}|https?://\S+")
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_NETWORK = re.compile(
    r"(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?|[0-9A-Fa-f:]*:[0-9A-Fa-f:]+|(?:[0-9A-Fa-f]{2}[:\-]){5}[0-9A-Fa-f]{2}"
)
_STREET = re.compile(
    r"\d{1,6}[A-Za-z]?,? (?:[\w.'’\-]+ ){0,5}(?:"
    + "|".join(sorted(map(re.escape, STREET), key=len, reverse=True))
    + r")\b.*"
    r"|[^\W\d_][\w .'’\-]{2,40}(?:stra(?:ss|ß)e|str\.|weg|gasse|platz|allee|laan|straat) \d{1,4}.*"
    r"|\d{0,5},? ?(?:rue|calle|via|avenida|rua|viale|piazza) .{3,60}",
    re.I,
)
_FLOAT = re.compile(r"\d{1,25}\.0|\d\.\d{1,20}[eE]\+?\d{1,2}")
_PEOPLE = re.compile(r"(?:[^\W\d_][\w.'’\-]{0,24},? ){1,4}[^\W\d_][\w.'’\-]{0,24}|[^\W\d_][\w.'’\-]{1,24}")


_ENDING = r"(?:_?\d{1,3}|_(?:txt|text|str|val|value|raw|col|field|hash))?$"
"""What a name may end in without meaning something else."""


class Identifying(NamedTuple):
    """What a column holds."""

    type: str
    group: str = "personal"
    needs_person: bool = False


def _digits(value: str) -> int:
    return sum(character.isdigit() for character in value)


def _is_people(value: str) -> bool:
    words = _WORD.findall(value)
    return _PEOPLE.fullmatch(value) is not None and any(word.lower() in GIVEN for word in words[:4])


def is_name_like(value: str) -> bool:
    """Tell whether a value is two to four capitalised words of which no dictionary of ordinary words knows any."""
    words = _WORD.findall(value)
    return (
        1 < len(words) <= 4
        and _PEOPLE.fullmatch(value) is not None
        and words[-1] not in ORGANISATION
        and all(not word[0].islower() and word.lower() not in lexicon() for word in words)
    )


def name_things(values: Sequence[str]) -> bool:
    """Tell whether the values of a column are of ordinary words: products, places of work, states of things."""
    filled = _filled(values)
    wordings = [words for words in map(_WORD.findall, filled) if words]
    things = sum(words[-1].islower() or not lexicon().isdisjoint(map(str.lower, words)) for words in wordings)
    return len(filled) >= LEAST and things >= MOST * len(filled) and not any(map(_is_people, filled))


FITS: dict[str, Callable[[str], bool]] = {
    "any": bool,
    "digits": lambda value: _digits(value) > 0,
    "code": lambda value: (
        len(value) >= 5 and _digits(value) >= 2 and (" " not in value.strip()[:5] or _digits(value) * 2 >= len(value))
    ),
    "key": lambda value: len(value) >= 2 and _digits(value) >= 1 and _NETWORK.fullmatch(value) is None,
    "long_number": lambda value: _CARD.fullmatch(value) is not None or (len(value) == 10 and _digits(value) == 4),
    "short_number": lambda value: re.fullmatch(r"\d{3,8}(?:\.0)?", value) is not None,
    "email": lambda value: "@" in value,
    "phone": lambda value: 6 <= _digits(value) <= 20 and _digits(value) * 2 >= len(value.strip()) - 4,
    "date": lambda value: _DATE.fullmatch(value) is not None,
    "words": lambda value: _NAME.fullmatch(value) is not None,
    "given_words": lambda value: (
        re.fullmatch(r"[^\W\d_][^\W\d_'’.\- ]{1,24}(?:[ '’\-][^\W\d_.]{1,24}){0,2}\.?\d{0,4}|[A-Z]\.?", value)
        is not None
        and value.lower() not in COMMON
    ),
    "people": _is_people,
    "roles": _is_people,
    "handle": lambda value: _HANDLE.fullmatch(value) is not None and _UUID.fullmatch(value) is None,
    "address": lambda value: _NETWORK.fullmatch(value) is None and "@" not in value and "://" not in value,
    "secret": lambda value: len(value) >= 8 or (len(value) >= 4 and not value.replace(".", "").isdecimal()),
    "honorific": lambda value: (
        re.fullmatch(r"(?:mr|mrs|ms|miss|mx|dr|prof|sir|jr|sr|rev|md|phd|i{1,3}|iv)\.?", value.lower()) is not None
    ),
    "network": lambda value: _NETWORK.fullmatch(value) is not None,
    "coordinate": lambda value: _COORDINATE.fullmatch(value) is not None,
}
_SHARE = {"people": 0.2, "roles": 0.2, "email": 0.3, "phone": 0.4, "code": 0.5}
_TELLING = frozenset(("given_words", "people", "roles", "secret", "handle"))
"""Fits of names that mean other things too: a few repeating words are categories."""


class _Row(NamedTuple):
    pattern: re.Pattern[str]
    fits: str
    found: Identifying


@cache
def rows() -> tuple[_Row, ...]:
    """The table, compiled."""
    declared = tomllib.loads(_TABLE.read_text("utf-8"))["column"]
    return tuple(
        _Row(
            re.compile(r"(?:^|_)(?:" + re.sub(r"\s+", "", row["names"]) + r")" + _ENDING),
            row["fits"],
            Identifying(row["type"], row.get("group", "personal"), row.get("needs_person", False)),
        )
        for row in declared
    )


@cache
def _short() -> dict[str, str]:
    declared: dict[str, str] = tomllib.loads(_TABLE.read_text("utf-8"))["short"]
    return {word: long for long, words in declared.items() for word in words.split()}


@lru_cache(maxsize=4096)
def spellings(name: str) -> tuple[str, ...]:
    """Return a normal name as it is and, where words of it are short for others, with these."""
    plain = normal(name)
    long = "_".join(_short().get(word, word) for word in plain.split("_"))
    return (plain,) if long == plain else (plain, long)


@lru_cache(maxsize=4096)
def normal(name: str) -> str:
    """Return a name in lower case with one `_` between its words."""
    return re.sub(r"[\W_]{1,64}", "_", HUMP.sub("_", name[:120])).strip("_").lower()


def identifying(columns: Sequence[tuple[str, Sequence[str]]]) -> list[Identifying | None]:
    """Judge the columns of one table, each a name and some values."""
    found = [judged(name, values) for name, values in columns]
    for place, (name, values) in enumerate(columns):
        # Without a header, a surname is told by the given name beside it.
        near = [found[at] for at in (place - 1, place + 1) if 0 <= at < len(found)]
        if (
            not name
            and found[place] is None
            and Identifying("person_name") in near
            and _fit("given_words", _filled(values))
        ):
            found[place] = Identifying("person_name")
    if any(finding is not None for finding, (name, _) in zip(found, columns, strict=True) if not name):
        # Without a header, what stands beside people and has a form of its own is of them.
        found = [
            _by_form(_filled(values)) if finding is None and not name else finding
            for finding, (name, values) in zip(found, columns, strict=True)
        ]
    if not any(finding and not finding.needs_person and finding.group == "personal" for finding in found):
        return [finding if finding and not finding.needs_person else None for finding in found]
    for place, (name, values) in enumerate(columns):
        # Beside an address or a birthday, a column `name` is of people, whatever they are called.
        if found[place] is None and normal(name) in ("name", "names", "full"):
            texts = _filled(values)
            if texts and sum(map(is_name_like, texts)) >= MOST * len(texts):
                found[place] = Identifying("person_name")
    return found


_FORMS = (
    ("payment_card", lambda value: len(value) > 12 and _CARD.fullmatch(value) is not None),
    ("us_ssn", lambda value: re.fullmatch(r"\d{3}-\d\d-\d{4}", value) is not None),
    (
        "phone",
        lambda value: (
            re.fullmatch(r"[+(\d][\d ()./\-]{7,20}", value) is not None and not FITS["date"](value) and len(value) < 18
        ),
    ),
    ("date", FITS["date"]),
    ("location", lambda value: re.fullmatch(r"-?\d{1,3}\.\d{4,20}", value) is not None),
    ("username", lambda value: re.fullmatch(r"[a-z]{2,24}[._\-]?[a-z]{0,24}\d{1,4}", value) is not None),
    (
        "national_id",
        lambda value: re.fullmatch(r"(?=.*[A-Z])[A-Z\d\-]{6,20}", value) is not None and _digits(value) > 3,
    ),
)
"""Forms of values that tell no more than a type, in the order in which they are tried."""


def _by_form(values: list[str]) -> Identifying | None:
    """Judge a column without a name beside people: values of one form that hardly repeat, or strange names."""
    different = set(values)
    strange = sum(FITS["given_words"](value) and value.lower() not in lexicon() for value in different)
    if len(different) > 9 and strange >= 0.9 * len(different):
        return Identifying("person_name")
    forms = _FORMS if values and len(different) * 2 >= len(values) else ()
    return next((Identifying(type_) for type_, fits in forms if sum(map(fits, values)) >= 0.9 * len(values)), None)


def judged(name: str, values: Sequence[str]) -> Identifying | None:
    """Judge one column by itself."""
    filled = _filled(values)
    if not filled:
        return None
    for plain in spellings(name):
        for row in rows():
            if row.pattern.search(plain) and _fit(row.fits, filled):
                return row.found
    return _by_values(filled)


@lru_cache(maxsize=4096)
def is_named(name: str) -> bool:
    """Tell whether a name alone is one of an identifying column."""
    return any(row.pattern.search(plain) for plain in spellings(name) for row in rows())


def is_value(text: str) -> bool:
    """Tell whether a text is a value by itself: a person's name, an address, a number with check digits."""
    raw = text.strip().encode("utf-8", "replace")
    return _is_people(text) or _STREET.fullmatch(text) is not None or any(check(raw) for _, _, check in VALID.values())


def _filled(values: Sequence[str]) -> list[str]:
    stripped = (value.strip().strip("\"'") for value in values)
    return [_whole(value) for value in stripped if value.lower() not in MISSING]


def _whole(value: str) -> str:
    """Return a whole number without the fraction or the exponent that storing it as a number gave it."""
    if _FLOAT.fullmatch(value):
        number = float(value)
        return str(int(number)) if number.is_integer() else value
    return value


def _fit(fits: str, values: list[str]) -> bool:
    if not values or (fits in _TELLING and len(values) >= 20 and len(set(values)) <= 3):
        return False
    share = sum(map(FITS[fits], values)) / len(values)
    if fits in ("people", "roles") and share < _SHARE[fits]:
        # Given names are from everywhere, and no list holds them all.
        known = fits == "roles" or share >= 0.03
        return known and sum(map(is_name_like, values)) >= MOST * len(values)
    return share >= _SHARE.get(fits, MOST)


def _by_values(values: list[str]) -> Identifying | None:
    """Judge by the values alone: formats with check digits, street addresses, people by their given names."""
    if len(values) < LEAST:
        return None
    encoded = [value.encode("utf-8", "replace") for value in values]
    for type_, (group, _, check) in VALID.items():
        if any(map(check, encoded[:8])) and sum(map(check, encoded)) >= 0.9 * len(values):
            return Identifying(type_, group)
    if national(encoded) is not None:
        return Identifying("national_id")
    if sum(_STREET.fullmatch(value) is not None for value in values) >= MOST * len(values):
        return Identifying("postal_address")
    people, strange = sum(map(_is_people, values)), sum(map(is_name_like, values))
    # Given names are from everywhere: some that are known, among pairs of words that are no words, tell the others.
    told = people >= 0.4 * len(values) or (people >= 0.1 * len(values) and strange >= MOST * len(values))
    return Identifying("person_name") if told and len(set(values)) > 3 else None
