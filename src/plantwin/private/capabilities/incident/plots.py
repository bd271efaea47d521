"""Small plots of counts over time, in block characters."""

from __future__ import annotations

from collections.abc import Sequence

from plantwin.private.capabilities.incident.moments import lasting, shown, width_of
from plantwin.private.capabilities.incident.rates import series

BLOCKS = " ▁▂▃▄▅▆▇█"
COLUMNS = 60


def bars(counts: Sequence[int], top: int = 0) -> str:
    """One character for each count; what is not zero is never blank."""
    top = top or max(counts, default=0)
    if not top:
        return " " * len(counts)
    return "".join(BLOCKS[min(8, max(1, round(count * 8 / top)))] if count else " " for count in counts)


def timeline(
    rows: Sequence[tuple[str, Sequence[float]]], marks: Sequence[tuple[float, str]] = (), columns: int = COLUMNS
) -> list[str]:
    """A fenced block: one row of bars for each named list of times, and marks below them."""
    every = [time for _, times in rows for time in times] + [time for time, _ in marks]
    if not every:
        return []
    first, last = min(every), max(every)
    width = width_of(last - first, columns)
    start = first // width * width
    size = int((last - start) // width) + 1
    label = max((len(name) for name, _ in rows), default=0)
    lines = ["```text"]
    for name, times in rows:
        counts = series(times, start, width, size).counts
        lines.append(f"{name:<{label}} │{bars(counts)}│ most {max(counts, default=0)} in {lasting(width)}")
    if marks:
        line = [" "] * size
        for time, letter in marks:
            place = int((time - start) // width)
            line[place] = letter if line[place] in (" ", letter) else "+"
        lines.append(f"{'':<{label}} │{''.join(line)}│")
    left, right = shown(first), shown(last)
    lines.append(f"{'':<{label}}  {left}{right:>{max(len(right) + 1, size - len(left))}}")
    return [*lines, "```"]
