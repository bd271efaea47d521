"""Who plans: rules and models behind one interface, by the names that the command line takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

from plantwin.boundary.release import Released
from plantwin.cloud.planner import Planner
from plantwin.errors import InputError
from plantwin.types.capability import Catalog

RULES = ("offline", "heuristic")
"""Planners that read envelopes and no prose."""


class Open(NamedTuple):
    """What a planner of an open mode sees: the goal and the files as they are, or redacted."""

    goal: str
    texts: Mapping[str, str]
    prompt: str
    names: Mapping[str, str]
    """Paths by id."""


class Subject(NamedTuple):
    """A planner that is put to the test. A new one is made for each attempt."""

    name: str
    planner: Callable[[Catalog], Planner]
    opened: Callable[[Catalog, Open], Planner] | None = None
    """For a model, one that is sent files. None for rules."""
    blind: Callable[[Catalog], Planner] | None = None
    """One that plans without objects, where that has to be asked for."""

    def tokens(self, planner: Any) -> tuple[int, int]:
        """Tokens in and out that a planner counted."""
        used = getattr(planner, "tokens", None)
        return (int(used[0]), int(used[1])) if isinstance(used, tuple) else (0, 0)


@contextmanager
def subjects() -> Iterator[Callable[[str], Subject]]:
    """Planners by name. A model that has to be started is started once, and ended with the block."""
    made: dict[str, Subject] = {}
    with ExitStack() as stack:

        def named(name: str) -> Subject:
            if name not in made:
                made[name] = _subject(name, stack)
            return made[name]

        yield named


def _subject(name: str, stack: ExitStack) -> Subject:
    from plantwin.cloud.offline import Offline
    from plantwin_evals.heuristic import Heuristic

    if name == "offline":
        return Subject(name, Offline, blind=lambda catalog: Offline(catalog, blind=True))
    if name == "heuristic":
        return Subject(name, Heuristic)
    if name == "local":
        return _local(stack)
    from plantwin.cloud.registry import Registry
    from plantwin.config.settings import load_settings

    settings = load_settings()

    def planner(catalog: Catalog) -> Planner:
        return Registry(settings, catalog).planner(name)

    return Subject(name, planner, lambda catalog, seen: Sending(planner(catalog), seen, catalog))


def _local(stack: ExitStack) -> Subject:
    from plantwin.cloud.serving import Served
    from plantwin_evals.small import Small

    served = Served()
    stack.callback(served.close)
    return Subject("local", lambda catalog: Small(catalog, served), lambda catalog, seen: Small(catalog, served, seen))


class Sending:
    """A model that is sent whole files, as tools without a twin do. Only the tasks' own synthetic files go this way."""

    def __init__(self, planner: Planner, seen: Open, catalog: Catalog) -> None:
        from plantwin.cloud.remote import Remote

        if not isinstance(planner, Remote):
            raise InputError("this planner takes envelopes alone: modes raw, redacted and local need a model")
        self.name, self.audience, self.locality = planner.name, planner.audience, planner.locality
        self.text = seen.prompt
        self.tokens = (0, 0)
        self._planner, self._seen, self._catalog = planner, seen, catalog

    def plan(self, envelopes: Sequence[Released]) -> bytes:
        """The model's answer to the open prompt. Envelopes are not sent."""
        from plantwin.cloud.answering import plan_schema
        from plantwin.cloud.conversation import Said, Talk

        talk = Talk("", (Said("user", self.text),), plan_schema(list(self._catalog), list(self._seen.names)))
        reading = self._planner._read(talk, time.monotonic() + self._planner._manner.seconds)
        self.tokens = (reading.input_tokens, reading.output_tokens)
        return reading.text.encode("utf-8", "replace")
