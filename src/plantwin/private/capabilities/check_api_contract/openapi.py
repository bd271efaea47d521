"""OpenAPI 2 and 3: operations with their lines, and whether a document keeps to the specification and to good use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlsplit

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.facts import Private
from plantwin.private.formats.document import BOOLEAN, LIST, MAP, NULL, NUMBER, TEXT, Document, Node, walk
from plantwin.vocabulary import Severity

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
CHANGING_METHODS = ("post", "put", "patch", "delete")
MOST_OPERATIONS = 5000
PATH_PARAMETER = re.compile(r"\{([^{}/]{1,120})\}")
_MOST_REFERENCES = 20
"""References that lead to each other, one after another."""


@dataclass(slots=True, repr=False)
class Parameter(Private):
    """One parameter."""

    required: bool
    schema: Node
    line: int


@dataclass(slots=True, repr=False)
class Operation(Private):
    """One method of one path."""

    path: str
    method: str
    line: int
    node: Node
    parameters: dict[tuple[str, str], Parameter] = field(default_factory=dict)
    """By place (`query`, `path`...) and name."""
    body: Node | None = None
    """The schema of what is sent."""
    body_required: bool = False
    body_line: int = 0
    responses: dict[str, tuple[Node | None, int]] = field(default_factory=dict)
    """The schema of what is answered, and the line, by status."""
    security: list[Node] | None = None
    """None where nothing is said."""

    @property
    def title(self) -> str:
        """How a message names it."""
        return f"`{self.method.upper()} {self.path}`"

    @property
    def requires_login(self) -> bool:
        """Whether every way to call it proves who calls."""
        return bool(self.security) and all(requirement.map for requirement in self.security or [])


def is_openapi(document: Document) -> bool:
    """Tell whether a document is an OpenAPI contract."""
    keys = document.root.map.keys()
    return bool({"openapi", "swagger"} & keys) and bool({"paths", "webhooks", "components", "info"} & keys)


def is_true(node: Node | None, key: str) -> bool:
    """Tell whether a key is set to true."""
    found = node.at(key) if node is not None else None
    return found is not None and found.true


def resolve(root: Node, node: Node | None) -> Node | None:
    """Return what a reference inside the contract leads to; None where it leads nowhere or outside."""
    for _ in range(_MOST_REFERENCES):
        if node is None or "$ref" not in node.map:
            return node
        target = node.value("$ref")
        if not target.startswith("#/"):
            return None
        parts = (unquote(part).replace("~1", "/").replace("~0", "~") for part in target[2:].split("/"))
        node = root.at(*parts)
    return None


def path_shape(path: str) -> str:
    """Return a path whose parameters have no names."""
    return PATH_PARAMETER.sub("{}", path.rstrip("/") or "/")


def operations(document: Document) -> Iterator[Operation]:
    """Yield every operation, in order."""
    root = document.root
    paths = root.at("paths")
    left = MOST_OPERATIONS
    for path, given in paths.map.items() if paths is not None else ():
        item = resolve(root, given)
        if item is None or item.kind != MAP or path.startswith("x-"):
            continue
        for method in METHODS:
            node = item.at(method)
            if node is not None and node.kind == MAP:
                left -= 1
                if left < 0:
                    return
                yield _operation(root, path, method, item, node)


def _operation(root: Node, path: str, method: str, item: Node, node: Node) -> Operation:
    operation = Operation(path, method, item.line_of(method), node)
    for given in [*item.entries("parameters"), *node.entries("parameters")]:
        found = resolve(root, given)
        if found is None or found.kind != MAP:
            continue
        place, required = found.value("in"), is_true(found, "required")
        if place in ("body", "formData") and "schema" in found.map:
            operation.body = resolve(root, found.at("schema"))
            operation.body_required, operation.body_line = required, given.line
        else:
            schema = resolve(root, found.at("schema")) or found
            operation.parameters[place, found.value("name")] = Parameter(required, schema, given.line)
    body = resolve(root, node.at("requestBody"))
    if body is not None:
        operation.body_required, operation.body_line = is_true(body, "required"), node.line_of("requestBody")
        operation.body = _content_schema(root, body)
    responses = node.at("responses")
    for status, response in responses.map.items() if responses is not None else ():
        found = resolve(root, response)
        answer = (resolve(root, found.at("schema")) or _content_schema(root, found)) if found is not None else None
        operation.responses[status] = (answer, responses.line_of(status) if responses is not None else 0)
    holder = next((holder for holder in (node, root) if "security" in holder.map), None)
    operation.security = holder.entries("security") if holder is not None else None
    return operation


def _content_schema(root: Node, holder: Node) -> Node | None:
    """Return the schema of a body's JSON, else of its first media type."""
    content = holder.at("content")
    if content is None or not content.map:
        return None
    media_type = min(content.map, key=lambda name: "json" not in name)
    return resolve(root, content.map[media_type].at("schema"))


def security_schemes(root: Node) -> set[str]:
    """Return the names of the declared ways to prove who calls."""
    found = root.at("components", "securitySchemes") or root.at("securityDefinitions")
    return set(found.map) if found is not None else set()


def base_paths(root: Node) -> list[str]:
    """Return the paths that stand before every path of the contract."""
    found = [root.value("basePath")]
    for server in root.entries("servers"):
        try:
            found.append(urlsplit(re.sub(r"\{[^}]{0,80}\}", "x", server.value("url"))).path)
        except ValueError:
            continue
    return [path.rstrip("/") for path in found if path.strip("/")]


RULES = Rules("openapi")
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
    dangling = list(_references(root))
    yield from dangling
    if not dangling and document.sound and not document.cut:
        yield from specification_findings(root)
    yield from _paths(root)
    every = list(operations(document))
    for operation in every:
        yield from _responses(operation)
        if operation.method in ("get", "head") and "requestBody" in operation.node.map:
            yield RULES.found("OPENAPI-GET-BODY", operation.body_line, operation=operation.title)
    yield from _schemas(root)
    yield from _security(root, every)
    for server in root.entries("servers"):
        if _PLAIN_HTTP.match(server.value("url")):
            yield RULES.found("OPENAPI-SERVER-HTTP", server.line)


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
    for path in paths.map if paths is not None else ():
        if path.startswith("x-"):
            continue
        line = paths.line_of(path) if paths is not None else 0
        same = shapes.setdefault(PATH_PARAMETER.sub("{}", path), path)
        if same != path:
            yield RULES.found("OPENAPI-PATH-DUPLICATE", line, path=path[:100], same=same[:100])
        if "?" in path:
            yield RULES.found("OPENAPI-PATH-QUERY", line, path=path[:100])


def _responses(operation: Operation) -> Iterator[Finding]:
    responses = operation.node.at("responses")
    statuses = responses.map if responses is not None else {}
    if responses is not None and statuses and not any(re.match(r"[123]|default", status) for status in statuses):
        yield RULES.found("OPENAPI-SUCCESS", responses.line, operation=operation.title)


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
        if is_schema and type_.text == "array" and "items" not in node.map:
            yield RULES.found("OPENAPI-ARRAY-ITEMS", line)
        properties, required = node.at("properties"), node.at("required")
        if properties is not None and required is not None and required.kind == LIST:
            for item in required.items if not _OPEN_SCHEMA_KEYS & node.map.keys() else []:
                if item.text not in properties.map:
                    yield RULES.found("OPENAPI-REQUIRED-PROPERTY", item.line, name=item.text[:60])


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


MOST_PARTS = 400_000
"""Parts of a contract that are handed on: aliases may make it far larger than its text."""
_OPERATION = re.compile(r"for '(\w+)' (?:operation )?in '([^']+)'")
_KEY = re.compile(r"'([^']{1,200})' does not match any of the regexes")
MOST = 50
"""Findings of one contract."""


def _errors(given: Iterator[Any]) -> Iterator[Any]:
    """Yield what the validator says, up to where it stumbles over a part that it said is missing."""
    with suppress(KeyError):
        yield from given


def specification_findings(root: Node) -> Iterator[Finding]:
    """Yield what the specification does not permit."""
    from openapi_spec_validator import OpenAPIV2SpecValidator, OpenAPIV30SpecValidator, OpenAPIV31SpecValidator

    version = root.value("openapi") or root.value("swagger")
    validators = {"2": OpenAPIV2SpecValidator, "3.0": OpenAPIV30SpecValidator, "3.1": OpenAPIV31SpecValidator}
    validator = next((known for start, known in validators.items() if version.startswith(start)), None)
    if validator is None:
        if not re.match(r"3\.\d", version):
            yield RULES.found("OPENAPI-INVALID", root.line_of("openapi"), problem="the version is none of OpenAPI")
        return
    told: set[tuple[int, str]] = set()
    for error in _errors(validator(_plain(root, [MOST_PARTS])).iter_errors()):
        # Of the forms that a part could have, the one that fits furthest tells most.
        if version.startswith("2") and error.instance == "file" and error.absolute_path[-1] == "type":
            continue  # what a response of the second version may be
        cause = max(error.context or (), key=lambda inner: len(inner.absolute_path), default=error)
        problem = re.sub(r"\s+", " ", str(cause.message))[:160]
        place = (_line(root, _path(list(cause.absolute_path), problem)), problem)
        if place not in told:
            told.add(place)
            yield RULES.found("OPENAPI-INVALID", place[0], problem=problem)
        if len(told) >= MOST:
            return


def _plain(node: Node, left: list[int]) -> Any:
    """Return a tree as the values that a validator expects; what other files hold is taken to be right."""
    left[0] -= 1
    if left[0] < 0:
        return {}
    if node.kind == MAP:
        reference = node.map.get("$ref")
        if reference is not None and reference.kind not in (MAP, LIST) and not reference.text.startswith("#"):
            return {}
        return {key: _plain(child, left) for key, child in node.map.items()}
    if node.kind == LIST:
        return [_plain(child, left) for child in node.items]
    if node.kind == NULL:
        return None
    # OpenAPI is YAML 1.2, in which `no` is a text.
    if node.kind == BOOLEAN and not node.quoted and node.text.lower() in ("true", "false"):
        return node.true
    if node.kind == NUMBER and not node.quoted:
        return int(node.text) if re.fullmatch(r"[-+]?\d{1,30}", node.text) else node.number
    return node.text


def _path(path: list[str | int], problem: str) -> list[str | int]:
    """Return the place of a problem, which some messages name by an operation or a key."""
    operation = _OPERATION.search(problem)
    if operation is not None and not path:
        return ["paths", operation[2], operation[1]]
    key = _KEY.match(problem)
    return [*path, key[1]] if key is not None else path


def _line(root: Node, path: list[str | int]) -> int:
    """Return the line of the last part of a path that is there."""
    here, line = root, root.line
    for step in path:
        if isinstance(step, str):
            line = here.line_of(step)
        below = here.at(step)
        if below is None:
            return line
        here = below
        line = line if isinstance(step, str) else below.line
    return line
