"""The end of a session on one screen: what was found, how much was examined, what was told, where the report is."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple

from plantwin.private.report.answer import FOUND, LISTED
from plantwin.private.report.focus import on_point
from plantwin.private.report.model import rank
from plantwin.private.report.wording import called, input_words, reason, state
from plantwin.run import Ending
from plantwin.surfaces.render.text import GAP, cut, plural, printable, size, width_of, wrapped
from plantwin.types.verdict import Code, Denied
from plantwin.vocabulary import ResultType, Severity

if TYPE_CHECKING:
    from plantwin.private.report.answer import Answer
    from plantwin.private.report.model import Overview, Reported, Taken
    from plantwin.run import Run
    from plantwin.types.capability import Catalog

COLOURS = {"critical": "1;31", "high": "31", "medium": "33", "low": "36", "none": "2"}
MANY = 100
"""Findings from which on the first places of a rule say no more than how many there are."""
SEVERITY = 8
"""Cells of the column of severities."""
LINES_EACH = 2
"""Lines of one message at most."""
MOST_UNDONE = 5
"""Steps that were not carried out, on the screen; the report has all."""
MOST_UNPLANNED = 3
"""Sets that no step took, on the screen; the report has all."""
LABEL = 10
"""Cells of `Examined` and the like, with the space after it."""


class Screen(NamedTuple):
    """How large a screen is, and whether it shows colours."""

    width: int
    height: int
    colour: bool = False


def first(run: Run, overview: Overview, said: Answer, catalog: Catalog, screen: Screen) -> Iterator[str]:
    """What was not done, then the answer in a few sentences; where nothing was planned, why."""
    if undone := overview.undone():
        yield from wrapped(undone, screen.width)
        steps = [*overview.failed, *overview.refused, *overview.missed]
        for step in steps[:MOST_UNDONE]:
            yield from wrapped(_undone(run, step, catalog), screen.width, "  ")
        if len(steps) > MOST_UNDONE:
            yield f"  and {plural(len(steps) - MOST_UNDONE, 'step')} more"
    if not overview.steps and run.ending is Ending.DONE:
        from plantwin.private.report.unserved import unserved

        for line in unserved(run, catalog):
            yield from wrapped(line, screen.width) if line[:1] != " " else [cut(line, screen.width, "start")]
        return
    sentences = said.sentences or (() if said.texts else (overview.headline(),))
    for sentence in sentences:
        yield from wrapped(printable(sentence).replace("\\\\", "\\"), screen.width)


def _undone(run: Run, step: Taken, catalog: Catalog) -> str:
    on = ", ".join(printable(input_words(name, run.names)) for name in step.step.inputs) or "nothing"
    if way := _way_on(step, catalog):
        return f"{step.step.id} {called(step.step.capability, run.names)} of {on}: {way}"
    known = run.errors.get((step.turn, step.step.id), "") or _said_why(step)
    why = (reason(step.verdict, run.names) if step.verdict is not None else "") or known
    what = f"{step.step.id} {called(step.step.capability, run.names)} of {on}"
    return f"{what}: {state(step.verdict)}" + (f", {printable(why)}" if why else "")


def _said_why(step: Taken) -> str:
    """What a step that failed says itself: why it took none of its inputs, or the first line of its text."""
    if step.coverage is not None and step.coverage.left_out:
        return step.coverage.left_out[0].reason
    return str(step.result.text).strip().partition("\n")[0] if step.result is not None else ""


def _way_on(step: Taken, catalog: Catalog) -> str:
    """What to do where a step was refused because nobody could be asked."""
    if not isinstance(step.verdict, Denied) or step.verdict.code is not Code.NO_APPROVER:
        return ""
    capability = catalog.get(step.step.capability)
    runs = capability is not None and capability.project
    writes = capability is not None and capability.returns is ResultType.DOCUMENT
    why = "it runs code of the folder" if runs else "it writes a copy" if writes else "the policy asks for it"
    return f"needs your approval, since {why}: run this at a terminal, with --yes, or with --queue"


def body(run: Run, overview: Overview, said: Answer, screen: Screen, room: int) -> Iterator[str]:
    """The worst findings, and what results say that are texts, in so many lines."""
    rated = any(step.step.capability in FOUND or step.step.capability in LISTED for step in overview.steps)
    grave = rated or any(rank(one.finding.severity) >= rank(Severity.HIGH) for one in overview.findings)
    share = 0 if not grave else room if not said.texts else max(4, room // 3)
    table = list(top(overview, screen, share, _on_point(run, overview))) if share else []
    if rated:
        yield from table
    yield from _texts(run, said, screen, room - len(table))
    if not rated and table:
        yield from ("", *table)


def _on_point(run: Run, overview: Overview) -> list[Reported]:
    """The findings that the question is about, where these are only some."""
    most = Counter(name for one in overview.findings for name in one.by).most_common(1)
    _, point = on_point(run.question, overview.findings, most[0][0] if most else "")
    return point if len(point) < len(overview.findings) else []


def _texts(run: Run, said: Answer, screen: Screen, room: int) -> Iterator[str]:
    """What results say that are texts, each with its part of the room."""
    several = len(said.texts) > 1
    for number, (step, text) in enumerate(said.texts):
        if room <= 2:
            yield f"{plural(len(said.texts) - number, 'more text')} in the report"
            return
        lines = rendered(text, screen)
        part = max(3, room // (len(said.texts) - number) - 2 * several)
        if len(lines) > part:
            lines = [*lines[: part - 1], f"  and {plural(len(lines) - part + 1, 'line')} more, in the report"]
        yield from (["", f"{called(step.step.capability, run.names)}:"] if several else [])
        yield from lines
        room -= len(lines) + 2 * several


_cell = re.compile(r"(?m)(?<=\| )`([^`|\s]+/[^`|\s]+)`(?=[^`\n]*\|$)")
"""A path in the table of a result."""


def rendered(text: str, screen: Screen) -> list[str]:
    """Markdown as lines of the screen, without empty ones at the ends and never two in a row."""
    from rich.console import Console
    from rich.markdown import Markdown

    from plantwin.private.report.markdown import quoted, undrawn

    written = StringIO()
    made = Console(
        file=written, width=screen.width, color_system="standard" if screen.colour else None,
        force_terminal=screen.colour, markup=False, emoji=False, highlight=False, legacy_windows=False,
    )  # fmt: skip
    most = max(24, screen.width * 2 // 5)
    # The end of a path is what tells it from others, and has the line.
    text = _cell.sub(lambda match: f"`{cut(match[1], most, 'end')}`", text)
    made.print(Markdown("\n".join(quoted(undrawn(text))), hyperlinks=False))
    lines: list[str] = []
    for line in written.getvalue().splitlines():
        if line.strip() or (lines and lines[-1]):
            lines.append(line.rstrip())
    return lines[:-1] if lines and not lines[-1] else lines


def top(overview: Overview, screen: Screen, room: int, point: Sequence[Reported] = ()) -> Iterator[str]:
    """The worst findings as a table; where they do not fit, the worst of each rule with the number of the others.

    `point`: findings that say what was asked for; the first of each file stands here instead.
    """
    rows: list[tuple[Reported, int]] = [(one, 0) for one in overview.findings]
    if len(rows) > room and (len(overview.by_sort) > room // 3 or len(rows) > MANY):
        rows = [(found[0], len(found) - 1) for found in overview.by_sort.values()]
    if point:
        files = Counter(one.finding.name for one in point)
        first = {one.finding.name: one for one in reversed(point)}
        rows = [(one, files[one.finding.name] - 1) for one in point if one is first[one.finding.name]]
    at: dict[str, tuple[Reported, int]] = {}
    for one, others in rows:  # what several rules say of one place is one row, with the worst of it
        known = at.get(one.place)
        at[one.place] = (known[0], known[1] + 1 + others) if known else (one, others)
    rows = list(at.values())
    place = _place_width(rows[:room], screen.width)
    told = shown = 0
    for one, others in rows:
        lines = list(_row(one, others, place, screen))
        if shown and shown + len(lines) > room - 1:
            break
        yield from lines
        shown += len(lines)
        told += 1 + others
    if rest := len(overview.findings) - told:
        yield f"  and {plural(rest, 'finding')} more, in the report"


def _place_width(rows: Sequence[tuple[Reported, int]], width: int) -> int:
    widest = max((width_of(_place(one, others)) for one, others in rows), default=0)
    return min(widest, max(16, (width - SEVERITY) * 2 // 5))


def _place(one: Reported, others: int) -> str:
    return printable(one.place).replace("\\\\", "\\") + (f" +{others:,}" if others else "")


def _row(one: Reported, others: int, place_width: int, screen: Screen) -> Iterator[str]:
    severity = one.finding.severity if one.finding.severity in COLOURS else "none"
    before = 2 + SEVERITY + len(GAP) + place_width + len(GAP)
    message = printable(one.finding.message).replace("\\\\", "\\")
    lines = _fitted(message, max(12, screen.width - before))
    shown = cut(_place(one, others), place_width, "end")
    word = f"{severity:<{SEVERITY}}"
    if screen.colour:
        word = f"\x1b[{COLOURS[severity]}m{word}\x1b[0m"
    yield f"  {word}{GAP}{shown}{' ' * (place_width - width_of(shown))}{GAP}{lines[0]}"
    yield from (f"{' ' * before}{line}" for line in lines[1:])


def _fitted(text: str, width: int) -> list[str]:
    """The text in at most so many lines; what is left over is cut."""
    lines = list(wrapped(text, width))
    if len(lines) <= LINES_EACH:
        return lines
    return [*lines[: LINES_EACH - 1], cut(" ".join(lines[LINES_EACH - 1 :]), width, "start")]


def labelled(label: str, lines: Sequence[str], width: int) -> Iterator[str]:
    """Lines behind a label, as `Examined  47 of 47 files`."""
    for line in lines:
        for part in wrapped(line, width - LABEL):
            yield f"{label:<{LABEL}}{part}"
            label = ""


def unplanned(run: Run, overview: Overview) -> list[str]:
    """What the largest sets are that no step took, where steps took any: `Examined` speaks of the others alone."""
    if not run.unplanned or not overview.coverage:
        return []
    more = len(run.unplanned) - MOST_UNPLANNED
    rest = f" and {plural(more, 'set')} more" if more > 0 else ""
    return [f"not in the plan: {', '.join(map(printable, run.unplanned[:MOST_UNPLANNED]))}{rest}"]


def told(run: Run, *, sends: bool) -> str:
    """To whom what was told: `to openai: 6 sets, 1.9 kB; see …`, or that nothing left."""
    if not sends or not run.outbound:
        return "nothing left this machine"
    messages = [json.loads(envelope.data) for envelope in run.outbound]
    about = []
    for name, id_ in (("set", "set_id"), ("object", "object_id")):
        ids = {one[id_] for message in messages for one in message.get(f"{name}s", ())}
        if ids:
            about.append(plural(len(ids), name))
    amount = ", ".join([*about, size(sum(map(len, run.outbound)))])
    return f"to {printable(run.planner)}: {amount}; see `plantwin audit show`"
