"""kill -9 at random moments of whole sessions, with a recording receiver as the witness.

python -m benchmarks.kills [--kills 200]
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from pathlib import Path

from benchmarks.harness import scratch

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "promises"))

from killed import kill_once
from scenes import folder


def main() -> None:
    """Kill, check, count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    kills = parser.parse_args().kills
    with scratch() as base:
        os.environ["XDG_CONFIG_HOME"] = str(base / "config")
        root, state = folder(base), base / "state"
        received = lines = 0
        began = time.perf_counter()
        for _ in range(kills):
            envelopes, lines = kill_once(root, state, random.uniform(0, 2))
            received += envelopes
        seconds = time.perf_counter() - began
    print(f"{kills} kills: the ledger opened and verified each time; {received} envelopes received, all of them in a")
    print(f"trail of {lines} lines and charged; {seconds:.0f} s")


if __name__ == "__main__":
    main()
