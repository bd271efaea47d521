"""A small graph as text: Mermaid for viewers that draw it, a tree for those that do not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

MOST_NODES = 40
MOST_ARCS = 80
MOST_ROWS = 60

_SPECIAL = re.compile(r"[^\w./ @#+-]")


def mermaid(
    nodes: Sequence[int], arcs: Iterable[tuple[int, int, str]], label: Callable[[int], str], marked: set[int]
) -> list[str]:
    """A graph of at most forty objects, those marked drawn boldly."""
    shown = list(nodes)[:MOST_NODES]
    inside = set(shown)
    lines = ["```mermaid", "graph LR"]
    lines += [f'  n{node}["{_quoted(label(node))}"]' for node in shown]
    drawn = [(one, other, reason) for one, other, reason in arcs if one in inside and other in inside][:MOST_ARCS]
    lines += [f"  n{one} -->|{reason}| n{other}" for one, other, reason in drawn]
    bold = [f"n{node}" for node in shown if node in marked]
    if bold:
        lines.append(f"  style {','.join(bold)} stroke-width:3px")
    return [*lines, "```"]


def _quoted(text: str) -> str:
    return _SPECIAL.sub("_", text[-60:])


def tree(
    start: int, step: Callable[[int], Sequence[tuple[int, str]]], label: Callable[[int], str], depth: int = 3
) -> list[str]:
    """What hangs on an object, as an indented tree; each object is opened once."""
    lines = [_plain(label(start))]
    seen = {start}
    stack: list[tuple[int, str, str, bool, int]] = []

    def push(node: int, lead: str, level: int) -> None:
        following = step(node)
        stack.extend(
            (other, reason, lead, index == len(following) - 1, level)
            for index, (other, reason) in reversed(list(enumerate(following)))
        )

    push(start, "", 1)
    while stack and len(lines) < MOST_ROWS:
        node, reason, lead, last, level = stack.pop()
        again = node in seen
        lines.append(f"{lead}{'└─' if last else '├─'} {_plain(label(node))} ({reason}){' …' if again else ''}")
        if not again and level < depth:
            seen.add(node)
            push(node, f"{lead}{'   ' if last else '│  '}", level + 1)
    if stack:
        lines.append(f"… and {len(stack)} more")
    return lines


def _plain(text: str) -> str:
    return "".join(each if each.isprintable() and each != "`" else "?" for each in text[:160])
