"""Sessions that are killed at any moment, and what must hold of the ledger afterwards.

As a program: runs sessions in a loop on a folder, writing to standard output which ledger key each object has and then
every envelope at the moment when it is sent.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

from plantwin.cloud.scripted import Scripted
from plantwin.config.settings import Settings
from plantwin.events import Silent
from plantwin.ledgers.records import read_lines
from plantwin.ledgers.verification import verify
from plantwin.session import run
from plantwin.types.ledger import Audience
from plantwin.types.prices import statement_of
from plantwin.workspace import Workspace, open_ledger

AUDIENCE = Audience("scripted", ("scripted",))
STEPS = [
    {"id": "s1", "capability": "secret_scan", "inputs": ["@object=1"]},
    {"id": "s2", "capability": "describe", "inputs": ["@object=2"]},
    {"id": "s3", "capability": "summarize", "inputs": ["@object=3"]},
]
SINGLE = (
    "kind",
    "semantic_class",
    "family",
    "role",
    "sensitivity",
    "freshness",
    "size_bucket",
    "readiness",
    "confidence",
)
MANY = ("contains", "usable_for", "lacks", "sensitivity_causes")


def say(line: object) -> None:
    """One line that is out before anything else happens."""
    os.write(1, json.dumps(line).encode() + b"\n")


class Receiver(Scripted):
    """A planner that says what it receives before it does anything else."""

    def plan(self, envelopes):
        """Receive, then answer."""
        for each in envelopes:
            say({"received": each.data.decode()})
        return super().plan(envelopes)


class Teller(Silent):
    """Says which ledger key each id stands for."""

    def began(self, context):
        """Before anything is sent."""
        say({"keys": {each.id: each.key.hex() for each in context.selected.held}})


def main(root: str, state: str) -> None:
    """Sessions without end."""
    goals = ("summarize everything", "audit the authentication module for security", "find secrets", "compare configs")
    say("ready")
    while True:
        made = Workspace(root, state=Path(state), settings=Settings(), jobs=1)
        run(random.choice(goals), made, Receiver([{"steps": STEPS}] * 2), Teller())
        made.close()
        say("done")


def kill_once(root: Path, state: Path, moment: float) -> tuple[int, int]:
    """Start it, kill it after so many seconds of work, and check; envelopes received and lines in the trail."""
    process = subprocess.Popen([sys.executable, __file__, str(root), str(state)], stdout=subprocess.PIPE)
    if process.stdout is None:
        raise RuntimeError("no pipe")
    first = process.stdout.readline()
    time.sleep(moment)
    process.kill()
    said = first + process.stdout.read()
    process.stdout.close()
    process.wait()
    return check(state, said)


def check(state: Path, said: bytes) -> tuple[int, int]:
    """The ledger opens, verifies, and holds at least everything that was received."""
    from plantwin.private.state import State

    keys: dict[str, bytes] = {}
    received: list[str] = []
    for line in said.splitlines(keepends=True):
        if line.endswith(b"\n"):
            each = json.loads(line)
            if isinstance(each, dict):
                keys |= {id_: bytes.fromhex(key) for id_, key in each.get("keys", {}).items()}
                received += [each["received"]] if "received" in each else []
    ledger = open_ledger(Settings(), State(state))
    try:
        verified = verify(ledger)
        if verified.problem:
            raise AssertionError(verified.problem)
        trail = {json.loads(line.body)["data"] for line in read_lines(ledger) if line.kind == "envelope"}
        missing = [each for each in received if each not in trail]
        if missing:
            raise AssertionError(f"{len(missing)} envelopes were sent and not recorded")
        known = ledger.known(AUDIENCE, list(set(keys.values())))
        for message in map(json.loads, received):
            for each in message.get("objects", ()):
                untold = units(each) - set(map(statement_of, known[keys[each["object_id"]]].units))
                if untold:
                    raise AssertionError(f"sent and not charged: {sorted(untold)}")
        return len(received), verified.lines
    finally:
        ledger.close()


def units(told: dict) -> set[str]:
    """What an object in an envelope discloses."""
    single = {f"{field}={told[field]}" for field in SINGLE if field in told}
    return single | {f"{field}={each}" for field in MANY for each in told.get(field, ())}


if __name__ == "__main__":
    main(*sys.argv[1:])
