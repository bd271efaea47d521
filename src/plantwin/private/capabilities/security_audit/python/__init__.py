"""Python: the syntax tree with a small taint analysis, and bandit for what it knows well."""

from __future__ import annotations

import ast
from typing import NamedTuple

from plantwin.private.capabilities.adapters import bandit
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.security_audit.python import authentication, configuration, sinks
from plantwin.private.capabilities.security_audit.python.module import Checks, Module, Walker
from plantwin.private.facts import private
from plantwin.private.formats.python import parse

LIMIT = 1 << 20
"""A module larger than this is generated; its first part is examined by patterns alone."""
_FUNCTION_CHECKS = (authentication.always_true, configuration.csrf_exempt)
_CHECKS: Checks = {
    ast.Assign: (configuration.assignment,),
    ast.AsyncFunctionDef: _FUNCTION_CHECKS,
    ast.ClassDef: (configuration.csrf_exempt,),
    ast.Compare: (authentication.compare,),
    ast.FunctionDef: _FUNCTION_CHECKS,
    ast.Return: (sinks.returned,),
    ast.Try: (authentication.error_passes,),
}
_CALL_CHECKS = (*sinks.CALLS, *authentication.CALLS, *configuration.CALLS)


@private
class Examined(NamedTuple):
    """The weaknesses of a module, and whether bandit could look at it too."""

    findings: list[Finding]
    bandit: bool


def examine(text: str, path: str) -> Examined | None:
    """Find the weaknesses of a module; none when it does not parse."""
    tree = parse(text) if len(text) <= LIMIT else None
    if tree is None:
        return None
    module = Module(tree, path)
    try:
        Walker(module, _CHECKS, _CALL_CHECKS).walk()
        authentication.unguarded_routes(module)
    except RecursionError:
        return None
    by_bandit = bandit.findings(text)
    return Examined(module.findings + (by_bandit or []), by_bandit is not None)
