"""`plantwin check`: would the gatekeeper admit a plan, step by step, at what cost, by which policy. A rehearsal."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from plantwin.private.execution.over_sets import PretendedExecutor
from plantwin.surfaces.cli.arguments import add_folder, add_json, add_made_up
from plantwin.surfaces.cli.output import console, write_json, write_line
from plantwin.surfaces.cli.progress import Bar
from plantwin.surfaces.cli.saved import Saved, classes, read, translated, wanted
from plantwin.surfaces.cli.sessions import (
    add_limits,
    admission_members,
    denied_members,
    input_members,
    workspace,
)
from plantwin.surfaces.render.text import path_fields, plural, printable, well_formed
from plantwin.types.approval import Answer
from plantwin.types.capability import TELLING
from plantwin.types.plan import source_of
from plantwin.types.twin import set_id_like
from plantwin.vocabulary import MAX_OUTCOME_TAGS, Findings, Severity, StepStatus

if TYPE_CHECKING:
    from plantwin.session_context import SessionContext
    from plantwin.types.approval import Question
    from plantwin.types.capability import Capability
    from plantwin.types.plan import Plan
    from plantwin.types.verdict import Admission, Verdict
from plantwin.workspace import Workspace

EXAMPLE = "plantwin check plan.json --root ~/projects/shop"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument("plan", metavar="PLAN.json", help="saved by `plantwin plan`, or steps with paths as inputs")
    add_made_up(parser)
    add_folder(parser, default=None)
    add_limits(parser)
    parser.add_argument("--audience", metavar="A", help="as if this provider planned (default: the plan's, or offline)")
    add_json(parser)


class Stand:
    """Stands for a planner: a name, a provider, and whether it sends. It is never asked."""

    def __init__(self, name: str, audience: str, locality: str, *, sends: bool) -> None:
        self.name, self.audience, self.locality, self.sends = name, audience, locality, sends

    def plan(self, envelopes: Sequence[object]) -> bytes:
        """Nothing."""
        return b""


class Agreeing:
    """Notes which questions would be put to a person, and agrees, so that the rest is decided too."""

    manner = "rehearsal"

    def __init__(self) -> None:
        self.asked: dict[str, Question] = {}

    def ask(self, question: Question) -> Answer:
        """Yes, for the sake of the rehearsal."""
        self.asked[question.step.id] = question
        return Answer(question.digest, True)


def dearest(capability: Capability) -> dict[str, object]:
    """Return the dearest outcome that a step could have: all words that it may tell."""
    tags = sorted(tag.value for tag in capability.tags)[:MAX_OUTCOME_TAGS]
    words = {"status": StepStatus.DONE.value, "severity": Severity.HIGH.value, "count": Findings.MANY.value}
    return {**words, "tags": tags}


class Checked(NamedTuple):
    """A plan as the gatekeeper would decide it."""

    plan: Plan
    admission: Admission
    verdicts: dict[str, Verdict]
    asked: dict[str, Question]
    policies: dict[str, list[str]]
    names: dict[str, tuple[str, str]]
    missing: dict[str, str]
    """Names of the plan that no object has, by the id that stands for them here."""

    @property
    def refused(self) -> int:
        """How many steps would be refused."""
        from plantwin.types.verdict import Denied

        return sum(isinstance(verdict, Denied) for verdict in self.verdicts.values())


def run(options: argparse.Namespace) -> int:
    """Decide every step, and record nothing."""
    from plantwin.errors import PolicyError, WireError

    saved = read(options.plan, options.made_up)
    options.root = options.root or saved.root or "."
    audience = options.audience or saved.audience
    if audience == saved.audience:
        planner = Stand(saved.planner, audience, saved.locality, sends=saved.rationed)
    else:
        planner = Stand(audience, audience, "remote", sends=True)
    bar = Bar()
    with workspace(options, bar, rehearse=True) as made:
        approver = Agreeing()
        made.approver = approver
        try:
            checked, context = _checked(saved, made, planner, approver, bar)
        except (PolicyError, WireError) as error:
            # The plan as a whole: the gatekeeper would not even look at its steps.
            if options.json:
                write_json("check", {"admitted": False, "error": well_formed(str(error)), "steps": []})
            else:
                write_line(f"Refused as a whole: {printable(str(error))}.")
            return 1
        write = _write_json if options.json else _write_text
        write(checked, context, planner)
    return int(checked.refused > 0)


def _checked(
    saved: Saved, made: Workspace, planner: Stand, approver: Agreeing, bar: Bar
) -> tuple[Checked, SessionContext]:
    from plantwin.cloud.answer import decode_plan
    from plantwin.run import Run
    from plantwin.types.verdict import Denied

    record = Run("rehearsal", saved.goal, planner.name, planner.audience, planner.locality)
    context = made.open_session(saved.goal, planner, record, only=wanted(saved))
    bar.stop()
    context.release.registration(context.selected.held, context.selected.sets)
    found = translated(saved, context)
    names, missing = found.names, found.missing
    plan = decode_plan(found.answer)
    sets = {set_.id: context.selected.fields.get(set_.id, ()) for set_ in context.selected.sets}
    context.release.request(context.selected.goal, {**sets, **classes(plan, context)})
    gatekeeper = context.gate(
        PretendedExecutor(dearest, context.selected.records, context.members, sandboxed=context.executor.sandboxed)
    )
    admission = gatekeeper.admit(plan)
    policies = {
        priced.step.id: sorted(
            {
                f"{decided.ruling.value} by {decided.policy or 'no policy'}"
                for decided in context.rulings(priced.step.capability, priced.objects).values()
            }
        )
        for priced in admission.steps
        if priced.step.capability in context.catalog
    }
    verdicts: dict[str, Verdict] = {}
    refused: set[str] = set()
    for position in admission.order:
        step = plan.steps[position]
        verdicts[step.id] = gatekeeper.gate(plan, position, frozenset(refused))
        if isinstance(verdicts[step.id], Denied):
            refused.add(step.id)
    shown = {**names, **{id_: (text, "") for id_, text in missing.items()}}
    return Checked(plan, admission, verdicts, approver.asked, policies, shown, missing), context


def _write_json(checked: Checked, context: SessionContext, planner: Stand) -> None:
    from plantwin.types.verdict import Denied

    rows = []
    for priced in checked.admission.steps:
        step, verdict = priced.step, checked.verdicts[priced.step.id]
        question = checked.asked.get(step.id)
        rows.append(
            {
                "step": step.id,
                "capability": step.capability,
                "inputs": [input_members(name, checked.names) for name in step.inputs],
                "admitted": not isinstance(verdict, Denied),
                "price": priced.price / 1000,
                "open_ended": step.capability in TELLING,
                "policies": checked.policies.get(step.id, []),
                "asks": [str(cause) for cause in question.causes] if question else [],
                **(denied_members(verdict) if isinstance(verdict, Denied) else {}),
            }
        )
    spent = [
        {
            **path_fields(spending.path),
            "before": spending.before / 1000,
            "after": spending.spent / 1000,
            "threshold": spending.threshold / 1000,
        }
        for spending in context.spending()
    ]
    members = {
        "admitted": checked.refused == 0,
        "planner": {"name": well_formed(planner.name), "audience": planner.audience, "locality": planner.locality},
        "price": admission_members(checked.admission, checked.names)["price"],
        "steps": rows,
        "spent": spent,
    }
    write_json("check", members)


def _write_text(checked: Checked, context: SessionContext, planner: Stand) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from plantwin.private.report.wording import reason, words
    from plantwin.surfaces.render import session as view
    from plantwin.types.verdict import Denied

    screen = console()
    write_line(f"As {printable(planner.name)} ({planner.locality}), audience {planner.audience}; a rehearsal.")
    screen.print(view.heading("Plan", view.total(checked.admission)))
    standing = context.standing()
    for priced in checked.admission.steps:
        step, verdict = priced.step, checked.verdicts[priced.step.id]
        refused = isinstance(verdict, Denied)
        mark = ("✗", "red") if refused else ("✓", "green")
        where = view.shown(checked.names, step.inputs)
        screen.print(Text.assemble("  ", mark, f" {step.id}  {words(step.capability)}  {where}"))
        if isinstance(verdict, Denied):
            told = f"refused by {printable(reason(verdict, checked.names))}"
            absent = {source_of(name): None for name in step.inputs if source_of(name) in checked.missing}
            for source in absent:
                of = "no set here is" if set_id_like(source) else "nothing here is named"
                told += f"; {of} {printable(checked.missing[source])}"
            screen.print(Padding(Text(told, style="red"), (0, 0, 0, 6)))
            continue
        screen.print(Padding(Text(f"costs at most {view.price(priced, checked.names, standing)}"), (0, 0, 0, 6)))
        if policies := checked.policies[step.id]:
            screen.print(Padding(Text(f"policy: {'; '.join(map(printable, policies))}"), (0, 0, 0, 6)))
        if question := checked.asked.get(step.id):
            causes = ", ".join(str(cause) for cause in question.causes)
            screen.print(Padding(Text(f"a person is asked because of: {causes}", style="yellow"), (0, 0, 0, 6)))
    write_line()
    whole = (
        f"{plural(checked.refused, 'step')} would be refused."
        if checked.refused
        else "Every step would be admitted."
        if checked.plan.steps
        else "The plan has no steps: it says that nothing more is needed."
    )
    write_line(f"{whole} Nothing was sent, charged or run.")
