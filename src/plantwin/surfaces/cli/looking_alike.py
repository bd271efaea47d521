"""`plantwin budget explain`: how many objects look like one to each audience, and what the next word would change."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from plantwin.surfaces.cli.arguments import Names, name
from plantwin.surfaces.cli.output import console, write_json, write_line
from plantwin.surfaces.cli.progress import Bar
from plantwin.surfaces.cli.sessions import workspace
from plantwin.surfaces.render.text import path_fields, plural, printable, well_formed

if TYPE_CHECKING:
    from plantwin.config.accountants import Lookalikes
    from plantwin.types.accounting import Accountant

GUARANTEES = {
    "weighted": "A point is the weight of one told word: 0.5 for a kind, 2.0 for a class (docs/glossary.md). So many "
    "words are told and no more; what they tell is not bounded.",
    "calibrated": "A point is a nat: on average nobody learns more of an object than was spent (docs/privacy.md).",
    "entropy": "A point is a nat, rarer words cost more: on average nobody learns more than spent (docs/privacy.md).",
    "k-anonymity": "A point is a nat: how much the told words narrow down what a file is. Of one file "
    "by itself a remote planner hears only what at least privacy.k files have in common (docs/privacy.md).",
    "differential": "A point is a nat; answers about sets are random, at the epsilon that was spent (docs/privacy.md).",
}
"""What the unit means, by accountant."""
NOBODY = "somebody who was told nothing"


class Next(NamedTuple):
    """A word that was not told yet."""

    word: str
    alike: int
    """Objects that could be meant once it is."""
    price: float


def explain(options: argparse.Namespace, wanted: str) -> int:
    """Count whom the words that were told of an object could be about, now and after each further word."""
    from plantwin.config.accountants import Lookalikes, statements
    from plantwin.ledgers.records import read_statements
    from plantwin.private.project import nameless
    from plantwin.types.prices import statement_of

    bar = Bar()
    with workspace(options, bar) as made:
        scan = made.environment.scan(jobs=options.jobs, progress=bar)
        records = list(scan.records())
        record = Names(records)[wanted]
        bar.stop()
        k = made.settings.privacy.k
        folder = [(nameless(one), b"") for one in records]
        lookalikes = Lookalikes(one for one, _ in folder)
        traced = made.lineage.trace(made.environment.root, [record], scan.sketches({record.number}), scan.records)
        key, version = traced[record.number].identity
        rows = [row for row in read_statements(made.ledger, None, (key,)) if options.audience in (None, row.audience)]
        settings = {
            name: made.settings.heard_by(name)
            for name in {row.audience for row in rows} or {options.audience or NOBODY}
        }
    true = list(statements(nameless(record)))
    answers: list[dict[str, Any]] = []
    for audience, heard in sorted(settings.items()):
        accountant = heard.accountant(made.catalog.values(), folder)
        units = {row.unit for row in rows if row.audience == audience and row.unit.endswith(version)}
        told = set(map(statement_of, units))
        further = [word._asdict() for word in _next(true, told, lookalikes, accountant)]
        grouped = accountant.anonymity is not None
        price = {"accountant": heard.budget.accountant, "grouped": grouped, "next": further}
        answers.append({"audience": audience, "told": sorted(told), "alike": lookalikes.size(told), **price})
    if options.json:
        about = {**path_fields(record.path), "part": well_formed(record.part), "objects": len(records), "k": k}
        write_json("budget", {**about, "audiences": answers})
        return 0
    for answer in answers:
        _show(printable(name(record)), answer, len(records), k)
    return 0


def _next(true: Iterable[str], told: set[str], lookalikes: Lookalikes, accountant: Accountant) -> list[Next]:
    from plantwin.types.ledger import Known

    known = Known(frozenset(told))
    return [
        Next(word, lookalikes.size({*told, word}), accountant.price(word, known) / 1000)
        for word in true
        if word not in told
    ]


def _show(label: str, answer: dict[str, Any], objects: int, k: int) -> None:
    from plantwin.config.accountants import GROUPS
    from plantwin.private.report.wording import unit
    from plantwin.surfaces.render.tables import listing

    alike = plural(answer["alike"], "object looks", "objects look")
    write_line(f"To {answer['audience']}, {alike} like {label}, of {objects:,} here.")
    write_line(f"  {answer['accountant']}: {GUARANTEES[answer['accountant']]}")
    if answer["told"]:
        write_line(f"  told of it: {'; '.join(map(unit, answer['told']))}")
    write_line("What each further word would leave (edges and outcomes of steps are not counted):")
    if answer["grouped"] and objects >= GROUPS * k:
        write_line(f"(k-anonymity tells none that not all of its group of at least {k} share)")
    rows = [
        (
            unit(further["word"]),
            f"{further['alike']:,}",
            f"fewer than {k}" if further["alike"] < k else "",
            f"{further['price']:g}",
        )
        for further in answer["next"]
    ]
    console().print(listing(("next word", "alike", "", "points"), rows, right=("alike", "points"), styled=False))
    write_line()
