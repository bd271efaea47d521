"""Go, Java, Kotlin, C#, PHP, Ruby, Rust, C and C++: what their own linters warn of most."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.linting.common import left_over, style
from plantwin.private.capabilities.linting.remark import DEFECT, LOW, MEDIUM, STYLE, SWALLOWED, Remark
from plantwin.private.capabilities.syntax.trees import line, named, text, walk

if TYPE_CHECKING:
    from tree_sitter import Node

Rule = Callable[["Node"], Iterator[Remark]]

_LOOPS = frozenset(("for_statement",))
_LITERAL = frozenset(("func_literal", "function_declaration", "method_declaration"))


def remarks(format: str, root: Node) -> Iterator[Remark]:
    """What the rules of one language say."""
    rules = RULES.get(format)
    if rules:
        for node in walk(root):
            rule = rules.get(node.type)
            if rule is not None:
                yield from rule(node)


# Go


def _go_defer(node: Node) -> Iterator[Remark]:
    at = node.parent
    for _ in range(60):
        if at is None or at.type in _LITERAL:
            return
        if at.type in _LOOPS:
            yield Remark(
                line(node),
                MEDIUM,
                DEFECT,
                "defer-in-loop",
                "`defer` in a loop runs only when the function ends",
                "Move the body of the loop into a function.",
            )
            return
        at = at.parent


def _go_short(node: Node) -> Iterator[Remark]:
    names = [text(each, 60) for each in named(node.child_by_field_name("left") or node)]
    right = node.child_by_field_name("right")
    called = right is not None and any(each.type == "call_expression" for each in named(right))
    if called and len(names) > 1 and names[-1] == "_" and right is not None and len(named(right)) == 1:
        shown = text(named(right)[0].child_by_field_name("function"), 60)
        yield Remark(
            line(node),
            LOW,
            SWALLOWED,
            "errcheck",
            f"What `{shown}` returns last, often an error, is dropped",
            "Handle it, or say why it cannot fail.",
        )


def _go_if(node: Node) -> Iterator[Remark]:
    body = node.child_by_field_name("consequence")
    if body is not None and not body.named_children and "err" in text(node.child_by_field_name("condition"), 60):
        yield Remark(
            line(node),
            MEDIUM,
            SWALLOWED,
            "no-empty-catch",
            "A failure is noticed and forgotten",
            "Handle it or return it.",
        )


# Java, Kotlin, C#


def _java_binary(node: Node) -> Iterator[Remark]:
    operator = text(node.child_by_field_name("operator"), 4)
    sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
    if operator in ("==", "!=") and any(each is not None and each.type == "string_literal" for each in sides):
        yield Remark(
            line(node),
            MEDIUM,
            DEFECT,
            "compare-strings",
            f"`{operator}` compares where strings lie, not what they say",
            "Use `equals`.",
        )


def _java_call(node: Node) -> Iterator[Remark]:
    name, holder = text(node.child_by_field_name("name"), 40), text(node.child_by_field_name("object"), 40)
    if name == "printStackTrace":
        yield left_over(node, LOW, "printStackTrace")._replace(rule="avoid-print-stack-trace")
    elif holder in ("System.out", "System.err") and name in ("println", "print", "printf"):
        yield left_over(node, LOW, f"{holder}.{name}")._replace(rule="system-println")


def _java_class(node: Node) -> Iterator[Remark]:
    methods = {text(each.child_by_field_name("name"), 40) for each in named(node, "method_declaration")}
    for one, other in (("equals", "hashCode"), ("hashCode", "equals")):
        if one in methods and other not in methods:
            yield Remark(
                line(node),
                MEDIUM,
                DEFECT,
                "equals-and-hashcode",
                f"`{one}` is defined and `{other}` is not",
                "Define both: hashed collections need them to agree.",
            )


def _caught_all(node: Node) -> Iterator[Remark]:
    head = text(node, 200).partition("{")[0]
    if re.search(r"\bThrowable\b", head):
        yield Remark(
            line(node),
            LOW,
            SWALLOWED,
            "avoid-catching-throwable",
            "Even failures of the machine are caught here",
            "Catch what you can handle.",
        )


def _kotlin_unary(node: Node) -> Iterator[Remark]:
    shown = text(node, 2000)
    if shown.endswith("!!"):
        yield Remark(
            line(node), LOW, DEFECT, "unsafe-not-null", "`!!` throws where the value is null", "Use `?.` or `?:`."
        )


# PHP


_PHP_DEBUG = frozenset(("var_dump", "print_r", "debug_zval_refcount", "dd", "dump", "debug_print_backtrace"))


def _php_call(node: Node) -> Iterator[Remark]:
    called = text(node.child_by_field_name("function"), 40)
    if called in _PHP_DEBUG:
        shown = text(node.child_by_field_name("arguments"), 400)
        if called != "print_r" or not re.search(r",\s*(?:true|1)\s*\)$", shown):
            yield left_over(node, MEDIUM if called in ("var_dump", "dd") else LOW, called)


def _php_binary(node: Node) -> Iterator[Remark]:
    operator = text(node.child_by_field_name("operator"), 4)
    if operator in ("==", "!="):
        yield Remark(
            line(node),
            LOW,
            STYLE,
            "strict-comparison",
            f"`{operator}` converts types before it compares",
            f"Use `{operator}=`.",
        )


def _php_quiet(node: Node) -> Iterator[Remark]:
    yield Remark(line(node), LOW, SWALLOWED, "no-silenced-errors", "`@` hides what fails here", "Handle the failure.")


# Ruby


def _ruby_call(node: Node) -> Iterator[Remark]:
    shown = text(node, 60)
    name = text(node.child_by_field_name("method"), 40)
    if shown in ("binding.pry", "binding.irb", "binding.remote_pry"):
        yield left_over(node, MEDIUM, shown)
    elif name in ("p", "pp") and node.child_by_field_name("receiver") is None and node.child_by_field_name("arguments"):
        yield left_over(node, LOW, name)


def _ruby_word(node: Node) -> Iterator[Remark]:
    parent = node.parent
    alone = parent is not None and parent.type in ("body_statement", "program", "block_body", "then", "else")
    if alone and text(node, 20) in ("byebug", "debugger"):
        yield left_over(node, MEDIUM, text(node, 20))


def _ruby_rescue(node: Node) -> Iterator[Remark]:
    if text(node.child_by_field_name("exceptions"), 40).strip() == "Exception":
        yield Remark(
            line(node),
            MEDIUM,
            SWALLOWED,
            "rescue-exception",
            "Even interrupts and exits are caught here",
            "Rescue `StandardError` or narrower.",
        )


def _ruby_inline(node: Node) -> Iterator[Remark]:
    if text(node.child_by_field_name("handler"), 10) == "nil":
        yield Remark(
            line(node),
            LOW,
            SWALLOWED,
            "rescue-modifier",
            "Whatever fails here is forgotten",
            "Rescue the failure that is expected.",
        )


def _ruby_class(node: Node) -> Iterator[Remark]:
    body = node.child_by_field_name("body")
    seen: dict[str, int] = {}
    for each in named(body, "method", "singleton_method") if body is not None else ():
        name = f"{each.type} {text(each.child_by_field_name('name'), 100)}"
        if name in seen:
            shown = name.rpartition(" ")[2]
            yield Remark(
                line(each),
                MEDIUM,
                DEFECT,
                "duplicate-methods",
                f"`{shown}` is defined twice (first in line {seen[name]}); the last one wins",
                "Remove one.",
            )
        seen.setdefault(name, line(each))


# Rust


def _rust_macro(node: Node) -> Iterator[Remark]:
    name = text(node.child_by_field_name("macro"), 40)
    if name == "dbg":
        yield left_over(node, LOW, "dbg!")
    elif name in ("todo", "unimplemented"):
        yield Remark(
            line(node),
            MEDIUM,
            DEFECT,
            "clippy::todo",
            f"`{name}!` ends the program when this runs",
            "Write what is missing.",
        )


def _rust_call(node: Node) -> Iterator[Remark]:
    function = node.child_by_field_name("function")
    field = function.child_by_field_name("field") if function is not None else None
    if text(field, 20) == "unwrap":
        yield Remark(
            line(node),
            LOW,
            SWALLOWED,
            "clippy::unwrap_used",
            "`unwrap` ends the program when this fails",
            "Return the error with `?`, or use `expect` and say why it cannot fail.",
        )


# C and C++


def _c_using(node: Node) -> Iterator[Remark]:
    if text(node, 40).startswith("using namespace"):
        yield style(node, "build/namespaces", "A whole namespace is taken in", "Name what is used.")


def _c_for(node: Node) -> Iterator[Remark]:
    body = node.child_by_field_name("body")
    if (
        body is not None
        and node.type == "while_statement"
        and body.type == "expression_statement"
        and text(body, 3) == ";"
    ):
        condition = text(node.child_by_field_name("condition"), 200)
        if not re.search(r"[(=+-]\w*\(|=[^=]|\+\+|--|\*|\w\(", condition):
            yield Remark(
                line(node),
                MEDIUM,
                DEFECT,
                "no-empty-statement",
                "A semicolon ends this loop before its body",
                "Remove the semicolon.",
            )


_C: dict[str, Rule] = {"while_statement": _c_for, "using_declaration": _c_using}
RULES: dict[str, dict[str, Rule]] = {
    "go": {"defer_statement": _go_defer, "short_var_declaration": _go_short, "if_statement": _go_if},
    "java": {
        "binary_expression": _java_binary,
        "method_invocation": _java_call,
        "class_body": _java_class,
        "catch_clause": _caught_all,
    },
    "kotlin": {"unary_expression": _kotlin_unary, "catch_block": _caught_all},
    "php": {
        "function_call_expression": _php_call,
        "binary_expression": _php_binary,
        "error_suppression_expression": _php_quiet,
    },
    "ruby": {
        "call": _ruby_call,
        "identifier": _ruby_word,
        "rescue": _ruby_rescue,
        "rescue_modifier": _ruby_inline,
        "class": _ruby_class,
    },
    "rust": {"macro_invocation": _rust_macro, "call_expression": _rust_call},
    "c": _C,
    "cpp": _C,
}
