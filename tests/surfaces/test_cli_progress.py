"""The progress bar: only on a terminal, only when work takes long."""

from __future__ import annotations

import io

import pytest

from plantwin.surfaces.cli import progress
from plantwin.surfaces.cli.progress import Bar


class Screen(io.StringIO):
    """A stderr that is a terminal."""

    def isatty(self) -> bool:
        return True


def _work(bar: Bar) -> None:
    for done in range(50):
        bar(done, 50, "read")


def test_no_bar_where_stderr_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with Bar() as bar:
        _work(bar)
    assert capsys.readouterr() == ("", "")


def test_no_bar_for_short_work(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    with Bar() as bar:
        _work(bar)
    assert screen.getvalue() == ""


def test_a_bar_for_long_work(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "INTERVAL", 0.0)
    with Bar() as bar:
        bar(0, None, "walk")
        _work(bar)
    assert "read" in screen.getvalue() and "49/50" in screen.getvalue()
    assert capsys.readouterr().out == ""


def test_the_bar_goes_away_when_work_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with pytest.raises(RuntimeError), Bar() as bar:
        bar(1, 2, "read")
        raise RuntimeError
    assert screen.getvalue().rstrip().endswith("\x1b[2K"), "the line is cleared"
    assert "\x1b[?25h" in screen.getvalue(), "the cursor is shown again"
