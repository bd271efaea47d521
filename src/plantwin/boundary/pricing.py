"""Check (2): who pays for what a step tells, the most that this can be, and whether all of them can pay it."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

import msgspec

from plantwin.boundary.budget import Accounts, Payer, payer, price_of, worst
from plantwin.boundary.channel import Channel
from plantwin.boundary.isolation import Asked, Isolation
from plantwin.boundary.release import Release
from plantwin.types.approval import Cause
from plantwin.types.capability import TELLING, Capability, Catalog
from plantwin.types.execution import Executor, Scope
from plantwin.types.ledger import READ
from plantwin.types.local import LocalObject, Subject
from plantwin.types.plan import Narrowed, Step, StepInput, part_of, several_like, source_of
from plantwin.types.verdict import Code, Denied
from plantwin.vocabulary import CapabilityName, Risk

FREE = (*TELLING, CapabilityName.REPORT)
"""Whose outcome costs nothing: a report joins what is there, and what is told is paid for word by word."""


class Origin(NamedTuple):
    """How a step's inputs came to be: who pays for what it tells, and what names the very step."""

    alone: tuple[Payer, ...] = ()
    """Objects that it is about, one by one."""
    cells: tuple[Payer, ...] = ()
    """Cells that all of its sets, and of what its parts were taken from, are made of."""
    few: tuple[Payer, ...] = ()
    """Fewer than `k` members that it works on."""
    besides: tuple[Payer, ...] = ()
    """Fewer than `k` of whom it tells without working on them: by subtraction, or through an earlier result."""
    recipe: str = ""
    """A digest of what was done, on which versions of what, in their order: equal for equal steps."""
    capability: Capability | None = None
    members: frozenset[str] = frozenset()
    """Marks of all objects that it is about."""
    run: str = ""
    """What is new in each session: a run of what need not say the same again, here or in what its inputs come from."""
    reads: bool = False
    """Whether code of the folder ran, here or there: it can say anything about whatever it could read."""

    @property
    def objects(self) -> list[LocalObject]:
        """Objects that it is about, one by one."""
        return [one.held for one in self.alone if one.held]

    @property
    def payers(self) -> list[Payer]:
        """All of them."""
        return [*self.alone, *self.cells, *self.few, *self.besides]

    def paid_by(self, apart: Iterable[Payer]) -> Origin:
        """The same, with these paying too: whoever pays already pays the larger share of the two."""
        few, besides = ({one.key: one for one in some} for some in (self.few, self.besides))
        more = list(apart)
        _join(few, (one for one in more if one.key in few))
        _join(besides, (one for one in more if one.key not in few))
        return self._replace(few=tuple(few.values()), besides=tuple(besides.values()))

    def but(self, subjects: Collection[Subject], held: Collection[LocalObject]) -> Origin:
        """The same without these members of its sets."""
        if not subjects and not held:
            return self
        without = sorted(msgspec.json.encode(subject, order="deterministic") for subject in subjects)
        without += sorted(one.key for one in held)
        return self._replace(recipe=hashlib.sha256(b"\0".join([self.recipe.encode(), *without])).hexdigest())


def _join(payers: dict[bytes, Payer], more: Iterable[Payer]) -> None:
    """Add payers; who is there already pays the larger share of the two."""
    for one in more:
        before = payers.get(one.key)
        payers[one.key] = one if before is None or one.share < before.share else before


class Judged(NamedTuple):
    """What checks (1) to (4) say of a step."""

    origin: Origin = Origin()
    """Who pays for what it tells."""
    given_away: Sequence[tuple[Payer, Sequence[str]]] = ()
    """Units of each of its objects that the verdict gives away."""
    denied: Denied | None = None
    prepared: str = ""
    """A digest of what would run."""
    also: tuple[Payer, ...] = ()
    """Other objects that code of the folder could read, and so tell about."""
    permitted: frozenset[Subject] = frozenset()
    """What of its sets may be worked on."""
    kept_back: bool = False
    """Whether there are others in its sets."""
    without: tuple[LocalObject, ...] = ()
    """Objects that are left out because their accounts cannot pay."""
    asked: Asked = Asked()
    """Of whom it tells, and of which few of them by subtraction."""


class Pricing:
    """Origins and prices of one session's steps."""

    def __init__(self, channel: Channel, catalog: Catalog, release: Release, executor: Executor) -> None:
        self._channel, self._catalog, self._release, self._executor = channel, catalog, release, executor
        self.isolation = Isolation(executor, channel.sharing.k, catalog)
        self.steps: dict[str, Origin] = {}
        """The origins of all steps so far that gave a result: one of an earlier plan lends it to later ones."""
        self._dearest: dict[tuple[str, bool], int] = {}
        """Price of the dearest outcome of each capability."""
        self._runs: dict[str, str] = {}
        """What makes units of each run of a folder's own code its own."""

    def estimate(self, step: Step) -> int:
        """The most that the outcome can cost one object that it is about alone."""
        if step.capability in FREE:
            return 0
        several = not self._release.shown.keys() >= set(step.inputs) and any(map(several_like, step.inputs))
        case = (step.capability, several)
        if case not in self._dearest:
            units = worst(self._catalog[step.capability], several=several)
            self._dearest[case] = price_of(units, self._channel.accountant)
        return self._dearest[case]

    def origin(self, step: Step, capability: Capability, scope: Callable[[StepInput], Scope]) -> Origin:
        """Where a step's inputs come from. `scope`: looks up what stands for several objects."""
        alone: dict[str, Payer] = {}
        cells: dict[bytes, Payer] = {}
        few: dict[bytes, Payer] = {}
        besides: dict[bytes, Payer] = {}
        several: list[StepInput] = []
        pieces: list[str] = []
        # What follows from a run is as new as the run is, whole or in part.
        reads, new = capability.project, dict[str, None]()
        for id_ in step.uses():
            earlier = self.steps[id_]
            reads, new[earlier.run] = reads or earlier.reads, None
        runs = "".join(new)
        for name in step.inputs:
            if held := self._release.shown.get(str(name)):
                alone[held.id] = payer(held)
                pieces.append(f"{held.key.hex()}.{held.version}")
                continue
            source = source_of(name)
            if several_like(name):
                found = scope(name)
                several.append(name)
                # Who is meant by a condition, or found, is told too: the same members under another one are news.
                where = name.where.conditions if isinstance(name, Narrowed) else ()
                part = f"{self.steps[source].recipe}.{part_of(name)}" if source in self.steps else ""
                pieces.append(f"several:{found.version}:{part}:{where}")
                _join(cells, self._cells(source, found))
                _join(few, self._channel.sharing.few(found.few))
                _join(besides, self._channel.sharing.few(found.rest))
            else:
                origin = self.steps[source]
                alone |= {held.id: one for held, one in zip(origin.objects, origin.alone, strict=True)}
                _join(cells, origin.cells)
                _join(besides, (*origin.few, *origin.besides))
                pieces.append(origin.recipe)
        if len(several) > 1:  # whom all of them together leave out is told of too
            _join(besides, self._channel.sharing.few(self._executor.scope(several).rest))
        whole = f"{capability.unit}/{capability.own}/{step.by or ''}({','.join(pieces)}){runs}"
        recipe = hashlib.sha256(whole.encode()).hexdigest()
        if not capability.repeatable:
            runs += self._runs.setdefault(recipe, secrets.token_hex(8))
        _join(besides, [few.pop(key) for key in few.keys() & besides.keys()])
        single, together, some, others = [tuple(payers.values()) for payers in (alone, cells, few, besides)]
        return Origin(single, together, some, others, recipe, capability, run=runs, reads=reads)

    def _cells(self, source: str, scope: Scope) -> Iterable[Payer]:
        """All cells of what a part or a narrower set is taken from, and those of its members at their own share."""
        sharing, sets = self._channel.sharing, self._release.sets
        whole = sharing.cells(sets[source]) if source in sets else self.steps[source].cells
        if scope.number < sharing.k:
            return whole
        return (*whole, *(Payer(key, sharing.among(scope.number)) for key in scope.cells))

    def affordable(self, step: Step, origin: Origin) -> Judged:
        """Whether it fits every account, and the audience has not had its share for the hour.

        What the verdict gives away is part of the price. Of fewer than `k` members those that cannot pay are left out.
        """
        channel, capability = self._channel, self._catalog[step.capability]
        # Code of the folder can say anything about whatever it can read.
        also: tuple[Payer, ...] = ()
        if (capability.project or origin.reads) and step.capability not in FREE:
            pays = {one.key for one in origin.alone}
            seen = {held.key: payer(held) for held in self._executor.sees(capability) if held.key not in pays}
            also = tuple(seen.values())
        standing = channel.standing((*origin.payers, *also))
        accounts, outcome = channel.accounts(standing), self.estimate(step)
        if denied := had_its_share(accounts, step):
            return Judged(denied=denied)
        asked, given_away = bool(causes(step, capability)), []
        for one, held in zip(origin.alone, origin.objects, strict=True):
            units = channel.authority.verdict(capability, asked, held, standing.known[one.key])
            given_away.append((one, units))
            if _short(accounts, one, outcome + accounts.price(one, units)):
                return _over(Origin(), held.id)
        if also and any(_short(accounts, one, price_of((READ,), channel.accountant)) for one in also):
            return _over(origin)
        if any(_short(accounts, one, one.part(outcome)) for one in (*origin.cells, *origin.besides)):
            return _over(origin)
        poor = [one for one in origin.few if _short(accounts, one, one.part(outcome))]
        if not poor:
            return Judged(origin, given_away, also=also)
        kept = origin._replace(few=tuple(one for one in origin.few if one not in poor))
        return Judged(kept, given_away, also=also, without=tuple(one.held for one in poor if one.held))

    def apart(self, step: Step, judged: Judged) -> Judged:
        """The same for those few that the step tells apart from others, with all that was asked before."""
        channel, isolation = self._channel, self.isolation
        if judged.denied or step.capability in FREE:
            return judged
        about = self._executor.behind(step.inputs, [held.id for held in judged.without])
        about = about.union(*(self.steps[name].members for name in step.uses() if name in step.inputs))
        if not about:
            return judged
        known = channel.ledger.known(channel.audience, isolation.keys())
        asked = isolation.asked(self._catalog[step.capability], about, known)
        alone = {one.key for one in judged.origin.alone}
        apart = [one for atom in asked.few for one in channel.sharing.few(self._executor.alone(atom))]
        origin = judged.origin._replace(members=about)
        if apart := [one for one in apart if one.key not in alone]:
            origin = origin.paid_by(apart)
            accounts, outcome = channel.accounts(channel.standing(origin.payers)), self.estimate(step)
            if any(_short(accounts, one, one.part(outcome)) for one in (*origin.few, *origin.besides)):
                return _over(origin)
        return judged._replace(origin=origin, asked=asked)


def causes(step: Step, capability: Capability) -> list[Cause]:
    """Why a person is asked whatever the objects are: all of it is public, or the planner's own word."""
    found = [Cause.CAPABILITY] if capability.approval else []
    found += [Cause.RISK] if capability.risk is Risk.HIGH else []
    return [*found, Cause.PLANNER] if step.policy.human_approval else found


def had_its_share(accounts: Accounts, step: Step) -> Denied | None:
    """Whether the audience has had its share for the hour; a report tells nothing and needs none."""
    if step.capability == CapabilityName.REPORT or min(accounts.refusals, accounts.room) > 0:
        return None
    return Denied(code=Code.RATE_LIMITED, detail="fields" if accounts.refusals > 0 else "refusals")


def _short(accounts: Accounts, one: Payer, price: int) -> bool:
    """Whether someone cannot pay so much."""
    return price > max(0, accounts.left(one))


def _over(origin: Origin, detail: str = "set") -> Judged:
    """`origin`: who pays for the refusal where it may follow from accounts that the planner cannot add up itself."""
    return Judged(origin, denied=Denied(code=Code.OVER_BUDGET, detail=detail))
