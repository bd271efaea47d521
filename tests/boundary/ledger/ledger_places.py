"""Where a test keeps a ledger, the clock it runs on, and short ways to say what is told."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from plantwin.ledgers.postgres import PostgresLedger
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.types.ledger import Audience, Charge, Decision, Entry, Ledger

KEY = bytes(range(32))
ALPHA = Audience("alpha", ("alpha",))
BETA = Audience("beta", ("beta",))
ALPHA_WITH_BETA = Audience("alpha", ("alpha", "beta"))
LIMIT = 10_000


class Place:
    """One ledger, opened as often as a test likes."""

    def __init__(self, folder: Path) -> None:
        self.anchor = folder / "ledger.db.anchor"
        self.now = 1_000_000.0
        self._opened: list[Ledger] = []

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        for each in self._opened:
            each.close()

    def open(self, *, key: bytes = KEY, refresh: float | None = None, **more: object) -> Ledger:
        made = self._open(key, refresh=refresh, clock=lambda: self.now, **more)
        self._opened.append(made)
        return made


class SqlitePlace(Place):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.path = folder / "ledger.db"

    def _open(self, key, **more):
        return SqliteLedger(self.path, key, **more)

    def raw(self, query: str, *values: object) -> list[tuple[object, ...]]:
        connection = sqlite3.connect(self.path, isolation_level=None)
        try:
            return connection.execute(query.replace("%s", "?"), values).fetchall()
        finally:
            connection.close()


class PostgresPlace(Place):
    def __init__(self, server, folder: Path) -> None:
        super().__init__(folder)
        self.server = server
        self.dsn = server.database()

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        self.server.give_back(self.dsn)

    def _open(self, key, **more):
        more.setdefault("anchor", self.anchor)
        return PostgresLedger(self.dsn, key, **more)

    def raw(self, query: str, *values: object) -> list[tuple[object, ...]]:
        import psycopg

        with psycopg.connect(self.dsn, options="-c search_path=plantwin") as connection:
            cursor = connection.execute(query, values)
            return cursor.fetchall() if cursor.description else []


def key(name: str) -> bytes:
    return name.encode().ljust(32, b".")


def told(*charges: tuple[str, str, int], most: int = LIMIT, value: object = None, entries: tuple[Entry, ...] = ()):
    """A decision that tells these things, whatever is known."""
    made = tuple(Charge(key(name), unit, cost) for name, unit, cost in charges)
    return lambda standing: Decision(value, made, {each.key: most for each in made}, entries)


def tell(ledger: Ledger, audience: Audience, *charges: tuple[str, str, int], most: int = LIMIT, **more: object):
    """Tell these things and nothing else."""
    return ledger.transact(audience, [key(each[0]) for each in charges], told(*charges, most=most, **more)).value


def spent(ledger: Ledger, audience: Audience, name: str) -> int:
    return ledger.known(audience, [key(name)])[key(name)].spent


def units(ledger: Ledger, audience: Audience, name: str) -> set[str]:
    return set(ledger.known(audience, [key(name)])[key(name)].units)
