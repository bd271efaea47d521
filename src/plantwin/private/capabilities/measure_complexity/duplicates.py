"""Code that stands more than once: runs of equal lines, whatever the spacing and the comments."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from plantwin.private.formats.syntax_tree import walk

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
Place = tuple[int, int]
"""A file and a line of code in it, by position."""


class Lines(NamedTuple):
    """The lines of code of one file: their numbers, their tokens as one hash, how many tokens."""

    label: str
    numbers: list[int]
    hashes: list[int]
    counts: list[int]

    def __repr__(self) -> str:
        return "<Lines private>"


class Duplicate(NamedTuple):
    """Two places with the same code."""

    first: str
    first_line: int
    second: str
    second_line: int
    lines: int

    def __repr__(self) -> str:
        return "<Duplicate private>"


def lines_of(label: str, root: Node) -> Lines:
    """Return the lines of code of a tree."""
    tokens: dict[int, list[bytes]] = defaultdict(list)
    for node in walk(root):
        if not node.child_count and "comment" not in node.type:
            tokens[int(node.start_point[0]) + 1].append((node.text or b"")[:200])
    lines = Lines(label, [], [], [])
    for number in sorted(tokens):
        joined = b" ".join(tokens[number])
        if not _IMPORT.match(joined):
            lines.numbers.append(number)
            lines.hashes.append(hash(joined))
            lines.counts.append(len(tokens[number]))
    return lines


def duplicates(files: list[Lines]) -> tuple[list[Duplicate], dict[str, int]]:
    """Find repetitions within and between files, the longest first, and count the copied lines of each file."""
    places: dict[int, list[Place]] = defaultdict(list)
    for number, file in enumerate(files):
        for start in range(len(file.hashes) - LEAST + 1):
            places[hash(tuple(file.hashes[start : start + LEAST]))].append((number, start))
    found: list[Duplicate] = []
    copied: dict[str, set[int]] = defaultdict(set)
    covered: set[tuple[Place, Place]] = set()
    for group in places.values():
        if not 1 < len(group) <= CROWDED:
            continue
        first = group[0]
        for second in group[1:]:
            if (first, second) in covered:
                continue
            length = _length(files, first, second, covered)
            one, other = files[first[0]], files[second[0]]
            if length >= LEAST and sum(one.counts[first[1] : first[1] + length]) >= TOKENS:
                copied[other.label].update(other.numbers[second[1] : second[1] + length])
                lines = one.numbers[first[1]], other.numbers[second[1]]
                found.append(Duplicate(one.label, lines[0], other.label, lines[1], length))
    found.sort(key=lambda duplicate: (-duplicate.lines, duplicate.first, duplicate.first_line))
    return found[:MOST], {label: len(lines) for label, lines in copied.items()}


def _length(files: list[Lines], first: Place, second: Place, covered: set[tuple[Place, Place]]) -> int:
    """Return how far two places agree; within one file not beyond where the second begins."""
    one, other = files[first[0]].hashes, files[second[0]].hashes
    most = min(len(one) - first[1], len(other) - second[1])
    if first[0] == second[0]:
        most = min(most, second[1] - first[1])
    length = 0
    while length < most and one[first[1] + length] == other[second[1] + length]:
        covered.add(((first[0], first[1] + length), (second[0], second[1] + length)))
        length += 1
    return length
