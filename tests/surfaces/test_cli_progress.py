"""The progress bar: only on a terminal, only when work takes long."""

from __future__ import annotations

import argparse
import io

import pytest

from plantwin.config.settings import Settings
from plantwin.surfaces.cli import progress
from plantwin.surfaces.cli.arguments import duration
from plantwin.surfaces.cli.progress import Bar, StepProgress
from plantwin.surfaces.cli.sessions import adjusted


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


def test_a_step_over_a_set_writes_lines_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.0)
    for lines, expected in ((True, "s1 lint: 3 of 1,200\ns1 lint: 4 of 1,200\n"), (False, "")):
        steps = StepProgress(lambda id_: f"{id_} lint", lines=lines)
        steps("s1", 3, 1200)
        steps("s1", 4, 1200)
        steps.stop()
        assert capsys.readouterr().err == expected


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90), ("90s", 90), ("10m", 600), ("2h", 7200), ("24h", 86_400), ("1", 1)]
)
def test_times(text: str, seconds: float) -> None:
    assert duration(text) == seconds


@pytest.mark.parametrize("text", ["", "m", "0", "-1", "1d", "1.5h", "25h", "９s", "1" * 50])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        duration(text)


def test_options_stand_before_settings() -> None:
    options = argparse.Namespace(max_files=7, time=90.0, per_object=True)
    changed = adjusted(Settings(), options)
    assert (changed.limits.max_files, changed.limits.step_seconds, changed.twin.mode) == (7, 90.0, "objects")
    assert adjusted(Settings(), argparse.Namespace()) == Settings()
