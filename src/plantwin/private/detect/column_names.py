"""What the header of a table or the name of a key says about the values below it."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from plantwin.private.detect.resolve import Candidate
from plantwin.private.facts import private

HEADERS: tuple[tuple[str, str, str, str], ...] = (
    ("password", "secret", "medium", r"pass(?:word|wd|phrase)?|pwd|secret|token|api_?key|private_?key"),
    ("date_of_birth", "personal", "high", r"dob|birth_?(?:date|day)|date_?of_?birth|geburtsdatum"),
    ("us_ssn", "personal", "high", r"ssn|social_?security(?:_?(?:no|number))?"),
    (
        "national_id",
        "personal",
        "high",
        r"national_?id|tax_?id|nhs_?(?:no|number)|passport(?:_?(?:no|number))?"
        r"|personnummer|cpf|aadhaar|bsn|pesel",
    ),
    ("payment_card", "personal", "high", r"(?:credit_?)?card_?(?:no|num|number)|cc_?(?:num|number)|pan"),
    ("iban", "personal", "high", r"iban|account_?(?:no|number)|bank_?account"),
    (
        "diagnosis",
        "personal",
        "medium",
        r"diagnos[ie]s|icd_?(?:9|10)?(?:_?code)?|blood_?type|allerg(?:y|ies)"
        r"|medications?|condition",
    ),
    (
        "medical_record_number",
        "personal",
        "high",
        r"mrn|medical_?record(?:_?(?:no|number))?|patient_?id|insurance_?"
        r"(?:no|number|id)",
    ),
    (
        "phone",
        "personal",
        "medium",
        r"(?:home_|work_|mobile_|cell_)?(?:phone|tel|telephone|mobile|cell|fax)(?:_?(?:no"
        r"|num|number))?",
    ),
    ("email", "personal", "medium", r"e_?mail(?:_?address)?"),
    (
        "person_name",
        "personal",
        "medium",
        r"(?:first|last|full|given|family|middle|sur|maiden|customer|patient"
        r"|employee|contact|client|holder|user)_?name|surname|name|vorname|nachname",
    ),
    (
        "postal_address",
        "personal",
        "medium",
        r"(?:home_|billing_|shipping_)?(?:street|address)(?:_?(?:line)?_?[12])?"
        r"|zip(?:_?code)?|post(?:al)?_?code",
    ),
    (
        "person_attribute",
        "personal",
        "low",
        r"gender|sex|ethnicity|race|religion|nationality|marital_?status|salary"
        r"|income",
    ),
)
_HEADERS = [(re.compile(words, re.I), type_, group, confidence) for type_, group, confidence, words in HEADERS]
_CELL = r'(?:"(?:[^"\n]|""){0,2000}"|[^"\n%s]{0,2000})'
MOST = 64


class Column(NamedTuple):
    """One sensitive column of a table."""

    place: int
    type: str
    group: str
    confidence: str


@private
class Table(NamedTuple):
    """The sensitive columns of a table and how to read its rows."""

    columns: tuple[Column, ...]
    row: re.Pattern[bytes]


def table(head: bytes) -> Table | None:
    """The table that a head begins, if its header names sensitive columns."""
    line, newline, _ = head.partition(b"\n")
    if not newline or len(line) > 4096:
        return None
    text = line.decode("utf-8", "replace").lstrip("\ufeff").strip()
    delimiter = max(",\t;|", key=text.count)
    names = [name.strip(" \"'").replace(" ", "_").replace("-", "_") for name in text.split(delimiter)]
    if not 2 <= len(names) <= 1000 or not all(re.fullmatch(r"[\w./#%()]{1,64}", name) for name in names):
        return None
    columns = []
    for index, name in enumerate(names[:MOST]):
        for pattern, type_, group, confidence in _HEADERS:
            if pattern.fullmatch(name):
                columns.append(Column(index, type_, group, confidence))
                break
    if not columns or all(column.confidence == "low" for column in columns):
        return None
    wanted = {column.place for column in columns}
    cell = _CELL % re.escape(delimiter)
    cells = [f"({cell})" if index in wanted else cell for index in range(max(wanted) + 1)]
    return Table(tuple(columns), re.compile(("^" + re.escape(delimiter).join(cells)).encode(), re.M))


def cells(data: bytes, found: Table, *, first: bool, rows: int) -> list[Candidate]:
    """A candidate for each filled cell of the sensitive columns; `first` when data begins with the header."""
    out: list[Candidate] = []
    start = data.find(b"\n") + 1
    for match in islice(found.row.finditer(data, start if first else 0), rows):
        for number, column in enumerate(found.columns, 1):
            begin, end = match.span(number)
            while begin < end and data[begin] in b" \"'":
                begin += 1
            while begin < end and data[end - 1] in b" \"'\r":
                end -= 1
            if end - begin > 1 and data[begin:end].lower() not in (b"null", b"none", b"n/a", b"nan"):
                out.append(Candidate(begin, end, column.type, column.group, column.confidence, True))
    return out


_LABEL = re.compile(r"[^\W\d][\w .,:/#%()\-\[\]?$&*+'°€£]{0,80}")


def likely_header(cells: list[str]) -> bool:
    """Whether a first row names columns: most cells are labels, and years or numbers stand for themselves once."""
    labels = sum(_LABEL.fullmatch(cell.strip()) is not None for cell in cells)
    filled = [cell.strip() for cell in cells if cell.strip()]
    if not filled or len(set(filled)) < len(filled) * 0.9 or any("@" in cell for cell in filled):
        return False
    named = sum(heading(cell) is not None for cell in filled)
    return (
        labels == len(filled)
        or named * 2 >= len(filled)
        or all(_PERIOD.fullmatch(cell) or _LABEL.fullmatch(cell) for cell in filled)
    )


_PERIOD = re.compile(r"(?:1[5-9]|20)\d\d(?:[-/ ]?(?:\d{2,4}|Q[1-4]|H[12]))?|\d{1,3}(?:st|nd|rd|th)?|Q[1-4][ -]?\d{4}")
"""A year, a quarter or a rank, as headers of wide tables have them."""


class Heading(NamedTuple):
    """What a column holds by its name."""

    type: str
    group: str
    confidence: str


_TAILED = frozenset(
    [
        "password",
        "us_ssn",
        "national_id",
        "payment_card",
        "iban",
        "phone",
        "email",
        "date_of_birth",
        "medical_record_number",
        "person_name",
    ]
)
"""Types that a name may end in, after words such as `customer` or `billing`."""
_PLAIN = frozenset(("name", "pan", "token", "secret", "pass", "account_number", "account_no"))
"""Words that mean something else after another word: `file_name`, `next_token`."""
_MORE: tuple[tuple[str, str, str, str], ...] = (
    (
        "password",
        "secret",
        "medium",
        r"(?:password|passwd|pwd|pin)_?(?:hash|digest|salt)|(?:access|refresh|auth|api|session)_token|client_secret"
        r"|access_key|secret_key|private_key|credentials?",
    ),
    (
        "national_id",
        "personal",
        "high",
        r"(?:tax|vat|fiscal)_?(?:no|number|code)|codice_fiscale|nif|nie|dni|curp|rfc|nin|sin|nric|hkid|tfn|insee"
        r"|steuer_?(?:id|nummer)|numero_?secu|citizen_?id|identity_?(?:no|number)|id_?card(?:_?(?:no|number))?",
    ),
    (
        "driver_license",
        "personal",
        "high",
        r"driv(?:er|ing)s?_?licen[cs]e(?:_?(?:no|number))?|licen[cs]e_?plate|dl_?number",
    ),
    (
        "health_insurance_number",
        "personal",
        "high",
        r"health_?(?:insurance|card)_?(?:no|number|id)|medicare(?:_?(?:no|number|id))?|medicaid_?id"
        r"|member_?(?:no|number)",
    ),
    ("card_security_code", "personal", "high", r"cvv2?|cvc|card_?security_?code"),
    (
        "bank_account",
        "personal",
        "high",
        r"routing_?(?:no|number)|sort_?code|bic|swift(?:_?code)?|kontonummer|clabe",
    ),
    (
        "person_name",
        "personal",
        "medium",
        r"(?:pre|nick|legal|display|mother|father|spouse)_?name|apellidos?|prenom|nom|cognome|nombre",
    ),
    (
        "postal_address",
        "personal",
        "medium",
        r"(?:residential|mailing|postal|delivery)_?address|adresse|direccion|strasse|street_?(?:name|number|address)",
    ),
    (
        "person_attribute",
        "personal",
        "medium",
        r"disabilit(?:y|ies)|sexual_?orientation|political_?(?:view|party)|trade_?union|caste|biometric",
    ),
    (
        "ipv4",
        "infrastructure",
        "medium",
        r"(?:client|remote|source|src|dest|dst|user|login|last)_?ip(?:_?address)?|ip(?:_?(?:address|addr))?|ipv4"
        r"|x_forwarded_for",
    ),
    ("mac_address", "infrastructure", "medium", r"mac(?:_?addr(?:ess)?)?"),
    ("location", "personal", "medium", r"lat(?:itude)?|lng|lon(?:gitude)?|geo(?:location|_?point)|gps"),
)
_HEADINGS = [
    (re.compile(words), Heading(type_, group, confidence)) for type_, group, confidence, words in (*HEADERS, *_MORE)
]
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@lru_cache(maxsize=2048)
def heading(name: str) -> Heading | None:
    """What a column of this name holds, if the name says so."""
    plain = re.sub(r"[\W_]{1,64}", "_", HUMP.sub("_", name[:64])).strip("_").lower()
    if not plain:
        return None
    for pattern, found in _HEADINGS:
        if pattern.fullmatch(plain):
            return found
    words = plain.split("_")
    for first in range(1, min(len(words), 5)):
        tail = "_".join(words[first:])
        if tail in _PLAIN:
            continue
        for pattern, found in _HEADINGS:
            if found.type in _TAILED and pattern.fullmatch(tail):
                return found
    return None


def plain_word(name: str) -> bool:
    """Whether a name is one that means something else in most places, such as `name` or `token`."""
    return name.strip().lower() in _PLAIN
