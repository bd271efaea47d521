"""Y: the local report of a session. Real names, real findings, and what the planner learned. Never sent."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.errors import StateError
from plantwin.private.capabilities.engine.report import beyond
from plantwin.private.report.documents import documents
from plantwin.private.report.full import full_report
from plantwin.private.report.markdown import code, plain, quoted, table
from plantwin.private.report.model import ORDER, Overview, Reported, Taken, taken, unheard
from plantwin.private.report.spending import bar, kind_of, learned_by, named_of, share, spent, told_apart
from plantwin.private.report.wording import amount, called, input_words, reason, state, told, units, words
from plantwin.run import Ending
from plantwin.text import plural, size
from plantwin.types.verdict import Allowed, Denied

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import LeftOut
    from plantwin.run import Run, Spending
    from plantwin.types.plan import Step

__all__ = ["lines", "taken", "write"]

TOP = 25
"""Findings that the report tells in full, worst first."""
MOST_GROUPS = 100
"""Rules, and files, that the report lists."""
MOST_IN_GROUP = 20
"""Findings of one rule, or of one file, that the report lists."""
MOST_NAMES = 50
"""Names that are listed of what was not examined, for one reason; objects that a table of budgets has."""
MOST_OBJECTS = 200
"""Objects whose budgets the report lists."""
ENDINGS = {
    Ending.DONE: "to its end",
    Ending.STOPPED: "stopped before anything further was sent",
    Ending.PLANNER: "early, because of the planner",
    Ending.GATE: "early, because a gate failed closed",
    Ending.INTERRUPTED: "early, because you interrupted it",
}


def write(run: Run, folder: Path) -> Path:
    """Write the report into a folder, beside it all findings as JSON and what steps made; for its owner alone."""
    day = time.strftime("%Y%m%d-%H%M%S", time.localtime(run.started))
    overview = Overview.of(run)
    made = {(step.turn, step.step.id): documents(step.result) for step in overview.steps if step.result is not None}
    for (turn, id_), given in made.items():
        run.documents[turn, id_] = [
            _written(folder / f"{day}-{run.session}-{turn}.{id_}-{name}", data) for name, data in given
        ]
    path = folder / f"{day}-{run.session}.md"
    run.full_report = _written(path.with_suffix(".json"), full_report(run, overview))
    text = "\n".join(lines(run, overview)) + "\n"
    run.report = _written(path, text.encode("utf-8", "backslashreplace"))
    return run.report


def _written(path: Path, data: bytes) -> Path:
    """Write a file whole or not at all."""
    draft = path.parent / f".{secrets.token_hex(8)}"
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            draft.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                draft.unlink()
            raise
    except OSError as error:
        raise StateError(f"the report cannot be written ({error.strerror}): free the state folder's disk") from None
    return path


def lines(run: Run, overview: Overview | None = None) -> Iterator[str]:
    """The report, line by line."""
    overview = overview or Overview.of(run)
    yield from _head(run)
    yield from ("", "## Summary", "")
    yield from (f"- {plain(line)}" for line in summary(run, overview))
    yield from _undone(run, overview)
    yield from _top(run, overview)
    if len(overview.findings) > TOP:
        yield from _by_rule(overview)
        yield from _by_file(overview)
    yield from _results(run, overview)
    yield from _examined(run, overview)
    yield from _steps(run, overview.steps)
    yield from _learned(run)
    yield from _untold(run)
    yield from _sent(run)
    yield from _measured(run)


def _head(run: Run) -> Iterator[str]:
    day = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(run.started))
    here = "a port of this machine" if run.rationed else "on this machine"
    place = here if run.locality == "local" else "elsewhere"
    yield from (
        "# PlanTwin report",
        "",
        "*Local: it holds real names and real findings. Do not share it as it is.*",
        "",
    )
    yield f"> {plain(run.goal)}"
    yield ""
    rows = [
        ("Folder", code(str(run.root or ""))),
        ("Planner", f"{plain(run.planner)} ({place}), audience {plain(run.audience)}" if run.planner else "none"),
        ("Began", f"{day}, session {run.session}"),
        ("Ended", ENDINGS[run.ending] + (f": {plain(run.error)}" if run.error else "")),
    ]
    yield from table(("", ""), [(f"**{name}**", value) for name, value in rows])


def summary(run: Run, overview: Overview) -> Iterator[str]:
    """The session in a few sentences, what was not done first; plain text without names."""
    if undone := overview.undone():
        yield undone
    yield overview.headline()
    if examined := overview.examined({}):
        yield f"Examined: {'; '.join(examined)}."
    if overview.steps:
        done = sum(step.done for step in overview.steps)
        yield f"Steps: {done} of {len(overview.steps)} carried out."
    if not run.rationed:
        yield "Nothing left this machine."
    if not (run.outbound or run.spending or run.set_spending):
        return
    sent = f"{plural(len(run.outbound), 'envelope')}, {size(sum(map(len, run.outbound)))}"
    told = [plural(sum(bool(one.told) for one in some), noun) for some, noun in _told_of(run)]
    whom = "Told" if run.rationed else "The planner here was given"
    yield f"{whom}: {sent} of {' and '.join(told) or 'nothing'}."
    most = f"at most {amount(run.leakage)} points on one object (L)"
    yield f"Leakage: {most}; {run.normalized:.0%} of all their budgets (NL)."


def _told_of(run: Run) -> list[tuple[Sequence[Spending], str]]:
    return [(some, noun) for some, noun in ((run.set_spending, "set"), (run.spending, "object")) if some]


def _undone(run: Run, overview: Overview) -> Iterator[str]:
    if overview.refused:
        yield from ("", "## What was refused", "")
        yield "The planner was told one word of each; the reason stays on this machine."
        yield ""
    for step in overview.refused:
        if isinstance(step.verdict, Denied):
            why = plain(reason(step.verdict, run.names))
            yield f"- {_title(run, step)}: {why}; told to the planner: `{step.verdict.status}`"
    if overview.failed or overview.missed:
        yield from ("", "## What failed", "")
    for step in overview.failed:
        if step.verdict is not None:
            known = run.errors.get((step.turn, step.step.id), "")
            why = reason(step.verdict) or "it says why below"
            yield f"- {_title(run, step)}: {plain(why)}" + (f" ({plain(known)})" if known else "")
    for step in overview.missed:
        yield f"- {_title(run, step)}: not reached"


def _title(run: Run, step: Taken) -> str:
    turn = f"{step.turn}." if len(run.turns) > 1 else ""
    return f"{turn}{step.step.id} · {called(step.step.capability, run.names)} · {_inputs(run, step.step)}"


def _inputs(run: Run, step: Step) -> str:
    return ", ".join(code(input_words(name, run.names)) for name in step.inputs) or "nothing"


def _top(run: Run, overview: Overview) -> Iterator[str]:
    if not overview.findings:
        return
    rest = len(overview.findings) - TOP
    yield from ("", f"## {'Top findings' if rest > 0 else 'Findings'}", "")
    for one in overview.findings[:TOP]:
        yield from _finding(run, one)
    if rest > 0:
        yield from ("", f"{plural(rest, 'further finding')}: by rule and by file below, each one in the JSON file.")


def _finding(run: Run, one: Reported) -> Iterator[str]:
    finding = one.finding
    yield f"- **{plain(finding.severity)}** · {code(one.place)} · {plain(words(finding.tag))}: {plain(finding.message)}"
    if finding.evidence:
        yield f"  - {code(finding.evidence)}"
    if finding.hint:
        yield f"  - {plain(finding.hint)}"
    by = " and ".join(called(capability, run.names) for capability in one.by)
    rule = f"rule {finding.rule}" if finding.rule else ""
    yield f"  - {plain(', '.join(filter(None, (rule, finding.reference, f'found by {by}'))))}"


def _by_rule(overview: Overview) -> Iterator[str]:
    yield from ("", "## By rule")
    for sort, found in list(overview.by_sort.items())[:MOST_GROUPS]:
        worst = found[0].finding
        files = plural(len({one.finding.name for one in found}), "file")
        yield from ("", f"### {plain(sort)}: {plain(worst.severity)}, {len(found):,} in {files}", "")
        about = [plain(text) for text in (worst.hint, worst.reference) if text]
        if about:
            yield from (" ".join(about), "")
        yield from (f"- {code(one.place)}: {plain(one.finding.message)}" for one in found[:MOST_IN_GROUP])
        yield from _further(len(found) - MOST_IN_GROUP)
    yield from _further(len(overview.by_sort) - MOST_GROUPS, "rule")


def _by_file(overview: Overview) -> Iterator[str]:
    yield from ("", "## By file")
    for name, found in list(overview.by_file.items())[:MOST_GROUPS]:
        yield from ("", f"### {code(name)}: {plain(found[0].finding.severity)}, {len(found):,}", "")
        for one in found[:MOST_IN_GROUP]:
            line = f"line {one.finding.line}: " if one.finding.line else ""
            yield f"- **{plain(one.finding.severity)}** · {line}{plain(one.finding.message)} ({plain(one.sort)})"
        yield from _further(len(found) - MOST_IN_GROUP)
    yield from _further(len(overview.by_file) - MOST_GROUPS, "file")


def _further(number: int, noun: str = "") -> Iterator[str]:
    """Count what is not listed, if anything."""
    if number > 0:
        what = plural(number, f"further {noun}" if noun else "further finding")
        yield from ("", f"{what}, in the JSON file.")


def _results(run: Run, overview: Overview) -> Iterator[str]:
    """What steps say beside their findings: texts, tables, documents."""
    parts = [(step, list(_result(run, step))) for step in overview.steps if step.result is not None]
    parts = [(step, said) for step, said in parts if said]
    if parts:
        yield from ("", "## What steps say")
    for step, said in sorted(parts, key=lambda part: (-part[0].worst, part[0].turn)):
        severity = f": {ORDER[step.worst]}" if step.findings else ""
        yield from ("", f"### {_title(run, step)}{severity}", *said)


def _result(run: Run, step: Taken) -> Iterator[str]:
    found, result = step.findings, step.result
    text = beyond(result.text) if found and result.listed else result.text or ("" if found else "Nothing.")
    if text:
        yield from ("", *quoted(text))
    if found:
        yield from ("", _whose(result.facts))
    written = run.documents.get((step.turn, step.step.id), ())
    if written:
        yield from ("", *(f"Written: {code(str(path))}" for path in written))


def _whose(facts: Mapping[str, object]) -> str:
    """Which tool or rules said so."""
    tool = facts.get("tool")
    tools = [tool] if isinstance(tool, str) else tool if isinstance(tool, list) else []
    if isinstance(tool, Mapping):  # by object
        tools = sorted({part for said in tool.values() for part in str(said).split(", ")} - {"none"})
    return f"Said by: {plain(', '.join(map(str, tools))[:300] or 'built-in rules')}."


def _examined(run: Run, overview: Overview) -> Iterator[str]:
    covered = [step for step in overview.steps if step.coverage is not None]
    if not covered:
        return
    yield from ("", "## What was examined", "")
    rows = []
    for step in covered:
        if (part := step.coverage) is not None:
            figures = (part.given, part.examined, part.reused, part.affected)
            rows.append((_title(run, step), *(f"{number:,}" for number in figures)))
    yield from table(("step", "given:", "examined:", "of these reused:", "with findings:"), rows)
    for step in covered:
        if (part := step.coverage) is not None:
            yield from (line for left_out in part.left_out for line in ("", _left_out(step, left_out)))
    if run.unplanned:
        yield from ("", f"No step took: {', '.join(map(code, run.unplanned))}.")


def _left_out(step: Taken, left_out: LeftOut) -> str:
    listed = ", ".join(code(name) for name in left_out.names[:MOST_NAMES])
    more = left_out.count - min(len(left_out.names), MOST_NAMES)
    rest = f" and {more:,} more" if more > 0 else ""
    names = f" ({listed}{rest})" if listed else ""
    return f"Not examined by {step.step.id}, {plain(left_out.reason)}: {left_out.count:,}{names}."


def _steps(run: Run, steps: list[Taken]) -> Iterator[str]:
    if not steps:
        return
    yield from ("", "## Every step", "")
    rows = []
    for step in steps:
        cost = sum(cost for _, cost in step.verdict.spent) if isinstance(step.verdict, Allowed) else 0
        heard = told(step.verdict.outcome) if step.verdict is not None else "nothing"
        became = "refused" if isinstance(step.verdict, Denied) else state(step.verdict)
        rows.append(
            (
                f"{step.turn}.{step.step.id}", called(step.step.capability, run.names), _inputs(run, step.step), became,
                heard,
                amount(cost), f"{step.seconds:.2f} s",
            )
        )  # fmt: skip
    yield from table(("step", "what", "on", "became", "told to the planner", "cost:", "time:"), rows)
    for step in steps:
        if isinstance(step.verdict, Allowed) and step.verdict.dropped:
            yield from ("", f"Of {_title(run, step)} the boundary dropped: {plain('; '.join(step.verdict.dropped))}.")


def _learned(run: Run) -> Iterator[str]:
    if not run.spending and not run.set_spending:
        return
    title, about = learned_by(run)
    yield from (
        "",
        f"## {plain(title)}",
        "",
        f"{about[0].upper()}{about[1:]}. What is known already costs nothing.",
        "",
    )
    yield from _sets_learned(run)
    named, barely = told_apart(run.spending)
    rows = [
        (
            code(named_of(one)), bar(one), spent(one), amount(one.threshold), f"{share(one):.0%}",
            amount(one.spent - one.before), plain("; ".join(units(one.told, run.others)) or "nothing new"),
        )
        for one in named[:MOST_OBJECTS]
    ]  # fmt: skip
    if rows:
        yield from table(("object", "", "spent:", "of:", "NL:", "this time:", "told this time"), rows)
        yield ""
    if len(named) > MOST_OBJECTS:
        yield from (f"{plural(len(named) - MOST_OBJECTS, 'further object')}: `plantwin budget` lists all.", "")
    if barely:
        rest = f" and {len(barely) - MOST_NAMES:,} more" if len(barely) > MOST_NAMES else ""
        yield f"Of {plural(len(barely), 'further object')} it was told the kind only:"
        yield ", ".join(f"{code(named_of(one))} ({kind_of(one)})" for one in barely[:MOST_NAMES]) + f"{rest}."


def _sets_learned(run: Run) -> Iterator[str]:
    """What was told of sets: of each member as one of many."""
    if not run.set_spending:
        return
    rows = [
        (
            code(named_of(one)), bar(one), amount(one.spent), amount(one.threshold), f"{share(one):.0%}",
            amount(one.spent - one.before), plain("; ".join(units(one.told)) or "nothing new"),
        )
        for one in run.set_spending
    ]  # fmt: skip
    yield from table(("one of", "", "spent:", "of:", "NL:", "this time:", "told this time"), rows)
    yield ""


def _untold(run: Run) -> Iterator[str]:
    withheld = [one for one in (*run.set_spending, *run.spending) if one.withheld]
    lines = [
        f"- {code(named_of(one))}: {plain(', '.join(map(words, one.withheld)))} did not fit its budget"
        for one in withheld[:MOST_OBJECTS]
    ]
    lines += [f"- {code(path)}: not shown at all; its budget is used up" for path in run.excluded[:MOST_OBJECTS]]
    more = max(0, len(withheld) - MOST_OBJECTS) + max(0, len(run.excluded) - MOST_OBJECTS)
    lines += [f"- {plural(more, 'further object')}"] if more else []
    lines += [f"- {plain(said)}"] if (said := unheard(run)) else []
    yield from ("", "## What was withheld", "", *lines) if lines else ()


def _sent(run: Run) -> Iterator[str]:
    if not run.outbound:
        return
    yield from ("", f"## What {'was sent' if run.rationed else 'the planner on this machine was given'}", "")
    rows = [
        (str(number), words(message_of(envelope.data)), f"{len(envelope):,}", code(envelope.digest))
        for number, envelope in enumerate(run.outbound, 1)
    ]
    yield from table((":", "message", "bytes:", "sha256"), rows)
    yield from ("", "The exact bytes are in the trail: `plantwin audit export -`.")


def message_of(data: bytes) -> str:
    """What sort of envelope it is."""
    for word in ("registration", "request", "results", "repair", "verbatim"):
        if f'"message":"{word}"'.encode() in data:
            return word
    return "envelope"


def _measured(run: Run) -> Iterator[str]:
    yield from ("", "## Time", "")
    yield from table(("phase", "seconds:"), [(words(phase), f"{taken:.2f}") for phase, taken in run.timings.items()])
    if run.warnings:
        yield from ("", "## Warnings", "")
        yield from (f"- {plain(warning)}" for warning in run.warnings)
