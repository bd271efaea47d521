"""Walking a module in order: statements update what is known of values, and rules look at every expression."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator

from plantwin.private.capabilities.audit.issue import Issue
from plantwin.private.capabilities.audit.python.flow import Flow, Values
from plantwin.private.capabilities.audit.python.names import Imports, constant_text, dotted, words
from plantwin.vocabulary import OutcomeTag, Severity

Function = ast.FunctionDef | ast.AsyncFunctionDef
_ROUTES = frozenset(("route", "get", "post", "put", "patch", "delete", "websocket", "api_route", "view"))
_CHANGES = frozenset(("post", "put", "patch", "delete"))
_TYPED = re.compile(r"<(?:int|float|uuid):(\w+)>")
_HARMLESS = frozenset(("int", "float", "bool", "UUID", "date", "datetime", "Decimal"))
_CHECKING = frozenset(
    [
        "safe",
        "valid",
        "validate",
        "validated",
        "allowed",
        "allow",
        "check",
        "is_relative_to",
        "startswith",
        "whitelist",
        "verify",
        "fullmatch",
        "match",
        "has_allowed_host",
        "permitted",
        "known",
        "exists",
        "sanitize",
    ]
)


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

    def add(self, node: ast.AST, severity: Severity, tag: OutcomeTag, message: str, hint: str = "") -> None:
        """Note a weakness at a node."""
        line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        self.module.issues.append(Issue(line, severity, tag, message, hint, column))

    def full(self, node: ast.expr) -> str:
        """The full name of a callee."""
        return self.module.imports.full(node)


Rule = Callable[[Scope, ast.AST], None]


class Module:
    """One module with its issues."""

    def __init__(self, tree: ast.Module, path: str) -> None:
        self.tree = tree
        self.path = path
        self.imports = Imports(tree)
        self.issues: list[Issue] = []
        self.handlers: list[tuple[Function, frozenset[str]]] = []
        """Functions that answer requests, with their methods."""

    def walk(self, rules: Iterable[Rule]) -> list[Issue]:
        """Every statement in order, every rule at every node."""
        walker = _Walker(self, tuple(rules))
        walker.block(self.tree.body, Scope(self, Values(self.imports)))
        return self.issues


class _Walker:
    def __init__(self, module: Module, rules: tuple[Rule, ...]) -> None:
        self._module = module
        self._rules = rules

    def block(self, body: list[ast.stmt], scope: Scope) -> None:
        for statement in body:
            self._statement(statement, scope)

    def _statement(self, node: ast.stmt, scope: Scope) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._function(node, scope)
            return
        scope.target = _target(node)
        for rule in self._rules:
            rule(scope, node)
        for each in _expressions(node):
            for rule in self._rules:
                rule(scope, each)
        self._assign(node, scope)
        if isinstance(node, ast.If):
            _trust(node, scope.values)
        for name in ("body", "orelse", "finalbody"):
            inner = getattr(node, name, None)
            if isinstance(inner, list) and inner and isinstance(inner[0], ast.stmt):
                self.block(
                    inner,
                    Scope(self._module, scope.values, None, node.name) if isinstance(node, ast.ClassDef) else scope,
                )
        for handler in getattr(node, "handlers", ()):
            self.block(handler.body, scope)
        for case in getattr(node, "cases", ()):
            self.block(case.body, scope)

    def _function(self, node: Function, outer: Scope) -> None:
        values = Values(self._module.imports, outer.values)
        scope = Scope(self._module, values, node)
        methods, typed = routed(node)
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        if methods:
            self._module.handlers.append((node, methods))
        view = (bool(arguments) and arguments[0].arg in ("request", "req")) or (
            len(arguments) > 1 and arguments[0].arg == "self" and arguments[1].arg == "request"
        )
        for each in arguments:
            remote = (methods or view) and each.arg not in ("self", "cls", "request", "req", "db", "session", *typed)
            plain = _annotated(each) in ("", "str", "Optional", "bytes", "dict", "list") and not _provided(node, each)
            values.set(each.arg, Flow.REMOTE if remote and plain else Flow.UNKNOWN)
            if _annotated(each) in ("int", "float", "bool", "UUID"):
                values.set(each.arg, Flow.CONSTANT)
        if {each.arg for each in arguments} >= {"event", "context"}:
            values.set("event", Flow.REMOTE)
        for decorator in node.decorator_list:
            for inner in ast.walk(decorator):
                for rule in self._rules:
                    rule(scope, inner)
        for rule in self._rules:
            rule(scope, node)
        self.block(node.body, scope)

    def _assign(self, node: ast.stmt, scope: Scope) -> None:
        values = scope.values
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
            _bind(values, node.target, node.iter, values.of(node.iter) & (Flow.REMOTE | Flow.CONSTANT), loop=True)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                if item.optional_vars is not None:
                    _bind(values, item.optional_vars, item.context_expr, values.of(item.context_expr) & Flow.REMOTE)


def _bind(values: Values, target: ast.expr, value: ast.expr, flow: Flow, loop: bool = False) -> None:
    if isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)):
        # A name that is bound to something else keeps nothing of what it was.
        values.set(dotted(target), flow if isinstance(target, ast.Name) else flow & ~Flow.CONSTANT)
    elif isinstance(target, (ast.Tuple, ast.List)):
        parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) and not loop else []
        for number, each in enumerate(target.elts[:50]):
            part = values.of(parts[number]) if len(parts) == len(target.elts) else flow
            _bind(values, each, value, part)


def _target(node: ast.stmt) -> str:
    if isinstance(node, ast.Assign):
        return dotted(node.targets[0])
    if isinstance(node, (ast.AnnAssign, ast.AugAssign)):
        return dotted(node.target)
    return ""


def _expressions(node: ast.stmt) -> Iterator[ast.AST]:
    """Every expression of a statement, without the statements inside it."""
    stack: list[ast.AST] = [
        child for child in ast.iter_child_nodes(node) if not isinstance(child, (ast.stmt, ast.ExceptHandler))
    ]
    while stack:
        each = stack.pop()
        yield each
        if not isinstance(each, ast.match_case):
            stack.extend(child for child in ast.iter_child_nodes(each) if not isinstance(child, ast.stmt))


def _trust(node: ast.If, values: Values) -> None:
    """A value that a condition tests against a list or with a checking function counts as checked from there on."""
    for each in ast.walk(node.test):
        if isinstance(each, ast.Compare) and isinstance(each.ops[0], (ast.In, ast.NotIn, ast.Eq, ast.NotEq)):
            if isinstance(each.left, ast.Constant) or isinstance(each.comparators[0], ast.Constant):
                continue
            if isinstance(each.ops[0], (ast.In, ast.NotIn)):
                for name in ast.walk(each.left):
                    if isinstance(name, ast.Name):
                        values.trust(name.id)
        elif isinstance(each, ast.Call) and _CHECKING & {
            *words(dotted(each.func)),
            dotted(each.func).rpartition(".")[2],
        }:
            for name in ast.walk(each):
                if isinstance(name, ast.Name):
                    values.trust(name.id)


def routed(node: Function) -> tuple[frozenset[str], frozenset[str]]:
    """The methods that a decorator routes here (`get` where it names none), and parameters that it makes numbers."""
    for decorator in node.decorator_list:
        if not isinstance(decorator, ast.Call) or not isinstance(decorator.func, ast.Attribute):
            continue
        verb = decorator.func.attr
        path = constant_text(decorator.args[0]) if decorator.args else ""
        if verb not in _ROUTES or not path.startswith("/"):
            continue
        methods = {verb} if verb in _CHANGES else {"get"}
        for each in decorator.keywords:
            if each.arg == "methods" and isinstance(each.value, (ast.List, ast.Tuple, ast.Set)):
                methods = {constant_text(item).lower() for item in each.value.elts}
        return frozenset(methods), frozenset(_TYPED.findall(path))
    return frozenset(), frozenset()


def _annotated(argument: ast.arg) -> str:
    """The first name of an annotation."""
    node = argument.annotation
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.partition("[")[0].partition("|")[0].strip()
    while isinstance(node, (ast.Subscript, ast.BinOp)):
        node = node.value if isinstance(node, ast.Subscript) else node.left
    return dotted(node).rpartition(".")[2] if node is not None else ""


def _provided(node: Function, argument: ast.arg) -> bool:
    """Whether the framework provides the value: `db = Depends(get_db)`."""
    defaults = dict(zip([each.arg for each in node.args.args][::-1], node.args.defaults[::-1], strict=False))
    default = defaults.get(argument.arg)
    return isinstance(default, ast.Call) and dotted(default.func).rpartition(".")[2] in ("Depends", "Security")
