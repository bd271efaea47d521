"""What is shown of hostile names."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plantwin.surfaces.cli.objects import MEASURED, Column, fit, write_lines
from plantwin.surfaces.render.text import cut, path_fields, plural, printable, size, well_formed
from tables import cases


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("src/auth.py", "src/auth.py"),
        ("naïve/文.md", "naïve/文.md"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\x1b[2J", r"\x1b[2J"),
        ("\x9b31m\x7f", r"\x9b31m\x7f"),
        ("gnp\u202e.exe", r"gnp\u202e.exe"),
        ("a\u2028b\u200bc", r"a\u2028b\u200bc"),
        ("caf\udce9", r"caf\xe9"),
        ("\ud800", r"\ud800"),
        ("a\\nb", r"a\\nb"),
    ],
)
def test_control_format_and_undecodable_characters_become_escapes(name: str, shown: str) -> None:
    assert printable(name) == shown


@given(st.text(st.characters()))
def test_nothing_shown_can_move_the_cursor_or_break_the_line(name: str) -> None:
    shown = printable(name)
    assert shown.isprintable()
    assert len(shown.splitlines()) <= 1


@given(st.binary(max_size=40))
def test_json_paths_are_valid_and_lose_nothing(name: bytes) -> None:
    fields = path_fields(name.decode("utf-8", "surrogateescape"))
    read = json.loads(json.dumps(fields).encode("utf-8"))
    read["path"].encode("utf-8")
    exact = base64.b64decode(read["path_bytes"]) if "path_bytes" in read else read["path"].encode()
    assert exact == name


@given(st.text(st.characters()))
def test_well_formed_text_is_unicode(text: str) -> None:
    well_formed(text).encode("utf-8")


def test_numbers_for_people() -> None:
    assert [plural(0, "file"), plural(1, "file"), plural(12930, "file")] == ["0 files", "1 file", "12,930 files"]
    assert [size(1), size(999), size(1500), size(2_500_000), size(3e9)] == [
        "1 byte",
        "999 bytes",
        "1.5 kB",
        "2.5 MB",
        "3.0 GB",
    ]


# Lists of one line per row

COLUMNS = (
    Column("path", least=8, most=40, keep="end"),
    Column("kind", rank=1),
    Column("why", least=6, most=60, rank=2),
)


def test_everything_fits_when_there_is_room() -> None:
    assert fit(COLUMNS, (20, 9, 50), 200) == [20, 9, 50]


def test_long_columns_shrink_before_any_disappears() -> None:
    assert fit(COLUMNS, (20, 9, 50), 40) == [20, 9, 7]


def test_columns_disappear_by_rank() -> None:
    assert fit(COLUMNS, (20, 9, 50), 22) == [11, 9, None]
    assert fit(COLUMNS, (20, 9, 50), 12) == [12, None, None]
    assert fit(COLUMNS, (20, 9, 50), 1) == [8, None, None]


@cases("text", "width", "keep", "shown")
def test_cut_keeps_to_the_width(text: str, width: int, keep: str, shown: str) -> None:
    assert cut(text, width, keep) == shown


def test_rows_are_streamed_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    number = MEASURED * 3
    rows = (("a" * (index // MEASURED + 1), "config", "-") for index in range(number))
    assert write_lines(COLUMNS, rows, wide=False) == (number, [])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == number + 1
    assert lines[0].split() == ["path", "kind", "why"]
    assert lines[-1].split() == ["aaa", "config", "-"]


def test_no_rows_no_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert write_lines(COLUMNS, [], wide=True) == (0, [])
    assert capsys.readouterr().out == ""
