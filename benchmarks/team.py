"""A team's load on one PostgreSQL ledger: many clients at once, the server restarted in the middle.

    python -m benchmarks.team [--clients 50] [--operations 100000] [--bare 10000]

Every operation looks up two objects that others want too, and charges what fits. Nothing may be lost and no threshold
passed. The peer is the bare transaction of the same shape, by as many clients in the same run; it is not restarted.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from benchmarks.harness import say

HELPERS = Path(__file__).resolve().parents[1] / "tests" / "boundary" / "ledger"
sys.path.insert(0, str(HELPERS))

from ledger_server import Server  # noqa: E402
from ledger_workers import AUDIENCE, COST, OBJECTS, opened, plain_postgres  # noqa: E402

from plantwin.errors import LedgerError  # noqa: E402
from plantwin.ledgers.verification import verify  # noqa: E402
from plantwin.types.ledger import Charge, Decision, Entry  # noqa: E402

THREADS = 5
"""Clients of one process: each with a connection of its own."""
PATIENCE = 120
"""Seconds that a client goes on trying while the server is away."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--operations", type=int, default=100_000)
    parser.add_argument("--bare", type=int, default=10_000, help="operations of the peer")
    parser.add_argument("--worker", nargs=5, metavar="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        kind, where, *numbers = options.worker
        return work(kind, where, *map(int, numbers))
    server = Server(synced=True)
    try:
        bare = load("bare", server, options.clients, options.bare)
        ours = load("ledger", server, options.clients, options.operations, restart=True)
    finally:
        server.close()
    say("throughput of the ledger / bare", ours / bare, "x")
    return None


def load(kind: str, server: Server, clients: int, operations: int, *, restart: bool = False) -> float:
    """Run all clients; operations in a second, without the time that the server was away."""
    where, each = f"postgres:{server.database()}", operations // clients
    opened(where).close()
    # Nearly all that they want together fits: most operations charge, and towards the end thresholds are reached.
    threshold = max(1, 2 * each * clients * 19 // 20 // len(OBJECTS)) * COST
    command = [sys.executable, "-m", "benchmarks.team", "--worker", kind, where]
    workers = [
        subprocess.Popen(
            [*command, str(first), str(each), str(threshold)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for first in range(0, clients, THREADS)
    ]
    for worker in workers:
        worker.stdout.readline()
    began = time.perf_counter()
    for worker in workers:
        worker.stdin.write(b"go\n")
        worker.stdin.flush()
    away = 0.0
    if restart:
        time.sleep(max(1.0, operations / 2000))
        running = sum(worker.poll() is None for worker in workers)
        stopped = time.perf_counter()
        server.stop(signal.SIGQUIT)  # as a crash: whatever was under way is gone or durable
        server.start()
        away = time.perf_counter() - stopped
        say(f"{kind}: processes at work when the server was killed", running, "", f"of {len(workers)}")
        say(f"{kind}: seconds until the server was back", away, "s")
    found = [list(map(float, worker.communicate()[0].split())) for worker in workers]
    rate = each * clients / (time.perf_counter() - began - away)
    charged, errors, longest = sum(row[0] for row in found), sum(row[1] for row in found), max(row[2] for row in found)
    say(f"{kind}: {clients} clients, {each * clients:,} operations", rate, "/s")
    say(f"{kind}: longest wait of one operation", longest * 1e3, "ms")
    if kind == "ledger":
        say("    charges that fitted / wanted", charged / (2 * each * clients), "x", "the rest met a threshold")
        check(where, threshold, int(charged), int(errors))
    return rate


def check(where: str, threshold: int, charged: int, errors: int) -> None:
    """Nothing passed, nothing lost, nothing twice."""
    ledger = opened(where)
    known = ledger.known(AUDIENCE, OBJECTS)
    most, total = max(one.spent for one in known.values()), sum(one.spent for one in known.values())
    problem = verify(ledger).problem
    ledger.close()
    if most > threshold or total != charged * COST or problem:
        raise SystemExit(f"passed or lost: {most} of {threshold}, {total} of {charged * COST}, {problem}")
    say("    errors while the server was away, tried again", errors, "")
    say("    largest spent / threshold", most / threshold, "x", "at most 1")
    say("    charges kept / charges answered", total / (charged * COST), "x", "exactly 1")


def work(kind: str, where: str, first: int, operations: int, threshold: int) -> None:
    """Some clients in one process; prints what they got together."""
    clients = [Client(kind, where, first + number, operations, threshold) for number in range(THREADS)]
    print("ready", flush=True)
    sys.stdin.readline()
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    if any(client.failed for client in clients):
        os._exit(1)
    print(sum(one.charged for one in clients), sum(one.errors for one in clients), max(one.longest for one in clients))


class Client(threading.Thread):
    """Checks and charges, again and again."""

    def __init__(self, kind: str, where: str, number: int, operations: int, threshold: int) -> None:
        super().__init__()
        self._kind, self._number, self._operations, self._threshold = kind, number, operations, threshold
        self._ledger = opened(where)
        self.charged = self.errors = 0
        self.longest = 0.0
        self.failed = True

    def run(self) -> None:
        choose = random.Random(self._number)
        for number in range(self._operations):
            keys, unit = choose.sample(OBJECTS, 2), f"edge=c{self._number}n{number}"
            start = time.perf_counter()
            if self._kind == "bare":
                plain_postgres(self._ledger._connection, keys, unit, b"{}")
            else:
                self.charged += self._charge(keys, unit)
            self.longest = max(self.longest, time.perf_counter() - start)
        self._ledger.close()
        self.failed = False

    def _charge(self, keys: list[bytes], unit: str) -> int:
        """Of an operation that ended in an error it is looked up what took place, and the rest is done."""

        def decide(standing):
            done = [key for key in keys if unit in standing.known[key].units]
            left = [key for key in keys if key not in done]
            fits = [key for key in left if not done and standing.known[key].spent + COST <= self._threshold]
            charges = tuple(Charge(key, unit, COST) for key in fits)
            entries = (Entry("verdict", b"{}"),)
            return Decision(len(done) + len(fits), charges, dict.fromkeys(fits, self._threshold), entries)

        until = time.monotonic() + PATIENCE
        while True:
            try:
                return self._ledger.transact(AUDIENCE, keys, decide).value
            except LedgerError:
                self.errors += 1
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)


if __name__ == "__main__":
    main()
