"""`plantwin chat`: goals and follow-ups, turn by turn."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plantwin.cloud.planner import reach, sends
from plantwin.errors import InputError, PlanTwinError, StateError
from plantwin.private.report.model import folded, taken
from plantwin.private.report.wording import amount, named
from plantwin.surfaces.cli.arguments import add_folder, add_json
from plantwin.surfaces.cli.asking import Terminal, approver_for, chooser_for, granted, interactive
from plantwin.surfaces.cli.chat_input import discard, findings, is_command, is_quit, obey, of_findings
from plantwin.surfaces.cli.chat_memory import Memory
from plantwin.surfaces.cli.output import FORMAT, INTERRUPTED, exit_code, note, warn, write_line
from plantwin.surfaces.cli.progress import Bar
from plantwin.surfaces.cli.run import carried_out, code_of
from plantwin.surfaces.cli.sessions import (
    MAX_GOAL,
    SENDS_SHORT,
    add_limits,
    add_mode,
    add_send,
    not_here,
    run_members,
    workspace,
)
from plantwin.surfaces.cli.watching import Listener, Viewer
from plantwin.surfaces.render.text import path_fields, plural, printable, size, well_formed
from plantwin.workspace import Workspace

if TYPE_CHECKING:
    from plantwin.boundary.release import Released
    from plantwin.cloud.planner import Planner
    from plantwin.run import Run
    from plantwin.session_context import SessionContext
    from plantwin.surfaces.cli.chat_input import Source
    from plantwin.surfaces.cli.chat_memory import Memory
    from plantwin.surfaces.cli.watching import Listener
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
        messages = [json.loads(envelope.data) for envelope in envelopes]
        # What leaves the machine is always shown; what a planner here is told only to those who want to see it.
        if not (self._verbose or sends(self._planner) or self._consent is not granted):
            pass
        elif first:
            self._opening(messages, sum(map(len, envelopes)))
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
        objects = {obj["object_id"] for message in messages for obj in message.get("objects", ())}
        sets = {set_["set_id"] for message in messages for set_ in message.get("sets", ())}
        told = " and ".join(plural(len(ids), noun) for ids, noun in ((sets, "set"), (objects, "object")) if ids)
        write_line(f"To {printable(self._planner.name)} ({where}): {words(messages)}")
        for piece in context.selected.pieces:
            ids = [token for token in piece.tokens if token in context.selected.records]
            stretch = printable(self.goal[piece.start : piece.end])
            meant = ", ".join(printable(named(id_, self._of().names)) for id_ in ids)
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
    if not overview.steps and run.locality == "local":
        return  # Nothing ran and nothing was told: the answer is all there is to say.
    if run.report is not None:
        write_line(f"Report    {printable(str(run.report))}")
    if memory.objects:
        shown = " · ".join(
            f"{number} {printable(f'{path}#{part}' if part else path)}"
            for number, (path, part) in enumerate(memory.objects[:LISTED], 1)
        )
        more = len(memory.objects) - LISTED
        write_line(f"About     {shown}" + (f" · and {more} more" if more > 0 else ""))
    write_line(f"Budget    {turn_standing(run, made).line(run.audience)}")


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
        if not self.threshold:
            return f"{audience}: told of no file by itself in this turn{left}"
        return (
            f"{audience}: at most {amount(self.spent)} of {amount(self.threshold)} points spent on one file;"
            f" something new was told of {plural(self.told, 'file')} in this turn{left}"
        )


def turn_standing(run: Run, made: Workspace) -> Standing:
    """From what the turn spent, and what the ledger counts."""

    dearest = max(run.spending, key=lambda spent: spent.spent, default=None)
    used = made.ledger.standing(made.settings.audience(run.audience)).turns
    return Standing(
        spent=dearest.spent if dearest else 0,
        threshold=dearest.threshold if dearest else 0,
        told=sum(bool(spent.told) for spent in run.spending),
        turns_left=max(0, made.settings.rates().turns_per_hour - used) if run.rationed else None,
    )


class Bars(Bar):
    """A progress bar that can be used for one turn after the other."""

    def renew(self) -> None:
        """From the beginning."""
        super().__init__()


class Chat:
    """A folder, a planner that can be changed, and what the last turn was about."""

    def __init__(self, options: argparse.Namespace, made: Workspace, bar: Bars) -> None:
        self.options = options
        self.made = made
        self.planner = str(options.planner or made.settings.planner.default)
        self.memory = Memory()
        self.runs: list[Run] = []
        """Every turn so far."""
        self._bar = bar
        made.recall = self.memory.recall
        approver = approver_for(options, made.names)
        if approver is not None:
            made.approver = approver
        # One that cannot be had is better known before the first goal.
        self.closed(self.chosen(self.planner))

    def __repr__(self) -> str:
        return "<Chat private>"

    def chosen(self, name: str) -> Planner:
        """The planner of this name, for one turn: each is a session of its own."""
        from plantwin.surfaces.cli.planners import planner_of

        return planner_of(name, self.made.catalog, self.made.settings, self.made.state.subfolder("planners"))

    @staticmethod
    def closed(planner: Planner) -> Planner:
        """The same, with whatever it started ended."""
        if close := getattr(planner, "close", None):
            close()
        return planner

    def turn(self, entry: str) -> dict[str, Any]:
        """Carry out one goal; what happened, for JSON. Shown as it goes where a person reads."""
        goal = self.memory.completed(entry)
        if len(goal) > MAX_GOAL:
            raise InputError(f"a goal of over {MAX_GOAL} characters: say it in fewer words")
        if goal != entry and not self.options.json:
            write_line(f"Read as   {printable(goal)}")
        planner = self.chosen(self.planner)
        watcher = self._watcher(planner, goal)
        self._bar.renew()
        self.made.choose = chooser_for(self.options, self._bar)
        try:
            run = carried_out(goal, self.made, planner, watcher)
        finally:
            self._bar.stop()
        self.runs.append(run)
        if watcher.context is not None:
            self.memory.keep(run, watcher.context)
        self._reported(run)
        code = code_of(run)

        if self.options.json:
            sent = [envelope.data.decode("ascii") for envelope in run.outbound]
            about = [
                {**path_fields(path), **({"part": well_formed(part)} if part else {})}
                for path, part in self.memory.objects
            ]
            standing = turn_standing(run, self.made).members
            members = run_members(run, sent, dry_run=False)
            return {"turn": len(self.runs), **members, "about": about, "budget": standing, "exit": code}
        conclude(run, self.made, self.memory, not_here(watcher.context, run.read_as or goal))
        return {"exit": code}

    def _watcher(self, planner: Planner, goal: str) -> Listener:
        from plantwin.surfaces.cli.asking import consent_for
        from plantwin.surfaces.cli.watching import Listener

        consent = consent_for(self.options, planner)
        if self.options.json:
            return Listener(self._bar, consent=consent)
        ask = interactive(self.options) and not self.options.yes
        verbose = self.options.verbose
        talk = Talk(self._bar, planner, self.made.approver, ask=ask, verbose=verbose, consent=consent)
        talk.goal = goal
        if isinstance(self.made.approver, Terminal):
            self.made.approver.pause = talk.pause
        return talk

    def preview(self, entry: str) -> dict[str, Any]:
        """What a goal would send now, as a follow-up; nothing is sent or charged."""
        from plantwin.surfaces.cli.preview import previewed, shown
        from plantwin.workspace import Workspace

        goal = self.memory.completed(entry)
        planner = self.chosen(self.planner)
        rehearsal = Workspace(
            self.made.environment.root,
            settings=self.made.settings,
            state=Path(self.options.state) if self.options.state else None,
            ignore=not self.options.no_ignore,
            rehearse=True,
            jobs=self.options.jobs,
            goal_mode=self.made.goal_mode,
        )
        rehearsal.recall = self.memory.recall
        try:
            rehearsal.choose = chooser_for(self.options, self._bar)
            preview = previewed(goal, rehearsal, planner, self._bar)
        finally:
            rehearsal.close()
        return preview.run_members if self.options.json else {"exit": shown(self.options, preview)}

    def _reported(self, run: Run) -> None:
        from plantwin.private.report.session import write

        try:
            write(run, self.made.state.subfolder("reports"))
        except StateError as error:
            run.warnings.append(str(error))


EXAMPLE = "plantwin chat ~/projects/shop"
SENDS = (
    f"{SENDS_SHORT} To others nothing is sent but what each turn shows, after you agree, within\n"
    "each object's budget. Nothing is sent by a command that begins with a slash."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_folder(parser)
    parser.add_argument("--planner", metavar="NAME", help="who plans; `plantwin planners` lists all")
    add_mode(parser)
    add_limits(parser)
    parser.add_argument("--yes", action="store_true", help="send without asking, and approve what needs a person")
    parser.add_argument("-v", "--verbose", action="store_true", help="show what is told, planned and decided too")
    add_send(parser)
    parser.add_argument("--queue", action="store_true", help="let another process decide: `plantwin approvals`")
    add_json(parser, "print one JSON document to a line, a line for each entry")


def run(options: argparse.Namespace) -> int:
    """Read entries until there are no more."""
    from plantwin.surfaces.cli.asking import interactive

    typed = interactive(options)
    bar = Bars()
    with workspace(options, bar) as made:
        chat = Chat(options, made, bar)
        source = _source(options)
        if not options.json:
            write_line(f"Folder    {printable(str(made.environment.root))}")
            obey(chat, "/planner")
        if typed:
            write_line("Say what is wanted. /help lists commands; Ctrl-D leaves.")
        worst = _converse(chat, source, typed)
    # A person has seen how each turn ended; a program reads it from the exit code.
    return 0 if typed else worst


def _source(options: argparse.Namespace) -> Source:
    from plantwin.surfaces.cli.asking import interactive
    from plantwin.surfaces.cli.chat_input import Piped, Typed

    return Typed() if interactive(options) else Piped()


def _converse(chat: Chat, source: Source, typed: bool) -> int:
    """Every entry in its turn; the highest exit code of one."""
    worst = 0
    while (entry := source.read()) is not None and not is_quit(entry):
        if not typed and not chat.options.json:
            write_line(f"\n> {printable(entry)}")
        members = _answered(chat, entry)
        worst = max(worst, members["exit"])
        if chat.options.json:
            document = {"format": FORMAT, "command": "chat", "entry": well_formed(entry), **members}
            write_line(json.dumps(document), exact=True)
        sys.stdout.flush()
        if worst >= INTERRUPTED and not typed:
            break
    return worst


def _answered(chat: Chat, entry: str) -> dict[str, Any]:
    """What became of one entry. Whatever fails, the chat goes on."""
    try:
        about = of_findings(entry) if chat.runs and folded(taken(chat.runs[-1])) else None
        if about is not None:
            return {"exit": 0, **findings(chat, about)}
        return {"exit": 0, **obey(chat, entry)} if is_command(entry) else chat.turn(entry)
    except BrokenPipeError:
        raise
    except (Exception, KeyboardInterrupt) as error:
        if isinstance(error, InputError):
            note(f"plantwin: {printable(str(error))}")
            return {"error": well_formed(str(error)), "exit": error.exit_code}
        # Only our own errors are known to carry no content.
        known = str(error) if isinstance(error, PlanTwinError) else type(error).__name__
        return {"error": well_formed(known), "exit": exit_code(error)}
