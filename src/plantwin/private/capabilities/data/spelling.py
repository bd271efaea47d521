"""One thing written in several ways."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator

from plantwin.private.capabilities.data.cells import Cell
from plantwin.private.capabilities.data.column import Column
from plantwin.private.capabilities.data.issue import Issue
from plantwin.vocabulary import OutcomeTag, Severity

SPELLED = 5000
"""Different texts among which spellings are compared."""
_SPACE = re.compile(r"[\s_\-./]+")


def spellings(column: Column, shown: Callable[[Cell], str]) -> Iterator[Issue]:
    """Values that differ in case, spaces or one letter only."""
    if column.type == "boolean":
        words = {str(cell).strip().lower() for cell in column.counts}
        pairs = sum(
            bool(words & set(pair)) for pair in (("true", "false"), ("yes", "no"), ("y", "n"), ("t", "f"), ("0", "1"))
        )
        if pairs > 1:
            yield Issue(
                column.name,
                OutcomeTag.INCONSISTENT_VALUES,
                Severity.MEDIUM,
                f"Truth values are written in {pairs} ways",
                "Write them in one way.",
            )
        return
    if column.type != "text" or not column.counts or len(column.counts) > SPELLED:
        return
    groups: dict[str, list[str]] = defaultdict(list)
    padded = 0
    for cell, times in column.counts.items():
        if isinstance(cell, str):
            groups[_SPACE.sub(" ", cell.strip()).casefold()].append(cell)
            padded += times if cell != cell.strip() else 0
    repeated = column.filled > len(groups) or column.category
    for variants in sorted(
        (each for each in groups.values() if len({one.strip() for one in each}) > 1), key=len, reverse=True
    )[:8]:
        if not repeated:
            break
        variants.sort(key=lambda each: -column.counts[each])
        kept = set(variants[1:])
        listed = ", ".join(f"{shown(each)} ({column.counts[each]})" for each in variants[:5])
        severity = Severity.MEDIUM if len(column.counts) <= max(50, column.filled // 4) else Severity.LOW
        yield Issue(
            column.name,
            OutcomeTag.INCONSISTENT_VALUES,
            severity,
            f"One thing is written in {len(variants)} ways: {listed}",
            "Grouping and joining treat them as different.",
            kept.__contains__,
        )
    if padded:
        yield Issue(
            column.name,
            OutcomeTag.INCONSISTENT_VALUES,
            Severity.LOW,
            f"{padded} values have spaces before or behind",
            "Strip them.",
            lambda cell: isinstance(cell, str) and cell != cell.strip() and bool(cell.strip()),
        )
    if column.category and 2 < len(groups) <= 60:
        yield from _typos(column, shown)


def _typos(column: Column, shown: Callable[[Cell], str]) -> Iterator[Issue]:
    words = [
        (cell, times)
        for cell, times in column.counts.items()
        if isinstance(cell, str) and len(cell) >= 5 and cell.isalpha()
    ]
    for cell, times in words:
        for other, often in words:
            if times * 20 <= often and _near(cell.lower(), other.lower()):
                yield Issue(
                    column.name,
                    OutcomeTag.INCONSISTENT_VALUES,
                    Severity.LOW,
                    f"{shown(cell)} ({times}) may be meant as {shown(other)} ({often})",
                    "Correct it if it is a slip.",
                    cell.__eq__,
                )
                break


def _near(one: str, two: str) -> bool:
    """Whether one letter was added, lost or replaced, or two were swapped."""
    if one == two or abs(len(one) - len(two)) > 1:
        return False
    head = next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    if len(one) == len(two):
        return one[head + 1 :] == two[head + 1 :] or (
            one[head : head + 2] == two[head : head + 2][::-1] and one[head + 2 :] == two[head + 2 :]
        )
    longer, shorter = (one, two) if len(one) > len(two) else (two, one)
    return longer[head + 1 :] == shorter[head:]
