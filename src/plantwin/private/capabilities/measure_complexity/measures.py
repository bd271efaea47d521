"""Cyclomatic and cognitive complexity, length, nesting and parameters of every function of a tree.

Cyclomatic: one, and one for every `if`, loop, `catch`, case (not the default), conditional expression, condition or
loop of a comprehension, and every `and` or `or`. Cognitive: as the SonarSource white paper of
2023 counts it, but for recursion.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from plantwin.private.facts import private
from plantwin.private.formats.lexicon import beside
from plantwin.private.formats.syntax_tree import last_line, line, text

if TYPE_CHECKING:
    from tree_sitter import Node

MOST = 5000
"""Functions of one file."""
_JUMPS = frozenset(
    ("goto_statement", "break_statement", "continue_statement", "break_expression", "continue_expression")
)
_MARKERS = frozenset(("self_parameter", "positional_separator", "keyword_separator"))
_LABELS = frozenset(("identifier", "label", "statement_identifier", "label_name"))
_LOGIC = frozenset(("&&", "||", "and", "or", "??"))
"""Operators that decide whether their right side runs."""
_CLASSES = frozenset(
    (
        "impl_item",
        "module",
        "interface_declaration",
        "object_declaration",
        "trait_item",
        "struct_specifier",
        "object_definition",
        "trait_definition",
    )
)
_DEFAULTS = ("default", "else", "_ =>", "_=>", "*)", "case _:", "case _ ")
_SAME = {"jsx": "javascript", "typescript": "javascript", "tsx": "javascript", "cpp": "c"}
"""Formats that share the node types of another."""
OUTSIDE = "(outside of functions)"
UNNAMED = "(without a name)"


class Grammar(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Node types of one language, as `node_types.toml` describes them."""

    functions: frozenset[str]
    lambdas: frozenset[str] = frozenset()
    holders: frozenset[str] = frozenset()
    ifs: frozenset[str] = frozenset()
    elifs: frozenset[str] = frozenset()
    elses: frozenset[str] = frozenset()
    loops: frozenset[str] = frozenset()
    catches: frozenset[str] = frozenset()
    switches: frozenset[str] = frozenset()
    cases: frozenset[str] = frozenset()
    ternaries: frozenset[str] = frozenset()
    logic: frozenset[str] = frozenset()
    filters: frozenset[str] = frozenset()
    parameters: frozenset[str] = frozenset()


def grammar_of(format: str) -> Grammar | None:
    """Return the node types of a format; none where it has no functions."""
    return _grammars().get(_SAME.get(format, format))


@cache
def _grammars() -> dict[str, Grammar]:
    return msgspec.convert(beside(__file__, "node_types.toml"), dict[str, Grammar])


@private
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


class _Frame:
    """What is counted for one function while its body is walked."""

    __slots__ = ("cognitive", "cyclomatic", "deepest", "name", "node", "operands", "operators", "parameters", "tokens")

    def __init__(self, node: Node | None, name: str, parameters: int) -> None:
        self.node, self.name, self.parameters = node, name, parameters
        self.cyclomatic, self.cognitive, self.deepest, self.tokens = 1, 0, 0, 0
        self.operators: set[str] = set()
        self.operands: set[bytes] = set()

    def token(self, node: Node) -> None:
        """Count one token for the Halstead volume."""
        self.tokens += 1
        if node.is_named:
            self.operands.add((node.text or b"")[:64])
        else:
            self.operators.add(node.type)

    def measure(self, lines: int = 1) -> Measure:
        """Sum up; `lines` of what is no function."""
        start = line(self.node) if self.node is not None else 1
        lines = last_line(self.node) - start + 1 if self.node is not None else lines
        vocabulary = max(2, len(self.operators) + len(self.operands))
        volume = max(1.0, self.tokens * math.log2(vocabulary))
        raw = 171 - 5.2 * math.log(volume) - 0.23 * self.cyclomatic - 16.2 * math.log(max(1, lines))
        return Measure(
            self.name, start, lines, self.cyclomatic, self.cognitive, self.deepest, self.parameters,
            round(min(100.0, max(0.0, raw * 100 / 171)), 1),
        )  # fmt: skip


def functions(grammar: Grammar, root: Node) -> tuple[list[Measure], bool]:
    """Measure every function, in order, then what stands outside; say whether all were counted."""
    outside = _Frame(None, OUTSIDE, 0)
    found: list[_Frame] = []
    whole = True
    # Node, nesting inside its function, the function, names around it.
    stack: list[tuple[Node, int, _Frame, str]] = [(root, 0, outside, "")]
    while stack:
        node, nesting, frame, outer = stack.pop()
        kind = node.type
        named = node.is_named
        given = _given_name(grammar, node, kind, frame) if named else ""
        if given or (named and kind in grammar.functions):
            name = given or _name(node)
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
        if "comment" in kind:
            continue
        if not children:
            frame.token(node)
        stack += [(child, nesting, frame, outer) for child in reversed(children)]
    measures = [inner.measure() for inner in found]
    if outside.cyclomatic > 1 or not found:
        measures.append(outside.measure(max(1, last_line(root) - sum(measure.lines for measure in measures))))
    return measures, whole


def _count(grammar: Grammar, node: Node, kind: str, nesting: int, frame: _Frame) -> int:
    """Count one node; return how deep what stands inside it is nested."""
    if kind in grammar.ifs:
        frame.cyclomatic += 1
        if _continues(grammar, node):
            # `else if`: one for the branch, and no deeper than the first. Where `else` is a node, that was counted.
            frame.cognitive += node.parent is None or node.parent.type not in grammar.elses
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
        if node.parent is not None and node.parent.type in grammar.ifs | grammar.elifs | grammar.loops:
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
    elif kind in _JUMPS and (kind == "goto_statement" or any(child.type in _LABELS for child in node.named_children)):
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


def _plain_else(grammar: Grammar, node: Node) -> int:
    """Return one where a chain of `if` ends in an `else` that is no node of its own."""
    if grammar.elses:
        return 0
    branch = node
    for _ in range(500):
        other = branch.child_by_field_name("alternative")
        if other is None:
            words = [index for index, child in enumerate(branch.children) if child.type == "else"]
            other = branch.children[words[-1] + 1] if words and words[-1] + 1 < len(branch.children) else None
        if other is None:
            return 0
        if other.type not in grammar.ifs:
            return 1
        branch = other
    return 0


def _labelled(node: Node) -> int:
    """Return one for a case, none for the default."""
    return 0 if text(node, 12).startswith(_DEFAULTS) else 1


def _logic(grammar: Grammar, node: Node, frame: _Frame) -> None:
    """Every operator is a decision; a row of equal ones is read at once. Counted from the outermost node."""
    if _operator(node) not in _LOGIC:
        return
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        parent = parent.parent
    if parent is not None and parent.type in grammar.logic and _operator(parent) in _LOGIC:
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
        if word in _LOGIC:
            ends = at.named_children
            if len(ends) >= 2:
                stack += [ends[-1], word, ends[0]]
    frame.cyclomatic += len(operators)
    frame.cognitive += sum(one != other for one, other in zip(["", *operators], operators, strict=False))


def _operator(node: Node) -> str:
    field = node.child_by_field_name("operator")
    if field is not None:
        return field.type if not field.is_named else text(field, 4)
    return next((child.type for child in node.children if child.type in _LOGIC), "")


def _class_name(node: Node, outer: str) -> str:
    if "class" in node.type or node.type in _CLASSES:
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
        field = next(
            (child for child in node.named_children if "identifier" in child.type or child.type == "word"), None
        )
    receiver = node.child_by_field_name("receiver")
    shown = " ".join(text(field, 80).split()) or UNNAMED
    if receiver is not None and node.type == "method_declaration":
        words = text(receiver, 80).strip("()").split()
        return f"{words[-1].lstrip('*')}.{shown}" if words else shown
    return shown


def _given_name(grammar: Grammar, node: Node, kind: str, frame: _Frame) -> str:
    """Return the name that a function without one is kept under, or a word for it where no other holds it."""
    parent = node.parent
    if kind not in grammar.lambdas or not grammar.holders or parent is None:
        return ""
    if parent.type == "arguments" and parent.parent is not None and parent.parent.parent is not None:
        parent = parent.parent.parent  # `const Card = memo(() => …)`
    if parent.type in grammar.holders:
        field = next(filter(None, map(parent.child_by_field_name, ("name", "key", "left", "property"))), None)
        return " ".join(text(field, 80).split()) or UNNAMED
    return UNNAMED if frame.node is None else ""


def _parameters(grammar: Grammar, node: Node) -> int:
    held = node.child_by_field_name("parameters")
    if held is None:
        level = [child for child in node.children if child.type in grammar.parameters or "declarator" in child.type]
        for _ in range(6):
            held = next((child for child in level if child.type in grammar.parameters), None)
            if held is not None:
                break
            level = [inner for child in level for inner in child.children]
    if held is None:
        return 0
    count = 0
    for parameter in held.named_children:
        shown = text(parameter, 20).lstrip("*&")
        marker = "comment" in parameter.type or parameter.type in _MARKERS
        if not marker and shown not in ("self", "cls", "void", "this"):
            # Go lists several names before one type.
            count += max(1, len(parameter.children_by_field_name("name")))
    return count
