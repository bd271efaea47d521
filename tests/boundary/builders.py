"""Objects, capabilities and the other ends of the gatekeeper's seams, small and exact."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence

from plantwin.boundary.approval import Answer, Approvals, Nobody, Question
from plantwin.boundary.authority import Authority
from plantwin.boundary.budget import Weighted
from plantwin.boundary.channel import Channel
from plantwin.boundary.execution import Executed
from plantwin.boundary.gatekeeper import Gatekeeper
from plantwin.boundary.ledger.interface import Audience, Charge, Decision, Ledger
from plantwin.boundary.local_object import LocalObject
from plantwin.boundary.policy import Decided, Party, Ruling, Subject
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
REMOTE = Party("offline", "acme", "remote")


def key(name: str) -> bytes:
    """A ledger key."""
    return hashlib.sha256(name.encode()).digest()


def held(
    object_id: str = AUTH,
    *,
    edges: Sequence[TwinEdge] = (),
    labels: Iterable[str] = (),
    ambiguous: bool = False,
    version: str = "",
    **fields: object,
) -> LocalObject:
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
    made = TwinObject(object_id=object_id, **values)
    return LocalObject(made, key(object_id), tuple(edges), frozenset(labels), ambiguous, version)


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
        capability(CapabilityName.RUN_TESTS, risk=Risk.HIGH, returns=ResultType.TEST_RESULTS, project=True),
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
        self.given: list[str] = []
        """What each run was told that it may run."""
        self.recipes: dict[str, str] = {}
        self.repeated: list[tuple[str, str]] = []
        """Steps that were answered from an earlier one."""
        self.seen: Sequence[LocalObject] = ()
        self.prepared: Callable[[Capability, Sequence[str]], str] | None = None

    def prepare(self, capability: Capability, inputs: Sequence[str]) -> str:
        """What would run besides the inputs."""
        return "" if self.prepared is None else self.prepared(capability, inputs)

    def execute(
        self, step: str, capability: Capability, inputs: Sequence[str], *, recipe: str = "", prepared: str = ""
    ) -> Executed:
        """Remember and return."""
        self.ran.append((step, str(capability.name), tuple(inputs)))
        self.recipes[recipe] = step
        self.given.append(prepared)
        return self.executed

    def again(self, step: str, recipe: str) -> None:
        """Remember whose result it was."""
        self.repeated.append((step, self.recipes[recipe]))

    def sees(self, capability: Capability) -> Sequence[LocalObject]:
        """What code of the folder could read."""
        return self.seen


class Rules:
    """A policy with one ruling for everything, or another where a condition on the object holds."""

    version = "v1"

    def __init__(
        self,
        ruling: Ruling = Ruling.PERMIT,
        otherwise: Mapping[Ruling, Callable[[Subject], bool]] | None = None,
        **mentioned: Iterable[str],
    ) -> None:
        """`mentioned`: words that the conditions name, by Cedar's type for them."""
        self.ruling, self.otherwise = ruling, otherwise or {}
        self.mentioned = {type_: frozenset(words) for type_, words in mentioned.items()}

    def moment(self) -> None:
        """It looks at no clock."""

    def decide(self, party: object, capability: Capability, subject: Subject, **_: object) -> Decided:
        """The ruling."""
        found = (ruling for ruling, holds in self.otherwise.items() if holds(subject))
        return Decided(next(found, self.ruling), "policy-1")


def of_class(ruling: Ruling, leaf: SemanticClass) -> Rules:
    """A policy that permits everything but on objects of one class."""
    return Rules(Ruling.PERMIT, {ruling: lambda subject: subject.semantic_class is leaf}, Class=[leaf])


_AUTHORITY = ("goal_mode", "sandboxed", "labels")
_CHANNEL = ("session", "audience", "accountant", "authority", "limits")


def channel(ledger: Ledger, **changes: object) -> Channel:
    """A channel to a planner elsewhere, under a policy that permits everything."""
    given = {"policy": Rules(), "party": REMOTE, "catalog": CATALOG, **changes}
    asked = {name: given.pop(name) for name in _AUTHORITY if name in given}
    authority = Authority(given.pop("policy"), given.pop("party"), given.pop("catalog"), **asked)
    values = {"session": "session-1", "audience": AUDIENCE, "accountant": Weighted(), "authority": authority, **given}
    return Channel(ledger=ledger, **values)


def keeper(ledger: Ledger, **changes: object) -> Gatekeeper:
    """A gatekeeper over such a channel, with nobody to ask."""
    given = {
        "catalog": CATALOG,
        "shown": {AUTH: held()},
        "executor": Executor(),
        "approvals": Approvals(Nobody()),
        **changes,
    }
    names = (*_AUTHORITY, *_CHANNEL, "policy", "party")
    shared = {name: given.pop(name) for name in names if name in given}
    made = channel(ledger, catalog=given["catalog"], **shared)
    return Gatekeeper(made, **given)


def tell(ledger: Ledger, *units: str, of: str = AUTH, cost: int = 0, audience: Audience = AUDIENCE) -> None:
    """Let the audience know this of an object."""
    charges = tuple(Charge(key(of), unit, cost) for unit in units)
    ledger.transact(audience, [key(of)], lambda _: Decision(None, charges, {key(of): 1 << 40}))


class Person:
    """Answers every question in one way."""

    def __init__(self, approved: bool | None = True) -> None:
        self.approved = approved
        self.questions: list[Question] = []

    def ask(self, question: Question) -> Answer | None:
        """Say it."""
        self.questions.append(question)
        return None if self.approved is None else Answer(question.digest, self.approved)
