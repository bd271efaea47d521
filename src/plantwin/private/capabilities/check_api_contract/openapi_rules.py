"""Whether an OpenAPI contract is valid: required parts, references, parameters, schemas, security."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.check_api_contract.openapi import (
    CHANGING_METHODS,
    METHODS,
    PATH_PARAMETER,
    Operation,
    operations,
    resolve,
    security_schemes,
)
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.formats.document import Document
from plantwin.private.formats.node import LIST, MAP, NUMBER, TEXT, Node, walk
from plantwin.vocabulary import Severity

RULES = Rules("openapi")
_TYPES = frozenset(("string", "number", "integer", "boolean", "array", "object", "null", "file"))
_PARAMETER_PLACES = ("query", "header", "path", "cookie", "body", "formData")
_PATH_ITEM_KEYS = frozenset(
    (*METHODS, "parameters", "summary", "description", "servers", "$ref", "query", "additionalOperations")
)
_OPEN_SCHEMA_KEYS = frozenset(("allOf", "$ref", "additionalProperties", "patternProperties"))
_SCHEMA_HOLDERS = frozenset(("properties", "schemas", "definitions", "allOf", "anyOf", "oneOf"))
_PUBLIC_PATH = re.compile(
    r"(?:^|[/_-])(?:login|log-in|signin|sign-in|signup|register|registration|token|oauth2?|auth|session|sessions"
    r"|health\w*|ready\w*|live\w*|ping|status|version|metrics|docs|openapi\S*|public|password|reset|forgot|callback"
    r"|webhooks?|well-known|jwks\S*|csrf|captcha|robots\S*|favicon\S*)(?:$|[/_.-])",
    re.IGNORECASE,
)
"""Paths that are rightly open to all."""
_PLAIN_HTTP = re.compile(r"http://(?!localhost|127\.|\[::1\]|0\.0\.0\.0|host\.docker)")


def findings(document: Document) -> Iterator[Finding]:
    """Yield what is wrong with the contract itself."""
    root = document.root
    version = root.value("openapi") or root.value("swagger")
    if not re.match(r"3\.[0-9]+|2\.0", version):
        yield RULES.found("OPENAPI-VERSION", root.line_of("openapi"))
    yield from _info(root)
    if "paths" not in root.map and not version.startswith("3.1"):
        yield RULES.found("OPENAPI-PATHS", 1)
    yield from _references(root)
    yield from _paths(root)
    every = list(operations(document))
    first_lines: dict[str, int] = {}
    for operation in every:
        yield from _responses(operation)
        yield from _parameters(operation)
        id_ = operation.node.value("operationId")
        if id_ and first_lines.setdefault(id_, operation.line) != operation.line:
            line = operation.node.line_of("operationId")
            yield RULES.found("OPENAPI-OPERATION-ID", line, id=id_[:80], first=first_lines[id_])
        if operation.method in ("get", "head") and "requestBody" in operation.node.map:
            yield RULES.found("OPENAPI-GET-BODY", operation.body_line, operation=operation.title)
    yield from _schemas(root)
    yield from _security(root, every)
    for server in root.entries("servers"):
        if _PLAIN_HTTP.match(server.value("url")):
            yield RULES.found("OPENAPI-SERVER-HTTP", server.line)


def _info(root: Node) -> Iterator[Finding]:
    info = root.at("info")
    for key in ("title", "version"):
        if info is None or key not in info.map:
            yield RULES.found("OPENAPI-INFO", root.line_of("info"), key=key)
    version = root.at("info", "version")
    if info is not None and version is not None and version.kind == NUMBER:
        yield RULES.found("OPENAPI-INFO-VERSION", info.line_of("version"))


def _references(root: Node) -> Iterator[Finding]:
    seen: set[str] = set()
    for path, _, node in walk(root):
        if path[-1:] != ("$ref",) or node.kind != TEXT or {"example", "examples"} & set(path):
            continue
        holder = Node(MAP, node.line, map={"$ref": node})
        if node.text.startswith("#") and node.text not in seen and resolve(root, holder) is None:
            seen.add(node.text)
            yield RULES.found("OPENAPI-REF", node.line, reference=node.text[:120])


def _paths(root: Node) -> Iterator[Finding]:
    paths = root.at("paths")
    shapes: dict[str, str] = {}
    for path, item in paths.map.items() if paths is not None else ():
        if path.startswith("x-"):
            continue
        line = paths.line_of(path) if paths is not None else 0
        if not path.startswith("/"):
            yield RULES.found("OPENAPI-PATH-SLASH", line, path=path[:100])
        same = shapes.setdefault(PATH_PARAMETER.sub("{}", path), path)
        if same != path:
            yield RULES.found("OPENAPI-PATH-DUPLICATE", line, path=path[:100], same=same[:100])
        if "?" in path:
            yield RULES.found("OPENAPI-PATH-QUERY", line, path=path[:100])
        for key in item.map.keys() - _PATH_ITEM_KEYS:
            if not key.startswith("x-"):
                yield RULES.found("OPENAPI-METHOD", item.line_of(key), key=key[:60])


def _responses(operation: Operation) -> Iterator[Finding]:
    responses = operation.node.at("responses")
    if responses is None or not responses.map:
        yield RULES.found("OPENAPI-RESPONSES", operation.line, operation=operation.title)
        return
    if not any(re.match(r"[123]|default", status) for status in responses.map):
        yield RULES.found("OPENAPI-SUCCESS", responses.line, operation=operation.title)
    for status in responses.map:
        if not re.fullmatch(r"[1-5](?:\d\d|XX)|default|x-.*", status):
            yield RULES.found("OPENAPI-STATUS", responses.line_of(status), operation=operation.title)


def _parameters(operation: Operation) -> Iterator[Finding]:
    title = operation.title
    in_path = set(PATH_PARAMETER.findall(operation.path))
    declared = {name for place, name in operation.parameters if place == "path"}
    for name in sorted(in_path - declared):
        yield RULES.found("OPENAPI-PATH-PARAMETER-MISSING", operation.line, operation=title, name=name)
    for (place, name), parameter in operation.parameters.items():
        if place not in _PARAMETER_PLACES:
            yield RULES.found("OPENAPI-PARAMETER-IN", parameter.line, operation=title)
        elif place == "path" and name not in in_path:
            yield RULES.found("OPENAPI-PATH-PARAMETER-UNUSED", parameter.line, operation=title, name=name)
        elif place == "path" and not parameter.required:
            yield RULES.found("OPENAPI-PATH-PARAMETER-OPTIONAL", parameter.line, operation=title, name=name)


def _schemas(root: Node) -> Iterator[Finding]:
    for path, line, node in walk(root):
        type_ = node.at("type")
        if node.kind != MAP or type_ is None or not path or {"example", "examples"} & set(path):
            continue
        if path[-1] in ("properties", "default") or path[-1].startswith("x-"):
            continue
        is_schema = path[-1] in ("schema", "items", "additionalProperties") or not _SCHEMA_HOLDERS.isdisjoint(
            path[-2:-1]
        )
        if is_schema and type_.kind == TEXT and type_.text not in _TYPES:
            yield RULES.found("OPENAPI-TYPE", node.line_of("type"), type=type_.text[:40])
        if is_schema and type_.text == "array" and "items" not in node.map:
            yield RULES.found("OPENAPI-ARRAY-ITEMS", line)
        properties, required = node.at("properties"), node.at("required")
        if properties is not None and required is not None and required.kind == LIST:
            for item in required.items if not _OPEN_SCHEMA_KEYS & node.map.keys() else []:
                if item.text not in properties.map:
                    yield RULES.found("OPENAPI-REQUIRED-PROPERTY", item.line, name=item.text[:60])
        choices, default = node.at("enum"), node.at("default")
        allowed = {choice.text for choice in choices.items} if choices is not None else None
        if allowed is not None and default is not None and default.scalar and default.text not in allowed:
            yield RULES.found("OPENAPI-DEFAULT", node.line_of("default"))


def _security(root: Node, every: list[Operation]) -> Iterator[Finding]:
    declared = security_schemes(root)
    told: set[tuple[int, str]] = set()
    for operation in every:
        for requirement in operation.security or []:
            for name in requirement.map.keys() - declared:
                if (requirement.line, name) not in told:
                    told.add((requirement.line, name))
                    yield RULES.found(
                        "OPENAPI-SECURITY-UNDECLARED", requirement.line, operation=operation.title, name=name[:60]
                    )
    private = [operation for operation in every if not _PUBLIC_PATH.search(operation.path)]
    if private and not declared:
        changing = any(operation.method in CHANGING_METHODS for operation in private)
        severity = Severity.MEDIUM if changing else Severity.LOW
        problem = "No security scheme is declared, so the contract does not say who may call"
        yield RULES.found("OPENAPI-SECURITY-MISSING", root.line_of("paths"), severity=severity, problem=problem)
        return
    for operation in private:
        anonymous = any(requirement.kind == MAP and not requirement.map for requirement in operation.security or [])
        if operation.security and not anonymous:
            continue
        if operation.method in CHANGING_METHODS:
            problem = f"{operation.title} changes data and requires no authentication"
            yield RULES.found("OPENAPI-SECURITY-MISSING", operation.line, problem=problem)
        elif operation.security is None:
            problem = f"{operation.title} does not say who may call"
            yield RULES.found("OPENAPI-SECURITY-MISSING", operation.line, severity=Severity.LOW, problem=problem)
