"""Verification of a long trail: linear in its lines, in bounded memory.

    python -m benchmarks.audit [--lines 1000000]

The peers are a trail of a tenth of the length, and one SHA-256 HMAC over each line's bytes in memory.
"""

from __future__ import annotations

import argparse
import hmac
import resource
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.harness import say, scratch
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.ledgers.verification import verify
from plantwin.types.ledger import Audience, Charge, Decision, Entry

KEY = bytes(range(32))
AUDIENCE = Audience("alpha", ("alpha",))
BATCH = 10_000
BODY = b'{"session":"s","step":"s1","verdict":"allowed","number":%08d,"note":"' + b"x" * 200 + b'"}'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        measure(options.one)
        return
    rates, memory = {}, {}
    with scratch() as folder:
        for lines in (options.lines // 10, options.lines):
            path = folder / f"{lines}.db"
            write(path, lines)
            command = [sys.executable, "-m", "benchmarks.audit", "--one", str(path)]
            seconds, peak, before = map(
                float, subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.split()
            )
            rates[lines], memory[lines] = lines / seconds, peak
            say(f"verify {lines} lines", seconds, "s", f"{rates[lines]:,.0f} lines/s")
            say(f"verify {lines} lines: peak memory", peak, "MB", f"{peak - before:.1f} MB more than before it")
    small, large = rates
    bare = hashing(small)
    say("seconds per line, long / short trail", rates[small] / rates[large], "x", "linear is 1")
    say("peak memory, long / short trail", memory[large] / memory[small], "x", "bounded is 1")
    say("verify / hashing the same bytes in memory", bare / rates[large], "x")


def write(path: Path, lines: int) -> None:
    """A trail of envelopes and verdicts, every tenth transaction's worth with charges."""
    ledger = SqliteLedger(path, KEY)
    for start in range(0, lines, BATCH):
        size = min(BATCH, lines - start)
        key = start.to_bytes(32)
        charges = tuple(Charge(key, f"edge=n{number}", 1) for number in range(size // 10))
        entries = tuple(Entry("verdict", BODY % (start + number)) for number in range(size - 1))
        ledger.transact(AUDIENCE, [key], lambda standing, c=charges, k=key, e=entries: Decision(None, c, {k: BATCH}, e))
    ledger.close()


def measure(path: Path) -> None:
    """In a process of its own: seconds, and peak memory after and before."""
    ledger = SqliteLedger(path, KEY)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    found = verify(ledger)
    seconds = time.perf_counter() - start
    if found.problem:
        raise SystemExit(found.problem)
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3, before / 1e3)


def hashing(lines: int) -> float:
    """Lines per second of nothing but the hash."""
    start = time.perf_counter()
    for number in range(lines):
        hmac.digest(KEY, BODY % number, "sha256")
    return lines / (time.perf_counter() - start)


if __name__ == "__main__":
    main()
