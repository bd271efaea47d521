"""A progress bar on stderr: only on a terminal, and only when the work takes over a second."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 1.0
"""Seconds of work before a bar appears."""
INTERVAL = 0.1
"""Seconds between two drawings."""
EVERY = 5.0
"""Seconds between two lines where there is no terminal."""


class Bar:
    """Called with what is done; draws seldom, and not at all for short work or a stderr that is no terminal."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._next = time.monotonic() + PATIENCE
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Take the bar away for good."""
        self._shown = False
        if self._progress is not None:
            self._progress.stop()
            self._progress = None

    def __call__(self, done: int, total: int | None, phase: str) -> None:
        """Take note that `done` of `total` are behind us in this phase."""
        if not self._shown or (now := time.monotonic()) < self._next:
            return
        self._next = now + INTERVAL
        if self._progress is None or self._task is None:
            self._progress, self._task = _start()
        self._progress.update(self._task, completed=done, total=total, description=phase)
        self._progress.refresh()


def _start() -> tuple[Progress, TaskID]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from plantwin.surfaces.cli.output import colourful

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    screen = Console(file=sys.stderr, no_color=not colourful(sys.stderr))
    # No refresh thread: the scan may fork, and a thread that holds a lock then would hang its children.
    progress = Progress(*columns, console=screen, transient=True, auto_refresh=False)
    progress.start()
    return progress, progress.add_task("", total=None)


class StepProgress:
    """How far a step over a set is: a bar on a terminal, else a line now and then where they are wanted."""

    def __init__(self, names: Callable[[str], str], *, lines: bool) -> None:
        """`names`: what a step is called on the screen, by its id. `lines`: whether to write them."""
        self._names = names
        self._lines = lines and not sys.stderr.isatty()
        self._bar: Bar | None = None
        self._step = ""
        self._next = 0.0

    def __call__(self, step: str, done: int, total: int) -> None:
        """Take note that `done` of `total` members of a step's set are behind us."""
        if step != self._step:
            self.stop()
            self._step, self._bar = step, Bar()
            self._next = time.monotonic() + EVERY
        if self._bar is not None:
            self._bar(done, total, self._names(step))
        if self._lines and time.monotonic() >= self._next:
            self._next = time.monotonic() + EVERY
            sys.stderr.write(f"{self._names(step)}: {done:,} of {total:,}\n")
            sys.stderr.flush()

    def stop(self) -> None:
        """The step is over."""
        if self._bar is not None:
            self._bar.stop()
        self._bar, self._step = None, ""


class Spinner:
    """Says on stderr what is being waited for, where that takes a while and stderr is a terminal."""

    FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"

    def __init__(self, what: str) -> None:
        """`what`: printable text."""
        self._what = what
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> Self:
        """Begin to wait."""
        if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
            self._thread = threading.Thread(target=self._turn, name="spinner", daemon=True)
            self._thread.start()
        return self

    def stop(self) -> None:
        """It is over: leave no trace."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _turn(self) -> None:
        began = time.monotonic()
        if self._ended.wait(PATIENCE / 2):
            return
        frame = 0
        with contextlib.suppress(OSError, ValueError):
            while not self._ended.wait(INTERVAL):
                seconds = int(time.monotonic() - began)
                mark = self.FRAMES[frame % len(self.FRAMES)]
                sys.stderr.write(f"\r\x1b[2K{mark} {self._what} … {seconds} s")
                sys.stderr.flush()
                frame += 1
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
