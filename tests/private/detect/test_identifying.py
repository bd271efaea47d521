"""Columns judged as columns, and copies of tables, databases and workbooks in which none of their values is left."""

from __future__ import annotations

import io
import json
import sqlite3
import tomllib
import zipfile
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.capabilities.people_tables import Made, as_csv, as_workbook, tables
from benchmarks.capabilities.redact_document import FORMS, redacted, rows_of
from plantwin.errors import InputError
from plantwin.private.capabilities.redact_document import Copier, Copy, kind_of, refusal
from plantwin.private.detect import detector, identifying
from plantwin.private.detect.names import likely_header
from plantwin.private.detect.redaction import Redaction, Restoration
from plantwin.private.detect.second_look import Left
from plantwin.private.detect.structured import redaction_blocks
from tables import cases, value_of

ROWS = tomllib.loads(Path(identifying.__file__).with_name("identifying.toml").read_text("utf-8"))["column"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['type']}-{row['fits']}")
def test_names_match_their_rows(row: dict[str, list[str]]) -> None:
    (pattern,) = [each.pattern for at, each in enumerate(identifying.rows()) if ROWS[at] is row]
    for name in row["examples"]:
        assert pattern.search(identifying.normal(name)), name
    for name in row["counterexamples"]:
        assert not pattern.search(identifying.normal(name)), name


@pytest.mark.parametrize("form", FORMS)
def test_no_value_of_an_identifying_column_is_left(form: str) -> None:
    for table in tables(rows=12, spellings=5):
        copy, again = redacted(form, table)
        assert again == 0, table.name
        for before, after in zip(table.rows, rows_of(form, copy, table.header), strict=True):
            assert not [
                table.header[at] for at in table.hidden if before[at] in (after[at], after[at].removesuffix(".0"))
            ]


@cases("name", "values")
def test_columns_that_identify_nobody_stay(name: str, values: list[str]) -> None:
    assert identifying.identifying([(name, values)]) == [None]


def test_a_header_with_years_in_it_is_a_header() -> None:
    assert likely_header(["country", "1990", "1991", "2019-20"])
    assert likely_header(["State", "Q1 2020", "Q2 2020"])
    assert not likely_header(["ann@example.org", "7", "1990"])
    assert not likely_header(["12.5", "13.1", "7.25"])


def test_json_stays_json_and_comes_back_to_the_byte() -> None:
    data = b'{"ssn": 123456789, "lat": 41.25, "city": "Ely", "n": 1, "note": "for 123456789"}\n' * 3
    redaction = Redaction()
    out = b"".join(redaction.run(redaction_blocks(detector(), [data], "people.jsonl")))
    assert json.loads(out.splitlines()[0])["ssn"].startswith("<US_SSN") and b"123456789," not in out
    assert b"".join(Restoration(redaction.map()).run([out])) == data


def test_rows_with_too_many_cells_leak_nothing() -> None:
    data = b"id,first_name,address,amount\n1,Tadeusz,1 Mill Lane,3\n2,Philippa,2 Mill Lane, Ely,4\n"
    out = b"".join(Redaction().run(redaction_blocks(detector(), [data], "a.csv")))
    assert b"Ely" not in out and b"Mill" not in out and out.startswith(b"id,first_name,address,amount\n1,")


@cases("name", "text", "values")
def test_no_value_is_left_whatever_the_layout(name: str, text: str, values: list[str]) -> None:
    copier = Copier(detector())
    (copy,) = copier.finished([copier.copy(text.encode(), name, False)])
    assert not [value for value in values if value in copy.data.decode()], copy.data
    assert copy.left.sure == 0


@cases("name", "text", "what")
def test_what_may_be_a_value_is_said(name: str, text: str, what: str) -> None:
    copier = Copier(detector())
    (copy,) = copier.finished([copier.copy(text.encode(), name, False)])
    assert what in copy.left.unsure, (copy.data, copy.left)


@cases("name", "text")
def test_what_tells_nobody_stays(name: str, text: str) -> None:
    copier = Copier(detector())
    (copy,) = copier.finished([copier.copy(text.encode(), name, False)])
    assert copy.data == text.encode()
    assert copy.left == Left(0, {})


def test_a_short_number_of_a_table_without_names_is_said_to_be_uncertain() -> None:
    rows = [f"{'Ingeborg' if at % 2 else 'Petra'},417-33-902{at},41{at}\n" for at in range(9)]
    copier = Copier(detector())
    (copy,) = copier.finished([copier.copy("".join(rows).encode(), "a.csv", False)])
    assert "a short number beside hidden values" in copy.left.unsure, copy.data


LOG = value_of(__file__, "log")


def test_attempted_user_names_in_an_sshd_log_go() -> None:
    copier = Copier(detector())
    (copy,) = copier.finished([copier.copy(LOG.encode(), "auth.log", False)])
    for name in (b"webmaster", b"tkoenig", b"pmarlowe", b"oruiz", b"jmoreau", b"hlindqvist", b"bokafor", b"5f4dcc3b"):
        assert name not in copy.data
    assert b"Failed password for invalid user <USERNAME" in copy.data


def test_a_database_keeps_its_types_and_constraints(tmp_path: Path) -> None:
    source = tmp_path / "people.db"
    with sqlite3.connect(source) as connection:
        connection.executescript(
            "CREATE TABLE people (ssn INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT UNIQUE,"
            " phone TEXT CHECK (length(phone) = 10),"
            " gender TEXT NOT NULL CHECK (gender IN ('M', 'F')), lat REAL, n INT);"
            "CREATE TABLE visits (person INTEGER REFERENCES people (ssn), note TEXT);"
            "CREATE TRIGGER touched AFTER UPDATE ON people BEGIN DELETE FROM visits; END;"
        )
        connection.executemany(
            "INSERT INTO people VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (900100200 + at, f"Tadeusz{at}", f"Okonjo{at}", f"55512300{at:02d}", "MF"[at % 2], 41.5 + at, at)
                for at in range(9)
            ],
        )
        connection.execute("INSERT INTO visits VALUES (900100203, 'Okonjo3 came, write to tad@example.org')")
    connection.close()
    copy = Copier(detector()).binary("sqlite", source.read_bytes(), "people.db")
    assert copy.left.sure == 0
    for value in (b"Tadeusz", b"Okonjo", b"9001002", b"55512300", b"tad@example"):
        assert value not in copy.data
    made = sqlite3.connect(":memory:")
    made.deserialize(copy.data)
    made.execute("PRAGMA foreign_keys=ON")
    assert made.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert made.execute("SELECT count(*) FROM visits JOIN people ON person = ssn").fetchone() == (1,)
    assert made.execute("SELECT count(DISTINCT ssn), typeof(ssn), typeof(lat), sum(n) FROM people").fetchone()[1:] == (
        "integer",
        "real",
        36,
    )
    assert made.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall() == [("touched",)]


def test_a_workbook_without_values_in_its_shared_strings() -> None:
    table = Made("t", ["name", "n"], [["Anna Marlowe", "1"], ["Peter Okafor", "2"], ["Laura Brandtner", "3"]] * 3, [0])
    copy = Copier(detector()).binary("workbook", as_workbook(table), "a.xlsx")
    assert copy.left.sure == 0 and kind_of(copy.data) == "workbook"
    assert [row[1] for row in rows_of("xlsx", copy.data, table.header)] == ["1", "2", "3"] * 3


@pytest.mark.parametrize(
    ("data", "advice"),
    [
        (b"%PDF-1.7\n", "pdftotext"),
        (b"PK\x05\x06" + b"\0" * 18, "unpack"),
        (b"\x1f\x8b\x08\0", "unpack"),
        (b"\0" * 257 + b"ustar\0", "unpack"),
        (b"PAR1", "CSV"),
    ],
)
def test_what_cannot_be_rewritten_is_refused_with_a_next_step(data: bytes, advice: str) -> None:
    assert advice in refusal(data)
    assert refusal(b"text") == "" and refusal(as_workbook(Made("t", ["a"], [["b"]], []))) == ""
    with pytest.raises(InputError):
        Copier(detector()).binary("workbook", b"PK\x03\x04broken", "a.xlsx")


def test_the_same_table_in_wide_characters() -> None:
    table = tables(rows=5, spellings=1)[0]
    data = as_csv(table).decode().encode("utf-16")
    redaction = Redaction()
    out = b"".join(redaction.run(redaction_blocks(detector(), [data], "a.csv")))
    assert not [
        value
        for row in table.rows
        for at in table.hidden
        if len(value := row[at]) > 5 and value in out.decode("utf-16")
    ]
    assert b"".join(Restoration(redaction.map()).run([out])) == data


MAIL = "a.meinhard@brightwater.io"


@pytest.mark.parametrize(
    "schema",
    [
        "CREATE TABLE p(email TEXT NOT NULL CHECK(email LIKE '%@brightwater.io'))",
        "CREATE TABLE p(email TEXT);CREATE VIRTUAL TABLE f USING fts5(body, content='');"
        f"INSERT INTO f(rowid, body) VALUES (1, '{MAIL}')",
        "CREATE TABLE p(email TEXT);CREATE VIRTUAL TABLE f USING fts5(body, content='');"
        f"CREATE TABLE f_content(note TEXT);INSERT INTO f_content VALUES ('{MAIL}')",
    ],
    ids=["a constraint that only real values meet", "an index without its texts", "a table named as a shadow"],
)
def test_a_database_that_would_keep_a_value_is_refused(schema: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        _database_copy(tmp_path, schema)


def test_a_value_in_the_schema_of_a_database_is_counted_as_left(tmp_path: Path) -> None:
    assert _database_copy(tmp_path, f"CREATE TABLE p(email TEXT DEFAULT '{MAIL}')").left.sure == 1


def _database_copy(folder: Path, schema: str) -> Copy:
    with closing(sqlite3.connect(folder / "a.db")) as connection:
        connection.executescript(schema + f";INSERT INTO p VALUES ('{MAIL}'), ('{MAIL}');")
    return Copier(detector()).binary("sqlite", (folder / "a.db").read_bytes(), "a.db")


LINK = '<Relationships><Relationship Id="r1" {}/></Relationships>'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("xl/worksheets/_rels/sheet1.xml.rels", LINK.format(f'Target="mailto:{MAIL}" TargetMode="External"')),
        ("xl/worksheets/_rels/sheet1.xml.rels", LINK.format(f'TargetMode="External" Target="mailto:{MAIL}"')),
        ("xl/worksheets/_rels/sheet1.xml.rels", LINK.format(f'Target="https://x.io/?q={MAIL}" TargetMode="External"')),
        ("xl/persons/person.xml", f'<personList><person displayName="Ada Meinhard" userId="{MAIL}"/></personList>'),
        ("xl/worksheets/more.xml", f'<worksheet><hyperlink ref="A1" display="{MAIL}"/></worksheet>'),
        ("docProps/custom.xml", f"<Properties><property><lpwstr>{MAIL}</lpwstr></property></Properties>"),
    ],
)
def test_a_workbook_keeps_no_value_outside_of_its_cells(name: str, text: str) -> None:
    copy = Copier(detector()).binary("workbook", _workbook_with(name, text.encode()), "a.xlsx")
    with zipfile.ZipFile(io.BytesIO(copy.data)) as archive:
        part = archive.read(name)
    assert b"einhard" not in part
    ElementTree.fromstring(part)


@pytest.mark.parametrize(
    "text", ["<a><![CDATA[x]]></a>", "<a><c r='A1'/></a>", " " * 3000 + "<!DOCTYPE a>", "<a>x</a>".encode("utf-16")]
)
def test_a_workbook_written_so_that_its_values_are_not_seen_is_refused(text: str | bytes) -> None:
    data = _workbook_with("xl/worksheets/sheet9.xml", text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError):
        Copier(detector()).binary("workbook", data, "a.xlsx")


def _workbook_with(name: str, part: bytes) -> bytes:
    out = io.BytesIO(as_workbook(Made("t", ["name", "n"], [["Anna Marlowe", "1"]] * 3, [0])))
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr(name, part)
    return out.getvalue()
