"""Code that stands more than once: runs of equal lines, whatever the spacing and the comments."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from plantwin.private.capabilities.syntax.trees import walk

if TYPE_CHECKING:
    from tree_sitter import Node

LEAST = 8
"""Lines of code in a row that make a repetition."""
TOKENS = 50
"""Words and signs that they hold at least."""
MOST = 100
CROWDED = 40
"""Places of one run of lines beyond which it is a table rather than a repetition."""

_IMPORT = re.compile(rb"(?:import|from|use|using|#include|require|package|export \{)\b|[\[\](){};,]*$")


class Lines(NamedTuple):
    """The lines of code of one file: their numbers, their tokens as one hash, how many tokens."""

    label: str
    numbers: list[int]
    hashes: list[int]
    counts: list[int]

    def __repr__(self) -> str:
        return "<Lines private>"


class Repeat(NamedTuple):
    """Two places with the same code."""

    first: str
    first_line: int
    second: str
    second_line: int
    lines: int

    def __repr__(self) -> str:
        return "<Repeat private>"


def lines_of(label: str, root: Node) -> Lines:
    """The lines of code of a tree."""
    rows: dict[int, list[bytes]] = defaultdict(list)
    for node in walk(root):
        if not node.child_count and "comment" not in node.type:
            rows[int(node.start_point[0]) + 1].append((node.text or b"")[:200])
    numbers, hashes, counts = [], [], []
    for number in sorted(rows):
        joined = b" ".join(rows[number])
        if _IMPORT.match(joined):
            continue
        numbers.append(number)
        hashes.append(hash(joined))
        counts.append(len(rows[number]))
    return Lines(label, numbers, hashes, counts)


def repeats(files: list[Lines]) -> tuple[list[Repeat], dict[str, int]]:
    """Repetitions within and between files, the longest first, and how many lines of each file are a copy."""
    places: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for file, each in enumerate(files):
        for start in range(len(each.hashes) - LEAST + 1):
            places[hash(tuple(each.hashes[start : start + LEAST]))].append((file, start))
    found: list[Repeat] = []
    copied: dict[int, set[int]] = defaultdict(set)
    covered: set[tuple[int, int, int, int]] = set()
    for group in places.values():
        if not 1 < len(group) <= CROWDED:
            continue
        first = group[0]
        for second in group[1:]:
            if (*first, *second) in covered:
                continue
            length = _length(files, first, second, covered)
            one, other = files[first[0]], files[second[0]]
            if length < LEAST or sum(one.counts[first[1] : first[1] + length]) < TOKENS:
                continue
            copied[second[0]].update(other.numbers[second[1] : second[1] + length])
            found.append(Repeat(one.label, one.numbers[first[1]], other.label, other.numbers[second[1]], length))
    found.sort(key=lambda each: (-each.lines, each.first, each.first_line))
    return found[:MOST], {files[file].label: len(lines) for file, lines in copied.items()}


def _length(
    files: list[Lines], first: tuple[int, int], second: tuple[int, int], covered: set[tuple[int, int, int, int]]
) -> int:
    """How far two places agree; within one file not beyond where the second begins."""
    one, other = files[first[0]].hashes, files[second[0]].hashes
    most = min(len(one) - first[1], len(other) - second[1])
    if first[0] == second[0]:
        most = min(most, second[1] - first[1])
    length = 0
    while length < most and one[first[1] + length] == other[second[1] + length]:
        covered.add((first[0], first[1] + length, second[0], second[1] + length))
        length += 1
    return length
