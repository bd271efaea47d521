"""`plantwin vocabulary`: every word that can cross, with its definition."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from plantwin.surfaces.cli.output import console, write_json, write_line

EXAMPLE = "plantwin vocabulary --markdown > docs/vocabulary.md"
PAGED = True


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON document")
    form.add_argument("--markdown", action="store_true", help="print a Markdown page")


def run(options: argparse.Namespace) -> int:
    """Print the vocabulary in the chosen form."""
    from plantwin.vocabulary import VERSION

    if options.json:
        terms = {terms.__name__: list(map(members, terms)) for terms in vocabularies()}
        write_json("vocabulary", {"version": VERSION, "vocabularies": terms})
    elif options.markdown:
        write_line(markdown())
    else:
        _show()
    return 0


def vocabularies() -> Iterator[type[StrEnum]]:
    """Every closed vocabulary, in the order in which the source defines them."""
    from plantwin.vocabulary import content, objects, work

    for module in (objects, content, work):
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, StrEnum) and len(value):
                yield value


def members(term: Any) -> dict[str, str]:
    """One word with its definition and what it belongs to."""
    belongs = {level: getattr(term, level).value for level in ("family", "edge") if hasattr(term, level)}
    return {"word": term.value, "definition": term.definition, **belongs}


def heading(terms: type[StrEnum]) -> str:
    """A vocabulary's name in plain words, with its size: `Semantic class (113)`."""
    plain = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in terms.__name__).strip()
    return f"{plain.capitalize()} ({len(terms)})"


def markdown() -> str:
    """The page that docs/vocabulary.md holds."""
    lines = [
        "# Vocabulary",
        "",
        "Every word that can cross to a planner. Made by `plantwin vocabulary --markdown` from"
        " `src/plantwin/vocabulary/`; do not edit by hand.",
    ]
    for terms in vocabularies():
        rows = [members(term) for term in terms]
        level = next((key for key in ("family", "edge") if key in rows[0]), None)
        lines += ["", f"## {heading(terms)}", "", terms.__doc__ or "", ""]
        lines += (
            [f"| word | {level} | definition |", "|---|---|---|"] if level else ["| word | definition |", "|---|---|"]
        )
        for row in rows:
            owner = f" {row[level]} |" if level else ""
            lines.append(f"| `{row['word']}` |{owner} {row['definition'].replace('|', '&#124;')} |")
    return "\n".join(lines)


def _show() -> None:
    from plantwin.surfaces.render.tables import listing

    screen = console()
    for terms in vocabularies():
        rows = [members(term) for term in terms]
        title = f"{heading(terms)}: {terms.__doc__}"
        screen.print(listing(list(rows[0]), ([*row.values()] for row in rows), title=title, styled=False))
        write_line()
