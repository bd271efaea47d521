"""How useful an edge is: rare and telling reasons first, across components before inside one."""

from __future__ import annotations

from plantwin.vocabulary import EdgeReason

KEPT = 24
"""Edges kept of one object locally; fewer cross."""

USEFULNESS: dict[str, float] = {
    "behaviour": 9.4,
    "coverage": 9.2,
    "value": 9.0,
    "version": 9.0,
    "unresolved": 8.6,
    "specifies": 8.2,
    "tests": 7.6,
    "configures": 7.0,
    "generated": 6.6,
    "instance": 6.6,
    "compiled": 6.5,
    "exported": 6.5,
    "locked": 6.5,
    "supersedes": 6.4,
    "stage": 6.2,
    "order": 6.0,
    "writes": 5.8,
    "reads": 5.6,
    "diverged": 5.4,
    "copy": 5.3,
    "builds": 5.2,
    "runs": 5.0,
    "documents": 4.8,
    "overlaps": 4.6,
    "renders": 4.4,
    "imports": 4.0,
    "sibling": 3.8,
    "database_engine": 3.4,
    "cluster": 3.4,
    "model_runtime": 3.4,
    "notebook_runtime": 3.4,
    "container": 3.3,
    "build_tool": 3.2,
    "test_runner": 3.1,
    "runtime": 3.0,
}
_ACROSS = 0.7
_POPULAR = ((64, 1.0), (16, 0.5), (0, 0.0))
"""What everything points at tells less: so many incoming links, so much less useful."""

EDGES: dict[str, str] = {reason.value: reason.edge.value for reason in EdgeReason}


def _weight(reason: str, across: bool, penalty: float) -> float:
    return round(USEFULNESS[reason] + (_ACROSS if across else 0.0) - penalty, 2)


WEIGHTS: dict[str, tuple[float, ...]] = {
    reason: tuple(_weight(reason, across, penalty) for across in (False, True) for _, penalty in reversed(_POPULAR))
    for reason in USEFULNESS
}
"""Reason to weights, by popularity inside a component (0 to 2) and across (3 to 5). Shared floats save memory."""


def popularity(incoming: int) -> int:
    """0, 1 or 2: a place in `WEIGHTS`."""
    return 0 if incoming < _POPULAR[1][0] else 1 if incoming < _POPULAR[0][0] else 2
