"""Whether an OpenAPI contract is sound: what has to be there, references, parameters, who may call."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.contract.openapi import METHODS, Operation, operations, resolve, schemes
from plantwin.private.capabilities.placed.document import Document
from plantwin.private.capabilities.placed.node import LIST, MAP, TEXT, Node, walk
from plantwin.private.capabilities.placed.report import Issue
from plantwin.private.extract.formats.words import words
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_TYPES = words("string number integer boolean array object null file")
_PLACES = words("query header path cookie body formData")
_NAMED = re.compile(r"\{([^{}/]{1,120})\}")
PUBLIC = re.compile(
    r"(?:^|[/_-])(?:login|log-in|signin|sign-in|signup|register|registration|token|oauth2?|auth|session|sessions|health\w*|ready\w*|live\w*|ping|status|version|metrics|docs|openapi\S*|public|password|reset|forgot|callback|webhooks?|well-known|jwks\S*|csrf|captcha|robots\S*|favicon\S*)(?:$|[/_.-])",
    re.IGNORECASE,
)
"""Paths that are rightly open to all."""


def issues(document: Document) -> Iterator[Issue]:
    """What is wrong with the contract itself."""
    root = document.root
    version = root.value("openapi") or root.value("swagger")
    if not re.match(r"3\.[0-9]+|2\.0", version):
        yield Issue(
            root.line_of("openapi"),
            _S.HIGH,
            _T.SCHEMA_MISMATCH,
            "openapi/version",
            "The version of OpenAPI is none that exists",
            "Write 3.0.3, 3.1.0 or 2.0.",
        )
    info = root.at("info")
    for key in ("title", "version"):
        if info is None or key not in info.map:
            yield Issue(
                root.line_of("info"), _S.HIGH, _T.MISSING_PART, "openapi/info", f"info.{key} is missing", "Add it."
            )
    if info is not None and (found := info.at("version")) is not None and found.kind == "number":
        yield Issue(
            info.line_of("version"),
            _S.LOW,
            _T.INVALID_VALUES,
            "openapi/info",
            "info.version is read as a number",
            "Quote it.",
        )
    if "paths" not in root.map and not version.startswith("3.1"):
        yield Issue(1, _S.HIGH, _T.MISSING_PART, "openapi/paths", "The contract has no paths", "Add them.")
    yield from _references(document, root)
    yield from _paths(root)
    ids: dict[str, int] = {}
    every = list(operations(document))
    for operation in every:
        yield from _operation(operation, root, ids)
    yield from _schemas(root)
    yield from _access(root, every)
    for server in root.entries("servers"):
        if re.match(r"http://(?!localhost|127\.|\[::1\]|0\.0\.0\.0|host\.docker)", server.value("url")):
            yield Issue(
                server.line,
                _S.LOW,
                _T.WEAK_CRYPTO,
                "openapi/server",
                "A server is named without encryption",
                "Use https.",
            )


def _references(document: Document, root: Node) -> Iterator[Issue]:
    seen: set[str] = set()
    for path, _, node in walk(root):
        if path and path[-1] == "$ref" and node.kind == TEXT and "example" not in path and "examples" not in path:
            holder = Node(MAP, node.line, map={"$ref": node})
            if node.text.startswith("#") and resolve(root, holder) is None and node.text not in seen:
                seen.add(node.text)
                yield Issue(
                    node.line,
                    _S.HIGH,
                    _T.BROKEN_REFERENCE,
                    "openapi/ref",
                    f"`{node.text[:120]}` leads nowhere",
                    "Correct it, or add what it names.",
                )


def _paths(root: Node) -> Iterator[Issue]:
    paths = root.at("paths")
    shapes: dict[str, str] = {}
    for path, item in paths.map.items() if paths is not None else ():
        if paths is None or path.startswith("x-"):
            continue
        line = paths.line_of(path)
        if not path.startswith("/"):
            yield Issue(
                line, _S.HIGH, _T.SCHEMA_MISMATCH, "openapi/path", f"`{path[:100]}` does not begin with `/`", "Add it."
            )
        shape = _NAMED.sub("{}", path)
        if shapes.setdefault(shape, path) != path:
            yield Issue(
                line,
                _S.HIGH,
                _T.DUPLICATION,
                "openapi/path",
                f"`{path[:100]}` and `{shapes[shape][:100]}` are one path",
                "Join them.",
            )
        if "?" in path:
            yield Issue(
                line,
                _S.HIGH,
                _T.SCHEMA_MISMATCH,
                "openapi/path",
                f"`{path[:100]}` holds a query",
                "Declare query parameters instead.",
            )
        for key in item.map:
            if key not in (
                *METHODS,
                "parameters",
                "summary",
                "description",
                "servers",
                "$ref",
                "query",
                "additionalOperations",
            ) and not key.startswith("x-"):
                yield Issue(
                    item.line_of(key),
                    _S.HIGH,
                    _T.SCHEMA_MISMATCH,
                    "openapi/method",
                    f"`{key[:60]}` is no method",
                    "Correct it.",
                )


def _operation(operation: Operation, root: Node, ids: dict[str, int]) -> Iterator[Issue]:
    place, line = operation.place, operation.line
    answers = operation.node.at("responses")
    if answers is None or not answers.map:
        yield Issue(
            line,
            _S.HIGH,
            _T.MISSING_PART,
            "openapi/responses",
            f"{place} does not say what it answers",
            "Add responses.",
        )
    else:
        if not any(re.match(r"[123]|default", status) for status in answers.map):
            yield Issue(
                answers.line,
                _S.LOW,
                _T.MISSING_PART,
                "openapi/success",
                f"{place} has no answer for success",
                "Add a 2xx response.",
            )
        for status in answers.map:
            if not re.fullmatch(r"[1-5](?:\d\d|XX)|default|x-.*", status):
                yield Issue(
                    answers.line_of(status),
                    _S.HIGH,
                    _T.SCHEMA_MISMATCH,
                    "openapi/status",
                    f"{place} has a status that does not exist",
                    "Correct it.",
                )
    id_ = operation.node.value("operationId")
    if id_ and ids.setdefault(id_, line) != line:
        yield Issue(
            operation.node.line_of("operationId"),
            _S.HIGH,
            _T.DUPLICATION,
            "openapi/operationId",
            f"operationId `{id_[:80]}` is given twice (first on line {ids[id_]})",
            "Rename one.",
        )
    wanted = set(_NAMED.findall(operation.path))
    declared = {name for where, name in operation.parameters if where == "path"}
    for name in sorted(wanted - declared):
        yield Issue(
            line,
            _S.HIGH,
            _T.MISSING_PART,
            "openapi/path-parameter",
            f"{place} does not declare its path parameter `{name}`",
            "Add it to parameters.",
        )
    for name in sorted(declared - wanted):
        yield Issue(
            operation.parameters["path", name].line,
            _S.HIGH,
            _T.SCHEMA_MISMATCH,
            "openapi/path-parameter",
            f"{place} declares path parameter `{name}`, which its path does not have",
            "Remove it, or add it to the path.",
        )
    for (where, name), parameter in operation.parameters.items():
        if where not in _PLACES:
            yield Issue(
                parameter.line,
                _S.HIGH,
                _T.SCHEMA_MISMATCH,
                "openapi/parameter",
                f"A parameter of {place} is in no place that exists",
                "Use query, header, path or cookie.",
            )
        elif where == "path" and not parameter.required and name in wanted:
            yield Issue(
                parameter.line,
                _S.HIGH,
                _T.SCHEMA_MISMATCH,
                "openapi/path-parameter",
                f"Path parameter `{name}` of {place} must be required",
                "Set required: true.",
            )
    if operation.method in ("get", "head") and "requestBody" in operation.node.map:
        yield Issue(
            operation.body_line,
            _S.MEDIUM,
            _T.SCHEMA_MISMATCH,
            "openapi/body",
            f"{place} has a body, which many servers drop",
            "Use parameters, or POST.",
        )


def _schemas(root: Node) -> Iterator[Issue]:
    for path, line, node in walk(root):
        if (
            node.kind != MAP
            or not path
            or path[-1] in ("properties", "example", "examples", "default")
            or "example" in path
            or "examples" in path
            or "x-" in path[-1][:2]
        ):
            continue
        kind = node.at("type")
        if kind is None or "properties" in path[-1:]:
            continue
        if kind.kind == TEXT and kind.text not in _TYPES and (_schema_place(path)):
            yield Issue(
                node.line_of("type"),
                _S.HIGH,
                _T.SCHEMA_MISMATCH,
                "openapi/type",
                f"`{kind.text[:40]}` is no type",
                "Use string, integer, number, boolean, array or object.",
            )
        if kind.text == "array" and "items" not in node.map and _schema_place(path):
            yield Issue(
                line, _S.HIGH, _T.MISSING_PART, "openapi/items", "An array does not say what it holds", "Add items."
            )
        properties, required = node.at("properties"), node.at("required")
        if (
            properties is not None
            and required is not None
            and required.kind == LIST
            and not {"allOf", "$ref", "additionalProperties", "patternProperties"} & node.map.keys()
        ):
            for each in required.items:
                if each.text not in properties.map:
                    yield Issue(
                        each.line,
                        _S.MEDIUM,
                        _T.SCHEMA_MISMATCH,
                        "openapi/required",
                        f"`{each.text[:60]}` is required and not among the properties",
                        "Add it, or correct the name.",
                    )
        choices, default = node.at("enum"), node.at("default")
        if (
            choices is not None
            and default is not None
            and default.scalar
            and default.text not in {each.text for each in choices.items}
        ):
            yield Issue(
                node.line_of("default"),
                _S.MEDIUM,
                _T.INVALID_VALUES,
                "openapi/default",
                "The default is none of the values allowed",
                "Correct it.",
            )


def _schema_place(path: tuple[str, ...]) -> bool:
    return path[-1] in ("schema", "items", "additionalProperties") or (
        len(path) > 1 and path[-2] in ("properties", "schemas", "definitions", "allOf", "anyOf", "oneOf")
    )


def _access(root: Node, every: list[Operation]) -> Iterator[Issue]:
    known = schemes(root)
    told: set[tuple[int, str]] = set()
    for operation in every:
        for each in operation.security or []:
            for name in each.map:
                if name not in known and (each.line, name) not in told:
                    told.add((each.line, name))
                    yield Issue(
                        each.line,
                        _S.HIGH,
                        _T.BROKEN_REFERENCE,
                        "openapi/security",
                        f"{operation.place} asks for `{name[:60]}`, which is not declared",
                        "Declare it under securitySchemes.",
                    )
    private = [each for each in every if not PUBLIC.search(each.path)]
    if not known and private:
        changing = any(each.method in ("post", "put", "patch", "delete") for each in private)
        yield Issue(
            root.line_of("paths"),
            _S.MEDIUM if changing else _S.LOW,
            _T.MISSING_CHECK,
            "OWASP API2 security",
            "The contract does not say who may call: no security scheme is declared",
            "Declare securitySchemes and security.",
        )
        return
    for operation in private if known else []:
        open_ = (
            operation.security is None
            or (not operation.security)
            or any(each.kind == MAP and not each.map for each in operation.security)
        )
        if open_ and operation.method in ("post", "put", "patch", "delete"):
            yield Issue(
                operation.line,
                _S.MEDIUM,
                _T.MISSING_CHECK,
                "OWASP API2 security",
                f"{operation.place} changes something and asks nobody who they are",
                "Add security, or say why it is public.",
            )
        elif open_ and operation.security is None:
            yield Issue(
                operation.line,
                _S.LOW,
                _T.MISSING_CHECK,
                "OWASP API2 security",
                f"{operation.place} says nothing of who may call",
                "Add security.",
            )
