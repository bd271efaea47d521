"""What the person is asked in a session: which object is meant, whether to send, whether a step may run."""

from __future__ import annotations

import argparse
import contextlib
import getpass
import os
import sys
import termios
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TextIO

from plantwin.cloud.planner import reach, sends
from plantwin.errors import ConsentError
from plantwin.private.report.wording import amount, called, input_words, named
from plantwin.surfaces.cli.output import note, write_line
from plantwin.surfaces.render.text import plural, printable, size, well_formed
from plantwin.types.approval import Answer, Cause
from plantwin.types.plan import source_of
from plantwin.types.twin import set_id_like

if TYPE_CHECKING:
    from plantwin.boundary.release import Released
    from plantwin.cloud.planner import Planner
    from plantwin.private.facts import Record
    from plantwin.private.selection.mentions import Choose
    from plantwin.surfaces.cli.progress import Bar
    from plantwin.types.approval import Approver, Question
    from plantwin.types.plan import Step

MOST = 9
"""Objects that are offered: one key for each."""
QUESTIONS = 3
"""Asked at most about one goal; what is not asked counts as unsure."""


class Chooser:
    """Shows the candidates and waits for a number; anything else leaves it open, and the gatekeeper will ask."""

    def __init__(self, bar: Bar | None = None) -> None:
        self._bar = bar
        self._known: dict[str, Record | None] = {}

    def __call__(self, text: str, records: Sequence[Record]) -> Record | None:
        """The one that is meant."""
        if text not in self._known:
            if len(records) > MOST or len(self._known) == QUESTIONS:
                return None
            self._known[text] = self._asked(text, records)
        return self._known[text]

    def _asked(self, text: str, records: Sequence[Record]) -> Record | None:
        if self._bar is not None:
            self._bar.stop()
        write_line(f"Which do you mean by {printable(text)}?")
        for number, record in enumerate(records, 1):
            part = f"#{printable(record.part)}" if record.part else ""
            write_line(f"  {number}  {printable(record.path)}{part}")
        try:
            answer = input("  number, or enter if it may be any of them > ").strip()
        except EOFError:
            write_line()
            return None
        return records[int(answer) - 1] if answer in {str(number + 1) for number in range(len(records))} else None


def chooser_for(options: argparse.Namespace, bar: Bar) -> Choose | None:
    """Somebody to ask, where somebody sits here."""
    return Chooser(bar) if interactive(options) else None


SEND: Final = "Send this? y: yes · n: no · d: the exact bytes > "

Consent = Callable[[Sequence["Released"]], bool]
"""Whether these may be sent."""


def granted(_: Sequence[Released]) -> bool:
    """Yes, without a question."""
    return True


def consent_for(options: argparse.Namespace, planner: Planner) -> Consent:
    """Who says whether it may be sent. Refused now, before anything is told, where it must be asked and nobody can be.

    Whatever may reach anybody is asked about, a port of this machine too unless the person trusts it. A planner that
    only plays a remote one is asked about where a person watches.
    """
    here = interactive(options)
    asks = sends(planner) and not getattr(planner, "trusted", False)
    if getattr(options, "yes", False) or options.send or not (asks or (here and planner.locality != "local")):
        return granted
    with _person(here) as person:
        if person is None:
            raise ConsentError(
                "nobody can be asked whether this planner may have what the goal tells it: nothing was sent"
            )
    return SendQuestion(planner, here=here)


class SendQuestion:
    """Asks the person once for what is to be sent first."""

    def __init__(self, planner: Planner, *, here: bool) -> None:
        """`here`: what is to be sent stands on the same terminal already."""
        self._planner = planner
        self._here = here

    def __call__(self, envelopes: Sequence[Released]) -> bool:
        """Whether the answer is yes; the end of input is none."""
        with _person(self._here) as person:
            if person is None:
                return False
            if not self._here:
                what = f"{plural(len(envelopes), 'envelope')}, {size(sum(map(len, envelopes)))}"
                whom = f"{printable(self._planner.name)} ({reach(self._planner)}), audience {self._planner.audience}"
                person.say(f"To {whom}: {what}\n")
            while (answer := person.ask(SEND)) in ("d", "details"):
                for envelope in envelopes:
                    person.say(f"  {envelope.data.decode('ascii')}\n")
            return answer in ("y", "yes")


class _Person(NamedTuple):
    """Somebody at a terminal: where they type and where they read."""

    source: TextIO
    screen: TextIO

    def say(self, text: str) -> None:
        self.screen.write(text)
        self.screen.flush()

    def ask(self, prompt: str) -> str:
        # What was typed before the question was shown is no answer to it.
        with contextlib.suppress(OSError, ValueError, termios.error):
            termios.tcflush(self.source.fileno(), termios.TCIFLUSH)
        if self.source is sys.stdin and self.screen is sys.stdout:
            try:
                return input(prompt).strip().lower()
            except EOFError:
                self.say("\n")
                return ""
        self.say(prompt)
        return self.source.readline(100).strip().lower()


def _terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


@contextmanager
def _person(here: bool) -> Iterator[_Person | None]:
    """The person at the standard streams, or at the terminal that started this; None where nobody is."""
    if here or (_terminal(sys.stdin) and _terminal(sys.stderr)):
        yield _Person(sys.stdin, sys.stdout if here else sys.stderr)
        return
    try:
        handle = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        yield None
        return
    with (
        os.fdopen(handle, encoding="utf-8", errors="replace") as source,
        os.fdopen(os.dup(handle), "w", encoding="utf-8") as screen,
    ):
        # A program in the background would be stopped if it read there: nobody looks at it.
        yield _Person(source, screen) if os.tcgetpgrp(handle) == os.getpgrp() else None


PROMPT = "y: yes · n: no · d: details > "
CAUSES = {
    Cause.POLICY: "the policy asks for it",
    Cause.RISK: "it is of high risk",
    Cause.PLANNER: "the planner asks for it",
    Cause.CAPABILITY: "it always needs approval",
    Cause.UNSURE: "it is not sure which object is meant",
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
        write_line()
        write_line(f"  {step.id}: {called(step.capability, self._names)} on {self._about(question)}")
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

    def _about(self, question: Question) -> str:
        """What a step is about: sets by what they are, and a few of the objects by name."""
        sets = [name for name in question.step.inputs if set_id_like(source_of(name))]
        if sets:
            return ", ".join(printable(input_words(name, self._names)) for name in sets)
        some = [printable(named(id_, self._names)) for id_ in question.objects[:MOST]]
        more = len(question.objects) - len(some)
        return ", ".join(some) + (f" and {more:,} more" if more else "")

    def _details(self, question: Question) -> None:
        step = question.step
        write_line(f"    inputs   {', '.join(printable(input_words(name, self._names)) for name in step.inputs)}")
        write_line(f"    ids      {', '.join(map(str, step.inputs))}")
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

        queue = open_queue(options)
        about = {
            "goal": well_formed(str(getattr(options, "goal", "") or "requests in a chat")),
            "folder": well_formed(str(Path(options.root).expanduser().absolute())),
            "requester": f"process {os.getpid()} of {getpass.getuser()}",
        }
        return QueueApprover(queue, Spelled(names), told=_waiting, about=about)
    return Terminal(names) if interactive(options) else None


def _waiting(id_: str) -> None:
    note(f"Waiting for approval {id_}: `plantwin approvals approve {id_}` or `deny {id_}` at another terminal.")
