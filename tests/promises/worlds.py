"""Worlds that differ in one untold field, and what a planner hears and is charged in each: opening, then one step."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from plantwin.boundary.approval import Approvals
from plantwin.boundary.authority import Authority
from plantwin.boundary.budget import Weighted
from plantwin.boundary.channel import Channel
from plantwin.boundary.gatekeeper import Gatekeeper
from plantwin.boundary.release import Release
from plantwin.ledgers.rehearsal import Rehearsal
from plantwin.types.approval import Answer, Approver, Nobody
from plantwin.types.capability import Capability, Catalog
from plantwin.types.execution import Executed, Executor
from plantwin.types.goal import Goal
from plantwin.types.ledger import UNLIMITED, Audience, Charge, Decision, Known, Standing
from plantwin.types.local import LocalObject
from plantwin.types.plan import Plan, Step
from plantwin.types.twin import TwinObject
from plantwin.types.verdict import Allowed
from plantwin.vocabulary import (
    Confidence,
    Freshness,
    Kind,
    SemanticClass,
    Sensitivity,
    SensitivityCause,
)

AUDIENCE = Audience("acme", ("acme",))
SECRET, PLAIN = "artifact_aaaaaaaa", "artifact_bbbbbbbb"
LABELS = ("private", "public")
WORKDAY = time.struct_time((2024, 5, 1, 12, 0, 0, 2, 122, 0))


class World(NamedTuple):
    """What is true of the one object that the attacker is after."""

    kind: Kind
    leaf: SemanticClass
    sensitivity: Sensitivity = Sensitivity.LOW
    causes: tuple[SensitivityCause, ...] = ()
    freshness: Freshness = Freshness.RECENT
    confidence: Confidence = Confidence.HIGH
    labels: frozenset[str] = frozenset()
    ambiguous: bool = False

    def held(self, object_id: str = SECRET) -> LocalObject:
        """The object."""
        told = TwinObject(
            object_id=object_id,
            kind=self.kind,
            semantic_class=self.leaf,
            sensitivity=self.sensitivity,
            sensitivity_causes=self.causes or msgspec.UNSET,
            freshness=self.freshness,
            confidence=self.confidence,
        )
        key = hashlib.sha256(object_id.encode()).digest()
        return LocalObject(told, key, (), self.labels, self.ambiguous, "v1")

    def facts(self) -> set[str]:
        """Everything that a ledger can hold of it, of the fields that a policy may look at."""
        found = {
            f"semantic_class={self.leaf}", f"family={self.leaf.family}", f"sensitivity={self.sensitivity}",
            f"freshness={self.freshness}", f"confidence={self.confidence}",
            f"confidence={'unsure' if self.ambiguous else 'sure'}",
        }  # fmt: skip
        for field, true, words in (
            ("labels", self.labels, LABELS), ("sensitivity_causes", self.causes, tuple(SensitivityCause)),
        ):  # fmt: skip
            found |= {f"{field}={'' if word in true else 'not_'}{word}" for word in words}
        return found | (set() if self.causes else {"nothing=sensitivity_causes"})


def changed(world: World) -> Iterator[tuple[str, World]]:
    """The worlds that differ from this one in one field."""
    alternatives: Mapping[str, Iterable[object]] = {
        "sensitivity": Sensitivity,
        "causes": ((), (SensitivityCause.CREDENTIAL,), (SensitivityCause.PERSONAL,)),
        "freshness": Freshness,
        "confidence": Confidence,
        "labels": (frozenset(), frozenset({"private"}), frozenset({"public"}), frozenset(LABELS)),
        "ambiguous": (False, True),
        "leaf": (
            next(each for each in SemanticClass if each.family is world.leaf.family and each is not world.leaf),
            next(each for each in SemanticClass if each.family is not world.leaf.family),
        ),
    }  # fmt: skip
    for field, values in alternatives.items():
        for value in values:
            if value != getattr(world, field):
                yield field, world._replace(**{field: value})


class Blank:
    """A ledger in which nothing has been told yet; a rehearsal on it keeps everything in memory."""

    def known(self, audience: Audience, keys: Sequence[bytes]) -> dict[bytes, Known]:
        return {key: Known() for key in keys}

    def standing(self, audience: Audience, keys: Sequence[bytes] = (), seconds: float = 0) -> Standing:
        return Standing(self.known(audience, keys))


class Person:
    """Says the same to everything."""

    def __init__(self, approved: bool) -> None:
        self.approved = approved

    def ask(self, question):
        return Answer(question.digest, self.approved)


PEOPLE: Mapping[str, Approver] = {"yes": Person(True), "no": Person(False), "nobody": Nobody()}


class Constant(Executor):
    """Runs nothing and says the same of every object: what is heard differs by verdicts and fields alone."""

    sandboxed = True

    def prepare(self, capability: Capability, inputs: Sequence[str]) -> str:
        return "same"

    def execute(self, step: str, capability: Capability, inputs: Sequence[str], **_: object) -> Executed:
        return Executed({"status": "done", "count": "few"})

    def again(self, step: str, recipe: str) -> None:
        raise AssertionError("every step is asked for once")


class Heard(NamedTuple):
    """One answer of the local side: what a planner reads in it, and what the ledger holds of the secret afterwards."""

    words: object
    spent: int
    known: frozenset[str]


class Session:
    """One planner in one world, with a ledger of its own."""

    def __init__(self, world: World, authority: Authority, catalog: Catalog, *, told: Iterable[str], left: int) -> None:
        self.held, self._catalog = world.held(), catalog
        self._ledger = Rehearsal(Blank())
        accountant = Weighted()
        units = [self.held.unit(each) for each in told]
        most = accountant.threshold(self.held, Known(frozenset(units)))
        charges = [Charge(self.held.key, unit, 0) for unit in units]
        charges.append(Charge(self.held.key, "raced=1", max(0, most - left)))
        decision = Decision(None, tuple(charges), {self.held.key: 1 << 40})
        self._ledger.transact(AUDIENCE, [self.held.key], lambda _: decision)
        self._channel = Channel("s", AUDIENCE, self._ledger, accountant, authority, UNLIMITED)

    def heard(self, words: object) -> Heard:
        """With what the ledger holds now."""
        known = self._ledger.known(AUDIENCE, [self.held.key])[self.held.key]
        return Heard(words, known.spent, frozenset(unit.partition("@")[0] for unit in known.units))

    def opening(self, fields: Sequence[str]) -> Iterator[Heard]:
        """Registration and request, among another object so that there is something to tell in every world."""
        plain = World(Kind.DOCUMENT, SemanticClass.README).held(PLAIN)
        release = Release(self._channel)
        for envelope in (
            lambda: release.registration([self.held, plain]),
            lambda: release.request(Goal(), dict.fromkeys((SECRET, PLAIN), fields)),
        ):
            told = msgspec.json.decode(envelope().data)["objects"]
            yield self.heard([each for each in told if each["object_id"] == SECRET])

    def step(self, capability: str, person: Approver, shown: bool) -> Heard:
        """What a plan of one step hears, asked after the opening; other steps asked then do not count here."""
        ledger = Rehearsal(self._ledger)
        plain = World(self.held.object.kind, self.held.semantic_class).held(PLAIN)
        release = Release(self._channel._replace(ledger=ledger))
        release.shown |= {PLAIN: plain, SECRET: self.held} if shown else {PLAIN: plain}
        keeper = Gatekeeper(
            self._channel._replace(ledger=ledger), self._catalog, release, Constant(), Approvals(person)
        )
        inputs = (SECRET, PLAIN)[: max(1, self._catalog[capability].least)]
        step = Step(id="s1", capability=capability, inputs=inputs)
        verdict = keeper.gate(Plan(steps=(step,)), 0, frozenset())
        objects = verdict.objects if isinstance(verdict, Allowed) else ()
        before, self._ledger = self._ledger, ledger
        heard = self.heard((msgspec.to_builtins(verdict.outcome), msgspec.to_builtins(objects)))
        self._ledger = before
        return heard


def betrayal(one: World, two: World, first: Heard, second: Heard) -> str:
    """What is wrong with two answers of worlds that were alike so far; nothing, where what tells them apart is paid."""
    if all(
        heard.known & (mine.facts() - other.facts())
        for mine, other, heard in ((one, two, first), (two, one, second))
        if heard.words
    ):
        return ""
    if first.words != second.words:
        return f"told and not charged: {sorted(first.known)} and {sorted(second.known)}"
    # The charge is heard too, some day: it is what is left that decides.
    return "" if first.spent == second.spent else f"charges {first.spent} and {second.spent}"
