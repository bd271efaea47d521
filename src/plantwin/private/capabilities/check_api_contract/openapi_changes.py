"""Two versions of an OpenAPI contract: what breaks those who call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from plantwin.private.capabilities.check_api_contract.openapi import (
    PATH_PARAMETER,
    Operation,
    Parameter,
    is_true,
    operations,
    path_shape,
    resolve,
)
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.results import capped
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.facts import private
from plantwin.private.formats.document import LIST, MAP, Document, Node
from plantwin.vocabulary import Severity

RULES = Rules("openapi")
DEEPEST = 12
MOST_PAIRS = 4000
"""Pairs of schemas that are compared for one operation."""
_UPPER_LIMITS = ("maximum", "maxLength", "maxItems", "exclusiveMaximum", "maxProperties")
_LOWER_LIMITS = ("minimum", "minLength", "minItems", "exclusiveMinimum", "minProperties")


@private
class Versions(NamedTuple):
    """The roots of both versions, in which references are resolved."""

    old: Node
    new: Node


@private
class SchemaPair(NamedTuple):
    """One schema in both versions, and where it is used."""

    old: Node
    new: Node
    where: str
    """How a message names the place."""
    line: int


def breaking_changes(old: Document, new: Document) -> Iterator[Finding]:
    """Yield every breaking change, at its line in the new version; a new major version says itself that it breaks."""
    announced = _major(old) is not None and _major(old) != _major(new)
    for finding in _changes(old, new):
        yield capped(finding) if announced else finding


def _major(document: Document) -> str | None:
    info = document.root.at("info")
    version = re.match(r"v?(\d+)", info.value("version")) if info is not None else None
    return version[1] if version is not None else None


def _changes(old: Document, new: Document) -> Iterator[Finding]:
    after = {(path_shape(operation.path), operation.method): operation for operation in operations(new)}
    paths = {path for path, _ in after}
    line = new.root.line_of("paths")
    for operation in operations(old):
        path = path_shape(operation.path)
        found = after.get((path, operation.method))
        if found is not None:
            yield from _operation(Versions(old.root, new.root), operation, found)
        elif path in paths:
            yield RULES.found("OPENAPI-METHOD-REMOVED", line, operation=operation.title)
        elif is_true(operation.node, "deprecated"):
            title = f"{operation.title}, which was deprecated,"
            yield RULES.found("OPENAPI-PATH-REMOVED", line, severity=Severity.MEDIUM, operation=title)
        else:
            yield RULES.found("OPENAPI-PATH-REMOVED", line, operation=operation.title)


def added_operations(old: Document, new: Document) -> list[str]:
    """Return the operations that only the new version has."""
    before = {(path_shape(operation.path), operation.method) for operation in operations(old)}
    return [
        f"{operation.method.upper()} {operation.path}"
        for operation in operations(new)
        if (path_shape(operation.path), operation.method) not in before
    ]


def _operation(versions: Versions, before: Operation, after: Operation) -> Iterator[Finding]:
    title = after.title
    yield from _parameters(versions, before, after)
    if after.body_required and not before.body_required and (before.body is not None or after.body is not None):
        yield RULES.found("OPENAPI-BODY-REQUIRED", after.body_line, operation=title)
    body_line = after.body_line or after.line
    yield from _schema_changes(versions, before.body, after.body, title, request=True, line=body_line)
    for status, (schema, _) in before.responses.items():
        if status in after.responses:
            now, line = after.responses[status]
            yield from _schema_changes(versions, schema, now, f"{title} {status}", request=False, line=line)
        elif status.startswith("2"):
            yield RULES.found("OPENAPI-RESPONSE-REMOVED", after.line, operation=title, status=status)
    if after.requires_login and not before.requires_login:
        yield RULES.found("OPENAPI-SECURITY-ADDED", after.line, operation=title)


def _parameters(versions: Versions, before: Operation, after: Operation) -> Iterator[Finding]:
    for (place, name), parameter in after.parameters.items():
        earlier = _earlier(before, after, place, name)
        if earlier is None:
            if parameter.required and place != "path":
                yield RULES.found(
                    "OPENAPI-PARAMETER-REQUIRED", parameter.line, operation=after.title, place=place, name=name
                )
            continue
        if parameter.required and not earlier.required:
            yield RULES.found(
                "OPENAPI-PARAMETER-REQUIRED", parameter.line, operation=after.title, place=place, name=name
            )
        where = f"{after.title}, parameter `{name}`"
        yield from _schema_changes(versions, earlier.schema, parameter.schema, where, request=True, line=parameter.line)
    for place, name in before.parameters.keys() - after.parameters.keys():
        if place != "path":
            yield RULES.found("OPENAPI-PARAMETER-REMOVED", after.line, operation=after.title, place=place, name=name)


def _earlier(before: Operation, after: Operation, place: str, name: str) -> Parameter | None:
    """Return a parameter of the old version; one of the path by its position, as its name may change."""
    if place == "path":
        positions = zip(PATH_PARAMETER.findall(before.path), PATH_PARAMETER.findall(after.path), strict=False)
        old_names = [old for old, new in positions if new == name and ("path", old) in before.parameters]
        name = old_names[0] if old_names else name
    return before.parameters.get((place, name))


def _schema_changes(
    versions: Versions, old: Node | None, new: Node | None, place: str, *, request: bool, line: int
) -> Iterator[Finding]:
    """Yield what breaks: in a request, what callers send is refused; in an answer, what they read is gone."""
    stack: list[tuple[Node | None, Node | None, str, int]] = [(old, new, "", 0)]
    for _ in range(MOST_PAIRS):
        if not stack:
            return
        old, new, path, depth = stack.pop()
        before, after = resolve(versions.old, old), resolve(versions.new, new)
        if before is None or after is None or before.kind != MAP or after.kind != MAP or depth > DEEPEST:
            continue
        where = f"{place}, {'request' if request else 'answer'}{': `' + path[:100] + '`' if path else ''}"
        before, after = _merged(versions.old, before), _merged(versions.new, after)
        pair = SchemaPair(before, after, where, after.line or line)
        yield from _types(pair, request)
        yield from _choices(pair, request)
        yield from _request_changes(pair, versions.new) if request else _answer_changes(pair)
        was, now = before.at("properties"), after.at("properties")
        for name, child in was.map.items() if was is not None else ():
            if now is not None and name in now.map:
                stack.append((child, now.map[name], f"{path}.{name}" if path else name, depth + 1))
        if "items" in before.map and "items" in after.map:
            stack.append((before.map["items"], after.map["items"], f"{path}[]", depth + 1))


def _merged(root: Node, node: Node) -> Node:
    """Return a schema with the parts that it is composed of."""
    if "allOf" not in node.map:
        return node
    properties, required = Node(MAP, node.line), Node(LIST, node.line)
    for part in [*node.entries("allOf"), node]:
        found = resolve(root, part)
        if found is None:
            continue
        below = found.at("properties")
        if below is not None:
            properties.map |= below.map
            properties.lines |= below.lines
        required.items += found.entries("required")
    merged = node.map | {"properties": properties, "required": required}
    return Node(MAP, node.line, map=merged, lines=dict(node.lines))


def _allowed_types(schema: Node) -> set[str]:
    """Return the types that a schema allows; empty where it says nothing."""
    stated = schema.at("type")
    if stated is None:
        return {"object"} if "properties" in schema.map else set()
    types = {item.text for item in stated.items} if stated.kind == LIST else {stated.text}
    return types | ({"null"} if is_true(schema, "nullable") else set())


def _types(pair: SchemaPair, request: bool) -> Iterator[Finding]:
    was, now = _allowed_types(pair.old), _allowed_types(pair.new)
    # Who takes any number takes integers too.
    narrow, wide = (was, now) if request else (now, was)
    if was and now and not narrow <= wide | ({"integer"} if "number" in wide else set()):
        yield RULES.found(
            "OPENAPI-TYPE-NARROWED" if request else "OPENAPI-TYPE-CHANGED",
            pair.line,
            where=pair.where,
            was=" or ".join(sorted(was)),
            now=" or ".join(sorted(now)),
        )


def _choices(pair: SchemaPair, request: bool) -> Iterator[Finding]:
    was, now = pair.old.at("enum"), pair.new.at("enum")
    if now is None:
        return
    line = pair.new.line_of("enum") or pair.line
    new = {choice.text for choice in now.items}
    old = {choice.text for choice in was.items} if was is not None else set()
    if request and was is None:
        yield RULES.found("OPENAPI-ENUM-ADDED", line, where=pair.where, count=len(new))
    elif request and old - new:
        yield RULES.found("OPENAPI-ENUM-REMOVED", line, where=pair.where, values=", ".join(sorted(old - new))[:120])
    elif not request and was is not None and new - old:
        yield RULES.found("OPENAPI-ENUM-WIDENED", line, where=pair.where, values=", ".join(sorted(new - old))[:120])


def _request_changes(pair: SchemaPair, root: Node) -> Iterator[Finding]:
    before, after, where, _ = pair
    for key in (*_UPPER_LIMITS, *_LOWER_LIMITS):
        limit, earlier = after.at(key), before.at(key)
        now, was = limit.number if limit is not None else None, earlier.number if earlier is not None else None
        if now is not None and (was is None or (now < was if key in _UPPER_LIMITS else now > was)):
            change = f"{key} was {'not set' if was is None else f'{was:g}'}, is {now:g}"
            yield RULES.found("OPENAPI-LIMIT-TIGHTENED", after.line_of(key), where=where, change=change)
    if "pattern" in after.map and before.value("pattern") != after.value("pattern"):
        change = "the pattern changed"
        yield RULES.found("OPENAPI-LIMIT-TIGHTENED", after.line_of("pattern"), where=where, change=change)
    properties = after.at("properties")
    for name in sorted(_required(after) - _required(before)):
        schema = resolve(root, properties.map.get(name)) if properties is not None else None
        if schema is None or "default" not in schema.map:
            yield RULES.found("OPENAPI-PROPERTY-REQUIRED", after.line_of("required"), where=where, name=name[:60])
    closed, earlier = after.at("additionalProperties"), before.at("additionalProperties")
    if closed is not None and closed.false and not (earlier is not None and earlier.false):
        yield RULES.found("OPENAPI-PROPERTIES-CLOSED", after.line_of("additionalProperties"), where=where)


def _answer_changes(pair: SchemaPair) -> Iterator[Finding]:
    before, after, where, _ = pair
    was, now = before.at("properties"), after.at("properties")
    if was is None or now is None:
        return
    required = _required(before)
    for name in was.map.keys() - now.map.keys():
        severity = Severity.HIGH if name in required else Severity.MEDIUM
        yield RULES.found("OPENAPI-PROPERTY-REMOVED", now.line, severity=severity, where=where, name=name[:60])
    for name in sorted((required - _required(after)) & now.map.keys()):
        yield RULES.found("OPENAPI-PROPERTY-OPTIONAL", after.line_of("properties"), where=where, name=name[:60])


def _required(schema: Node) -> set[str]:
    return {item.text for item in schema.entries("required")}
