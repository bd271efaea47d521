"""JavaScript and TypeScript."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.linting.common import left_over, style
from plantwin.private.capabilities.linting.remark import DEFECT, HIGH, LOW, MEDIUM, STYLE, SWALLOWED, Remark
from plantwin.private.capabilities.syntax.trees import line, named, text, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_CONSOLE = frozenset(("console.log", "console.debug", "console.dir", "console.trace", "console.table"))
_TYPES = frozenset(("undefined", "object", "boolean", "number", "string", "function", "symbol", "bigint", "unknown"))
_JUMPS = frozenset(("break_statement", "return_statement", "throw_statement", "continue_statement"))
_FALLS = re.compile(r"falls?[ -]?through|fall[ -]?thru|no break", re.IGNORECASE)
_FUNCTIONS = frozenset(
    (
        "function_declaration",
        "function_expression",
        "arrow_function",
        "method_definition",
        "generator_function",
        "generator_function_declaration",
    )
)


def remarks(root: Node, *, program: bool) -> Iterator[Remark]:
    """What the rules of this language say. `program`: it writes to a terminal, so its output is no leftover."""
    for node in walk(root):
        rule = _RULES.get(node.type)
        if rule is not None:
            for remark in rule(node):
                if not (program and remark.rule == "no-console"):
                    yield remark


def _debugger(node: Node) -> Iterator[Remark]:
    yield left_over(node, MEDIUM, "debugger")._replace(rule="no-debugger")


def _call(node: Node) -> Iterator[Remark]:
    called = text(node.child_by_field_name("function"), 60)
    if called in _CONSOLE:
        yield left_over(node, LOW, called)._replace(rule="no-console")
    elif called == "alert":
        yield left_over(node, LOW, "alert")._replace(rule="no-alert")
    elif called == "describe.only" or called in ("it.only", "test.only", "fdescribe", "fit"):
        yield Remark(
            line(node),
            HIGH,
            DEFECT,
            "no-only-tests",
            f"`{called}` keeps all other tests from running",
            "Remove it before this is merged.",
        )


def _var(node: Node) -> Iterator[Remark]:
    yield style(node, "no-var", "`var` is seen in the whole function", "Use `const` or `let`.")


def _binary(node: Node) -> Iterator[Remark]:
    operator = text(node.child_by_field_name("operator"), 12)
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return
    sides = (text(left, 40), text(right, 40))
    if operator in ("==", "!=", "===", "!==") and ("NaN" in sides or "Number.NaN" in sides):
        yield Remark(line(node), HIGH, DEFECT, "use-isnan", "Nothing equals NaN, not even NaN", "Use `Number.isNaN()`.")
    elif (
        operator in ("==", "!=")
        and "null" not in sides
        and "undefined" not in sides
        and left.type != "unary_expression"
    ):
        yield Remark(
            line(node), LOW, STYLE, "eqeqeq", f"`{operator}` converts types before it compares", f"Use `{operator}=`."
        )
    for one, other in ((left, right), (right, left)):
        if one.type == "unary_expression" and text(one, 7) == "typeof " and other.type == "string":
            word = text(other, 40).strip("\"'`")
            if word not in _TYPES:
                yield Remark(
                    line(node),
                    HIGH,
                    DEFECT,
                    "valid-typeof",
                    f"`typeof` never gives `{word}`",
                    "Compare with a word that `typeof` can give.",
                )
    if operator in ("in", "instanceof") and left.type == "unary_expression" and text(left, 1) == "!":
        yield Remark(
            line(node),
            HIGH,
            DEFECT,
            "no-unsafe-negation",
            f"`!` binds tighter than `{operator}`",
            f"Write `!(a {operator} b)`.",
        )


def _throw(node: Node) -> Iterator[Remark]:
    thrown = named(node)
    if thrown and thrown[0].type in ("string", "number", "template_string", "null", "undefined"):
        yield Remark(
            line(node), LOW, DEFECT, "no-throw-literal", "What is thrown has no stack trace", "Throw an `Error`."
        )


def _catch(node: Node) -> Iterator[Remark]:
    body, caught = node.child_by_field_name("body"), text(node.child_by_field_name("parameter"), 80)
    inside = named(body) if body is not None else []
    if len(inside) == 1 and inside[0].type == "throw_statement" and caught:
        thrown = named(inside[0])
        if thrown and text(thrown[0], 80) == caught:
            yield style(node, "no-useless-catch", "The failure is caught only to be thrown again", "Remove the `try`.")


def _finally(node: Node) -> Iterator[Remark]:
    body = node.child_by_field_name("body")
    for statement in named(body) if body is not None else ():
        if statement.type in ("return_statement", "throw_statement"):
            yield Remark(
                line(statement),
                MEDIUM,
                SWALLOWED,
                "no-unsafe-finally",
                "A jump in `finally` drops the failure that was on its way",
                "Move it out of `finally`.",
            )


def _switch(node: Node) -> Iterator[Remark]:
    cases = [each for each in node.children if each.type in ("switch_case", "switch_default")]
    for case, following in itertools.pairwise(cases):
        body = [each for each in named(case) if each != case.child_by_field_name("value")]
        if not body or _ends(body[-1]):
            continue
        between = (
            node.text[case.start_byte - node.start_byte : following.start_byte - node.start_byte] if node.text else b""
        )
        if not _FALLS.search(between.decode("utf-8", "replace")[-400:]):
            yield Remark(
                line(following),
                MEDIUM,
                DEFECT,
                "no-fallthrough",
                "The case before runs on into this one",
                "End it with `break`, or say that it is meant in a comment.",
            )


def _ends(statement: Node) -> bool:
    """Whether nothing runs on behind a statement."""
    at = statement
    for _ in range(40):
        if at.type in _JUMPS:
            return True
        if at.type == "statement_block":
            inner = named(at)
            if not inner:
                return False
            at = inner[-1]
        elif at.type == "if_statement":
            first, other = at.child_by_field_name("consequence"), at.child_by_field_name("alternative")
            if first is None or other is None or not _ends(first):
                return False
            inner = named(other)
            if not inner:
                return False
            at = inner[-1]
        elif at.type == "try_statement":
            body = at.child_by_field_name("body")
            handler = at.child_by_field_name("handler")
            caught = handler.child_by_field_name("body") if handler is not None else None
            if body is None or (caught is not None and not _ends(caught)):
                return False
            at = body
        elif at.type in ("while_statement", "for_statement"):
            return text(at.child_by_field_name("condition"), 20).strip("() ;") in ("true", "", "1")
        elif at.type == "switch_statement":
            return "default" in text(at, 20_000)
        elif at.type == "expression_statement":
            return text(at, 14).startswith("process.exit(")
        else:
            return False
    return False


def _new(node: Node) -> Iterator[Remark]:
    arguments = node.child_by_field_name("arguments")
    inside = named(arguments) if arguments is not None else []
    made = text(node.child_by_field_name("constructor"), 20)
    if made == "Promise" and inside and inside[0].type in _FUNCTIONS and text(inside[0], 6) == "async ":
        yield Remark(
            line(node),
            MEDIUM,
            SWALLOWED,
            "no-async-promise-executor",
            "What an async executor throws is lost",
            "Make the executor an ordinary function.",
        )


def _class(node: Node) -> Iterator[Remark]:
    seen: dict[str, int] = {}
    for member in named(node, "method_definition"):
        head = text(member, 200)
        before = head.partition("(")[0]
        name = text(member.child_by_field_name("name"), 100)
        if before.split()[0] in ("get", "set") or name.startswith("["):
            continue
        key = f"{'static ' if 'static ' in before else ''}{name}"
        if key in seen and member.child_by_field_name("body") is not None:
            yield Remark(
                line(member),
                MEDIUM,
                DEFECT,
                "no-dupe-class-members",
                f"`{name}` stands twice in this class (first in line {seen[key]})",
                "Rename or remove one.",
            )
        seen.setdefault(key, line(member))


def _comment(node: Node) -> Iterator[Remark]:
    start = text(node, 60)
    if "@ts-ignore" in start or "@ts-nocheck" in start:
        yield style(node, "ban-ts-comment", "Type checking is switched off here", "Use `@ts-expect-error` and say why.")


_RULES = {
    "debugger_statement": _debugger,
    "call_expression": _call,
    "variable_declaration": _var,
    "binary_expression": _binary,
    "throw_statement": _throw,
    "catch_clause": _catch,
    "finally_clause": _finally,
    "switch_body": _switch,
    "new_expression": _new,
    "class_body": _class,
    "comment": _comment,
}
