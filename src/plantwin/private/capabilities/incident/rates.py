"""How often, by the time: buckets, what stands out of them, and when errors came together."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from plantwin.private.capabilities.incident.moments import width_of

STANDS_OUT = 4.0
"""Robust deviations from the median from which a bucket is a burst."""
LEAST = 5
"""What a burst has at least."""
MOST_BUCKETS = 400
TOGETHER = 600.0
"""Errors that are not further apart than this came together, where there are too few for a rate."""


class Series(NamedTuple):
    """Counts by bucket."""

    start: float
    width: int
    counts: list[int]

    def at(self, bucket: int) -> float:
        """When a bucket begins."""
        return self.start + bucket * self.width

    @property
    def end(self) -> float:
        """When the last one ends."""
        return self.at(len(self.counts))


class Burst(NamedTuple):
    """Buckets next to each other that stand out."""

    start: float
    end: float
    peak: float
    """When the highest bucket begins."""
    most: int
    usual: float
    score: float


def frame(times: Sequence[float], most: int = 120) -> tuple[float, int, int]:
    """Where buckets begin, how wide they are, how many there are."""
    first, last = min(times), max(times)
    width = width_of(last - first, most)
    start = first // width * width
    return start, width, min(MOST_BUCKETS, int((last - start) // width) + 1)


def series(times: Sequence[float], start: float, width: int, size: int) -> Series:
    """Counts of these times."""
    counts = [0] * size
    for time in times:
        bucket = int((time - start) // width)
        if 0 <= bucket < size:
            counts[bucket] += 1
    return Series(start, width, counts)


def bursts(given: Series, least: int = LEAST) -> list[Burst]:
    """Where far more happened than usual: median and median deviation, never narrower than chance would be."""
    counts = given.counts
    if len(counts) < 6:
        return []
    usual = median(counts)
    deviation = 1.4826 * median(abs(count - usual) for count in counts)
    scale = max(deviation, usual**0.5, 1.0)
    found: list[Burst] = []
    begun = -1
    quiet = 0
    for bucket in range(len(counts) + 2):
        count = counts[bucket] if bucket < len(counts) else 0
        out = count >= least and (count - usual) / scale >= STANDS_OUT and count >= 3 * usual
        if out:
            begun = bucket if begun < 0 else begun
            quiet = 0
        elif begun >= 0:
            quiet += 1
            if quiet >= 2:
                found.append(_burst(given, begun, bucket - quiet + 1, usual, scale))
                begun, quiet = -1, 0
    if begun >= 0:
        found.append(_burst(given, begun, len(counts), usual, scale))
    return found


def _burst(given: Series, first: int, end: int, usual: float, scale: float) -> Burst:
    end = min(end, len(given.counts))
    most = max(given.counts[first:end])
    peak = given.counts.index(most, first, end)
    return Burst(given.at(first), given.at(end), given.at(peak), most, usual, round((most - usual) / scale, 1))


def silences(given: Series) -> list[tuple[float, float]]:
    """Runs of empty buckets in what is otherwise never empty."""
    counts = given.counts
    if len(counts) < 12 or median(counts) < 5:
        return []
    empty = sum(not count for count in counts)
    if empty * 5 > len(counts):
        return []
    found: list[tuple[float, float]] = []
    begun = -1
    for bucket, count in enumerate([*counts, 1]):
        if not count:
            begun = bucket if begun < 0 else begun
        elif begun >= 0:
            if bucket - begun >= 2:
                found.append((given.at(begun), given.at(bucket)))
            begun = -1
    return found


class Incident(NamedTuple):
    """When errors came together."""

    start: float
    peak: float
    end: float
    errors: int
    score: float


def incidents(times: Sequence[float], first: float, last: float) -> list[Incident]:
    """Bursts of errors; where errors are few, those that came together. The worst first."""
    if not times:
        return []
    times = sorted(times)
    start, width, size = frame([first, last])
    found: list[Incident] = []
    for each in bursts(series(times, start, width, size)):
        inside = [time for time in times if each.start <= time < each.end]
        found.append(Incident(inside[0], _densest(inside), inside[-1], len(inside), each.score))
    if not found and len(times) <= 200:
        for group in _together(times):
            if len(group) >= 3 and group[-1] - group[0] <= max(60.0, (last - first) * 0.6):
                found.append(Incident(group[0], _densest(group), group[-1], len(group), 0.0))
    return sorted(found, key=lambda each: (-each.errors, each.start))


def _together(times: Sequence[float]) -> list[list[float]]:
    groups: list[list[float]] = [[times[0]]]
    for time in times[1:]:
        if time - groups[-1][-1] <= TOGETHER:
            groups[-1].append(time)
        else:
            groups.append([time])
    return groups


def _densest(times: Sequence[float]) -> float:
    """The start of the minute with most of them, or of the part that fits a longer span."""
    width = max(60, width_of(times[-1] - times[0], 60))
    counts: dict[float, int] = {}
    for time in times:
        counts[time // width] = counts.get(time // width, 0) + 1
    best = max(counts, key=lambda each: (counts[each], -each))
    return max(times[0], best * width)


def quantile(values: Sequence[float], share: float) -> float:
    """A quantile of sorted values, by the nearest rank."""
    return values[min(len(values) - 1, max(0, int(share * len(values) + 0.999999) - 1))] if values else 0.0
