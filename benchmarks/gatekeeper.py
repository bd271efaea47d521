"""What a decision costs: the gatekeeper without execution, and with a durable reservation beside the bare transaction.

    python -m benchmarks.gatekeeper [--steps N]

The bare transaction executes the very statements of the gatekeeper's on a second database with the same tables and
settings on the same disk; the ratio to it is what the checks, the chain, the turns and the accounting add.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.harness import scratch
from plantwin.boundary.approval import Approvals
from plantwin.boundary.authority import Authority
from plantwin.boundary.budget import Weighted
from plantwin.boundary.channel import Channel
from plantwin.boundary.gatekeeper import Gatekeeper
from plantwin.boundary.release import Release
from plantwin.config.policies import policy_named
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.private.capabilities import catalog
from plantwin.types.approval import Nobody
from plantwin.types.capability import Capability
from plantwin.types.execution import Executed, Executor
from plantwin.types.identity import Issuer
from plantwin.types.ledger import UNLIMITED, Audience
from plantwin.types.local import LocalObject
from plantwin.types.plan import Plan, Step, StepInput
from plantwin.types.policy import Party
from plantwin.types.prices import BY_KIND, COSTS
from plantwin.types.twin import TwinObject
from plantwin.types.verdict import Allowed
from plantwin.vocabulary import Confidence, Freshness, Kind, Role, SemanticClass, Sensitivity, SizeBucket

AUDIENCE = Audience("bench", ("bench",))


OUTCOME = {"status": "done", "severity": "low", "count": "few", "tags": ["hardcoded_secret"]}
"""The same small result always, without execution, so that only the decision is measured."""


class Constant(Executor):
    """Runs nothing."""

    sandboxed = True

    def execute(
        self, step: str, capability: Capability, inputs: Sequence[StepInput], *, recipe: str = "", **_: object
    ) -> Executed:
        """Say the same always."""
        return Executed(OUTCOME)


def objects(number: int) -> dict[str, LocalObject]:
    """Objects as a session shows them."""
    issuer = Issuer()
    made = {}
    for _ in range(number):
        one = TwinObject(
            object_id=issuer.object_id(),
            kind=Kind.CODE_FILE,
            semantic_class=SemanticClass.AUTHENTICATION_MODULE,
            role=Role.PRODUCTION,
            sensitivity=Sensitivity.LOW,
            freshness=Freshness.RECENT,
            size_bucket=SizeBucket.SMALL,
            confidence=Confidence.HIGH,
        )
        made[one.object_id] = LocalObject(one, os.urandom(32))
    return made


def keeper(folder: Path, shown: dict[str, LocalObject]) -> tuple[Gatekeeper, SqliteLedger]:
    """The real gatekeeper with the shipped policy and a real ledger."""
    ledger = SqliteLedger(folder / "ledger.db", os.urandom(32))
    generous = Weighted(COSTS, dict.fromkeys(Sensitivity, 10**9), BY_KIND)
    authority = Authority(policy_named("default"), Party("bench", "bench", "remote"), catalog())
    channel = Channel("bench", AUDIENCE, ledger, generous, authority, UNLIMITED)
    release = Release(channel)
    release.shown = shown
    return Gatekeeper(channel, catalog(), release, Constant(), Approvals(Nobody())), ledger


def timed(work: Callable[[int], object], times: int) -> list[float]:
    """Seconds of each call."""
    taken = []
    for number in range(times):
        began = time.perf_counter()
        work(number)
        taken.append(time.perf_counter() - began)
    return taken


class Recording:
    """Passes every statement of the ledger on, and keeps those of the last writing transaction."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows
        self.statements: list[tuple[str, str, Any]] = []

    def all(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """A query."""
        self.statements.append(("execute", query, values))
        found: list[tuple[Any, ...]] = self._rows.all(query, values)
        return found

    def many(self, query: str, values: Sequence[tuple[object, ...]]) -> None:
        """Rows to write."""
        self.statements.append(("executemany", query, values))
        self._rows.many(query, values)


def replay(connection: sqlite3.Connection, statements: list[tuple[str, str, Any]]) -> None:
    """The same statements in one synced transaction: what a reservation costs when nothing decides anything."""
    connection.execute("BEGIN IMMEDIATE")
    for how, query, values in statements:
        if how == "execute":
            connection.execute(query, values).fetchall()
        else:
            connection.executemany(query, values)
    connection.execute("COMMIT")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=2000)
    steps = parser.parse_args().steps
    with scratch() as folder:
        shown = objects(steps)
        gatekeeper, ledger = keeper(folder, shown)
        plans = [Plan(steps=(Step(id="s1", capability="security_audit", inputs=(each,)),)) for each in shown]
        decide = timed(lambda number: gatekeeper.admit(plans[number]), steps)
        checks = timed(
            lambda number: gatekeeper._judge(plans[number].steps[0], plans[number], frozenset(), False), steps
        )
        # The peer has the same tables and is given the same statements, turn by turn, so that a busy disk is busy
        # for both.
        peer = SqliteLedger(folder / "peer.db", os.urandom(32))
        connection = peer._connection
        recording = Recording(ledger._rows)
        ledger._rows = recording  # type: ignore[assignment]
        durable: list[float] = []
        plain: list[float] = []
        prime = sqlite3.connect(folder / "prime.db", isolation_level=None)
        prime.execute("PRAGMA journal_mode=WAL")
        prime.execute("PRAGMA synchronous=FULL")
        prime.execute("CREATE TABLE rows (body BLOB)")
        for number in range(steps):
            # A disk that has rested is slower: both come right after another synced transaction.
            prime.execute("INSERT INTO rows VALUES (zeroblob(500))")
            recording.statements.clear()
            began = time.perf_counter()
            verdict = gatekeeper.gate(plans[number], 0, frozenset())
            durable.append(time.perf_counter() - began)
            if not isinstance(verdict, Allowed):
                raise SystemExit(f"refused: {verdict}")
            prime.execute("INSERT INTO rows VALUES (zeroblob(500))")
            began = time.perf_counter()
            replay(connection, recording.statements)
            plain.append(time.perf_counter() - began)
        prime.close()
        peer.close()
        ledger.close()
    print(f"admission of a plan of one step: median {statistics.median(decide) * 1e6:.0f} us")
    print(f"decision without execution: median {statistics.median(checks) * 1e6:.0f} us (limit 100)")
    ratio = statistics.median(durable) / statistics.median(plain)
    print(f"decision with a durable reservation: median {statistics.median(durable) * 1e6:.0f} us; bare transaction of")
    print(f"the same shape {statistics.median(plain) * 1e6:.0f} us: {ratio:.2f} times (limit 1.3)")


if __name__ == "__main__":
    main()
