"""Profiles of data with known columns."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from capability_inputs import Run, database, given, shop, snapshot

from plantwin.private.capabilities.engine.job import Input, Result
from plantwin.private.capabilities.tables.cells import understood
from plantwin.private.capabilities.tables.column import Column


def columns(result: Result, table: str) -> dict[str, Any]:
    tables: Any = result.facts["tables"]
    return dict(tables[table]["columns"])


def test_the_shop(run: Run) -> None:
    result = run("profile_data", "data/orders.csv", "data/customers.csv")
    assert result.outcome == {"status": "done", "count": "few", "tags": ["personal_data", "missing_values"]}
    orders = columns(result, "data/orders.csv")
    assert {name: each["type"] for name, each in orders.items()} == {
        "id": "integer", "customer_id": "integer", "placed_on": "date", "title": "text", "quantity": "integer",
        "total": "number", "currency": "text", "status": "text",
    }  # fmt: skip
    assert orders["total"]["quantiles"][0] == 55.0
    assert orders["total"]["quantiles"][-1] == 1180.8
    assert "2024-09-02 to 2024-09-18" in result.text
    assert "Key candidates: `id`" in result.text
    assert "`data/orders.csv.customer_id` → `data/customers.csv.id`: every value is there." in result.text


def test_personal_values_are_masked(run: Run) -> None:
    result = run("profile_data", "data/customers.csv", shop("data/shop.db", "customers"))
    assert "beatrix.thornquist" not in result.text
    assert "Thornquist" not in result.text
    assert columns(result, "data/customers.csv")["email"]["sensitive"] == "email"
    assert "top" not in columns(result, "data/customers.csv")["email"]


@pytest.mark.parametrize(
    ("name", "data", "rows", "names"),
    [
        ("a.csv", "x;y\n1;2,5\n2;3,5\n", 2, ["x", "y"]),
        ("a.tsv", "x\ty\n1\t2\n", 1, ["x", "y"]),
        ("a.csv", "# note\nx,y\n1,2\n", 1, ["x", "y"]),
        ("a.csv", "1,2\n3,4\n5,6\n", 3, ["column 1", "column 2"]),
        ("a.csv", 'x,y\n"a\nb",1\n', 1, ["x", "y"]),
        ("a.csv", "x,x,\n1,2,3\n4,5,6\n", 2, ["x", "x (2)", "column 3"]),
        ("a.csv", "naïve,y\n1,2\n".encode("utf-16"), 1, ["naïve", "y"]),
        ("a.csv", "città,y\nè,2\n".encode("cp1252"), 1, ["città", "y"]),
        ("a.jsonl", '{"x": 1, "y": {"z": 2}}\n{"x": 2}\n', 2, ["x", "y.z"]),
        ("a.json", '[{"x": 1}, {"x": 2, "y": null}]', 2, ["x", "y"]),
        ("a.json", '{"x": [1, 2, 3], "y": [4, 5, 6]}', 3, ["x", "y"]),
        ("a.sql", "CREATE TABLE t (x int, y text);\nINSERT INTO t VALUES (1, 'a;b'), (2, NULL);\n", 2, ["x", "y"]),
        ("a.sql", "COPY t (x, y) FROM stdin;\n1\ta\n2\t\\N\n\\.\n", 2, ["x", "y"]),
    ],
)
def test_many_storages(run: Run, name: str, data: str | bytes, rows: int, names: list[str]) -> None:
    result = run("profile_data", given(name, data))
    assert result.outcome["status"] == "done"
    ((_, table),) = result.facts["tables"].items()  # type: ignore[attr-defined]
    assert (table["rows"], list(table["columns"])) == (rows, names)


def test_all_tables_of_a_database(run: Run, tmp_path: Path) -> None:
    file = database(tmp_path / "shop.db")
    result = run("profile_data", Input(name="shop.db", file=file))
    assert set(result.facts["tables"]) == {"shop.db#customers", "shop.db#orders"}  # type: ignore[call-overload]
    assert "1 of 3 values are not there" in result.text


def test_columnar_files_need_their_reader(run: Run, tmp_path: Path) -> None:
    import pyarrow as arrow
    from pyarrow import parquet

    file = tmp_path / "a.parquet"
    parquet.write_table(arrow.table({"x": [1, 2, None], "y": ["a", "b", "b"]}), file)
    result = run("profile_data", Input(name="a.parquet", file=str(file)))
    stated = columns(result, "a.parquet")["x"]
    assert (stated["type"], stated["empty"], stated["distinct"], stated["mean"]) == ("integer", 1, 2, 1.5)
    broken = run("profile_data", given("b.parquet", b"PAR1" + b"\0" * 100))
    assert broken.outcome["status"] == "failed"


def test_an_unclosed_quote_is_said(run: Run) -> None:
    result = run("profile_data", given("a.csv", 'a,b\n1,2\n3,"' + "x,\n" * 600_000))
    assert result.outcome["status"] == "partial"
    assert "truncated" in result.outcome["tags"]  # type: ignore[operator]


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        ("", "empty"), ("NA", "empty"), (None, "empty"), ("12", "integer"), ("-1.5e3", "number"), ("1,234.50", "number"),
        ("€ 12.50", "number"), ("007", "text"), ("2024-02-29", "date"), ("2024-02-29T10:00:00Z", "timestamp"), ("31/12/2024", "date"),
        ("yes", "boolean"), (True, "boolean"), ("[1, 2]", "nested"), ("hello", "text"), (3, "integer"), (2.5, "number"), ("1.234,5", "number"),
    ],
)  # fmt: skip
def test_what_a_cell_is(cell: str | int | float | bool | None, kind: str) -> None:
    assert understood(cell).kind == kind


def test_impossible_dates_are_known() -> None:
    assert understood("2023-02-29").note == "impossible date"
    assert understood("2024-13-01").note == "impossible date"
    assert understood("13/05/2024").note == "day first"


def test_many_values_are_estimated() -> None:
    column = Column("x", room=1000)
    for start in range(0, 50_000, 5000):
        column.add([f"value {number}" for number in range(start, start + 5000)])
    assert not column.exact
    assert 42_000 < column.distinct < 58_000
    assert not column.unique
    numbers = Column("n")
    numbers.add(list(range(300_000)))
    assert abs(numbers.quantiles(2)[1] - 150_000) < 3000
    assert (numbers.least, numbers.most) == (0, 299_999)


def test_a_profile_of_many_rows(run: Run) -> None:
    result = run("profile_data", given("a.csv", snapshot(1, 12_000)))
    stated = columns(result, "a.csv")
    assert stated["id"]["distinct"] == 12_000
    assert 17 < stated["amount"]["quantiles"][10] < 23
    assert stated["kind"]["top"].keys() == {"a", "b"}


@pytest.mark.parametrize(
    ("first", "below", "headed"),
    [
        ("2019,2020,2021", "1.5,2.5,7", True),
        ("2019,2020,2021", "1901,1902,1903", False),
        ("2019,2021,2022", "1.5,2.5,7", False),
        ("Country,1990,1995", "A,1,2", True),
        ("12,2020,7", "3,4,5", False),
    ],
)
def test_a_row_of_years_is_a_header(run: Run, first: str, below: str, headed: bool) -> None:
    result = run("profile_data", given("a.csv", "\n".join([first, *[below] * 20])))
    assert ("no header" not in result.text) is headed
