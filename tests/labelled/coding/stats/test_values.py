"""Critical values and p-values of Welch's t test, without SciPy."""

from __future__ import annotations

import math
from collections.abc import Sequence


def _moments(sample: Sequence[float]) -> tuple[int, float, float]:
    count = len(sample)
    mean = math.fsum(sample) / count
    variance = math.fsum((x - mean) ** 2 for x in sample) / (count - 1)
    return count, mean, variance


def welch(a: Sequence[float], b: Sequence[float]) -> tuple[float, float]:
    """The statistic and its degrees of freedom."""
    n, mean_a, var_a = _moments(a)
    m, mean_b, var_b = _moments(b)
    se_a, se_b = var_a / n, var_b / m
    statistic = (mean_a - mean_b) / math.sqrt(se_a + se_b)
    freedom = (se_a + se_b) ** 2 / (se_a**2 / (n - 1) + se_b**2 / (m - 1))
    return statistic, freedom


def p_value(statistic: float, freedom: float, steps: int = 2000) -> float:
    """Two-sided, by Simpson's rule over the density."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
    width = abs(statistic) / steps

    def density(t: float) -> float:
        return scale * (1 + t * t / freedom) ** (-(freedom + 1) / 2)

    inner = math.fsum((4 if i % 2 else 2) * density(i * width) for i in range(1, steps))
    return 1 - 2 * (width / 3) * (density(0) + inner + density(abs(statistic)))
