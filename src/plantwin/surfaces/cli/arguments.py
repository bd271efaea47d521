"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.errors import InputError
from plantwin.surfaces.render.text import printable

if TYPE_CHECKING:
    from plantwin.config.settings import Settings
    from plantwin.private.facts import Record
    from plantwin.private.state import State


def add_folder(
    parser: argparse.ArgumentParser, *, default: str | None = ".", positional: bool = True, word: str = ""
) -> None:
    """The folder, by its place or as --root, else $PLANTWIN_ROOT; how it is read; where state and settings are.

    `word`: help for what may stand in the place of the folder.
    """
    add_root(parser, default=default, positional=positional, word=word)
    add_reading(parser)
    add_state(parser)


def add_root(
    parser: argparse.ArgumentParser, *, default: str | None = ".", positional: bool = True, word: str = ""
) -> None:
    """The folder alone."""
    if positional:
        about = "the folder, or one file; as --root" + (f"; {word}" if word else "")
        # Without it, --root holds.
        parser.add_argument("root", nargs="?", default=argparse.SUPPRESS, metavar="ROOT", help=about)
    parser.add_argument(
        "--root",
        default=os.environ.get("PLANTWIN_ROOT") or default,
        metavar="R",
        help="the folder, or one file (default: $PLANTWIN_ROOT, else the current folder)",
    )


def add_reading(parser: argparse.ArgumentParser) -> None:
    """How many processes read, and whether ignore files count."""
    parser.add_argument("--jobs", type=number, metavar="N", help="worker processes (default: one per core)")
    parser.add_argument(
        "--no-ignore", action="store_true", help="read what .gitignore and .plantwinignore leave out too"
    )


def add_state(parser: argparse.ArgumentParser, absent: object = None) -> None:
    """Where state and settings are. `absent`: the value where they are not given."""
    parser.add_argument(
        "--state", default=absent, metavar="DIR", help="keep state in this folder instead of the user's state folder"
    )
    parser.add_argument(
        "--config", default=absent, metavar="FILE", help="take the settings from this file instead of the user's"
    )


def settings_of(options: argparse.Namespace) -> Settings:
    """The settings that the options name, else the person's own."""
    from plantwin.config.settings import load_settings

    return load_settings(Path(options.config) if options.config else None)


def state_of(options: argparse.Namespace) -> State:
    """The state folder that the options name, else the person's own."""
    from plantwin.private.state import State

    return State(Path(options.state) if options.state else None)


def add_json(parser: argparse.ArgumentParser, text: str = "print one JSON document") -> None:
    """The stable form for programs, described in docs/cli.md."""
    parser.add_argument("--json", action="store_true", help=text)


def number(text: str) -> int:
    """A whole number of at least one."""
    if not (text.isascii() and text.isdigit() and 0 < int(text[:10]) <= 1_000_000):
        raise argparse.ArgumentTypeError("not a whole number between 1 and 1,000,000")
    return int(text)


def duration(text: str) -> float:
    """Seconds from `90`, `90s`, `10m` or `2h`: at least one second, at most a day."""
    digits, unit = (text[:-1], text[-1]) if text[-1:] in _UNITS else (text, "s")
    seconds = int(digits[:9]) * _UNITS[unit] if digits.isascii() and digits.isdigit() else 0
    if not 1 <= seconds <= _LONGEST:
        raise argparse.ArgumentTypeError("not a time such as 90s, 10m or 2h, of at most a day")
    return float(seconds)


_UNITS = {"s": 1, "m": 60, "h": 3600}
_LONGEST = 86_400


def word(text: str, vocabulary: type[StrEnum]) -> str:
    """A word of the vocabulary, or an error that suggests the nearest ones (escaped where it is shown)."""
    if text in vocabulary.__members__.values():
        return text
    near = nearest(text, vocabulary)
    hint = f"; did you mean {', '.join(near)}?" if near else ""
    raise InputError(f"'{text}' is not a {name_of(vocabulary)}{hint}")


def words(texts: Iterable[str] | None, vocabulary: type[StrEnum]) -> frozenset[str]:
    """Words given by a repeated option, each checked."""
    return frozenset(word(text, vocabulary) for text in texts or ())


def nearest(text: str, vocabulary: type[StrEnum]) -> list[str]:
    """Words that hold the text, else words spelt like it; at most five."""
    holding = [member.value for member in vocabulary if text and text.lower() in member.value]
    if holding:
        return holding[:5]
    from difflib import get_close_matches

    return get_close_matches(text[:64], [member.value for member in vocabulary], n=5)


def close_to(text: str, known: Iterable[str]) -> str:
    """`; did you mean lint?`, or nothing where no known word is spelt like it."""
    from difflib import get_close_matches

    near = get_close_matches(text[:64], list(known), n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def name_of(vocabulary: type[StrEnum]) -> str:
    """The vocabulary's name in plain words: `SemanticClass` is a `semantic class`."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in vocabulary.__name__).strip()


def name(record: Record) -> str:
    """The object's exact local name."""
    return f"{record.path}#{record.part}" if record.part else record.path


class Names:
    """Finds objects by name: exactly as it is, or as it is printed."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._exact: dict[str, list[Record]] = {}
        self._shown: dict[str, list[Record]] = {}
        for record in records:
            full = name(record)
            self._exact.setdefault(full, []).append(record)
            self._shown.setdefault(printable(full), []).append(record)

    def __getitem__(self, text: str) -> Record:
        wanted = text.removeprefix("./")
        found = self._exact.get(wanted) or self._shown.get(wanted) or []
        if not found:
            raise InputError(f"no object is named '{text}': give its path as `plantwin objects` shows it")
        if len(found) > 1:
            raise InputError(f"'{text}' names {len(found)} objects: rename one of them")
        return found[0]
