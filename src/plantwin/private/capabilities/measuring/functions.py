"""Cyclomatic and cognitive complexity, length, nesting and parameters of every function of a tree.

Cyclomatic: one, and one for every `if`, loop, `catch`, case (not the default), conditional expression, condition or
loop of a comprehension, and every `and` or `or`. Cognitive: as the SonarSource white paper of
2023 counts it, but for recursion.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from plantwin.private.capabilities.measuring.grammar import LOGIC, Grammar
from plantwin.private.capabilities.syntax.trees import last_line, line, text

if TYPE_CHECKING:
    from tree_sitter import Node

MOST = 5000
"""Functions of one file."""
_JUMPS = frozenset(
    ("goto_statement", "break_statement", "continue_statement", "break_expression", "continue_expression")
)
_LABELS = frozenset(("identifier", "label", "statement_identifier", "label_name"))
OUTSIDE = "(outside of functions)"


class Measure(NamedTuple):
    """The measures of one function."""

    name: str
    line: int
    lines: int
    cyclomatic: int
    cognitive: int
    nesting: int
    parameters: int
    maintainability: float
    """0 to 100, as Visual Studio scales it."""

    def __repr__(self) -> str:
        return "<Measure private>"


class _Frame:
    """What is counted for one function while its body is walked."""

    __slots__ = ("cognitive", "cyclomatic", "deepest", "name", "node", "operands", "operators", "parameters", "tokens")

    def __init__(self, node: Node | None, name: str, parameters: int) -> None:
        self.node, self.name, self.parameters = node, name, parameters
        self.cyclomatic, self.cognitive, self.deepest, self.tokens = 1, 0, 0, 0
        self.operators: set[str] = set()
        self.operands: set[bytes] = set()

    def measure(self, lines: int) -> Measure:
        vocabulary = max(2, len(self.operators) + len(self.operands))
        volume = max(1.0, self.tokens * math.log2(vocabulary))
        raw = 171 - 5.2 * math.log(volume) - 0.23 * self.cyclomatic - 16.2 * math.log(max(1, lines))
        start = line(self.node) if self.node is not None else 1
        return Measure(
            self.name, start, lines, self.cyclomatic, self.cognitive, self.deepest, self.parameters,
            round(min(100.0, max(0.0, raw * 100 / 171)), 1),
        )  # fmt: skip


def functions(grammar: Grammar, root: Node) -> tuple[list[Measure], bool]:
    """The measures of every function, in order, then of what stands outside; and whether all were counted."""
    outside = _Frame(None, OUTSIDE, 0)
    found: list[_Frame] = []
    whole = True
    # Node, nesting inside its function, the function, names around it.
    stack: list[tuple[Node, int, _Frame, str]] = [(root, 0, outside, "")]
    while stack:
        node, nesting, frame, outer = stack.pop()
        kind = node.type
        named = node.is_named
        if named and kind in grammar.functions:
            name = _name(node)
            label = f"{outer}.{name}" if outer else name
            if len(found) >= MOST:
                whole = False
                continue
            inner = _Frame(node, label, _parameters(grammar, node))
            found.append(inner)
            # A function inside a function nests, as SonarSource has it; its own measures start anew.
            frame, nesting, outer = inner, 0, label
        elif named:
            nesting = _count(grammar, node, kind, nesting, frame)
            outer = _class_name(node, outer)
        children = node.children
        if not children and "comment" not in kind:
            _token(node, named, frame)
        elif "comment" not in kind:
            stack += [(child, nesting, frame, outer) for child in reversed(children)]
    measures = [each.measure(_lines(each)) for each in found]
    if outside.cyclomatic > 1 or not found:
        measures.append(outside.measure(max(1, last_line(root) - sum(each.lines for each in measures))))
    return measures, whole


def _lines(frame: _Frame) -> int:
    return last_line(frame.node) - line(frame.node) + 1 if frame.node is not None else 1


def _token(node: Node, named: bool, frame: _Frame) -> None:
    frame.tokens += 1
    if named:
        frame.operands.add((node.text or b"")[:64])
    else:
        frame.operators.add(node.type)


def _count(grammar: Grammar, node: Node, kind: str, nesting: int, frame: _Frame) -> int:
    """Count one node; how deep what stands inside it is nested."""
    if kind in grammar.ifs:
        frame.cyclomatic += 1
        if _continues(grammar, node):
            # `else if`: one for the branch, and no deeper than the first. Its `else` was counted with it.
            frame.cognitive += 1 if not _under_else(grammar, node) else 0
            return nesting
        frame.cognitive += 1 + nesting + _plain_else(grammar, node)
        return _deeper(frame, nesting)
    if kind in grammar.loops or kind in grammar.catches or kind in grammar.ternaries:
        frame.cyclomatic += 1
        frame.cognitive += 1 + nesting
        return _deeper(frame, nesting)
    if kind in grammar.elifs:
        frame.cyclomatic += 1
        frame.cognitive += 1
    elif kind in grammar.elses:
        parent = node.parent
        if parent is not None and (
            parent.type in grammar.ifs or parent.type in grammar.elifs or parent.type in grammar.loops
        ):
            frame.cognitive += 1
    elif kind in grammar.switches:
        frame.cognitive += 1 + nesting
        return _deeper(frame, nesting)
    elif kind in grammar.cases:
        frame.cyclomatic += _labelled(node)
    elif kind in grammar.filters:
        frame.cyclomatic += 1
    elif kind in grammar.lambdas:
        return nesting + 1
    elif kind in grammar.logic:
        _logic(grammar, node, frame)
    elif kind in _JUMPS and (kind == "goto_statement" or any(each.type in _LABELS for each in node.named_children)):
        frame.cognitive += 1
    return nesting


def _deeper(frame: _Frame, nesting: int) -> int:
    frame.deepest = max(frame.deepest, nesting + 1)
    return nesting + 1


def _continues(grammar: Grammar, node: Node) -> bool:
    """Whether an `if` is the `else if` of another."""
    parent = node.parent
    if parent is None:
        return False
    if parent.type in grammar.elses:
        return True
    if parent.type not in grammar.ifs:
        return False
    if parent.child_by_field_name("alternative") == node:
        return True
    before = node.prev_sibling
    return before is not None and before.type == "else"


def _under_else(grammar: Grammar, node: Node) -> bool:
    return node.parent is not None and node.parent.type in grammar.elses


def _plain_else(grammar: Grammar, node: Node) -> int:
    """One where a chain of `if` ends in an `else` that is no node of its own."""
    if grammar.elses:
        return 0
    at = node
    for _ in range(500):
        other = at.child_by_field_name("alternative")
        if other is None:
            words = [index for index, each in enumerate(at.children) if each.type == "else"]
            other = at.children[words[-1] + 1] if words and words[-1] + 1 < len(at.children) else None
        if other is None:
            return 0
        if other.type not in grammar.ifs:
            return 1
        at = other
    return 0


def _labelled(node: Node) -> int:
    """Whether a case is one of several: the default is where none of them holds."""
    start = text(node, 12)
    return 0 if start.startswith(("default", "else", "_ =>", "_=>", "*)", "case _:", "case _ ")) else 1


def _logic(grammar: Grammar, node: Node, frame: _Frame) -> None:
    """Every operator is a decision; a row of equal ones is read at once. Counted from the outermost node."""
    if _operator(node) not in LOGIC:
        return
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        parent = parent.parent
    if parent is not None and parent.type in grammar.logic and _operator(parent) in LOGIC:
        return
    operators: list[str] = []
    stack: list[Node | str] = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, str):
            operators.append(at)
            continue
        while at.type == "parenthesized_expression" and at.named_child_count == 1:
            at = at.named_children[0]
        word = _operator(at) if at.type in grammar.logic else ""
        if word in LOGIC:
            ends = at.named_children
            if len(ends) >= 2:
                stack += [ends[-1], word, ends[0]]
    frame.cyclomatic += len(operators)
    frame.cognitive += sum(one != other for one, other in zip(["", *operators], operators, strict=False))


def _operator(node: Node) -> str:
    field = node.child_by_field_name("operator")
    if field is not None:
        return field.type if not field.is_named else text(field, 4)
    return next((each.type for each in node.children if each.type in LOGIC), "")


def _class_name(node: Node, outer: str) -> str:
    kind = node.type
    if "class" in kind or kind in ("impl_item", "module", "interface_declaration", "object_declaration", "trait_item",
                                   "struct_specifier", "object_definition", "trait_definition"):  # fmt: skip
        field = node.child_by_field_name("name") or node.child_by_field_name("type")
        if field is not None and len(outer) < 200:
            return f"{outer}.{text(field, 60)}" if outer else text(field, 60)
    return outer


def _name(node: Node) -> str:
    field = node.child_by_field_name("name")
    if field is None:
        at = node.child_by_field_name("declarator")
        for _ in range(20):
            if at is None:
                break
            inner = at.child_by_field_name("declarator")
            if inner is None:
                field = at
                break
            at = inner
    if field is None:
        field = next((each for each in node.named_children if "identifier" in each.type or each.type == "word"), None)
    receiver = node.child_by_field_name("receiver")
    shown = " ".join(text(field, 80).split()) or "(without a name)"
    if receiver is not None and node.type == "method_declaration":
        words = text(receiver, 80).strip("()").split()
        return f"{words[-1].lstrip('*')}.{shown}" if words else shown
    return shown


def _parameters(grammar: Grammar, node: Node) -> int:
    held = node.child_by_field_name("parameters")
    if held is None:
        stack = [each for each in node.children if each.type in grammar.parameters or "declarator" in each.type]
        for _ in range(6):
            held = next((each for each in stack if each.type in grammar.parameters), None)
            if held is not None:
                break
            stack = [child for each in stack for child in each.children]
    if held is None:
        return 0
    count = 0
    for each in held.named_children:
        shown = text(each, 20).lstrip("*&")
        if "comment" in each.type or each.type in ("self_parameter", "positional_separator", "keyword_separator"):
            continue
        if shown in ("self", "cls", "void", "this"):
            continue
        # Go lists several names before one type.
        count += max(1, len(each.children_by_field_name("name")))
    return count
