"""What happens in a session, as it happens, to be iterated over. `surfaces/awaited.py` has the same for who awaits.

    for event in session.events("Is anything in here unsafe?"):
        match event:
            case Decided(step, verdict): ...
            case Ended(run): ...

The session runs in a thread of its own. Who stops listening stops it: what was done is kept.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plantwin.boundary.release import Released
    from plantwin.run import Run
    from plantwin.session import Watcher
    from plantwin.session_context import SessionContext
    from plantwin.types.plan import Plan, Step
    from plantwin.types.verdict import Admission, Verdict


@dataclass(frozen=True, repr=False)
class Began:
    """The folder is observed; nothing has been told yet."""

    context: SessionContext


@dataclass(frozen=True)
class Sending:
    """These envelopes are about to be sent."""

    envelopes: tuple[Released, ...]


@dataclass(frozen=True)
class Planned:
    """A plan came back, checked and priced."""

    plan: Plan
    admission: Admission


@dataclass(frozen=True)
class Deciding:
    """A step is about to be decided."""

    step: Step


@dataclass(frozen=True)
class Decided:
    """What became of a step."""

    step: Step
    verdict: Verdict


@dataclass(frozen=True)
class Ended:
    """The session is over. It is the last event."""

    run: Run


Event = Began | Sending | Planned | Deciding | Decided | Ended
Work = Callable[["Watcher"], "Run"]
Stop = Callable[[], Exception]


class _Telling:
    """A watcher that passes on what it sees."""

    def __init__(self, tell: Callable[[Event], None], stop: Stop) -> None:
        self._tell, self._stop = tell, stop
        self.left = threading.Event()
        """Set when nobody listens any more."""

    def _say(self, event: Event) -> None:
        if self.left.is_set():
            raise self._stop()
        self._tell(event)

    def began(self, context: SessionContext) -> None:
        self._say(Began(context))

    def sending(self, envelopes: Sequence[Released]) -> None:
        self._say(Sending(tuple(envelopes)))

    def planned(self, plan: Plan, admission: Admission) -> frozenset[str]:
        self._say(Planned(plan, admission))
        return frozenset()

    def deciding(self, step: Step) -> None:
        self._say(Deciding(step))

    def decided(self, step: Step, verdict: Verdict) -> None:
        self._say(Decided(step, verdict))


def started(work: Work, tell: Callable[[Event | BaseException], None], stop: Stop) -> tuple[_Telling, threading.Thread]:
    """Start a session in a thread of its own, and tell of everything that happens in it."""
    watcher = _Telling(tell, stop)

    def run() -> None:
        try:
            tell(Ended(work(watcher)))
        except BaseException as error:  # whoever listens gets it
            tell(error)

    thread = threading.Thread(target=run, name="session", daemon=True)
    thread.start()
    return watcher, thread


def events(work: Work, stop: Stop) -> Iterator[Event]:
    """Run a session beside, and yield what happens in it."""
    happened: queue.SimpleQueue[Event | BaseException] = queue.SimpleQueue()
    watcher, thread = started(work, happened.put, stop)
    try:
        while True:
            event = happened.get()
            if isinstance(event, BaseException):
                raise event
            yield event
            if isinstance(event, Ended):
                return
    finally:
        watcher.left.set()
        thread.join()
