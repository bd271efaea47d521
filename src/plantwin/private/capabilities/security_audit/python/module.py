"""Walk a Python module in order: statements update what is known of values, and checks look at every node."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.security_audit.python.taint import (
    CONSTANT,
    TAINTED,
    UNKNOWN,
    WORDS,
    Imports,
    Values,
    constant_text,
    dotted,
    is_constant,
    keyword,
    last,
    words,
)
from plantwin.vocabulary import Severity

RULES = Rules("code_weaknesses")
Function = ast.FunctionDef | ast.AsyncFunctionDef
_ROUTES = frozenset(("route", "get", "post", "put", "patch", "delete", "websocket", "api_route", "view"))
CHANGES = frozenset(("post", "put", "patch", "delete"))
_NUMBER_PARAMETER = re.compile(r"<(?:int|float|uuid):(\w+)>")
_PROVIDED = frozenset(("self", "cls", "request", "req", "db", "session"))
_TEXT_TYPES = frozenset(("", "str", "Optional", "bytes", "dict", "list"))


class Module:
    """One module with its findings."""

    def __init__(self, tree: ast.Module, path: str) -> None:
        self.tree = tree
        self.path = path
        self.imports = Imports(tree)
        self.findings: list[Finding] = []
        self.handlers: list[tuple[Function, frozenset[str]]] = []
        """Functions that answer requests, with their methods."""

    def report(self, node: ast.AST, rule: str, severity: Severity | None = None, **values: object) -> None:
        """Note a weakness at a node."""
        self.findings.append(RULES.found(rule, getattr(node, "lineno", 0), severity=severity, **values))


class Scope:
    """Where the walk is: the function, and what its values are."""

    def __init__(self, module: Module, values: Values, function: Function | None = None, outer: str = "") -> None:
        self.module = module
        self.values = values
        self.function = function
        self.name = function.name if function else outer
        self.words = frozenset(words(self.name))
        self.target = ""
        """The name that the statement at hand assigns to."""
        self.report = module.report


class Call:
    """A call with what checks ask of it."""

    def __init__(self, scope: Scope, node: ast.Call) -> None:
        self.scope, self.node = scope, node
        self.name = dotted(node.func)
        self.full = scope.module.imports.full(self.name)
        self.last = last(self.full)
        self.first = node.args[0] if node.args else None

    @cached_property
    def flow(self) -> int:
        """What the first argument is."""
        return self.of(self.first)

    def of(self, node: ast.expr | None) -> int:
        """Return what an expression is here."""
        return self.scope.values.of(node)

    def given(self, name: str, *values: object) -> bool:
        """Whether a keyword argument is one of these constants."""
        return is_constant(keyword(self.node, name), *values)

    def report(self, rule: str, severity: Severity | None = None) -> None:
        """Note a weakness at this call."""
        self.scope.report(self.node, rule, severity)


Check = Callable[[Scope, Any], None]
Checks = Mapping[type[ast.AST], tuple[Check, ...]]


class Walker:
    """Every statement in order, every check at the nodes of its type."""

    def __init__(self, module: Module, checks: Checks, call_checks: tuple[Callable[[Call], None], ...]) -> None:
        self._module = module
        self._checks = checks
        self._call_checks = call_checks

    def walk(self) -> None:
        """Walk the module."""
        self._block(self._module.tree.body, Scope(self._module, Values(self._module.imports)))

    def _look(self, scope: Scope, node: ast.AST) -> None:
        if isinstance(node, ast.Call):
            call = Call(scope, node)
            for check_call in self._call_checks:
                check_call(call)
        for check in self._checks.get(type(node), ()):
            check(scope, node)

    def _block(self, body: list[ast.stmt], scope: Scope) -> None:
        for statement in body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self._function(statement, scope)
            else:
                self._statement(statement, scope)

    def _statement(self, node: ast.stmt, scope: Scope) -> None:
        scope.target = _target(node)
        self._look(scope, node)
        for expression in _expressions(node):
            self._look(scope, expression)
        _assign(node, scope.values)
        if isinstance(node, ast.If):
            _trust(node.test, scope.values)
        inside = Scope(self._module, scope.values, None, node.name) if isinstance(node, ast.ClassDef) else scope
        for name in ("body", "orelse", "finalbody"):
            self._block(getattr(node, name, None) or [], inside)
        for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            self._block(part.body, scope)

    def _function(self, node: Function, outer: Scope) -> None:
        values = Values(self._module.imports, outer.values)
        scope = Scope(self._module, values, node)
        methods, numbers = _route(node)
        if methods:
            self._module.handlers.append((node, methods))
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        names = [argument.arg for argument in arguments]
        view = names[:1] in (["request"], ["req"]) or names[:2] == ["self", "request"]
        for argument in arguments:
            type_ = _annotated_type(argument)
            remote = (methods or view) and argument.arg not in _PROVIDED and argument.arg not in numbers
            tainted = remote and type_ in _TEXT_TYPES and not _injected(node, argument)
            values.set(argument.arg, TAINTED if tainted else UNKNOWN)
            if type_ in ("int", "float", "bool", "UUID"):
                values.set(argument.arg, CONSTANT)
        if {"event", "context"} <= set(names):  # a cloud function
            values.set("event", TAINTED)
        for decorator in node.decorator_list:
            for inner in ast.walk(decorator):
                self._look(scope, inner)
        self._look(scope, node)
        self._block(node.body, scope)


def _assign(node: ast.stmt, values: Values) -> None:
    if isinstance(node, ast.Assign):
        flow = values.of(node.value)
        for target in node.targets:
            _bind(values, target, node.value, flow)
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        _bind(values, node.target, node.value, values.of(node.value))
    elif isinstance(node, ast.AugAssign):
        joined = ast.BinOp(left=node.target, op=node.op, right=node.value)
        _bind(values, node.target, node.value, values.of(joined))
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        _bind(values, node.target, None, values.of(node.iter) & (TAINTED | CONSTANT))
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        for item in node.items:
            if item.optional_vars is not None:
                _bind(values, item.optional_vars, item.context_expr, values.of(item.context_expr) & TAINTED)


def _bind(values: Values, target: ast.expr, value: ast.expr | None, flow: int) -> None:
    """Note what a target holds; `value` where a tuple of targets may take a tuple apart."""
    if isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)):
        # A name that is bound to something else keeps nothing of what it was.
        values.set(dotted(target), flow if isinstance(target, ast.Name) else flow & ~CONSTANT)
    elif isinstance(target, (ast.Tuple, ast.List)):
        parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
        for number, inner in enumerate(target.elts[:50]):
            part = values.of(parts[number]) if len(parts) == len(target.elts) else flow
            _bind(values, inner, value, part)


def _target(node: ast.stmt) -> str:
    if isinstance(node, ast.Assign):
        return dotted(node.targets[0])
    return dotted(node.target) if isinstance(node, (ast.AnnAssign, ast.AugAssign)) else ""


def _expressions(node: ast.stmt) -> Iterator[ast.AST]:
    """Return every expression of a statement, without the statements inside it."""
    stack: list[ast.AST] = [
        child for child in ast.iter_child_nodes(node) if not isinstance(child, (ast.stmt, ast.ExceptHandler))
    ]
    while stack:
        expression = stack.pop()
        yield expression
        if not isinstance(expression, ast.match_case):
            stack.extend(child for child in ast.iter_child_nodes(expression) if not isinstance(child, ast.stmt))


def _trust(test: ast.expr, values: Values) -> None:
    """Trust values that a condition tests against a list, or with a checking function."""
    for node in ast.walk(test):
        checked: ast.expr | None = None
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            if not isinstance(node.left, ast.Constant) and not isinstance(node.comparators[0], ast.Constant):
                checked = node.left
        elif isinstance(node, ast.Compare) and any(part in ast.unparse(node) for part in (".parent", ".resolve()")):
            checked = node  # a path against the folder that it must be in
        elif isinstance(node, ast.Call):
            name = dotted(node.func)
            checked = node if WORDS["check"] & {*words(name), last(name)} else None
        for inner in ast.walk(checked) if checked is not None else ():
            if isinstance(inner, ast.Name):
                values.trust(inner.id)


def _route(node: Function) -> tuple[frozenset[str], frozenset[str]]:
    """Return the methods that a decorator routes here (`get` where it names none), and parameters that are numbers."""
    for decorator in node.decorator_list:
        if not isinstance(decorator, ast.Call) or not isinstance(decorator.func, ast.Attribute):
            continue
        verb = decorator.func.attr
        path = constant_text(decorator.args[0]) if decorator.args else ""
        if verb not in _ROUTES or not path.startswith("/"):
            continue
        methods = {verb} if verb in CHANGES else {"get"}
        named = keyword(decorator, "methods")
        if isinstance(named, (ast.List, ast.Tuple, ast.Set)):
            methods = {constant_text(method).lower() for method in named.elts}
        return frozenset(methods), frozenset(_NUMBER_PARAMETER.findall(path))
    return frozenset(), frozenset()


def _annotated_type(argument: ast.arg) -> str:
    """Return the first name of an annotation."""
    node = argument.annotation
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.partition("[")[0].partition("|")[0].strip()
    while isinstance(node, (ast.Subscript, ast.BinOp)):
        node = node.value if isinstance(node, ast.Subscript) else node.left
    return last(dotted(node)) if node is not None else ""


def _injected(node: Function, argument: ast.arg) -> bool:
    """Whether the framework injects the value: `db = Depends(get_db)`."""
    defaults = dict(zip([known.arg for known in node.args.args][::-1], node.args.defaults[::-1], strict=False))
    default = defaults.get(argument.arg)
    return isinstance(default, ast.Call) and last(dotted(default.func)) in ("Depends", "Security")
