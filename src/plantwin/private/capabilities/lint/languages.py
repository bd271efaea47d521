"""Java, Ruby, C and CSS: what their own linters warn of most, where it needs more than a pattern; Python by its parser.

Of Python that is code that never runs, which ruff does not report, and syntax where ruff is not here.
"""

from __future__ import annotations

import ast
import itertools
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.adapters.examine import finding
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.lint.common import Checks, found
from plantwin.private.formats.python import parse
from plantwin.private.formats.syntax_tree import line, named, text, walk
from plantwin.vocabulary import Severity

if TYPE_CHECKING:
    from tree_sitter import Node


_EFFECT = re.compile(r"[(=+-]\w*\(|=[^=]|\+\+|--|\*|\w\(")


def _java_comparison(node: Node) -> Iterator[Finding]:
    operator = text(node.child_by_field_name("operator"), 4)
    sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
    if operator in ("==", "!=") and any(side is not None and side.type == "string_literal" for side in sides):
        yield found("JAVA-COMPARE-STRINGS", node, operator=operator)


def _java_class(node: Node) -> Iterator[Finding]:
    methods = {text(method.child_by_field_name("name"), 40) for method in named(node, "method_declaration")}
    for present, missing in (("equals", "hashCode"), ("hashCode", "equals")):
        if present in methods and missing not in methods:
            yield found("JAVA-EQUALS-WITHOUT-HASHCODE", node, present=present, missing=missing)


def _ruby_class(node: Node) -> Iterator[Finding]:
    body = node.child_by_field_name("body")
    seen: dict[tuple[str, str], int] = {}
    for method in named(body, "method", "singleton_method") if body is not None else ():
        name = text(method.child_by_field_name("name"), 100)
        if (method.type, name) in seen:
            yield found("RUBY-DUPLICATE-METHODS", method, name=name, first=seen[method.type, name])
        seen.setdefault((method.type, name), line(method))


def _c_while(node: Node) -> Iterator[Finding]:
    body, condition = node.child_by_field_name("body"), text(node.child_by_field_name("condition"), 200)
    empty = body is not None and body.type == "expression_statement" and text(body, 3) == ";"
    if empty and not _EFFECT.search(condition):
        yield found("CODE-EMPTY-STATEMENT", node, keyword="while")


def _css_block(node: Node) -> Iterator[Finding]:
    if not node.named_children and node.parent is not None and node.parent.type == "rule_set":
        yield found("CSS-BLOCK-NO-EMPTY", node)
    before = ""
    seen: dict[str, tuple[int, str]] = {}
    for declaration in named(node):
        if declaration.type != "declaration":
            before = ""
            continue
        properties = named(declaration, "property_name")
        name = text(properties[0], 80).lower() if properties else ""
        value = text(declaration, 400).partition(":")[2].strip(" ;")
        if name in seen and not name.startswith(("--", "$")):
            first, first_value = seen[name]
            # A second value right behind the first is for browsers that do not know it.
            if first_value == value or before != name:
                severity = Severity.LOW if first_value == value else None
                rule = "CSS-DECLARATION-BLOCK-NO-DUPLICATE-PROPERTIES"
                yield found(rule, declaration, severity=severity, name=name, first=first)
        seen.setdefault(name, (line(declaration), value))
        before = name


def _css_rules(node: Node) -> Iterator[Finding]:
    """Find selectors that stand twice in one style sheet or block."""
    seen: dict[str, int] = {}
    for rule_set in named(node, "rule_set"):
        selectors = named(rule_set, "selectors")
        if selectors:
            selector = " ".join(text(selectors[0], 300).split())
            if selector in seen:
                yield found("CSS-NO-DUPLICATE-SELECTORS", rule_set, selector=selector[:80], first=seen[selector])
            seen.setdefault(selector, line(rule_set))


CHECKS: dict[str, Checks] = {
    "java": {"binary_expression": (_java_comparison,), "class_body": (_java_class,)},
    "ruby": {"class": (_ruby_class,)},
    "c": {"while_statement": (_c_while,)},
    "cpp": {"while_statement": (_c_while,)},
    "css": {"block": (_css_block, _css_rules), "stylesheet": (_css_rules,)},
}

_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_OPERATOR_FUNCTIONS = re.compile(
    "getValue|setValue|provideDelegate|plus|minus|times|div|invoke|contains|iterator|get|set|rangeTo|compareTo|unaryMinus"
    "|plusAssign|minusAssign|component[12]"
)
"""Functions of Kotlin that operators call without naming them."""
_IMPORTS = {"java": "import_declaration", "kotlin": "import", "php": "namespace_use_clause"}


def findings(format: str, root: Node, source: str) -> Iterator[Finding]:
    """Find imports whose word stands nowhere else, comments included: documentation may need it."""
    kind = _IMPORTS.get(format)
    imports = [(node, name) for node in walk(root) if node.type == kind and (name := _last_name(node))] if kind else []
    in_imports = Counter(word for node, _ in imports for word in _WORD.findall(text(node, 400)))
    everywhere = Counter(_WORD.findall(source)) if imports else Counter[str]()
    for node, name in imports:
        if everywhere[name] <= in_imports[name]:
            yield found("CODE-UNUSED-IMPORT", node, name=name[:80])


def _last_name(node: Node) -> str:
    """Return the name that an import brings in; none where everything comes."""
    shown = text(node, 400)
    if "*" in shown or "{" in shown:
        return ""
    alias = re.search(r"\bas\s+(\w+)", shown)
    if alias:
        return alias[1]
    word = (_WORD.findall(shown) or [""])[-1]
    return "" if word in ("import", "static") or _OPERATOR_FUNCTIONS.fullmatch(word) else word


LIMIT = 1 << 20
_JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def syntax(text: str) -> list[Finding]:
    """Return what keeps a module from being parsed."""
    try:
        _parse(text)
    except SyntaxError as error:
        return [finding("ruff", "invalid-syntax", error.lineno or 1, error.msg or "does not parse")]
    except (ValueError, RecursionError, MemoryError):
        return [finding("ruff", "invalid-syntax", 1, "does not parse: nested too deeply, or not text")]
    return []


def unreachable(text: str) -> list[Finding]:
    """Find code behind a jump; `return` and then `yield` makes a generator that gives nothing, and is meant."""
    tree = parse(text) if len(text) <= LIMIT else None
    found = []
    for node in ast.walk(tree) if tree is not None else ():
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            for before, after in itertools.pairwise(block if isinstance(block, list) else ()):
                yields = isinstance(after, ast.Expr) and isinstance(after.value, (ast.Yield, ast.YieldFrom))
                if isinstance(before, _JUMPS) and isinstance(after, ast.stmt) and not yields:
                    found.append(
                        finding("ruff", "unreachable", after.lineno, "This code never runs", hint="Remove it.")
                    )
                    break
    return found


def _parse(text: str) -> ast.Module:
    if len(text) > LIMIT:
        return ast.Module([], [])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)
