"""kill -9 at random moments of whole sessions, with a recording receiver as the witness.

The attacker wants something received that the ledger does not hold, or a process that outlives the session.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from benchmarks.redteam.score import Score

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "promises"))

from killed import kill_once
from scenes import folder


def attack(base: Path, short: bool) -> Score:
    """Kill, check, count. `kill_once` raises where anything received was not recorded and charged."""
    root, state = folder(base), base / "state"
    kills = 6 if short else 200
    received = lost = 0
    for _ in range(kills):
        try:
            received += kill_once(root, state, random.uniform(0, 2))[0]
        except AssertionError:
            lost += 1
    return Score("kill -9 at random moments", kills, lost, note=f"{received} envelopes received, all of them recorded")
