"""Algorithm 1: every step of a plan passes these checks in this order, or does not happen.

    (1) the capability exists and is allowed for the types of its inputs
    (2) the most that its verdict and outcome could tell fits the budget of every object it is about
    (3) the local policy permits it on every such object
    (4) a person approves, where the policy, the risk, the planner or an ambiguity asks for it
    (5) it runs locally, in a sandbox; a step that ran in this session is answered from then
    (6) Π_out: of its result only closed words remain
    (7) what is newly told is charged, and only that
    (8) the verdict is appended to the trail, in the same transaction as the charge

(1) and (2) depend on what the planner was told and can add up. Where (3) and (4) depend on more, what the verdict gives
away is charged with it, whatever the verdict; where that does not fit, the answer is the one of (2) for every object.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import NamedTuple

from plantwin.boundary.admission import Admission, Priced
from plantwin.boundary.approval import Approvals, Cause
from plantwin.boundary.budget import Accounts, price_of, reserve, shrinking, spent_by, worst
from plantwin.boundary.channel import Channel
from plantwin.boundary.disclosure import Disclosed, bare, disclose
from plantwin.boundary.execution import Executed, Executor
from plantwin.boundary.expansion import Expansion
from plantwin.boundary.ledger.interface import READ, Decision, Entry, Known, Standing, canonical_json
from plantwin.boundary.local_object import LocalObject
from plantwin.boundary.outcome import Sanitized, sanitize
from plantwin.boundary.policy import Ruling
from plantwin.boundary.provenance import behind, recipe
from plantwin.types.capability import FIELDS, Capability, Catalog
from plantwin.types.outcome import Outcome
from plantwin.types.plan import Plan, Step
from plantwin.types.twin import group_id_like, object_id_like
from plantwin.types.verdict import Allowed, Code, Denied, Failure, Verdict
from plantwin.vocabulary import MAX_EDGES, MAX_TAGS, CapabilityName, ResultType, Risk, StepStatus


class Judged(NamedTuple):
    """What checks (1) to (4) say of a step."""

    held: tuple[LocalObject, ...] = ()
    """The objects that it tells about."""
    given_away: Mapping[str, Sequence[str]] = {}
    """Units of each of them that the verdict gives away."""
    denied: Denied | None = None
    prepared: str = ""
    """A digest of what would run."""
    also: tuple[LocalObject, ...] = ()
    """Other objects that code of the folder could read, and so tell about."""


class Gatekeeper:
    """Holds what one session's decisions depend on."""

    def __init__(
        self,
        channel: Channel,
        catalog: Catalog,
        shown: MutableMapping[str, LocalObject],
        executor: Executor,
        approvals: Approvals,
        expansion: Expansion | None = None,
        *,
        require_sandbox: bool = False,
    ) -> None:
        self._channel = channel
        self._catalog = catalog
        self._shown = shown
        self._executor = executor
        self._approvals = approvals
        self._expansion = expansion or Expansion()
        self._require_sandbox = require_sandbox
        self._answers: dict[str, Executed] = {}
        """What has run in this session, by recipe."""
        self._dearest: dict[str, int] = {}
        """Price of the dearest outcome of each capability."""
        self._tellings: dict[str, str] = {}
        """What makes units of each run of a folder's own code its own."""

    def admit(self, plan: Plan) -> Admission:
        """Types and price of every step, and for those that cannot run the reason; nothing is charged or told."""
        steps: dict[str, Priced] = {}
        order = plan.order()
        for position in order:
            step = plan.steps[position]
            refusal = self._typed(step, plan, {id_ for id_, priced in steps.items() if priced.refusal})
            held = () if refusal else behind(step, plan, self._shown)
            price = 0 if refusal else self._estimate(step, held)
            if refusal is None:
                refusal = self._affordable(step, held).denied
            # Which objects an expansion will show is not known yet: its price is that of the group.
            told = tuple(each.id for each in held) or tuple(filter(self._expansion.knows, step.inputs))
            steps[step.id] = Priced(step, refusal, told, price)
        return Admission(tuple(steps[step.id] for step in plan.steps), order)

    def gate(self, plan: Plan, position: int, refused: frozenset[str], *, deselected: bool = False) -> Verdict:
        """Decide one step and carry it out. `refused`: ids of earlier steps that gave no result."""
        step = plan.steps[position]
        judged = self._judge(step, plan, refused, deselected)  # (1) to (4)
        if judged.denied is not None:
            return self._refuse(position, step, judged, judged.denied)
        if step.capability == CapabilityName.DESCRIBE:
            return self._describe(position, step, judged)
        if step.capability == CapabilityName.EXPAND:
            return self._expand(position, step, judged)
        capability = self._catalog[step.capability]
        key = recipe(step, plan, self._shown, self._catalog)
        executed = self._executed(step, capability, key, judged.prepared)  # (5)
        if executed.failure is None:
            told = sanitize(executed.raw, capability)  # (6)
        else:
            told = Sanitized(Outcome(status=StepStatus.FAILED), ())
        return self._charge(position, step, judged, told, executed.failure, key)  # (7) and (8)

    def _judge(self, step: Step, plan: Plan, refused: frozenset[str], deselected: bool) -> Judged:
        """Checks (1) to (4). A person may be asked."""
        denied = self._typed(step, plan, refused)
        if denied:
            return Judged(denied=denied)
        capability = self._catalog[step.capability]
        if not self._executor.sandboxed and (self._require_sandbox or capability.project):
            return Judged(denied=Denied(code=Code.NO_SANDBOX))
        held: tuple[LocalObject, ...] | Denied = behind(step, plan, self._shown)
        if capability.name is CapabilityName.EXPAND:
            held = self._drawn(step, capability)
        if isinstance(held, Denied):
            return Judged(denied=held)
        judged = self._affordable(step, held)
        if judged.denied:
            return judged
        looks = capability.project or capability.surroundings
        prepared = self._executor.prepare(capability, step.inputs) if looks else ""
        denied = self._permitted(step, capability, held, prepared, deselected)
        return judged._replace(denied=denied, prepared=prepared)

    def _typed(self, step: Step, plan: Plan, refused: set[str] | frozenset[str]) -> Denied | None:
        """(1) The capability is in the catalog, and every input is one that it takes."""
        capability = self._catalog.get(step.capability)
        if capability is None:
            return Denied(code=Code.UNKNOWN_CAPABILITY)
        if len(set(step.inputs)) != len(step.inputs):
            return Denied(code=Code.REPEATED_INPUT)
        if not capability.least <= len(step.inputs) <= capability.most or not step.inputs:
            return Denied(code=Code.WRONG_ARITY)
        if step.output in ResultType._value2member_map_ and step.output != capability.returns:
            return Denied(code=Code.WRONG_OUTPUT)
        earlier = {each.id: each for each in plan.steps}
        for name in step.inputs:
            if group_id_like(name) or capability.name is CapabilityName.EXPAND:
                if capability.name is not CapabilityName.EXPAND or not self._expansion.knows(name):
                    return Denied(code=Code.UNKNOWN_OBJECT)
                continue
            if not object_id_like(name):
                source = self._catalog.get(earlier[name].capability)
                if name in refused or source is None:
                    return Denied(code=Code.DEPENDS_ON_REFUSED, detail=name)
                if source.returns not in capability.takes:
                    return Denied(code=Code.WRONG_RESULT, detail=name)
                continue
            held = self._shown.get(name)
            if held is None:
                # Foreign, from an earlier session, or never shown: all the same to the planner.
                return Denied(code=Code.UNKNOWN_OBJECT)
            if not capability.accepts(held.object.kind, held.semantic_class):
                return Denied(code=Code.WRONG_KIND, detail=name)
            if capability.selective and not self._foreseeable(capability, held):
                return Denied(code=Code.UNTOLD_CLASS, detail=name)
        return None

    def _foreseeable(self, capability: Capability, held: LocalObject) -> bool:
        """Whether what was told of an object says already that a capability takes it.

        Otherwise that it does, and does not, would tell an object's class for nothing.
        """
        leaf = held.semantic_class
        told = self._channel.ledger.known(self._channel.audience, [held.key])[held.key].units
        if held.unit(f"semantic_class={leaf}") in told:
            return True
        return leaf.family in capability.families and held.unit(f"family={leaf.family}") in told

    def _estimate(self, step: Step, held: Sequence[LocalObject]) -> int:
        """The most that the outcome can cost one object; of an expansion, all that it shows."""
        accountant = self._channel.accountant
        if step.capability == CapabilityName.EXPAND:
            return self._expansion.price(step.inputs[0], accountant)
        if not held or step.capability == CapabilityName.DESCRIBE:
            return 0
        if step.capability not in self._dearest:
            self._dearest[step.capability] = price_of(worst(self._catalog[step.capability]), accountant)
        return self._dearest[step.capability]

    def _given_away(
        self, step: Step, held: Sequence[LocalObject], known: Mapping[bytes, Known]
    ) -> dict[str, Sequence[str]]:
        """What the verdict of (3) and (4) would give away of each object, whatever it is."""
        capability = self._catalog[step.capability]
        asked = bool(_asked(step, capability))
        return {each.id: self._channel.authority.verdict(capability, asked, each, known[each.key]) for each in held}

    def _affordable(self, step: Step, held: tuple[LocalObject, ...]) -> Judged:
        """(2) The most that could be told fits every budget, and the audience has not had its share for the hour."""
        channel, capability = self._channel, self._catalog[step.capability]
        # Code of the folder can say anything about whatever it can read.
        inputs = {each.key for each in held}
        sees = {each.key: each for each in (self._executor.sees(capability) if capability.project else ())}
        also = tuple(each for key, each in sees.items() if key not in inputs)
        standing = channel.ledger.standing(channel.audience, [each.key for each in (*held, *also)])
        if standing.refusals >= channel.limits.refusals_per_hour:
            return Judged(denied=Denied(code=Code.RATE_LIMITED, detail="refusals"))
        if standing.fields >= channel.limits.fields_per_hour:
            return Judged(denied=Denied(code=Code.RATE_LIMITED, detail="fields"))
        accounts, given_away = channel.accounts(standing), self._given_away(step, held, standing.known)
        outcome = 0 if capability.name is CapabilityName.EXPAND else self._estimate(step, held)
        read = price_of((READ,), channel.accountant) if also else 0
        for each in (*held, *also):
            most = accounts.price(each, given_away[each.id]) + outcome if each.id in given_away else read
            if most > accounts.left(each):
                return Judged(denied=Denied(code=Code.OVER_BUDGET, detail=each.id))
        return Judged(held, given_away, also=also)

    def _permitted(
        self, step: Step, capability: Capability, held: Sequence[LocalObject], prepared: str, deselected: bool
    ) -> Denied | None:
        """(3) Policy, and (4) a person where one is asked for. The planner's annotation can only add to the causes."""
        causes = _asked(step, capability)
        asking = ""
        for each in held:
            decided = self._channel.authority.rule(capability, each.subject)
            if decided.ruling is Ruling.ASK:
                causes.append(Cause.POLICY)
                asking = asking or decided.policy
            elif decided.ruling is Ruling.FAIL:
                return Denied(code=Code.POLICY_FAILS)
            elif decided.ruling is not Ruling.PERMIT:
                return Denied(code=Code.POLICY_DENIES, detail=decided.policy)
        if deselected:
            return Denied(code=Code.DESELECTED)
        # What an expansion shows is no input of anything yet: it is asked about when it becomes one.
        if capability.name is not CapabilityName.EXPAND and any(each.subject.unsure for each in held):
            causes.append(Cause.UNSURE)
        return self._approved(step, held, tuple(dict.fromkeys(causes)), asking, prepared) if causes else None

    def _approved(
        self, step: Step, held: Sequence[LocalObject], causes: tuple[Cause, ...], asking: str, prepared: str
    ) -> Denied | None:
        channel, price = self._channel, self._estimate(step, held)
        if step.capability == CapabilityName.DESCRIBE:  # it has no outcome to price: it may use what is left
            accounts = channel.accounts(channel.ledger.standing(channel.audience, [each.key for each in held]))
            price = max(map(accounts.left, held))
        word, question = self._approvals.decide(step, held, causes, asking, channel.authority.version, price, prepared)
        body = {"session": channel.session, "step": step.id, "causes": causes, "policy": asking}
        body |= {"digest": question.digest, "decision": word}
        channel.ledger.note(channel.audience.name, "approval", (Entry("approval", canonical_json(body)),))
        return None if word == "approved" else Denied(code=_APPROVAL[word])

    def _refuse(self, position: int, step: Step, judged: Judged, denied: Denied) -> Verdict:
        """Charge what the refusal gives away. Where another session has spent that meanwhile, it is one of (2)."""

        def decide(standing: Standing) -> Decision[Verdict]:
            accounts = self._channel.accounts(standing)
            fits = accounts.take(*((each, judged.given_away[each.id]) for each in judged.held))
            verdict = denied if fits else Denied(code=Code.OVER_BUDGET)
            return self._decision(verdict, accounts, position, step, ("refusal",))

        return self._transact(judged.held, decide)

    def _executed(self, step: Step, capability: Capability, key: str, prepared: str) -> Executed:
        """(5) Run it, unless this session did so before: its answer then is its answer now."""
        if key in self._answers:
            self._executor.again(step.id, key)
            return self._answers[key]
        executed = self._executor.execute(step.id, capability, step.inputs, recipe=key, prepared=prepared)
        if executed.failure is not Failure.INTERRUPTED:
            self._answers[key] = executed
        return executed

    def _describe(self, position: int, step: Step, judged: Judged) -> Verdict:
        """Fields on demand: the next ones that fit, charged as they are chosen."""

        def decide(standing: Standing) -> Decision[Verdict]:
            accounts = self._channel.accounts(standing)
            # What the verdict gives away is paid for as a refusal would pay for it: without a reserve.
            if not accounts.take(*((each, judged.given_away[each.id]) for each in judged.held)):
                return self._decision(Denied(code=Code.OVER_BUDGET), accounts, position, step, ("refusal",))
            told = [
                disclose(
                    each, FIELDS, accounts, most_tags=MAX_TAGS, most_edges=MAX_EDGES,
                    reserve=reserve(self._channel.accountant), shown=self._shown,
                )
                for each in judged.held
            ]  # fmt: skip
            return self._decision(self._described(told, accounts, judged.held), accounts, position, step)

        return self._transact([*judged.held, *self._others(judged.held)], decide)

    def _drawn(self, step: Step, capability: Capability) -> tuple[LocalObject, ...] | Denied:
        """The next objects of a group, but for those that the policy denies or that nothing more may be told of."""
        drawn = self._expansion.draw(step.inputs[0], len(self._shown))
        if drawn is None:
            return Denied(code=Code.RATE_LIMITED, detail="expansions")
        channel = self._channel
        rule = channel.authority.rule
        open_to = [each for each in drawn if rule(capability, each.subject).ruling in (Ruling.PERMIT, Ruling.ASK)]
        if not open_to:
            return Denied(code=Code.POLICY_DENIES if drawn else Code.NOTHING_FURTHER)
        # One that cannot be paid for must not keep the others from being shown.
        standing = channel.ledger.standing(channel.audience, [each.key for each in open_to])
        accounts, given_away = channel.accounts(standing), self._given_away(step, open_to, standing.known)
        told = {each.id: [each.unit(f"kind={each.object.kind}"), *given_away[each.id]] for each in open_to}
        held = tuple(each for each in open_to if accounts.price(each, told[each.id]) <= accounts.left(each))
        return held or Denied(code=Code.OVER_BUDGET, detail="expand")

    def _expand(self, position: int, step: Step, judged: Judged) -> Verdict:
        """Objects on demand: those that were drawn, as far as their budgets allow it."""

        def decide(standing: Standing) -> Decision[Verdict]:
            accounts = self._channel.accounts(standing)
            given_away = judged.given_away
            told = [disclose(each, ("family",), accounts, given_away=given_away[each.id]) for each in judged.held]
            verdict: Verdict = self._described(told, accounts, judged.held)
            if not any(each.object for each in told):
                verdict = Denied(code=Code.OVER_BUDGET, detail="expand")
            return self._decision(verdict, accounts, position, step)

        verdict = self._transact(judged.held, decide)
        if isinstance(verdict, Allowed):
            told = {each.object_id for each in verdict.objects}
            self._shown.update({each.id: each for each in judged.held if each.id in told})
        return verdict

    def _others(self, held: Sequence[LocalObject]) -> list[LocalObject]:
        """What was shown at the other ends of their edges."""
        ends = {edge.target for each in held for edge in each.edges if isinstance(edge.target, str)}
        return [self._shown[id_] for id_ in sorted(ends) if id_ in self._shown]

    def _described(self, told: Sequence[Disclosed], accounts: Accounts, held: Sequence[LocalObject]) -> Allowed:
        objects = {each.object.object_id: each.object for each in told if each.object is not None}
        edges = tuple(edge for each in told for edge in each.edges)
        keys = {each.id: each.key for each in held}
        for edge in edges:  # an edge's other end pays too, and is named with what is known of it anyway: its kind
            if isinstance(edge.target, str):
                other = self._shown[edge.target]
                keys[other.id] = other.key
                objects.setdefault(other.id, bare(other))
        done = Outcome(status=StepStatus.DONE)
        spent = spent_by(accounts.charges, keys)
        return Allowed(outcome=done, spent=spent, objects=tuple(objects.values()), edges=edges)

    def _charge(
        self, position: int, step: Step, judged: Judged, told: Sanitized, failure: Failure | None, key: str
    ) -> Verdict:
        """(7) Charge what the outcome newly tells; where another session was faster, tell less or nothing."""
        capability, held = self._catalog[step.capability], judged.held
        single = len(step.inputs) == 1 and object_id_like(step.inputs[0])
        telling = held[0].version if single else key[:16]
        if capability.surroundings:
            # What it says of an object follows from the others too: where these changed, it is news.
            telling = f"{telling}.{judged.prepared[:12]}"
        if not capability.repeatable:
            telling = self._tellings.setdefault(key, secrets.token_hex(8))

        def decide(standing: Standing) -> Decision[Verdict]:
            for outcome in shrinking(told.outcome):
                accounts = self._channel.accounts(standing)
                units = outcome.units(capability.unit, telling)
                wanted = [(each, [*units, *judged.given_away[each.id]]) for each in held]
                if accounts.take(*wanted, *((each, [f"{READ}{capability.unit}@{telling}"]) for each in judged.also)):
                    spent = spent_by(accounts.charges, {each.id: each.key for each in held})
                    verdict = Allowed(outcome=outcome, spent=spent, failure=failure, dropped=told.dropped)
                    return self._decision(verdict, accounts, position, step)
            refused = Denied(code=Code.OUTCOME_OVER_BUDGET)
            return self._decision(refused, self._channel.accounts(standing), position, step, ("refusal",))

        return self._transact([*held, *judged.also], decide)

    def _transact(self, held: Sequence[LocalObject], decide: Callable[[Standing], Decision[Verdict]]) -> Verdict:
        channel = self._channel
        return channel.ledger.transact(channel.audience, [each.key for each in held], decide).value

    def _decision(
        self, verdict: Verdict, accounts: Accounts, position: int, step: Step, events: tuple[str, ...] = ()
    ) -> Decision[Verdict]:
        entry = self._entry(position, step, verdict)  # (8)
        return Decision(verdict, tuple(accounts.charges), accounts.thresholds, (entry,), events)

    def _entry(self, position: int, step: Step, verdict: Verdict) -> Entry:
        """A line of the trail: words and ids, no content."""
        body: dict[str, object] = {"session": self._channel.session, "step": step.id, "position": position + 1}
        body["capability"] = step.capability
        capability = self._catalog.get(step.capability)
        if capability is not None and capability.own:
            body["own"] = capability.own
        if isinstance(verdict, Denied):
            code = verdict.code
            body |= {"verdict": verdict.status, "check": code.check, "code": code, "detail": verdict.detail}
        else:
            body |= {"verdict": verdict.outcome.status, "outcome": verdict.outcome, "spent": verdict.spent}
            body |= {"failure": verdict.failure, "dropped": verdict.dropped}
        return Entry("verdict", canonical_json(body))


def _asked(step: Step, capability: Capability) -> list[Cause]:
    """Why a person is asked whatever the objects are: all of it is public, or the planner's own word."""
    causes = ((capability.approval, Cause.CAPABILITY), (capability.risk is Risk.HIGH, Cause.RISK))
    return [cause for holds, cause in (*causes, (step.policy.human_approval, Cause.PLANNER)) if holds]


_APPROVAL = {
    "denied": Code.APPROVAL_DENIED,
    "expired": Code.APPROVAL_EXPIRED,
    "invalid": Code.APPROVAL_INVALID,
    "nobody": Code.NO_APPROVER,
}
