"""Numbers, shares and small plots as text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

_BLOCKS = " ▁▂▃▄▅▆▇█"
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_VERBS = {"are": "is", "have": "has", "do": "does", "repeat": "repeats", "appear": "appears", "lie": "lies"}
_ONE = re.compile(rf"(?<![\d.,])1 (value|date|row|text|measure)s(?: ({'|'.join(_VERBS)})\b)?")


def spark(counts: Sequence[float]) -> str:
    """Heights as one line of blocks."""
    highest = max(counts, default=0)
    if highest <= 0:
        return ""
    return "".join(_BLOCKS[0 if count <= 0 else max(1, round(count / highest * 8))] for count in counts)


def bar(share: float, width: int = 12) -> str:
    """A share as a bar."""
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    return "█" * (eighths // 8) + (_EIGHTHS[eighths % 8] if eighths % 8 else "")


def histogram(numbers: Sequence[float], low: float, high: float, bins: int = 16) -> list[int]:
    """How many numbers lie in each of equal ranges."""
    counts = [0] * bins
    width = (high - low) / bins
    if not width or width != width or width == float("inf"):
        return [len(numbers)] if numbers else []
    for number in numbers:
        counts[max(0, min(bins - 1, int((number - low) / width)))] += 1
    return counts


def shares(numbers: Sequence[float], borders: Sequence[float]) -> list[float]:
    """What share of the numbers lies between borders; the outer ranges are open."""
    counts = [0] * (len(borders) + 1)
    for number in numbers:
        counts[bisect_right(borders, number)] += 1
    total = max(1, len(numbers))
    return [count / total for count in counts]


def number(value: float) -> str:
    """A number as people read it."""
    if value != value:
        return "?"
    if value == int(value) if abs(value) < 1e15 else False:
        return str(int(value))
    return f"{value:.4g}"


def percent(part: float, whole: float) -> str:
    """A share in percent; what is there is never 0 %, what is missing never 100 %."""
    if not whole:
        return "0 %"
    share = 100 * part / whole
    if 0 < share < 0.1:
        return "<0.1 %"
    if 99.9 < share < 100:
        return ">99.9 %"
    return f"{share:.1f} %" if share % 1 >= 0.05 and share < 99.95 else f"{share:.0f} %"


def agreed(text: str) -> str:
    """Return a sentence with the singular where it counts one: `1 dates are …` becomes `1 date is …`."""
    return _ONE.sub(lambda match: f"1 {match[1]}" + (f" {_VERBS[match[2]]}" if match[2] else ""), text)
