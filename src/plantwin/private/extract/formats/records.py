"""Rows and columns: what the fields of a table are about, by their names together with the shape of their values."""

from __future__ import annotations

import re
from collections.abc import Sequence

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree, is_number, text_of
from plantwin.private.extract.formats.words import words

MAX_ROWS = 400
MAX_COLUMNS = 200
_SHAPE_ROWS = 60
_KEYED = 2
"""Among the first so many columns stands the key."""

_SPLIT = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

_PERSON = words(
    "email mail firstname lastname surname fullname givenname familyname middlename phone mobile telephone fax dob "
    "birthdate birthday dateofbirth ssn gender sex age nationality passport username patientname customername "
    "employeename contactname address street streetaddress homeaddress postcode zipcode zip postalcode salary "
    "maritalstatus ethnicity race religion nationalid taxid driverlicense employee manager linkedin occupation "
    "emailaddress phonenumber nickname placeofbirth spouse hiredate jobtitle "
    "vorname nachname familienname geburtsdatum geburtstag strasse anschrift telefon geschlecht prenom nomdefamille "
    "datenaissance adresse nombre apellido apellidos fechanacimiento correo telefono cognome codicefiscale voornaam "
    "achternaam personname legalname displayname attendee participant emergencycontact nextofkin bloodgroup"
)
_PERSON_NUMBERS = words("age ssn phone mobile zip zipcode postcode postalcode salary phonenumber telefon telefono plz")
_CALLED = words("name names person contact owner author guest member student who teacher driver player naam nom")
"""Columns that may hold people's names: what stands in them decides."""
_FULL_NAME = re.compile(
    r"[A-ZÀ-Þ][\w'’.-]{0,30},? (?:(?:[A-ZÀ-Þ]\.?|van|von|de|der|den|da|di|bin|al|la|le|el|del)"
    r" ){0,3}[A-ZÀ-Þ][\w'’-]{1,30}"
)
_PERSON_OWNERS = words("customer client patient employee user member person contact student author owner holder guest")
_HEALTH = words(
    "diagnosis diagnoses icd icd9 icd10 medication medications dosage dose bloodtype bloodpressure heartrate bmi "
    "allergy allergies symptom symptoms treatment mrn patient patientid prescription hba1c glucose cholesterol "
    "systolic diastolic admission discharge ward physician immunization vaccine disease condition pregnancy insulin "
    "hemoglobin creatinine medicalrecordnumber insuranceid cpt bloodglucose bodytemperature spo2"
)
_MONEY = words(
    "amount price total subtotal tax vat currency balance cost fee payment invoice quantity qty sku discount "
    "revenue iban accountnumber cardnumber card credit debit charge refund order orders orderid invoiceid paymentid "
    "transactionid unitprice totalprice amountcents grossamount netamount paid due profit sales budget merchant "
    "payout billing transaction product productid net gross netto brutto betrag preis summe menge waehrung ccy isin "
    "montant prix devise importe precio moneda cantidad prezzo bedrag rechnung rechnungsnummer units shares notional "
    "rate premium deposit withdrawal"
)
_GOODS = words(
    "currency sku iban invoice order orders orderid invoiceid paymentid transactionid merchant payment refund ccy "
    "transaction product productid accountnumber cardnumber billing payout isin waehrung rechnungsnummer"
)
"""Words that speak of money or goods also over text."""
_TIME = words(
    "date time timestamp datetime createdat updatedat deletedat created updated modified occurredat eventtime ts "
    "starttime endtime startdate enddate duedate day month year week hour epochms receivedat loggedat at t when "
    "datum zeit uhrzeit zeitpunkt fecha hora heure data tijd"
)
_CODE = words(
    "code key label type status category name country language locale region symbol abbreviation iso iso2 iso3 slug "
    "class kind level group state unit description title value alias meaning message definition rule mapping"
    " severity reason"
)

_SECRET_COLUMN = re.compile(
    r"^(?:password|passwort|pass|passwd|pwd|secret|api_?key|token|access_?key|pin|kennwort|psk)$"
)

_DATE = re.compile(
    r"\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?:[T ]\d{1,2}:\d{2}.{0,20})?|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}"
    r"|\d{2})(?: \d{1,2}:\d{2}.{0,12})?"
    r"|\d{1,4}[smhdw](?:\d{1,2}[smh])?|\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?|1[0-9]{9}(?:[0-9]{3})?|\d{1,2}[-"
    r" ][A-Za-z]{3}[- ]\d{2,4}|20\d{6}"
)
_EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s]{1,190}\.[A-Za-z]{2,24}")
_MONEY_VALUE = re.compile(
    r"[-+]?(?:[$€£¥]\s?|(?:USD|EUR|GBP|CHF) )?-?\d{1,3}(?:[,.' ]?\d{3}){0,5}(?:[.,]\d{1,4})?(?:\s?[$€£¥])?"
)
_NULLS = frozenset(
    {"", "null", "NULL", "None", "none", "NaN", "nan", "N/A", "n/a", "NA", "\\N", "-", "#N/A", "nil", "?"}
)


def _parts(name: str) -> list[str]:
    return [word.lower() for word in _SPLIT.findall(name[:80])]


def _named(parts: list[str], vocabulary: frozenset[str]) -> bool:
    """Whether the whole name, its last two words or one of its words is in a vocabulary."""
    return (
        "".join(parts) in vocabulary or "".join(parts[-2:]) in vocabulary or any(part in vocabulary for part in parts)
    )


def column_features(name: str, values: Sequence[str]) -> list[str]:
    """What one column is about."""
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
    """Whether most values are sentences."""
    return bool(values) and sum(value.count(" ") for value in values) * 2 >= len(values) * 11


def _names_people(name: str, values: list[str]) -> bool:
    """Whether a column called like one of names holds names of people."""
    filled = [value for value in values if value not in _NULLS]
    if not filled or not _CALLED.intersection(_parts(name)):
        return False
    return sum(1 for value in filled if _FULL_NAME.fullmatch(value[:80])) * 10 >= len(filled) * 6


def _amounts(parts: list[str], numeric: bool) -> bool:
    return numeric and _named(parts, _MONEY) and parts[-1] not in ("id", "at", "date")


def _monetary(parts: list[str], values: list[str], numeric: bool, otherwise: bool) -> bool:
    """A money word over values written as money, or over anything that is no number and means nothing else."""
    if not _named(parts, _MONEY):
        return False
    if not values or (not numeric and not otherwise and _named(parts, _GOODS)):
        return True
    return sum(1 for value in values if _MONEY_VALUE.fullmatch(value[:40])) * 10 >= len(values) * 8


def _key(parts: list[str], values: list[str]) -> bool:
    """An identifier is a number that measures nothing."""
    if parts and (parts[-1] in _KEYS or parts[0] in ("id", "nr")):
        return True
    if len(values) >= 3 and all(value.isdigit() for value in values) and len(set(values)) == len(values):
        numbers = [int(value[:18]) for value in values]
        if numbers[-1] - numbers[0] == len(numbers) - 1 or (not parts and numbers == sorted(numbers)):
            return True  # They count the rows.
    return not parts and len(set(values)) == len(values)


_KEYS = words("id key number no nr num uuid index idx code zip plz postcode port version")


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
    """The same for decoded records: nested fields count under their own names, one level down."""
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
