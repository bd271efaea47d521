"""Rules of our own where no engine does the job: rows over syntax trees, merge conflicts, imports that nothing uses.

Of Python there is code that never runs, which ruff does not report.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from plantwin.private.capabilities.adapters.examine import finding
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rule, Rules
from plantwin.private.formats.python import parse
from plantwin.private.formats.syntax_tree import line, text, walk

if TYPE_CHECKING:
    from tree_sitter import Node

RULES = Rules("lint")
Check = Callable[["Node"], Iterable[Finding]]
"""What looks at the nodes of one type."""
Checks = dict[str, tuple[Check, ...]]
LIMIT = 1 << 20
_CONFLICT = re.compile(r"^(?:<<<<<<< \S|>>>>>>> \S)", re.MULTILINE)
_JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def conflicts(source: str) -> list[Finding]:
    """Find the marks of a merge that was not finished."""
    marks = list(_CONFLICT.finditer(source))[:20]
    return [RULES.found("CODE-MERGE-CONFLICT", source.count("\n", 0, mark.start()) + 1) for mark in marks]


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
            yield RULES.found(self.rule.id, line(node), text=match[0].strip()[:60])


@cache
def checks(format: str) -> Checks:
    """Return the checks of a format by node type."""
    by_type: Checks = {}
    for rule in RULES:
        options: dict[str, Any] = rule.options
        if format in options.get("formats", ()):
            fields = tuple(options["field"].split(".")) if "field" in options else ()
            parents = frozenset(options.get("parents", ()))
            row = _Row(rule, fields, re.compile(rule.pattern), options.get("length", 400), parents)
            for node in options["nodes"]:
                by_type[node] = (*by_type.get(node, ()), row.check)
    return by_type


_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_OPERATOR_FUNCTIONS = re.compile(
    "getValue|setValue|provideDelegate|plus|minus|times|div|invoke|contains|iterator|get|set|rangeTo|compareTo|unaryMinus"
    "|plusAssign|minusAssign|component[12]"
)
"""Functions of Kotlin that operators call without naming them."""
_IMPORTS = {"java": "import_declaration", "kotlin": "import", "php": "namespace_use_clause"}


def unused_imports(format: str, root: Node, source: str) -> Iterator[Finding]:
    """Find imports whose word stands nowhere else, comments included: documentation may need it."""
    kind = _IMPORTS.get(format)
    imports = [(node, name) for node in walk(root) if node.type == kind and (name := _last_name(node))] if kind else []
    in_imports = Counter(word for node, _ in imports for word in _WORD.findall(text(node, 400)))
    everywhere = Counter(_WORD.findall(source)) if imports else Counter[str]()
    for node, name in imports:
        if everywhere[name] <= in_imports[name]:
            yield RULES.found("CODE-UNUSED-IMPORT", line(node), name=name[:80])


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
