"""The command line. This module stays light: a command's code is imported only when it is called."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

COMMANDS: dict[str, str] = {
    "run": "from a sentence to a local report: plan, check, carry out, tell",
    "plan": "stop after the plan: checked, priced and saved",
    "chat": "goals and follow-ups, turn by turn, with what each has told so far",
    "preview": "show exactly what would be sent for a goal, beside what it was made from",
    "check": "would the gatekeeper admit a plan, step by step, and at what cost",
    "budget": "what each audience has been told of each object, spent of what it may be",
    "audit": "show, verify or export the trail of everything sent and decided",
    "scan": "read the environment, update the index, print a summary",
    "objects": "list every object with its real name (local view, never sent)",
    "twin": "show exactly the bytes a planner would be given at registration",
    "graph": "draw the twin as a graph",
    "review": "confirm or correct what was classified with low confidence",
    "detect": "find secrets, personal data, infrastructure and identifiers, with their places",
    "redact": "replace what is sensitive in a text by typed placeholders",
    "unredact": "put the values back into a redacted text",
    "rules": "show what detection and checks look for, or test every rule on its own examples",
    "bench": "how good plans are, what leaks and what it costs; how well detection works",
    "capabilities": "what can be asked for, how much a call tells, and how each does on a folder",
    "planners": "which planners there are, whom they tell, and their use so far",
    "policy": "show, check or explain what the local policy permits",
    "approvals": "list the steps that wait for a person, and approve or deny them",
    "schema": "show what can cross: the wire's JSON Schema and its capacity in bits",
    "vocabulary": "show every word that can cross, with its definition",
    "doctor": "check what is installed, and what a missing part costs",
}
"""Each command's name and purpose; `cli/<name>.py` holds it."""

NOTHING_SENT = "Nothing is sent anywhere: this command works on this machine alone."


class Parser(argparse.ArgumentParser):
    """An argument parser whose messages cannot carry escape sequences to the terminal."""

    def error(self, message: str) -> object:  # type: ignore[override]
        from plantwin.surfaces.render.text import printable

        self.exit(2, f"{self.prog}: {printable(message)}\nTry: {self.prog} --help\n")


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
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException as error:
        from plantwin.surfaces.cli.failure import exit_code

        return exit_code(error)


def _run(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in COMMANDS:
        return _overview(arguments)
    from importlib import import_module

    name = arguments[0]
    module = import_module(f"{__name__}.{name}")
    parser = Parser(
        prog=f"plantwin {name}",
        description=f"{COMMANDS[name][0].upper()}{COMMANDS[name][1:]}.",
        epilog=f"example:\n  {module.EXAMPLE}\n\n{getattr(module, 'SENDS', NOTHING_SENT)}",
        formatter_class=_help,
    )
    module.arguments(parser)
    # Options may stand anywhere, also between a goal and its folder; argparse can do that only without actions.
    parse = parser.parse_args if hasattr(module, "ACTIONS") or parser._subparsers else parser.parse_intermixed_args
    code: int = module.run(parse(arguments[1:]))
    return code


def _overview(arguments: list[str]) -> int:
    """The top level: help, version, and what to say to an unknown command."""
    listed = "".join(f"  {name:<14}{purpose}\n" for name, purpose in COMMANDS.items())
    parser = Parser(
        prog="plantwin",
        usage="plantwin [-h] [--version] COMMAND [ROOT] [options]",
        description="Let a cloud model plan work over a private folder that it never sees.",
        epilog=f"commands:\n{listed}\nexample:\n  plantwin scan ~/projects/shop\n\n"
        "`plantwin COMMAND --help` explains a command. Only run, plan and chat send: closed words, shown first.\n"
        "exit codes: 0 fine, 1 a gate refused, 2 bad usage or input, 3 the planner failed",
        formatter_class=_help,
    )
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    if arguments and not arguments[0].startswith("-"):
        parser.error(f"no such command: {arguments[0]}")
    options = parser.parse_args(arguments)
    if options.version:
        from plantwin import __version__

        sys.stdout.write(f"plantwin {__version__}\n")
    else:
        parser.print_help()
    return 0
