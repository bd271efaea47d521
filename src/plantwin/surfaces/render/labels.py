"""Labels that do not lie on each other: the most linked nodes are served first, the rest keep their tooltip."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

CELL = 96.0


class Box(NamedTuple):
    """A rectangle that is taken."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Whether the two overlap."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


class Room:
    """Rectangles that are taken, in a grid so that asking is quick."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[Box]] = defaultdict(list)

    def take(self, box: Box) -> None:
        """Mark a rectangle as taken."""
        for cell in self._over(box):
            self._cells[cell].append(box)

    def free(self, box: Box) -> bool:
        """Whether nothing lies there."""
        return not any(box.meets(other) for cell in self._over(box) for other in self._cells.get(cell, ()))

    @staticmethod
    def _over(box: Box) -> list[tuple[int, int]]:
        columns = range(int(box.left // CELL), int(box.right // CELL) + 1)
        rows = range(int(box.top // CELL), int(box.bottom // CELL) + 1)
        return [(column, row) for column in columns for row in rows]


def text_width(text: str, size: float) -> float:
    """About how wide a text is in a common sans-serif face."""
    return sum(1.0 if ord(letter) > 0x2E80 else 0.3 if letter in "ilj.,:;|!'" else 0.55 for letter in text) * size


def shortened(text: str, most: int) -> str:
    """At most so many letters; the end of a name says more than its middle."""
    if len(text) <= most:
        return text
    tail = most // 3
    return f"{text[: most - tail - 1]}…{text[-tail:]}"
