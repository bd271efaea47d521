"""The members of a type that is called after what a question asks for: `which shells are supported`, `enum Shell`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from plantwin.private.capabilities.engine.report import code, plain
from plantwin.private.capabilities.engine.source import Source, rehearsal
from plantwin.private.capabilities.list_inventory.links import Item
from plantwin.private.facts import private
from plantwin.private.formats.source_views import MASKS, views
from plantwin.private.selection.words import pieces_of, stem

_TYPES = (
    re.compile(r"\benum(?:\s+class|\s+struct)?\s+(?P<name>\w+)[^{};()]{0,120}\{(?P<body>[^}]{1,3000})\}"),
    re.compile(r"(?m)^class\s+(?P<name>\w+)\([^)\n]*Enum\):\n(?P<body>(?:(?:[ \t]+[^\n]*)?\n){1,80})"),
    re.compile(r"\btype\s+(?P<name>\w+)\s*=\s*(?P<body>(?:(?:\|\s*)?[\"'][^\"'\n]{1,60}[\"']\s*){2,60})"),
)
_MEMBER = re.compile(
    r"(?m)^[ \t]*(?:case[ ]+)?[\"']?(?P<name>[A-Za-z][\w-]*)[\"']?[ \t]*(?:[=,({:;]|$)|[\"'](?P<text>[^\"'\n]+)[\"']"
)
_ATTRIBUTE = re.compile(r"#\[[^\]]*\]|@\w+(?:\([^)]*\))?|//[^\n]*|/\*.*?\*/|\([^()]*\)", re.DOTALL)
_PARSED = re.compile(r"derive\([^)]*\b(?:Subcommand|Parser)\b[^)]*\)\](?:(?!\bstruct\b)[\s\S]){0,400}?\benum\s+(\w+)")
_VALUE = re.compile(r"=[^,\n]*")
LEAST, SHOWN = 2, 24


@private
class Enumeration(NamedTuple):
    """A type and what it may be."""

    name: str
    members: tuple[str, ...]
    place: str
    line: int


def enumerated(words: Sequence[str], files: Iterable[Source]) -> tuple[str, list[str]]:
    """Return the type that has most of the words in its name, in a sentence, and its place; nothing where none has."""
    wanted = {stem(word) for word in words}
    found = [
        (len(wanted & named), -len(named), one)
        for file in files
        if file.format in MASKS and not rehearsal(file.label)
        for one in _types(file)
        if wanted & (named := {stem(piece) for piece in pieces_of(one.name.encode("ascii", "replace"))})
    ]
    if not found:
        return "", []
    best = max(found, key=lambda each: (each[0], each[1], len(each[2].members)))[2]
    more = f" and {len(best.members) - SHOWN} more" if len(best.members) > SHOWN else ""
    listed = ", ".join(plain(member, 60) for member in best.members[:SHOWN])
    return f"{len(best.members)} in {code(best.name)} ({code(f'{best.place}:{best.line}')}): {listed}{more}.", [
        best.place
    ]


def subcommands(file: Source) -> Iterator[Item]:
    """Yield the commands that an enumeration of clap stands for."""
    if file.format == "rust" and "clap" in file.text:
        parsed = set(_PARSED.findall(file.text))
        for one in _types(file):
            if one.name in parsed:
                yield from (Item("command", member.lower(), "", one.place, one.line) for member in one.members)


def _types(file: Source) -> Iterator[Enumeration]:
    text = views(file.format, file.data).full.decode("utf-8", "replace")
    for pattern in _TYPES:
        for match in pattern.finditer(text):
            body = _VALUE.sub("", _ATTRIBUTE.sub("", match["body"].replace(",", ",\n")))
            members = dict.fromkeys(member["name"] or member["text"] for member in _MEMBER.finditer(body))
            if len(members) >= LEAST:
                line = text.count("\n", 0, match.start("name")) + 1
                yield Enumeration(match["name"], tuple(members), file.label, line)
