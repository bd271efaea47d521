# ruff: noqa: E501, SIM905 (one column, one row; lists of words)
"""Tables of invented people under many spellings of column names, to measure what redaction leaves.

Shapes follow what is common: a hospital's patients, records to be linked, payments, staff, contacts and web accounts.
Every value is drawn from small invented lists and random numbers.
"""

from __future__ import annotations

import csv
import io
import json
import random
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

GIVEN = (
    "Tadeusz Philippa Marisol Okonjo Ingeborg Caspian Delphine Rurik Anouk Thandiwe Emeka Saoirse Yevgenia Bartholomew "
    "Mireille Nnamdi Solveig Ximena Hiroko Dmitri Aoife Leocadia Evander Zofia Ruairi Milagros Torsten Oluwaseun Petra "
    "John Mary Anna Peter Laura"
).split()
FAMILY = (
    "Marlowe Brandtner Okafor Lindqvist Szymanski Abernathy Vasquez-Ruiz Thorvaldsen Nakagawa O'Rourke Delacroix Mbeki "
    "Petrosyan Villanueva Hargreaves Kowalczyk Fitzwilliam Ostrowski Baptiste Yamazaki Quintanilla Eriksdottir Novakova"
).split()
STREETS = "Tamarack Birchwood Larkspur Ottoline Harrow Quarry Foxglove Mill Juniper Castle".split()
KINDS = "Street Road Lane Avenue Close Way Court Drive Place Crescent".split()
CITIES = "Ellerby Stonemark Vintner Harwick Osterfeld Calloway Brisk Norham".split()


class Column(NamedTuple):
    """A column: the spellings of its name, how a value is made, and whether it identifies."""

    names: str
    make: Callable[[random.Random], object]
    identifies: bool = True


def _number(digits: int) -> Callable[[random.Random], str]:
    return lambda source: "".join([str(source.randint(1, 9)), *(str(source.randint(0, 9)) for _ in range(digits - 1))])


def _date(first: int, last: int, form: str = "{y}-{m:02d}-{d:02d}") -> Callable[[random.Random], str]:
    return lambda source: form.format(y=source.randint(first, last), m=source.randint(1, 12), d=source.randint(1, 28))


def _given(source: random.Random) -> str:
    return source.choice(GIVEN)


def _numbered(values: list[str]) -> Callable[[random.Random], str]:
    return lambda source: f"{source.choice(values)}{source.randint(1, 999)}"


def _lower(values: list[str]) -> Callable[[random.Random], str]:
    return lambda source: source.choice(values).lower()


def _full(source: random.Random) -> str:
    return f"{source.choice(GIVEN)} {source.choice(FAMILY)}"


def _street(source: random.Random) -> str:
    return f"{source.randint(1, 999)} {source.choice(STREETS)} {source.choice(KINDS)}"


def _email(source: random.Random) -> str:
    return f"{source.choice(GIVEN)}.{source.choice(FAMILY)}{source.randint(1, 99)}@example.org".lower().replace("'", "")


def _user(source: random.Random) -> str:
    return f"{source.choice(GIVEN)[:3]}{source.choice(FAMILY)[:5]}{source.randint(1, 99)}".lower().replace("'", "")


def _phone(source: random.Random) -> str:
    return f"555-{source.randint(200, 999)}-{source.randint(1000, 9999)}"


def _ssn(source: random.Random) -> str:
    return f"{source.randint(100, 665)}-{source.randint(10, 99)}-{source.randint(1000, 9999)}"


def _licence(source: random.Random) -> str:
    return f"S999{source.randint(10000, 99999)}"


def _uuid(source: random.Random) -> str:
    text = f"{source.getrandbits(128):032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def _one(*values: str) -> Callable[[random.Random], str]:
    return lambda source: source.choice(values)


def _real(low: float, high: float, digits: int = 6) -> Callable[[random.Random], str]:
    return lambda source: f"{source.uniform(low, high):.{digits}f}"


TABLES: dict[str, tuple[Column, ...]] = {
    "patients": (
        Column("Id|ID|record", _uuid, False),
        Column("BIRTHDATE|BirthDate|birth_date|DOB|date_of_birth", _date(1930, 2015)),
        Column("DEATHDATE|death_date|date_of_death", _date(2000, 2020)),
        Column("SSN|ssn|SocialSecurityNumber|social_security_no|soc_sec_id", _ssn),
        Column("DRIVERS|drivers|driver_license|DriversLicenseNo|dl_number", _licence),
        Column("PASSPORT|passport_no|PassportNumber|passport", lambda source: f"X{source.randint(10**7, 10**8)}X"),
        Column("FIRST|first|FirstName|fname|given_name", _numbered(GIVEN)),
        Column("LAST|last|LastName|lname|surname", _numbered(FAMILY)),
        Column("MAIDEN|maiden|maiden_name", _numbered(FAMILY)),
        Column("MARITAL|marital_status|MaritalStatus", _one("M", "S")),
        Column("RACE|race", _one("white", "black", "asian", "other")),
        Column("GENDER|gender|Sex|sex", _one("M", "F")),
        Column("BIRTHPLACE|birth_place|place_of_birth", _one(*CITIES)),
        Column("ADDRESS|address|street_address|Address1|addr", _street),
        Column("CITY|city|Town", _one(*CITIES)),
        Column("ZIP|zip_code|PostalCode|postcode", _number(5)),
        Column("LAT|lat|latitude", _real(41, 43, 14)),
        Column("LON|lon|longitude|lng", _real(-73, -70, 14)),
        Column("HEALTHCARE_EXPENSES|expenses|total_cost", _real(100, 900000, 2), False),
        Column("VISITS|visits|encounters", lambda source: source.randint(0, 90), False),
    ),
    "linkage": (
        Column("rec_id|record_id|row_id", lambda source: f"rec-{source.randint(0, 9999)}-org", False),
        Column("given_name|givenname|first_nm|forename", _lower(GIVEN)),
        Column("surname|last_nm|family_name|Surname", _lower(FAMILY)),
        Column("street_number|street_no|house_number", lambda source: source.randint(1, 300)),
        Column("address_1|address1|addr_line_1|street", lambda source: f"{source.choice(STREETS)} {source.choice(KINDS)}".lower()),
        Column("address_2|address2|addr_line_2", lambda source: f"{source.choice(STREETS)} park".lower()),
        Column("suburb|Suburb|town", _lower(CITIES)),
        Column("postcode|post_code|postal_code|zip", _number(4)),
        Column("state|State", _one("nsw", "vic", "qld"), False),
        Column("date_of_birth|dob|birthdate|DateOfBirth", _date(1900, 1999, "{y}{m:02d}{d:02d}")),
        Column("soc_sec_id|soc_sec_no|social_sec_id|ssn", _number(7)),
        Column("phone_number|phone|tel_no|PhoneNo", lambda source: f"0{source.randint(1, 9)} {source.randint(10**7, 10**8 - 1)}"),
        Column("blocking_number|block", lambda source: source.randint(0, 9), False),
    ),
    "payments": (
        Column("TransactionID|transaction_id|txn", lambda source: source.randint(1, 10**6), False),
        Column("CardHolderName|cardholder|card_holder|name_on_card|cc_name", _full),
        Column("CardNumber|card_no|credit_card_number|cc_num|PAN", _number(16)),
        Column("CVV|cvv|cvv2|CVC|card_verification_value|security_code", _number(3)),
        Column("ExpiryDate|exp_date|cc_exp|expiration", lambda source: f"{source.randint(1, 12):02d}/{source.randint(26, 31)}"),
        Column("IBAN|iban|bank_account|account_number|AcctNo", lambda source: f"GB{source.randint(10, 99)}ABCD{source.randint(10**13, 10**14)}"),
        Column("BillingAddress|billing_address|bill_to_address|BillingStreet", _street),
        Column("email|Email|EmailAddress|e-mail|customer_email", _email),
        Column("ip|IPAddress|client_ip", lambda source: f"203.0.113.{source.randint(1, 254)}"),
        Column("PIN|card_pin|pin_code", _number(4)),
        Column("Amount|amount|total", _real(1, 500, 2), False),
        Column("Currency|currency", _one("EUR", "USD", "GBP"), False),
        Column("CardType|card_type|network", _one("Visa", "Mastercard"), False),
        Column("Status|status", _one("settled", "refused", "pending"), False),
    ),
    "staff": (
        Column("EmpID|employee_id|EmployeeNumber|staff_no", lambda source: f"E{source.randint(1000, 9999)}"),
        Column("Name|FullName|employee_name|EmpName", _full),
        Column("Manager|supervisor|manager_name", _full),
        Column("WorkEmail|email_address|mail", _email),
        Column("MobilePhone|cell|mobile_no|Telephone", _phone),
        Column("HomeAddress|home_address|residential_address", _street),
        Column("NationalInsuranceNo|national_id|nino|tax_id", lambda source: f"QQ{source.randint(100000, 999999)}C"),
        Column("Salary|salary|income", lambda source: source.randint(20000, 150000)),
        Column("Department|department|unit", _one("Sales", "Research", "Logistics"), False),
        Column("HireDate|hired_on|start_date", _date(2005, 2024), False),
    ),
    "accounts": (
        Column("id|ID", lambda source: source.randint(1, 99999), False),
        Column("username|user_name|login|handle|screen_name", _user),
        Column("password_hash|passwd|pwd|password", lambda source: f"$2b$12${source.getrandbits(128):032x}"),
        Column("api_token|access_token|api_key|secret", lambda source: f"{source.getrandbits(160):040x}"),
        Column("last_ip|remote_addr|ip_address", lambda source: f"198.51.100.{source.randint(1, 254)}"),
        Column("device_id|advertising_id|idfa", _uuid),
        Column("birthday|dob|year_of_birth", _date(1950, 2005)),
        Column("plan|Plan", _one("free", "pro"), False),
        Column("created_at|created", _date(2015, 2024), False),
        Column("logins|visits", lambda source: source.randint(0, 5000), False),
    ),
}  # fmt: skip
NOTES = (
    "called {name} about the delivery yesterday",
    "please ask {name} to send the signed form again",
    "no answer so far",
)


class Made(NamedTuple):
    """A table with what must not be left of it and what should be."""

    name: str
    header: list[str]
    rows: list[list[str]]
    hidden: list[int]
    """Places of identifying columns."""


def tables(seed: int = 1, rows: int = 300, spellings: int = 5) -> list[Made]:
    """Every table under each of its spellings, with a column of notes that name people."""
    source = random.Random(seed)
    made = []
    for name, columns in TABLES.items():
        for turn in range(spellings):
            spelled = [column.names.split("|") for column in columns]
            header = [names[turn % len(names)] for names in spelled]
            held = [[str(column.make(source)) for column in columns] for _ in range(rows)]
            naming = next((at for at, column in enumerate(columns) if column.make in (_full, _user)), None)
            for row in held:
                text = source.choice(NOTES)
                row.append(text.format(name=row[naming] if naming is not None else "them"))
            hidden = [at for at, column in enumerate(columns) if column.identifies]
            made.append(Made(f"{name}-{turn}", [*header, "notes"], held, hidden))
    return made


def as_csv(table: Made, delimiter: str = ",") -> bytes:
    """The table as delimited text."""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows([table.header, *table.rows])
    return out.getvalue().encode()


def as_json_lines(table: Made) -> bytes:
    """One JSON object to a line, with numbers as numbers."""
    lines = []
    for row in table.rows:
        cells = [
            float(cell) if cell.replace(".", "", 1).replace("-", "", 1).isdigit() and cell[0] != "0" else cell
            for cell in row
        ]
        lines.append(json.dumps(dict(zip(table.header, cells, strict=True))))
    return ("\n".join(lines) + "\n").encode()


def as_database(table: Made, path: Path) -> None:
    """An SQLite file with types and constraints."""
    columns = ", ".join(
        f'"{name}" {"REAL" if all(_numeric(row[at]) for row in table.rows) else "TEXT NOT NULL"}'
        for at, name in enumerate(table.header)
    )
    with sqlite3.connect(path) as connection:
        connection.execute(f"CREATE TABLE people ({columns})")
        connection.executemany(f"INSERT INTO people VALUES ({', '.join('?' * len(table.header))})", table.rows)
    connection.close()


def _numeric(text: str) -> bool:
    return text.replace(".", "", 1).replace("-", "", 1).isdigit()


def as_workbook(table: Made) -> bytes:
    """A workbook of one sheet with shared strings."""
    strings: dict[str, int] = {}
    lines = []
    for number, row in enumerate([table.header, *table.rows], 1):
        cells = "".join(
            f'<c r="{_letters(at)}{number}" t="s"><v>{strings.setdefault(text, len(strings))}</v></c>'
            for at, text in enumerate(row)
        )
        lines.append(f'<row r="{number}">{cells}</row>')
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    escaped = [text.replace("&", "&amp;").replace("<", "&lt;") for text in strings]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(
            "xl/workbook.xml", f'<workbook {space}><sheets><sheet name="People" sheetId="1"/></sheets></workbook>'
        )
        archive.writestr(
            "xl/worksheets/sheet1.xml", f"<worksheet {space}><sheetData>{''.join(lines)}</sheetData></worksheet>"
        )
        items = "".join(f"<si><t>{text}</t></si>" for text in escaped)
        archive.writestr("xl/sharedStrings.xml", f"<sst {space}>{items}</sst>")
    return out.getvalue()


def _letters(at: int) -> str:
    return chr(65 + at) if at < 26 else chr(64 + at // 26) + chr(65 + at % 26)
