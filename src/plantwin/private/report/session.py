"""Y: the local report of a session. Real names, real findings, and what the planner learned. Never sent."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plantwin.boundary.budget import normalized_leakage
from plantwin.errors import StateError
from plantwin.private.capabilities.engine.report import beyond
from plantwin.private.report.documents import documents
from plantwin.private.report.markdown import code, plain, quoted, table
from plantwin.private.report.wording import amount, called, named, reason, state, told, units, words
from plantwin.run import Ending
from plantwin.text import plural, size
from plantwin.types.verdict import Allowed, Denied
from plantwin.vocabulary import Severity

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Finding
    from plantwin.run import Run, Spending, Turn
    from plantwin.types.plan import Step
    from plantwin.types.verdict import Verdict

ORDER = tuple(each.value for each in Severity)
MOST_FINDINGS = 200
"""Findings of one step that the report lists."""
BAR = 10
ENDINGS = {
    Ending.DONE: "to its end",
    Ending.STOPPED: "stopped before anything further was sent",
    Ending.PLANNER: "early, because of the planner",
    Ending.GATE: "early, because a gate failed closed",
    Ending.INTERRUPTED: "early, because you interrupted it",
}


class Taken(NamedTuple):
    """One step with what became of it."""

    turn: int
    position: int
    step: Step
    verdict: Verdict | None
    seconds: float
    result: Any

    @property
    def findings(self) -> list[Finding]:
        """What it found, worst first."""
        found = self.result.findings if self.result is not None else []
        return sorted(found, key=lambda each: (-rank(each.severity), each.name, each.line))

    @property
    def worst(self) -> int:
        """How bad the worst of it is."""
        return max((rank(each.severity) for each in self.findings), default=0)


def rank(severity: str) -> int:
    """How bad a severity word is."""
    return ORDER.index(severity) if severity in ORDER else 0


def taken(run: Run) -> list[Taken]:
    """Every step of every plan, in the order of the plans."""
    return [_taken(run, number, turn, place) for number, turn in enumerate(run.turns, 1) for place in _places(turn)]


def _places(turn: Turn) -> range:
    return range(len(turn.plan.steps))


def _taken(run: Run, number: int, turn: Turn, place: int) -> Taken:
    step = turn.plan.steps[place]
    verdict = turn.verdict(place)
    # A refused step has no result of its own, whatever an earlier plan's step of that name left.
    result = run.results.get((number, step.id)) if isinstance(verdict, Allowed) else None
    return Taken(number, place, step, verdict, turn.seconds.get(place, 0.0), result)


def write(run: Run, folder: Path) -> Path:
    """Write the report into a folder, and beside it what steps made; whole or not at all, for its owner alone."""
    day = time.strftime("%Y%m%d-%H%M%S", time.localtime(run.started))
    made = {(each.turn, each.step.id): documents(each.result) for each in taken(run) if each.result is not None}
    for (turn, step), given in made.items():
        run.documents[turn, step] = [
            _written(folder / f"{day}-{run.session}-{turn}.{step}-{name}", data) for name, data in given
        ]
    path = folder / f"{day}-{run.session}.md"
    run.report = _written(path, ("\n".join(lines(run)) + "\n").encode("utf-8", "backslashreplace"))
    return run.report


def _written(path: Path, data: bytes) -> Path:
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


def lines(run: Run) -> Iterator[str]:
    """The report, line by line."""
    steps = taken(run)
    yield from _head(run, steps)
    yield from _found(run, steps)
    yield from _refused(run, steps)
    yield from _steps(run, steps)
    yield from _learned(run)
    yield from _untold(run)
    yield from _sent(run)
    yield from _measured(run)


def _head(run: Run, steps: list[Taken]) -> Iterator[str]:
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
        ("Planner", f"{plain(run.planner)} ({place}), audience {plain(run.audience)}"),
        ("Began", f"{day}, session {run.session}"),
        ("Ended", ENDINGS[run.ending] + (f": {plain(run.error)}" if run.error else "")),
    ]
    yield from table(("", ""), [(f"**{name}**", value) for name, value in rows])
    yield from ("", "## In short", "")
    yield from (f"- {line}" for line in summary(run, steps))


def summary(run: Run, steps: list[Taken]) -> Iterator[str]:
    """The session in a few sentences; plain text without names."""
    counts = Counter(each.severity for step in steps for each in step.findings)
    listed = ", ".join(f"{counts[word]} {word}" for word in reversed(ORDER) if counts[word])
    ran = [each for each in steps if isinstance(each.verdict, Allowed)]
    refused = sum(isinstance(each.verdict, Denied) for each in steps)
    failed = sum(isinstance(each.verdict, Allowed) and each.verdict.failure is not None for each in steps)
    if steps:
        yield f"Found: {listed or 'nothing to report'}."
        missed = sum(each.verdict is None for each in steps)
        others = [(refused, "refused"), (failed, "failed"), (missed, "not reached")]
        rest = "".join(f", {number} {word}" for number, word in others if number)
        yield f"Steps: {len(ran) - failed} of {len(steps)} carried out{rest}."
    else:
        yield "No step was planned."
    sent = f"{plural(len(run.outbound), 'envelope')}, {size(sum(map(len, run.outbound)))}"
    spent = amount(sum(each.spent - each.before for each in run.spending))
    yield f"Told: {sent}; {spent} spent on {plural(sum(bool(each.told) for each in run.spending), 'object')}."
    yield f"Leakage: at most {amount(run.leakage)} on one object (L); {run.normalized:.0%} of all their budgets (NL)."


def _found(run: Run, steps: list[Taken]) -> Iterator[str]:
    shown = sorted((each for each in steps if each.result is not None), key=lambda each: (-each.worst, each.turn))
    if not shown:
        return
    yield from ("", "## What was found")
    for each in shown:
        severity = f": {ORDER[each.worst]}" if each.findings else ""
        yield from ("", f"### {_title(run, each)}{severity}", "")
        if each.findings:
            yield from _findings(each.findings)
        text = beyond(each.result.text) if each.findings and each.result.listed else each.result.text or "Nothing."
        if text:
            yield from ("", *quoted(text))
        if each.findings:
            yield from ("", _whose(each.result.facts))
        written = run.documents.get((each.turn, each.step.id), ())
        if written:
            yield from ("", *(f"Written: {code(str(path))}" for path in written))


def _title(run: Run, each: Taken) -> str:
    turn = f"{each.turn}." if len(run.turns) > 1 else ""
    return f"{turn}{each.step.id} · {called(each.step.capability, run.names)} · {_inputs(run, each.step)}"


def _inputs(run: Run, step: Step) -> str:
    return ", ".join(code(named(id_, run.names)) for id_ in step.inputs) or "nothing"


def _findings(findings: list[Finding]) -> Iterator[str]:
    for each in findings[:MOST_FINDINGS]:
        place = code(f"{each.name}:{each.line}" if each.line else each.name)
        yield f"- **{plain(each.severity)}** · {place} · {plain(words(each.tag))}: {plain(each.message)}"
        if each.evidence:
            yield f"  - {code(each.evidence)}"
        if each.hint:
            yield f"  - {plain(each.hint)}"
        if each.rule:
            yield f"  - {plain(', '.join(filter(None, (f'rule {each.rule}', each.reference))))}"
    if len(findings) > MOST_FINDINGS:
        yield f"- {len(findings) - MOST_FINDINGS:,} more are not listed."


def _whose(facts: Mapping[str, object]) -> str:
    """Which tool or rules said so."""
    tool = facts.get("tool")
    tools = [tool] if isinstance(tool, str) else tool if isinstance(tool, list) else []
    return f"Said by: {plain(', '.join(map(str, tools))[:300] or 'built-in rules')}."


def _refused(run: Run, steps: list[Taken]) -> Iterator[str]:
    refused = [each for each in steps if isinstance(each.verdict, Denied)]
    failed = [each for each in steps if isinstance(each.verdict, Allowed) and each.verdict.failure is not None]
    missed = [each for each in steps if each.verdict is None]
    if refused:
        yield from ("", "## What was refused", "")
        yield "The planner heard one word of each; the reason stays here."
        yield ""
    for each in refused:
        if isinstance(each.verdict, Denied):
            yield f"- {_title(run, each)}: {plain(reason(each.verdict, run.names))}; heard `{each.verdict.status}`"
    if failed or missed:
        yield from ("", "## What failed", "")
    for each in failed:
        if each.verdict is not None:
            known = run.errors.get((each.turn, each.step.id), "")
            yield f"- {_title(run, each)}: {plain(reason(each.verdict))}" + (f" ({plain(known)})" if known else "")
    for each in missed:
        yield f"- {_title(run, each)}: not reached"


def _steps(run: Run, steps: list[Taken]) -> Iterator[str]:
    if not steps:
        return
    yield from ("", "## Every step", "")
    rows = []
    for each in steps:
        cost = sum(cost for _, cost in each.verdict.spent) if isinstance(each.verdict, Allowed) else 0
        heard = told(each.verdict.outcome) if each.verdict is not None else "nothing"
        became = "refused" if isinstance(each.verdict, Denied) else state(each.verdict)
        rows.append(
            (
                f"{each.turn}.{each.step.id}", called(each.step.capability, run.names), _inputs(run, each.step), became,
                heard,
                amount(cost), f"{each.seconds:.2f} s",
            )
        )  # fmt: skip
    yield from table(("step", "what", "on", "became", "the planner heard", "cost:", "time:"), rows)
    dropped = [each for each in steps if isinstance(each.verdict, Allowed) and each.verdict.dropped]
    for each in dropped:
        if isinstance(each.verdict, Allowed):
            yield from ("", f"Of {_title(run, each)} the boundary dropped: {plain('; '.join(each.verdict.dropped))}.")


def _learned(run: Run) -> Iterator[str]:
    if not run.spending:
        return
    title, about = learned_by(run)
    yield from (
        "",
        f"## {plain(title)}",
        "",
        f"{about[0].upper()}{about[1:]}. What is known already costs nothing.",
        "",
    )
    named, barely = told_apart(run.spending)
    rows = [
        (
            code(named_of(each)), bar(each), amount(each.spent), amount(each.threshold), f"{share(each):.0%}",
            amount(each.spent - each.before), plain("; ".join(units(each.told, run.others)) or "nothing new"),
        )
        for each in named
    ]  # fmt: skip
    if rows:
        yield from table(("object", "", "spent:", "of:", "NL:", "this time:", "told this time"), rows)
        yield ""
    if barely:
        yield f"Of {plural(len(barely), 'further object')} it knows the kind alone:"
        yield ", ".join(f"{code(named_of(each))} ({kind_of(each)})" for each in barely) + "."
    if run.folder is not None and run.folder.spent:
        new = plain("; ".join(units(run.folder.told)) or "nothing new")
        of = f"{amount(run.folder.spent)} of {amount(run.folder.threshold)}"
        yield from ("", f"Of the folder as a whole ({of}): {new}.")


def learned_by(run: Run, *, dry_run: bool = False) -> tuple[str, str]:
    """Whose knowledge is shown, and what the figures mean."""
    if not run.rationed:
        return "What a remote planner would have learned", "counted over all sessions; nothing left this machine"
    verb = "would learn" if dry_run else "has learned"
    return f"What {run.audience} {verb}", "spent of what it may ever be told of each object, over all sessions"


def told_apart(spending: list[Spending]) -> tuple[list[Spending], list[Spending]]:
    """Objects of which something was told, and those of which only the kind was, now and ever."""
    barely = [each for each in spending if not each.before and not each.withheld and len(each.told) == 1]
    barely = [each for each in barely if each.told[0].startswith("kind=")]
    return [each for each in spending if each not in barely], barely


def kind_of(each: Spending) -> str:
    """The kind that was told of an object."""
    return words(each.told[0].partition("=")[2])


def named_of(each: Spending) -> str:
    """An object's real name."""
    return f"{each.path}#{each.part}" if each.part else each.path


def share(each: Spending) -> float:
    """NL of one object."""
    return normalized_leakage(each.spent, each.threshold)


def bar(each: Spending, width: int = BAR) -> str:
    """How much of its budget is used."""
    full = round(width * share(each))
    return "█" * full + "░" * (width - full)


def _untold(run: Run) -> Iterator[str]:
    withheld = [each for each in run.spending if each.withheld]
    if withheld or run.excluded:
        yield from ("", "## What was withheld", "")
    for each in withheld:
        yield f"- {code(named_of(each))}: {plain(', '.join(map(words, each.withheld)))} did not fit its budget"
    for path in run.excluded:
        yield f"- {code(path)}: not shown at all; its budget is used up"


def _sent(run: Run) -> Iterator[str]:
    if not run.outbound:
        return
    yield from ("", "## What was sent", "")
    rows = [
        (str(number), words(message_of(each.data)), f"{len(each):,}", code(each.digest))
        for number, each in enumerate(run.outbound, 1)
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
        yield from (f"- {plain(each)}" for each in run.warnings)
