"""`plantwin review`: confirm or correct what was classified with low confidence."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from plantwin.errors import InputError
from plantwin.surfaces.cli.arguments import Names, add_folder, add_json, name, nearest, word
from plantwin.surfaces.cli.output import console, write_json, write_line
from plantwin.surfaces.cli.sessions import observation
from plantwin.surfaces.render.text import path_fields, plural, printable, well_formed
from plantwin.vocabulary import SemanticClass, member

if TYPE_CHECKING:
    from plantwin import Environment, Scan
    from plantwin.private.facts import Record

PROMPT = "Enter: right · number: choose · text: search · s: skip · q: quit > "


def interview(environment: Environment, unsure: list[Record]) -> None:
    """Ask about each object; an answer is kept at once, so quitting loses nothing."""
    if not unsure:
        write_line("Nothing to review: no object is of low confidence.")
        return

    kept = 0
    for place, record in enumerate(unsure, 1):
        _introduce(record, place, len(unsure))
        answer = _ask(record, alternatives(record))
        if answer is None:
            break
        if answer:
            environment.correct(record.number, answer)
            kept += 1
    write_line(f"{plural(kept, 'answer')} kept on this machine; from the next scan on they win.")


def _introduce(record: Record, place: int, total: int) -> None:
    write_line()
    write_line(f"[{place}/{total}] {printable(name(record))}")
    write_line(f"  guess  {_explained(record.semantic_class)}")
    write_line(f"  why    {printable('; '.join(record.why)) or 'no evidence'}")


def _ask(record: Record, choices: list[str]) -> str | None:
    """A class, the empty word to skip, or None to quit."""
    while True:
        for position, choice in enumerate(choices, 1):
            write_line(f"  {position:>5}  {_explained(choice)}")
        try:
            answer = input(PROMPT).strip().lower()
        except EOFError:
            write_line()
            return None
        if not answer:
            return record.semantic_class
        if answer == "q":
            return None
        if answer == "s":
            return ""
        if answer.isascii() and answer.isdigit():
            if len(answer) < 4 and 0 < int(answer) <= len(choices):
                return choices[int(answer) - 1]
            write_line(f"  There are {len(choices)} choices.")
        elif answer in SemanticClass.__members__.values():
            return answer
        elif found := search(answer):
            choices = found
        else:
            write_line("  No class is like that.")


def search(text: str, most: int = 9) -> list[str]:
    """Classes whose word, family or definition holds every word of the text; else those spelt like it."""
    parts = text.replace("_", " ").split()
    held = {
        leaf.value: f"{leaf.value} {leaf.family} {leaf.definition}".lower().replace("_", " ") for leaf in SemanticClass
    }
    found = [value for value, told in held.items() if all(part in told for part in parts)]
    # A word that itself holds the text is likelier meant than one that only mentions it.
    found.sort(key=lambda leaf: text.replace(" ", "_") not in leaf)
    return found[:most] or nearest(text.replace(" ", "_"), SemanticClass)


def _explained(name_of_class: str) -> str:
    term = member(SemanticClass, name_of_class)
    return f"{term} ({term.family}): {term.definition}"


EXAMPLE = "plantwin review ~/projects/shop --set src/gate.py=authentication_module"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_folder(parser)
    add_json(parser)
    parser.add_argument("--set", action="append", default=[], metavar="PATH=CLASS", help="this object is of this class")
    parser.add_argument("--confirm", action="append", default=[], metavar="PATH", help="the guess is right")
    parser.add_argument("--forget", action="append", default=[], metavar="PATH", help="drop a correction")


def run(options: argparse.Namespace) -> int:
    """Apply what the options say; else ask on a terminal, or list what is unsure."""
    with observation(options) as (environment, scan):
        _review(options, environment, scan)
    return 0


def _review(options: argparse.Namespace, environment: Environment, scan: Scan) -> None:
    if options.set or options.confirm or options.forget:
        changes = _decide(options, Names(scan.records()))
        _apply(environment, changes)
        _report(options, changes)
        return
    corrected = set(environment.corrections())
    unsure = [
        record
        for record in scan.records()
        if record.confidence == "low" and (record.path, record.part) not in corrected
    ]
    if options.json:
        write_json("review", {**path_fields(options.root, "root"), "unsure": list(map(members, unsure))})
    elif sys.stdin.isatty() and sys.stdout.isatty():
        interview(environment, unsure)
    else:
        _list(unsure)


def _decide(options: argparse.Namespace, names: Names) -> list[tuple[Record, str | None]]:
    """Every change, checked before the first is made: all or none."""
    from plantwin.vocabulary import SemanticClass

    changes: list[tuple[Record, str | None]] = []
    for text in options.set:
        path, equals, semantic_class = text.rpartition("=")
        if not equals or not path:
            raise InputError("--set takes PATH=CLASS, such as src/gate.py=authentication_module")
        changes.append((names[path], word(semantic_class, SemanticClass)))
    for text in options.confirm:
        record = names[text]
        changes.append((record, record.semantic_class))
    changes.extend((names[text], None) for text in options.forget)
    numbers = [record.number for record, _ in changes]
    if len(set(numbers)) != len(numbers):
        raise InputError("an object is named twice: say one thing of each")
    return changes


def _apply(environment: Environment, changes: list[tuple[Record, str | None]]) -> None:
    for record, semantic_class in changes:
        if semantic_class is None:
            environment.forget(record.number)
        else:
            environment.correct(record.number, semantic_class)


def _report(options: argparse.Namespace, changes: list[tuple[Record, str | None]]) -> None:
    if options.json:
        rows = [
            {**path_fields(record.path), "part": well_formed(record.part), "semantic_class": semantic_class}
            for record, semantic_class in changes
        ]
        write_json("review", {**path_fields(options.root, "root"), "changed": rows})
        return
    for record, semantic_class in changes:
        write_line(f"{printable(name(record))}: {semantic_class or 'correction forgotten'}")
    write_line(f"{plural(len(changes), 'change')} kept on this machine; from the next scan on they win.")


def members(record: Record) -> dict[str, Any]:
    """One unsure object as JSON members."""
    return {
        "number": record.number,
        **path_fields(record.path),
        "part": well_formed(record.part),
        "kind": record.kind,
        "guess": record.semantic_class,
        "alternatives": alternatives(record),
        "why": [well_formed(reason) for reason in record.why],
    }


def alternatives(record: Record, most: int = 6) -> list[str]:
    """Classes to choose from: those that came next, then the rest of the family."""
    from plantwin.vocabulary import SemanticClass

    family = (member.value for member in SemanticClass if member.family == record.family)
    others = dict.fromkeys((*record.alternatives, *family))
    others.pop(record.semantic_class, None)
    return list(others)[:most]


def _list(unsure: list[Record]) -> None:
    if not unsure:
        write_line("Nothing to review: no object is of low confidence.")
        return
    from plantwin.surfaces.render.tables import listing

    rows = (
        (name(record), record.semantic_class, ", ".join(alternatives(record, 3)), "; ".join(record.why))
        for record in unsure
    )
    console().print(listing(("path", "guess", "alternatives", "why"), rows, styled=False))
    write_line(
        f"{plural(len(unsure), 'object')} of low confidence. Correct one: --set PATH=CLASS; agree: --confirm PATH"
    )
