"""Processes that race for one ledger, and one that is killed in the middle: for tests and benchmarks."""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path

from plantwin.boundary.ledger.tree import _WRITE, bucket_of
from plantwin.types.ledger import Audience, Charge, Decision, Entry, Ledger

KEY = bytes(range(32))
AUDIENCE = Audience("alpha", ("alpha",))
OBJECTS = [number.to_bytes(32) for number in range(1000)]
FEW = 16
COST = 100


def opened(where: str) -> Ledger:
    """`sqlite:PATH` or `postgres:DSN`."""
    kind, _, rest = where.partition(":")
    if kind == "sqlite":
        from plantwin.ledgers.sqlite import SqliteLedger

        return SqliteLedger(rest, KEY)
    from plantwin.ledgers.postgres import PostgresLedger

    return PostgresLedger(rest, KEY)


def race(where: str, worker: int, operations: int, threshold: int, objects: int) -> None:
    """Check and charge, again and again, on objects that the others want too; prints what was got."""
    ledger = opened(where)
    choose = random.Random(worker)
    print("ready", flush=True)
    sys.stdin.readline()
    charged = refused = 0
    longest = 0.0
    started = time.perf_counter()
    for number in range(operations):
        keys = choose.sample(OBJECTS[:objects], 2)
        unit = f"edge=w{worker}n{number}"

        def decide(standing, keys=keys, unit=unit):
            fits = [each for each in keys if standing.known[each].spent + COST <= threshold]
            charges = tuple(Charge(each, unit, COST) for each in fits)
            return Decision(len(fits), charges, dict.fromkeys(fits, threshold), (Entry("verdict", b"{}"),))

        start = time.perf_counter()
        got = ledger.transact(AUDIENCE, keys, decide).value
        longest = max(longest, time.perf_counter() - start)
        charged += got
        refused += len(keys) - got
    print(charged, refused, longest, time.perf_counter() - started, flush=True)
    ledger.close()


def bare(where: str, worker: int, operations: int, threshold: int, objects: int) -> None:
    """The peer: transactions of the same shape, each synced to disk, that check, chain and queue nothing."""
    ledger = opened(where)
    print("ready", flush=True)
    sys.stdin.readline()
    choose = random.Random(worker)
    longest = 0.0
    started = time.perf_counter()
    for number in range(operations):
        keys = choose.sample(OBJECTS[:objects], 2)
        start = time.perf_counter()
        transaction = plain_sqlite if where.startswith("sqlite") else plain_postgres
        transaction(ledger._connection, keys, f"edge=w{worker}n{number}", b"{}")  # type: ignore[attr-defined]
        longest = max(longest, time.perf_counter() - start)
    print(2 * operations, 0, longest, time.perf_counter() - started, flush=True)
    ledger.close()


LINES = "INSERT INTO trail (number, at, kind, body, mac) VALUES (?, ?, ?, ?, ?)"
ROWS = "INSERT INTO told (bucket, line, key, audience, unit, cost, at) VALUES (?, ?, ?, ?, ?, ?, ?)"
LAST = "SELECT number, mac, at FROM trail ORDER BY number DESC LIMIT 1"
KNOWN = "SELECT number, key, audience, unit, cost, at FROM told WHERE bucket IN (?, ?)"


def plain_sqlite(connection, keys: list[bytes], unit: str, body: bytes) -> None:
    """One reservation's statements, and nothing else."""
    connection.execute("BEGIN IMMEDIATE")
    (number,) = (connection.execute(LAST).fetchone() or (0,))[:1]
    connection.execute(KNOWN, [*map(bucket_of, keys)]).fetchall()
    _insert(connection, keys, unit, body, number, str)
    connection.execute("COMMIT")


def plain_postgres(connection, keys: list[bytes], unit: str, body: bytes) -> None:
    """The same in the other database."""
    cursor = connection.cursor()
    cursor.execute("SELECT one FROM head FOR UPDATE").fetchall()
    (number,) = (cursor.execute(LAST).fetchone() or (0,))[:1]
    cursor.execute(KNOWN.replace("?", "%s"), [*map(bucket_of, keys)]).fetchall()
    _insert(cursor, keys, unit, body, number, lambda text: text.replace("?", "%s"))
    connection.commit()


def _insert(target, keys, unit, body, number, form) -> None:
    told = b'[["%s","alpha","%s",100,1700000000.123456]]' % (keys[0].hex().encode(), unit.encode())
    lines = [(number + 1, 1.0, "charge", told * len(keys), bytes(32)), (number + 2, 1.0, "verdict", body, bytes(32))]
    target.executemany(form(LINES), lines)
    target.executemany(form(ROWS), [(bucket_of(key), number + 1, key, "alpha", unit, COST, 1.0) for key in keys])
    target.executemany(form(_WRITE), [(-1, b'{"alpha":{"field":{"28333333":%d}}}' % number)])


class LimitError(Exception):
    """The hour's share is used up."""


def turns(where: str, worker: int, tries: int, limit: int) -> None:
    """Take turns as long as the hour's limit allows; prints how many were got."""
    ledger = opened(where)
    print("ready", flush=True)
    sys.stdin.readline()
    got = 0

    def decide(standing):
        if standing.turns >= limit:
            raise LimitError
        return Decision(None, events=("turn",))

    for _ in range(tries):
        try:
            ledger.transact(AUDIENCE, (), decide)
            got += 1
        except LimitError:
            continue
    print(got, flush=True)
    ledger.close()


def refusals(where: str, worker: int, tries: int, limit: int) -> None:
    """Have steps refused that the policy denies; prints how many verdicts there were before the hour's limit."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    import builders

    from plantwin.types.ledger import Limits
    from plantwin.types.plan import Plan, Step
    from plantwin.types.policy import Ruling
    from plantwin.types.verdict import Code

    ledger = opened(where)
    denying = builders.Rules(Ruling.DENY)
    keeper = builders.keeper(ledger, policy=denying, audience=AUDIENCE, limits=Limits(refusals_per_hour=limit))
    plan = Plan(steps=(Step(id="s1", capability="security_audit", inputs=(builders.AUTH,)),))
    print("ready", flush=True)
    sys.stdin.readline()
    codes = [keeper.gate(plan, 0, frozenset()).code for _ in range(tries)]
    print(len(codes) - codes.count(Code.RATE_LIMITED), flush=True)
    ledger.close()


def send(where: str, worker: int) -> None:
    """Reserve, then send: writes what it sends to its output only when the ledger has it."""
    ledger = opened(where)
    number = 0
    while True:
        number += 1
        key, unit = OBJECTS[number % FEW], f"edge=p{worker}n{number}"

        def decide(standing, key=key, unit=unit):
            entry = Entry("envelope", unit.encode())
            return Decision(None, (Charge(key, unit, 1),), {key: 1 << 40}, (entry,))

        ledger.transact(AUDIENCE, [key], decide)
        os.write(1, f"{unit}\n".encode())


if __name__ == "__main__":
    task, where, *numbers = sys.argv[1:]
    {"race": race, "bare": bare, "send": send, "turns": turns, "refusals": refusals}[task](where, *map(int, numbers))
