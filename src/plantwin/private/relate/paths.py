"""Arithmetic on `/`-separated paths below the root. Nothing here touches the file system."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

LONGEST = 1024
"""Longer targets are not paths that a person wrote."""
DEEPEST = 24
"""How many enclosing folders a search climbs."""


def join(folder: str, target: str) -> str | None:
    """The target as a path below the root, or None when it leaves the root."""
    if len(target) > LONGEST:
        return None
    if "/." not in target and "//" not in target and target[:1] != "." and target[-1:] != "/":
        return f"{folder}/{target}" if folder else target
    parts = folder.split("/") if folder else []
    for part in target.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part and part != ".":
            parts.append(part)
    return "/".join(parts)


def below(folder: str, name: str) -> str:
    """`folder/name`, where the root is the empty string."""
    return f"{folder}/{name}" if folder else name


def parent(folder: str) -> str:
    """The enclosing folder; the root encloses itself."""
    return folder.rpartition("/")[0]


def enclosing(folder: str) -> Iterator[str]:
    """The folder, its parents from near to far, and the root; bounded for absurdly deep trees."""
    for _ in range(DEEPEST):
        if not folder:
            break
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


def shared_depth(one: str, other: str) -> int:
    """How many leading folders two folders share."""
    if one == other:
        return one.count("/") + 1 if one else 0
    depth = 0
    for left, right in zip(one.split("/"), other.split("/"), strict=False):
        if left != right or not left:
            break
        depth += 1
    return depth


def nearest(candidates: Sequence[int], at: int, folders: Sequence[str]) -> int:
    """The candidate that shares most folders with position `at`, the shallower one first.

    Positions follow the order of paths, so whatever shares the longest prefix with `at` stands
    next to it among the sorted candidates: a look at a few neighbours replaces a search.
    """
    if len(candidates) == 1:
        return candidates[0]
    folder = folders[at]
    middle = bisect_left(candidates, at)
    best, best_score = candidates[0], (-1, 0)
    for candidate in candidates[max(0, middle - 3) : middle + 3]:
        other = folders[candidate]
        score = (shared_depth(folder, other), -other.count("/"))
        if score > best_score:
            best, best_score = candidate, score
    return best
