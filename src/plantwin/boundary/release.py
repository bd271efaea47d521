"""Lazy disclosure, in its moments: registration tells kinds, a request the fields that its goal needs,
results what became of the steps. Each is one transaction: permitted, chosen, charged, encoded and written to the trail
before it is handed out to be sent. What is handed out carries the receipt of its line, and nothing else can be sent.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import UNSET

from plantwin.boundary.answer import MAX_ANSWER_BYTES
from plantwin.boundary.budget import Accounts, Folder, reserve
from plantwin.boundary.channel import Channel
from plantwin.boundary.disclosure import Disclosed, bare, disclose
from plantwin.boundary.goal import WORDS, spoken, unnamed
from plantwin.boundary.groups import Gathered, Naming, Place, gather
from plantwin.boundary.ledger.interface import Decision, Entry, Receipt, Standing, T, canonical_json
from plantwin.boundary.local_object import LocalObject
from plantwin.boundary.policy import Subject
from plantwin.boundary.wire import Encoded, Sealed, encode, encode_verbatim
from plantwin.errors import LimitError, WireError
from plantwin.types.envelope import Offer, Registration, Repair, Request, Results
from plantwin.types.goal import Goal, Verbatim
from plantwin.types.outcome import StepResult
from plantwin.types.twin import TwinEdge, TwinObject
from plantwin.types.verdict import Allowed, Verdict
from plantwin.vocabulary import RepairCode, member

OUTCOMES: Final = 3
"""Outcomes of steps that a request leaves room for, as far as half of an object's budget has room for them."""
_seal: Final = object()


class Released(Sealed):
    """Encoded bytes that the ledger holds, with the line that holds them. Only a release makes them."""

    __slots__ = ("_encoded", "_receipt")
    _encoded: Encoded
    _receipt: Receipt

    def __init__(self, encoded: Encoded, receipt: Receipt, seal: object) -> None:
        if seal is not _seal or type(encoded) is not Encoded:
            raise WireError("released: only what was recorded is released")
        object.__setattr__(self, "_encoded", encoded)
        object.__setattr__(self, "_receipt", receipt)

    @property
    def receipt(self) -> Receipt:
        """The line of the trail that holds its bytes; number 0 where nothing was recorded, and nothing may be sent."""
        return self._receipt

    @property
    def data(self) -> bytes:
        """The bytes, exactly as sent."""
        return self._encoded.data

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes, in hex."""
        return self._encoded.digest

    def __len__(self) -> int:
        return len(self._encoded)

    def __repr__(self) -> str:
        return f"<Released {len(self)} bytes {self.digest[:12]}, line {self.receipt.number}>"


class Release:
    """What one session tells one audience."""

    def __init__(self, channel: Channel, folder: Folder | None = None, naming: Naming | None = None) -> None:
        """`folder`: whose budget pays for groups. Without one, nothing is told of objects that are not listed."""
        self._channel = channel
        self._folder = folder
        self._naming = naming or Naming()
        self.groups: dict[str, Gathered] = {}
        """Groups that the planner has been told of in this session."""
        self.shown: dict[str, LocalObject] = {}
        """Objects that the planner has been shown in this session."""
        self.withheld: dict[str, tuple[str, ...]] = {}
        """Fields that did not fit, or that the policy does not let be told unasked, by object."""
        self.excluded: list[str] = []
        """Objects of which not even the kind fits."""
        self.denied: list[str] = []
        """Objects that the policy keeps from the planner."""
        self.sent: list[Released] = []

    def turn(self) -> None:
        """Count a turn, or refuse it: the planner is asked only so often."""

        def decide(standing: Standing) -> Decision[None]:
            if standing.turns >= self._channel.limits.turns_per_hour:
                raise LimitError(
                    "limits.turns_per_hour is reached for this audience: wait, or raise it in your configuration"
                )
            return Decision(None, events=("turn",))

        self._channel.ledger.transact(self._channel.audience, (), decide)

    def answered(self, answer: bytes) -> None:
        """Record what came back, as far as an answer may be long: it is the planner's word, not content of X."""
        text = answer[:MAX_ANSWER_BYTES].decode("utf-8", "replace")
        self._note("answer", "answer", {"bytes": len(answer), "data": text})

    def payload(self, data: bytes, origin: str, skill: str) -> None:
        """Record what is about to be sent around envelopes: its digest and where it goes. Not recorded, not sent."""
        digest = hashlib.sha256(data).hexdigest()
        body = {"audience": self._channel.audience.name, "origin": origin, "skill": skill}
        self._note("payload", "payload", {**body, "sha256": digest, "bytes": len(data)})

    def repair(self, code: str) -> Released:
        """Why the last answer is no plan, in one closed word. It tells nothing of any object."""
        return self._noted("repair", encode(Repair(code=member(RepairCode, code))))

    def registration(self, held: Sequence[LocalObject], rest: Mapping[Subject, int] | None = None) -> Released:
        """Which objects there are: the kind of each, in random order; `rest` is told as groups.

        What the policy denies is neither listed nor counted. Where it lets nothing be known, nothing is told at all.
        """
        channel, folder = self._channel, self._folder
        authority, others = channel.authority, rest or {}
        authority.need_admitted([*(each.subject for each in held), *others])
        admitted = [each for each in held if authority.admits(each.subject)]
        order = sorted(admitted, key=lambda each: self._naming.rank(each.id))
        places: Counter[Place] = Counter()
        for subject, number in others.items():
            if authority.admits(subject):
                places[subject.kind, subject.semantic_class.family] += number

        def decide(standing: Standing) -> Decision[tuple[list[Disclosed], dict[str, Gathered], Encoded]]:
            accounts = channel.accounts(standing)
            told = [
                disclose(each, (), accounts, given_away=authority.listing(each, accounts.known(each))) for each in order
            ]
            left_out = [each.object.kind for each, one in zip(order, told, strict=True) if one.object is None]
            groups = gather(places, left_out, folder, accounts, self._naming) if folder else {}
            listed = tuple(each.group for each in groups.values())
            encoded = encode(Registration(objects=_objects(told), groups=listed))
            return self._decision((told, groups, encoded), accounts, encoded)

        keys = [each.key for each in order] + ([folder.key] if folder else [])
        (told, groups, encoded), lines = channel.ledger.transact(channel.audience, keys, decide)
        self.denied += [each.id for each in held if each not in admitted]
        self.groups |= groups
        for each, one in zip(order, told, strict=True):
            if one.object is None:
                self.excluded.append(each.id)
            else:
                self.shown[each.id] = each
        return self._handed(encoded, lines)

    def request(self, goal: Goal, fields: Mapping[str, Sequence[str]], offers: Sequence[Offer] = ()) -> Released:
        """The goal, of each object named the fields that it needs as far as they fit, and the person's own offers."""
        channel = self._channel
        listed = tuple(sorted(offers, key=lambda each: each.capability)) or UNSET
        # An object that could not be shown is not named either.
        goal = unnamed(goal, self.shown)
        order = [held for id_, held in self.shown.items() if fields.get(id_)]

        def decide(standing: Standing) -> Decision[tuple[list[Disclosed], Encoded]]:
            accounts = channel.accounts(standing)
            told = [self._told(each, fields[each.id], accounts) for each in order]
            objects, edges = self._graph(_objects(told), tuple(edge for one in told for edge in one.edges))
            encoded = encode(Request(goal=goal, objects=objects, edges=edges, offers=listed))
            made = self._decision((told, encoded), accounts, encoded)
            words = spoken(goal, standing.known[WORDS])
            return made._replace(charges=made.charges + words, thresholds={**made.thresholds, WORDS: 0})

        keys = [*(each.key for each in self.shown.values()), WORDS]
        (told, encoded), lines = channel.ledger.transact(channel.audience, keys, decide)
        self.withheld |= {each.id: one.withheld for each, one in zip(order, told, strict=True) if one.withheld}
        return self._handed(encoded, lines)

    def verbatim(self, text: str) -> Released:
        """The goal in the person's own words, recorded as such, where the policy permits that."""
        self._channel.authority.need_verbatim({each.subject for each in self.shown.values()})
        return self._noted("verbatim", encode_verbatim(Verbatim(text=text)))

    def results(self, turn: int, verdicts: Sequence[Verdict]) -> Released:
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
        return self._noted("results", encode(envelope))

    def _told(self, held: LocalObject, fields: Sequence[str], accounts: Accounts) -> Disclosed:
        """What fits of an object, where the policy lets its fields be told without asking; else its kind alone."""
        permitted, given_away = self._channel.authority.telling(held, accounts.known(held))
        # Silence gives away as much as telling: it is paid for, or it is the same for all.
        if not accounts.take((held, given_away)) or not permitted:
            return Disclosed(bare(held), (), tuple(fields))
        left = min(reserve(self._channel.accountant, OUTCOMES), accounts.limit(held) // 2)
        return disclose(held, fields, accounts, reserve=left, shown=self.shown)

    def _graph(
        self, objects: tuple[TwinObject, ...], edges: tuple[TwinEdge, ...]
    ) -> tuple[tuple[TwinObject, ...], tuple[TwinEdge, ...]]:
        """The objects, with those at the other end of an edge."""
        ids = {each.object_id for each in objects}
        others = {edge.target for edge in edges if isinstance(edge.target, str)} - ids
        return (*objects, *(bare(self.shown[each]) for each in sorted(others))), edges

    def _decision(self, value: T, accounts: Accounts, encoded: Encoded) -> Decision[T]:
        return Decision(value, tuple(accounts.charges), accounts.thresholds, (self._entry(encoded),))

    def _entry(self, encoded: Encoded) -> Entry:
        """The exact bytes, before they are sent."""
        body = {
            "session": self._channel.session, "audience": self._channel.audience.name,
            "sha256": encoded.digest, "data": encoded.data.decode("ascii"),
        }  # fmt: skip
        return Entry("envelope", canonical_json(body))

    def _note(self, event: str, kind: str, body: Mapping[str, object]) -> None:
        entry = Entry(kind, canonical_json({"session": self._channel.session, **body}))
        self._channel.ledger.note(self._channel.audience.name, event, (entry,))

    def _noted(self, event: str, encoded: Encoded) -> Released:
        """Record bytes that tell nothing new of any object."""
        lines = self._channel.ledger.note(self._channel.audience.name, event, (self._entry(encoded),))
        return self._handed(encoded, lines)

    def _handed(self, encoded: Encoded, lines: Sequence[Receipt]) -> Released:
        released = Released(encoded, lines[0], _seal)
        self.sent.append(released)
        return released


def _objects(told: Sequence[Disclosed]) -> tuple[TwinObject, ...]:
    return tuple(one.object for one in told if one.object is not None)


def _fuller(before: TwinObject | None, after: TwinObject) -> TwinObject:
    """Of two descriptions of one object the later, unless it only names it."""
    return before if before is not None and after == TwinObject(object_id=after.object_id, kind=after.kind) else after
