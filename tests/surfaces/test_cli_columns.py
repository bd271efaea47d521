"""Structured files in `detect`: a column is one finding, with a count bucket, and hides nothing else."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli, Process

TOKEN = "ghu_kX" + "UvZ1kbhuk2bPr0afkYIqIXe4ujtz0V9gKO"
MEMBERS = {"path", "line", "column", "start", "end", "type", "group", "confidence", "preview", "count"}


def rows(number: int) -> list[tuple[int, str, str, str]]:
    return [
        (
            n,
            f"user{n}@granite.org",
            f"{100 + n % 500}-{10 + n % 90}-{1000 + n % 9000}",
            f"see {TOKEN}" if n == 2 else "-",
        )
        for n in range(number)
    ]


def table(number: int, delimiter: str = ",") -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(["id", "mail", "ssn", "note, or two"])
    writer.writerows(rows(number))
    return out.getvalue()


def dump(number: int) -> str:
    head = "-- of ops@granite.org\nCREATE TABLE people (id int, mail text, ssn text, note text);\n"
    return head + "".join(f"INSERT INTO people VALUES ({a}, '{b}', '{c}', '{d}');\n" for a, b, c, d in rows(number))


def copied(number: int) -> str:
    lines = "".join("\t".join(map(str, row)) + "\n" for row in rows(number))
    return f"COPY people (id, mail, ssn, note) FROM stdin;\n{lines}\\.\n"


def objects(number: int) -> list[dict[str, object]]:
    return [{"id": a, "mail": b, "ssn": c, "note": d} for a, b, c, d in rows(number)]


def found(cli: Cli, path: Path, *options: str) -> list[dict[str, Any]]:
    ran = cli("detect", path, "--json", *options)
    assert (ran.code, ran.err) == (0, "")
    return [json.loads(line) for line in ran.out.splitlines()]


@pytest.mark.parametrize(
    ("name", "text", "mail"),
    [
        ("a.csv", table(30), "mail"),
        ("a.tsv", table(30, "\t"), "mail"),
        ("a.json", json.dumps(objects(30), indent=2), "mail"),
        ("a.jsonl", "".join(json.dumps(each) + "\n" for each in objects(30)), "mail"),
        ("a.sql", dump(30), "people.mail"),
        ("b.sql", copied(30), "people.mail"),
    ],
)
def test_a_column_is_one_finding(name: str, text: str, mail: str, cli: Cli, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    told = found(cli, tmp_path / name, "--confidence", "medium")
    columns = [each for each in told if "count" in each]
    assert [(each["column"], each["type"], each["count"]) for each in columns] == [
        (mail, "email", "many"),
        (mail.replace("mail", "ssn"), "us_ssn", "many"),
    ]
    for each in columns:
        assert set(each) >= MEMBERS
        assert text[each["start"] : each["end"]] == each["column"].rpartition(".")[2]
        assert text[: each["start"]].count("\n") + 1 == each["line"]
    rest = [each["type"] for each in told if "count" not in each]
    # A secret in another column is told by itself, and so is what stands outside of the table.
    assert rest == (["email", "github_token"] if name == "a.sql" else ["github_token"])


def test_ten_thousand_are_one_line_and_each_is_redacted(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text(table(10_000))
    assert len(found(cli, file, "--type", "us_ssn")) == 1
    assert len(found(cli, file, "--type", "us_ssn", "--cells")) == 10_001
    text = cli("redact", file).out
    assert "@" not in text and TOKEN not in text
    assert all(ssn not in text for _, _, ssn, _ in rows(10_000))


def test_a_large_dump_is_told_by_column_to_its_end(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text(dump(150_000))
    assert (tmp_path / "a.sql").stat().st_size > 9 << 20
    told = found(cli, tmp_path / "a.sql", "--group", "personal", "--confidence", "medium")
    assert [each["column"] for each in told if "count" in each] == ["people.mail", "people.ssn"]
    assert len(told) < 10


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
def test_encodings(encoding: str, cli: Cli, tmp_path: Path) -> None:
    text = table(30)
    (tmp_path / "a.csv").write_bytes(text.encode(encoding))
    told = found(cli, tmp_path / "a.csv", "--confidence", "medium")
    assert [each["type"] for each in told] == ["email", "us_ssn", "github_token"]
    assert [text[each["start"] : each["end"]] for each in told[:2]] == ["mail", "ssn"]


def test_a_database_is_told_by_table_and_column(cli: Cli, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a.db") as database:
        database.execute("create table people (id, mail, ssn, note)")
        database.executemany("insert into people values (?, ?, ?, ?)", rows(2_000))
    database.close()
    told = found(cli, tmp_path / "a.db")
    assert [(each["column"], each["type"], each["count"], each["line"]) for each in told] == [
        ("people.mail", "email", "many", 1),
        ("people.ssn", "us_ssn", "many", 1),
        ("people.note", "github_token", "one", 1),
    ]


def test_a_damaged_database_is_still_looked_at(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.db").write_bytes(b"SQLite format 3\0" + b"\xff\0\1\2\3" * 1_000 + TOKEN.encode() + b"\0" * 100)
    assert [each["type"] for each in found(cli, tmp_path / "a.db")] == ["github_token"]


def test_one_value_of_json_is_told_at_its_place(cli: Cli, tmp_path: Path) -> None:
    text = json.dumps({"mail": "mara.brandt@granite.org", "token": TOKEN})
    (tmp_path / "a.json").write_text(text)
    told = found(cli, tmp_path / "a.json", "--confidence", "medium", "--show")
    assert [text[each["start"] : each["end"]] for each in told] == ["mara.brandt@granite.org", TOKEN]


def test_a_list_of_json_is_a_column(cli: Cli, tmp_path: Path) -> None:
    text = json.dumps({"to": [f"user{n}@granite.org" for n in range(40)], "from": "mara@granite.org", "list": [1, [2]]})
    (tmp_path / "a.json").write_text(text)
    told = found(cli, tmp_path / "a.json", "--type", "email")
    assert (told[0]["column"], told[0]["count"]) == ("to", "many")
    assert [text[each["start"] : each["end"]] for each in told] == ["to", "mara@granite.org"]


def test_another_providers_secret_is_told_beside_its_column(cli: Cli, tmp_path: Path) -> None:
    other = "npm_" + "9cQpTnVkWz4xKs1mYh7LdJr2BgFe8AuXo3Nw"
    keys = [f"ghu_{n:02}" + "UvZ1kbhuk2bPr0afkYIqIXe4ujtz0V9gKO" for n in range(10)]
    (tmp_path / "a.csv").write_text("id,api_key\n" + "".join(f"{n},{key}\n" for n, key in enumerate([*keys, other])))
    told = found(cli, tmp_path / "a.csv", "--confidence", "high")
    assert [(each["type"], each.get("count")) for each in told] == [("github_token", "many"), ("npm_token", None)]


def test_a_name_that_is_a_value_is_masked(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("".join(json.dumps({TOKEN: f"user{n}@granite.org"}) + "\n" for n in range(12)))
    ran = cli("detect", tmp_path, "--json")
    assert TOKEN not in ran.out
    assert any(json.loads(line)["column"] == "ghu_****9gKO" for line in ran.out.splitlines())


def test_for_people_and_hostile_names(cli: Cli, tmp_path: Path) -> None:
    lines = "".join(json.dumps({"e\x1b[31mmail": f"u{n}@granite.org", "mail": f"v{n}@granite.org"}) for n in range(12))
    (tmp_path / "a.json").write_text(lines.replace("\\u001b", "\x1b"))
    ran = cli("detect", tmp_path)
    assert "\x1b" not in ran.out
    assert "column mail: many values" in ran.out


def test_standard_input_and_workers(cli: Cli, process: Process, tmp_path: Path) -> None:
    ran = process("detect", "-", "--json", "--type", "us_ssn", input=json.dumps(objects(20)).encode())
    assert [json.loads(line)["column"] for line in ran.stdout.splitlines()] == ["ssn"]
    for number in range(130):
        (tmp_path / f"{number}.csv").write_text(table(12))
    for options in ((), ("--cells",)):
        alone = cli("detect", tmp_path, "--json", "--jobs", 1, *options).out
        assert cli("detect", tmp_path, "--json", "--jobs", 2, *options).out == alone


def test_a_column_can_be_allowed_and_switched_off(cli: Cli, tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.csv").write_text(table(12))
    (root / "plantwin.toml").write_text('[detect]\nallow = [{ type = "us_ssn", reason = "made up" }]\n')
    assert "us_ssn" not in cli("detect", root).out
    (row,) = [each for each in found(cli, root, "--allowed") if each["type"] == "us_ssn"]
    assert (row["column"], row["allowed"]) == ("ssn", "folder")
    (root / "plantwin.toml").unlink()
    own = tmp_path / "config" / "plantwin"
    own.mkdir(parents=True)
    (own / "config.toml").write_text('[detect]\ndisable = ["us_ssn"]\n')
    assert not [each for each in found(cli, root, "--allowed") if each["type"] == "us_ssn"]
