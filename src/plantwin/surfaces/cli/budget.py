"""`plantwin budget`: what each audience has been told of each object, spent of what it may ever be told."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from plantwin.surfaces.cli.arguments import add_json
from plantwin.surfaces.cli.output import console, write_json, write_line
from plantwin.surfaces.cli.progress import Bar, Spinner
from plantwin.surfaces.cli.sessions import add_folder, workshop
from plantwin.surfaces.render.text import path_fields, plural, printable, well_formed

if TYPE_CHECKING:
    from plantwin.boundary.ledger.interface import Statement
    from plantwin.private.records import Record
    from plantwin.run import Spending
    from plantwin.workshop import Workshop

EXAMPLE = "plantwin budget --root ~/projects/shop --object src/auth.py"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_folder(parser)
    parser.add_argument("--object", metavar="PATH", help="everything told of one object, when and at what cost")
    parser.add_argument("--audience", metavar="A", help="of this audience alone")
    add_json(parser)


class Standing(NamedTuple):
    """How one audience stands with the objects of the folder."""

    audience: str
    shared: tuple[str, ...]
    spending: list[Spending]
    gone: int
    """Objects that it was told of and that are not here now."""
    words: tuple[str, ...] = ()
    """Words that it has heard in goals, of this folder and others."""

    @property
    def used(self) -> float:
        """NL over the objects that are here."""
        from plantwin.boundary.budget import normalized_leakage

        return normalized_leakage(
            sum(each.spent for each in self.spending), sum(each.threshold for each in self.spending)
        )


def run(options: argparse.Namespace) -> int:
    """Join what the ledger holds with what the folder holds now."""
    from plantwin.surfaces.cli.naming import Names

    bar = Bar()
    with workshop(options, bar) as made:
        scan = made.environment.scan(jobs=options.jobs, progress=bar)
        records = list(scan.records())
        chosen = [Names(records)[options.object]] if options.object else records
        bar.stop()
        waiting = Spinner("finding out what is which").start()
        try:
            keys = made.keys(scan, chosen)
        finally:
            waiting.stop()
        by_key = {keys[each.number]: each for each in chosen}
        told = made.ledger.statements(None, list(by_key) if options.object else None)
        audiences = _audiences(told, made, options)
        if options.object:
            _one(options, made, chosen[0], keys[chosen[0].number])
            return 0
        standings = [_standing(name, of, by_key, made) for name, of in audiences.items()]
    if options.json:
        write_json(
            "budget", {**path_fields(str(made.environment.root), "root"), "audiences": list(map(_members, standings))}
        )
    else:
        _show(standings)
    return 0


def _audiences(told: Iterable[Statement], made: Workshop, options: argparse.Namespace) -> dict[str, set[bytes]]:
    """Every audience that was told something, or the one that is asked about, with the keys of the objects."""
    found: dict[str, set[bytes]] = {}
    if options.audience:
        found[made.settings.audience(options.audience).name] = set()
    for each in told:
        if options.audience in (None, each.audience):
            found.setdefault(each.audience, set()).add(each.key)
    return dict(sorted(found.items()))


def _standing(name: str, told: set[bytes], by_key: dict[bytes, Record], made: Workshop) -> Standing:
    from plantwin.boundary.goal import WORDS
    from plantwin.run import Spending
    from plantwin.surfaces.cli.policy import held_of

    audience = made.settings.audience(name)
    accountant = made.settings.accountant()
    told = told - {made.lineage.folder(made.environment.root), WORDS}
    known = made.ledger.known(audience, list(by_key))
    heard = made.ledger.known(audience, [WORDS])[WORDS]
    words = tuple(sorted(unit.removeprefix("word=") for unit in heard.units))
    spending = [
        Spending(
            path=by_key[key].path,
            part=by_key[key].part,
            object_id="",
            before=each.spent,
            spent=each.spent,
            threshold=accountant.threshold(held_of(by_key[key], frozenset())),
            told=tuple(sorted(each.units)),
            withheld=(),
        )
        for key, each in known.items()
        if each.units
    ]
    spending.sort(key=lambda each: (-each.spent, each.path, each.part))
    return Standing(name, audience.shared, spending, len(told - by_key.keys()), words)


def _members(each: Standing) -> dict[str, Any]:
    return {
        "audience": each.audience,
        "shared": list(each.shared),
        "normalized_leakage": each.used,
        "leakage": max((one.spent for one in each.spending), default=0) / 1000,
        "gone": each.gone,
        "words": list(each.words),
        "objects": [_object(one) for one in each.spending],
    }


def _object(each: Spending) -> dict[str, Any]:
    from plantwin.private.report import share

    return {
        **path_fields(each.path),
        "part": well_formed(each.part),
        "spent": each.spent / 1000,
        "threshold": each.threshold / 1000,
        "normalized_leakage": share(each),
        "told": list(each.told),
    }


def _show(standings: list[Standing]) -> None:
    from rich.padding import Padding

    from plantwin.private.wording import amount
    from plantwin.surfaces.render import session as view

    screen = console()
    for each in standings:
        shares = [name for name in each.shared if name != each.audience]
        rest = f"shares a budget with {', '.join(shares)}" if shares else ""
        screen.print(view.heading(f"Audience {each.audience}", rest))
        if each.spending:
            screen.print(Padding(view.standing_table(each.spending), (0, 0, 0, 2)))
            most = each.spending[0].spent
            write_line(f"  L = {amount(most)}; NL over {plural(len(each.spending), 'object')}: {each.used:.0%}")
        if each.gone:
            write_line(f"  no longer here ({plural(each.gone, 'object')}): deleted, moved away, or of another folder")
        if each.words:
            write_line(f"  heard {plural(len(each.words), 'word')} in goals: {' '.join(each.words)}")
        if not each.spending and not each.gone and not each.words:
            write_line("  was told nothing")
    if not standings:
        write_line("No audience has been told anything.")


def _one(options: argparse.Namespace, made: Workshop, record: Record, key: bytes) -> None:
    """Every unit told of one object."""
    rows = list(made.ledger.statements(options.audience, [key]))
    standings = [_standing(name, set(), {key: record}, made) for name in sorted({each.audience for each in rows})]
    if options.json:
        told = [
            {"audience": each.audience, "unit": each.unit, "cost": each.cost / 1000, "at": each.at} for each in rows
        ]
        audiences = [_members(each) for each in standings]
        write_json(
            "budget",
            {**path_fields(record.path), "part": well_formed(record.part), "told": told, "audiences": audiences},
        )
        return
    from plantwin.private.wording import amount, unit
    from plantwin.surfaces.cli.naming import name
    from plantwin.surfaces.render.tables import listing

    _show(standings)
    if not rows:
        write_line(f"Nobody has been told anything of {printable(name(record))}.")
        return
    write_line()
    lines = (
        (time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(each.at)), each.audience, unit(each.unit), amount(each.cost))
        for each in rows
    )
    console().print(listing(("when", "audience", "told", "cost"), lines, right=("cost",), styled=False))
