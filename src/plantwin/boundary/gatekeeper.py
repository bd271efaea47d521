"""Algorithm 1: every step of a plan passes these checks in this order, or does not happen.

    (1) the capability exists and is allowed for the types of its inputs
    (2) the most that its outcome could tell fits the budget of every object it is about
    (3) the local policy permits it on every such object
    (4) a person approves, where the policy, the risk, the planner or an ambiguity asks for it
    (5) it runs locally, in a sandbox
    (6) Π_out: of its result only closed words remain
    (7) what is newly told is charged, and only that
    (8) the verdict is appended to the trail, in the same transaction as the charge

A refused step charges nothing, and the planner hears one word.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence

from plantwin.boundary.admission import Admission, Priced
from plantwin.boundary.approval import Cause, Desk
from plantwin.boundary.budget import Accountant
from plantwin.boundary.disclosure import Told, bare, disclose
from plantwin.boundary.execution import Executor
from plantwin.boundary.expansion import Expansion, shown
from plantwin.boundary.held import Held
from plantwin.boundary.ledger.interface import Audience, Charge, Decision, Entry, Known, Ledger
from plantwin.boundary.limits import HOUR, Limits
from plantwin.boundary.outcome import Sanitized, sanitize
from plantwin.boundary.policy import Decided, Party, Policy, Ruling
from plantwin.boundary.pricing import reserve, shrinking, spent_by, worst
from plantwin.boundary.provenance import about, behind
from plantwin.boundary.trail import canonical_json
from plantwin.types.capability import FIELDS, Capability, Catalog
from plantwin.types.outcome import Outcome
from plantwin.types.plan import Plan, Step
from plantwin.types.twin import group_id_like, object_id_like
from plantwin.types.verdict import Allowed, Code, Denied, Failure, Verdict
from plantwin.vocabulary import MAX_EDGES, MAX_TAGS, CapabilityName, ResultType, Risk, StepStatus


class Gatekeeper:
    """Holds what one session's decisions depend on."""

    def __init__(
        self,
        *,
        catalog: Catalog,
        shown: MutableMapping[str, Held],
        ledger: Ledger,
        accountant: Accountant,
        policy: Policy,
        desk: Desk,
        executor: Executor,
        audience: Audience,
        party: Party,
        limits: Limits,
        goal_mode: str = "intent",
        require_sandbox: bool = False,
        session: str = "",
        expansion: Expansion | None = None,
    ) -> None:
        self._catalog = catalog
        self._shown = shown
        self._ledger = ledger
        self._accountant = accountant
        self._policy = policy
        self._desk = desk
        self._executor = executor
        self._audience = audience
        self._party = party
        self._limits = limits
        self._goal_mode = goal_mode
        self._require_sandbox = require_sandbox
        self._session = session
        self._expansion = expansion or Expansion()

    def admit(self, plan: Plan) -> Admission:
        """Types and price of every step, and for those that cannot run the reason; nothing is charged or told."""
        steps: dict[str, Priced] = {}
        for position in plan.order():
            step = plan.steps[position]
            refusal = self._typed(step, plan, {each for each, priced in steps.items() if priced.refusal})
            held = () if refusal else behind(step, plan, self._shown)
            price = 0 if refusal else self._estimate(step, held)
            if refusal is None:
                refusal = self._affordable(held, price)
            # Which objects an expansion will show is not known yet: its price is that of the group.
            told = tuple(each.id for each in held) or tuple(filter(self._expansion.knows, step.inputs))
            steps[step.id] = Priced(step, refusal, told, price)
        return Admission(tuple(steps[step.id] for step in plan.steps), plan.order())

    def gate(self, plan: Plan, position: int, refused: frozenset[str], *, deselected: bool = False) -> Verdict:
        """Decide one step and carry it out. `refused`: ids of earlier steps that gave no result."""
        step = plan.steps[position]
        verdict = self._gate(position, plan, refused, deselected)
        if isinstance(verdict, Denied):
            self._ledger.note(self._audience.name, "refusal", (self._entry(position, step, verdict),))  # (8)
        return verdict

    def judge(
        self, plan: Plan, position: int, refused: frozenset[str], *, deselected: bool = False
    ) -> Denied | tuple[Held, ...]:
        """Checks (1) to (4) of one step: why it may not run, or the objects that it tells about.

        A person may be asked.
        """
        step = plan.steps[position]
        refusal = self._typed(step, plan, refused)
        if refusal:
            return refusal
        held = behind(step, plan, self._shown)
        price = self._estimate(step, held)
        return (
            self._affordable(held, price)
            or self._permitted(step, self._catalog[step.capability], held, price, deselected)
            or held
        )

    def _gate(self, position: int, plan: Plan, refused: frozenset[str], deselected: bool) -> Verdict:
        held = self.judge(plan, position, refused, deselected=deselected)  # (1) to (4)
        if isinstance(held, Denied):
            return held
        step = plan.steps[position]
        capability = self._catalog[step.capability]
        if capability.name is CapabilityName.DESCRIBE:
            return self._describe(position, step, held)
        if capability.name is CapabilityName.EXPAND:
            return self._expand(position, step, capability)
        if self._require_sandbox and not self._executor.sandboxed:
            return Denied(code=Code.NO_SANDBOX)
        executed = self._executor.execute(step.id, capability, step.inputs)  # (5)
        if executed.failure is None:
            told = sanitize(executed.raw, capability)  # (6)
        else:
            told = Sanitized(Outcome(status=StepStatus.FAILED), ())
        fact = (capability.unit, about(step, plan, self._shown, self._catalog))
        return self._charge(position, step, held, told, executed.failure, fact)  # (7) and (8)

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
        for each in step.inputs:
            if group_id_like(each) or capability.name is CapabilityName.EXPAND:
                if capability.name is not CapabilityName.EXPAND or not self._expansion.knows(each):
                    return Denied(code=Code.UNKNOWN_OBJECT)
                continue
            if not object_id_like(each):
                source = self._catalog.get(earlier[each].capability)
                if each in refused or source is None:
                    return Denied(code=Code.DEPENDS_ON_REFUSED, detail=each)
                if source.returns not in capability.takes:
                    return Denied(code=Code.WRONG_RESULT, detail=each)
                continue
            held = self._shown.get(each)
            if held is None:
                # Foreign, from an earlier session, or never shown: all the same to the planner.
                return Denied(code=Code.UNKNOWN_OBJECT)
            if not capability.accepts(held.object.kind, held.semantic_class):
                return Denied(code=Code.WRONG_KIND, detail=each)
            if capability.selective and not self._foreseeable(capability, held):
                return Denied(code=Code.UNTOLD_CLASS, detail=each)
        return None

    def _foreseeable(self, capability: Capability, held: Held) -> bool:
        """Whether what was told of an object says already that a capability takes it.

        Otherwise that it does, and does not, would tell an object's class for nothing.
        """
        leaf = held.semantic_class
        told = self._ledger.known(self._audience, [held.key])[held.key].units
        if f"semantic_class={leaf}" in told:
            return True
        return leaf.family in capability.families and f"family={leaf.family}" in told

    def _estimate(self, step: Step, held: Sequence[Held]) -> int:
        """The most that the outcome can cost one object; of an expansion, all that it shows."""
        capability = self._catalog[step.capability]
        if capability.name is CapabilityName.EXPAND:
            return self._expansion.price(step.inputs[0], self._accountant)
        if not held or capability.name is CapabilityName.DESCRIBE:
            return 0
        units = worst(capability)
        return max(sum(self._accountant.price(each, unit, Known()) for unit in units) for each in held)

    def _affordable(self, held: Sequence[Held], price: int) -> Denied | None:
        """(2) The estimate fits every budget, and the audience has not had its share for the hour."""
        standing = self._ledger.standing(self._audience, [each.key for each in held], HOUR)
        if standing.refusals >= self._limits.refusals_per_hour:
            return Denied(code=Code.RATE_LIMITED, detail="refusals")
        if standing.fields >= self._limits.fields_per_hour:
            return Denied(code=Code.RATE_LIMITED, detail="fields")
        for each in held:
            if standing.known[each.key].spent + price > self._accountant.threshold(each):
                return Denied(code=Code.OVER_BUDGET, detail=each.id)
        return None

    def _permitted(
        self, step: Step, capability: Capability, held: Sequence[Held], price: int, deselected: bool
    ) -> Denied | None:
        """(3) Policy, and (4) a person where one is asked for. The planner's annotation can only add to the causes."""
        causes: list[Cause] = []
        asking = ""
        for each in held:
            decided = self._ruled(capability, each)
            if decided.ruling is Ruling.ASK:
                causes.append(Cause.POLICY)
                asking = asking or decided.policy
            elif decided.ruling is Ruling.FAIL:
                return Denied(code=Code.POLICY_FAILS)
            elif decided.ruling is not Ruling.PERMIT:
                return Denied(code=Code.POLICY_DENIES, detail=decided.policy)
        if deselected:
            return Denied(code=Code.DESELECTED)
        if capability.approval:
            causes.append(Cause.CAPABILITY)
        if capability.risk is Risk.HIGH:
            causes.append(Cause.RISK)
        if step.policy.human_approval:
            causes.append(Cause.PLANNER)
        if any(each.unsure for each in held):
            causes.append(Cause.UNSURE)
        return self._approved(step, held, tuple(dict.fromkeys(causes)), asking, price) if causes else None

    def _ruled(self, capability: Capability, held: Held) -> Decided:
        return self._policy.decide(
            self._party, capability, held, goal_mode=self._goal_mode, sandboxed=self._executor.sandboxed
        )

    def _approved(
        self, step: Step, held: Sequence[Held], causes: tuple[Cause, ...], asking: str, price: int
    ) -> Denied | None:
        if step.capability == CapabilityName.DESCRIBE:  # it has no outcome to price: it may use what is left
            known = self._ledger.known(self._audience, [each.key for each in held])
            price = max(self._accountant.threshold(each) - known[each.key].spent for each in held)
        word, question = self._desk.decide(step, held, causes, asking, self._policy.version, price)
        body = {"session": self._session, "step": step.id, "causes": causes, "policy": asking}
        body |= {"digest": question.digest, "decision": word}
        self._ledger.note(self._audience.name, "approval", (Entry("approval", canonical_json(body)),))
        return None if word == "approved" else Denied(code=_APPROVAL[word])

    def _describe(self, position: int, step: Step, held: Sequence[Held]) -> Verdict:
        """Fields on demand: the next ones that fit, charged as they are chosen."""
        keys = {each.id: each.key for each in held}

        def decide(known: Mapping[bytes, Known]) -> Decision[Verdict]:
            told = [
                disclose(
                    each, FIELDS, known[each.key], self._accountant, most_tags=MAX_TAGS,
                    most_edges=MAX_EDGES, reserve=reserve(each, self._accountant),
                    key_of=lambda other: self._shown[other].key if other in self._shown else None,
                )
                for each in held
            ]  # fmt: skip
            charges = tuple(charge for each in told for charge in each.charges)
            if not charges and any(each.withheld for each in told):
                return Decision(Denied(code=Code.OVER_BUDGET, detail="describe"))
            verdict = self._described(told, charges, {key: id_ for id_, key in keys.items()})
            return self._decision(verdict, charges, held, position, step)

        return self._ledger.transact(self._audience, list(keys.values()), decide)

    def _expand(self, position: int, step: Step, capability: Capability) -> Verdict:
        """Objects on demand: the next ones of a group that the policy permits and whose budgets allow it."""
        drawn = self._expansion.draw(step.inputs[0], len(self._shown))
        if drawn is None:
            return Denied(code=Code.RATE_LIMITED, detail="expansions")
        # Nobody can be asked about what is not shown yet, so only a clear permission counts.
        held = [each for each in drawn if self._ruled(capability, each).ruling is Ruling.PERMIT]
        if not held:
            return Denied(code=Code.POLICY_DENIES if drawn else Code.NOTHING_FURTHER)

        def decide(known: Mapping[bytes, Known]) -> Decision[Verdict]:
            told = [shown(each, known[each.key], self._accountant) for each in held]
            charges = tuple(charge for each in told for charge in each.charges)
            ids = {each.key: each.id for each, one in zip(held, told, strict=True) if one.object is not None}
            if not ids:
                return Decision(Denied(code=Code.OVER_BUDGET, detail="expand"))
            return self._decision(self._described(told, charges, ids), charges, held, position, step)

        verdict = self._ledger.transact(self._audience, [each.key for each in held], decide)
        if isinstance(verdict, Allowed):
            told = {each.object_id for each in verdict.objects}
            self._shown.update({each.id: each for each in held if each.id in told})
        return verdict

    def _described(self, told: Sequence[Told], charges: Sequence[Charge], ids: Mapping[bytes, str]) -> Allowed:
        objects = {each.object.object_id: each.object for each in told if each.object is not None}
        edges = tuple(edge for each in told for edge in each.edges)
        for edge in edges:  # an edge's other end is named with what is known of it anyway: its kind
            other = edge.target
            if isinstance(other, str) and other not in objects:
                objects[other] = bare(self._shown[other])
        outcome = Outcome(status=StepStatus.DONE)
        return Allowed(outcome=outcome, spent=spent_by(charges, ids), objects=tuple(objects.values()), edges=edges)

    def _charge(
        self,
        position: int,
        step: Step,
        held: Sequence[Held],
        told: Sanitized,
        failure: Failure | None,
        fact: tuple[str, str],
    ) -> Verdict:
        """(7) Charge what the outcome newly tells; where another session was faster, tell less or nothing."""
        ids = {each.key: each.id for each in held}

        def decide(known: Mapping[bytes, Known]) -> Decision[Verdict]:
            for smaller in shrinking(told.outcome):
                charges = self._charges(smaller.units(*fact), held, known)
                if charges is not None:
                    verdict = Allowed(
                        outcome=smaller, spent=spent_by(charges, ids), failure=failure, dropped=told.dropped
                    )
                    return self._decision(verdict, charges, held, position, step)
            return Decision(Denied(code=Code.OUTCOME_OVER_BUDGET))

        return self._ledger.transact(self._audience, list(ids), decide)

    def _charges(
        self, units: Sequence[str], held: Sequence[Held], known: Mapping[bytes, Known]
    ) -> tuple[Charge, ...] | None:
        """What telling these units of every object costs; None when it does not fit one of them."""
        charges: list[Charge] = []
        for each in held:
            already = known[each.key]
            new = [Charge(each.key, unit, self._accountant.price(each, unit, already)) for unit in units]
            new = [charge for charge in new if charge.unit not in already.units]
            if already.spent + sum(charge.cost for charge in new) > self._accountant.threshold(each):
                return None
            charges += new
        return tuple(charges)

    def _decision(
        self, verdict: Allowed, charges: tuple[Charge, ...], held: Sequence[Held], position: int, step: Step
    ) -> Decision[Verdict]:
        thresholds = {each.key: self._accountant.threshold(each) for each in held}
        return Decision(verdict, charges, thresholds, (self._entry(position, step, verdict),))  # (8)

    def _entry(self, position: int, step: Step, verdict: Verdict) -> Entry:
        """A line of the trail: words and ids, no content."""
        body: dict[str, object] = {"session": self._session, "step": step.id, "position": position + 1}
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


_APPROVAL = {
    "denied": Code.APPROVAL_DENIED,
    "expired": Code.APPROVAL_EXPIRED,
    "invalid": Code.APPROVAL_INVALID,
    "nobody": Code.NO_APPROVER,
}
