"""Making the ledger forget: deleted rows, swapped indexes, flipped bits, old copies, and a ledger that is gone.

The attacker wants a session that starts with less counted than was told, and no refusal. Control: untouched, it counts.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

from benchmarks.redteam.lineage import _describe
from benchmarks.redteam.score import Score
from benchmarks.redteam.target import Colluder, charged, folder, session, settings
from plantwin.errors import PlanTwinError


def _sql(ledger: Path, *statements: str) -> None:
    with sqlite3.connect(ledger, isolation_level=None) as database:
        for statement in statements:
            database.execute(statement)


def _swapped(ledger: Path) -> None:
    """An index that finds nothing."""
    _sql(
        ledger, "PRAGMA writable_schema = ON", "CREATE TABLE other (key BLOB)", "CREATE INDEX other_key ON other (key)"
    )
    with sqlite3.connect(ledger, isolation_level=None) as database:
        database.execute("PRAGMA writable_schema = ON")
        rows = dict(
            database.execute("SELECT name, rootpage FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
        )
        real = next(name for name in rows if name != "other_key")
        database.execute("UPDATE sqlite_master SET rootpage = ? WHERE name = ?", (rows["other_key"], real))


TAMPERING: dict[str, Callable[[Path], None]] = {
    "rows deleted": lambda ledger: _sql(ledger, "DELETE FROM told"),
    "one row deleted": lambda ledger: _sql(ledger, "DELETE FROM told WHERE rowid = (SELECT max(rowid) FROM told)"),
    "costs set to nothing": lambda ledger: _sql(ledger, "UPDATE told SET cost = 0"),
    "an index swapped": _swapped,
    "the ledger's folder removed": lambda ledger: shutil.rmtree(ledger.parent),
    "the ledger removed": lambda ledger: ledger.unlink(),
}


def attack(base: Path, short: bool) -> list[Score]:
    """Tamper, then look what is counted."""
    made = settings(base)
    root, state = folder(base), base / "state"
    session(root, state, Colluder(_describe), "Check .env for secrets", made)
    old = base / "old"
    shutil.copytree(state, old)
    (root / "docs" / "more.md").write_text("# More\n\nOf the same.\n")
    session(root, state, Colluder(_describe), "Check config/settings.yaml and .env for secrets", made)
    before = charged(root, state, made, ".env")[2] + charged(root, state, made, "config/settings.yaml")[2]
    if not before:
        raise AssertionError("control: something was told")

    def counted(place: Path) -> int:
        return charged(root, place, made, ".env")[2] + charged(root, place, made, "config/settings.yaml")[2]

    won: list[str] = []
    for name, tamper in TAMPERING.items():
        with _set_aside(state):
            tamper(state / "ledger" / "ledger.db")
            won += [name] if _undercounts(lambda: counted(state), before) else []
    with _set_aside(state):
        shutil.rmtree(state / "ledger")
        shutil.copytree(old / "ledger", state / "ledger")
        won += ["an old copy put back"] if _undercounts(lambda: counted(state), before) else []
    scores = [Score("tampering with the ledger", len(TAMPERING) + 1, len(won), note=", ".join(won))]
    flips = 20 if short else 600
    choose = random.Random(7)
    missed = 0
    for _ in range(flips):
        with _set_aside(state):
            file = state / "ledger" / "ledger.db"
            data = bytearray(file.read_bytes())
            data[choose.randrange(len(data))] ^= 1 << choose.randrange(8)
            file.write_bytes(data)
            missed += _undercounts(lambda: counted(state), before)
    return [*scores, Score("a flipped bit that undercounts", flips, missed)]


def _undercounts(count: Callable[[], int], before: int) -> bool:
    """Whether less is counted than was told, and nobody refuses."""
    try:
        return count() < before
    except PlanTwinError:
        return False


class _set_aside:  # noqa: N801 - reads like a function
    """The state folder as it was, afterwards."""

    def __init__(self, state: Path) -> None:
        self._state, self._copy = state, state.with_name("kept")

    def __enter__(self) -> None:
        shutil.copytree(self._state, self._copy)

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._state)
        self._copy.rename(self._state)
