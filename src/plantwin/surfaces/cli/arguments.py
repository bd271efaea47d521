"""Arguments that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from enum import StrEnum

from plantwin.errors import InputError


def add_root(parser: argparse.ArgumentParser) -> None:
    """The folder to observe, how many processes to use, and where state is kept."""
    parser.add_argument("root", nargs="?", default=".", metavar="ROOT", help="the folder (default: the current one)")
    parser.add_argument("--jobs", type=number, metavar="N", help="worker processes (default: one per core)")
    parser.add_argument(
        "--no-ignore", action="store_true", help="read what .gitignore and .plantwinignore leave out too"
    )
    parser.add_argument("--state", metavar="DIR", help="keep state in this folder instead of the user's state folder")


def add_json(parser: argparse.ArgumentParser, text: str = "print one JSON document") -> None:
    """The stable form for programs, described in docs/cli.md."""
    parser.add_argument("--json", action="store_true", help=text)


def number(text: str) -> int:
    """A whole number of at least one."""
    if not (text.isascii() and text.isdigit() and 0 < int(text[:10]) <= 1_000_000):
        raise argparse.ArgumentTypeError("not a whole number between 1 and 1,000,000")
    return int(text)


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


def name_of(vocabulary: type[StrEnum]) -> str:
    """The vocabulary's name in plain words: `SemanticClass` is a `semantic class`."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in vocabulary.__name__).strip()
