"""Tests and distances between two samples, in plain Python."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from math import erfc, exp, lgamma, log, sqrt
from statistics import fmean, variance

LEAST_SHARE = 1e-4
"""Stands for a share of nothing, whose logarithm there is none."""


def stability(expected: Sequence[float], actual: Sequence[float]) -> float:
    """Return the population stability index of two distributions over the same ranges."""
    total = 0.0
    for one, two in zip(expected, actual, strict=True):
        one, two = max(one, LEAST_SHARE), max(two, LEAST_SHARE)
        total += (two - one) * log(two / one)
    return total


def kolmogorov(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    """Return the largest distance between two distributions, and how likely it is by chance (asymptotic)."""
    one, two = sorted(first), sorted(second)
    if not one or not two:
        return 0.0, 1.0
    distance = 0.0
    i = j = 0
    while i < len(one) and j < len(two):
        at = min(one[i], two[j])
        i, j = bisect_right(one, at, i), bisect_right(two, at, j)
        distance = max(distance, abs(i / len(one) - j / len(two)))
    size = sqrt(len(one) * len(two) / (len(one) + len(two)))
    scaled = (size + 0.12 + 0.11 / size) * distance
    if scaled < 0.2:
        return distance, 1.0
    chance = 2 * sum((-1) ** (k - 1) * exp(-2 * k * k * scaled * scaled) for k in range(1, 101))
    return distance, max(0.0, min(1.0, chance))


def chi_square(first: Mapping[str, float], second: Mapping[str, float]) -> tuple[float, float]:
    """Return the statistic of two sets of counts, and how likely it is by chance; rare ones are counted together."""
    total = sum(first.values()), sum(second.values())
    whole = total[0] + total[1]
    if not total[0] or not total[1]:
        return 0.0, 1.0
    pairs = [(first.get(key, 0.0), second.get(key, 0.0)) for key in {**first, **second}]
    least = min(total) / whole
    usual = [(one, two) for one, two in pairs if (one + two) * least >= 5]
    rare = [(one, two) for one, two in pairs if (one + two) * least < 5]
    if rare:
        usual.append((sum(one for one, _ in rare), sum(two for _, two in rare)))
    statistic = 0.0
    for one, two in usual:
        for count, of in ((one, total[0]), (two, total[1])):
            expected = (one + two) * of / whole
            statistic += (count - expected) ** 2 / expected if expected else 0.0
    return statistic, _chi_square_tail(statistic, len(usual) - 1)


def _chi_square_tail(statistic: float, freedom: int) -> float:
    """Return how likely a greater value is: the closed form for a whole number of degrees of freedom."""
    if freedom < 1 or statistic <= 0:
        return 1.0
    half = statistic / 2
    tail = erfc(sqrt(half)) if freedom % 2 else exp(-half)
    for degrees in range(3 if freedom % 2 else 4, freedom + 1, 2):
        tail += exp((degrees / 2 - 1) * log(half) - half - lgamma(degrees / 2))
    return min(1.0, tail)


def proportions(one: int, of_one: int, two: int, of_two: int) -> float:
    """Return how likely the difference of two shares is by chance."""
    if not of_one or not of_two:
        return 1.0
    return chi_square({"in": one, "out": of_one - one}, {"in": two, "out": of_two - two})[1]


def welch(first: Sequence[float], second: Sequence[float]) -> float:
    """Return how likely the difference of two means is by chance (Welch's test, two-sided)."""
    n, m = len(first), len(second)
    if n < 2 or m < 2:
        return 1.0
    difference = abs(fmean(first) - fmean(second))
    v, w = variance(first) / n, variance(second) / m
    if v + w == 0:
        return 0.0 if difference else 1.0
    freedom = (v + w) ** 2 / ((v**2 / (n - 1) + w**2 / (m - 1)) or 1e-300)
    return _beta(freedom / (freedom + difference**2 / (v + w)), freedom / 2, 0.5)


def _beta(x: float, a: float, b: float) -> float:
    """Return the regularized incomplete beta function."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = exp(max(-700.0, lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or 1e-300)
    h = d
    for m in range(1, 300):
        for an in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / ((1 + an * d) or 1e-300)
            c = (1 + an / c) or 1e-300
            h *= d * c
        if abs(d * c - 1) < 1e-12:
            break
    return h


def below(quantiles: Sequence[float], value: float) -> float:
    """Return what share of a distribution lies at or below a value, by its equal shares."""
    parts = len(quantiles) - 1
    if parts < 1 or value < quantiles[0]:
        return 0.0
    if value >= quantiles[-1]:
        return 1.0
    at = bisect_right(quantiles, value) - 1
    first = bisect_left(quantiles, quantiles[at])
    low, high = quantiles[at], quantiles[at + 1]
    inner = (value - low) / (high - low) if high > low and first == at else 0.0
    return (at + inner) / parts


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
