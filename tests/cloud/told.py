"""Envelopes to plan over, and planners on a server of the test's own."""

from __future__ import annotations

from handed import released

from plantwin.cloud.registry import Registry
from plantwin.config.planners import PlannerEntry
from plantwin.config.settings import Settings
from plantwin.private.capabilities import catalog as built_in
from plantwin.types.envelope import Registration, Request, Results
from plantwin.types.goal import Goal
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import CapabilityName, Kind, SemanticClass

CATALOG = built_in()
AUTH, PAY = "artifact_aaaaaaaa", "artifact_bbbbbbbb"
OBJECTS = (
    TwinObject(object_id=AUTH, kind=Kind.CODE_FILE, semantic_class=SemanticClass.AUTHENTICATION_MODULE),
    TwinObject(object_id=PAY, kind=Kind.CODE_FILE, semantic_class=SemanticClass.PAYMENT_MODULE),
)
FIRST = (
    released(Registration(objects=tuple(TwinObject(object_id=each.object_id, kind=each.kind) for each in OBJECTS))),
    released(Request(goal=Goal(intents=(CapabilityName.SECURITY_AUDIT,), objects=(AUTH, PAY)), objects=OBJECTS)),
)
SECOND = (released(Results(turn=1)),)


def witnessed(planner):
    """The planner, with a witness that keeps what it is handed."""
    planner.witnessed = []
    planner.witness = lambda *seen: planner.witnessed.append(seen)
    return planner


def configured(folder=None, *, catalog=CATALOG, **entry):
    """A planner of `[planners.test]`, witnessed."""
    entry.setdefault("model", "tiny")
    settings = Settings(planners={"test": PlannerEntry(**entry)})
    return witnessed(Registry(settings, catalog, folder).planner("test"))
