"""The command line. This module stays light: a command's code is imported only when it is called."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

GROUPS: dict[str, dict[str, str]] = {
    "ask": {
        "run": "answer a request: plan, check, carry out, report",
        "chat": "requests and follow-ups, one after the other",
        "plan": "only plan: steps with their price, to look at or to save",
        "preview": "show what a request would send, and what it was made from",
        "check": "would the steps of a saved plan be allowed, and at what cost",
        "console": "the same in a browser: ask, approve, see what left and why",
        "mcp": "let an agent work on a folder that it cannot read (MCP server)",
        "gateway": "answer programs that speak to OpenAI or Anthropic, from a folder",
    },
    "examine files (nothing is sent)": {
        "do": "run one capability on files or folders, without a planner",
        "detect": "find secrets, personal data, hosts and identifiers",
        "redact": "replace what is sensitive in a text by placeholders",
        "unredact": "put the values back into a redacted text",
        "scan": "read the folder, update the index, print a summary",
        "watch": "keep the index fresh while files change, for a quick start",
        "objects": "list the files and tables, and what each was taken for",
        "review": "confirm or correct what was classified with low confidence",
        "baseline": "accept the findings there are, to be told of new ones alone",
        "report": "show the newest report, or list them all",
    },
    "what planners are told": {
        "twin": "the exact bytes that a planner is given first",
        "graph": "draw the folder as a planner may see it",
        "synth": "make a folder of invented files from the twin alone",
        "budget": "what each provider has been told so far, of what it may be",
        "audit": "show, verify or export the record of all that was sent",
        "ledger": "a ledger that a team shares: status, roles, keys, copies",
        "approvals": "steps that wait for a person: list, approve, deny",
        "policy": "show, check or explain what the local policy permits",
        "schema": "what can be sent at all: the JSON Schema, and its bits",
        "vocabulary": "every word that can be sent, with its definition",
    },
    "set up and look up": {
        "init": "write a configuration file to start from",
        "config": "show, edit, check or locate the configuration",
        "doctor": "check what is installed, and what a missing part costs",
        "capabilities": "what can be done, on which files, and how much that tells",
        "planners": "which planners there are, to whom they send, what they cost",
        "advisories": "known vulnerabilities: their date, and imports of newer",
        "rules": "what detection and checks look for; test the rules",
        "bench": "measure plans, leaks, costs and detection",
        "completion": "print a completion script for bash, zsh or fish",
        "help": "show this page, or the one of a command",
        "version": "show the version",
    },
}
COMMANDS: dict[str, str] = {name: purpose for group in GROUPS.values() for name, purpose in group.items()}
"""Each command's name and purpose; `cli/<name>.py` holds it."""
EXAMPLES = (
    'plantwin run "Are there secrets in this project?"',
    "plantwin do security_audit src --fail-on high",
    'plantwin run "Review the payment module" ~/shop --planner openai:MODEL',
)
FLAG: dict[str, Any] = {"action": "store_true", "default": argparse.SUPPRESS}
"""An option that may stand before an action or after it."""
NOTHING_SENT = "Nothing is sent anywhere: this command works on this machine alone."


class Parser(argparse.ArgumentParser):
    """An argument parser that suggests what was meant, and cannot carry escape sequences to the terminal."""

    def error(self, message: str) -> object:  # type: ignore[override]
        from plantwin.surfaces.render.text import printable

        text = printable(message) + printable(self._hint(message))
        self.exit(2, f"{self.prog}: {text}\nTry: {self.prog} --help\n")

    def _hint(self, message: str) -> str:
        """The option or action that an unknown one is spelt like."""
        from plantwin.surfaces.cli.arguments import close_to

        head, _, rest = message.partition("unrecognized arguments: ")
        if not head and rest.startswith("-"):
            wrong = rest.split()[0].partition("=")[0]
            takers = [parser.prog for parser in families(self) if wrong in parser._option_string_actions]
            if takers:
                return f"; it is an option of {' and '.join(takers[:2])}{' and others' * (len(takers) > 2)}"
            every = (option for parser in families(self) for option in parser._option_string_actions)
            return close_to(wrong, set(every) - {"-h"})
        if "invalid choice: '" in message:
            wrong, _, known = message.partition("invalid choice: '")[2].partition("' (choose from ")
            return close_to(wrong, [word.strip(" ')") for word in known.split(",")])
        return ""


def families(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser with those of its actions."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.values()


def _help(prog: str) -> argparse.HelpFormatter:
    # Told the width, argparse need not load shutil and the compression modules behind it.
    columns = os.environ.get("COLUMNS", "")
    try:
        width = int(columns[:4]) if columns.isdecimal() else os.get_terminal_size(1).columns
    except OSError:
        width = 80
    return argparse.RawDescriptionHelpFormatter(prog, max_help_position=30, width=max(width, 40) - 2)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 fine, 1 a gate refused, 2 bad input, 3 the planner failed."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    # A stream that was closed before we started: what is said there goes nowhere.
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115, PTH123
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115, PTH123
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets its escape, not a crash.
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")
    unraisable = sys.unraisablehook
    sys.unraisablehook = lambda lost: _interrupt() if lost.exc_type is KeyboardInterrupt else unraisable(lost)
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException as error:
        from plantwin.surfaces.cli.output import exit_code

        return exit_code(error)
    finally:
        sys.unraisablehook = unraisable


def _interrupt() -> None:
    """Repeat an interruption that came inside a callback of the interpreter, which would print it and go on."""
    import _thread
    import threading

    # Not at once: it would be raised in here, where it is ignored again.
    threading.Timer(0.01, _thread.interrupt_main).start()


def parser_of(name: str) -> Parser:
    """The parser of a command, with the options that every command takes."""
    from importlib import import_module

    module = import_module(f"{__name__}.{name}")
    parser = Parser(
        prog=f"plantwin {name}",
        description=f"{COMMANDS[name][0].upper()}{COMMANDS[name][1:]}.",
        epilog=f"example:\n  {module.EXAMPLE}\n\n{getattr(module, 'SENDS', NOTHING_SENT)}",
        formatter_class=_help,
    )
    module.arguments(parser)
    parser.set_defaults(call=module.run, paged=getattr(module, "PAGED", False), hush=False, no_color=False)
    for family in families(parser):
        add = family.add_argument
        if "--quiet" not in family._option_string_actions:
            add("-q", "--quiet", dest="hush", help="no remarks beside the result", **FLAG)
        add("--no-color", help="no colour, as with NO_COLOR set", **FLAG)
    return parser


def _run(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in COMMANDS:
        return _overview(arguments)
    from plantwin.surfaces.cli import output

    parser = parser_of(arguments[0])
    # Options may stand anywhere, also between a goal and its folder; argparse can do that only without actions.
    parse = parser.parse_args if parser._subparsers else parser.parse_intermixed_args
    _refuse_unknown(parser, arguments[1:])
    options = parse(arguments[1:])
    if options.no_color:
        os.environ["NO_COLOR"] = "1"
    output.remarks = not options.hush
    if not options.paged:
        return int(options.call(options))
    with output.paged():
        return int(options.call(options))
    return 0


def _refuse_unknown(parser: Parser, arguments: list[str]) -> None:
    """Say first which option does not exist: what follows it would be taken for an action or a folder."""
    known = [option for family in families(parser) for option in family._option_string_actions]
    for word in arguments:
        if word == "--":
            return
        name = word.partition("=")[0]
        if word.startswith("--") and " " not in word and not any(option.startswith(name) for option in known):
            parser.error(f"unrecognized arguments: {word}")


def overview() -> Parser:
    """The parser of the top level, whose help lists every command."""
    return Parser(
        prog="plantwin",
        usage="plantwin [-h] [--version] COMMAND [ROOT] [options]",
        description="Let a cloud model plan work over a private folder that it never sees.",
        epilog="".join(_listed())
        + "examples:\n"
        + "".join(f"  {example}\n" for example in EXAMPLES)
        + "\n`plantwin help COMMAND` explains a command. Only run, plan and chat send\n"
        "anything, and only with a planner that is not on this machine: words of a\n"
        "fixed vocabulary, shown to you first.\n"
        "exit codes: 0 fine, 1 refused, failed or found (--fail-on), 2 bad usage or\n"
        "input, 3 the planner failed, 130 interrupted",
        formatter_class=_help,
    )


def _listed() -> Iterable[str]:
    for title, group in GROUPS.items():
        yield f"{title}:\n"
        yield from (f"  {name:<14}{purpose}\n" for name, purpose in group.items())
        yield "\n"


def _overview(arguments: list[str]) -> int:
    """The top level: help, version, and what to say to an unknown command."""
    parser = overview()
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    if arguments and not arguments[0].startswith("-"):
        from plantwin.surfaces.cli.arguments import close_to

        parser.error(f"no such command: {arguments[0]}{close_to(arguments[0], COMMANDS)}")
    options = parser.parse_args(arguments)
    if options.version:
        from plantwin import __version__

        sys.stdout.write(f"plantwin {__version__}\n")
    else:
        parser.print_help()
    return 0
