"""Manual pages in the language of `man`, made from the parsers of the commands."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

EXIT = (
    ("0", "fine"),
    ("1", "a step was refused or failed, or a finding reaches --fail-on"),
    ("2", "bad usage or input, or nothing here answers it"),
    ("3", "the planner failed"),
    ("130", "interrupted"),
)


def manual(parser: argparse.ArgumentParser, purpose: str, version: str, also: list[str]) -> str:
    """The page of one command, in section 1."""
    name = parser.prog.replace(" ", "-")
    formatter = argparse.HelpFormatter(parser.prog, width=76)
    formatter.add_usage(parser.usage, parser._actions, parser._mutually_exclusive_groups, prefix="")
    usage = formatter.format_help().strip()
    lines = [
        f'.TH "{name.upper()}" 1 "" "plantwin {version}"',
        ".SH NAME",
        _plain(f"{name} - {purpose}"),
        ".SH SYNOPSIS",
        ".nf",
        _plain(usage),
        ".fi",
        ".SH DESCRIPTION",
        _plain(parser.description or ""),
        *_described(parser, ".SH OPTIONS"),
    ]
    if parser.epilog:
        lines += [".SH NOTES", ".nf", _plain(parser.epilog), ".fi"]
    lines.append(".SH EXIT STATUS")
    for code, meaning in EXIT:
        lines += [".TP", _bold(code), _plain(meaning)]
    lines += [".SH SEE ALSO", _plain(", ".join(f"{page}(1)" for page in also))]
    return "\n".join(lines) + "\n"


def _described(parser: argparse.ArgumentParser, head: str) -> Iterator[str]:
    """What a command takes, then what each of its actions does."""
    yield head
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction) or action.help == argparse.SUPPRESS:
            continue
        named = ", ".join(action.option_strings)
        value = "" if action.nargs == 0 else parser._get_formatter()._format_args(action, _value(action))
        yield from (".TP", _bold(f"{named} {value}".strip()), _plain((action.help or "").replace("%%", "%")))
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, inner in action.choices.items():
                yield from _described(inner, f".SS {_plain(word)}")


def _value(action: argparse.Action) -> str:
    """The placeholder of an argument, as help writes it."""
    if action.choices is not None and action.metavar is None:
        return "{" + ",".join(map(str, action.choices)) + "}"
    return action.dest.upper() if action.option_strings else action.dest


def _bold(text: str) -> str:
    return rf"\fB{_plain(text)}\fR"


def _plain(text: str) -> str:
    """Text that `man` shows as it is: its escapes, its dashes and its leading dots and quotes mean nothing."""
    lines = text.replace("\\", "\\e").replace("-", r"\-").splitlines()
    return "\n".join(rf"\&{line}" if line[:1] in (".", "'") else line for line in lines)
