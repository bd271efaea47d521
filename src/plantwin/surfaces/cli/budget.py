"""`plantwin budget`: what each audience has been told of each object, spent of what it may ever be told."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from plantwin.errors import InputError
from plantwin.ledgers.records import read_statements
from plantwin.surfaces.cli.arguments import add_folder, add_json
from plantwin.surfaces.cli.output import console, write_json, write_line
from plantwin.surfaces.cli.progress import Bar, Spinner
from plantwin.surfaces.cli.resets import RESET, reset, resets
from plantwin.surfaces.cli.sessions import workspace
from plantwin.surfaces.render.text import path_fields, plural, printable, well_formed

if TYPE_CHECKING:
    from plantwin.config.settings import Settings
    from plantwin.private.facts import Record
    from plantwin.private.lineage.lineage import Traced
    from plantwin.run import Spending
    from plantwin.types.accounting import Accountant
    from plantwin.types.ledger import Audience, Row
    from plantwin.workspace import Workspace

EXPLAIN = "explain"
FEW = 15
"""Files of an audience that are listed unless all are asked for."""
EXAMPLE = "plantwin budget --root ~/projects/shop --object src/auth.py"
PAGED = True


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument(
        "words",
        nargs="*",
        metavar="ROOT",
        help="the folder, or one file; as --root; or `reset`: count anew for audiences that never sent anything; "
        "or `explain OBJECT`: how many objects look the same to each audience, and what the next word would change",
    )
    add_folder(parser, positional=False)
    parser.add_argument("--object", metavar="PATH", help="everything told of one object, when and at what cost")
    parser.add_argument("--audience", metavar="A", help="of this audience alone")
    parser.add_argument("--all", action="store_true", help=f"every file, not only the {FEW} with the highest cost")
    add_json(parser)


class Standing(NamedTuple):
    """How one audience stands with the objects of the folder."""

    audience: str
    shared: tuple[str, ...]
    accountant: str
    spending: list[Spending]
    accounts: list[Spending]
    """The same, but of copies that share an account one."""
    gone: int
    """Objects that it was told of and that are not here now."""
    cells: tuple[int, ...] = ()
    """What each account of alike files has spent, of this folder and others, the dearest first."""
    cell_limit: int = 0
    """Most that may be spent on one of them."""
    words: tuple[str, ...] = ()
    """Words that it has heard in goals, of this folder and others."""
    epsilon: int = 0
    """Of what was spent on one of them, that of random answers, where it is the most."""

    @property
    def used(self) -> float:
        """NL over the objects that are here."""
        from plantwin.types.prices import normalized_leakage

        return normalized_leakage(
            sum(account.spent for account in self.accounts), sum(account.threshold for account in self.accounts)
        )


def run(options: argparse.Namespace) -> int:
    """Join what the ledger holds with what the folder holds now."""
    from plantwin.surfaces.cli.arguments import Names

    first, *more = options.words or [options.root]
    if first == RESET and not more:
        return reset(options)
    if first == EXPLAIN and len(more) == 1:
        from plantwin.surfaces.cli.looking_alike import explain

        return explain(options, more[0])
    if more:
        raise InputError("expected a folder, `reset`, or `explain OBJECT`")
    options.root = first
    bar = Bar()
    with workspace(options, bar) as made:
        scan = made.environment.scan(jobs=options.jobs, progress=bar)
        records = list(scan.records())
        chosen = [Names(records)[options.object]] if options.object else records
        bar.stop()
        waiting = Spinner("finding out what is which").start()
        try:
            sketches = scan.sketches({account.number for account in chosen if account.part})
            traced = made.lineage.trace(made.environment.root, chosen, sketches, scan.records)
        finally:
            waiting.stop()
        accounts = [Account(account, traced[account.number]) for account in chosen]
        if options.object:
            _one(options, made, accounts[0])
            return 0
        since = resets(made.ledger)
        counted = (row for row in read_statements(made.ledger) if row.at > since.get(row.audience, float("-inf")))
        told = by_key(counted)
        audiences = _audiences(told, made, options)
        standings = [_standing(name, accounts, told, made) for name in audiences]
    if options.json:
        write_json(
            "budget",
            {
                **path_fields(str(made.environment.root), "root"),
                "accountant": made.settings.budget.accountant,
                "audiences": list(map(_members, standings)),
            },
        )
    else:
        _show(standings, every=options.all)
    return 0


class Account(NamedTuple):
    """An object of the folder, and the keys under which it was told of."""

    record: Record
    traced: Traced

    @property
    def key(self) -> bytes:
        """Its account."""
        return self.traced.identity.key

    @property
    def keys(self) -> tuple[bytes, ...]:
        """Its account, and those that it takes over from."""
        return (self.key, *self.traced.ancestors)


def by_key(told: Iterable[Row]) -> dict[bytes, list[Row]]:
    """Put what was told of one account together."""
    found: dict[bytes, list[Row]] = {}
    for spent in told:
        found.setdefault(spent.key, []).append(spent)
    return found


def _audiences(told: dict[bytes, list[Row]], made: Workspace, options: argparse.Namespace) -> list[str]:
    """Every audience that was told something, or the one that is asked about."""
    if options.audience:
        return [made.settings.audience(options.audience).name]
    return sorted({row.audience for rows in told.values() for row in rows})


class Counting(NamedTuple):
    """How what an audience was told is counted."""

    audience: Audience
    settings: Settings
    accountant: Accountant
    since: float
    """What was told before no longer counts as spent."""

    @classmethod
    def of(cls, name: str, settings: Settings) -> Counting:
        """As the settings say for this audience."""
        refresh = settings.refresh_seconds
        heard = settings.heard_by(name)
        since = float("-inf") if refresh is None else time.time() - refresh
        return cls(settings.audience(name), heard, heard.accountant(), since)

    def spending(self, account: Account, told: Mapping[bytes, Sequence[Row]]) -> Spending | None:
        """What it was told of one object, of what it may be; None where that is nothing."""
        from plantwin.run import Spending
        from plantwin.surfaces.cli.policy import held_of
        from plantwin.types.ledger import Known

        rows = [row for key in account.keys for row in told.get(key, ()) if row.audience in self.audience.shared]
        if not rows:
            return None
        spent = spent_on(rows, self.since)
        held = replace(held_of(account.record, frozenset()), version=account.traced.identity.version)
        return Spending(
            path=account.record.path,
            part=account.record.part,
            object_id="",
            before=spent,
            spent=spent,
            threshold=self.accountant.threshold(held, Known(frozenset(row.unit for row in rows), spent)),
            told=tuple(sorted({row.unit for row in rows})),
            withheld=(),
        )


def _standing(name: str, accounts: list[Account], told: dict[bytes, list[Row]], made: Workspace) -> Standing:
    from plantwin.boundary.release import WORDS
    from plantwin.types.prices import RANDOM

    audience, settings, _, since = counting = Counting.of(name, made.settings)
    heard = made.ledger.known(audience, [WORDS])[WORDS]
    words = tuple(sorted(unit.removeprefix("word=") for unit in heard.units))
    spending: dict[tuple[str, str], Spending] = {}
    shared: dict[bytes, Spending] = {}
    for account in accounts:
        if (found := counting.spending(account, told)) is not None:
            spending[account.record.path, account.record.part] = shared[account.key] = found
    here = {key for known in accounts for key in known.keys} | {made.lineage.folder_key(made.environment.root), WORDS}
    others = {key: rows for key, rows in told.items() if key not in here}
    cells = {
        key: [row for row in rows if row.audience in audience.shared]
        for key, rows in others.items()
        if any(row.unit.startswith("set.") for row in rows)
    }
    gone = sum(any(row.audience == name for row in rows) for key, rows in others.items() if key not in cells)
    by_cell = tuple(sorted((spent_on(rows, since) for rows in cells.values() if rows), reverse=True))
    listed = sorted(spending.values(), key=lambda record: (-record.spent, record.path, record.part))
    epsilon = max(
        (spent_on([row for row in rows if f"@{RANDOM}" in row.unit], since) for rows in cells.values()), default=0
    )
    return Standing(
        name, audience.shared, settings.budget.accountant, listed, list(shared.values()), gone, by_cell,
        settings.sharing().limit, words, epsilon,
    )  # fmt: skip


def spent_on(rows: Iterable[Row], since: float) -> int:
    """What counts now: of each unit the largest cost."""
    costs: dict[str, int] = {}
    for row in rows:
        if row.at > since:
            costs[row.unit] = max(row.cost, costs.get(row.unit, 0))
    return sum(costs.values())


def _members(standing: Standing) -> dict[str, Any]:
    return {
        "audience": standing.audience,
        "shared": list(standing.shared),
        "accountant": standing.accountant,
        "normalized_leakage": standing.used,
        "leakage": max((one.spent for one in standing.spending), default=0) / 1000,
        "gone": standing.gone,
        "sets": {
            "number": len(standing.cells),
            "spent": max(standing.cells, default=0) / 1000,
            "threshold": standing.cell_limit / 1000,
            "epsilon": standing.epsilon / 1000,
        },
        "words": list(standing.words),
        "objects": [_object(one) for one in standing.spending],
    }


def _object(spending: Spending) -> dict[str, Any]:
    from plantwin.private.report.spending import share
    from plantwin.types.prices import statement_of

    return {
        **path_fields(spending.path),
        "part": well_formed(spending.part),
        "spent": spending.spent / 1000,
        "threshold": spending.threshold / 1000,
        "normalized_leakage": share(spending),
        "told": sorted(set(map(statement_of, spending.told))),
    }


def _show(standings: list[Standing], *, every: bool = True) -> None:
    """A line for each audience, then what each has been told of."""
    if not standings:
        write_line("No audience has been told anything.")
        return
    told = sum(map(_heard, standings))
    write_line(f"{plural(told, 'audience has', 'audiences have')} been told something.")
    from plantwin.surfaces.cli.looking_alike import GUARANTEES

    for accountant in sorted({each.accountant for each in standings}):
        names = ", ".join(each.audience for each in standings if each.accountant == accountant)
        write_line(f"{names}: {accountant}. {GUARANTEES[accountant]}")
    _summarize(standings)
    for standing in standings:
        _detail(standing, every)


def _heard(standing: Standing) -> bool:
    return bool(standing.spending or standing.gone or standing.cells or standing.words)


def _summarize(standings: list[Standing]) -> None:
    from plantwin.private.report.wording import amount
    from plantwin.surfaces.render.tables import listing

    columns = ("audience", "files told of", "most of one", "of all budgets", "sets", "goal words")
    rows = [
        (
            standing.audience,
            f"{len(standing.spending):,}",
            f"{amount(standing.spending[0].spent)} of {amount(standing.spending[0].threshold)}"
            if standing.spending
            else "",
            f"{standing.used:.0%}" if standing.spending else "",
            f"{len(standing.cells):,}",
            f"{len(standing.words):,}",
        )
        for standing in standings
    ]
    write_line()
    console().print(listing(columns, rows, right=columns[1:], styled=False))


def _detail(standing: Standing, every: bool) -> None:
    from rich.padding import Padding

    from plantwin.private.report.wording import amount
    from plantwin.surfaces.render import session as view

    screen = console()
    shares = [name for name in standing.shared if name != standing.audience]
    screen.print(
        view.heading(f"Audience {standing.audience}", f"shares a budget with {', '.join(shares)}" if shares else "")
    )
    if standing.spending:
        shown = standing.spending if every else standing.spending[:FEW]
        screen.print(Padding(view.standing_table(shown), (0, 0, 0, 2)))
        if hidden := len(standing.spending) - len(shown):
            write_line(f"  and {plural(hidden, 'file')} more: --all lists them")
    if standing.cells:
        dearest = f"at most {amount(standing.cells[0])} of {amount(standing.cell_limit)} points on one"
        dearest += f", epsilon {amount(standing.epsilon)} of it" if standing.epsilon else ""
        write_line(f"  as members of sets, here and in other folders: {plural(len(standing.cells), 'set')}, {dearest}")
    if standing.gone:
        write_line(f"  no longer here ({plural(standing.gone, 'object')}): deleted, moved away, or of another folder")
    if standing.words:
        write_line(f"  heard {plural(len(standing.words), 'word')} of goals: {' '.join(standing.words)}")
    if not _heard(standing):
        write_line("  was told nothing")


def _one(options: argparse.Namespace, made: Workspace, account: Account) -> None:
    """Every unit told of one object."""
    every = list(read_statements(made.ledger, None, account.keys))
    rows = [candidate for candidate in every if options.audience in (None, candidate.audience)]
    record, told_of = account.record, by_key(every)
    standings = [_standing(name, [account], told_of, made) for name in sorted({row.audience for row in rows})]
    if options.json:
        from plantwin.types.prices import statement_of

        told = [
            {"audience": row.audience, "unit": statement_of(row.unit), "cost": row.cost / 1000, "at": row.at}
            for row in rows
        ]
        audiences = [_members(standing) for standing in standings]
        write_json(
            "budget",
            {**path_fields(record.path), "part": well_formed(record.part), "told": told, "audiences": audiences},
        )
        return
    from plantwin.private.report.wording import amount, unit
    from plantwin.surfaces.cli.arguments import name
    from plantwin.surfaces.render.tables import listing

    _show(standings)
    if not rows:
        write_line(f"Nobody has been told anything of {printable(name(record))}.")
        return
    write_line()
    lines = (
        (time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(row.at)), row.audience, unit(row.unit), amount(row.cost))
        for row in rows
    )
    console().print(listing(("when", "audience", "told", "points"), lines, right=("points",), styled=False))
