"""The questions of `plantwin review` on a terminal, one object at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.surfaces.cli.arguments import nearest
from plantwin.surfaces.cli.naming import name
from plantwin.surfaces.cli.output import write_line
from plantwin.surfaces.render.text import plural, printable
from plantwin.vocabulary import SemanticClass, member

if TYPE_CHECKING:
    from plantwin import Environment
    from plantwin.private.records import Record

PROMPT = "Enter: right · number: choose · text: search · s: skip · q: quit > "


def interview(environment: Environment, unsure: list[Record]) -> None:
    """Ask about each object; an answer is kept at once, so quitting loses nothing."""
    if not unsure:
        write_line("Nothing to review: no object is of low confidence.")
        return
    from plantwin.surfaces.cli.review import alternatives

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
        each.value: f"{each.value} {each.family} {each.definition}".lower().replace("_", " ") for each in SemanticClass
    }
    found = [each for each, told in held.items() if all(part in told for part in parts)]
    # A word that itself holds the text is likelier meant than one that only mentions it.
    found.sort(key=lambda each: text.replace(" ", "_") not in each)
    return found[:most] or nearest(text.replace(" ", "_"), SemanticClass)


def _explained(name_of_class: str) -> str:
    term = member(SemanticClass, name_of_class)
    return f"{term} ({term.family}): {term.definition}"
