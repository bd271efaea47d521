"""Routes of Flask, FastAPI, Starlette, Django, aiohttp, Sanic and Bottle; calls of requests and httpx."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from plantwin.private.capabilities.check_api_contract.routes import (
    LONGEST,
    MOST_ROUTES,
    Route,
    called_path,
    joined,
    normalized,
)
from plantwin.private.formats.python import parse

_METHODS = ("get", "post", "put", "delete", "patch", "head", "options")
_CLIENTS = re.compile(
    r"requests|httpx|session|client|http|self\.(?:_?session|_?client|_?http)|_session|_client|aiohttp"
)
_ROUTERS = ("Blueprint", "APIRouter", "Router", "APIBlueprint")
_RESPONSES = (
    "HTTPException", "Response", "JSONResponse", "JsonResponse", "HttpResponse", "make_response", "json_response",
)  # fmt: skip
_ANNOTATIONS = {"int": "integer", "float": "number", "str": "string"}
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def read(text: str) -> tuple[list[Route], list[Route], bool]:
    """Return routes and calls, and whether the text parses."""
    tree = parse(text) if len(text) <= LONGEST else None
    if tree is None:
        return [], [], False
    nodes = list(ast.walk(tree))
    module = _Module(nodes)
    routes: list[Route] = []
    calls: list[Route] = []
    for node in nodes:
        if isinstance(node, _Function):
            for decorator in node.decorator_list:
                routes += module.decorated(decorator, node)
        elif isinstance(node, ast.Call):
            routes += module.registered(node)
            calls += module.client_call(node)
    return routes[:MOST_ROUTES], calls[:MOST_ROUTES], True


class _Module:
    """The text constants of a module, and the prefixes of its routers."""

    def __init__(self, nodes: list[ast.AST]) -> None:
        self.constants: dict[str, str] = {}
        for node in nodes:
            value = node.value if isinstance(node, ast.Assign) else None
            if isinstance(node, ast.Assign) and isinstance(value, ast.Constant) and isinstance(value.value, str):
                self.constants |= {target.id: value.value for target in node.targets if isinstance(target, ast.Name)}
        self.prefixes = _prefixes(nodes)

    def decorated(self, decorator: ast.expr, function: _Function) -> Iterator[Route]:
        """Yield what a decorator such as `@app.get("/items")` declares."""
        if not isinstance(decorator, ast.Call) or not isinstance(decorator.func, ast.Attribute):
            return
        word = decorator.func.attr
        path = _text(decorator.args[0] if decorator.args else _keyword(decorator, "path", "rule"), self.constants)
        if path is None or (path and not path.startswith("/") and word != "route"):
            return
        if word not in (*_METHODS, "route", "api_route"):
            return
        methods = [word] if word in _METHODS else _methods(decorator)
        prefix = self.prefixes.get(_name(decorator.func.value), "")
        whole, types = normalized(joined(prefix, path) if prefix else path)
        for argument in (*function.args.args, *function.args.kwonlyargs):
            annotation = argument.annotation
            if isinstance(annotation, ast.Name) and annotation.id in _ANNOTATIONS and f"{{{argument.arg}}}" in whole:
                types.setdefault(argument.arg, _ANNOTATIONS[annotation.id])
        statuses = _statuses(function, decorator)
        for method in methods:
            yield Route(method, whole, decorator.lineno, statuses, types)

    def registered(self, call: ast.Call) -> Iterator[Route]:
        """Yield what `path()` of Django, `add_get()` of aiohttp, and two ways of Flask declare."""
        name = _name(call.func)
        owner, _, word = name.rpartition(".")
        if word == "add_resource":
            for below in filter(None, map(_text, call.args[1:])):
                yield Route("any", normalized(joined(self.prefixes.get(owner, ""), below))[0], call.lineno)
            return
        path = _text(call.args[0]) if call.args else None
        if path is None:
            return
        methods: list[str] = []
        if name in ("path", "re_path", "url") and len(call.args) > 1:
            view = call.args[1]
            if not (isinstance(view, ast.Call) and _name(view.func).rpartition(".")[2] == "include"):
                methods = ["any"]
        elif word == "register" and "router" in owner.lower() and len(call.args) > 1:  # Django REST framework
            base = joined("", path.strip("/"))
            yield from (Route("any", whole, call.lineno) for whole in (base, f"{base}/{{id}}"))
        elif word == "add_url_rule":
            methods, path = _methods(call), joined(self.prefixes.get(owner, ""), path)
        elif path.startswith("/") and (owner == "web" or word.startswith("add_")):
            methods = [method for method in _METHODS if word in (method if owner == "web" else "", f"add_{method}")]
        whole, types = normalized(path)
        for method in methods:
            yield Route(method, whole, call.lineno, types=types)

    def client_call(self, call: ast.Call) -> Iterator[Route]:
        """Yield a call to an interface over HTTP."""
        owner, _, word = _name(call.func).rpartition(".")
        if not _CLIENTS.fullmatch(owner):
            return
        method, position = (word, 0) if word in _METHODS else ("", 1)
        if word == "request" and call.args:
            method = (_text(call.args[0]) or "").lower()
        target = _text(call.args[position] if len(call.args) > position else _keyword(call, "url"), self.constants)
        path = called_path(target) if target else ""
        if method in _METHODS and path:
            yield Route(method, normalized(path)[0], call.lineno)


def _text(node: ast.AST | None, constants: dict[str, str] | None = None) -> str | None:
    """Return a text that code puts together, with `{value}` for what is computed."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(_text(part) or "{value}" for part in values)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            parts = [_text(left, constants), _text(right, constants)]
            return "".join("{value}" if part is None else part for part in parts) if any(parts) else None
        case ast.Name(id=name) if constants:
            return constants.get(name)
    return None


def _keyword(call: ast.Call, *names: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg in names), None)


def _methods(call: ast.Call) -> list[str]:
    """Return the methods that a call lists."""
    given = _keyword(call, "methods")
    if not isinstance(given, (ast.List, ast.Tuple, ast.Set)):
        return ["get"]
    return [text.lower() for item in given.elts if (text := _text(item)) is not None]


def _name(node: ast.AST) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join(reversed([*parts, node.id])) if isinstance(node, ast.Name) else ""


def _prefixes(nodes: list[ast.AST]) -> dict[str, str]:
    """Return what stands before the routes of each blueprint or router."""
    own: dict[str, str] = {}
    outer: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Call):
            if _name(node.value.func).rpartition(".")[2] in _ROUTERS:
                prefix = _text(_keyword(node.value, "url_prefix", "prefix")) or ""
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                own |= {_name(target): prefix for target in targets}
        elif isinstance(node, ast.Call) and node.args:
            included = _name(node.func).rpartition(".")[2] in ("include_router", "register_blueprint")
            prefix = _text(_keyword(node, "url_prefix", "prefix")) or "" if included else ""
            if prefix:
                outer[_name(node.args[0]).rpartition(".")[2]] = prefix
    whole = {name: joined(outer.get(name, ""), prefix) for name, prefix in own.items() if prefix or name in outer}
    return outer | whole


def _statuses(function: _Function, decorator: ast.Call) -> dict[str, int]:
    """Return the statuses that a handler names, with their lines."""
    found: dict[str, int] = {}

    def add(node: ast.AST | None, line: int) -> None:
        if isinstance(node, ast.Constant) and type(node.value) is int and 100 <= node.value < 600:
            found.setdefault(str(node.value), line)
        elif isinstance(node, ast.Attribute) and (match := re.match(r"HTTP_(\d{3})_", node.attr)):
            found.setdefault(match[1], line)

    add(_keyword(decorator, "status_code"), decorator.lineno)
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) and len(node.value.elts) in (2, 3):
            add(node.value.elts[1], node.lineno)
        elif isinstance(node, ast.Call):
            name = _name(node.func).rpartition(".")[2]
            if name in ("abort", "HTTPException") and node.args:
                add(node.args[0], node.lineno)
            if name in _RESPONSES:
                add(_keyword(node, "status_code", "status"), node.lineno)
    return found
