"""Lazy disclosure, in its moments: registration tells sets and kinds, a request the fields that its goal needs,
results what became of the steps. Each is one transaction: permitted, chosen, charged, encoded and written to the trail
before it is handed out to be sent. What is handed out carries the receipt of its line, and nothing else can be sent.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from plantwin.boundary.budget import Accounts, Payer, payer, reserve
from plantwin.boundary.channel import Channel
from plantwin.boundary.disclosure import Disclosed, bare, disclose
from plantwin.boundary.set_disclosure import FIRST, DisclosedSet, disclose_set, tell_relations
from plantwin.boundary.wire import Encoded, Sealed, encode, encode_verbatim
from plantwin.errors import LimitError, WireError
from plantwin.types.envelope import (
    MAX_OBJECTS,
    MAX_PRICE,
    MAX_RELATIONS,
    Budget,
    Offer,
    Registration,
    Remainder,
    Repair,
    Request,
    Results,
    StepPrice,
)
from plantwin.types.goal import BLANKS, MARKS, Goal, Verbatim, joined
from plantwin.types.ledger import Charge, Decision, Entry, Known, Receipt, Standing
from plantwin.types.local import LocalObject, LocalSet, Subject
from plantwin.types.outcome import StepResult
from plantwin.types.plan import MAX_ANSWER_BYTES
from plantwin.types.prices import MILL, statement_of
from plantwin.types.sets import MAX_SETS, SetRelation, TwinSet
from plantwin.types.twin import TwinEdge, TwinObject, object_id_like
from plantwin.types.verdict import Allowed, Verdict
from plantwin.vocabulary import Left, RepairCode, member

OUTCOMES: Final = 3
"""Outcomes of steps that a request leaves room for, as far as half of an object's budget has room for them."""
WORDS: Final = hashlib.sha256(b"plantwin: words of goals").digest()
"""The ledger's key for words of goals: they belong to no object and to no folder."""
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

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self.sets: dict[str, LocalSet] = {}
        """Sets that the planner has been told of in this session."""
        self.told: dict[str, TwinSet] = {}
        """What it has been told of each."""
        self.shown: dict[str, LocalObject] = {}
        """Objects that the planner has been shown in this session."""
        self.withheld: dict[str, tuple[str, ...]] = {}
        """Fields that did not fit, or that the policy does not let be told unasked, by object or set."""
        self.excluded: list[str] = []
        """Objects and sets of which not even the kind fits."""
        self.denied: list[str] = []
        """Objects that the policy keeps from the planner."""
        self.sent: list[Released] = []
        self._decided: dict[int, Verdict] = {}

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
        self._channel.note("answer", self._channel.entry("answer", {"bytes": len(answer), "data": text}))

    def payload(self, data: bytes, origin: str, skill: str) -> None:
        """Record what is about to be sent around envelopes: its digest and where it goes. Not recorded, not sent."""
        body = {"audience": self._channel.audience.name, "origin": origin, "skill": skill, "bytes": len(data)}
        body["sha256"] = hashlib.sha256(data).hexdigest()
        self._channel.note("payload", self._channel.entry("payload", body))

    def repair(self, code: str, step: int = 0) -> Released:
        """Why the last answer is no plan, in one closed word and by the number of its step: nothing of any object."""
        return self._noted("repair", encode(Repair(code=member(RepairCode, code), step=step or UNSET)))

    def prices(self, turns: int, prices: Sequence[int]) -> Released:
        """The most that each step of a plan can cost, in thousandths: nothing of any object. `turns`: plans left."""
        steps = [
            StepPrice(step=number, price=min(-(-price // MILL), MAX_PRICE))
            for number, price in enumerate(prices, start=1)
        ]
        return self._noted("budget", encode(Budget(turns=turns, steps=tuple(steps))))

    def budget(self, turns: int) -> Released:
        """How much is left to tell of every set and object of this session, charged like any word about it.

        It follows from what was told in other sessions too, whose ids the planner cannot join with these. Accounts
        change with every step, so that the same word is news each time.
        """
        asked = secrets.token_hex(8)
        channel, authority = self._channel, self._channel.authority
        sets = list(self.sets.values())[-MAX_SETS:]
        objects = list(self.shown.values())[:MAX_OBJECTS]

        def decide(accounts: Accounts) -> Decision[Encoded]:
            found: list[Remainder] = []

            def tell(held: LocalSet | LocalObject, payers: Sequence[Payer], most: int) -> None:
                left = _left(min(map(accounts.left, payers)), most)
                unit = f"{statement_of(held.unit(f'remaining={left}'))}@{asked}"
                if accounts.take(*((one, [unit]) for one in payers)):
                    found.append(Remainder(of=held.id, left=left))

            for some in sets:
                tell(some, channel.sharing.cells(some), accounts.most)
            for held in objects:
                known = accounts.known[held.key]
                permitted, given_away = authority.telling(held, known)
                # Silence gives away as much as telling: it is paid for, or it is the same for all.
                if accounts.take((payer(held), given_away)) and permitted:
                    tell(held, [payer(held)], channel.accountant.threshold(held, known))
            encoded = encode(Budget(turns=turns, remainders=tuple(sorted(found, key=lambda each: each.of))))
            return Decision(encoded, entries=(self._entry(encoded),))

        cells = [key for each in sets for key in each.cells]
        encoded, lines = channel.charge(map(payer, objects), decide, cells)
        return self._handed(encoded, lines[0])

    def registration(
        self, held: Sequence[LocalObject], sets: Sequence[LocalSet] = (), subjects: Iterable[Subject] = ()
    ) -> Released:
        """Which sets there are, and the kind of each object that is told of by itself.

        What the policy denies is neither listed nor counted. Where it lets nothing be known of any of these and of the
        other `subjects` of the folder, nothing is told at all.
        """
        channel, authority = self._channel, self._channel.authority
        authority.need_admitted([*(each.subject for each in held), *subjects])
        admitted = [each for each in held if authority.admits(each.subject)]

        def decide(accounts: Accounts) -> Decision[_Told]:
            some = [disclose_set(each, FIRST, accounts, channel.sharing) for each in sets]
            told = [
                disclose(each, (), accounts, given_away=authority.listing(each, accounts.known[each.key]))
                for each in admitted
            ]
            listed = self._sets([one.set for one in some if one.set is not None], ())
            encoded = encode(Registration(sets=listed, objects=_objects(told)))
            return Decision((told, some, encoded), entries=(self._entry(encoded),))

        cells = [key for each in sets for key in each.cells]
        (told, some, encoded), lines = channel.charge(map(payer, admitted), decide, cells)
        self.denied += [each.id for each in held if each not in admitted]
        self.show(sets, [one.set for one in some if one.set is not None])
        self.shown |= {each.id: each for each, one in zip(admitted, told, strict=True) if one.object is not None}
        self.excluded += [one.id for one in sets if one.id not in self.sets]
        self.excluded += [one.id for one in admitted if one.id not in self.shown]
        return self._handed(encoded, lines[0])

    def show(self, sets: Sequence[LocalSet], told: Sequence[TwinSet]) -> None:
        """Take those of these sets into the session that the planner is told of."""
        told_of = {each.set_id: each for each in told}
        self.sets |= {each.id: each for each in sets if each.id in told_of}
        self.told |= told_of

    def request(
        self,
        goal: Goal,
        fields: Mapping[str, Sequence[str]],
        offers: Sequence[Offer] = (),
        relations: Sequence[SetRelation] = (),
    ) -> Released:
        """The goal, of each object and set named the fields that it needs as far as they fit, and the person's offers.

        `relations`: those of objects that are told of by themselves.
        """
        channel = self._channel
        listed = tuple(sorted(offers, key=lambda each: each.capability)) or UNSET
        # An object that could not be shown is not named either.
        goal = _unnamed(goal, self.shown)
        order = [held for id_, held in self.shown.items() if fields.get(id_)]
        sets = [held for id_, held in self.sets.items() if fields.get(id_)]
        known: dict[str, LocalSet | LocalObject] = {**self.sets, **self.shown}

        def decide(accounts: Accounts) -> Decision[_Told]:
            sharing = channel.sharing
            left = min(reserve(channel.accountant, OUTCOMES), accounts.most // 2)
            some = [
                disclose_set(
                    each,
                    (*FIRST, *fields[each.id]),
                    accounts,
                    sharing,
                    reserve=-(-left // sharing.among(each.count)),
                    shown=known,
                )
                for each in sets
            ]
            told = [self._told(each, fields[each.id], accounts) for each in order]
            between = [relation for one in some for relation in one.relations]
            between += tell_relations(relations, known, accounts, sharing)
            # By their ids, which are random; what does not fit an envelope is not told.
            between.sort(key=lambda each: (each.source, each.target, each.edge, str(each.reason)))
            del between[MAX_RELATIONS:]
            edges = tuple(edge for one in told for edge in one.edges)
            encoded = encode(
                Request(
                    goal=goal,
                    sets=self._sets([one.set for one in some if one.set is not None], between),
                    relations=tuple(between),
                    objects=self._with_ends(_objects(told), edges, between, goal.objects),
                    edges=edges,
                    offers=listed,
                )
            )
            accounts.remember(_spoken(goal, accounts.known[WORDS]))
            return Decision((told, some, encoded), entries=(self._entry(encoded),))

        cells = [key for each in self.sets.values() for key in each.cells]
        (told, some, encoded), lines = channel.charge(map(payer, self.shown.values()), decide, (*cells, WORDS))
        self.withheld |= {each.id: one.withheld for each, one in zip(order, told, strict=True) if one.withheld}
        self.withheld |= {each.id: one.withheld for each, one in zip(sets, some, strict=True) if one.withheld}
        self.told |= {one.set.set_id: one.set for one in some if one.set is not None}
        return self._handed(encoded, lines[0])

    def verbatim(self, text: str, subjects: Iterable[Subject] = ()) -> Released:
        """The goal in the person's own words, recorded as such, where the policy permits that.

        `subjects`: the members of the sets that were told of.
        """
        self._channel.authority.need_verbatim({*(each.subject for each in self.shown.values()), *subjects})
        return self._noted("verbatim", encode_verbatim(Verbatim(text=text)))

    def decided(self, verdict: Verdict) -> Verdict:
        """Take a verdict whose charge and line the ledger holds: results tell of no others."""
        return self._decided.setdefault(id(verdict), verdict)

    def results(self, turn: int, verdicts: Sequence[Verdict]) -> Released:
        """What became of each step. Everything in it was charged when it was decided."""
        if any(self._decided.get(id(verdict)) is not verdict for verdict in verdicts):
            raise WireError("results: only what was decided and charged is told")
        steps = tuple(StepResult(step=number, outcome=each.outcome) for number, each in enumerate(verdicts, start=1))
        described: dict[str, TwinObject] = {}
        edges: dict[TwinEdge, None] = {}
        sets: dict[str, TwinSet] = {}
        relations: dict[SetRelation, None] = {}
        for verdict in verdicts:
            if isinstance(verdict, Allowed):
                for each in verdict.objects:
                    described[each.object_id] = _fuller(described.get(each.object_id), each)
                edges |= dict.fromkeys(verdict.edges)
                sets |= {each.set_id: each for each in verdict.sets}
                relations |= dict.fromkeys(verdict.relations)
        between = tuple(relations)[:MAX_RELATIONS]
        envelope = Results(
            turn=turn,
            steps=steps,
            sets=self._sets(list(sets.values()), between),
            relations=between,
            objects=tuple(described.values()),
            edges=tuple(edges),
        )
        return self._noted("results", encode(envelope))

    def _told(self, held: LocalObject, fields: Sequence[str], accounts: Accounts) -> Disclosed:
        """What fits of an object, where the policy lets its fields be told without asking; else its kind alone."""
        permitted, given_away = self._channel.authority.telling(held, accounts.known[held.key])
        # Silence gives away as much as telling: it is paid for, or it is the same for all.
        if not accounts.take((payer(held), given_away)) or not permitted:
            return Disclosed(bare(held), (), tuple(fields))
        left = min(reserve(self._channel.accountant, OUTCOMES), accounts.limit(payer(held)) // 2)
        return disclose(held, fields, accounts, reserve=left, shown=self.shown)

    def _with_ends(
        self,
        objects: tuple[TwinObject, ...],
        edges: Iterable[TwinEdge],
        relations: Iterable[SetRelation],
        named: Sequence[str],
    ) -> tuple[TwinObject, ...]:
        """The objects, with those that the goal names or that are at the other end of an edge."""
        others = {*named, *(edge.target for edge in edges if isinstance(edge.target, str))}
        others |= {end for each in relations for end in (each.source, each.target) if end in self.shown}
        ids = {each.object_id for each in objects}
        return (*objects, *(bare(self.shown[id_]) for id_ in sorted(others - ids)))

    def _sets(self, told: Sequence[TwinSet], relations: Iterable[SetRelation]) -> tuple[TwinSet, ...]:
        """The sets, with those at the other end of a relation: their size alone says nothing new."""
        ids = {each.set_id for each in told}
        ends = {end for each in relations for end in (each.source, each.target)} & self.sets.keys()
        return tuple(sorted((*told, *(self.told[each] for each in ends - ids)), key=lambda each: each.set_id))

    def _entry(self, encoded: Encoded) -> Entry:
        """The exact bytes, before they are sent."""
        body = {"audience": self._channel.audience.name, "sha256": encoded.digest, "data": encoded.data.decode("ascii")}
        return self._channel.entry("envelope", body)

    def _noted(self, event: str, encoded: Encoded) -> Released:
        """Record bytes that tell nothing new of any object."""
        return self._handed(encoded, self._channel.note(event, self._entry(encoded)))

    def _handed(self, encoded: Encoded, receipt: Receipt) -> Released:
        released = Released(encoded, receipt, _seal)
        self.sent.append(released)
        return released


_Told = tuple[list[Disclosed], list[DisclosedSet], Encoded]


def _left(left: int, most: int) -> Left:
    return Left.MOST if 2 * left > most else Left.SOME if 8 * left > most else Left.LITTLE


def _objects(told: Sequence[Disclosed]) -> tuple[TwinObject, ...]:
    return tuple(one.object for one in told if one.object is not None)


def _fuller(before: TwinObject | None, after: TwinObject) -> TwinObject:
    """Of two descriptions of one object the later, unless it only names it."""
    return before if before is not None and after == TwinObject(object_id=after.object_id, kind=after.kind) else after


def _spoken(goal: Goal, known: Known) -> list[Charge]:
    """Words of the goal's text that this audience has not heard before: recorded, at no price."""
    text = () if goal.text is UNSET else goal.text
    said = {word for word in text if word not in BLANKS and word not in MARKS and not object_id_like(word)}
    return [Charge(WORDS, unit, 0) for unit in sorted(f"word={word}" for word in said) if unit not in known.units]


def _unnamed(goal: Goal, shown: Collection[str]) -> Goal:
    """The goal without the objects that could not be shown: a blank stands for them in the text."""
    objects = tuple(id_ for id_ in goal.objects if id_ in shown)
    if goal.text is UNSET:
        return replace(goal, objects=objects)
    left = (word if not object_id_like(word) or word in shown else "<path>" for word in goal.text)
    return replace(goal, objects=objects, text=joined(left))
