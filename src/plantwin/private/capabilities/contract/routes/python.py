"""Routes of Flask, FastAPI, Starlette, Django, aiohttp, Sanic and Bottle; calls of requests and httpx."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

from plantwin.private.capabilities.contract.routes import MOST, Route
from plantwin.private.capabilities.contract.routes.paths import joined, unified

LIMIT = 1 << 20
_METHODS = ("get", "post", "put", "delete", "patch", "head", "options")
_CLIENTS = re.compile(
    r"^(?:requests|httpx|session|client|http|self\.(?:_?session|_?client|_?http)|_session|_client|aiohttp)$"
)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def routes(text: str) -> tuple[list[Route], list[Route], bool]:
    """Routes and calls, and whether the text parses."""
    if len(text) > LIMIT:
        return [], [], False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [], [], False
    nodes = list(ast.walk(tree))
    prefixes = _prefixes(nodes)
    constants = {
        target.id: node.value.value
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    found: list[Route] = []
    calls: list[Route] = []
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for decorator in node.decorator_list:
                found += _decorated(decorator, node, prefixes, constants)
        elif isinstance(node, ast.Call):
            found += _called(node, prefixes)
            calls += _client(node, constants)
    return found[:MOST], calls[:MOST], True


def _text(node: ast.AST | None, constants: dict[str, str] | None = None) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "{value}"
            for part in node.values
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _text(node.left, constants), _text(node.right, constants)
        return (
            f"{left if left is not None else '{value}'}{right if right is not None else '{value}'}"
            if left or right
            else None
        )
    if isinstance(node, ast.Name) and constants:
        return constants.get(node.id)
    return None


def _keyword(call: ast.Call, *names: str) -> ast.expr | None:
    return next((each.value for each in call.keywords if each.arg in names), None)


def _name(node: ast.AST) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join(reversed([*parts, node.id])) if isinstance(node, ast.Name) else ""


def _prefixes(nodes: list[ast.AST]) -> dict[str, str]:
    """What stands before the routes of a blueprint or router."""
    own: dict[str, str] = {}
    outer: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Call):
            if _name(node.value.func).rpartition(".")[2] in ("Blueprint", "APIRouter", "Router", "APIBlueprint"):
                prefix = _text(_keyword(node.value, "url_prefix", "prefix")) or ""
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    own[_name(target)] = prefix
        elif isinstance(node, ast.Call) and _name(node.func).rpartition(".")[2] in (
            "include_router",
            "register_blueprint",
        ):
            prefix = _text(_keyword(node, "url_prefix", "prefix")) or ""
            if node.args and prefix:
                outer[_name(node.args[0]).rpartition(".")[2] or _name(node.args[0])] = prefix
    return {
        name: joined(outer.get(name, ""), prefix) if prefix or name in outer else "" for name, prefix in own.items()
    } | {name: prefix for name, prefix in outer.items() if name not in own}


def _decorated(
    decorator: ast.expr, function: Function, prefixes: dict[str, str], constants: dict[str, str]
) -> Iterator[Route]:
    if not isinstance(decorator, ast.Call) or not isinstance(decorator.func, ast.Attribute):
        return
    word = decorator.func.attr
    path = _text(decorator.args[0] if decorator.args else _keyword(decorator, "path", "rule"), constants)
    if path is None or (not path.startswith("/") and path != "" and word not in ("route",)):
        return
    if word in _METHODS:
        methods = [word]
    elif word in ("route", "api_route"):
        given = _keyword(decorator, "methods")
        methods = (
            [
                each.value.lower()
                for each in given.elts
                if isinstance(each, ast.Constant) and isinstance(each.value, str)
            ]
            if isinstance(given, (ast.List, ast.Tuple, ast.Set))
            else ["get"]
        )
    else:
        return
    prefix = prefixes.get(_name(decorator.func.value), "")
    whole, kinds = unified(joined(prefix, path) if prefix else path)
    statuses = _statuses(function, decorator)
    for argument in (*function.args.args, *function.args.kwonlyargs):
        note = argument.annotation
        if isinstance(note, ast.Name) and note.id in ("int", "float", "str") and f"{{{argument.arg}}}" in whole:
            kinds.setdefault(argument.arg, {"int": "integer", "float": "number", "str": "string"}[note.id])
    for method in methods:
        yield Route(method, whole, decorator.lineno, "Flask or FastAPI", statuses, kinds)


def _statuses(function: Function, decorator: ast.Call | None) -> dict[str, int]:
    """Statuses that a handler names."""
    found: dict[str, int] = {}

    def add(node: ast.AST | None, line: int) -> None:
        if isinstance(node, ast.Constant) and type(node.value) is int and 100 <= node.value < 600:
            found.setdefault(str(node.value), line)
        elif isinstance(node, ast.Attribute) and (match := re.match(r"HTTP_(\d{3})_", node.attr)):
            found.setdefault(match[1], line)

    if decorator is not None:
        add(_keyword(decorator, "status_code"), decorator.lineno)
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) and len(node.value.elts) in (2, 3):
            add(node.value.elts[1], node.lineno)
        elif isinstance(node, ast.Call):
            name = _name(node.func).rpartition(".")[2]
            if name in ("abort", "HTTPException") and node.args:
                add(node.args[0], node.lineno)
            if name in (
                "HTTPException",
                "Response",
                "JSONResponse",
                "JsonResponse",
                "HttpResponse",
                "make_response",
                "json_response",
            ):
                add(_keyword(node, "status_code", "status"), node.lineno)
    return found


def _called(node: ast.Call, prefixes: dict[str, str]) -> Iterator[Route]:
    """Django's path(), aiohttp's add_get(), Flask's add_url_rule()."""
    name = _name(node.func)
    word = name.rpartition(".")[2]
    first = _text(node.args[0]) if node.args else None
    if (
        word in ("path", "re_path", "url")
        and first is not None
        and len(node.args) > 1
        and name in ("path", "re_path", "url")
    ):
        view = node.args[1]
        if isinstance(view, ast.Call) and _name(view.func).rpartition(".")[2] == "include":
            return
        path, kinds = unified(first)
        yield Route("any", path, node.lineno, "Django", {}, kinds)
    elif word == "add_url_rule" and first is not None:
        given = _keyword(node, "methods")
        methods = (
            [
                each.value.lower()
                for each in given.elts
                if isinstance(each, ast.Constant) and isinstance(each.value, str)
            ]
            if isinstance(given, (ast.List, ast.Tuple))
            else ["get"]
        )
        path, kinds = unified(joined(prefixes.get(name.rpartition(".")[0], ""), first))
        for method in methods:
            yield Route(method, path, node.lineno, "Flask", {}, kinds)
    elif re.fullmatch(r"add_(?:get|post|put|delete|patch)", word) and first is not None and first.startswith("/"):
        path, kinds = unified(first)
        yield Route(word[4:], path, node.lineno, "aiohttp", {}, kinds)
    elif name in tuple(f"web.{method}" for method in _METHODS) and first is not None and first.startswith("/"):
        path, kinds = unified(first)
        yield Route(name[4:], path, node.lineno, "aiohttp", {}, kinds)


def _client(node: ast.Call, constants: dict[str, str]) -> Iterator[Route]:
    """Calls to an interface over HTTP."""
    name = _name(node.func)
    owner, _, word = name.rpartition(".")
    if not _CLIENTS.match(owner):
        return
    method, at = (word, 0) if word in _METHODS else ("", 1)
    if word == "request" and node.args:
        method = (_text(node.args[0]) or "").lower()
    if method not in _METHODS:
        return
    target = _text(node.args[at] if len(node.args) > at else _keyword(node, "url"), constants)
    path = called_path(target) if target else ""
    if path:
        yield Route(method, unified(path)[0], node.lineno, "client")


def called_path(target: str) -> str:
    """The path of an address that code puts together; empty where it has none."""
    target = re.sub(r"^(?:\{value\}|\$\{[^{}]{0,200}\})(?=/)", "", target)
    match = re.match(r"https?://[^/\s]{1,300}(/.*)?$", target)
    if match is not None:
        return match[1] or ""
    return target if target.startswith("/") and len(target) > 1 else ""
