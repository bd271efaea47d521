"""Style sheets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.linting.common import style
from plantwin.private.capabilities.linting.remark import DEFECT, LOW, MEDIUM, REPEATED, UNUSED, Remark
from plantwin.private.capabilities.syntax.trees import line, named, text, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_COLOUR = re.compile(r"#[0-9A-Za-z]+")


def remarks(root: Node) -> Iterator[Remark]:
    """What the rules say of a style sheet."""
    rules: dict[tuple[int, str], int] = {}
    for node in walk(root):
        kind = node.type
        if kind == "block":
            yield from _block(node)
        elif kind == "rule_set":
            yield from _repeated(node, rules)
        elif kind == "important":
            yield style(
                node, "declaration-no-important", "`!important` overrules everything else", "Use a better selector."
            )
        elif kind == "color_value":
            shown = text(node, 40)
            if _COLOUR.fullmatch(shown) and (len(shown) not in (4, 5, 7, 9) or re.search(r"[^#0-9a-fA-F]", shown)):
                yield Remark(
                    line(node),
                    MEDIUM,
                    DEFECT,
                    "color-no-invalid-hex",
                    f"`{shown}` is no colour",
                    "Give it 3, 4, 6 or 8 digits.",
                )


def _block(node: Node) -> Iterator[Remark]:
    inside = named(node)
    parent = node.parent
    if not inside and parent is not None and parent.type == "rule_set" and not node.named_children:
        yield Remark(line(node), LOW, UNUSED, "block-no-empty", "A rule that sets nothing", "Remove it.")
    last = ""
    seen: dict[str, tuple[int, str]] = {}
    for each in inside:
        if each.type != "declaration":
            last = ""
            continue
        name = text(named(each, "property_name")[0], 80).lower() if named(each, "property_name") else ""
        value = text(each, 400).partition(":")[2].strip(" ;")
        if name in seen and not name.startswith(("--", "$")):
            same = seen[name][1] == value
            # A second value right behind the first is for browsers that do not know it.
            if same or last != name:
                yield Remark(
                    line(each),
                    LOW if same else MEDIUM,
                    REPEATED,
                    "declaration-block-no-duplicate-properties",
                    f"`{name}` is set twice (first in line {seen[name][0]}); the last one wins",
                    "Remove one of them.",
                )
        seen.setdefault(name, (line(each), value))
        last = name


def _repeated(node: Node, rules: dict[tuple[int, str], int]) -> Iterator[Remark]:
    selectors = named(node, "selectors")
    parent = node.parent
    if not selectors or parent is None:
        return
    shown = " ".join(text(selectors[0], 300).split())
    key = (parent.start_byte if parent.type != "stylesheet" else -1, shown)
    if key in rules:
        yield Remark(
            line(node),
            LOW,
            REPEATED,
            "no-duplicate-selectors",
            f"`{shown[:80]}` has a rule already (line {rules[key]})",
            "Join the two.",
        )
    else:
        rules[key] = line(node)
