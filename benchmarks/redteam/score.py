"""What an attack achieved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Score(NamedTuple):
    """One row of the scoreboard."""

    attack: str
    attempts: int
    successes: int
    told: float = 0.0
    """Bits that the attacker learned about what it was after, as it counts them itself."""
    charged: float = 0.0
    """Bits that the ledger charged for it: the logarithm of how many words each unit was chosen from."""
    note: str = ""


def table(scores: Sequence[Score]) -> str:
    """The scoreboard as text."""
    rows = [("attack", "attempts", "successes", "told, bits", "charged, bits", "")]
    for score in scores:
        figures = (f"{score.told:.1f}", f"{score.charged:.1f}") if score.told or score.charged else ("-", "-")
        rows.append((score.attack, str(score.attempts), str(score.successes), *figures, score.note))
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    lines = [
        "  ".join(
            cell.rjust(width) if 0 < place < 5 else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])
