"""Figures that were measured, told from numbers that were set: by the words of their names and what surrounds them."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.leaves import Tree, is_number, is_tree, plain
from plantwin.private.extract.formats.words import words

Leaves = list[tuple[str, object, int]]

_METRIC = re.compile(
    r"acc(?:uracy)?\d?|precision|recall|f1(?:score)?|auc|rocauc|(?:val|train|test|eval)?loss|rmse|mae|mse|r2|bleu"
    r"|rouge\w?|"
    r"perplexity|map(?:\d+)?|ndcg\w*|logloss|brier\w*|mcc|iou|wer|cer|throughput|latency\w*|p\d\d|mean|std|stddev"
    r"|median|"
    r"min|max|count|support|epoch|step|runtime\w*|duration\w*|score|macroavg|weightedavg|ops|elapsed\w*|rate|total|"
    r"(?:val|train|test|eval)(?:acc\w*|f1\w*|loss|auc|rmse|mae|precision|recall|score)"
)
"""Whole names of measures."""
_MEASURED = words(
    "accuracy precision recall auc loss rmse mae mse mape wer cer bleu ndcg perplexity brier calibration error errors "
    "mean median average avg std stddev variance percentile quantile bias drift deviation observed measured actual "
    "count counts total totals sum share ratio missed done failed failures succeeded passed skipped lost dropped "
    "rejected restarts crashes incidents alerts visits visitors sessions conversions clicks views impressions hits "
    "misses lcp fcp inp cls ttfb fid tbt lighthouse score scores elapsed took throughput uptime downtime coverage "
    "covered uncovered completed late overdue"
)
"""Words of names under which results are written down."""
_PERCENTILE = re.compile(r"p\d\d\d?")
_SETTING = words(
    "port ports timeout timeouts limit limits replicas interval ttl pool workers threads concurrency buffer backoff "
    "delay threshold thresholds keepalive capacity cpu memory weight priority quota retention attempts backlog "
    "burst verbosity padding margin width height size"
)
"""Words of names that set a bound or a size."""
_EXTREMES = words("max min maximum minimum")
_WANTED = words(
    "thresholds threshold limits limit alerts alert alerting slo slos sla objectives budgets budget quotas quota "
    "bounds tolerances"
)
"""Names of groups whose numbers are wanted, whatever each is called."""
_SET = _WANTED | words("targets target settings config options defaults parameters params")
"""The same, and groups that also stand beside results."""
_PLACE = re.compile(
    r"(?:^|[/._-])(?:conf|configs?|configuration|settings?|etc|thresholds?|limits?|slos?)(?=[/._-])", re.I
)
_PERIOD = words(
    "week month quarter year from to until since period day date measuredon measuredat generatedat trained "
    "evaluatedat finishedat startedat window run release version build"
)
_SPLIT = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+\d*|\d+")
_LEAST = 4
_OPEN = 200


def figures_of(tree: Tree, leaves: Leaves, written: bool, path: str) -> int:
    """How many figures a tree of results holds; none where it sets things.

    `written` says that programs write results in this format: then the words of names are read too, and not only
    the usual names of measures.
    """
    numbers = [key for key, value, _ in leaves if is_number(value)]
    if len(numbers) < 2 or len(numbers) * 10 < len(leaves) * 6:
        return 0
    named = sum(1 for key in numbers if _METRIC.fullmatch(plain(key)))
    usual = named >= 2 and named * 3 >= len(numbers)
    if not usual and (not written or len(numbers) < _LEAST or _PLACE.search(path)):
        return 0
    measured = bounded = 0
    for key in numbers:
        parts = [part.lower() for part in _SPLIT.findall(key[:80])]
        if _bounds(parts):
            bounded += 1
        elif any(part in _MEASURED or _PERCENTILE.fullmatch(part) for part in parts):
            measured += 1
    if bounded * 2 > max(measured, named):
        return 0
    groups, repeated = _groups(tree)
    if not groups.isdisjoint(_WANTED if usual else _SET):
        return 0
    if usual:
        return len(numbers)
    if measured < 2 or sum(type(value) is bool for _, value, _ in leaves) * 10 > len(leaves):
        return 0
    dated = any(plain(key) in _PERIOD for key in (*tree, *groups))
    return len(numbers) if measured * (4 if dated or repeated else 2) >= len(numbers) else 0


def _bounds(parts: list[str]) -> bool:
    """Whether a name sets a bound or a size; `max` alone is a figure among others, `max_wait` a bound."""
    return any(part in _SETTING for part in parts) or (len(parts) > 1 and parts[0] in _EXTREMES)


def _groups(tree: Tree) -> tuple[set[str], bool]:
    """The names of the mappings inside, and whether three beside each other hold the same numbers."""
    found: set[str] = set()
    repeated = False
    stack: list[Tree] = [tree]
    for _ in range(_OPEN):
        if not stack:
            break
        here = stack.pop()
        below = [(key, value) for key, value in list(here.items())[:_OPEN] if is_tree(value)]
        found.update(plain(key) for key, _ in below)
        stack.extend(value for _, value in below)
        if len(below) >= 3:
            shapes = [frozenset(value) for _, value in below if all(map(is_number, value.values()))]
            repeated = repeated or (len(shapes) >= 3 and len(set(shapes)) * 2 <= len(shapes))
    return found, repeated
