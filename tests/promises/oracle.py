"""An attacker who knows every capability by heart: it asks what splits its candidates best, until nothing more is told.

A secret is one of many variants of a file. The attacker can compute what every call would tell of every variant, so
its only way to learn which one is there is to ask. What it learns is compared with what the ledger charged.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from math import log2

import msgspec

from plantwin.boundary.approval import Approvals
from plantwin.boundary.authority import Authority
from plantwin.boundary.budget import Weighted
from plantwin.boundary.channel import Channel
from plantwin.boundary.gatekeeper import Gatekeeper
from plantwin.boundary.release import Release
from plantwin.private.capabilities.engine.job import Input, Job, Result, Surroundings
from plantwin.types.approval import Answer
from plantwin.types.capability import Capability, Catalog
from plantwin.types.execution import Executed, Executor
from plantwin.types.ledger import UNLIMITED, Audience, Charge, Decision
from plantwin.types.local import LocalObject
from plantwin.types.outcome import Outcome
from plantwin.types.plan import Plan, Step
from plantwin.types.policy import Decided, Party, Ruling
from plantwin.types.prices import field_of
from plantwin.types.twin import TwinObject
from plantwin.types.verdict import Allowed
from plantwin.vocabulary import (
    Affected,
    Confidence,
    Examined,
    Findings,
    Kind,
    OutcomeTag,
    SemanticClass,
    Sensitivity,
    Severity,
    StepStatus,
)

AUDIENCE = Audience("acme", ("acme",))
SECRET = "artifact_aaaaaaaa"
OTHERS = ("artifact_bbbbbbbb", "artifact_cccccccc", "artifact_dddddddd")

PRESENCE = 2 * 2 * 2 * 2 * 3
"""Ways in which each of four words and tags can be there or not; of tags, counted generously."""
BITS: Mapping[str, float] = {
    "status": log2(len(StepStatus) * PRESENCE),
    "severity": log2(len(Severity)),
    "count": log2(len(Findings)),
    "examined": log2(len(Examined)),
    "affected": log2(len(Affected)),
    "tag": log2(len(OutcomeTag)),
}
"""What one charged unit is worth: a word of its vocabulary. The status also says which others are there."""

Run = Callable[[Job], Result]
Call = tuple[Step, ...]
"""Steps of one plan; the last is what is asked, the others make its inputs."""


def bits(units: Sequence[str]) -> float:
    """What these charged units are worth."""
    return sum(BITS[field_of(unit)] for unit in units if field_of(unit) in BITS)


def held(object_id: str, kind: Kind, leaf: SemanticClass) -> LocalObject:
    """An object of low sensitivity, so that there is most to spend."""
    told = TwinObject(
        object_id=object_id, kind=kind, semantic_class=leaf, sensitivity=Sensitivity.LOW, confidence=Confidence.HIGH
    )
    return LocalObject(told, hashlib.sha256(object_id.encode()).digest())


class Permits:
    """A policy that permits everything."""

    version = "all"
    mentioned: Mapping[str, frozenset[str]] = {}

    def moment(self) -> None:
        """It looks at no clock."""

    def decide(self, *_: object, **__: object) -> Decided:
        return Decided(Ruling.PERMIT, "all")


class Yes:
    """A person who approves everything."""

    def ask(self, question):
        return Answer(question.digest, True)


REQUEST = "where are the password, the user, the total and the error handled"


class Inside(Executor):
    """Runs the real functions in this process, on content that is given."""

    sandboxed = True

    def __init__(
        self,
        inputs: Mapping[str, Input],
        functions: Callable[[str], Run],
        memory: dict | None = None,
        around: Surroundings | None = None,
    ) -> None:
        self._inputs, self._functions, self._around = inputs, functions, around or Surroundings()
        self._results: dict[str, tuple[str, Result]] = {}
        self._recipes: dict[str, tuple[str, Result]] = {}
        self._memory = {} if memory is None else memory

    def again(self, step: str, recipe: str) -> None:
        """The earlier result is this step's too."""
        self._results[step] = self._recipes[recipe]

    def execute(
        self, step: str, capability: Capability, inputs: Sequence[str], *, recipe: str = "", **_: object
    ) -> Executed:
        given = tuple(self._input(each) for each in inputs)
        name = capability.name.value
        # The functions are deterministic: the same job has the same result in every session.
        places = {each.name: place for place, each in enumerate(self._around.objects)}
        positions = tuple(places.get(each.name, -1) for each in given)
        around = msgspec.structs.replace(self._around, inputs=positions) if capability.surroundings else Surroundings()
        # The person's words, which a capability may look for: the planner does not choose them.
        options = {"request": REQUEST}
        job = Job(capability=name, inputs=given, options=options, surroundings=around)
        known = (name, msgspec.json.encode(job))
        if known not in self._memory:
            self._memory[known] = self._functions(name)(job)
        result = self._memory[known]
        self._results[step] = self._recipes[recipe] = (name, result)
        return Executed(raw=msgspec.to_builtins(result.outcome))

    def _input(self, name: str) -> Input:
        if name in self._inputs:
            return self._inputs[name]
        capability, result = self._results[name]
        return Input(name=name, capability=capability, result=msgspec.to_builtins(result))


class Session:
    """One audience and one variant: the real gatekeeper over a ledger of its own."""

    def __init__(self, ledger, catalog: Catalog, shown: Mapping[str, LocalObject], executor: Inside) -> None:
        self._ledger, self._shown = ledger, shown
        # What depends on an object's class may be asked for by those alone who were told it; with the sensitivity
        # told to be low, there is most to spend.
        told = tuple(
            Charge(each.key, unit, 0)
            for each in shown.values()
            for unit in (f"semantic_class={each.semantic_class}", f"sensitivity={each.object.sensitivity}")
        )
        limits = {each.key: 0 for each in shown.values()}
        ledger.transact(AUDIENCE, list(limits), lambda _: Decision(None, told, limits))
        authority = Authority(Permits(), Party("attacker", "acme", "remote"), catalog)
        channel = Channel("s", AUDIENCE, ledger, Weighted(), authority, UNLIMITED)
        release = Release(channel)
        release.shown |= shown
        self._keeper = Gatekeeper(channel, catalog, release, executor, Approvals(Yes()))

    def ask(self, call: Call) -> tuple[tuple[Outcome, ...], int]:
        """What the planner hears of every step, and what that cost over all objects."""
        plan = Plan(steps=call)
        heard: list[Outcome] = []
        refused: set[str] = set()
        cost = 0
        for position in plan.order():
            verdict = self._keeper.gate(plan, position, frozenset(refused))
            heard.append(verdict.outcome)
            if isinstance(verdict, Allowed):
                cost += sum(spent for _, spent in verdict.spent)
            else:
                refused.add(plan.steps[position].id)
        return tuple(heard), cost

    def charged(self) -> float:
        """What the ledger has charged on all objects, in bits."""
        known = self._ledger.known(AUDIENCE, [each.key for each in self._shown.values()])
        return sum(bits(tuple(each.units)) for each in known.values())


def calls(catalog: Catalog, name: str, others: Sequence[str]) -> list[Call]:
    """Every way to ask about the secret: alone, beside others in any order, and by way of earlier results."""
    capability = catalog[name]
    found: list[Call] = []
    for size in range(max(1, capability.least), min(capability.most, 1 + len(others)) + 1):
        for inputs in permutations((SECRET, *others), size):
            if SECRET in inputs and size <= 3:
                found.append((Step(id="s1", capability=name, inputs=inputs),))
    for source in catalog.values():
        if source.returns in capability.takes and source.least <= 1 and source.name.value != "describe":
            first = Step(id="s1", capability=source.name.value, inputs=(SECRET,))
            if capability.least <= 1:
                found.append((first, Step(id="s9", capability=name, inputs=("s1",))))
            for other in others if capability.most >= 2 else ():
                second = Step(id="s2", capability=source.name.value, inputs=(other,))
                for inputs in (("s1", "s2"), ("s2", "s1")):
                    found.append((first, second, Step(id="s9", capability=name, inputs=inputs)))
    return found


class Attack:
    """All variants at once: what each call tells of each, and what an adaptive attacker learns."""

    def __init__(self, sessions: Callable[[int], Session], variants: int, questions: Sequence[Call]) -> None:
        self._sessions, self._variants, self._questions = sessions, variants, questions

    def learned(self) -> tuple[list[tuple], list[float]]:
        """The transcript and the charge, for each variant that may be the secret."""
        transcripts: list[tuple] = [()] * self._variants
        charges = [0.0] * self._variants
        live = {number: self._sessions(number) for number in range(self._variants)}
        # Adaptive: within every group that looks the same so far, the question comes next that splits it best.
        groups = [(list(range(self._variants)), list(self._questions))]
        table = self._foreseen()
        while groups:
            members, left = groups.pop()
            best = max(left, key=lambda call: _entropy(table[call][number] for number in members), default=None)
            if best is None:
                continue
            split: dict[object, list[int]] = {}
            for number in members:
                heard, _ = live[number].ask(best)
                transcripts[number] += ((best, heard),)
                split.setdefault(heard, []).append(number)
            rest = [call for call in left if call is not best]
            groups += [(part, rest) for part in split.values()]
        for number, session in live.items():
            charges[number] = session.charged()
        return transcripts, charges

    def _foreseen(self) -> dict[Call, list[object]]:
        """What the attacker computes at home: what each question, asked first, tells of each variant."""
        return {
            call: [self._sessions(number).ask(call)[0] for number in range(self._variants)] for call in self._questions
        }


def _entropy(values) -> float:
    tally = Counter(values)
    total = sum(tally.values())
    return -sum(number / total * log2(number / total) for number in tally.values())


def information(transcripts: Sequence[object]) -> float:
    """Bits that the transcript tells of the secret, when every variant is as likely."""
    return _entropy(transcripts)
