"""The goals that one server works on, or has worked on since it was started."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from plantwin.private.facts import Private
from plantwin.surfaces.console.conversation import Conversation

MOST_OPEN: Final = 4
"""Goals that are worked on at a time."""
MOST_KEPT: Final = 50
"""Goals whose pages are kept; reports stay."""


class Conversations(Private):
    """The goals of one server, by id."""

    def __init__(self) -> None:
        self._kept: dict[str, Conversation] = {}
        self._lock = threading.Lock()

    def begin(self, make: Callable[[], Conversation]) -> Conversation | None:
        """Begin one; None where too many are worked on."""
        with self._lock:
            if sum(not one.over for one in self._kept.values()) >= MOST_OPEN:
                return None
            over = [id_ for id_, one in self._kept.items() if one.over]
            for id_ in over[: max(0, len(self._kept) - MOST_KEPT + 1)]:
                del self._kept[id_]
            made = make()
            self._kept[made.id] = made
        return made.start()

    def get(self, id_: str) -> Conversation | None:
        """Return one."""
        with self._lock:
            return self._kept.get(id_)

    def all(self) -> list[Conversation]:
        """All that are kept, the newest first."""
        with self._lock:
            return list(self._kept.values())[::-1]

    def close(self) -> None:
        """End all; what was done is kept."""
        for one in self.all():
            one.stop()
        for one in self.all():
            if not one.over:
                one.join(2.0)
