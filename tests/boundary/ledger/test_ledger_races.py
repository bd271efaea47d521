"""Processes that race never pass a threshold and lose nothing; one killed at any moment never under-counts."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from ledger_workers import AUDIENCE, COST, FEW, OBJECTS, opened

import plantwin
from plantwin.ledgers.records import read_lines, read_statements
from plantwin.ledgers.verification import verify
from plantwin.types.ledger import Charge, Decision

WORKERS = str(Path(__file__).with_name("ledger_workers.py"))
SOURCE = str(Path(plantwin.__file__).parents[1])


@pytest.fixture(params=["sqlite", "postgres"])
def where(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:{tmp_path / 'ledger' / 'ledger.db'}"
    return f"postgres:{request.getfixturevalue('postgres_place').dsn}"


def start(*arguments: object, **more: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, WORKERS, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": SOURCE},
        **more,
    )


def test_racing_processes_never_pass_a_threshold_and_lose_nothing(where):
    operations, count, threshold = 40, 4, 15 * COST
    workers = [start("race", where, number, operations, threshold, FEW) for number in range(count)]
    for worker in workers:  # all of them open it for the first time at once, too
        assert worker.stdout.readline() == b"ready\n"
    results = [worker.communicate(b"go\n", timeout=60)[0].split() for worker in workers]
    charged, refused = (sum(int(each[column]) for each in results) for column in (0, 1))
    assert charged + refused == 2 * operations * count
    assert refused > 0
    ledger = opened(where)
    known = ledger.known(AUDIENCE, OBJECTS)
    assert max(each.spent for each in known.values()) == threshold
    assert sum(each.spent for each in known.values()) == charged * COST
    assert len(list(read_statements(ledger))) == charged == sum(len(each.units) for each in known.values())
    verdicts = sum(line.kind == "verdict" for line in read_lines(ledger))
    assert (verdicts, verify(ledger).problem) == (operations * count, "")
    ledger.close()


def at_once(event, where, limit, count=20):
    """What so many processes got together, and how the audience stands then."""
    workers = [start(event, where, number, 5, limit) for number in range(count)]
    for worker in workers:
        assert worker.stdout.readline() == b"ready\n"
    for worker in workers:
        worker.stdin.write(b"go\n")
        worker.stdin.flush()
    got = sum(int(worker.communicate(timeout=60)[0]) for worker in workers)
    ledger = opened(where)
    standing = ledger.standing(AUDIENCE)
    ledger.close()
    return got, standing


def test_twenty_processes_cannot_pass_an_hourly_limit(where):
    got, standing = at_once("turns", where, 60)
    assert got == standing.turns == 60


def test_twenty_processes_cannot_pass_the_hourly_limit_of_refusals(tmp_path):
    got, standing = at_once("refusals", f"sqlite:{tmp_path / 'ledger' / 'ledger.db'}", 60)
    assert (got, standing.refusals) == (60, 100)


def test_killed_at_any_moment_it_holds_at_least_what_was_received(where):
    choose = random.Random(5)
    received: set[str] = set()
    rounds = 20 if where.startswith("sqlite") else 6
    for number in range(rounds):
        with start("send", where, number) as child:
            # In every other round it is known to be sending; else it may still be opening the ledger.
            lines = [child.stdout.readline()] if number % 2 else []
            time.sleep(choose.random() * (0.05 if number % 2 else 0.4))
            child.kill()
            lines += child.stdout.readlines()
        received |= {line.decode().strip() for line in lines if line.endswith(b"\n")}
        ledger = opened(where)
        found = verify(ledger)
        held = {unit for each in ledger.known(AUDIENCE, OBJECTS).values() for unit in each.units}
        assert found.problem == ""
        assert received <= held
        assert len(held - received) <= number + 1  # reserved, and killed before it was sent
        ledger.close()
    assert len(received) >= rounds // 2


def test_two_sessions_of_one_process_keep_their_log_from_others(tmp_path):
    place = f"sqlite:{tmp_path / 'ledger' / 'ledger.db'}"
    one, two = opened(place), opened(place)
    charges = (Charge(OBJECTS[0], "kind=config", COST),)
    one.transact(AUDIENCE, OBJECTS[:1], lambda _: Decision(None, charges, {OBJECTS[0]: COST}, ()))
    look = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT * FROM meta').fetchall()"
    subprocess.run([sys.executable, "-c", look, tmp_path / "ledger" / "ledger.db"], check=True)
    # Whoever closes it last removes the log; that process is not the last.
    assert (tmp_path / "ledger" / "ledger.db-wal").exists()
    two.close()
    one.close()
    again = opened(place)
    assert again.known(AUDIENCE, OBJECTS)[OBJECTS[0]].spent == COST
    again.close()
