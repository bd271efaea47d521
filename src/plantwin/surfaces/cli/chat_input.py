"""What a person types in a chat: lines, completion, and commands that begin with a slash."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import re
import select
import sys
import termios
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Protocol

from plantwin.cloud.planner import reach
from plantwin.errors import InputError
from plantwin.private.capabilities.engine.report import ORDER
from plantwin.private.report.full import finding_members
from plantwin.private.report.model import folded, taken
from plantwin.surfaces.cli.arguments import name
from plantwin.surfaces.cli.output import note, write_line
from plantwin.surfaces.cli.sessions import MAX_GOAL
from plantwin.surfaces.render.text import path_fields, plural, printable, well_formed, wrapped

if TYPE_CHECKING:
    from plantwin.surfaces.cli.chat import Chat

HELP: Final = {
    "/help": "this list",
    "/preview GOAL": "what this goal would send now; nothing is sent or charged",
    "/budget": "what this planner's audience has been told of each object",
    "/objects [WORDS]": "objects whose name or class has these words (local, never sent)",
    "/findings [N]": "all findings of the last turn, all about the Nth, or those of a severity",
    "/report [N]": "the report of turn N, or of the last one",
    "/planner [NAME]": "which planner is asked, or ask another from now on",
    "/mode [MODE]": "how much of a goal is sent: lexicon, intent or verbatim",
    "/quit": "leave, as Ctrl-D does",
}
MODES: Final = ("lexicon", "intent", "verbatim")
MOST: Final = 40
"""Objects that are listed."""
MOST_FINDINGS: Final = 200

_command = re.compile(r"/[a-z?]+", re.IGNORECASE)


MEANT: Final = {
    **dict.fromkeys(("help", "?", "h", "commands", "what can you do"), "/help"),
    **dict.fromkeys(("exit", "quit", "q", "bye", "goodbye", ":q", "logout"), "/quit"),
    **dict.fromkeys(("thanks", "thank you", "thx", "ty", "ok", "okay", "great", "cool", "nice"), "/ok"),
    **dict.fromkeys(("hi", "hello", "hey", "hi there", "hello there", "good morning", "good evening"), "/hello"),
    **dict.fromkeys(("y", "yes", "n", "no", "sure"), "/nothing"),
}
"""What people type for commands, and what is no goal."""
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_NOUNS: Final = r"(?:ones?|findings?|problems?|issues?|results?)"
_of_findings = re.compile(
    r"(?:please\s)?(?:(?:show|list|give|print|tell)(?:\sme)?|details|more)?(?:\smore)?(?:\s(?:about|on|of))?\s?"
    r"(?:only\s|just\s)?(?:the\s)?(?:(?:number\s|\#)?(?P<number>[1-9]\d{0,3})(?:st|nd|rd|th)?|(?P<severity>critical|high|medium|low)"
    rf"(?:\sseverity)?|(?P<ordinal>{'|'.join(_ORDINALS)}|last)|(?P<all>all|rest|others?|remaining)(?:\sof\s(?:them|it))?)(?:\s{_NOUNS})?"
    r"|how\s(?:do|can|should)\s(?:i|we)\s(?:fix|solve|resolve)\s(?P<worst>it|that|this)",
    re.IGNORECASE,
)


def meant(entry: str) -> str:
    """The command that an entry stands for, or the entry."""
    return MEANT.get(" ".join(entry.lower().strip(" .!?").split()) or entry, entry)


def of_findings(entry: str) -> str | None:
    """What of the last turn's findings an entry asks for, as `/findings` takes it; nothing where it asks for else."""
    text = " ".join(entry.strip(" .!?").split())
    asked = _of_findings.fullmatch(text) if " " in text else None
    if asked is None:
        return None
    if asked["ordinal"]:
        return str(_ORDINALS.index(asked["ordinal"].lower()) + 1) if asked["ordinal"].lower() != "last" else "last"
    return "1" if asked["worst"] else asked["number"] or (asked["severity"] or "").lower()


def is_command(entry: str) -> bool:
    """Whether an entry is a command and no goal: a slash and one word. A path goes on after it."""
    return _command.fullmatch(meant(entry).split(maxsplit=1)[0]) is not None


def is_quit(entry: str) -> bool:
    """Whether an entry says to leave."""
    return meant(entry).split(maxsplit=1)[0].lower() in ("/quit", "/exit", "/q")


def obey(chat: Chat, entry: str) -> dict[str, Any]:
    """Do it; what it says, for JSON. Shown where a person reads."""
    word, _, argument = meant(entry).partition(" ")
    word, _, more = word.partition("\n")
    known = COMMANDS.get(word.lower())
    if known is None:
        raise InputError(f"no command '{word}': /help lists them")
    return known(chat, f"{more} {argument}".strip())


def _help(chat: Chat, argument: str) -> dict[str, Any]:
    if not chat.options.json:
        from plantwin.surfaces.cli.run import screen_size

        for command, meaning in HELP.items():
            for line in wrapped(meaning, screen_size().width - 20):
                write_line(f"  {command:<18}{line}")
                command = ""
        write_line("Anything else is a goal. A follow-up may say it, them, those files, the first one, the same for X.")
        write_line("Ctrl-C skips a step, twice ends the turn; Ctrl-D leaves.")
    return {"commands": HELP}


def _said(chat: Chat, text: str) -> dict[str, Any]:
    if not chat.options.json:
        write_line(text)
    return {"said": text}


def _ok(chat: Chat, argument: str) -> dict[str, Any]:
    return _said(chat, "You are welcome. Ask on, or `exit` to leave; `help` lists commands.")


def _hello(chat: Chat, argument: str) -> dict[str, Any]:
    examples = '"what does this project do?", "are there secrets in it?" or "which ports are open?"'
    return _said(chat, f"Hello. Ask about this folder, as in {examples}; `help` lists commands.")


def _nothing(chat: Chat, argument: str) -> dict[str, Any]:
    return _said(chat, "There is no open question. Ask something about the folder; `help` lists commands.")


def _preview(chat: Chat, argument: str) -> dict[str, Any]:
    if not argument:
        raise InputError("/preview needs a goal")
    return chat.preview(argument)


def _budget(chat: Chat, argument: str) -> dict[str, Any]:
    """As `plantwin budget` has it."""
    from plantwin.surfaces.cli import budget

    audience = chat.closed(chat.chosen(chat.planner)).audience
    chosen: dict[str, Any] = {"words": [], "object": None, "audience": audience, "all": False}
    asked = argparse.Namespace(**{**vars(chat.options), **chosen})
    if not chat.options.json:
        budget.run(asked)
        return {}
    with contextlib.redirect_stdout(io.StringIO()) as written:
        budget.run(asked)
    return {"audiences": json.loads(written.getvalue())["audiences"]}


def _objects(chat: Chat, argument: str) -> dict[str, Any]:
    words = argument.lower().split()
    scan = chat.made.environment.scan(jobs=chat.options.jobs)
    fitting = (
        record
        for record in scan.records()
        if all(word in f"{name(record)} {record.semantic_class} {record.kind}".lower() for word in words)
    )
    found = list(islice(fitting, MOST + 1))
    if not chat.options.json:
        for record in found[:MOST]:
            write_line(f"  {printable(name(record))}  {record.kind}, {record.semantic_class}, {record.sensitivity}")
        more = ", and there are more: say more words" if len(found) > MOST else ""
        note(f"{plural(len(found[:MOST]), 'object')}{more}. Local view: never sent.")
    rows = [
        {**path_fields(known.path), "part": well_formed(known.part), "semantic_class": known.semantic_class}
        for known in found[:MOST]
    ]
    return {"objects": rows, "more": len(found) > MOST}


def findings(chat: Chat, argument: str) -> dict[str, Any]:
    """Show findings of the last turn: all, those of one severity, or all that is known about one."""
    numbered = list(enumerate(folded(taken(chat.runs[-1])) if chat.runs else (), start=1))
    if not numbered:
        raise InputError("the last turn found nothing" if chat.runs else "nothing was asked so far")
    one = numbered[-1:] if argument == "last" else []
    if argument.isascii() and argument.isdigit():
        one = numbered[int(argument[:6]) - 1 : int(argument[:6])] if int(argument[:6]) else []
        if not one:
            raise InputError(f"there are {plural(len(numbered), 'finding')}")
    elif argument in ORDER:
        numbered = [(number, reported) for number, reported in numbered if reported.finding.severity == argument]
    elif argument and not one:
        raise InputError(f"/findings takes a number or one of {', '.join(ORDER)}")
    chosen = one or numbered
    if not chat.options.json:
        for number, (finding, by) in chosen[:MOST_FINDINGS]:
            place = f"{finding.name}:{finding.line}" if finding.line else finding.name
            write_line(f"  {number:>3}  {finding.severity:<9} {printable(place)}  {printable(finding.message)}")
            if one:
                said = {"found in": finding.evidence, "what to do": finding.hint, "rule": finding.rule,
                        "reference": finding.reference, "found by": ", ".join(by).replace("_", " ")}  # fmt: skip
                for label, text in said.items():
                    if text:
                        write_line(f"       {label:<12}{printable(text)}")
        more = f"; {len(chosen) - MOST_FINDINGS} more are in the report" if len(chosen) > MOST_FINDINGS else ""
        note(f"{plural(len(chosen), 'finding')}{more}. Local view: never sent.")
    return {"findings": [{"number": number, **finding_members(reported)} for number, reported in chosen]}


def _report(chat: Chat, argument: str) -> dict[str, Any]:
    number = argument or str(len(chat.runs))
    if not (number.isascii() and number.isdigit() and 0 < int(number[:6]) <= len(chat.runs)):
        raise InputError(f"there {'is' if len(chat.runs) == 1 else 'are'} {plural(len(chat.runs), 'turn')} so far")
    path = chat.runs[int(number) - 1].report
    if path is None:
        raise InputError("that turn has no report")
    if not chat.options.json:
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError as error:
            raise InputError(f"the report cannot be read ({error.strerror})") from None
        for line in lines:
            # Backslashes stay single here: the report has escaped what needs it.
            write_line("\\".join(map(printable, line.split("\\"))))
        write_line(f"Report    {printable(str(path))}")
    return path_fields(str(path), "report")


def _planner(chat: Chat, argument: str) -> dict[str, Any]:
    if argument:
        chat.closed(chat.chosen(argument))
        chat.planner = argument
    planner = chat.closed(chat.chosen(chat.planner))
    if not chat.options.json:
        write_line(f"Planner   {printable(planner.name)} ({reach(planner)}), audience {planner.audience}")
    return {"planner": {"name": well_formed(planner.name), "audience": planner.audience, "locality": planner.locality}}


def _mode(chat: Chat, argument: str) -> dict[str, Any]:
    if argument:
        if argument not in MODES:
            raise InputError(f"a mode is one of {', '.join(MODES)}")
        chat.made.goal_mode = argument
    if not chat.options.json:
        write_line(f"Goal mode {chat.made.goal_mode}")
    return {"goal_mode": chat.made.goal_mode}


COMMANDS: Final[dict[str, Callable[[Chat, str], dict[str, Any]]]] = {
    "/help": _help,
    "/?": _help,
    "/ok": _ok,
    "/hello": _hello,
    "/nothing": _nothing,
    "/findings": findings,
    "/preview": _preview,
    "/budget": _budget,
    "/objects": _objects,
    "/report": _report,
    "/planner": _planner,
    "/mode": _mode,
}
"""By name; `/quit` is the loop's own."""


PROMPT: Final = "plantwin> "
LONG: Final = MAX_GOAL + 200
"""Characters of one entry that are kept: enough to see that a goal is too long."""
PASTE: Final = 0.05
"""Seconds within which a further line belongs to what was pasted."""
LEAVING = "Ctrl-D or /quit leaves."


class Source(Protocol):
    """Where entries come from."""

    def read(self) -> str | None:
        """The next entry, without white space around it; None when there are no more."""
        ...


class Piped:
    """One entry to a line."""

    def __init__(self) -> None:
        _forgiving()

    def read(self) -> str | None:
        """The next line that is not empty."""
        while line := sys.stdin.readline(LONG) if sys.stdin is not None else "":
            rest = line
            while rest and not rest.endswith("\n"):
                rest = sys.stdin.readline(1 << 16)
            if line := line.strip():
                return line
        return None


class Typed:
    """A prompt with line editing. What is pasted is one entry, however many lines it has."""

    def __init__(self) -> None:
        import readline

        _forgiving()
        self._readline = readline
        # Answers to questions are not entries.
        readline.set_auto_history(False)

    def read(self) -> str | None:
        """What is entered; Ctrl-C throws the line away."""
        while True:
            try:
                entry = (input(PROMPT) + _pasted()).strip()
            except EOFError:
                write_line()
                return None
            except KeyboardInterrupt:
                write_line()
                write_line(LEAVING)
                continue
            if entry:
                self._readline.add_history(" ".join(entry.split())[:LONG])
                return entry[:LONG]


def _pasted() -> str:
    """The lines that came together with the first one. All are taken, so that none is left to answer a question."""
    lines = [""]
    held = 0
    with contextlib.suppress(EOFError):
        while select.select([sys.stdin], [], [], PASTE)[0]:
            line = input()
            held += len(line)
            if held < LONG:
                lines.append(line)
    return "\n".join(lines)


def discard() -> None:
    """Forget what was typed before a question was shown: it cannot be the answer to it."""
    with contextlib.suppress(OSError, ValueError, termios.error):
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def _forgiving() -> None:
    """Bytes that are no text become a mark, not a crash."""
    if reconfigure := getattr(sys.stdin, "reconfigure", None):
        reconfigure(errors="replace")
