"""Who is asked where a person must decide: the one at this terminal, one elsewhere, an option, or nobody."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.boundary.approval import Answer, Cause
from plantwin.private.wording import amount, called, named
from plantwin.surfaces.cli.output import note, write_line
from plantwin.surfaces.render.text import printable

if TYPE_CHECKING:
    from plantwin.boundary.approval import Approver, Question
    from plantwin.types.plan import Step

PROMPT = "y: yes · n: no · d: details > "
CAUSES = {
    Cause.POLICY: "the policy asks for it",
    Cause.RISK: "it is of high risk",
    Cause.PLANNER: "the planner asks for it",
    Cause.CAPABILITY: "it always needs approval",
    Cause.UNSURE: "it is not sure what an object is, or which one is meant",
}

Names = Mapping[str, tuple[str, str]]


class Option:
    """`--yes`: everything that needs a person is approved, and the trail says that an option did it."""

    manner = "option --yes"

    def ask(self, question: Question) -> Answer:
        """Yes."""
        return Answer(question.digest, True)


class Terminal:
    """Asks at this terminal, unless the whole plan was decided before."""

    manner = "terminal"

    def __init__(self, names: Names) -> None:
        """`names`: path and part by id."""
        self._names = names
        self.pause: Callable[[], None] = lambda: None
        """Called before a question, to stop whatever moves on the screen."""
        self._decided: dict[Step, bool] = {}

    def decide(self, steps: Collection[Step], approved: bool) -> None:
        """What the person said of these very steps when the whole plan was shown; of no others any more."""
        self._decided = dict.fromkeys(steps, approved)

    def ask(self, question: Question) -> Answer | None:
        """Show the step and wait for y or n; the end of input is no answer."""
        known = self._decided.pop(question.step, None)
        if known is not None:
            return Answer(question.digest, known)
        self.pause()
        step = question.step
        objects = ", ".join(printable(named(id_, self._names)) for id_ in question.objects)
        write_line()
        write_line(f"  {step.id}: {called(step.capability, self._names)} on {objects}")
        write_line(f"  The planner would learn at most {amount(question.price)} about each of them.")
        for cause in question.causes:
            by = f" ({printable(question.policy)})" if cause is Cause.POLICY and question.policy else ""
            write_line(f"  You are asked because {CAUSES[cause]}{by}.")
        while True:
            try:
                answer = input(f"  {PROMPT}").strip().lower()
            except EOFError:
                write_line()
                return None
            if answer in ("y", "yes"):
                return Answer(question.digest, True)
            if answer in ("n", "no", "q"):
                return Answer(question.digest, False)
            if answer in ("d", "details"):
                self._details(question)

    def _details(self, question: Question) -> None:
        step = question.step
        write_line(f"    inputs   {', '.join(printable(named(id_, self._names)) for id_ in step.inputs)}")
        write_line(f"    ids      {', '.join(step.inputs)}")
        write_line(f"    yields   {step.output}")
        write_line(f"    digest   {question.digest}")
        write_line("    The answer counts for this step alone, once. `plantwin policy explain` shows a policy's text.")


class Spelled(Mapping[str, str]):
    """Real names by id, as they are shown; follows the names as sessions add to them."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def __getitem__(self, id_: str) -> str:
        if id_ not in self._names:
            raise KeyError(id_)
        return printable(named(id_, self._names))

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def interactive(options: argparse.Namespace) -> bool:
    """Whether a person sits here and can be asked."""
    return not options.json and sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def approver_for(options: argparse.Namespace, names: Names) -> Approver | None:
    """By the options: `--yes`, `--queue`, this terminal, or nobody."""
    if options.yes:
        return Option()
    if options.queue:
        from plantwin.private.queue import QueueApprover
        from plantwin.surfaces.cli.approvals import open_queue

        queue = open_queue(Path(options.state) if options.state else None)
        return QueueApprover(queue, Spelled(names), told=_waiting)
    return Terminal(names) if interactive(options) else None


def _waiting(id_: str) -> None:
    note(f"Waiting for approval {id_}: `plantwin approvals approve {id_}` or `deny {id_}` at another terminal.")
