"""Whether differences are more than chance: Friedman, Wilcoxon with Bonferroni, effect sizes, bootstrap intervals."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from plantwin.errors import InputError
from plantwin_evals.metrics import mean

RESAMPLES = 2000
SEED = 20


class Friedman(NamedTuple):
    """Over all methods on the same tasks."""

    statistic: float
    p: float
    w: float
    """Kendall's W: 0 no agreement among tasks, 1 all tasks rank the methods alike."""
    methods: int
    tasks: int


class Pair(NamedTuple):
    """One method against another on the same tasks."""

    method: str
    difference: float
    """Mean of the other minus the first."""
    statistic: float
    p: float
    corrected: float
    """After Bonferroni."""
    r: float
    """Effect size |z| / sqrt(n), n all tasks, as in the paper."""
    differing: int


class Interval(NamedTuple):
    """A mean with its bootstrap interval at 95 %."""

    mean: float
    low: float
    high: float


def friedman(scores: Mapping[str, Sequence[float]]) -> Friedman | None:
    """None where there are fewer than three methods, or all are alike."""
    columns = list(scores.values())
    tasks = len(columns[0]) if columns else 0
    if len(columns) < 3 or tasks < 2 or all(column == columns[0] for column in columns):
        return None
    statistic, p = _scipy().friedmanchisquare(*columns)
    if math.isnan(statistic):
        return None
    return Friedman(float(statistic), float(p), float(statistic) / (tasks * (len(columns) - 1)), len(columns), tasks)


def pairs(scores: Mapping[str, Sequence[float]], reference: str) -> list[Pair]:
    """Every other method against one, two-sided, with Bonferroni over their number."""
    others = [name for name in scores if name != reference]
    made = []
    for name in others:
        differences = [b - a for a, b in zip(scores[reference], scores[name], strict=True)]
        nonzero = [each for each in differences if each]
        if not nonzero:
            made.append(Pair(name, 0.0, 0.0, 1.0, 1.0, 0.0, 0))
            continue
        result = _scipy().wilcoxon(nonzero, zero_method="wilcox", method="approx", correction=False)
        r = abs(float(result.zstatistic)) / math.sqrt(len(differences))
        p = float(result.pvalue)
        made.append(
            Pair(name, mean(differences), float(result.statistic), p, min(1.0, p * len(others)), r, len(nonzero))
        )
    return made


def interval(values: Sequence[float], seed: int = SEED) -> Interval:
    """The mean, and where it would lie with other tasks of the same kind."""
    if not values:
        return Interval(0.0, 0.0, 0.0)
    source = random.Random(seed)  # noqa: S311 - a resampling, and the same one each time
    size = len(values)
    means = sorted(sum(source.choices(values, k=size)) / size for _ in range(RESAMPLES))
    return Interval(mean(values), means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1])


def _scipy() -> Any:
    try:
        from scipy import stats
    except ImportError:
        raise InputError('statistics need scipy: install it with `pip install "plantwin[evals]"`') from None
    return stats
