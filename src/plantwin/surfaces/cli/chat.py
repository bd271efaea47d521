"""`plantwin chat`: goals and follow-ups, turn by turn."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plantwin.errors import InputError, PlanTwinError, StateError
from plantwin.private.report.model import folded, taken
from plantwin.surfaces.cli.arguments import add_folder, add_json
from plantwin.surfaces.cli.asking import Terminal, approver_for, chooser_for, interactive
from plantwin.surfaces.cli.chat_input import findings, is_command, is_quit, obey, of_findings
from plantwin.surfaces.cli.chat_memory import Memory
from plantwin.surfaces.cli.failure import INTERRUPTED, exit_code
from plantwin.surfaces.cli.output import FORMAT, note, write_line
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
from plantwin.surfaces.render.text import path_fields, printable, well_formed

if TYPE_CHECKING:
    from plantwin.cloud.planner import Planner
    from plantwin.run import Run
    from plantwin.surfaces.cli.chat_input import Source
    from plantwin.surfaces.cli.watching import Listener
    from plantwin.workspace import Workspace


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
        from plantwin.surfaces.cli import chat_view

        if self.options.json:
            sent = [each.data.decode("ascii") for each in run.outbound]
            about = [
                {**path_fields(path), **({"part": well_formed(part)} if part else {})}
                for path, part in self.memory.objects
            ]
            standing = chat_view.standing(run, self.made).members
            members = run_members(run, sent, dry_run=False)
            return {"turn": len(self.runs), **members, "about": about, "budget": standing, "exit": code}
        chat_view.conclude(run, self.made, self.memory, not_here(watcher.context, run.read_as or goal))
        return {"exit": code}

    def _watcher(self, planner: Planner, goal: str, *, rehearse: bool = False) -> Listener:
        from plantwin.surfaces.cli.asking import consent_for, granted
        from plantwin.surfaces.cli.chat_view import Talk
        from plantwin.surfaces.cli.watching import Listener

        consent = granted if rehearse else consent_for(self.options, planner)
        if self.options.json:
            return Listener(self._bar, rehearse=rehearse, consent=consent)
        ask = interactive(self.options) and not self.options.yes
        talk = Talk(self._bar, planner, self.made.approver, rehearse=rehearse, ask=ask, consent=consent)
        talk.goal = goal
        if isinstance(self.made.approver, Terminal):
            self.made.approver.pause = talk.pause
        return talk

    def preview(self, entry: str) -> dict[str, Any]:
        """What a goal would send now, as a follow-up; nothing is sent or charged."""
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
            watcher = self._watcher(planner, goal, rehearse=True)
            rehearsal.choose = chooser_for(self.options, self._bar)
            run = carried_out(goal, rehearsal, planner, watcher)
        finally:
            rehearsal.close()
        if run.error:
            note(f"plantwin: {printable(run.error)}")
        if self.options.json:
            sent = [each.data.decode("ascii") for each in watcher.envelopes]
            return {**run_members(run, sent, dry_run=True), "exit": code_of(run)}
        write_line("Nothing was sent or charged.")
        return {"exit": code_of(run)}

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
