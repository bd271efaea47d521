"""Two versions of a schema: what one side can no longer rely on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from plantwin.private.capabilities.contract.openapi import resolve
from plantwin.private.capabilities.placed.node import LIST, MAP, Node
from plantwin.private.capabilities.placed.report import Issue
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
DEPTH = 12
LEFT = 4000
"""Pairs of schemas that are compared for one operation."""
_UPPER = ("maximum", "maxLength", "maxItems", "exclusiveMaximum", "maxProperties")
_LOWER = ("minimum", "minLength", "minItems", "exclusiveMinimum", "minProperties")


class Side(NamedTuple):
    """A schema within its contract."""

    root: Node
    node: Node | None

    def __repr__(self) -> str:
        return "<Side private>"


def kinds(node: Node) -> set[str]:
    """The types that a schema allows; empty where it says nothing."""
    found = node.at("type")
    if found is None:
        return {"object"} if "properties" in node.map else set()
    named = {each.text for each in found.items} if found.kind == LIST else {found.text}
    nullable = node.at("nullable")
    return named | ({"null"} if nullable is not None and nullable.true else set())


def changes(old: Side, new: Side, place: str, request: bool, line: int) -> Iterator[Issue]:
    """What breaks: in a request, what callers send is refused; in an answer, what they read is gone."""
    stack: list[tuple[Node | None, Node | None, str, int]] = [(old.node, new.node, "", 0)]
    left = LEFT
    while stack and left:
        left -= 1
        before, after, path, depth = stack.pop()
        before, after = resolve(old.root, before), resolve(new.root, after)
        if before is None or after is None or before.kind != MAP or after.kind != MAP or depth > DEPTH:
            continue
        before, after = _merged(old.root, before), _merged(new.root, after)
        where = f"{place}, {'request' if request else 'answer'}{': `' + path[:100] + '`' if path else ''}"
        yield from _types(before, after, where, request, after.line or line)
        yield from _choices(before, after, where, request, after.line or line)
        if request:
            yield from _limits(before, after, where)
        yield from _properties(before, after, where, request, new.root)
        mine, theirs = before.at("properties"), after.at("properties")
        for name, child in mine.map.items() if mine is not None else ():
            if theirs is not None and name in theirs.map:
                stack.append((child, theirs.map[name], f"{path}.{name}" if path else name, depth + 1))
        if "items" in before.map and "items" in after.map:
            stack.append((before.map["items"], after.map["items"], f"{path}[]", depth + 1))


def _merged(root: Node, node: Node) -> Node:
    """A schema with the parts that it is composed of."""
    if "allOf" not in node.map:
        return node
    made = Node(MAP, node.line, map=dict(node.map), lines=dict(node.lines))
    properties, required = Node(MAP, node.line), Node(LIST, node.line)
    for part in [*node.entries("allOf"), node]:
        found = resolve(root, part)
        below = found.at("properties") if found is not None else None
        if found is not None and below is not None:
            properties.map |= below.map
            properties.lines |= below.lines
        required.items += found.entries("required") if found is not None else []
    made.map["properties"], made.map["required"] = properties, required
    return made


def _types(before: Node, after: Node, where: str, request: bool, line: int) -> Iterator[Issue]:
    was, now = kinds(before), kinds(after)
    if not was or not now or was == now:
        return
    widened = was | ({"integer"} if "number" in was else set())
    if request and not was <= now | ({"integer"} if "number" in now else set()):
        yield Issue(
            line,
            _S.HIGH,
            _T.BREAKING_CHANGE,
            "type-narrowed",
            f"{where}: type was {_words(was)}, is {_words(now)}",
            "Accept the earlier type as well.",
        )
    elif not request and not now <= widened:
        yield Issue(
            line,
            _S.HIGH,
            _T.BREAKING_CHANGE,
            "type-changed",
            f"{where}: type was {_words(was)}, is {_words(now)}",
            "Add a field instead.",
        )


def _words(kinds_: set[str]) -> str:
    return " or ".join(sorted(kinds_))


def _choices(before: Node, after: Node, where: str, request: bool, line: int) -> Iterator[Issue]:
    was, now = before.at("enum"), after.at("enum")
    if now is None:
        return
    old, new = {each.text for each in was.items} if was is not None else set(), {each.text for each in now.items}
    gone, fresh = sorted(old - new), sorted(new - old)
    at = after.line_of("enum") or line
    if request and was is None:
        yield Issue(
            at,
            _S.HIGH,
            _T.BREAKING_CHANGE,
            "enum-added",
            f"{where}: only {len(new)} values are allowed now",
            "Keep accepting others.",
        )
    elif request and gone:
        yield Issue(
            at,
            _S.HIGH,
            _T.BREAKING_CHANGE,
            "enum-removed",
            f"{where}: no longer allowed: {', '.join(gone)[:120]}",
            "Keep accepting them.",
        )
    elif not request and was is not None and fresh:
        yield Issue(
            at,
            _S.MEDIUM,
            _T.BREAKING_CHANGE,
            "enum-widened",
            f"{where}: new values that callers do not know: {', '.join(fresh)[:120]}",
            "Announce it.",
        )


def _limits(before: Node, after: Node, where: str) -> Iterator[Issue]:
    for key in (*_UPPER, *_LOWER):
        was, now = before.at(key), after.at(key)
        if now is None or now.number is None:
            continue
        old = was.number if was is not None else None
        tighter = old is None or (now.number < old if key in _UPPER else now.number > old)
        if tighter:
            yield Issue(
                after.line_of(key),
                _S.MEDIUM,
                _T.BREAKING_CHANGE,
                "limit-tightened",
                f"{where}: {key} was {'not set' if old is None else f'{old:g}'}, is {now.number:g}",
                "Keep the earlier limit.",
            )
    if "pattern" in after.map and before.value("pattern") != after.value("pattern"):
        yield Issue(
            after.line_of("pattern"),
            _S.MEDIUM,
            _T.BREAKING_CHANGE,
            "limit-tightened",
            f"{where}: the pattern changed",
            "Keep accepting the earlier form.",
        )


def _properties(before: Node, after: Node, where: str, request: bool, root: Node) -> Iterator[Issue]:
    mine, theirs = before.at("properties"), after.at("properties")
    was, now = {each.text for each in before.entries("required")}, {each.text for each in after.entries("required")}
    if request:
        for name in sorted(now - was):
            child = resolve(root, theirs.map.get(name)) if theirs is not None else None
            if child is not None and "default" in child.map:
                continue
            fresh = mine is None or name not in mine.map
            yield Issue(
                after.line_of("required"),
                _S.HIGH,
                _T.BREAKING_CHANGE,
                "required-added",
                f"{where}: `{name[:60]}` is {'new and ' if fresh else ''}required",
                "Make it optional.",
            )
        closed = after.at("additionalProperties")
        earlier = before.at("additionalProperties")
        if closed is not None and closed.false and not (earlier is not None and earlier.false):
            yield Issue(
                after.line_of("additionalProperties"),
                _S.MEDIUM,
                _T.BREAKING_CHANGE,
                "closed",
                f"{where}: further properties are refused now",
                "Leave it open.",
            )
        return
    if mine is None or theirs is None:
        return
    for name in mine.map:
        if name not in theirs.map:
            yield Issue(
                theirs.line,
                _S.HIGH if name in was else _S.MEDIUM,
                _T.BREAKING_CHANGE,
                "property-removed",
                f"{where}: `{name[:60]}` is gone",
                "Keep it, marked as deprecated.",
            )
    for name in sorted((was - now) & theirs.map.keys()):
        yield Issue(
            after.line_of("properties"),
            _S.MEDIUM,
            _T.BREAKING_CHANGE,
            "property-optional",
            f"{where}: `{name[:60]}` may be missing now",
            "Keep answering it.",
        )
