"""OpenTelemetry spans of sessions and their steps, where `PLANTWIN_TELEMETRY` is set: closed words and numbers alone.

Where they go is for the person's own OpenTelemetry configuration to say; without one they go nowhere. Neither goal nor
id nor name is an attribute, nor anything that a step found.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from plantwin.errors import InputError
from plantwin.types.verdict import Denied
from plantwin.vocabulary import CapabilityName

if TYPE_CHECKING:
    from plantwin.boundary.release import Released
    from plantwin.events import Watcher
    from plantwin.run import Run
    from plantwin.session_context import SessionContext
    from plantwin.types.plan import Plan, Step
    from plantwin.types.verdict import Admission, Verdict

VARIABLE = "PLANTWIN_TELEMETRY"


@contextmanager
def traced(watcher: Watcher, record: Run) -> Iterator[Watcher]:
    """A watcher that also makes spans, where they are wanted; else the same."""
    if not os.environ.get(VARIABLE):
        yield watcher
        return
    try:
        from opentelemetry import trace
    except ImportError:
        raise InputError(f"{VARIABLE} is set: pip install 'plantwin[telemetry]', or unset it") from None
    tracer = trace.get_tracer("plantwin")
    with tracer.start_as_current_span("plantwin.session", record_exception=False) as span:
        span.set_attributes({"plantwin.audience": record.audience, "plantwin.locality": record.locality})
        try:
            yield _Traced(watcher, tracer, span)
        finally:
            span.set_attribute("plantwin.turns", len(record.turns))


class _Traced:
    """Passes everything on, with a span for each step."""

    def __init__(self, watcher: Watcher, tracer: Any, session: Any) -> None:
        self._watcher, self._tracer, self._session = watcher, tracer, session
        self._step: Any = None

    def began(self, context: SessionContext) -> None:
        self._session.add_event("observed")
        self._watcher.began(context)

    def sending(self, envelopes: Sequence[Released]) -> None:
        self._watcher.sending(envelopes)
        self._session.add_event("send", {"plantwin.bytes": sum(map(len, envelopes))})

    def planned(self, plan: Plan, admission: Admission) -> frozenset[str]:
        self._session.add_event("plan", {"plantwin.steps": len(plan.steps)})
        return self._watcher.planned(plan, admission)

    def deciding(self, step: Step) -> None:
        self._step = self._tracer.start_span("plantwin.step")
        # A planner may write any word there, and a person's own capability has a name of theirs.
        known = step.capability in CapabilityName.__members__.values()
        self._step.set_attribute("plantwin.capability", str(step.capability) if known else "other")
        self._watcher.deciding(step)

    def decided(self, step: Step, verdict: Verdict) -> None:
        if self._step is not None:
            self._step.set_attribute("plantwin.status", str(verdict.outcome.status))
            if isinstance(verdict, Denied):
                self._step.set_attributes({"plantwin.check": verdict.code.check, "plantwin.code": verdict.code.value})
            self._step.end()
            self._step = None
        self._watcher.decided(step, verdict)
