"""How often over time: buckets, bursts, silences, incidents, and small plots of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from plantwin.private.formats.timestamps import duration, shown, width_of

STANDS_OUT = 4.0
"""Robust deviations from the median from which a bucket is a burst."""
LEAST = 5
"""What a burst has at least."""
MOST_BUCKETS = 400
TOGETHER = 600.0
"""Errors that are not further apart than this came together, where there are too few for a rate."""
BLOCKS = " ▁▂▃▄▅▆▇█"
COLUMNS = 60


class Series(NamedTuple):
    """Counts by bucket."""

    start: float
    width: int
    counts: list[int]

    def at(self, bucket: int) -> float:
        """Return when a bucket begins."""
        return self.start + bucket * self.width


class Burst(NamedTuple):
    """Buckets next to each other that stand out."""

    start: float
    end: float
    peak: float
    """When the highest bucket begins."""
    most: int
    usual: float
    score: float


class Incident(NamedTuple):
    """When errors came together."""

    start: float
    peak: float
    end: float
    errors: int

    def as_dict(self) -> dict[str, object]:
        """Return it as a result states it."""
        return {"start": shown(self.start), "peak": shown(self.peak), "end": shown(self.end), "errors": self.errors}


def frame(times: Sequence[float], most: int = 120) -> tuple[float, int, int]:
    """Return where buckets begin, how wide they are, how many there are."""
    first, last = min(times), max(times)
    width = width_of(last - first, most)
    start = first // width * width
    return start, width, min(MOST_BUCKETS, int((last - start) // width) + 1)


def series(times: Sequence[float], start: float, width: int, size: int) -> Series:
    """Count times by bucket."""
    counts = [0] * size
    for time in times:
        bucket = int((time - start) // width)
        if 0 <= bucket < size:
            counts[bucket] += 1
    return Series(start, width, counts)


def bursts(given: Series) -> list[Burst]:
    """Return where far more happened than usual: median and median deviation, never narrower than chance would be."""
    counts = given.counts
    if len(counts) < 6:
        return []
    usual = median(counts)
    scale = max(1.4826 * median(abs(count - usual) for count in counts), usual**0.5, 1.0)
    high = [
        number
        for number, count in enumerate(counts)
        if count >= LEAST and (count - usual) / scale >= STANDS_OUT and count >= 3 * usual
    ]
    found: list[Burst] = []
    for first, last in _runs(high, gap=2):
        most = max(counts[first : last + 1])
        peak = counts.index(most, first, last + 1)
        score = round((most - usual) / scale, 1)
        found.append(Burst(given.at(first), given.at(last + 1), given.at(peak), most, usual, score))
    return found


def silences(given: Series) -> list[tuple[float, float]]:
    """Return runs of empty buckets in what is otherwise never empty."""
    counts = given.counts
    empty = [number for number, count in enumerate(counts) if not count]
    if len(counts) < 12 or median(counts) < 5 or len(empty) * 5 > len(counts):
        return []
    return [(given.at(first), given.at(last + 1)) for first, last in _runs(empty, gap=1) if last > first]


def _runs(numbers: Sequence[int], gap: int) -> list[tuple[int, int]]:
    """Join numbers that are not further apart than the gap."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number - found[-1][1] <= gap:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return found


def incidents(times: Sequence[float], first: float, last: float) -> list[Incident]:
    """Return bursts of errors; where errors are few, those that came together. The worst first."""
    if not times:
        return []
    times = sorted(times)
    groups = [
        [time for time in times if burst.start <= time < burst.end]
        for burst in bursts(series(times, *frame([first, last])))
    ]
    if not groups and len(times) <= 200:
        longest = max(60.0, (last - first) * 0.6)
        groups = [group for group in _together(times) if len(group) >= 3 and group[-1] - group[0] <= longest]
    found = [Incident(group[0], _densest(group), group[-1], len(group)) for group in groups]
    return sorted(found, key=lambda incident: (-incident.errors, incident.start))


def _together(times: Sequence[float]) -> list[list[float]]:
    groups: list[list[float]] = [[times[0]]]
    for time in times[1:]:
        if time - groups[-1][-1] <= TOGETHER:
            groups[-1].append(time)
        else:
            groups.append([time])
    return groups


def _densest(times: Sequence[float]) -> float:
    """Return the start of the minute with most of them, or of the bucket that fits a longer span."""
    width = max(60, width_of(times[-1] - times[0], 60))
    counts = Counter(time // width for time in times)
    best = max(counts, key=lambda bucket: (counts[bucket], -bucket))
    return max(times[0], best * width)


def quantile(values: Sequence[float], share: float) -> float:
    """Return a quantile of sorted values, by the nearest rank."""
    return values[min(len(values) - 1, max(0, int(share * len(values) + 0.999999) - 1))] if values else 0.0


def plot(rows: Sequence[tuple[str, Sequence[float]]], marks: Sequence[tuple[float, str]] = ()) -> list[str]:
    """Draw one row of bars for each named list of times, and marks below them."""
    every = [time for _, times in rows for time in times] + [time for time, _ in marks]
    if not every:
        return []
    first, last = min(every), max(every)
    width = width_of(last - first, COLUMNS)
    start = first // width * width
    size = int((last - start) // width) + 1
    label = max((len(name) for name, _ in rows), default=0)
    lines = ["```text"]
    for name, times in rows:
        counts = series(times, start, width, size).counts
        lines.append(f"{name:<{label}} │{_bars(counts)}│ most {max(counts, default=0)} in {duration(width)}")
    if marks:
        line = [" "] * size
        for time, letter in marks:
            place = int((time - start) // width)
            line[place] = letter if line[place] in (" ", letter) else "+"
        lines.append(f"{'':<{label}} │{''.join(line)}│")
    left, right = shown(first), shown(last)
    lines.append(f"{'':<{label}}  {left}{right:>{max(len(right) + 1, size - len(left))}}")
    return [*lines, "```"]


def _bars(counts: Sequence[int]) -> str:
    """Return one character for each count; what is not zero is never blank."""
    top = max(counts, default=0)
    return "".join(BLOCKS[min(8, max(1, round(count * 8 / top)))] if count else " " for count in counts)
