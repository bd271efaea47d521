"""Lists of one line per row."""

from __future__ import annotations

import pytest

from plantwin.surfaces.cli.objects import MEASURED, Column, fit, write_lines
from plantwin.surfaces.render.text import cut
from tables import cases

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
