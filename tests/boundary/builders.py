"""Objects, capabilities and the other ends of the gatekeeper's seams, small and exact."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from plantwin.boundary.approval import Answer, Question
from plantwin.boundary.execution import Executed
from plantwin.boundary.held import Held
from plantwin.boundary.ledger.interface import Audience
from plantwin.boundary.policy import Decided, Ruling
from plantwin.types.capability import Capability, Catalog
from plantwin.types.twin import TagAmount, TwinEdge, TwinObject
from plantwin.vocabulary import (
    Affordance,
    Amount,
    CapabilityName,
    Confidence,
    ContentTag,
    EdgeReason,
    Freshness,
    Kind,
    OutcomeTag,
    Readiness,
    ResultType,
    Risk,
    Role,
    SemanticClass,
    Sensitivity,
    SizeBucket,
)

AUTH, PAY, ENV = "artifact_aaaaaaaa", "artifact_bbbbbbbb", "artifact_cccccccc"
FOREIGN = "artifact_zzzzzzzz"
AUDIENCE = Audience("acme", ("acme",))


def key(name: str) -> bytes:
    """A ledger key."""
    return hashlib.sha256(name.encode()).digest()


def held(object_id: str = AUTH, *, edges: Sequence[TwinEdge] = (), ambiguous: bool = False, **fields: object) -> Held:
    """An object with every field set."""
    values = {
        "kind": Kind.CODE_FILE,
        "semantic_class": SemanticClass.AUTHENTICATION_MODULE,
        "role": Role.PRODUCTION,
        "component": "component_aaaaaaaa",
        "sensitivity": Sensitivity.LOW,
        "freshness": Freshness.RECENT,
        "size_bucket": SizeBucket.SMALL,
        "contains": (ContentTag.ENDPOINTS, ContentTag.ERROR_HANDLING, ContentTag.TESTS, ContentTag.TODO_MARKERS),
        "amounts": (TagAmount(ContentTag.ENDPOINTS, Amount.MANY), TagAmount(ContentTag.TESTS, Amount.FEW)),
        "usable_for": (Affordance.COMPARE, Affordance.SECURITY_AUDIT),
        "readiness": Readiness.READY,
        "confidence": Confidence.HIGH,
        **fields,
    }
    return Held(TwinObject(object_id=object_id, **values), key(object_id), tuple(edges), frozenset(), ambiguous)


def edge(source: str = AUTH, target: str = PAY, reason: EdgeReason = EdgeReason.IMPORTS) -> TwinEdge:
    """A relation between two objects."""
    return TwinEdge(source=source, edge=reason.edge, target=target, reason=reason)


TOOL = TwinEdge(source=AUTH, edge=EdgeReason.RUNTIME.edge, reason=EdgeReason.RUNTIME)


def capability(name: CapabilityName = CapabilityName.SECURITY_AUDIT, **fields: object) -> Capability:
    """A capability on code and configs."""
    values = {
        "doc": "Looks.",
        "example": "look(artifact)",
        "kinds": frozenset({Kind.CODE_FILE, Kind.CONFIG}),
        "returns": ResultType.FINDINGS,
        "required_fields": ("semantic_class", "sensitivity"),
        "tags": frozenset({OutcomeTag.INJECTION, OutcomeTag.WEAK_CRYPTO, OutcomeTag.HARDCODED_SECRET}),
        **fields,
    }
    return Capability(name=name, **values)


CATALOG = Catalog(
    (
        capability(),
        capability(
            CapabilityName.COMPARE,
            least=2,
            most=2,
            takes=frozenset({ResultType.FINDINGS}),
            returns=ResultType.COMPARISON,
            tags=frozenset({OutcomeTag.FIRST_WORSE}),
        ),
        capability(CapabilityName.DESCRIBE, kinds=frozenset(Kind), returns=ResultType.FIELDS, tags=frozenset()),
        capability(CapabilityName.EXPAND, kinds=frozenset(Kind), most=1, returns=ResultType.FIELDS, tags=frozenset()),
        capability(CapabilityName.RUN_TESTS, risk=Risk.HIGH, returns=ResultType.TEST_RESULTS),
        capability(CapabilityName.REDACT_DOCUMENT, approval=True, returns=ResultType.DOCUMENT),
    )
)


class Executor:
    """Returns what it is told to, and remembers what it ran."""

    sandboxed = True

    def __init__(self, raw: object = None, failure: object = None) -> None:
        good = {"status": "done", "severity": "high", "count": "few", "tags": ["injection", "weak_crypto"]}
        self.executed = Executed(good if raw is None else raw, failure)  # type: ignore[arg-type]
        self.ran: list[tuple[str, str, tuple[str, ...]]] = []

    def execute(self, step: str, capability: Capability, inputs: Sequence[str]) -> Executed:
        """Remember and return."""
        self.ran.append((step, str(capability.name), tuple(inputs)))
        return self.executed


class Rules:
    """A policy with one ruling for everything, or one per object."""

    version = "v1"

    def __init__(self, ruling: Ruling = Ruling.PERMIT, by_object: dict[str, Ruling] | None = None) -> None:
        self.ruling, self.by_object = ruling, by_object or {}

    def decide(self, party: object, capability: Capability, held: Held, *, goal_mode: str, sandboxed: bool) -> Decided:
        """The ruling."""
        return Decided(self.by_object.get(held.id, self.ruling), "policy-1")


class Person:
    """Answers every question in one way."""

    def __init__(self, approved: bool | None = True) -> None:
        self.approved = approved
        self.questions: list[Question] = []

    def ask(self, question: Question) -> Answer | None:
        """Say it."""
        self.questions.append(question)
        return None if self.approved is None else Answer(question.digest, self.approved)
