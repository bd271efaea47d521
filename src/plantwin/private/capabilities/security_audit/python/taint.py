"""A small taint analysis: which values are constant, which come from a request, which are SQL made from parts.

First come names in a syntax tree: what a callee is called in full, and what a value's name tells.
"""

from __future__ import annotations

import ast
import re
from itertools import pairwise

from plantwin.private.formats.lexicon import beside

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
WORDS = {name: frozenset(values) for name, values in beside(__file__, "words.toml").items()}
"""The lists of `words.toml`."""


def words(name: str) -> list[str]:
    """Return the lower-case words of an identifier: `resetToken` and `RESET_TOKEN` have the same two."""
    return [word.lower() for word in _WORD.findall(name[:200])]


def dotted(node: ast.expr) -> str:
    """Return `a.b.c` of an attribute chain; a call or subscript inside it is passed through as `()`/`[]`."""
    parts: list[str] = []
    while True:
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            parts.append("()")
            node = node.func
        elif isinstance(node, ast.Subscript):
            parts.append("[]")
            node = node.value
        elif isinstance(node, ast.Await):
            node = node.value
        else:
            parts.append(node.id if isinstance(node, ast.Name) else "?")
            return ".".join(reversed(parts))


def last(name: str) -> str:
    """Return the last part of a dotted name."""
    return name.rpartition(".")[2]


def terminal(node: ast.expr) -> str:
    """Return the last identifier that names a value: of `card["number"]` it is `card_number`."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript):
        inner, key = terminal(node.value), constant_text(node.slice)
        return f"{inner}_{key}" if key else inner
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            method = node.func.attr
            if method in ("get", "pop", "getenv") and node.args and constant_text(node.args[0]):
                return constant_text(node.args[0])
            if method in ("encode", "decode", "strip"):
                return terminal(node.func.value)
        return terminal(node.func)
    if isinstance(node, ast.Await):
        return terminal(node.value)
    return ""


class Imports:
    """Local names to full ones, so that `from os import system as s` hides nothing."""

    def __init__(self, tree: ast.Module) -> None:
        self._full: dict[str, str] = {}
        self.modules: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    top = alias.name.partition(".")[0]
                    self.modules.add(top)
                    self._full[alias.asname or top] = alias.name if alias.asname else top
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                self.modules.add(node.module.partition(".")[0])
                for alias in node.names:
                    self._full[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def full(self, name: str) -> str:
        """Return the full form of a dotted name."""
        first, dot, rest = name.partition(".")
        return self._full.get(first, first) + dot + rest


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """Return the value of a keyword argument."""
    return next((given.value for given in call.keywords if given.arg == name), None)


def is_constant(node: ast.AST | None, *values: object) -> bool:
    """Whether a node is one of these constants, of the same type."""
    return isinstance(node, ast.Constant) and any(
        type(node.value) is type(value) and node.value == value for value in values
    )


def constant_text(node: ast.AST | None) -> str:
    """Return the text of a string constant, else nothing."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


UNKNOWN = 0
"""Neither constant, nor seen where it comes from."""
CONSTANT = 1
"""Fixed in the code, or a number."""
TAINTED = 2
"""From a request: whoever can reach the program chooses it."""
SQL = 4
"""A statement put together from parts that are not constant."""
IDENTIFIERS = 8
"""Those parts are names of tables and columns only."""
BUILT = 16
"""A string put together from parts that are not constant."""
_MOST_PARTS = 200
_STATEMENT = re.compile(
    r"\s*+(?:\(?\s*select\b.{1,2000}?\bfrom\b|insert\s+(?:or\s+\w+\s+)?into\b|replace\s+into\b|update\b.{1,400}?\bset\b"
    r"|delete\s+from\b|drop\s+(?:table|database|index|view|schema|user)\b|alter\s+(?:table|database|user)\b"
    r"|create\s+(?:table|database|index|view|user|schema)\b|truncate\s+table\b|grant\s+\w|exec(?:ute)?\s+\w+\.|merge\s+into\b"
    r"|with\s+\w+\s+as\s*\(|call\s+\w+\()",
    re.IGNORECASE | re.DOTALL,
)
_NAMES = re.compile(r"(?i)\b(?:from|join|into|table|update|index|order by|group by)\s+[`\"\[]?$")
"""After these a statement has a name."""
_DEFINITION = re.compile(r"(?i)\s*+(?:grant|create|alter|drop|truncate)\b")
"""Statements that take no parameters: outside of quotes they hold names."""
_REQUESTS = frozenset(("request", "req", "flask_request", "self.request", "self.req"))
_REQUEST_OBJECTS = frozenset(("flask.request", "bottle.request", "quart.request", "sanic.request"))
_NUMBERS = frozenset(("int", "float", "len", "bool", "round", "abs", "UUID"))


class Values:
    """Values of one function, or of the module, as far as they are known where the analysis has got to."""

    def __init__(self, imports: Imports, outer: Values | None = None) -> None:
        self.imports = imports
        self._known: dict[str, int] = {}
        self._outer = outer

    def set(self, name: str, flow: int) -> None:
        """Note what a name holds from here on."""
        self._known[name] = flow

    def trust(self, name: str) -> None:
        """Note that a check has looked at this value."""
        self._known[name] = self.get(name) & ~TAINTED

    def get(self, name: str) -> int:
        """Return what a name holds."""
        found = self._known.get(name)
        if found is None:
            found = self._outer.get(name) if self._outer is not None else UNKNOWN
        return CONSTANT if found == UNKNOWN and name.isupper() and len(name) > 1 else found

    def of(self, node: ast.expr | None, depth: int = 0) -> int:
        """Return what an expression is."""
        if depth > 40 and not isinstance(node, ast.Constant):
            return UNKNOWN
        depth += 1
        match node:
            case None | ast.Constant() | ast.Compare() | ast.Lambda() | ast.UnaryOp(op=ast.Not()):
                return CONSTANT
            case ast.Name(id=name):
                return self.get(name)
            case ast.Attribute() | ast.Subscript():
                return self._member(node, depth)
            case ast.JoinedStr(values=values):
                return self._joined(
                    [value.value if isinstance(value, ast.FormattedValue) else value for value in values], depth
                )
            case ast.BinOp():
                return self._operation(node, depth)
            case ast.Call():
                return self._call(node, depth)
            case ast.IfExp(body=body, orelse=orelse):
                return self._any([body, orelse], depth)
            case ast.BoolOp(values=nodes) | ast.Tuple(elts=nodes) | ast.List(elts=nodes) | ast.Set(elts=nodes):
                return self._any(nodes, depth)
            case ast.Dict(values=nodes):
                return self._any(nodes, depth)
            case ast.Await(value=inner) | ast.Starred(value=inner) | ast.NamedExpr(value=inner):
                return self.of(inner, depth)
            case ast.UnaryOp(operand=inner):
                return self.of(inner, depth)
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                values_inside = Values(self.imports, self)
                for generator in node.generators:
                    if isinstance(generator.target, ast.Name):
                        values_inside.set(generator.target.id, self.of(generator.iter, depth))
                return values_inside.of(node.elt, depth)
        return UNKNOWN

    def _any(self, nodes: list[ast.expr], depth: int) -> int:
        flows = [self.of(node, depth) for node in nodes[:_MOST_PARTS]]
        joined = UNKNOWN
        for flow in flows:
            joined |= flow & ~CONSTANT
        return joined | CONSTANT if all(flow & CONSTANT for flow in flows) else joined

    def _member(self, node: ast.Attribute | ast.Subscript, depth: int) -> int:
        name = dotted(node)
        known = self._known.get(name)
        if known is not None:
            return known
        if self.requested(name):
            return TAINTED
        inner = self.of(node.value, depth)
        if isinstance(node, ast.Attribute) and node.attr.isupper() and len(node.attr) > 1:
            return CONSTANT
        return inner & (TAINTED | CONSTANT)

    def requested(self, name: str) -> bool:
        """Whether a dotted name is a part of a request that its sender chooses."""
        head, _, rest = name.partition(".")
        full = self.imports.full(head)
        if head == "self":
            second, _, rest = rest.partition(".")
            head = full = f"self.{second}"
        if head in _REQUESTS or full in _REQUEST_OBJECTS:
            return rest.partition(".")[0] in WORDS["request_part"]
        return name.startswith("event.[]") and bool(self.get("event") & TAINTED)

    def _joined(self, parts: list[ast.expr], depth: int) -> int:
        """Return what a string made from parts is."""
        parts = parts[:_MOST_PARTS]
        # Each part is looked at once: nested strings must not cost more than their text.
        flows = [self.of(part, depth) for part in parts]
        joined = UNKNOWN
        for flow in flows:
            joined |= flow & (TAINTED | SQL | IDENTIFIERS)
        loose = [(part, flow) for part, flow in zip(parts, flows, strict=True) if not flow & CONSTANT]
        if not loose:
            return joined | CONSTANT
        text = "".join(constant_text(part) or " ? " for part in parts)
        if _STATEMENT.match(text[:4000]):
            joined |= SQL | IDENTIFIERS
        defines = _DEFINITION.match(text) is not None
        befores = [constant_text(before) for before, _ in pairwise([ast.Constant(""), *parts])]
        places = [bool(_NAMES.search(text)) or (defines and not text.endswith("'")) for text in befores]
        named = {id(part) for part, place in zip(parts, places, strict=True) if place}
        if not all(_identifier(part, flow) or flow & IDENTIFIERS or id(part) in named for part, flow in loose):
            joined &= ~IDENTIFIERS
        return joined | BUILT

    def _operation(self, node: ast.BinOp, depth: int) -> int:
        if isinstance(node.op, ast.Add):
            parts: list[ast.expr] = []
            left: ast.expr = node
            while isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add) and len(parts) < _MOST_PARTS:
                parts.append(left.right)
                left = left.left
            return self._joined([left, *reversed(parts)], depth)
        if isinstance(node.op, ast.Mod):
            values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
            return self._joined([node.left, *values], depth)
        if isinstance(node.op, (ast.Mult, ast.Div)):
            one, other = self.of(node.left, depth), self.of(node.right, depth)
            if isinstance(node.op, ast.Div):  # a path below a path
                return ((one | other) & TAINTED) | (one & other & CONSTANT)
            return (one | other) & CONSTANT
        return self._any([node.left, node.right], depth)

    def _call(self, node: ast.Call, depth: int) -> int:
        name = dotted(node.func)
        if self.requested(name):
            return TAINTED
        full = self.imports.full(name)
        called = last(full)
        if WORDS["sanitizer"] & {called, full}:
            return CONSTANT if called in _NUMBERS else UNKNOWN
        arguments = [*node.args, *(given.value for given in node.keywords)]
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if isinstance(node.func, ast.Attribute) and method == "format":
            return self._joined([node.func.value, *arguments], depth)
        if method == "join" and node.args and "path" not in full:
            return self.of(node.args[0], depth) & (TAINTED | CONSTANT)
        if called in ("text", "dedent", "SQL") and node.args:
            return self.of(node.args[0], depth)
        if WORDS["passing"] & {called, full}:
            if isinstance(node.func, ast.Attribute) and not full.startswith(("os.", "json.", "urllib.", "pathlib.")):
                arguments.insert(0, node.func.value)
            return self._any(arguments, depth) if arguments else UNKNOWN
        return UNKNOWN


def _identifier(node: ast.expr, flow: int) -> bool:
    """Whether a part is, by its name, the name of a table or column, or a list of placeholders."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join":
        node = node.args[0] if node.args else node
        if isinstance(node, (ast.GeneratorExp, ast.ListComp)):
            node = node.elt
    parts = [word for word in words(terminal(node)) if not word.isdigit()]
    return bool(parts) and parts[-1] in WORDS["identifier"] and not flow & TAINTED
