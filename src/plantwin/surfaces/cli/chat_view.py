"""A turn of a chat as a person sees it: short, with real names, and with one line about the budget."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from plantwin.cloud.planner import reach
from plantwin.private.report.wording import amount, named
from plantwin.surfaces.cli.chat_input import discard
from plantwin.surfaces.cli.output import note, write_line
from plantwin.surfaces.cli.warnings import warn
from plantwin.surfaces.cli.watching import Listener, Viewer
from plantwin.surfaces.render.text import plural, printable, size

if TYPE_CHECKING:
    from plantwin.boundary.release import Released
    from plantwin.run import Run
    from plantwin.session_context import SessionContext
    from plantwin.surfaces.cli.chat_memory import Memory
    from plantwin.types.plan import Plan
    from plantwin.types.verdict import Admission
from plantwin.workspace import Workspace

LISTED = 9
"""Objects that the line about what was spoken of names."""


class Talk(Viewer):
    """Shows a turn in few lines, and asks."""

    goal = ""
    """The goal of the turn, as it was completed."""

    def _introduce(self, context: SessionContext) -> None:
        """What is said is said when it is about to be sent."""

    def sending(self, envelopes: Sequence[Released]) -> None:
        """What crosses of the goal, how many objects, and the price; a remote planner gets nothing unasked."""
        self._wait(None)
        first = not self.envelopes
        messages = [json.loads(each.data) for each in envelopes]
        if first:
            self._opening(messages, sum(map(len, envelopes)))
            for each in envelopes if self._rehearse else ():
                write_line(f"  {each.data.decode('ascii')}")
        else:
            said = ", ".join(map(_said, messages))
            write_line(f"Back to {printable(self._planner.name)}: {said}")
        Listener.sending(self, envelopes)
        self._wait("the planner")

    def planned(self, plan: Plan, admission: Admission) -> frozenset[str]:
        """What was typed while the planner thought is no answer about its plan."""
        if self._ask:
            discard()
        return super().planned(plan, admission)

    def pause(self) -> None:
        """Nothing moves while a person is asked, and nothing typed before counts."""
        super().pause()
        if self._ask:
            discard()

    def _opening(self, messages: Sequence[dict[str, Any]], total: int) -> None:
        context = self._of()
        where = reach(self._planner).partition(";")[0]  # the whole of it stands above the first turn
        cost = amount(sum(cost for _, cost in context.costs()))
        objects = {each["object_id"] for message in messages for each in message.get("objects", ())}
        sets = {each["set_id"] for message in messages for each in message.get("sets", ())}
        told = " and ".join(plural(len(ids), noun) for ids, noun in ((sets, "set"), (objects, "object")) if ids)
        write_line(f"To {printable(self._planner.name)} ({where}): {words(messages)}")
        for piece in context.selected.pieces:
            ids = [token for token in piece.tokens if token in context.selected.records]
            stretch = printable(self.goal[piece.start : piece.end])
            meant = ", ".join(printable(named(id_, self.names)) for id_ in ids)
            if meant and meant != stretch:
                write_line(f"   {stretch} = {meant}")
        write_line(f"   with {told or 'nothing of the folder'}, {size(total)}; costs {cost}")


def words(messages: Sequence[dict[str, Any]]) -> str:
    """The goal as it crosses: its words and blanks, or the closed intents; the very sentence where that is sent."""
    for message in messages:
        if message["message"] == "verbatim":
            return f'"{printable(message["text"])}"'
    goals = [message["goal"] for message in messages if "goal" in message]
    if goals and goals[0].get("text"):
        return f'"{" ".join(goals[0]["text"])}"'
    wanted = [word for goal in goals for word in (*goal.get("intents", ()), *goal.get("families", ()))]
    return f"wanted: {', '.join(wanted) or 'no particular work'}"


def _said(message: dict[str, Any]) -> str:
    steps = message.get("steps", ())
    if steps:
        return f"{plural(len(steps), 'outcome')} ({', '.join(each['outcome']['status'] for each in steps)})"
    return str(message["message"])


def conclude(run: Run, made: Workspace, memory: Memory, absent: Sequence[str] = ()) -> None:
    """What was found, where the report is, what may be spoken of, and the budget."""
    from plantwin.private.report.model import Overview
    from plantwin.run import Ending
    from plantwin.surfaces.cli.run import show_answer

    overview = Overview.of(run)
    write_line()
    if run.ending is Ending.STOPPED:
        write_line("Not sent, and nothing was charged for it.")
    else:
        show_answer(run, overview, absent=absent)
    for path in run.excluded:
        note(f"not shown, its budget is used up: {printable(path)}")
    warn(run.warnings)
    if run.error:
        note(f"plantwin: {printable(run.error)}")
    if run.report is not None:
        write_line(f"Report    {printable(str(run.report))}")
    if memory.objects:
        shown = " · ".join(
            f"{number} {printable(f'{path}#{part}' if part else path)}"
            for number, (path, part) in enumerate(memory.objects[:LISTED], 1)
        )
        more = len(memory.objects) - LISTED
        write_line(f"About     {shown}" + (f" · and {more} more" if more > 0 else ""))
    write_line(f"Budget    {standing(run, made).line(run.audience)}")


class Standing(NamedTuple):
    """How an audience stands after a turn."""

    spent: int
    """On the dearest object of the turn, in thousandths."""
    threshold: int
    told: int
    """Objects of which something new was told."""
    turns_left: int | None
    """None where nothing is rationed."""

    @property
    def members(self) -> dict[str, float | None]:
        """For JSON."""
        return {**self._asdict(), "spent": self.spent / 1000, "threshold": self.threshold / 1000}

    def line(self, audience: str) -> str:
        """For a person."""
        left = "" if self.turns_left is None else f", {plural(self.turns_left, 'turn')} left this hour"
        return (
            f"{audience}: at most {amount(self.spent)} of {amount(self.threshold)} points spent on one file;"
            f" something new was told of {plural(self.told, 'file')} in this turn{left}"
        )


def standing(run: Run, made: Workspace) -> Standing:
    """From what the turn spent, and what the ledger counts."""

    dearest = max(run.spending, key=lambda each: each.spent, default=None)
    used = made.ledger.standing(made.settings.audience(run.audience)).turns
    return Standing(
        spent=dearest.spent if dearest else 0,
        threshold=dearest.threshold if dearest else 0,
        told=sum(bool(each.told) for each in run.spending),
        turns_left=max(0, made.settings.rates().turns_per_hour - used) if run.rationed else None,
    )
