"""Tables with known flaws, and their sound twins."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

from pathlib import Path

import pytest
from capability_inputs import Run, given
from data_inputs import checked, database, found, said, snapshot

from plantwin.private.capabilities.job import Input

BAD = """id,customer_id,placed_on,shipped_on,status,quantity,email
1,10,2024-01-01,2024-01-03,paid,1,a@x.example
2,11,2024-02-30,2024-03-03,Paid,2,b@x.example
3,12,2024-01-05,2024-01-01,paid,-3,c@x
3,13,2024-01-02,2024-01-03,open,abc,d@x.example
5,14,2024-01-09,2024-01-13,open,1,e@x.example
,15,2024-01-09,2024-01-13,open,1,f@x.example
7,16,2024-01-09,2024-01-13,open,1
5,14,2024-01-09,2024-01-13,open,1,e@x.example
9,18,2024-01-09,2024-01-13,open,1,i@x.example
10,19,2024-01-09,2024-01-13,open,1,j@x.example
11,20,2024-01-09,2024-01-13,open,1,k@x.example
12,21,2024-01-09,2024-01-13,open,1,l@x.example
"""
GOOD = "id,customer_id,placed_on,status\n" + "".join(
    f"{number},{number % 7},2024-01-{number % 28 + 1:02d},{'paid' if number % 3 else 'open'}\n"
    for number in range(1, 60)
)


def test_known_flaws_are_found_with_their_lines(run: Run) -> None:
    result = checked("check_data_quality", run("check_data_quality", given("bad.csv", BAD)))
    places = {(line, tag) for _, line, _, tag in found(result)}
    assert {
        (3, "invalid_values"),  # 30 February
        (3, "inconsistent_values"),  # Paid
        (4, "invalid_values"),  # shipped before placed
        (5, "mixed_types"),  # abc
        (7, "missing_values"),  # no id
        (8, "invalid_values"),  # a cell short
        (9, "duplication"),  # the row of line 6
    } <= places
    assert result.outcome["severity"] == "high"
    assert said(result, "1 date does not exist (line 3)")
    assert not said(result, "@x.example")
    assert all("e@x" not in each.evidence for each in result.findings)


def test_sound_data_is_left_alone(run: Run) -> None:
    result = checked("check_data_quality", run("check_data_quality", given("good.csv", GOOD)))
    assert result.findings == []
    assert result.outcome == {"status": "done", "severity": "none", "count": "none", "tags": []}
    assert run("check_data_quality", given("s.csv", snapshot(3))).outcome["severity"] in ("none", "low")


def test_keys_that_repeat(run: Run) -> None:
    result = run("check_data_quality", given("a.csv", GOOD + "7,3,2024-01-01,open\n"))
    assert ("a.csv", 61, "high", "duplication") in found(result)


def test_references_between_tables(run: Run, tmp_path: Path) -> None:
    result = run("check_data_quality", Input(name="shop.db", file=database(tmp_path / "a.db")))
    assert ("shop.db#orders", 0, "high", "broken_reference") in found(result)
    assert said(result, "row 3")
    orders = "id,customer_id\n" + "".join(f"{number},{number}\n" for number in range(1, 21))
    customers = "id,name\n" + "".join(f"{number},n{number}\n" for number in range(1, 19))
    csv = run("check_data_quality", given("orders.csv", orders), given("customers.csv", customers))
    assert ("orders.csv", 20, "high", "broken_reference") in found(csv)


@pytest.mark.parametrize(
    ("rows", "tag", "words"),
    [
        ("v\n" + "\n".join(["10"] * 3 + [str(n) for n in range(8, 40)] + ["90000"]), "outliers", "far from all others"),
        ("when\n" + "\n".join(["03/04/2024"] * 5 + ["25/04/2024", "04/25/2024"]), "inconsistent_values", "day first"),
        ("when\n" + "\n".join(["2024-03-04"] * 25 + ["04/03/2024"]), "inconsistent_values", "year last"),
        ("age\n" + "\n".join(["31", "40", "52"] * 9 + ["212"]), "invalid_values", "an age cannot have"),
        ("v\n" + "\n".join(["yes", "no", "true", "1"] * 8), "", ""),
        ("flag\n" + "\n".join(["yes", "no", "true", "false"] * 8), "inconsistent_values", "in 2 ways"),
        ("note\n" + "\n".join(["caf\u00c3\u00a9", "bar", "inn"] * 9), "invalid_values", "wrong encoding"),
        ("v\n" + "\n".join(["#REF!", "a", "b"] * 9), "invalid_values", "spreadsheet"),
        ("account_id\n" + "\n".join(["4.52E+11", "452000000001"] * 9), "invalid_values", "rounded"),
        ("state\n" + "\n".join(["active"] * 60 + ["closed"] * 60 + ["pending"] * 40 + ["actve"]), "inconsistent_values", "may be meant as"),
        ("v\n" + "\n".join(["same"] * 30), "constant", "same value"),
        ("v\n" + "\n".join(["NA", "x", "y"] * 9 + ['""'] * 3), "inconsistent_values", "several ways"),
        ("end_date\n" + "\n".join(["2024-01-01"] * 30 + ["9999-12-31"]), "invalid_values", "stand for something else"),
    ],
)  # fmt: skip
def test_one_flaw(run: Run, rows: str, tag: str, words: str) -> None:
    head, *body = rows.split("\n")
    text = f"n,{head}\n" + "".join(f"{number},{each}\n" for number, each in enumerate(body))
    result = checked("check_data_quality", run("check_data_quality", given("a.csv", text)))
    if tag:
        assert tag in {each.tag for each in result.findings}
        assert said(result, words)


def test_files_that_were_cut(run: Run) -> None:
    cut = run("check_data_quality", given("a.csv", GOOD[:-9]))
    assert said(cut, "ends in the middle of a row")
    assert said(run("check_data_quality", given("a.json", '[{"a": 1}, {"a": 2}, {"a"')), "does not parse")
    assert said(run("check_data_quality", given("a.jsonl", '{"a": 1}\n{"a": 2}\n{"a"')), "may be cut")


def test_equal_columns(run: Run) -> None:
    text = "a,b,c\n" + "".join(f"{n},{n},{n % 5}\n" for n in range(30))
    assert said(run("check_data_quality", given("a.csv", text)), "the same as a in every row")


def test_nothing_to_check(run: Run) -> None:
    assert run("check_data_quality", given("a.csv", "")).outcome["status"] == "failed"
    assert said(run("check_data_quality", given("a.csv", "a,b\n")), "no rows")
