"""Objects, capabilities and the other ends of the gatekeeper's seams, small and exact."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence

from plantwin.boundary.approval import Approvals
from plantwin.boundary.authority import Authority
from plantwin.boundary.budget import Weighted
from plantwin.boundary.channel import Channel
from plantwin.boundary.gatekeeper import Gatekeeper
from plantwin.boundary.release import Release
from plantwin.private.generalize import set_size
from plantwin.types.approval import Answer, Nobody, Question
from plantwin.types.capability import Capability, Catalog
from plantwin.types.execution import Executed, Scope
from plantwin.types.execution import Executor as BaseExecutor
from plantwin.types.ledger import Audience, Charge, Decision, Ledger
from plantwin.types.local import LocalObject, LocalSet, Subject
from plantwin.types.plan import StepInput
from plantwin.types.policy import Decided, Party, Ruling
from plantwin.types.sets import SetRelation, TwinSet
from plantwin.types.twin import TagAmount, TwinEdge, TwinObject
from plantwin.vocabulary import (
    Affordance,
    Amount,
    CapabilityName,
    Confidence,
    ContentTag,
    Dimension,
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
SET, OTHER = "set_aaaaaaaa", "set_bbbbbbbb"
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
    cell: str = "",
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
    account = key(cell) if cell else b""
    return LocalObject(made, key(object_id), tuple(edges), frozenset(labels), ambiguous, version, account)


def edge(source: str = AUTH, target: str = PAY, reason: EdgeReason = EdgeReason.IMPORTS) -> TwinEdge:
    """A relation between two objects."""
    return TwinEdge(source=source, edge=reason.edge, target=target, reason=reason)


def several(
    set_id: str = SET,
    count: int = 12,
    cells: Iterable[str] = ("cell",),
    version: str = "v1",
    relations: Sequence[SetRelation] = (),
    **fields: object,
) -> LocalSet:
    """A set of code."""
    made = TwinSet(set_id=set_id, size=set_size(count), **{"kind": Kind.CODE_FILE, **fields})
    return LocalSet(made, tuple(map(key, cells)), count, version, tuple(relations))


def scope(
    number: int = 12,
    *,
    cells: Iterable[str] = ("cell",),
    few: Sequence[LocalObject] = (),
    rest: Sequence[LocalObject] = (),
    subjects: Iterable[Subject] | None = None,
    version: str = "v1",
) -> Scope:
    """What stands behind an input that is several."""
    who = [held().subject] if subjects is None else subjects
    return Scope(tuple(map(key, cells)), number, tuple(few), tuple(rest), dict.fromkeys(who, 1), version)


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
        capability(CapabilityName.SPLIT, kinds=frozenset(Kind), most=1, returns=ResultType.FIELDS, tags=frozenset()),
        capability(
            CapabilityName.REPORT,
            kinds=frozenset(Kind),
            takes=frozenset(ResultType) - {ResultType.FIELDS},
            most=16,
            returns=ResultType.DOCUMENT,
        ),
        capability(CapabilityName.RUN_TESTS, risk=Risk.HIGH, returns=ResultType.TEST_RESULTS, project=True),
        capability(CapabilityName.REDACT_DOCUMENT, approval=True, returns=ResultType.DOCUMENT),
    )
)


class Executor(BaseExecutor):
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
        self.prepared: Callable[[Capability, Sequence[StepInput]], str] | None = None
        self.scopes: dict[str, Scope] = {}
        """What stands behind sets and parts, by how they are written; twelve of one cell unless told otherwise."""
        self.pieces: Sequence[LocalSet] = ()
        self.worked: list[dict[str, object]] = []
        """What each run was told to work on, and what to leave out."""

    def scope(self, inputs: Sequence[StepInput]) -> Scope:
        """What stands behind inputs; of several only that nobody is left out."""
        return self.scopes.get(str(inputs[0]), scope()) if len(inputs) == 1 else scope()

    def split(self, set_id: str, by: Dimension) -> Sequence[LocalSet]:
        """The same pieces of everything."""
        return self.pieces

    def prepare(self, capability: Capability, inputs: Sequence[StepInput]) -> str:
        """What would run besides the inputs."""
        return "" if self.prepared is None else self.prepared(capability, inputs)

    def execute(
        self,
        step: str,
        capability: Capability,
        inputs: Sequence[StepInput],
        *,
        recipe: str = "",
        prepared: str = "",
        **worked: object,
    ) -> Executed:
        """Remember and return."""
        self.ran.append((step, str(capability.name), tuple(map(str, inputs))))
        self.recipes[recipe] = step
        self.given.append(prepared)
        self.worked.append(worked)
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
_CHANNEL = ("session", "audience", "accountant", "authority", "limits", "sharing")


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
        "sets": (several(),),
        "executor": Executor(),
        "approvals": Approvals(Nobody()),
        **changes,
    }
    names = (*_AUTHORITY, *_CHANNEL, "policy", "party")
    shared = {name: given.pop(name) for name in names if name in given}
    made = channel(ledger, catalog=given["catalog"], **shared)
    release = Release(made)
    release.shown = given.pop("shown")
    release.show(sets := given.pop("sets"), [each.set for each in sets])
    return Gatekeeper(made, release=release, **given)


def tell(ledger: Ledger, *units: str, of: str = AUTH, cost: int = 0, audience: Audience = AUDIENCE) -> None:
    """Let the audience know this of an object."""
    charges = tuple(Charge(key(of), unit, cost) for unit in units)
    ledger.transact(audience, [key(of)], lambda _: Decision(None, charges, {key(of): 1 << 40}))


def spent(ledger: Ledger, of: str = AUTH) -> int:
    """What the audience has been told of it, in thousandths."""
    return ledger.known(AUDIENCE, [key(of)])[key(of)].spent


def units(ledger: Ledger, of: str = AUTH) -> frozenset[str]:
    """What the audience knows of it."""
    return ledger.known(AUDIENCE, [key(of)])[key(of)].units


class Person:
    """Answers every question in one way."""

    def __init__(self, approved: bool | None = True) -> None:
        self.approved = approved
        self.questions: list[Question] = []

    def ask(self, question: Question) -> Answer | None:
        """Say it."""
        self.questions.append(question)
        return None if self.approved is None else Answer(question.digest, self.approved)
