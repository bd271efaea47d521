"""`plantwin completion`: completion of commands, options and files in a shell, made from the parsers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from plantwin.surfaces.cli import COMMANDS, families, parser_of
from plantwin.surfaces.cli.arguments import add_json
from plantwin.surfaces.cli.output import write_json, write_line

EXAMPLE = "plantwin completion bash > ~/.local/share/bash-completion/completions/plantwin"
SHELLS = ("bash", "zsh", "fish")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help="bash, zsh or fish")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print the script."""
    script = "\n".join({"bash": _bash, "zsh": _zsh, "fish": _fish}[options.shell]())
    if options.json:
        write_json("completion", {"shell": options.shell, "script": script + "\n"})
    else:
        write_line(script, exact=True)
    return 0


def words_of(name: str) -> list[str]:
    """Everything that can follow a command and is not a file: actions, words of a choice, long options."""
    found: dict[str, None] = {}
    for parser in families(parser_of(name)):
        for action in parser._actions:
            if action.help == argparse.SUPPRESS:
                continue
            if not action.option_strings and action.choices is not None:
                found |= dict.fromkeys(map(str, action.choices))
            found |= dict.fromkeys(option for option in action.option_strings if option.startswith("--"))
    if name == "do":
        from plantwin.private.capabilities import catalog

        found |= dict.fromkeys(catalog())
    return list(found) if name != "help" else [*found, *COMMANDS]


def _bash() -> Iterator[str]:
    yield "_plantwin() {"
    yield '  local word="${COMP_WORDS[COMP_CWORD]}" words'
    yield "  COMPREPLY=()"
    yield '  if [ "$COMP_CWORD" -eq 1 ]; then'
    yield f'    words="{" ".join(COMMANDS)} --help --version"'
    yield "  else"
    yield '    case "${COMP_WORDS[1]}" in'
    for name in COMMANDS:
        yield f'      {name}) words="{" ".join(words_of(name))}" ;;'
    yield "    esac"
    yield "  fi"
    yield '  COMPREPLY=($(compgen -W "$words" -- "$word"))'
    yield '  [ "${#COMPREPLY[@]}" -gt 0 ] || COMPREPLY=($(compgen -f -- "$word"))'
    yield "}"
    yield "complete -o filenames -F _plantwin plantwin"


def _zsh() -> Iterator[str]:
    yield "#compdef plantwin"
    yield "autoload -U +X bashcompinit && bashcompinit"
    yield from _bash()
    # Where zsh itself read this file, to complete something now, what it asked for is still to be given.
    yield 'if [ "$funcstack[1]" = _plantwin ]; then _bash_complete -o filenames -F _plantwin; fi'


def _fish() -> Iterator[str]:
    for name, purpose in COMMANDS.items():
        told = purpose.replace("\\", "\\\\").replace("'", "\\'")
        yield f"complete -c plantwin -n __fish_use_subcommand -a {name} -d '{told}'"
    for name in COMMANDS:
        yield f"complete -c plantwin -n '__fish_seen_subcommand_from {name}' -a '{' '.join(words_of(name))}'"
