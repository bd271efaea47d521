"""Edges while they are collected, and how useful each is: rare and telling reasons first."""

from __future__ import annotations

from plantwin.private.facts import Private
from plantwin.private.relate.lookup import CONVENTIONS
from plantwin.vocabulary import EdgeReason

LIKENESSES = {"supersedes": 0, "precedes": 1, "copy": 2, "sibling": 3, "diverged": 4, "overlaps": 5}
"""Reasons of similar_to, the most telling first."""
MOST = 48
"""Most collector collected of one source; ranking keeps fewer."""


class EdgeCollector(Private):
    """Per source position: reason, target position and evidence, each pair and reason once."""

    __slots__ = ("_seen", "of")

    def __init__(self) -> None:
        self.of: dict[int, list[tuple[str, int, str]]] = {}
        self._seen: set[tuple[int, int, str]] = set()

    def add(self, source: int, reason: str, target: int, evidence: str) -> bool:
        """Whether the relation was new; none leads from an object to itself."""
        key = (source, target, reason)
        if source == target or key in self._seen:
            return False
        held = self.of.setdefault(source, [])
        if len(held) >= MOST:
            return False
        self._seen.add(key)
        held.append((reason, target, evidence))
        return True

    def keep_strongest_likeness(self) -> None:
        """Of all ways in which two objects are alike, keep the most telling, in one direction."""
        best: dict[tuple[int, int], tuple[int, int]] = {}
        for source, held in self.of.items():
            for reason, target, _ in held:
                if reason in LIKENESSES:
                    pair = (source, target) if source < target else (target, source)
                    rank = (LIKENESSES[reason], source)
                    best[pair] = min(best.get(pair, rank), rank)
        for source, held in self.of.items():
            held[:] = [
                (reason, target, evidence)
                for reason, target, evidence in held
                if reason not in LIKENESSES
                or best[min(source, target), max(source, target)] == (LIKENESSES[reason], source)
            ]


def readable(text: str, most: int = 100) -> str:
    """Names for evidence: one short printable line whatever a hostile name holds."""
    if len(text) > most:
        text = text[: most - 1] + "…"
    return text if text.isprintable() else text.encode("ascii", "backslashreplace").decode().translate(_CONTROLS)


_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), 127)}


KEPT = 24
"""Edges kept of one object locally; fewer cross."""

USEFULNESS: dict[str, float] = CONVENTIONS["usefulness"]
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
