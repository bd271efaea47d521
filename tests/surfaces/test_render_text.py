"""What is shown of hostile names."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plantwin.surfaces.render.text import path_fields, plural, printable, size, well_formed


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
