"""`plantwin budget`: what each audience has been told of each object, spent of what it may ever be told."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from plantwin.ledgers.records import read_statements
from plantwin.surfaces.cli.arguments import add_json
from plantwin.surfaces.cli.output import console, write_json, write_line
from plantwin.surfaces.cli.progress import Bar, Spinner
from plantwin.surfaces.cli.sessions import add_folder, workspace
from plantwin.surfaces.render.text import path_fields, plural, printable, well_formed

if TYPE_CHECKING:
    from plantwin.boundary.ledger.chain import Row
    from plantwin.private.lineage.lineage import Traced
    from plantwin.private.records import Record
    from plantwin.run import Spending
    from plantwin.workspace import Workspace

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
    accounts: list[Spending]
    """The same, but of copies that share an account one."""
    gone: int
    """Objects that it was told of and that are not here now."""
    words: tuple[str, ...] = ()
    """Words that it has heard in goals, of this folder and others."""

    @property
    def used(self) -> float:
        """NL over the objects that are here."""
        from plantwin.boundary.budget import normalized_leakage

        return normalized_leakage(
            sum(each.spent for each in self.accounts), sum(each.threshold for each in self.accounts)
        )


def run(options: argparse.Namespace) -> int:
    """Join what the ledger holds with what the folder holds now."""
    from plantwin.surfaces.cli.naming import Names

    bar = Bar()
    with workspace(options, bar) as made:
        scan = made.environment.scan(jobs=options.jobs, progress=bar)
        records = list(scan.records())
        chosen = [Names(records)[options.object]] if options.object else records
        bar.stop()
        waiting = Spinner("finding out what is which").start()
        try:
            sketches = scan.sketches({each.number for each in chosen if each.part})
            traced = made.lineage.trace(made.environment.root, chosen, sketches, scan.records)
        finally:
            waiting.stop()
        accounts = [_Account(each, traced[each.number]) for each in chosen]
        if options.object:
            _one(options, made, accounts[0])
            return 0
        told = _by_key(read_statements(made.ledger))
        audiences = _audiences(told, made, options)
        standings = [_standing(name, accounts, told, made) for name in audiences]
    if options.json:
        write_json(
            "budget", {**path_fields(str(made.environment.root), "root"), "audiences": list(map(_members, standings))}
        )
    else:
        _show(standings)
    return 0


class _Account(NamedTuple):
    """An object of the folder, and the keys under which it was told of."""

    record: Record
    traced: Traced

    @property
    def key(self) -> bytes:
        return self.traced.identity.key

    @property
    def keys(self) -> tuple[bytes, ...]:
        return (self.key, *self.traced.ancestors)


def _by_key(told: Iterable[Row]) -> dict[bytes, list[Row]]:
    found: dict[bytes, list[Row]] = {}
    for each in told:
        found.setdefault(each.key, []).append(each)
    return found


def _audiences(told: dict[bytes, list[Row]], made: Workspace, options: argparse.Namespace) -> list[str]:
    """Every audience that was told something, or the one that is asked about."""
    if options.audience:
        return [made.settings.audience(options.audience).name]
    return sorted({each.audience for rows in told.values() for each in rows})


def _standing(name: str, accounts: list[_Account], told: dict[bytes, list[Row]], made: Workspace) -> Standing:
    from plantwin.boundary.goal import WORDS
    from plantwin.boundary.ledger.interface import Known
    from plantwin.run import Spending
    from plantwin.surfaces.cli.policy import held_of

    audience = made.settings.audience(name)
    accountant = made.settings.accountant()
    refresh = made.settings.refresh_seconds
    since = float("-inf") if refresh is None else time.time() - refresh
    heard = made.ledger.known(audience, [WORDS])[WORDS]
    words = tuple(sorted(unit.removeprefix("word=") for unit in heard.units))
    spending: dict[tuple[str, str], Spending] = {}
    shared: dict[bytes, Spending] = {}
    for each in accounts:
        rows = [row for key in each.keys for row in told.get(key, ()) if row.audience in audience.shared]
        if not rows:
            continue
        spent = _spent(rows, since)
        held = replace(held_of(each.record, frozenset()), version=each.traced.identity.version)
        found = Spending(
            path=each.record.path,
            part=each.record.part,
            object_id="",
            before=spent,
            spent=spent,
            threshold=accountant.threshold(held, Known(frozenset(row.unit for row in rows), spent)),
            told=tuple(sorted({row.unit for row in rows})),
            withheld=(),
        )
        spending[each.record.path, each.record.part] = shared[each.key] = found
    here = {key for each in accounts for key in each.keys} | {made.lineage.folder_key(made.environment.root), WORDS}
    gone = sum(any(row.audience == name for row in rows) for key, rows in told.items() if key not in here)
    listed = sorted(spending.values(), key=lambda each: (-each.spent, each.path, each.part))
    return Standing(name, audience.shared, listed, list(shared.values()), gone, words)


def _spent(rows: Iterable[Row], since: float) -> int:
    """What counts now: of each unit the largest cost."""
    costs: dict[str, int] = {}
    for each in rows:
        if each.at > since:
            costs[each.unit] = max(each.cost, costs.get(each.unit, 0))
    return sum(costs.values())


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
    from plantwin.boundary.budget import statement_of
    from plantwin.private.report.session import share

    return {
        **path_fields(each.path),
        "part": well_formed(each.part),
        "spent": each.spent / 1000,
        "threshold": each.threshold / 1000,
        "normalized_leakage": share(each),
        "told": sorted(set(map(statement_of, each.told))),
    }


def _show(standings: list[Standing]) -> None:
    from rich.padding import Padding

    from plantwin.private.report.wording import amount
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


def _one(options: argparse.Namespace, made: Workspace, account: _Account) -> None:
    """Every unit told of one object."""
    every = list(read_statements(made.ledger, None, account.keys))
    rows = [each for each in every if options.audience in (None, each.audience)]
    record, by_key = account.record, _by_key(every)
    standings = [_standing(name, [account], by_key, made) for name in sorted({each.audience for each in rows})]
    if options.json:
        from plantwin.boundary.budget import statement_of

        told = [
            {"audience": each.audience, "unit": statement_of(each.unit), "cost": each.cost / 1000, "at": each.at}
            for each in rows
        ]
        audiences = [_members(each) for each in standings]
        write_json(
            "budget",
            {**path_fields(record.path), "part": well_formed(record.part), "told": told, "audiences": audiences},
        )
        return
    from plantwin.private.report.wording import amount, unit
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
