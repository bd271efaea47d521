"""Algorithm 1: every step of a plan passes these checks in this order, or does not happen.

    (1) the capability exists and is allowed for the types of its inputs
    (2) the most that its verdict and outcome could tell fits the accounts that would pay for it
    (3) the local policy permits it on every object; members of sets that it does not permit are left out
    (4) a person approves, where the policy, the risk, the planner or an ambiguity asks for it
    (5) it runs locally, in a sandbox; a step that ran in this session is answered from then
    (6) Π_out: of its result only closed words remain
    (7) what is newly told is charged, and only that
    (8) the verdict is appended to the trail, in the same transaction as the charge

(1) and (2) depend on what the planner was told and can add up. Where (3) and (4) depend on more, what the verdict gives
away of an object is charged with it, whatever the verdict; where that does not fit, the answer is the one of (2) for
every object. Of sets (3) and (4) give nothing away: what may not be worked on is left out, and `examined` is charged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import cast

from plantwin.boundary.approval import Approvals
from plantwin.boundary.budget import Accounts, Payer, payer, reserve, shrinking
from plantwin.boundary.channel import Channel
from plantwin.boundary.disclosure import describe
from plantwin.boundary.outcome import Sanitized, sanitize
from plantwin.boundary.pricing import FREE, Judged, Origin, Pricing, causes, had_its_share
from plantwin.boundary.release import Release
from plantwin.boundary.set_disclosure import split
from plantwin.boundary.typing import Typing, joining
from plantwin.types.approval import Cause
from plantwin.types.capability import TELLING, Capability, Catalog
from plantwin.types.execution import Executed, Executor, Scope
from plantwin.types.ledger import READ, Decision, Entry
from plantwin.types.local import LocalObject, LocalSet, Subject
from plantwin.types.outcome import Outcome
from plantwin.types.plan import Plan, Step, StepInput, several_like
from plantwin.types.policy import Decided, Ruling
from plantwin.types.prices import RANDOM
from plantwin.types.verdict import DONE, UNAPPROVED, Admission, Allowed, Code, Denied, Failure, Priced, Verdict
from plantwin.vocabulary import CapabilityName, Dimension, StepStatus


class Gatekeeper:
    """Holds what one session's decisions depend on."""

    def __init__(
        self,
        channel: Channel,
        catalog: Catalog,
        release: Release,
        executor: Executor,
        approvals: Approvals,
        *,
        require_sandbox: bool = False,
    ) -> None:
        self._channel = channel
        self._catalog = catalog
        self._release = release
        self._shown = release.shown
        self._executor = executor
        self._approvals = approvals
        self._require_sandbox = require_sandbox
        self._typing = Typing(channel, catalog, release)
        self._pricing = Pricing(channel, catalog, release, executor)
        self._answers: dict[str, Executed] = {}
        """What has run in this session, by recipe."""

    @property
    def steps(self) -> frozenset[str]:
        """Steps of this session whose results later plans can use."""
        return frozenset(self._pricing.steps)

    def prices(self, plan: Plan) -> list[int]:
        """The most that the outcome of each step can cost one object: it follows from the plan and the prices alone."""
        return list(map(self._pricing.estimate, plan.steps))

    def admit(self, plan: Plan) -> Admission:
        """Types and price of every step, and for those that cannot run the reason; nothing is charged or told."""
        steps: dict[str, Priced] = {}
        order = plan.order()
        for position in order:
            refused = {id_ for id_, priced in steps.items() if priced.refusal}
            step = joining(plan.steps[position], refused)
            refusal = self._typing.check(step, plan, refused, self._pricing.steps)
            price, told = 0, tuple(str(name) for name in step.inputs if name in self._shown or several_like(name))
            if refusal is None:
                price = self._pricing.estimate(step)
                held = [payer(self._shown[name]) for name in told if name in self._shown]
                refusal = self._pricing.affordable(step, Origin(tuple(held))).denied
            steps[step.id] = Priced(plan.steps[position], refusal, told, price)
        return Admission(tuple(steps[step.id] for step in plan.steps), order)

    def gate(self, plan: Plan, position: int, refused: frozenset[str], *, deselected: bool = False) -> Verdict:
        """Decide one step and carry it out. `refused`: ids of earlier steps of the plan that gave no result."""
        step = joining(plan.steps[position], refused)
        missing = [str(name) for name in plan.steps[position].inputs if name not in step.inputs]
        self._pricing.steps.pop(step.id, None)  # an id used again names the newer step
        judged = self._judge(step, plan, refused, deselected)  # (1) to (4)
        if judged.denied is not None:
            return self._refuse(position, step, judged, judged.denied)
        if step.capability in TELLING:
            return self._tell(position, step, judged)
        capability = self._catalog[step.capability]
        executed = self._executed(step, capability, judged, missing)  # (5)
        if executed.failure is None:
            told = sanitize(executed.raw, capability)  # (6)
        else:
            told = Sanitized(Outcome(status=StepStatus.FAILED), ())
        verdict = self._charge(position, step, judged, told, executed.failure)  # (7) and (8)
        if isinstance(verdict, Allowed) and verdict.failure is None:
            self._pricing.steps[step.id] = judged.origin
        return verdict

    def _judge(self, step: Step, plan: Plan, refused: frozenset[str], deselected: bool) -> Judged:
        """Checks (1) to (4). A person may be asked."""
        denied = self._typing.check(step, plan, refused, self._pricing.steps)
        if denied is None and not all(map(self._pricing.steps.__contains__, step.uses())):
            denied = Denied(code=Code.DEPENDS_ON_REFUSED)
        if denied:
            return Judged(denied=denied)
        capability = self._catalog[step.capability]
        if not self._executor.sandboxed and (self._require_sandbox or capability.project):
            return Judged(denied=Denied(code=Code.NO_SANDBOX))
        scopes: dict[StepInput, Scope] = {}

        def scope(name: StepInput) -> Scope:
            return scopes.setdefault(name, self._executor.scope([name]))

        origin = self._pricing.origin(step, capability, scope)
        judged = self._pricing.apart(step, self._pricing.affordable(step, origin))
        if judged.denied:
            return judged
        looks = capability.project or capability.surroundings
        prepared = self._executor.prepare(capability, step.inputs) if looks else ""
        subjects = frozenset([subject for found in scopes.values() for subject in found.subjects])
        if capability.name is CapabilityName.SPLIT:  # what may not be described is cut by kind alone anyway
            subjects = frozenset(filter(self._channel.authority.describes, subjects))
        denied, permitted = self._permitted(step, judged.origin, subjects, prepared, deselected)
        kept_back = subjects - permitted
        # What is found without some is another thing than what is found with them.
        origin = judged.origin.but(kept_back, judged.without)
        return judged._replace(
            origin=origin, denied=denied, prepared=prepared, permitted=permitted, kept_back=bool(kept_back)
        )

    def _permitted(
        self, step: Step, origin: Origin, subjects: frozenset[Subject], prepared: str, deselected: bool
    ) -> tuple[Denied | None, frozenset[Subject]]:
        """(3) Policy, and (4) a person where one is asked for; with what of sets may be worked on.

        The planner's annotation can only add to the causes.
        """
        capability = self._catalog[step.capability]
        rule, asks, asking = self._channel.authority.rule, causes(step, capability), ""
        alone = [held.subject for held in origin.objects]
        for subject in alone:
            decided = rule(capability, subject)
            if decided.ruling is Ruling.ASK:
                asks.append(Cause.POLICY)
                asking = asking or decided.policy
            elif decided.ruling is Ruling.FAIL:
                return Denied(code=Code.POLICY_FAILS), frozenset()
            elif decided.ruling is not Ruling.PERMIT:
                return Denied(code=Code.POLICY_DENIES, detail=decided.policy), frozenset()
        permitted, to_ask = set[Subject](), dict[Subject, Decided]()
        for subject in subjects:
            decided = rule(capability, subject)
            if decided.ruling is Ruling.PERMIT:
                permitted.add(subject)
            elif decided.ruling is Ruling.ASK:
                to_ask[subject] = decided
        if deselected:
            return Denied(code=Code.DESELECTED), frozenset()
        if True in [subject.unsure for subject in alone]:
            asks.append(Cause.UNSURE)
        if not asks and not to_ask:
            return None, frozenset(permitted)
        asking = asking or next((decided.policy for decided in to_ask.values()), "")
        whole = (*asks, Cause.POLICY) if to_ask else asks
        denied = self._approved(step, origin, tuple(dict.fromkeys(whole)), asking, prepared)
        if denied is None:
            return None, frozenset(permitted | to_ask.keys())
        # Where nothing but the policy on some members asks, the others are worked on all the same.
        return (denied if asks else None), frozenset(permitted)

    def _approved(
        self, step: Step, origin: Origin, causes: tuple[Cause, ...], asking: str, prepared: str
    ) -> Denied | None:
        channel, price = self._channel, self._pricing.estimate(step)
        if step.capability in TELLING:  # it has no outcome to price: it may use what is left
            tellers = (*origin.alone, *origin.cells)
            price = max(map(channel.accounts(channel.standing(tellers)).left, tellers))
        bound = f"{prepared}.{origin.recipe}" if origin.cells else prepared
        held = (*origin.objects, *(one.held for one in origin.few if one.held))
        word, question = self._approvals.decide(step, held, causes, asking, channel.authority.version, price, bound)
        body = {"step": step.id, "causes": causes, "policy": asking, "digest": question.digest, "decision": word}
        channel.note("approval", channel.entry("approval", body))
        return None if word == "approved" else Denied(code=UNAPPROVED[word])

    def _refuse(self, position: int, step: Step, judged: Judged, denied: Denied) -> Verdict:
        """Charge what the refusal gives away. Where another session has spent that meanwhile, it is one of (2).

        That others cannot pay tells who they are: whoever the step is about pays for the word.
        """
        origin, over = judged.origin, denied.code is Code.OVER_BUDGET
        units = denied.outcome.units(self._catalog[step.capability].unit, origin.recipe[:16]) if over else ()
        given_away = judged.given_away or [(one, ()) for one in origin.alone]
        wanted = [(one, (*more, *units)) for one, more in given_away]
        wanted += [(one, units) for one in origin.cells]

        def decide(accounts: Accounts) -> Decision[Verdict]:
            verdict = denied if accounts.take(*wanted) else Denied(code=Code.OVER_BUDGET)
            return self._decision(verdict, position, step)

        return self._charged(position, step, [one for one, _ in wanted], decide)

    def _tell(self, position: int, step: Step, judged: Judged) -> Verdict:
        """(5) to (8) of a `describe` or a `split`, which run nothing."""
        release, channel, held = self._release, self._channel, judged.origin.objects
        if step.capability == CapabilityName.DESCRIBE:

            def decide(accounts: Accounts) -> Decision[Verdict]:
                left = reserve(channel.accountant)
                verdict = describe(held, judged.given_away, accounts, left, release.shown)
                return self._decision(verdict, position, step)

            ends = {str(edge.target) for each in held for edge in each.edges} & release.shown.keys()
            tellers = map(payer, (*held, *(release.shown[id_] for id_ in ends)))
            return self._charged(position, step, tellers, decide)
        whole, by = release.sets[str(step.inputs[0])], cast(Dimension, step.by)  # (1) has seen to it
        pieces = () if judged.kept_back else self._executor.split(whole.id, by)
        pieces = pieces if len(pieces) > 1 else ()
        shown: dict[str, LocalSet | LocalObject] = {**release.sets, **release.shown}

        def cut(accounts: Accounts) -> Decision[Verdict]:
            return self._decision(split(whole, by, pieces, accounts, channel.sharing, shown), position, step)

        cells = [key for each in (*release.sets.values(), *pieces) for key in each.cells]
        verdict = self._charged(position, step, map(payer, release.shown.values()), cut, cells)
        if isinstance(verdict, Allowed):
            release.show(pieces, verdict.sets)
        return verdict

    def _executed(self, step: Step, capability: Capability, judged: Judged, missing: Sequence[str]) -> Executed:
        """(5) Run it, unless this session did so before: its answer then is its answer now."""
        key = judged.origin.recipe
        if key in self._answers:
            self._executor.again(step.id, key)
            return self._answers[key]
        executed = self._executor.execute(
            step.id,
            capability,
            step.inputs,
            recipe=key,
            prepared=judged.prepared,
            permitted=judged.permitted.__contains__,
            without=frozenset([each.id for each in judged.without]),
            missing=missing,
        )
        if executed.failure is not Failure.INTERRUPTED:
            self._answers[key] = executed
        return executed

    def _charge(self, position: int, step: Step, judged: Judged, told: Sanitized, failure: Failure | None) -> Verdict:
        """(7) Charge what the outcome newly tells; where another session was faster, tell less or nothing."""
        capability, origin, asked = self._catalog[step.capability], judged.origin, judged.asked
        telling, isolation, sets = self._telling(step, capability, judged), self._pricing.isolation, self._release.sets
        ids = {held.id: held.key for held in origin.objects}
        ids |= {str(name): sets[str(name)].cells[0] for name in step.inputs if name in sets}
        free = step.capability in FREE  # it joins what was told: that it did says nothing
        shared = [] if free else [*origin.besides, *origin.few, *origin.cells]
        noise = self._channel.accountant.noise if shared else None
        if noise:  # a member's own part in a random answer does not shrink with the number of the others
            shared, telling = [one._replace(share=1) for one in shared], f"{RANDOM}{telling}"
        read = [(one, [f"{READ}{capability.unit}@{telling}"]) for one in judged.also]

        def decide(accounts: Accounts) -> Decision[Verdict]:
            # Where another session asked meanwhile and the two tell others apart, these have not paid: nothing is told.
            alone = not asked.about or isolation.before(capability, accounts.known) == asked.before
            alone = alone or isolation.asked(capability, asked.about, accounts.known).few == asked.few
            # A free word must not follow from what was joined: even that it failed is for the person to read.
            whole = DONE if free else told.outcome
            if noise:
                heard = [unit for one in shared for unit in accounts.known[one.key].units]
                whole = noise.randomized(whole, capability, telling, heard)
            for outcome in shrinking(whole) if alone else ():
                units = () if free else outcome.units(capability.unit, telling)
                wanted = [(one, (*units, *more)) for one, more in judged.given_away]
                if accounts.take(*wanted, *[(one, units) for one in shared], *read):
                    if asked.about:
                        accounts.remember(isolation.charges(capability, asked.about, accounts.known))
                    spent = accounts.spent(ids)
                    verdict = Allowed(outcome=outcome, spent=spent, failure=failure, dropped=told.dropped)
                    return self._decision(verdict, position, step)
            return self._decision(Denied(code=Code.OUTCOME_OVER_BUDGET), position, step)

        remembering = isolation.keys() if asked.about else ()
        return self._charged(position, step, (*origin.payers, *judged.also), decide, remembering)

    def _telling(self, step: Step, capability: Capability, judged: Judged) -> str:
        """Of which version of which inputs, or by which run, an outcome tells."""
        origin = judged.origin
        single = len(step.inputs) == 1 and step.inputs[0] in self._shown
        telling = self._shown[str(step.inputs[0])].version if single else origin.recipe[:16]
        if capability.surroundings:
            # What it says of an object follows from the others too: where these changed, it is news.
            telling = f"{telling}.{judged.prepared[:12]}"
        return telling if capability.repeatable else origin.run[-16:]

    def _charged(
        self,
        position: int,
        step: Step,
        payers: Iterable[Payer],
        decide: Callable[[Accounts], Decision[Verdict]],
        more: Iterable[bytes] = (),
    ) -> Verdict:
        """Decide within the transaction, where what other sessions were refused and told since (2) counts too."""

        def limited(accounts: Accounts) -> Decision[Verdict]:
            late = had_its_share(accounts, step)
            return self._decision(late, position, step) if late else decide(accounts)

        return self._release.decided(self._channel.charge(payers, limited, more).value)

    def _decision(self, verdict: Verdict, position: int, step: Step) -> Decision[Verdict]:
        events = ("refusal",) if isinstance(verdict, Denied) else ()
        return Decision(verdict, entries=(self._entry(position, step, verdict),), events=events)  # (8)

    def _entry(self, position: int, step: Step, verdict: Verdict) -> Entry:
        """A line of the trail: words and ids, no content."""
        body: dict[str, object] = {"step": step.id, "position": position + 1, "capability": step.capability}
        capability = self._catalog.get(step.capability)
        if capability is not None and capability.own:
            body["own"] = capability.own
        if isinstance(verdict, Denied):
            code = verdict.code
            body |= {"verdict": verdict.status, "check": code.check, "code": code, "detail": verdict.detail}
        else:
            body |= {"verdict": verdict.outcome.status, "outcome": verdict.outcome, "spent": verdict.spent}
            body |= {"failure": verdict.failure, "dropped": verdict.dropped}
        return self._channel.entry("verdict", body)
