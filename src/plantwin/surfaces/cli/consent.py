"""Whether a planner may have what a goal tells it: asked of the person at the terminal, wherever the output goes."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import termios
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple, TextIO

from plantwin.cloud.planner import reach, sends
from plantwin.errors import ConsentError
from plantwin.surfaces.cli.approving import interactive
from plantwin.surfaces.render.text import plural, printable, size

if TYPE_CHECKING:
    from plantwin.boundary.release import Released
    from plantwin.cloud.planner import Planner

SEND: Final = "Send this? y: yes · n: no · d: the exact bytes > "

Consent = Callable[[Sequence["Released"]], bool]
"""Whether these may be sent."""


def granted(_: Sequence[Released]) -> bool:
    """Yes, without a question."""
    return True


def consent_for(options: argparse.Namespace, planner: Planner) -> Consent:
    """Who says whether it may be sent. Refused now, before anything is told, where it must be asked and nobody can be.

    Whatever may reach anybody is asked about, a port of this machine too unless the person trusts it. A planner that
    only plays a remote one is asked about where a person watches.
    """
    here = interactive(options)
    asks = sends(planner) and not getattr(planner, "trusted", False)
    if getattr(options, "yes", False) or options.send or not (asks or (here and planner.locality != "local")):
        return granted
    with _person(here) as person:
        if person is None:
            raise ConsentError(
                "nobody can be asked whether this planner may have what the goal tells it: nothing was sent"
            )
    return Question(planner, here=here)


class Question:
    """Asks the person once for what is to be sent first."""

    def __init__(self, planner: Planner, *, here: bool) -> None:
        """`here`: what is to be sent stands on the same terminal already."""
        self._planner = planner
        self._here = here

    def __call__(self, envelopes: Sequence[Released]) -> bool:
        """Whether the answer is yes; the end of input is none."""
        with _person(self._here) as person:
            if person is None:
                return False
            if not self._here:
                what = f"{plural(len(envelopes), 'envelope')}, {size(sum(map(len, envelopes)))}"
                whom = f"{printable(self._planner.name)} ({reach(self._planner)}), audience {self._planner.audience}"
                person.say(f"To {whom}: {what}\n")
            while (answer := person.ask(SEND)) in ("d", "details"):
                for each in envelopes:
                    person.say(f"  {each.data.decode('ascii')}\n")
            return answer in ("y", "yes")


class _Person(NamedTuple):
    """Somebody at a terminal: where they type and where they read."""

    source: TextIO
    screen: TextIO

    def say(self, text: str) -> None:
        self.screen.write(text)
        self.screen.flush()

    def ask(self, prompt: str) -> str:
        # What was typed before the question was shown is no answer to it.
        with contextlib.suppress(OSError, ValueError, termios.error):
            termios.tcflush(self.source.fileno(), termios.TCIFLUSH)
        if self.source is sys.stdin and self.screen is sys.stdout:
            try:
                return input(prompt).strip().lower()
            except EOFError:
                self.say("\n")
                return ""
        self.say(prompt)
        return self.source.readline(100).strip().lower()


def _terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


@contextmanager
def _person(here: bool) -> Iterator[_Person | None]:
    """The person at the standard streams, or at the terminal that started this; None where nobody is."""
    if here or (_terminal(sys.stdin) and _terminal(sys.stderr)):
        yield _Person(sys.stdin, sys.stdout if here else sys.stderr)
        return
    try:
        handle = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        yield None
        return
    with (
        os.fdopen(handle, encoding="utf-8", errors="replace") as source,
        os.fdopen(os.dup(handle), "w", encoding="utf-8") as screen,
    ):
        # A program in the background would be stopped if it read there: nobody looks at it.
        yield _Person(source, screen) if os.tcgetpgrp(handle) == os.getpgrp() else None
