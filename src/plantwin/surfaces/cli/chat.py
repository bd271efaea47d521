"""`plantwin chat`: goals and follow-ups, turn by turn. Every turn is a session of its own on the same folder."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from plantwin.errors import InputError, PlanTwinError
from plantwin.surfaces.cli.arguments import add_json, add_root
from plantwin.surfaces.cli.chat_commands import is_command, is_quit, obey
from plantwin.surfaces.cli.failure import INTERRUPTED, exit_code
from plantwin.surfaces.cli.output import FORMAT, note, write_line
from plantwin.surfaces.cli.sessions import SENDS_SHORT, add_mode, add_send, workshop
from plantwin.surfaces.render.text import printable, well_formed

if TYPE_CHECKING:
    from plantwin.surfaces.cli.chat_input import Source
    from plantwin.surfaces.cli.chat_turn import Chat

EXAMPLE = "plantwin chat ~/projects/shop"
SENDS = (
    f"{SENDS_SHORT} To others nothing is sent but what each turn shows, after you agree, within\n"
    "each object's budget. Nothing is sent by a command that begins with a slash."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_root(parser)
    parser.add_argument("--config", metavar="FILE", help="take the settings from this file instead of the user's")
    parser.add_argument("--planner", metavar="NAME", help="who plans; `plantwin planners` lists all")
    add_mode(parser)
    parser.add_argument("--yes", action="store_true", help="send unasked, and approve what needs a person")
    add_send(parser)
    parser.add_argument("--queue", action="store_true", help="let another process decide: `plantwin approvals`")
    parser.add_argument("--history", action="store_true", help="keep what you type in the state folder, for you alone")
    add_json(parser, "print one JSON document to a line, a line for each entry")


def run(options: argparse.Namespace) -> int:
    """Read entries until there are no more."""
    from plantwin.surfaces.cli.approving import interactive
    from plantwin.surfaces.cli.chat_turn import Bars, Chat

    typed = interactive(options)
    bar = Bars()
    with workshop(options, bar) as made:
        chat = Chat(options, made, bar)
        source = _source(options, chat)
        if not options.json:
            write_line(f"Folder    {printable(str(made.environment.root))}")
            obey(chat, "/planner")
        if typed:
            write_line("Say what is wanted. /help lists commands; Ctrl-D leaves.")
        worst = _converse(chat, source, typed)
    # A person has seen how each turn ended; a program reads it from the exit code.
    return 0 if typed else worst


def _source(options: argparse.Namespace, chat: Chat) -> Source:
    from plantwin.surfaces.cli.approving import interactive
    from plantwin.surfaces.cli.chat_input import Piped, Typed, history_file

    if not interactive(options):
        return Piped()
    return Typed(history_file(chat.made.state.subfolder("chat")) if options.history else None)


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
            write_line(json.dumps(document))
        sys.stdout.flush()
        if worst >= INTERRUPTED and not typed:
            break
    return worst


def _answered(chat: Chat, entry: str) -> dict[str, Any]:
    """What became of one entry. Whatever fails, the chat goes on."""
    try:
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
