"""Rules that hold in many languages: unreachable code, forgotten failures, conditions that say the same twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.linting.remark import (
    BROKEN,
    DEBUG,
    DEFECT,
    HIGH,
    LOW,
    MEDIUM,
    STYLE,
    SWALLOWED,
    UNUSED,
    Remark,
)
from plantwin.private.capabilities.linting.shapes import Shape
from plantwin.private.capabilities.syntax.trees import line, named, text, walk
from plantwin.vocabulary import Severity

if TYPE_CHECKING:
    from tree_sitter import Node

_CONFLICT = re.compile(r"^(?:<<<<<<< \S|>>>>>>> \S)", re.MULTILINE)
_SAME = frozenset(("==", "!=", "===", "!==", "<", ">", "<=", ">=", "&&", "||", "eq", "and", "or", "-"))
_LOGIC = frozenset(("&&", "||", "and", "or", "-"))
_PLAIN = re.compile(r"[\w$.@>\[\]'\"-]{1,120}")
_PURE = re.compile(r"[\w$.@\s!=<>&|+'\"-]{1,300}")


def conflicts(source: str) -> Iterator[Remark]:
    """Marks of a merge that was not finished."""
    for match in list(_CONFLICT.finditer(source))[:20]:
        yield Remark(
            source.count("\n", 0, match.start()) + 1,
            HIGH,
            BROKEN,
            "merge-conflict",
            "A merge conflict is left here",
            "Choose one of the two sides.",
        )


def remarks(shape: Shape, root: Node) -> Iterator[Remark]:
    """What common rules say of a tree."""
    for node in walk(root):
        kind = node.type
        if kind in shape.blocks:
            yield from _unreachable(shape, node)
        if kind in shape.catches:
            yield from _swallowed(shape, node)
        elif kind in shape.ifs:
            yield from _condition(shape, node)
        elif kind in shape.assigns:
            yield from _to_itself(node)
        elif kind in shape.compares:
            yield from _with_itself(node)
        if kind in shape.switches:
            yield from _same_cases(shape, node)
        elif kind in shape.literals:
            yield from _same_keys(shape, node)


def _unreachable(shape: Shape, block: Node) -> Iterator[Remark]:
    ended: Node | None = None
    for statement in named(block):
        kind = statement.type
        if ended is not None:
            if kind == "labeled_statement" or kind.startswith(("preproc", "case_", "switch_label")):
                return
            if kind not in shape.declared:
                word = text(ended, 40).split(None, 1)[0].rstrip(";(") or "jump"
                yield Remark(
                    line(statement),
                    MEDIUM,
                    UNUSED,
                    "no-unreachable",
                    f"Code after `{word}` never runs",
                    "Remove it, or move it before the jump.",
                )
                return
        elif _jumps(shape, statement):
            ended = statement


def _jumps(shape: Shape, statement: Node) -> bool:
    if statement.type in shape.jumps:
        return True
    inner = statement.named_children
    return statement.type == "expression_statement" and len(inner) == 1 and inner[0].type in shape.jumps


def _swallowed(shape: Shape, node: Node) -> Iterator[Remark]:
    bodies = [each for each in node.children if each.type in shape.bodies]
    inside = [each for body in bodies for each in body.named_children]
    if node.type == "rescue" and not bodies:
        following = [each for each in node.named_children if each.type == "comment"]
        inside = following
    if not inside and (bodies or node.type == "rescue"):
        yield Remark(
            line(node),
            MEDIUM,
            SWALLOWED,
            "no-empty-catch",
            "A failure is caught and forgotten",
            "Handle it, log it, or say in a comment why it may be ignored.",
        )


def _bare(node: Node | None) -> tuple[Node | None, int]:
    """What stands inside brackets, and how many pairs there were."""
    depth = 0
    while node is not None and node.type in (
        "parenthesized_expression",
        "parenthesized_statements",
        "condition_clause",
    ):
        inner = named(node)
        if len(inner) != 1:
            break
        node, depth = inner[0], depth + 1
    return node, depth


def _condition(shape: Shape, node: Node) -> Iterator[Remark]:
    condition = node.child_by_field_name("condition")
    inner, depth = _bare(condition)
    if inner is None:
        return
    if inner.type in shape.assigns and depth < 2 and node.type not in ("while_statement", "while", "until"):
        yield Remark(
            line(inner),
            MEDIUM,
            DEFECT,
            "no-cond-assign",
            "An assignment stands where a comparison is expected",
            "Compare, or put the assignment on a line of its own.",
        )
    if inner.type in ("true", "false") and node.type in ("if_statement", "if", "unless"):
        yield Remark(
            line(inner),
            LOW,
            UNUSED,
            "no-constant-condition",
            "The condition is always the same",
            "Remove the branch that never runs.",
        )
    if node.type == "if_statement":
        body = node.child_by_field_name("consequence")
        if (body is not None and body.type in ("empty_statement", ";")) or (
            body is not None and body.type == "expression_statement" and text(body, 4) == ";"
        ):
            yield Remark(
                line(node),
                MEDIUM,
                DEFECT,
                "no-empty-statement",
                "A semicolon ends this `if` before its body",
                "Remove the semicolon.",
            )
        yield from _same_conditions(node)


def _same_conditions(node: Node) -> Iterator[Remark]:
    """`if a … else if a`: the second never runs. Looked at from the first `if` of a chain only."""
    parent = node.parent
    if parent is not None and parent.type in ("else_clause", "if_statement") and parent.start_byte != node.start_byte:
        return
    seen: set[str] = set()
    at: Node | None = node
    for _ in range(200):
        if at is None:
            return
        condition = " ".join(text(at.child_by_field_name("condition"), 400).split())
        if condition and condition in seen and _PURE.fullmatch(condition.strip("() ")):
            yield Remark(
                line(at),
                MEDIUM,
                DEFECT,
                "no-dupe-else-if",
                "This condition was tested already: the branch never runs",
                "Test for something else, or remove it.",
            )
        seen.add(condition)
        other = at.child_by_field_name("alternative")
        if other is not None and other.type == "else_clause":
            other = next((each for each in named(other) if each.type == "if_statement"), None)
        at = other if other is not None and other.type == "if_statement" else None


def _to_itself(node: Node) -> Iterator[Remark]:
    left, right = text(node.child_by_field_name("left"), 130), text(node.child_by_field_name("right"), 130)
    operator = node.child_by_field_name("operator")
    if operator is not None and text(operator) not in ("=", ""):
        return
    if left and left == right and _PLAIN.fullmatch(left):
        yield Remark(
            line(node), MEDIUM, DEFECT, "no-self-assign", f"`{left}` is assigned to itself", "Check what was meant."
        )


def _with_itself(node: Node) -> Iterator[Remark]:
    operator = text(node.child_by_field_name("operator"), 4)
    left, right = text(node.child_by_field_name("left"), 130), text(node.child_by_field_name("right"), 130)
    if operator not in _SAME or not left or left != right or not _PLAIN.fullmatch(left):
        return
    if left[0].isdigit() or left[0] in "'\"":
        return
    rule = "no-self-compare" if operator not in _LOGIC else "no-identical-operands"
    yield Remark(
        line(node),
        MEDIUM,
        DEFECT,
        rule,
        f"Both sides of `{operator}` are `{left}`",
        "Check what was meant.",
    )


def _same_cases(shape: Shape, node: Node) -> Iterator[Remark]:
    seen: dict[str, int] = {}
    for case in node.children:
        labels = [case] if case.type in shape.cases else named(case, *shape.cases)
        for label in labels:
            value = label.child_by_field_name("value") or label.child_by_field_name("pattern")
            shown = (
                text(value, 200)
                if value is not None
                else text(label, 200).removeprefix("case").partition(":")[0].strip()
            )
            if label.type == "switch_label" and not text(label, 8).startswith("case"):
                continue
            if value is None and label.type not in ("switch_label",):
                continue
            if shown and shown in seen:
                yield Remark(
                    line(label),
                    MEDIUM,
                    DEFECT,
                    "no-duplicate-case",
                    f"This case stands twice (first in line {seen[shown]})",
                    "Remove one of them.",
                )
            elif shown:
                seen[shown] = line(label)


def _same_keys(shape: Shape, node: Node) -> Iterator[Remark]:
    seen: dict[str, int] = {}
    for pair in named(node, *shape.pairs):
        key = pair.child_by_field_name("key")
        if key is None:
            inner = pair.named_children
            if len(inner) != 2:
                continue
            key = inner[0]
        if key.type in ("computed_property_name", "template_string") or len(key.named_children) > 1:
            continue
        raw = text(key, 200)
        if pair.type in ("keyed_element", "array_element_initializer") and raw[:1] not in "\"'0123456789":
            # A constant or a field: fields must differ for the compiler already.
            continue
        shown = raw.strip("\"'`")
        if shown in seen:
            yield Remark(
                line(pair),
                MEDIUM,
                DEFECT,
                "no-dupe-keys",
                f"The key `{shown[:60]}` stands twice (first in line {seen[shown]}); the last one wins",
                "Remove one of them.",
            )
        else:
            seen[shown] = line(pair)


def left_over(node: Node, severity: Severity, what: str) -> Remark:
    """Something that was useful while debugging."""
    return Remark(
        line(node), severity, DEBUG, "no-debug", f"`{what}` is left from debugging", "Remove it, or use the logger."
    )


def style(node: Node, rule: str, message: str, hint: str = "") -> Remark:
    """Something that works, and that most would write otherwise."""
    return Remark(line(node), LOW, STYLE, rule, message, hint)
