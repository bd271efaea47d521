"""Repetition is free: the same words again and again about changing content, and identical steps in one session.

The attacker wants news without paying. Control: what it heard of the first version was charged.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.redteam.score import Score
from benchmarks.redteam.target import Colluder, charged, folder, once, session, settings

LOG = "logs/app.log"


def _logs(planner: Colluder) -> list[dict[str, object]]:
    ids = [id_ for id_, told in planner.objects.items() if told["kind"] == "log_stream"]
    return [{"capability": "analyze_logs", "inputs": [id_]} for id_ in ids]


def attack(base: Path, short: bool) -> list[Score]:
    """Have a log audited after each rewriting, and after none."""
    made = settings(base)
    root, state = folder(base), base / "state"
    days = 4 if short else 40
    free = heard = 0
    before = 0
    for day in range(days):
        (root / LOG).write_text(
            "".join(f"2026-03-{day % 28 + 1:02d}T10:00:{n:02d}Z INFO job {n + day}\n" for n in range(40))
        )
        planner = Colluder(once(_logs))
        session(root, state, planner, f"Look at {LOG} for anomalies", made)
        told = [outcome for _, outcome in planner.heard if outcome["status"] == "done"]
        spent = charged(root, state, made, LOG)[2]
        heard += len(told)
        free += bool(told) and spent == before
        before = spent
    if not heard:
        raise AssertionError("control: the log was audited at least once")
    scores = [Score("a log rewritten every day", days, free, note=f"heard {heard} times, {before / 1000:g} spent")]
    again = 0
    for _ in range(2):
        planner = Colluder(once(_logs))
        session(root, state, planner, f"Look at {LOG} for anomalies", made)
        again += charged(root, state, made, LOG)[2] - before
    # Not an attack: the same about the same content is known already.
    return [*scores, Score("the same log again costs nothing", 2, int(again != 0))]
