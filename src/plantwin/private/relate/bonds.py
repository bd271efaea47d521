"""Relations found otherwise than by a reference, collected by source before they are ranked."""

from __future__ import annotations

from plantwin.private.facts import Private

MOST = 48
"""Most bonds collected of one source; ranking keeps fewer."""


class Bonds(Private):
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

    def has(self, source: int, target: int, reason: str) -> bool:
        """Whether this relation is already known."""
        return (source, target, reason) in self._seen


def readable(text: str, most: int = 100) -> str:
    """Names for evidence: one short printable line whatever a hostile name holds."""
    if len(text) > most:
        text = text[: most - 1] + "…"
    return text if text.isprintable() else text.encode("ascii", "backslashreplace").decode().translate(_CONTROLS)


_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), 127)}
