"""JavaScript and TypeScript: rules that need more than a pattern, under ESLint's names."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.lint.rules import Checks, found
from plantwin.private.formats.syntax_tree import line, named, text

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPES = frozenset(("undefined", "object", "boolean", "number", "string", "function", "symbol", "bigint", "unknown"))
_JUMPS = frozenset(("break_statement", "return_statement", "throw_statement", "continue_statement"))
_FALLS = re.compile(r"falls?[ -]?through|fall[ -]?thru|no break", re.IGNORECASE)
FUNCTIONS = frozenset(
    (
        "function_declaration",
        "function_expression",
        "arrow_function",
        "method_definition",
        "generator_function",
        "generator_function_declaration",
    )
)


def _binary(node: Node) -> Iterator[Finding]:
    operator = text(node.child_by_field_name("operator"), 12)
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return
    sides = {text(left, 40), text(right, 40)}
    if operator in ("==", "!=", "===", "!==") and sides & {"NaN", "Number.NaN"}:
        yield found("JS-USE-ISNAN", node)
    elif operator in ("==", "!=") and not sides & {"null", "undefined"} and left.type != "unary_expression":
        yield found("JS-EQEQEQ", node, operator=operator)
    for one, other in ((left, right), (right, left)):
        if one.type == "unary_expression" and text(one, 7) == "typeof " and other.type == "string":
            word = text(other, 40).strip("\"'`")
            if word not in _TYPES:
                yield found("JS-VALID-TYPEOF", node, word=word)
    if operator in ("in", "instanceof") and left.type == "unary_expression" and text(left, 1) == "!":
        yield found("JS-NO-UNSAFE-NEGATION", node, operator=operator)


def _catch(node: Node) -> Iterator[Finding]:
    body, caught = node.child_by_field_name("body"), text(node.child_by_field_name("parameter"), 80)
    inside = named(body) if body is not None else []
    if len(inside) == 1 and inside[0].type == "throw_statement" and caught:
        thrown = named(inside[0])
        if thrown and text(thrown[0], 80) == caught:
            yield found("JS-NO-USELESS-CATCH", node)


def _finally(node: Node) -> Iterator[Finding]:
    body = node.child_by_field_name("body")
    for statement in named(body) if body is not None else ():
        if statement.type in ("return_statement", "throw_statement"):
            yield found("JS-NO-UNSAFE-FINALLY", statement)


def _switch(node: Node) -> Iterator[Finding]:
    cases = named(node, "switch_case", "switch_default")
    for case, following in itertools.pairwise(cases):
        body = [child for child in named(case) if child != case.child_by_field_name("value")]
        if body and not _ends(body[-1]):
            start = node.start_byte
            between = (node.text or b"")[case.start_byte - start : following.start_byte - start]
            if not _FALLS.search(between.decode("utf-8", "replace")[-400:]):
                yield found("JS-NO-FALLTHROUGH", following)


def _ends(statement: Node | None) -> bool:
    """Whether nothing runs on behind a statement."""
    for _ in range(40):
        if statement is None:
            return False
        if statement.type in _JUMPS:
            return True
        inner = named(statement)
        if statement.type == "statement_block":
            statement = inner[-1] if inner else None
        elif statement.type == "if_statement":
            other = statement.child_by_field_name("alternative")
            if other is None or not _ends(statement.child_by_field_name("consequence")):
                return False
            statement = named(other)[-1] if named(other) else None
        elif statement.type == "try_statement":
            handler = statement.child_by_field_name("handler")
            caught = handler.child_by_field_name("body") if handler is not None else None
            if caught is not None and not _ends(caught):
                return False
            statement = statement.child_by_field_name("body")
        elif statement.type in ("while_statement", "for_statement"):
            return text(statement.child_by_field_name("condition"), 20).strip("() ;") in ("true", "", "1")
        elif statement.type == "switch_statement":
            return "default" in text(statement, 20_000)
        else:
            return statement.type == "expression_statement" and text(statement, 14).startswith("process.exit(")
    return False


def _new(node: Node) -> Iterator[Finding]:
    arguments = node.child_by_field_name("arguments")
    inside = named(arguments) if arguments is not None else []
    made = text(node.child_by_field_name("constructor"), 20)
    if made == "Promise" and inside and inside[0].type in FUNCTIONS and text(inside[0], 6) == "async ":
        yield found("JS-NO-ASYNC-PROMISE-EXECUTOR", node)


def _class(node: Node) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for member in named(node, "method_definition"):
        head = text(member, 200).partition("(")[0]
        name = text(member.child_by_field_name("name"), 100)
        if head.split()[0] in ("get", "set") or name.startswith("["):
            continue
        key = f"{'static ' if 'static ' in head else ''}{name}"
        if key in seen and member.child_by_field_name("body") is not None:
            yield found("JS-NO-DUPE-CLASS-MEMBERS", member, name=name, first=seen[key])
        seen.setdefault(key, line(member))


CHECKS: Checks = {
    "binary_expression": (_binary,),
    "catch_clause": (_catch,),
    "finally_clause": (_finally,),
    "switch_body": (_switch,),
    "new_expression": (_new,),
    "class_body": (_class,),
}
