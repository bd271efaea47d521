"""Routes of Go: net/http, gin, echo, chi, gorilla/mux, fiber and httprouter, with the prefixes of their routers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from plantwin.private.capabilities.check_api_contract.routes import LONGEST, MOST_ROUTES, Route, joined, normalized
from plantwin.private.facts import Private
from plantwin.private.formats.syntax_tree import tree_of

if TYPE_CHECKING:
    from tree_sitter import Node

_VERBS = ("get", "post", "put", "delete", "patch", "head", "options")
_MADE = re.compile(
    r"(?:gin|echo|mux|fiber|chi|httprouter|iris|http)\.(?:Default|New|NewRouter|NewMux|NewServeMux)$", re.IGNORECASE
)
_TYPE = re.compile(
    r"^(?P<whole>\*(?:echo\.Echo|gin\.Engine|fiber\.App|chi\.Mux|mux\.Router|http\.ServeMux|httprouter\.Router))$"
    r"|^(?:\*gin\.RouterGroup|gin\.IRout(?:er|es)|\*echo\.Group|chi\.Router|fiber\.Router)$"
)
"""Types of routers; `whole` are those that are usually handed on without a prefix."""
_ROUTER = re.compile(rb"\b(?:gin|echo|chi|mux|fiber|httprouter|iris)\.|\bServeMux\b|\.Handle(?:Func)?\(")
_PATTERN = re.compile(r"(?:([A-Z]{3,7})[ \t]+)?[\w.-]{0,200}(/.*)$")
"""A pattern of net/http since Go 1.22: method, host and path."""
_METHOD = re.compile(r"[A-Z]{3,7}[ \t]")
_CHAINED = ("Methods", "Path", "PathPrefix", "NewRoute", "Host", "Schemes", "Headers", "Queries", "Name", "MatcherFunc")
_LAST_PARAMETER = re.compile(r"(?<=/)\*(\w{1,80})$")
_CONSTRAINT = re.compile(r"(:\w{1,80})<[^<>]{0,80}>")
_DEEPEST = 8
"""Routers within routers."""


@dataclass(slots=True, eq=False, repr=False)
class _Root(Private):
    """A router as it is made, or handed to a function."""

    whole: bool
    """Whether its paths are whole where nothing in the file mounts it."""
    parents: dict[tuple[int, str], _Router] = field(default_factory=dict)

    def prefixes(self, deep: int = 0) -> Iterator[str]:
        """Yield what stands before its paths, for every place where it is mounted."""
        if not self.parents and self.whole:
            yield ""
        for parent in self.parents.values() if deep < _DEEPEST else ():
            for prefix in parent.root.prefixes(deep + 1):
                yield joined(prefix, parent.prefix)

    def mount(self, router: _Router) -> None:
        """Note where it is mounted."""
        if router.root is not self:
            self.parents[id(router.root), router.prefix] = router


@dataclass(slots=True, repr=False)
class _Router(Private):
    root: _Root
    prefix: str = ""
    methods: tuple[str, ...] = ()
    is_route: bool = False
    """Whether it is one route of gorilla/mux, which is built call by call, and not a router."""
    handled: bool = False
    is_prefix: bool = False


_Scope = dict[str, _Router]


def read(text: str) -> list[Route]:
    """Return the routes of a source file."""
    data = text.encode("utf-8", "replace")
    tree = tree_of("go", data) if len(data) <= LONGEST and _ROUTER.search(data) else None
    if tree is None:
        return []
    try:
        file = _File(tree.root_node)
    except RecursionError:  # texts that are put together from thousands of parts: generated, and no router
        return []
    found: list[Route] = []
    for root, path, method, line in file.routes:
        for prefix in dict.fromkeys(root.prefixes()):
            whole, types = normalized(joined(prefix, path))
            found.append(Route(method, whole, line, types=types))
    return found[:MOST_ROUTES]


def _text(node: Node | None) -> str:
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


class _File:
    """What one file declares. It is read twice, since a function may be called before it is written."""

    def __init__(self, root: Node) -> None:
        self.routes: dict[tuple[_Root, str, str, int], None] = {}
        self._constants: dict[str, str] = {}
        self._roots: dict[int, _Root] = {}
        self._fields: _Scope = {}
        self._returned: dict[str, _Router] = {}
        self._parameters: dict[str, list[_Root | None]] = {}
        self._function = ""
        self._is_echo = b"labstack/echo" in (root.text or b"")
        """Echo appends a path to that of its group as it is written: `group.GET("s", …)`."""
        for _ in range(2):
            self.routes.clear()
            self._walk(root, self._fields)

    def _root(self, node: Node, whole: bool) -> _Root:
        return self._roots.setdefault(node.start_byte, _Root(whole))

    def _walk(self, node: Node, scope: _Scope) -> None:
        if node.type in ("function_declaration", "method_declaration", "func_literal"):
            self._enter(node, scope)
            return
        pairs = ("short_var_declaration", "assignment_statement", "var_spec", "const_spec")
        if node.type in pairs:
            self._assign(node, scope)
        elif node.type in ("keyed_element", "field_declaration"):
            self._field(node, scope)
        elif node.type == "return_statement" and self._function:
            for value in node.named_children[:1]:
                router = self._router(value.named_children[0], scope) if value.named_children else None
                if router is not None:
                    self._returned[self._function] = router
        elif node.type == "call_expression" and not _is_chained(node):
            self._emit(node, self._router(node, scope, walk=True))
            return
        for child in node.named_children:
            self._walk(child, scope)

    def _enter(self, node: Node, scope: _Scope, router: _Router | None = None) -> None:
        """Walk a function in a scope of its own; `router`: what its first parameter of such a type is."""
        inner, outer = dict(scope), self._function
        name = _text(node.child_by_field_name("name"))
        roots: list[_Root | None] = []
        parameters = node.child_by_field_name("parameters")
        for parameter in parameters.named_children if parameters is not None else ():
            match = _TYPE.match(_text(parameter.child_by_field_name("type")))
            for named in parameter.children_by_field_name("name"):
                roots.append(self._root(named, bool(match["whole"])) if match is not None else None)
                made, router = (router, None) if match is not None and router is not None else (None, router)
                if roots[-1] is not None:
                    inner[_text(named)] = made or _Router(roots[-1])
        if name:
            # A method and a function of one name are two.
            self._function = f".{name}" if node.type == "method_declaration" else name
            self._parameters[self._function] = roots
        for child in node.named_children:
            self._walk(child, inner)
        self._function = outer

    def _assign(self, node: Node, scope: _Scope) -> None:
        left = node.child_by_field_name("left")
        names = left.named_children if left is not None else node.children_by_field_name("name")
        values = node.child_by_field_name("right") or node.child_by_field_name("value")
        for name, value in zip(names, values.named_children if values is not None else (), strict=False):
            text = _text(name)
            if node.type == "const_spec" and (constant := self._string(value)) is not None:
                self._constants[text] = constant
            elif (router := self._router(value, scope)) is not None:
                scope[text] = router
                if "." in text:
                    self._fields[text.rpartition(".")[2]] = router
            else:
                scope.pop(text, None)

    def _field(self, node: Node, scope: _Scope) -> None:
        if node.type == "keyed_element":
            key, value = node.named_children[0], node.named_children[-1]
            router = self._router(value.named_children[0], scope) if value.named_children else None
            if router is not None:
                self._fields[_text(key)] = router
            return
        match = _TYPE.match(_text(node.child_by_field_name("type")))
        if match is not None and match["whole"]:
            for name in node.children_by_field_name("name"):
                self._fields.setdefault(_text(name), _Router(self._root(name, whole=True)))

    def _string(self, node: Node | None) -> str | None:
        """Return the value of an expression that is a constant text."""
        text = _text(node)
        if node is None:
            return None
        if node.type in ("interpreted_string_literal", "raw_string_literal"):
            return text[1:-1]
        if node.type in ("expression_list", "parenthesized_expression") and node.named_child_count == 1:
            return self._string(node.named_children[0])
        if node.type == "binary_expression":
            parts = [self._string(node.child_by_field_name(side)) for side in ("left", "right")]
            return "".join(part or "" for part in parts) if None not in parts else None
        if node.type == "call_expression" and _text(node.child_by_field_name("function")) == "path.Join":
            parts = [self._string(part) for part in _arguments(node)]
            return joined(*(part or "" for part in parts)) if None not in parts else None
        if text.startswith(("http.Method", "fiber.Method", "echo.")):
            return text.rpartition(".")[2].removeprefix("Method").upper()
        return self._constants.get(text)

    def _router(self, node: Node, scope: _Scope, *, walk: bool = False) -> _Router | None:
        """Return the router, or the route that is built, that an expression gives; with `walk`, visit what is in it."""
        if node.type != "call_expression":
            text = _text(node)
            return scope.get(text) or (self._fields.get(text.rpartition(".")[2]) if "." in text else None)
        function, arguments = node.child_by_field_name("function"), _arguments(node)
        name = _text(function)
        if _MADE.fullmatch(name):
            return _Router(self._root(node, whole=True))
        target, called = None, name
        if function is not None and function.type == "selector_expression":
            operand, name = function.child_by_field_name("operand"), _text(function.child_by_field_name("field"))
            called = f".{name}"
            target = self._router(operand, scope, walk=walk) if operand is not None else None
            if _text(operand) == "http" and name.startswith("Handle"):
                target = _Router(self._roots.setdefault(-1, _Root(whole=True)))
        self._hand_over(called, arguments, scope)
        paths = [value for value in map(self._string, arguments[:2]) if value is not None]
        made = self._method(node, target, name, paths, scope) if target is not None else None
        if target is None and name in ("HandleFunc", "Handle") and paths and _METHOD.match(paths[0]):
            self._add(_Router(self._roots.setdefault(-1, _Root(whole=True))), arguments[0], paths[0])
        if walk:
            for argument in arguments:
                if argument.type == "func_literal":
                    self._enter(argument, scope, made or target)
                else:
                    self._walk(argument, scope)
        return made or (self._returned.get(called) if target is None else None)

    def _hand_over(self, name: str, arguments: list[Node], scope: _Scope) -> None:
        """Note which routers are handed to a function of this file."""
        for root, argument in zip(self._parameters.get(name, ()), arguments, strict=False):
            router = self._router(argument, scope) if root is not None else None
            if root is not None and router is not None:
                root.mount(router)

    def _method(self, node: Node, target: _Router, name: str, paths: list[str], scope: _Scope) -> _Router | None:
        """Return what a method of a router gives, and keep the routes that it adds."""
        arguments = _arguments(node)
        first = paths[0] if paths else ""
        if name in _CHAINED or target.is_route:
            return self._built(target, name, arguments, first)
        if name in ("Group", "Route"):
            return _Router(target.root, joined(target.prefix, first))
        if name in ("With", "Use", "Subrouter", "StrictSlash", "UseEncodedPath") and not first:
            return target
        if name in ("Mount", "Use", "Handle") and len(arguments) > 1:
            mounted = self._mounted(arguments[-1], scope)
            if mounted is not None:
                mounted.root.mount(_Router(target.root, joined(target.prefix, first)))
                return None
        verb = name.lower()
        if len(arguments) < 2:
            return None
        if verb in _VERBS and name in (verb.upper(), verb.title()) and paths:
            self._add(target, arguments[0], first, (verb,))
        elif name in ("Any", "All") and paths:
            self._add(target, arguments[0], first)
        elif name in ("Handle", "HandleFunc", "Handler", "HandlerFunc", "Method", "MethodFunc", "Add") and paths:
            if len(paths) > 1 and first.lower() in _VERBS:
                self._add(target, arguments[1], paths[1], (first.lower(),))
            elif _METHOD.match(first):
                self._add(target, arguments[0], first)
            elif name in ("Handle", "HandleFunc"):
                return _Router(target.root, joined(target.prefix, first), is_route=True, handled=True)
        elif name in ("Match", "Add") and paths and arguments[0].type == "composite_literal":
            literal = arguments[0].child_by_field_name("body")
            items = (item.named_children[0] for item in literal.named_children) if literal is not None else ()
            self._add(target, arguments[1], first, tuple((self._string(item) or "").lower() for item in items))
        return None

    def _mounted(self, node: Node, scope: _Scope) -> _Router | None:
        """Return the router that an expression mounts, through `http.StripPrefix` too."""
        while node.type == "call_expression" and _text(node.child_by_field_name("function")) == "http.StripPrefix":
            node = _arguments(node)[-1]
        return self._router(node, scope)

    def _built(self, target: _Router, name: str, arguments: list[Node], first: str) -> _Router | None:
        """Return a route of gorilla/mux with what one more call says of it."""
        methods, prefix = target.methods, target.prefix
        if name == "Subrouter":
            return _Router(target.root, prefix)
        if name == "Methods":
            methods = tuple((self._string(argument) or "").lower() for argument in arguments)
        elif name in ("Path", "PathPrefix"):
            prefix = joined(prefix, first)
        handled = target.handled or name in ("Handler", "HandlerFunc")
        return _Router(target.root, prefix, methods, True, handled, target.is_prefix or name == "PathPrefix")

    def _emit(self, node: Node, router: _Router | None) -> None:
        """Keep a route that is built, once all is said of it."""
        if router is None or not router.is_route or not router.handled or router.is_prefix:
            return
        self._add(_Router(router.root), node, router.prefix, router.methods)

    def _add(self, target: _Router, at: Node, path: str, methods: tuple[str, ...] = ()) -> None:
        if not methods and (match := _PATTERN.match(path)) is not None:
            methods, path = ((match[1].lower(),) if match[1] else ()), match[2]
        if " " in path or (path and not path.startswith("/") and not re.match(r"[\w:{*-]", path)):
            return
        path = _CONSTRAINT.sub(r"\1", _LAST_PARAMETER.sub(r"{\1}", path.removesuffix("{$}")))
        whole = target.prefix + path if self._is_echo else joined(target.prefix, path)
        for method in methods or ("any",):
            self.routes[target.root, whole, method or "any", at.start_point[0] + 1] = None


def _arguments(node: Node) -> list[Node]:
    arguments = node.child_by_field_name("arguments")
    return [child for child in arguments.named_children if child.type != "comment"] if arguments is not None else []


def _is_chained(node: Node) -> bool:
    """Tell whether another method is called on what a call gives."""
    above = node.parent
    return (
        above is not None
        and above.type == "selector_expression"
        and above.parent is not None
        and above.parent.type == "call_expression"
        and above.parent.child_by_field_name("function") == above
    )
