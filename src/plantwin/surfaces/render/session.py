"""A session on a terminal: what is sent, planned, decided, found and learned. With real names, local only."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from plantwin.private.report.markdown import quoted, undrawn
from plantwin.private.report.model import Taken, rank
from plantwin.private.report.spending import bar, kind_of, named_of, share, spent, told_apart
from plantwin.private.report.wording import amount, called, input_words, reason, state, told, units, words
from plantwin.surfaces.render.text import plural, printable, size
from plantwin.types.capability import TELLING
from plantwin.types.verdict import Denied

if TYPE_CHECKING:
    from plantwin.boundary.release import Released
    from plantwin.private.capabilities.engine.job import Finding
    from plantwin.run import Run, Spending
    from plantwin.types.plan import Step, StepInput
    from plantwin.types.verdict import Admission, Priced, Verdict

SEVERITIES = {"critical": "bold red", "high": "red", "medium": "yellow", "low": "cyan", "none": "dim"}
MARKS = {"done": ("✓", "green"), "partial": ("✓", "yellow"), "failed": ("!", "yellow")}
MOST_FINDINGS = 6
"""Findings of one step on the screen; the report holds all."""
MOST_OBJECTS = 12
"""Objects with a bar on the screen; the report holds all."""
MOST_TOLD = 8
"""Fields of one object on the screen."""
MOST_SETS = 6
"""Sets of one envelope that are told by what they are."""
LINES = 16
"""Lines of a result without findings on the screen."""

Names = Mapping[str, tuple[str, str]]


def table(*columns: str, right: Sequence[str] = (), head: bool = True) -> Table:
    """An open table."""
    made = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold", show_header=head)
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return made


def heading(text: str, rest: str = "") -> Text:
    """A line that begins a part."""
    return Text.assemble("\n", (text, "bold"), (f"  {rest}" if rest else "", "dim"))


def shown(names: Names, inputs: Iterable[StepInput]) -> str:
    """Inputs by their real names, sets by what they are, steps by their id."""
    return ", ".join(printable(input_words(name, names)) for name in inputs) or "nothing"


def envelopes(sent: Sequence[Released], prices: Sequence[int | None]) -> RenderableType:
    """What leaves: sizes, objects by kind, price."""
    made = table("message", "size", "about", "costs", right=("size", "costs"))
    for each, price in zip(sent, prices, strict=True):
        message = json.loads(each.data)
        cost = "-" if price is None else amount(price)
        made.add_row(words(message["message"]), size(len(each)), Text(_about(message)), cost)
    return Padding(made, (0, 0, 0, 2))


def _about(message: dict[str, Any]) -> str:
    kinds = Counter(each["kind"] for each in message.get("objects", ()))
    listed = ", ".join(f"{number} {words(kind)}" for kind, number in kinds.most_common())
    parts = []
    if goal := message.get("goal"):
        intents = ", ".join(map(words, goal.get("intents", ()))) or "no particular work"
        parts.append(f"wanted: {intents}; {plural(len(goal.get('objects', ())), 'object')} named")
    if steps := message.get("steps"):
        became = Counter(each["outcome"]["status"] for each in steps)
        parts.append(", ".join(f"{number} {words(status)}" for status, number in became.most_common()))
    if kinds:
        fields = {field for each in message["objects"] for field in each} - {"object_id", "kind"}
        told = f", with {', '.join(map(words, sorted(fields)))}" if fields else ", kinds alone"
        parts.append(f"{plural(len(message['objects']), 'object')} ({listed}){told}")
    if sets := message.get("sets"):
        parts.append(f"{plural(len(sets), 'set')} ({', '.join(map(_set, sets[:MOST_SETS]))}{_more(sets)})")
    if relations := message.get("relations"):
        parts.append(plural(len(relations), "relation"))
    return "; ".join(parts) or "nothing"


def _set(told: dict[str, Any]) -> str:
    """A set as it crosses: `dozens of infra module`."""
    what = told.get("semantic_class") or told.get("family") or told.get("kind") or "mixed"
    return f"{words(told['size'])} of {words(what)}"


def _more(sets: Sequence[object]) -> str:
    return f", and {len(sets) - MOST_SETS} more" if len(sets) > MOST_SETS else ""


def plan(admission: Admission, names: Names, standing: Mapping[str, Spending], asking: Iterable[str]) -> RenderableType:
    """The plan with real names and its price."""
    made = table("", "step", "what", "on", "costs at most", right=("",))
    asked = set(asking)
    for number, each in enumerate(admission.steps, 1):
        step = each.step
        where = shown(names, step.inputs)
        about = Text(price(each, names, standing))
        if each.refusal is not None:
            about = Text(f"refused: {printable(reason(each.refusal, names))}", style="red")
        elif step.id in asked:
            about.append("; needs your approval", style="yellow")
        made.add_row(str(number), step.id, called(step.capability, names), Text(where), about)
    return Padding(made, (0, 0, 0, 2))


def price(each: Priced, names: Names, standing: Mapping[str, Spending]) -> str:
    """`3.5 of 20.0 for shop/auth.py`; what describes or splits costs what it tells, within what is left."""
    if not each.objects:
        return amount(each.price)
    parts = []
    inputs = {str(name): name for name in each.step.inputs}
    for id_ in each.objects:
        stands = standing.get(id_)
        of = f" of {amount(stands.threshold)}" if stands else ""
        most = amount(each.price)
        if each.step.capability in TELLING and stands:
            most = f"the {amount(max(0, stands.threshold - stands.spent))} left"
        parts.append((f"{most}{of} for", printable(input_words(inputs.get(id_, id_), names))))
    if len(parts) > 1 and len({cost for cost, _ in parts}) == 1:
        return f"{parts[0][0]} each"
    few = 3
    return ", ".join(map(" ".join, parts[:few])) + (f" and {len(parts) - few} more" if len(parts) > few else "")


def total(admission: Admission) -> str:
    """`4 steps, at most 17.5 in all`."""
    admitted = [each for each in admission.steps if each.refusal is None]
    telling = dict.fromkeys(each.step.capability for each in admitted if each.step.capability in TELLING)
    more = "".join(f" and what {word} tells" for word in telling)
    return f"{plural(len(admission.steps), 'step')}, at most {amount(admission.price)}{more} in all"


def verdict(step: Step, decided: Verdict, seconds: float, names: Names, sizes: tuple[int, int]) -> RenderableType:
    """Two lines for what became of a step. `sizes`: widths of its first columns."""
    mark, style = MARKS.get(state(decided), ("✗", "red"))
    line = Text.assemble(
        "  ", (mark, style), f" {step.id:<{sizes[0]}}  {called(step.capability, names):<{sizes[1]}}  ",
        shown(names, step.inputs),
    )  # fmt: skip
    return Group(line, Padding(_became(decided, seconds, names), (0, 0, 0, 6)))


def _became(decided: Verdict, seconds: float, names: Names) -> Text:
    line = Text()
    if isinstance(decided, Denied):
        line.append(f"{state(decided)} by {printable(reason(decided, names))}", style="red")
        line.append(f"; told to the planner: {decided.status}", style="dim")
        return line
    if decided.failure is not None:
        line.append(f"failed, {printable(reason(decided))}; ", style="yellow")
    cost = sum(cost for _, cost in decided.spent)
    line.append(f"told to the planner: {told(decided.outcome)}; cost {amount(cost)}; {seconds:.1f} s", style="dim")
    return line


def findings(steps: Sequence[Taken], names: Names) -> RenderableType:
    """What was found, in short: by step, worst first."""
    parts: list[RenderableType] = []
    for each in sorted((one for one in steps if one.result is not None), key=lambda one: -one.worst):
        title = f"{each.step.id} {called(each.step.capability, names)} of {shown(names, each.step.inputs)}"
        parts.append(Text.assemble("  ", (title, "bold")))
        found = each.findings
        if found:
            parts.append(Padding(_listed(found[:MOST_FINDINGS]), (0, 0, 0, 4)))
            if len(found) > MOST_FINDINGS:
                parts.append(Text(f"    and {len(found) - MOST_FINDINGS} more", style="dim"))
        else:
            parts += _told(each.result.text, LINES)
    return Group(*parts)


def texts(steps: Sequence[Taken], names: Names, lines: int) -> RenderableType:
    """What steps say that have no findings, so many lines of each."""
    parts: list[RenderableType] = []
    for step in steps:
        title = f"{step.step.id} {called(step.step.capability, names)} of {shown(names, step.step.inputs)}"
        parts += [Text(title, style="bold"), *_told(step.result.text, lines)]
    return Group(*parts)


def _listed(found: Sequence[Finding]) -> Table:
    made = table("severity", "where", "what", head=False)
    made.box = None
    made.padding = (0, 2, 0, 0)
    for each in sorted(found, key=lambda one: -rank(one.severity)):
        place = f"{each.name}:{each.line}" if each.line else each.name
        severity = each.severity if each.severity in SEVERITIES else "none"
        made.add_row(Text(severity, style=SEVERITIES[severity]), Text(printable(place)), Text(printable(each.message)))
    return made


def _told(text: str, most: int) -> list[RenderableType]:
    from rich.markdown import Markdown

    lines = undrawn(text).strip().splitlines()
    made: list[RenderableType] = [
        Padding(Markdown("\n".join(quoted("\n".join(lines[:most]))), hyperlinks=False), (0, 0, 0, 4))
    ]
    if len(lines) > most:
        made.append(Text(f"    and {plural(len(lines) - most, 'line')} more, in the report", style="dim"))
    return made


def spending_table(
    spending: Sequence[Spending], others: Mapping[str, str] | None = None, title: str = "object"
) -> Table:
    """Objects, or members of sets, with a bar of what is spent of what may ever be."""
    made = table(title, "spent", "", "of", "NL", "told this time", right=("", "of", "NL"))
    for each in spending:
        told = units(each.told, others)
        rest = f"; and {len(told) - MOST_TOLD} more" if len(told) > MOST_TOLD else ""
        new = "; ".join(told[:MOST_TOLD]) + rest or "nothing new"
        made.add_row(
            Text(printable(named_of(each))), Text(bar(each), style=_level(each)), spent(each),
            amount(each.threshold), f"{share(each):.0%}", Text(printable(new)),
        )  # fmt: skip
    return made


def standing_table(spending: Sequence[Spending]) -> Table:
    """Objects with a bar of what is spent of what may ever be, and how much was told."""
    made = table("object", "spent", "", "of", "used", "told", right=("", "of", "used", "told"))
    for each in spending:
        made.add_row(
            Text(printable(named_of(each))), Text(bar(each, 20), style=_level(each)), amount(each.spent),
            amount(each.threshold), f"{share(each):.0%}", str(len(each.told)),
        )  # fmt: skip
    return made


def _level(each: Spending) -> str:
    used = share(each)
    return "red" if used >= 0.9 else "yellow" if used >= 0.6 else "green"


def learned(run: Run) -> RenderableType:
    """What the audience has learned of each object, and what that cost."""
    more, barely = told_apart(run.spending)
    parts: list[RenderableType] = []
    if run.set_spending:
        parts.append(spending_table(run.set_spending[:MOST_OBJECTS], title="one of"))
    if len(run.set_spending) > MOST_OBJECTS:
        parts.append(Text(f"and {plural(len(run.set_spending) - MOST_OBJECTS, 'set')} more, in the report"))
    if more:
        parts.append(spending_table(more[:MOST_OBJECTS], run.others))
    if len(more) > MOST_OBJECTS:
        parts.append(Text(f"and {plural(len(more) - MOST_OBJECTS, 'object')} more, in the report"))
    if barely:
        kinds = Counter(kind_of(each) for each in barely)
        listed = ", ".join(f"{number} {kind}" for kind, number in kinds.most_common())
        parts.append(Text(f"Of {plural(len(barely), 'further object')} only the kind was told: {listed}."))
    for each in (*run.set_spending, *more):
        if each.withheld:
            fields = ", ".join(map(words, each.withheld))
            parts.append(Text(f"Withheld of {printable(named_of(each))}: {fields}; it does not fit.", style="yellow"))
    for path in run.excluded:
        parts.append(Text(f"Excluded: {printable(path)}; its budget is used up.", style="yellow"))
    most = max((*run.spending, *run.set_spending), key=lambda each: each.spent, default=None)
    if most is not None:
        parts.append(
            Text(f"L = {amount(most.spent)}, on {printable(named_of(most))}. NL over all: {run.normalized:.0%}.")
        )
    return Padding(Group(*parts), (0, 0, 0, 2))
