"""Structured files are read as structure: one finding for each sensitive column."""

from __future__ import annotations

import json
import os
import re
import time
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plantwin.private.config import load
from plantwin.private.detect import ColumnFinding, Detector, detector, sensitivity
from plantwin.private.detect.compiled import build
from plantwin.private.detect.names import heading
from plantwin.private.detect.national_ids import uk_nhs
from plantwin.private.detect.rules import Rule, parse
from plantwin.vocabulary import Kind, Sensitivity, SensitivityCause
from tables import cases

TOKENS = ["ghp_" + "Zq8tX2eM5wCjUgRyLf0O7aKb3SdHn1Pi9Ev" + str(number) for number in range(9)]
CARDS = [
    "4111111111111111",
    "5500005555555559",
    "4012888888881881",
    "5105105105105100",
    "4222222222222",
    "378282246310005",
]


def told(found: Detector, text: str, path: str) -> dict[str, tuple[str, str, str, str]]:
    return {
        each.column: (each.type, each.confidence, each.amount, each.by) for each in found.columns(text.encode(), path)
    }


def test_a_column_by_its_name_by_its_values_and_by_both(found: Detector) -> None:
    rows = "".join(f"{number},x{number}@granite-hill.org,{CARDS[number % 6]},Ulm\n" for number in range(12))
    text = "id,customerEmail,col7,town\n" + rows
    assert told(found, text, "a.csv") == {
        "customerEmail": ("email", "high", "many", "both"),
        "col7": ("payment_card", "high", "many", "values"),
    }
    first = found.columns(text.encode(), "a.csv")[0]
    assert text[first.start : first.end] == "customerEmail"
    assert first.filled == 12
    assert "granite" not in repr(first)


@pytest.mark.parametrize(("count", "amount"), [(1, "one"), (2, "few"), (9, "few"), (10, "many")])
def test_amounts(found: Detector, count: int, amount: str) -> None:
    text = "id\tssn\n" + "1\t219-09-9999\n" * count
    assert told(found, text, "a.tsv")["ssn"][2] == amount


def test_a_name_alone_is_believed_less_where_no_value_fits(found: Detector) -> None:
    assert told(found, "id,pan\n1,frying\n2,roasting\n3,baking\n", "a.csv")["pan"][1] == "low"
    assert told(found, "id,iban\n1,DE89370400440532013000\n", "a.csv")["iban"][1] == "high"


def test_few_or_invalid_values_without_a_name_tell_nothing(found: Detector) -> None:
    assert told(found, "id,col\n1,4111111111111111\n2,4012888888881881\n", "a.csv") == {}
    wrong = "".join(f"{number},411111111111111{number}\n" for number in range(2, 10))
    assert told(found, "id,col\n" + wrong, "a.csv") == {}


def test_national_ids_by_one_countrys_check_digits(found: Detector) -> None:
    valid = [number for number in range(4_505_577_000, 4_505_578_000) if uk_nhs(str(number).encode())][::5]
    text = "id,ref\n" + "".join(f"x,{number}\n" for number in valid)
    assert told(found, text, "a.csv")["ref"] == ("national_id", "high", "many", "values")
    dni = "".join(
        f"{number},{number}{'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}\n" for number in range(10_000_001, 10_000_010)
    )
    assert told(found, "id,ref\n" + dni, "a.csv")["ref"] == ("national_id", "high", "few", "values")


def test_a_table_without_a_header_names_columns_by_number(found: Detector) -> None:
    text = "".join(f"{number};x{number}@granite-hill.org\n" for number in range(6))
    assert told(found, text, "a.csv") == {"column 2": ("email", "high", "few", "values")}


def test_quoted_cells_with_delimiters_and_line_breaks(found: Detector) -> None:
    text = 'id,"full name",note\n1,"Brandt, Mara","a\nb"\n2,"Neil, Jo",c\n'
    assert told(found, text, "a.csv") == {"full name": ("person_name", "medium", "few", "name")}


def test_keys_of_json_and_of_lines_of_json(found: Detector) -> None:
    rows = [
        {"user": {"phoneNumber": f"+49 30 9018 {number + 1000}"}, "key": TOKENS[number], "n": 1} for number in range(9)
    ]
    expected = {
        "phoneNumber": ("phone", "high", "few", "both"),
        "key": ("github_token", "medium", "few", "values"),
    }
    for text, path in ((json.dumps(rows, indent=1), "a.json"), ("\n".join(map(json.dumps, rows)), "a.jsonl")):
        kinds = told(found, text, path)
        assert kinds["phoneNumber"] == expected["phoneNumber"]
        assert kinds["key"][0] == "github_token"
        assert set(kinds) == set(expected)


def test_dumps_by_list_by_definition_and_by_copy(found: Detector) -> None:
    text = (
        "CREATE TABLE `people` (\n `id` int(11) NOT NULL,\n `full_name` varchar(20) DEFAULT 'a,b',\n `dob` date,\n"
        " PRIMARY KEY (`id`)\n);\n"
        "INSERT INTO `people` VALUES (1,'Brandt, (Mara)','1984-03-17'),(2,'Jo O\\'Neil','1990-01-02');\n"
        'INSERT INTO users (email, "pwd_hash") VALUES'
        " ('a.b@granite-hill.org', 'x''y'), ('c@granite-hill.org', NULL);\n"
        "COPY public.cards (id, pan, holder) FROM stdin;\n"
        "1\t4111111111111111\tA\n2\t5500005555555559\t\\N\n\\.\nSELECT 1;\n"
    )
    assert told(found, text, "a.sql") == {
        "people.full_name": ("person_name", "medium", "few", "name"),
        "people.dob": ("date_of_birth", "high", "few", "both"),
        "users.email": ("email", "high", "few", "both"),
        "users.pwd_hash": ("password", "medium", "one", "name"),
        "cards.pan": ("payment_card", "high", "few", "both"),
    }


def test_outputs_of_notebooks(found: Detector) -> None:
    page = (
        "<table><thead><tr><th></th><th>ssn</th><th>town</th></tr></thead>"
        "<tbody><tr><th>0</th><td>219-09-9999</td><td>Ulm</td></tr></tbody></table>"
    )
    printed = "   email                 amount\n0  a.b@granite-hill.org  3\n1  c@granite-hill.org    4\n"
    cells = [
        {"outputs": [{"data": {"text/html": [page]}}, {"text": [printed]}, "odd", {"data": 3}]},
        {"outputs": None},
        7,
    ]
    assert told(found, json.dumps({"cells": cells}), "a.ipynb") == {
        "output 1: ssn": ("us_ssn", "high", "one", "name"),
        "output 1: email": ("email", "high", "few", "both"),
    }


def test_wide_text(found: Detector) -> None:
    data = "\ufeffid,ssn\n1,219-09-9999\n".encode("utf-16-le")
    assert [(each.column, each.start, each.end) for each in found.columns(data, "a.csv")] == [("ssn", 8, 14)]


@cases("name", "type_")
def test_headings(name: str, type_: str) -> None:
    found = heading(name)
    assert (found.type if found else "") == type_


def test_columns_count_for_sensitivity_without_a_telling_name(found: Detector) -> None:
    text = "id,col7\n" + "".join(f"{number},{card}\n" for number, card in enumerate(CARDS * 2))
    for data in (text.encode(), text.encode() + b"1,x\n" * 400_000):
        level, causes = sensitivity(found.survey(data, path="a.csv"), Kind.STRUCTURED_RECORD)
        assert (level, causes) == (Sensitivity.HIGH, (SensitivityCause.FINANCIAL,))


@pytest.mark.parametrize("path", ["a.csv", "a.json", "a.sql", "a.ipynb", "a", "a.tsv"])
def test_hostile_input_ends_soon(found: Detector, path: str) -> None:
    began = time.process_time()
    for data in (
        b"",
        b"\n",
        os.urandom(100_000),
        b"\0" * 100_000,
        b'"' * 300_000,
        b'"a":' * 100_000,
        b"[" * 300_000,
        b"INSERT INTO t VALUES (" * 20_000,
        b"INSERT INTO t (a) VALUES ('" + b"\\'" * 100_000,
        b"CREATE TABLE t (" + b"(" * 100_000,
        b"COPY t (a) FROM stdin;\n" * 5_000,
        b"a,b\n" + b'"' * 200_000,
        b"," * 300_000,
        b"<th " * 50_000,
    ):
        assert all(isinstance(each, ColumnFinding) for each in found.columns(data, path))
    assert time.process_time() - began < 20


@given(
    st.lists(st.lists(st.text("0123456789ABXZ-+ .:@/x\u0660\xe9", max_size=20), min_size=3, max_size=3), min_size=1),
    st.sampled_from(["a.csv", "a.tsv", "a.json", "a.sql"]),
)
def test_whatever_stands_in_the_cells(rows: list[list[str]], path: str) -> None:
    text = "id,ssn,ref\n" + "\n".join(map(",".join, rows * 3))
    for each in detector().columns(text.encode(), path):
        assert each.filled > 0 and each.amount in ("one", "few", "many")


# How sensitive an object is, and that the page on detection tells what the code does

SECRET = ("github_token", "secret", "high", 1)
MAYBE = ("password", "secret", "medium", 1)
WEAK = ("password", "secret", "low", 3)
MAIL = ("email", "personal", "medium", 1)
MAILS = ("email", "personal", "medium", 3)
CARD = ("payment_card", "personal", "medium", 1)
HOST = ("internal_host", "infrastructure", "medium", 1)


@pytest.mark.parametrize(
    ("summary", "kind", "level", "causes"),
    [
        ((), "code_file", "low", ()),
        ((), "secret_container", "high", ("credential",)),
        ((SECRET,), "code_file", "high", ("credential",)),
        ((MAYBE,), "code_file", "restricted", ("credential",)),
        ((MAYBE,), "config", "high", ("credential",)),
        ((WEAK,), "config", "restricted", ("credential",)),
        ((MAIL,), "code_file", "low", ()),
        ((MAILS,), "code_file", "restricted", ("personal",)),
        ((MAIL,), "structured_record", "restricted", ("personal",)),
        ((CARD,), "log_stream", "high", ("financial",)),
        ((("diagnosis", "personal", "medium", 2),), "structured_record", "high", ("health",)),
        ((("us_ssn", "personal", "high", 1),), "document", "high", ("personal",)),
        ((HOST,), "config", "low", ()),
        ((HOST,), "log_stream", "restricted", ("infrastructure",)),
        ((("person_name", "personal", "low", 50),), "document", "low", ()),
        ((("ticket_id", "identifier", "medium", 50),), "document", "low", ()),
        ((CARD, HOST, MAIL, SECRET), "log_stream", "high", ("credential", "personal", "financial", "infrastructure")),
    ],
)
def test_rule(summary: tuple[tuple[str, str, str, int], ...], kind: str, level: str, causes: tuple[str, ...]) -> None:
    assert sensitivity(summary, kind) == (level, causes)


PAGE = (Path(__file__).parents[3] / "docs" / "detection.md").read_text("utf-8")
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE, re.S)


def test_the_rule_on_the_page_runs() -> None:
    (text,) = (block for block in BLOCKS if "[[rule]]" in block)
    (rule,) = parse(text)
    found = Detector(build((rule,)))
    assert [each.type for each in found.scan(b"badge BDG-123456 issued")] == ["acme_badge"]
    assert found.scan(b"BDG-12") == []


def test_the_configuration_on_the_page_is_valid(tmp_path: Path) -> None:
    (text,) = (block for block in BLOCKS if "[detect]" in block)
    assert set(tomllib.loads(text)["detect"]) == {"rules", "disable", "allow"}
    (tmp_path / "config.toml").write_text(text)
    (rule,) = (block for block in BLOCKS if "[[rule]]" in block)
    (tmp_path / "my-rules.toml").write_text(rule)
    assert [each.type for each in load(folder=tmp_path).rules] == ["acme_badge"]


def test_every_field_of_a_rule_is_on_the_page() -> None:
    shown = {*re.findall(r"`([a-z_]+)`", PAGE), *re.findall(r"^([a-z]+) = ", PAGE, re.M)}
    internal = {"handler", "anchor", "example_path", "origin"}
    assert set(Rule.__struct_fields__) - internal <= shown


@pytest.mark.parametrize("line", re.findall(r"^.*plantwin: allow.*$", PAGE, re.M))
def test_the_comments_on_the_page_are_comments(line: str) -> None:
    text = f"{line}\nmail mara.brandt@granite-hill.org ghp_{'Zq8tX2eM5wCjUgRyLf0O7aKb3SdHn1Pi9Ev2'}\n"
    if line.startswith("#"):
        assert {each.allowed for each in detector().scan(text.encode(), path="a.py")} == {"comment"}


ROWS = re.findall(r"^\| (.+?) \| (high|restricted) \| (\w+) \|$", PAGE, re.M)


def test_the_table_of_levels_is_the_rule() -> None:
    cases = {
        "anything in a secret container": ((), "secret_container"),
        "a secret of high confidence": ((("github_token", "secret", "high", 1),), "code_file"),
        "a secret of medium confidence, outside": ((("github_token", "secret", "medium", 1),), "config"),
        "another secret of medium confidence": ((("github_token", "secret", "medium", 1),), "code_file"),
        "card or account": ((("iban", "personal", "medium", 1),), "code_file"),
        "health number": ((("diagnosis", "personal", "medium", 1),), "code_file"),
        "national id": ((("us_ssn", "personal", "high", 1),), "code_file"),
        "other personal data": ((("email", "personal", "medium", 3),), "document"),
        "infrastructure": ((("ipv4", "infrastructure", "medium", 1),), "log_stream"),
    }
    assert len(ROWS) == len(cases)
    for (found, level, cause), (start, (summary, kind)) in zip(ROWS, cases.items(), strict=True):
        assert found.startswith(start)
        assert sensitivity(summary, kind) == (level, (cause,))
