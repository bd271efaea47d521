"""What happens in a session, as it happens: told to a watcher, or iterated over (`surfaces/awaited.py`: awaited).

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
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from plantwin.boundary.release import Released
    from plantwin.run import Run
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


class Stopped(Exception):  # noqa: N818 - not an error: a person wants no more
    """Raised by a watcher to end the session. What was done is kept."""


class Watcher(Protocol):
    """What a surface sees of a session, and what it may decide: to leave steps out, or to stop."""

    def began(self, context: SessionContext) -> None:
        """The folder is observed; nothing has been told yet."""
        ...

    def sending(self, envelopes: Sequence[Released]) -> None:
        """About to be sent; raise `Stopped` to end it here. The opening is shown before anything of it is recorded."""
        ...

    def planned(self, plan: Plan, admission: Admission) -> frozenset[str]:
        """A plan came back, checked and priced: ids of steps that are not to run."""
        ...

    def deciding(self, step: Step) -> None:
        """A step is about to be decided."""
        ...

    def decided(self, step: Step, verdict: Verdict) -> None:
        """What became of it."""
        ...


class Silent:
    """Watches and says nothing."""

    def began(self, context: SessionContext) -> None:
        """Say nothing."""

    def sending(self, envelopes: Sequence[Released]) -> None:
        """Let it go."""

    def planned(self, plan: Plan, admission: Admission) -> frozenset[str]:
        """Leave nothing out."""
        return frozenset()

    def deciding(self, step: Step) -> None:
        """Say nothing."""

    def decided(self, step: Step, verdict: Verdict) -> None:
        """Say nothing."""


Event = Began | Sending | Planned | Deciding | Decided | Ended
Work = Callable[[Watcher], "Run"]


class _Telling:
    """A watcher that passes on what it sees."""

    def __init__(self, tell: Callable[[Event], None]) -> None:
        self._tell = tell
        self.left = threading.Event()
        """Set when nobody listens any more."""

    def _say(self, event: Event) -> None:
        if self.left.is_set():
            raise Stopped
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


def started(work: Work, tell: Callable[[Event | BaseException], None]) -> tuple[_Telling, threading.Thread]:
    """Start a session in a thread of its own, and tell of everything that happens in it."""
    watcher = _Telling(tell)

    def run() -> None:
        try:
            tell(Ended(work(watcher)))
        except BaseException as error:  # whoever listens gets it
            tell(error)

    thread = threading.Thread(target=run, name="session", daemon=True)
    thread.start()
    return watcher, thread


def events(work: Work) -> Iterator[Event]:
    """Run a session beside, and yield what happens in it."""
    happened: queue.SimpleQueue[Event | BaseException] = queue.SimpleQueue()
    watcher, thread = started(work, happened.put)
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
