"""Lazy disclosure, in its moments: registration tells kinds, a request the fields that its goal needs,
results what became of the steps. Each is one transaction: chosen, charged, encoded and written to the trail
before it is handed out to be sent.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import UNSET

from plantwin.boundary.answer import MAX_ANSWER_BYTES
from plantwin.boundary.budget import Accountant
from plantwin.boundary.disclosure import Told, bare, disclose
from plantwin.boundary.goal import WORDS, spoken, unnamed
from plantwin.boundary.groups import Folder, Gathered, Place, gather
from plantwin.boundary.held import Held
from plantwin.boundary.ledger.interface import Audience, Charge, Decision, Entry, Known, Ledger
from plantwin.boundary.limits import HOUR, Limits
from plantwin.boundary.pricing import reserve
from plantwin.boundary.trail import canonical_json
from plantwin.boundary.wire import Encoded, encode, encode_verbatim
from plantwin.errors import LimitError
from plantwin.types.envelope import Envelope, Offer, Registration, Repair, Request, Results
from plantwin.types.goal import Goal, Verbatim
from plantwin.types.outcome import StepResult
from plantwin.types.twin import TwinEdge, TwinObject
from plantwin.types.verdict import Allowed, Verdict
from plantwin.vocabulary import RepairCode, member

OUTCOMES: Final = 3
"""Outcomes of steps that a request leaves room for, as far as half of an object's budget has room for them."""


class Release:
    """What one session tells one audience."""

    def __init__(
        self,
        session: str,
        ledger: Ledger,
        accountant: Accountant,
        audience: Audience,
        limits: Limits,
        folder: Folder | None = None,
    ) -> None:
        """`folder`: whose budget pays for groups. Without one, nothing is told of objects that are not listed."""
        self._session = session
        self._ledger = ledger
        self._accountant = accountant
        self._audience = audience
        self._limits = limits
        self._folder = folder
        self.groups: dict[str, Gathered] = {}
        """Groups that the planner has been told of in this session."""
        self.shown: dict[str, Held] = {}
        """Objects that the planner has been shown in this session."""
        self.withheld: dict[str, tuple[str, ...]] = {}
        """Fields that did not fit, by object."""
        self.excluded: list[str] = []
        """Objects of which not even the kind fits."""
        self.sent: list[Encoded] = []

    def turn(self) -> None:
        """Count a turn, or refuse it: the planner is asked only so often."""
        if self._ledger.recent(self._audience, "turn", HOUR) >= self._limits.turns_per_hour:
            raise LimitError(
                "limits.turns_per_hour is reached for this audience: wait, or raise it in your configuration"
            )
        self._ledger.note(self._audience.name, "turn")

    def answered(self, answer: bytes) -> None:
        """Record what came back, as far as an answer may be long: it is the planner's word, not content of X."""
        text = answer[:MAX_ANSWER_BYTES].decode("utf-8", "replace")
        body = {"session": self._session, "bytes": len(answer), "data": text}
        self._ledger.note(self._audience.name, "answer", (Entry("answer", canonical_json(body)),))

    def payload(self, data: bytes, origin: str, skill: str) -> None:
        """Record what is about to be sent around envelopes: its digest and where it goes. Not recorded, not sent."""
        body = {
            "session": self._session, "audience": self._audience.name, "origin": origin,
            "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data), "skill": skill,
        }  # fmt: skip
        self._ledger.note(self._audience.name, "payload", (Entry("payload", canonical_json(body)),))

    def repair(self, code: str) -> Encoded:
        """Why the last answer is no plan, in one closed word. It tells nothing of any object."""
        encoded = encode(Repair(code=member(RepairCode, code)))
        self._ledger.note(self._audience.name, "repair", (self._entry(encoded),))
        return self._handed(encoded)

    def registration(self, held: Sequence[Held], rest: Sequence[Place] = ()) -> Encoded:
        """Which objects there are: the kind of each, in random order; `rest` is told as groups."""
        order = list(held)
        secrets.SystemRandom().shuffle(order)
        folder = self._folder
        keys = [each.key for each in order] + ([folder.key] if folder else [])
        room = self._room()

        def decide(known: Mapping[bytes, Known]) -> Decision[tuple[list[Told], dict[str, Gathered], Encoded]]:
            told = self._choose(order, {each.id: () for each in order}, known, room)
            made = tuple(charge for one in told for charge in one.charges)
            left_out = [each.object.kind for each, one in zip(order, told, strict=True) if one.object is None]
            groups: dict[str, Gathered] = {}
            paid: tuple[Charge, ...] = ()
            if folder:
                left = room - len(made)
                groups, paid = gather(rest, left_out, folder, known[folder.key], self._accountant, left)
            listed = tuple(each.group for each in groups.values())
            encoded = encode(Registration(objects=_objects(told), groups=listed))
            return Decision((told, groups, encoded), made + paid, self._thresholds(order), (self._entry(encoded),))

        told, groups, encoded = self._ledger.transact(self._audience, keys, decide)
        self.groups |= groups
        for each, one in zip(order, told, strict=True):
            if one.object is None:
                self.excluded.append(each.id)
            else:
                self.shown[each.id] = each
        return self._handed(encoded)

    def request(self, goal: Goal, fields: Mapping[str, Sequence[str]], offers: Sequence[Offer] = ()) -> Encoded:
        """The goal, of each object named the fields that it needs as far as they fit, and the person's own offers."""
        listed = tuple(sorted(offers, key=lambda each: each.capability)) or UNSET
        # An object that could not be shown is not named either.
        goal = unnamed(goal, self.shown)
        order = [held for id_, held in self.shown.items() if fields.get(id_)]
        room = self._room()

        def decide(known: Mapping[bytes, Known]) -> Decision[tuple[list[Told], Encoded]]:
            told = self._choose(order, fields, known, room, OUTCOMES)
            objects, edges = self._graph(_objects(told), tuple(edge for one in told for edge in one.edges))
            made = self._decision(told, order, Request(goal=goal, objects=objects, edges=edges, offers=listed))
            return made._replace(
                charges=made.charges + spoken(goal, known[WORDS]), thresholds={**made.thresholds, WORDS: 0}
            )

        told, encoded = self._ledger.transact(self._audience, [*(each.key for each in order), WORDS], decide)
        self.withheld |= {each.id: one.withheld for each, one in zip(order, told, strict=True) if one.withheld}
        return self._handed(encoded)

    def verbatim(self, text: str) -> Encoded:
        """The goal in the person's own words, recorded as such. The caller has asked the policy."""
        encoded = encode_verbatim(Verbatim(text=text))
        self._ledger.note(self._audience.name, "verbatim", (self._entry(encoded),))
        return self._handed(encoded)

    def results(self, turn: int, verdicts: Sequence[Verdict]) -> Encoded:
        """What became of each step. Everything in it was charged when it was decided."""
        steps = tuple(StepResult(step=number, outcome=each.outcome) for number, each in enumerate(verdicts, start=1))
        described: dict[str, TwinObject] = {}
        edges: dict[TwinEdge, None] = {}
        for verdict in verdicts:
            if isinstance(verdict, Allowed):
                for each in verdict.objects:
                    described[each.object_id] = _fuller(described.get(each.object_id), each)
                edges |= dict.fromkeys(verdict.edges)
        envelope = Results(turn=turn, steps=steps, objects=tuple(described.values()), edges=tuple(edges))
        encoded = encode(envelope)
        self._ledger.note(self._audience.name, "results", (self._entry(encoded),))
        return self._handed(encoded)

    def _room(self) -> int:
        """How many units may still be told this hour."""
        return self._limits.fields_per_hour - self._ledger.recent(self._audience, "field", HOUR)

    def _choose(
        self,
        order: Sequence[Held],
        fields: Mapping[str, Sequence[str]],
        known: Mapping[bytes, Known],
        room: int,
        outcomes: int = 0,
    ) -> list[Told]:
        """What fits of each object; once the hour's share of units is used up, only what is known already."""
        told: list[Told] = []
        for each in order:
            left = min(reserve(each, self._accountant, outcomes), self._accountant.threshold(each) // 2)
            one = disclose(each, fields[each.id], known[each.key], self._accountant, reserve=left, key_of=self._key_of)
            if len(one.charges) > room:
                one = disclose(each, fields[each.id], known[each.key], _Closed(), key_of=self._key_of)
            room -= len(one.charges)
            told.append(one)
        return told

    def _key_of(self, object_id: str) -> bytes | None:
        held = self.shown.get(object_id)
        return held.key if held else None

    def _graph(
        self, objects: tuple[TwinObject, ...], edges: tuple[TwinEdge, ...]
    ) -> tuple[tuple[TwinObject, ...], tuple[TwinEdge, ...]]:
        """The objects, with those at the other end of an edge."""
        ids = {each.object_id for each in objects}
        others = {edge.target for edge in edges if isinstance(edge.target, str)} - ids
        return (*objects, *(bare(self.shown[each]) for each in sorted(others))), edges

    def _decision(
        self, told: list[Told], held: Sequence[Held], envelope: Envelope
    ) -> Decision[tuple[list[Told], Encoded]]:
        encoded = encode(envelope)
        charges = tuple(charge for one in told for charge in one.charges)
        return Decision((told, encoded), charges, self._thresholds(held), (self._entry(encoded),))

    def _thresholds(self, held: Sequence[Held]) -> dict[bytes, int]:
        folder = {self._folder.key: self._folder.threshold} if self._folder else {}
        return folder | {each.key: self._accountant.threshold(each) for each in held}

    def _entry(self, encoded: Encoded) -> Entry:
        """The exact bytes, before they are sent."""
        body = {
            "session": self._session, "audience": self._audience.name,
            "sha256": encoded.digest, "data": encoded.data.decode("ascii"),
        }  # fmt: skip
        return Entry("envelope", canonical_json(body))

    def _handed(self, encoded: Encoded) -> Encoded:
        self.sent.append(encoded)
        return encoded


class _Closed:
    """Nothing new may be told: only what is known already fits."""

    def price(self, held: Held, unit: str, known: Known) -> int:
        """More than anyone has."""
        return 1

    def threshold(self, held: Held) -> int:
        """Less than anything new costs."""
        return -(1 << 62)


def _objects(told: Sequence[Told]) -> tuple[TwinObject, ...]:
    return tuple(one.object for one in told if one.object is not None)


def _fuller(before: TwinObject | None, after: TwinObject) -> TwinObject:
    """Of two descriptions of one object the later, unless it only names it."""
    return before if before is not None and after == TwinObject(object_id=after.object_id, kind=after.kind) else after
