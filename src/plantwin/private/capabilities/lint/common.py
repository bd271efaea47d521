"""Rules that hold in many languages: unreachable code, ignored errors, conditions that say the same twice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rule, Rules
from plantwin.private.formats.lexicon import beside
from plantwin.private.formats.syntax_tree import line, named, text
from plantwin.vocabulary import Severity

if TYPE_CHECKING:
    from tree_sitter import Node

RULES = Rules("lint")
Check = Callable[["Node"], Iterable[Finding]]
"""What looks at the nodes of one type."""
Checks = dict[str, tuple[Check, ...]]


def found(rule: str, node: Node, *, severity: Severity | None = None, **values: object) -> Finding:
    """Make a finding at a node."""
    return RULES.found(rule, line(node), severity=severity, **values)


class _Row(NamedTuple):
    rule: Rule
    fields: tuple[str, ...]
    pattern: re.Pattern[str]
    length: int
    parents: frozenset[str]

    def check(self, node: Node) -> Iterator[Finding]:
        """Report a node that the row describes."""
        part: Node | None = node
        for field in self.fields:
            part = part.child_by_field_name(field) if part is not None else None
        if self.parents and (node.parent is None or node.parent.type not in self.parents):
            return
        match = self.pattern.search(text(part, self.length))
        if match:
            yield found(self.rule.id, node, text=match[0].strip()[:60])


@cache
def row_checks(format: str) -> Checks:
    """Return the checks of a format that are rows."""
    checks: Checks = {}
    for rule in RULES:
        options: dict[str, Any] = rule.options
        if format in options.get("formats", ()):
            fields = tuple(options["field"].split(".")) if "field" in options else ()
            parents = frozenset(options.get("parents", ()))
            row = _Row(rule, fields, re.compile(rule.pattern), options.get("length", 400), parents)
            for node in options["nodes"]:
                checks[node] = (*checks.get(node, ()), row.check)
    return checks


_CONFLICT = re.compile(r"^(?:<<<<<<< \S|>>>>>>> \S)", re.MULTILINE)
_OPERATORS = frozenset(("==", "!=", "===", "!==", "<", ">", "<=", ">=", "&&", "||", "eq", "and", "or", "-"))
_NAME = re.compile(r"[\w$.@>\[\]'\"-]{1,120}")
_PURE = re.compile(r"[\w$.@\s!=<>&|+'\"-]{1,300}")
_BRACKETS = frozenset(("parenthesized_expression", "parenthesized_statements", "condition_clause"))


class NodeTypes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Node types of one grammar, as `node_types.toml` describes them."""

    blocks: frozenset[str] = frozenset()
    jumps: frozenset[str] = frozenset()
    declared: frozenset[str] = frozenset()
    catches: frozenset[str] = frozenset()
    bodies: frozenset[str] = frozenset()
    ifs: frozenset[str] = frozenset()
    assigns: frozenset[str] = frozenset()
    compares: frozenset[str] = frozenset()
    switches: frozenset[str] = frozenset()
    cases: frozenset[str] = frozenset()
    pairs: frozenset[str] = frozenset()
    literals: frozenset[str] = frozenset()


@cache
def _grammars() -> dict[str, NodeTypes]:
    return msgspec.convert(beside(__file__, "node_types.toml"), dict[str, NodeTypes])


def conflicts(source: str) -> list[Finding]:
    """Find the marks of a merge that was not finished."""
    marks = list(_CONFLICT.finditer(source))[:20]
    return [RULES.found("CODE-MERGE-CONFLICT", source.count("\n", 0, mark.start()) + 1) for mark in marks]


def checks(format: str) -> Checks:
    """Return the checks of a format by node type."""
    grammar = _grammars().get(format)
    if grammar is None:
        return {}
    by_check: tuple[tuple[frozenset[str], Check], ...] = (
        (grammar.blocks, lambda node: _unreachable(grammar, node)),
        (grammar.catches, lambda node: _empty_catch(grammar, node)),
        (grammar.ifs - grammar.catches, lambda node: _condition(grammar, node)),
        (grammar.assigns, _self_assignment),
        (grammar.compares, _self_comparison),
        (grammar.switches, lambda node: _duplicate_cases(grammar, node)),
        (grammar.literals - grammar.switches, lambda node: _duplicate_keys(grammar, node)),
    )
    result: Checks = {}
    for types, check in by_check:
        for type_ in types:
            result[type_] = (*result.get(type_, ()), check)
    return result


def _unreachable(grammar: NodeTypes, block: Node) -> Iterator[Finding]:
    jump: Node | None = None
    for statement in named(block):
        kind = statement.type
        if jump is None:
            jump = statement if _jumps(grammar, statement) else None
        elif kind == "labeled_statement" or kind.startswith(("preproc", "case_", "switch_label")):
            return
        elif kind not in grammar.declared:
            word = text(jump, 40).split(None, 1)[0].rstrip(";(") or "jump"
            yield found("CODE-UNREACHABLE", statement, jump=word)
            return


def _jumps(grammar: NodeTypes, statement: Node) -> bool:
    if statement.type in grammar.jumps:
        return True
    inner = statement.named_children
    return statement.type == "expression_statement" and len(inner) == 1 and inner[0].type in grammar.jumps


def _empty_catch(grammar: NodeTypes, node: Node) -> Iterator[Finding]:
    bodies = [child for child in node.children if child.type in grammar.bodies]
    inside = [child for body in bodies for child in body.named_children]
    if node.type == "rescue" and not bodies:
        inside = [child for child in node.named_children if child.type == "comment"]
    if not inside and (bodies or node.type == "rescue"):
        yield found("CODE-EMPTY-CATCH", node)


def _without_brackets(node: Node | None) -> tuple[Node | None, int]:
    """Return what stands inside brackets, and how many pairs there were."""
    depth = 0
    while node is not None and node.type in _BRACKETS:
        inner = named(node)
        if len(inner) != 1:
            break
        node, depth = inner[0], depth + 1
    return node, depth


def _condition(grammar: NodeTypes, node: Node) -> Iterator[Finding]:
    inner, depth = _without_brackets(node.child_by_field_name("condition"))
    if inner is None:
        return
    if inner.type in grammar.assigns and depth < 2 and node.type not in ("while_statement", "while", "until"):
        yield found("CODE-ASSIGNMENT-IN-CONDITION", inner)
    if inner.type in ("true", "false") and node.type in ("if_statement", "if", "unless"):
        yield found("CODE-CONSTANT-CONDITION", inner)
    if node.type == "if_statement":
        body = node.child_by_field_name("consequence")
        if body is not None and (
            body.type in ("empty_statement", ";") or (body.type == "expression_statement" and text(body, 4) == ";")
        ):
            yield found("CODE-EMPTY-STATEMENT", node, keyword="if")
        yield from _duplicate_conditions(node)


def _duplicate_conditions(node: Node) -> Iterator[Finding]:
    """Find `if a … else if a`, whose second branch never runs; from the first `if` of a chain only."""
    parent = node.parent
    if parent is not None and parent.type in ("else_clause", "if_statement") and parent.start_byte != node.start_byte:
        return
    seen: set[str] = set()
    branch: Node | None = node
    for _ in range(200):
        if branch is None:
            return
        condition = " ".join(text(branch.child_by_field_name("condition"), 400).split())
        if condition and condition in seen and _PURE.fullmatch(condition.strip("() ")):
            yield found("CODE-DUPLICATE-CONDITION", branch)
        seen.add(condition)
        other = branch.child_by_field_name("alternative")
        if other is not None and other.type == "else_clause":
            other = next((child for child in named(other) if child.type == "if_statement"), None)
        branch = other if other is not None and other.type == "if_statement" else None


def _self_assignment(node: Node) -> Iterator[Finding]:
    left, right = text(node.child_by_field_name("left"), 130), text(node.child_by_field_name("right"), 130)
    operator = text(node.child_by_field_name("operator"))
    if operator in ("=", "") and left and left == right and _NAME.fullmatch(left):
        yield found("CODE-SELF-ASSIGNMENT", node, name=left)


def _self_comparison(node: Node) -> Iterator[Finding]:
    operator = text(node.child_by_field_name("operator"), 4)
    left, right = text(node.child_by_field_name("left"), 130), text(node.child_by_field_name("right"), 130)
    literal = left[:1].isdigit() or left[:1] in ("'", '"')
    if operator in _OPERATORS and left == right and not literal and _NAME.fullmatch(left):
        yield found("CODE-SELF-COMPARISON", node, operator=operator, name=left)


def _duplicate_cases(grammar: NodeTypes, node: Node) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for case in node.children:
        for label in [case] if case.type in grammar.cases else named(case, *grammar.cases):
            value = label.child_by_field_name("value") or label.child_by_field_name("pattern")
            shown = text(value, 200)
            if label.type == "switch_label":
                head = text(label, 200)
                if not head.startswith("case"):
                    continue
                shown = shown or head.removeprefix("case").partition(":")[0].strip()
            if shown in seen:
                yield found("CODE-DUPLICATE-CASE", label, first=seen[shown])
            elif shown:
                seen[shown] = line(label)


def _duplicate_keys(grammar: NodeTypes, node: Node) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for pair in named(node, *grammar.pairs):
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
            continue  # A constant or a field: fields must differ for the compiler already.
        shown = raw.strip("\"'`")
        if shown in seen:
            yield found("CODE-DUPLICATE-KEY", pair, key=shown[:60], first=seen[shown])
        else:
            seen[shown] = line(pair)
