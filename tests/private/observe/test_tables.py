"""SQLite files: their tables are read, nothing in them runs, nothing beside them is made."""

from __future__ import annotations

import csv
import io
import os
import sqlite3
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trees import open_files

from plantwin.private.observe import database
from plantwin.private.observe import tables as module
from plantwin.private.observe.database import IN_MEMORY, MAX_CELL
from plantwin.private.observe.tables import COUNTED, Table, cells, tables
from tables import value_of

SHOP = value_of(__file__, "shop")


def make(path: Path, script: str = SHOP, rows: dict[str, list[tuple]] | None = None) -> Path:
    connection = sqlite3.connect(path)
    connection.executescript(script)
    for table, values in (rows or {}).items():
        marks = ", ".join("?" * len(values[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", values)
    connection.commit()
    connection.close()
    return path


def read(path: Path) -> tuple[list[Table], list[str]]:
    warnings: list[str] = []
    fd = os.open(path, os.O_RDONLY)
    try:
        return tables(fd, warnings.append), warnings
    finally:
        os.close(fd)


def text(path: Path) -> tuple[dict[str, bytes], list[str]]:
    warnings: list[str] = []
    found: dict[str, bytes] = {}
    fd = os.open(path, os.O_RDONLY)
    try:
        for name, chunk in cells(fd, warnings.append):
            found[name] = found.get(name, b"") + chunk
    finally:
        os.close(fd)
    return found, warnings


@pytest.fixture(params=["copied", "in place"])
def either(request, monkeypatch):
    """Both ways of opening a database."""
    if request.param == "in place":
        monkeypatch.setattr(database, "IN_MEMORY", 0)


def test_tables_with_their_shape_and_a_sample(tmp_path, either):
    found, warnings = read(make(tmp_path / "shop.db"))
    named = {table.name: table for table in found}
    assert {"customer", "order", "code"} <= set(named)
    assert not {"rich", "words", "sqlite_sequence"} & set(named)
    customer, order, code = named["customer"], named["order"], named["code"]
    assert customer.columns == (
        ("id", "INTEGER"),
        ("name", "TEXT"),
        ("email", "TEXT"),
        ("photo", "BLOB"),
        ("since", "DATE"),
    )
    assert customer.indexes == (("by_email", True, ("email",)),)
    assert order.foreign_keys == (("customer_id", "customer", "id"),)
    assert [column for column, _ in order.columns] == ["id", "customer_id", "total", "note", 'odd "name']
    assert order.indexes == (("by_customer", False, ("customer_id", "total")),)
    assert (customer.rows, order.rows, code.rows) == (2, 1, 2)
    assert customer.sql.startswith("CREATE TABLE customer")
    assert list(csv.reader(io.StringIO(customer.sample.decode()))) == [
        ["id", "name", "email", "photo", "since"],
        ["1", "Ada Example", "ada@example.invalid", "0x00ff10", "2020-01-01"],
        ["2", 'Line\nBreak, "quoted"', "", "", ""],
    ]
    assert code.sample == b"short,label\nDE,Germany\nFR,France\n"
    assert warnings == []


def test_every_cell_is_given_to_detection(tmp_path, either):
    rows = [(number, f"person{number}@example.invalid", number * 1.5) for number in range(5_000)]
    path = make(tmp_path / "db", "CREATE TABLE t (a, b, c); CREATE TABLE empty (x);", {"t": rows})
    found, warnings = text(path)
    assert warnings == []
    assert set(found) == {"t"}
    lines = [line for line in csv.reader(io.StringIO(found["t"].decode())) if line != ["a", "b", "c"]]
    assert lines == [[str(each) for each in row] for row in rows]
    fd = os.open(path, os.O_RDONLY)
    chunks = [chunk for _, chunk in cells(fd)]
    os.close(fd)
    assert len(chunks) > 2
    assert all(chunk.startswith(b"a,b,c\n") for chunk in chunks)
    assert max(map(len, chunks)) < 1 << 17


def test_nothing_is_made_beside_the_file(tmp_path, either):
    path = make(tmp_path / "wal.db", "PRAGMA journal_mode=WAL;" + SHOP)
    make(tmp_path / "hot.db")
    (tmp_path / "hot.db-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + b"\0" * 504)
    before = {each.name: (each.stat().st_mtime_ns, each.read_bytes()) for each in tmp_path.iterdir()}
    for each in (path, tmp_path / "hot.db"):
        assert {"customer", "order", "code"} <= {table.name for table in read(each)[0]}
        assert b"Ada Example" in text(each)[0]["customer"]
    assert {each.name: (each.stat().st_mtime_ns, each.read_bytes()) for each in tmp_path.iterdir()} == before


def test_the_position_of_the_descriptor_does_not_matter(tmp_path, either):
    path = make(tmp_path / "db")
    fd = os.open(path, os.O_RDONLY)
    os.lseek(fd, 0, os.SEEK_END)
    assert tables(fd)
    assert list(cells(fd))
    assert os.lseek(fd, 0, os.SEEK_CUR) == path.stat().st_size
    os.close(fd)


def test_a_large_file_is_read_in_place(tmp_path):
    path = make(tmp_path / "db", "CREATE TABLE t (a)", {"t": [("x" * 1000,)] * (IN_MEMORY // 900)})
    assert path.stat().st_size > IN_MEMORY
    (table,), warnings = read(path)
    assert table.rows == IN_MEMORY // 900
    assert len(table.sample) <= module.SAMPLE_BYTES
    assert table.sample.count(b"\n") == 1 + module.SAMPLE_ROWS
    assert warnings == []


def test_a_file_swapped_behind_the_descriptor_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "IN_MEMORY", 0)
    path = make(tmp_path / "db", "CREATE TABLE mine (a)")
    fd = os.open(path, os.O_RDONLY)
    path.unlink()
    make(path, "CREATE TABLE other (a)")
    warnings: list[str] = []
    assert tables(fd, warnings.append) == []
    assert list(cells(fd, warnings.append)) == []
    os.close(fd)
    assert warnings == ["database_unreadable"] * 2


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not a database at all",
        b"SQLite format 3\0",
        b"SQLite format 3\0" + b"\xff" * 5000,
        b"SQLite format 3\0" + os.urandom(8192),
        os.urandom(8192),
    ],
    ids=["empty", "text", "magic", "ones", "random", "encrypted"],
)
def test_what_is_no_database_is_a_warning(tmp_path, either, content):
    (tmp_path / "db").write_bytes(content)
    assert read(tmp_path / "db") == ([], ["database_unreadable"])
    assert text(tmp_path / "db") == ({}, ["database_unreadable"])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(16, 40_000), st.integers(0, 255)), min_size=1, max_size=40), st.booleans())
def test_damage_anywhere_never_raises(tmp_path_factory, damage, cut):
    path = tmp_path_factory.getbasetemp() / "damaged.db"
    path.unlink(missing_ok=True)
    make(path, SHOP, {"code": [(f"c{number}", "x" * 200) for number in range(100)]})
    content = bytearray(path.read_bytes())
    for place, byte in damage:
        content[place % len(content)] = byte
    path.write_bytes(content[: len(content) // 2] if cut else content)
    for table in read(path)[0]:
        assert type(table) is Table
    text(path)


def test_a_schema_that_would_run_for_long_is_stopped(tmp_path, either, monkeypatch):
    rows = [(number, "x" * 10) for number in range(400_000)]
    path = make(tmp_path / "db", "CREATE TABLE a (n, x); CREATE TABLE b (n, x);", {"a": rows})
    monkeypatch.setattr(module, "COUNTED", 1 << 60)
    monkeypatch.setattr(module, "SECONDS", 0.001)
    started = time.process_time()
    found, warnings = read(path)
    assert found == []
    assert set(warnings) <= {"database_cut", "database_unreadable"}
    assert time.process_time() - started < 2


def test_tampered_definitions_do_not_run(tmp_path, either):
    path = make(tmp_path / "db", "CREATE TABLE t (a); INSERT INTO t VALUES ('kept');")
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA writable_schema=ON")
    hostile = [
        ("table", "v1", "CREATE/**/VIRTUAL TABLE v1 USING fts5(x)"),
        (
            "view",
            "v2",
            "CREATE VIEW v2 AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT x FROM c",
        ),
    ]
    for kind, name, sql in hostile:
        connection.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, 0, ?)", (kind, name, name, sql))
    connection.commit()
    connection.close()
    started = time.process_time()
    assert [table.name for table in read(path)[0]] == ["t"]
    assert text(path)[0] == {"t": b"a\nkept\n"}
    assert time.process_time() - started < 2


def test_the_connection_permits_reading_only(tmp_path, either):
    path = make(tmp_path / "db", SHOP)
    fd = os.open(path, os.O_RDONLY)
    with database.opened(fd, database.Stopwatch(1)) as connection:
        assert connection.execute("SELECT name FROM customer").fetchone() == (b"Ada Example",)
        for statement in (
            "INSERT INTO customer (name) VALUES ('x')",
            "DELETE FROM customer",
            "CREATE TABLE z (a)",
            "DROP TABLE customer",
            f"ATTACH '{tmp_path}/other.db' AS other",
            f"VACUUM INTO '{tmp_path}/copy.db'",
            "PRAGMA query_only=OFF",
            "PRAGMA writable_schema=ON",
            "SELECT load_extension('x')",
            "SELECT randomblob(100000)",
            "SELECT upper(name) FROM customer",
            "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c",
        ):
            with pytest.raises(sqlite3.DatabaseError):
                connection.execute(statement).fetchall()
    os.close(fd)
    assert [each.name for each in tmp_path.iterdir()] == ["db"]


def test_numbers_of_tables_columns_and_rows_are_bounded(tmp_path):
    script = "".join(f"CREATE TABLE t{number:03} (a);" for number in range(250))
    found, warnings = read(make(tmp_path / "tables", script))
    assert [table.name for table in found] == [f"t{number:03}" for number in range(200)]
    assert warnings == ["database_cut"]
    wide = ", ".join(f"c{number}" for number in range(1_500))
    (table,), _ = read(make(tmp_path / "columns", f"CREATE TABLE wide ({wide})"))
    assert len(table.columns) == 500
    rows = [(number,) for number in range(COUNTED + 5_000)]
    (table,), _ = read(make(tmp_path / "rows", "CREATE TABLE t (a)", {"t": rows}))
    assert table.rows == COUNTED + 1


def test_rows_too_large_to_hold_are_passed_over(tmp_path, either):
    large = "x" * (MAX_CELL + 100)
    rows = [(1, "first"), (2, large), (3, "third"), (4, large), (5, large), (9, "last")]
    found, warnings = text(make(tmp_path / "db", "CREATE TABLE t (n INTEGER PRIMARY KEY, x)", {"t": rows}))
    assert found == {"t": b"n,x\n1,first\n3,third\n9,last\n"}
    assert warnings == ["database_cut"] * 3
    script = "CREATE TABLE t (n INTEGER PRIMARY KEY, x) WITHOUT ROWID; CREATE TABLE z (a); INSERT INTO z VALUES (1);"
    found, warnings = text(make(tmp_path / "other", script, {"t": rows}))
    assert found["z"] == b"a\n1\n"
    assert warnings == ["database_cut"]


def test_the_amount_of_text_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MAX_CELLS", 100_000)
    rows = [("x" * 500,)] * 1_000
    path = make(tmp_path / "db", "CREATE TABLE a (x); CREATE TABLE b (x);", {"a": rows, "b": rows})
    found, warnings = text(path)
    assert sum(map(len, found.values())) == 100_000
    assert warnings == ["database_cut"]


def test_text_that_is_no_utf8_passes_unchanged(tmp_path, either):
    script = """
        CREATE TABLE t (a, b);
        INSERT INTO t VALUES (CAST(x'61ff62' AS TEXT), x'c328');
    """
    found, _ = text(make(tmp_path / "db", script))
    assert found == {"t": b"a,b\na\xffb,\xc3(\n"}
    wide = "PRAGMA encoding='UTF-16le'; CREATE TABLE t (a); INSERT INTO t VALUES ('größe');"
    found, _ = text(make(tmp_path / "wide", wide))
    assert found == {"t": "a\ngröße\n".encode()}


def test_a_table_whose_columns_hide_its_row_numbers(tmp_path):
    script = "CREATE TABLE t (rowid TEXT, _rowid_ TEXT, oid TEXT); INSERT INTO t VALUES ('a', 'b', 'c');"
    assert text(make(tmp_path / "db", script))[0] == {"t": b"rowid,_rowid_,oid\na,b,c\n"}


def test_the_caller_may_take_its_time_and_stop_early(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "SECONDS", 0.5)
    rows = [("x" * 500,)] * 2_000
    path = make(tmp_path / "db", "CREATE TABLE t (x)", {"t": rows})
    fd = os.open(path, os.O_RDONLY)
    warnings: list[str] = []
    chunks = 0
    for _ in cells(fd, warnings.append):
        chunks += 1
        until = time.thread_time() + 0.06
        while time.thread_time() < until:
            pass
    assert chunks > 10
    assert warnings == []
    before = open_files()
    some = cells(fd)
    next(some)
    some.close()
    assert open_files() == before
    os.close(fd)


def test_a_table_prints_nothing_of_its_content(tmp_path):
    (table, *_), _ = read(make(tmp_path / "db"))
    assert "customer" not in repr(table)
