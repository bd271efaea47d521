"""OpenAPI 2 and 3 as operations with their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from plantwin.private.capabilities.placed.document import Document
from plantwin.private.capabilities.placed.node import MAP, Node

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
MOST = 5000
"""Operations of one contract."""
_HOPS = 20


@dataclass(slots=True, repr=False)
class Parameter:
    """One parameter."""

    name: str
    place: str
    required: bool
    schema: Node
    line: int

    def __repr__(self) -> str:
        return "<Parameter private>"


@dataclass(slots=True, repr=False)
class Operation:
    """One method of one path."""

    path: str
    method: str
    line: int
    node: Node
    parameters: dict[tuple[str, str], Parameter] = field(default_factory=dict)
    body: Node | None = None
    """The schema of what is sent."""
    body_required: bool = False
    body_line: int = 0
    responses: dict[str, tuple[Node | None, int]] = field(default_factory=dict)
    """The schema of what is answered, and the line, by status."""
    security: list[Node] | None = None
    """None where nothing is said."""

    def __repr__(self) -> str:
        return "<Operation private>"

    @property
    def place(self) -> str:
        """How a message names it."""
        return f"`{self.method.upper()} {self.path}`"


def is_contract(document: Document) -> bool:
    """Whether it is one."""
    root = document.root
    return bool({"openapi", "swagger"} & root.map.keys()) and bool(
        {"paths", "webhooks", "components", "info"} & root.map.keys()
    )


def resolve(root: Node, node: Node | None) -> Node | None:
    """What a reference inside the contract leads to; None where it leads nowhere or outside."""
    for _ in range(_HOPS):
        if node is None or "$ref" not in node.map:
            return node
        target = node.value("$ref")
        if not target.startswith("#/"):
            return None
        node = root.at(
            *(
                part.replace("~1", "/").replace("~0", "~").replace("%7B", "{").replace("%7D", "}")
                for part in target[2:].split("/")
            )
        )
    return None


def operations(document: Document) -> Iterator[Operation]:
    """Every operation, in order."""
    root = document.root
    paths = root.at("paths")
    if paths is None:
        return
    left = MOST
    for path, given in paths.map.items():
        item = resolve(root, given)
        if item is None or item.kind != MAP or path.startswith("x-"):
            continue
        for method in METHODS:
            node = item.at(method)
            if node is None or node.kind != MAP:
                continue
            left -= 1
            if left < 0:
                return
            yield _operation(root, path, method, item, node)


def _operation(root: Node, path: str, method: str, item: Node, node: Node) -> Operation:
    made = Operation(path, method, item.line_of(method), node)
    for holder in (item, node):
        for each in holder.entries("parameters"):
            found = resolve(root, each)
            if found is None or found.kind != MAP:
                continue
            name, place = found.value("name"), found.value("in")
            required = found.at("required")
            if place in ("body", "formData") and "schema" in found.map:
                made.body = resolve(root, found.at("schema"))
                made.body_required, made.body_line = required is not None and required.true, each.line
                continue
            schema = resolve(root, found.at("schema")) or found
            made.parameters[place, name] = Parameter(
                name, place, required is not None and required.true, schema, each.line
            )
    body = resolve(root, node.at("requestBody"))
    if body is not None:
        required = body.at("required")
        made.body_required, made.body_line = required is not None and required.true, node.line_of("requestBody")
        made.body = _content(root, body)
    answers = node.at("responses")
    for status, answer in answers.map.items() if answers is not None else ():
        found = resolve(root, answer)
        answered: Node | None = None
        if found is not None:
            answered = resolve(root, found.at("schema")) or _content(root, found)
        made.responses[status] = (answered, answers.line_of(status) if answers is not None else made.line)
    for holder in (node, root):
        if "security" in holder.map:
            made.security = holder.entries("security")
            break
    return made


def _content(root: Node, holder: Node) -> Node | None:
    content = holder.at("content")
    if content is None or not content.map:
        return None
    kinds = sorted(content.map, key=lambda kind: "json" not in kind)
    return resolve(root, content.map[kinds[0]].at("schema"))


def schemes(root: Node) -> set[str]:
    """The names of the ways to prove who is asking."""
    found = root.at("components", "securitySchemes") or root.at("securityDefinitions")
    return set(found.map) if found is not None else set()


def bases(root: Node) -> list[str]:
    """Paths that stand before every path of the contract."""
    found = [root.value("basePath")] if root.value("basePath") else []
    for each in root.entries("servers"):
        url = each.value("url")
        try:
            found.append(urlsplit(re.sub(r"\{[^}]{0,80}\}", "x", url)).path)
        except ValueError:
            continue
    return [path.rstrip("/") for path in found if path.strip("/")]
