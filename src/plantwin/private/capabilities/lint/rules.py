"""The rules of `rules/lint.toml`, and the rows among them that need nothing but a node type and a pattern.

Options of such a row: `formats` and `nodes` where it applies, `field` (a path of fields; else the node itself) whose
text its pattern searches, `length` of the text that is searched, `parents` in which alone the node counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rule, Rules
from plantwin.private.formats.syntax_tree import line, text
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
