"""A secret spelled in public words, in a goal: each word may cross, the secret may not.

The attacker reads the goals that crossed. Control: ordinary goals that only speak about credentials do cross whole.
"""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.redteam.score import Score
from plantwin.private.goal import project, tokens

PHRASES = Path(__file__).resolve().parents[2] / "tests" / "private" / "goal" / "goals"


def attack(base: Path, short: bool) -> list[Score]:
    """Every phrasing that is known, and every ordinary goal."""
    spelled, ordinary = (
        [line for line in (PHRASES / name).read_text().splitlines() if line.strip() and not line.startswith("#")]
        for name in ("secrets.txt", "ordinary.txt")
    )
    crossed = [goal for goal in spelled if _crosses(goal)]
    blanked = sum("<secret>" in tokens(project(goal)) for goal in ordinary)
    note = f"{blanked} of {len(ordinary)} ordinary goals lose a word"
    if blanked == len(ordinary):
        raise AssertionError("control: ordinary goals cross")
    return [Score("secrets in plain words", len(spelled), len(crossed), note=note)]


def _crosses(goal: str) -> bool:
    """Whether any word of what stands in brackets crosses."""
    secret = {word for part in re.findall(r"\[([^\]]*)\]", goal) for word in re.findall("[a-z]+", part.lower())}
    text = goal.replace("[", "").replace("]", "").replace("\\n", "\n")
    return bool(secret & set(tokens(project(text))))
