"""Write a manual page for every command, from the parsers of the command line: man_pages.py FOLDER."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from plantwin import __version__
from plantwin.surfaces.cli import COMMANDS, GROUPS, families, overview, parser_of


def main() -> None:
    """Write plantwin.1 and plantwin-COMMAND.1."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    pages = {"plantwin": _overview(), **{f"plantwin-{name}": _command(name) for name in COMMANDS}}
    for name, lines in pages.items():
        (folder / f"{name}.1").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _head(title: str, purpose: str) -> Iterator[str]:
    yield f'.TH "{title.upper()}" "1" "" "PlanTwin {__version__}" "PlanTwin"'
    yield ".SH NAME"
    yield rf"{title} \- {_text(purpose)}"


def _overview() -> Iterator[str]:
    parser = overview()
    yield from _head("plantwin", parser.description or "")
    yield from (".SH SYNOPSIS", ".B plantwin", _text("COMMAND [ROOT] [options]"), ".SH COMMANDS")
    for title, group in GROUPS.items():
        yield f".SS {_text(title[0].upper() + title[1:])}"
        for name, purpose in group.items():
            yield from (".TP", rf".BR plantwin\-{name} (1)", _text(purpose))
    yield ".SH NOTES"
    yield _text((parser.epilog or "").rpartition("\n\n")[2])


def _command(name: str) -> Iterator[str]:
    parser = parser_of(name)
    yield from _head(f"plantwin-{name}", COMMANDS[name])
    yield ".SH SYNOPSIS"
    yield _text(re.sub(r"\s+", " ", parser.format_usage().removeprefix("usage: ")).strip())
    for each in families(parser):
        yield f".SH {'OPTIONS' if each is parser else _text(each.prog.removeprefix('plantwin ').upper())}"
        for action in each._actions:
            yield from _option(action)
    example, _, sends = (parser.epilog or "").removeprefix("example:\n").partition("\n\n")
    yield from (".SH EXAMPLE", ".nf", _text(example), ".fi", ".SH WHAT IS SENT", _text(sends))


def _option(action: argparse.Action) -> Iterator[str]:
    if action.help == argparse.SUPPRESS or isinstance(action, argparse._SubParsersAction):
        return
    value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    shown = ", ".join(action.option_strings) or value
    if action.option_strings and action.nargs != 0:
        shown += f" {value}"
    yield from (".TP", rf"\fB{_text(shown)}\fR", _text(action.help or ""))


def _text(text: str) -> str:
    """Text that troff shows as it is."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    escaped = "".join(letter if letter.isascii() else rf"\[u{ord(letter):04X}]" for letter in escaped)
    return "\n".join(rf"\&{line}" if line[:1] in (".", "'") else line for line in escaped.split("\n"))


if __name__ == "__main__":
    main()
