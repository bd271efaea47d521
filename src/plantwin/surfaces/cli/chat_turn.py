"""One turn of a chat: a goal, or a follow-up, from the sentence to its report."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plantwin.errors import InputError, StateError
from plantwin.surfaces.cli.approving import Terminal, approver_for, interactive
from plantwin.surfaces.cli.chat_memory import Memory
from plantwin.surfaces.cli.choosing import chooser_for
from plantwin.surfaces.cli.output import note, write_line
from plantwin.surfaces.cli.progress import Bar
from plantwin.surfaces.cli.run import carried_out, code_of
from plantwin.surfaces.cli.sessions import MAX_GOAL, run_members
from plantwin.surfaces.render.text import path_fields, printable, well_formed

if TYPE_CHECKING:
    from plantwin.cloud.planner import Planner
    from plantwin.run import Run
    from plantwin.surfaces.cli.chat_view import Quiet, Talk
    from plantwin.workshop import Workshop


class Bars(Bar):
    """A progress bar that can be used for one turn after the other."""

    def renew(self) -> None:
        """From the beginning."""
        super().__init__()


class Chat:
    """A folder, a planner that can be changed, and what the last turn was about."""

    def __init__(self, options: argparse.Namespace, made: Workshop, bar: Bars) -> None:
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
        if watcher.bench is not None:
            self.memory.keep(run, watcher.bench)
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
        chat_view.conclude(run, self.made, self.memory)
        return {"exit": code}

    def _watcher(self, planner: Planner, goal: str, *, rehearse: bool = False) -> Quiet | Talk:
        from plantwin.surfaces.cli.chat_view import Quiet, Talk
        from plantwin.surfaces.cli.consent import consent_for, granted

        consent = granted if rehearse else consent_for(self.options, planner)
        if self.options.json:
            return Quiet(self._bar, rehearse=rehearse, consent=consent)
        ask = interactive(self.options) and not self.options.yes
        talk = Talk(self._bar, planner, self.made.approver, rehearse=rehearse, ask=ask, consent=consent)
        talk.goal = goal
        if isinstance(self.made.approver, Terminal):
            self.made.approver.pause = talk.pause
        return talk

    def preview(self, entry: str) -> dict[str, Any]:
        """What a goal would send now, as a follow-up; nothing is sent or charged."""
        from plantwin.workshop import Workshop

        goal = self.memory.completed(entry)
        planner = self.chosen(self.planner)
        rehearsal = Workshop(
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
        from plantwin.private.report import write

        try:
            write(run, self.made.state.subfolder("reports"))
        except StateError as error:
            run.warnings.append(str(error))
