"""Run the attacks and print the scoreboard; exit 1 where one succeeded."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import time
from pathlib import Path

from benchmarks.harness import scratch
from benchmarks.redteam.score import Score, table

ATTACKS = (
    "opening", "repetition", "verdicts", "adaptive", "adaptive_sets", "differencing", "hostile_tests", "lineage",
    "ledger_tampering", "racing", "kills", "audiences", "spelled_secrets", "silence",
)  # fmt: skip


def play(names: tuple[str, ...], short: bool) -> list[Score]:
    """All scores of these attacks."""
    scores: list[Score] = []
    for name in names:
        began = time.perf_counter()
        with scratch() as base:
            os.environ["XDG_CONFIG_HOME"] = str(base / "config")
            os.environ["XDG_DATA_HOME"] = str(base / "data")
            made = importlib.import_module(f"benchmarks.redteam.{name}").attack(Path(base), short)
        scores += [made] if isinstance(made, Score) else made
        print(f"{name}: {time.perf_counter() - began:.1f} s", file=sys.stderr)
    return scores


def main() -> int:
    """As the options say."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.redteam", description=__doc__)
    parser.add_argument("--short", action="store_true", help="fewer attempts, as in the tests")
    parser.add_argument("--only", action="append", choices=ATTACKS, help="this attack alone; may be repeated")
    parser.add_argument("--json", action="store_true", help="the scores as JSON")
    options = parser.parse_args()
    scores = play(tuple(options.only or ATTACKS), options.short)
    print(json.dumps([score._asdict() for score in scores], indent=2) if options.json else table(scores))
    return int(any(score.successes for score in scores))


if __name__ == "__main__":
    sys.exit(main())
