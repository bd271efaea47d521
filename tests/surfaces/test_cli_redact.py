"""`plantwin redact` and `unredact`: a round trip through files that nothing else can read or replace."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from pathlib import Path

import pytest
from command_line import Cli, Process

TOKEN = "ghu_kX" + "UvZ1kbhuk2bPr0afkYIqIXe4ujtz0V9gKO"
MAIL = "mara.brandt@granite.org"
TEXT = f"to {MAIL}\nkey {TOKEN}\ncopy {MAIL}, not <EMAIL_1>\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "note.txt"
    file.write_text(TEXT)
    return file


def test_round_trip_through_files(cli: Cli, source: Path, tmp_path: Path) -> None:
    out, known, back = tmp_path / "out.txt", tmp_path / "map.json", tmp_path / "back.txt"
    ran = cli("redact", source, "--out", out, "--map", known)
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.splitlines()[0] == "3 places redacted, 3 placeholders."
    assert out.read_text() == "to <EMAIL_1>\nkey <GITHUB_TOKEN_1>\ncopy <EMAIL_1>, not <EMAIL_2>\n"
    assert stat.S_IMODE(known.stat().st_mode) == 0o600
    assert json.loads(known.read_text())["values"]["<GITHUB_TOKEN_1>"] == TOKEN
    ran = cli("unredact", out, "--map", known, "--out", back)
    assert (ran.code, ran.err) == (0, "4 places restored.\n")
    assert back.read_text() == TEXT
    assert stat.S_IMODE(back.stat().st_mode) == 0o600
    assert sorted(each.name for each in tmp_path.iterdir()) == ["back.txt", "map.json", "note.txt", "out.txt"]


def test_through_pipes(process: Process, source: Path, tmp_path: Path) -> None:
    known = tmp_path / "map.json"
    redacted = process("redact", "-", "--map", known, input=TEXT.encode("utf-16"))
    assert redacted.returncode == 0, redacted.stderr
    assert "<EMAIL_1>" in redacted.stdout.decode("utf-16") and MAIL not in redacted.stdout.decode("utf-16")
    assert process("unredact", "--map", known, input=redacted.stdout).stdout.decode("utf-16") == TEXT
    assert process("redact", input=TEXT.encode()).stdout == process("redact", source).stdout


def test_only_what_is_asked_for(cli: Cli, source: Path) -> None:
    assert cli("redact", source, "--groups", "secret").out == TEXT.replace(TOKEN, "<GITHUB_TOKEN_1>")
    assert cli("redact", source, "--types", "email,iban").out.count("<EMAIL_1>") == 2
    assert cli("redact", source, "--confidence", "high").out == TEXT.replace(TOKEN, "<GITHUB_TOKEN_1>")
    assert cli("redact", source, "--types", "emial").code == 2


def test_a_map_is_never_replaced(cli: Cli, source: Path, tmp_path: Path) -> None:
    known = tmp_path / "map.json"
    known.write_text("precious")
    ran = cli("redact", source, "--map", known)
    assert (ran.code, ran.out) == (2, "")
    assert "never replaced" in ran.err
    assert known.read_text() == "precious"
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "elsewhere.json")
    assert cli("redact", source, "--map", link).code == 2
    assert not (tmp_path / "elsewhere.json").exists()


def test_a_file_that_is_read_is_never_written(cli: Cli, source: Path, tmp_path: Path) -> None:
    known = tmp_path / "map.json"
    assert cli("redact", source, "--out", source).code == 2
    assert cli("redact", source, "--map", source).code == 2
    assert cli("redact", source, "--out", tmp_path / "same", "--map", tmp_path / "same").code == 2
    assert cli("redact", source, "--out", tmp_path / "out", "--map", known).code == 0
    assert cli("unredact", tmp_path / "out", "--map", known, "--out", known).code == 2
    assert cli("unredact", tmp_path / "out", "--map", known, "--out", tmp_path / "out").code == 2
    assert source.read_text() == TEXT and not (tmp_path / "same").exists()


def test_a_failure_leaves_nothing_behind(cli: Cli, source: Path, tmp_path: Path) -> None:
    ran = cli("redact", source, "--out", tmp_path / "absent" / "out", "--map", tmp_path / "map.json")
    assert ran.code == 2 and "cannot write" in ran.err
    assert [each.name for each in tmp_path.iterdir() if each.name != "state"] == ["note.txt"]
    ran = cli("redact", tmp_path / "absent.txt", "--map", tmp_path / "map.json")
    assert ran.code == 2 and "no such file or folder" in ran.err
    assert cli("redact", tmp_path, "--out", tmp_path / "out").code == 2
    assert [each.name for each in tmp_path.iterdir() if each.name != "state"] == ["note.txt"]


def test_out_replaces_whole_and_writes_to_what_is_no_file(cli: Cli, source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    out.write_text("old" * 1000)
    assert cli("redact", source, "--out", out).code == 0
    assert out.read_text().startswith("to <EMAIL_1>\n") and "old" not in out.read_text()
    before = os.stat("/dev/null")
    assert cli("redact", source, "--out", "/dev/null").code == 0
    assert os.stat("/dev/null").st_ino == before.st_ino


def test_a_strange_map_is_refused_without_quoting_it(cli: Cli, source: Path, tmp_path: Path) -> None:
    (tmp_path / "map.json").write_text('{"canary": "value"}')
    ran = cli("unredact", source, "--map", tmp_path / "map.json")
    assert (ran.code, ran.out) == (2, "")
    assert "the map is not one" in ran.err and "canary" not in ran.err
    assert cli("unredact", source, "--map", tmp_path / "absent").code == 2
    assert cli("unredact", source).code == 2


def test_unknown_placeholders_stay_and_are_told(cli: Cli, source: Path, tmp_path: Path) -> None:
    known = tmp_path / "map.json"
    cli("redact", source, "--out", tmp_path / "out", "--map", known)
    (tmp_path / "answer").write_text("Ask <EMAIL_1> about <PHONE_9>.")
    ran = cli("unredact", tmp_path / "answer", "--map", known)
    assert ran.out == f"Ask {MAIL} about <PHONE_9>."
    assert "1 placeholder unknown" in ran.err


def test_binary_goes_through(process: Process, tmp_path: Path) -> None:
    data = bytes(range(256)) * 300 + f" {TOKEN} ".encode() + os.urandom(3 << 20) + f" {MAIL} ".encode()
    known = tmp_path / "map.json"
    redacted = process("redact", "--map", known, input=data)
    assert TOKEN.encode() not in redacted.stdout and MAIL.encode() not in redacted.stdout
    assert process("unredact", "--map", known, input=redacted.stdout).stdout == data


PEOPLE = "FIRST,LAST,soc_sec_id,n\nTadeusz,Okonjo,1234567,1\nPhilippa,Marlowe,7654321,2\n"


def test_a_table_is_redacted_by_column_and_comes_back(cli: Cli, tmp_path: Path) -> None:
    table, out, known, back = (tmp_path / name for name in ("people.csv", "out.csv", "map.json", "back.csv"))
    table.write_text(PEOPLE)
    ran = cli("redact", table, "--out", out, "--map", known)
    assert ran.code == 0 and ran.err.startswith("6 places redacted")
    assert [line.rpartition(",")[2] for line in out.read_text().splitlines()] == ["n", "1", "2"]
    assert not [word for word in ("Tadeusz", "Okonjo", "1234567", "Marlowe") if word in out.read_text()]
    assert cli("unredact", out, "--map", known, "--out", back).code == 0
    assert back.read_text() == PEOPLE


def test_databases_become_databases_and_other_binaries_are_refused(cli: Cli, tmp_path: Path) -> None:
    source, out = tmp_path / "people.db", tmp_path / "out.db"
    with sqlite3.connect(source) as connection:
        connection.execute("CREATE TABLE people (first_name TEXT, last_name TEXT)")
        connection.executemany("INSERT INTO people VALUES (?, ?)", [("Tadeusz", "Okonjo"), ("Philippa", "Marlowe")])
    connection.close()
    assert cli("redact", source).code == 2 and cli("redact", source, "--out", out, "--map", tmp_path / "m").code == 2
    assert cli("redact", source, "--out", out, "--json").json["redacted"] == 4
    assert b"Okonjo" not in out.read_bytes()
    ran = cli("redact", tmp_path)
    assert ran.code == 2 and "is a folder" in ran.err
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7 x")
    ran = cli("redact", tmp_path / "a.pdf")
    assert ran.code == 2 and "pdftotext" in ran.err
