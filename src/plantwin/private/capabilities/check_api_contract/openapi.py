"""OpenAPI 2 and 3 as operations with their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from plantwin.private.facts import Private
from plantwin.private.formats.document import MAP, Document, Node

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
