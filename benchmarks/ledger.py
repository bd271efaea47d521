"""What a durable reservation costs, what eight processes at once get, and what kill -9 can lose.

    python -m benchmarks.ledger [--rounds 2000] [--operations 20000] [--processes 8] [--kills 200]

The peer is the bare transaction: the same statements on the same tables, synced to the same disk in the
same run, that check, chain and queue nothing. PostgreSQL is a private one on a socket.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.harness import say, scratch

HELPERS = Path(__file__).resolve().parents[1] / "tests" / "boundary" / "ledger"
sys.path.insert(0, str(HELPERS))

from ledger_server import Server  # noqa: E402
from ledger_workers import AUDIENCE, COST, KEY, OBJECTS, opened, plain_sqlite  # noqa: E402

from plantwin.ledgers.records import read_lines  # noqa: E402
from plantwin.ledgers.sqlite import SqliteLedger  # noqa: E402
from plantwin.ledgers.verification import verify  # noqa: E402
from plantwin.types.ledger import Charge, Decision, Entry  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2_000)
    parser.add_argument("--operations", type=int, default=20_000)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--kills", type=int, default=200)
    options = parser.parse_args()
    with scratch() as folder:
        reservation(folder, options.rounds)
        places = {"SQLite": f"sqlite:{folder / 'race.db'}", "bare SQLite": f"sqlite:{folder / 'bare.db'}"}
        compare("SQLite", places, options.processes, options.operations)
        kills(f"sqlite:{folder / 'kill.db'}", options.kills)
    server = Server(synced=True)
    try:
        places = {each: f"postgres:{server.database()}" for each in ("PostgreSQL", "bare PostgreSQL")}
        compare("PostgreSQL", places, options.processes, options.operations)
    finally:
        server.close()


def reservation(folder: Path, rounds: int) -> None:
    """One process, turn by turn, so that both meet the same disk."""
    ledger, peer = SqliteLedger(folder / "one.db", KEY), SqliteLedger(folder / "peer.db", KEY)
    ours, bare = [], []
    body = b'{"envelope":"%s"}' % (b"x" * 800)
    for number in range(rounds):
        keys = [os.urandom(32), os.urandom(32)]
        charges = tuple(Charge(key, f"edge=n{number}", COST) for key in keys)
        decision = Decision(None, charges, dict.fromkeys(keys, COST), (Entry("envelope", body),))
        turns = [
            (ours, lambda keys=keys, decision=decision: ledger.transact(AUDIENCE, keys, lambda standing: decision)),
            (bare, lambda keys=keys, unit=f"edge=n{number}": plain_sqlite(peer._connection, keys, unit, body)),
        ]
        for times, act in turns if number % 2 else reversed(turns):
            start = time.perf_counter()
            act()
            times.append(time.perf_counter() - start)
    say("durable reservation: median", statistics.median(ours) * 1e6, "us")
    say("bare synced transaction of the same shape: median", statistics.median(bare) * 1e6, "us")
    say("reservation / bare, medians", statistics.median(ours) / statistics.median(bare), "x", "at most 1.3")
    say("reservation / bare, means", statistics.fmean(ours) / statistics.fmean(bare), "x")
    say("reservation - bare, medians", (statistics.median(ours) - statistics.median(bare)) * 1e6, "us")
    ledger.close()
    peer.close()


def start(task: str, where: str, *numbers: int) -> subprocess.Popen[bytes]:
    """One worker."""
    command = [sys.executable, str(HELPERS / "ledger_workers.py"), task, where, *map(str, numbers)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def compare(name: str, places: dict[str, str], processes: int, operations: int) -> None:
    """Many processes on overlapping objects: nothing passed, nothing lost, and how fast beside the peer."""
    each = operations // processes
    # Every object is wanted about forty times by all of them, and may be told of twenty times.
    objects = max(16, min(len(OBJECTS), operations // 20))
    threshold = 20 * COST
    rates = {}
    for place, where in places.items():
        workers = [
            start("bare" if place.startswith("bare") else "race", where, n, each, threshold, objects)
            for n in range(processes)
        ]
        for worker in workers:
            worker.stdout.readline()
        began = time.perf_counter()
        for worker in workers:
            worker.stdin.write(b"go\n")
            worker.stdin.flush()
        results = [worker.communicate()[0].split() for worker in workers]
        rates[place] = each * processes / (time.perf_counter() - began)
        say(f"{place}: {processes} processes, check-and-charge", rates[place], "/s")
        say(f"{place}: longest wait of one operation", max(float(result[2]) for result in results) * 1e3, "ms")
        times = [float(result[3]) for result in results]
        say(f"{place}: slowest / fastest process", max(times) / min(times), "x")
        if not place.startswith("bare"):
            check(where, threshold, each * processes, sum(int(result[0]) for result in results))
    ours, bare = rates.values()
    say(f"{name}: throughput / bare", ours / bare, "x")


def check(where: str, threshold: int, operations: int, charged: int) -> None:
    """Nothing passed, nothing lost."""
    ledger = opened(where)
    known = ledger.known(AUDIENCE, OBJECTS)
    most, total = max(each.spent for each in known.values()), sum(each.spent for each in known.values())
    verdicts = sum(line.kind == "verdict" for line in read_lines(ledger))
    problem = verify(ledger).problem
    if most > threshold or total != charged * COST or verdicts != operations or problem:
        raise SystemExit(f"passed or lost: {most} of {threshold}, {total} of {charged * COST}, {verdicts}, {problem}")
    say("    largest spent / threshold", most / threshold, "x", "at most 1")
    say("    charges kept / charges answered", total / (charged * COST), "x", "exactly 1")
    ledger.close()


def kills(where: str, count: int) -> None:
    """Kill a sender at random moments; the ledger must hold all that the receiver got."""
    choose = random.Random(7)
    received: set[str] = set()
    held: set[str] = set()
    for number in range(count):
        with start("send", where, number) as child:
            lines = [child.stdout.readline()] if number % 2 else []
            time.sleep(choose.random() * (0.05 if number % 2 else 0.4))
            child.kill()
            lines += child.stdout.readlines()
        received |= {line.decode().strip() for line in lines if line.endswith(b"\n")}
        ledger = opened(where)
        problem = verify(ledger).problem
        held = {unit for each in ledger.known(AUDIENCE, OBJECTS).values() for unit in each.units}
        ledger.close()
        if problem or not received <= held:
            raise SystemExit(f"kill {number}: {problem or 'sent and not recorded'}")
    say(f"kill -9 at {count} moments: received and not recorded", len(received - held), "", "exactly 0")
    say("    received", len(received), "")
    say("    recorded and not received", len(held - received), "", f"at most {count}")


if __name__ == "__main__":
    main()
