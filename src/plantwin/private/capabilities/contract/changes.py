"""Two versions of an OpenAPI contract: what breaks those who call."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.contract.openapi import Operation, operations
from plantwin.private.capabilities.contract.schemas import Side, changes
from plantwin.private.capabilities.placed.document import Document
from plantwin.private.capabilities.placed.report import Issue
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_NAMED = re.compile(r"\{[^{}/]{1,120}\}")


def shape(path: str) -> str:
    """A path whose parameters have no names."""
    return _NAMED.sub("{}", path.rstrip("/") or "/")


def breaking(old: Document, new: Document) -> Iterator[Issue]:
    """Every breaking change, at its line in the new version."""
    before = {(shape(each.path), each.method): each for each in operations(old)}
    after = {(shape(each.path), each.method): each for each in operations(new)}
    paths = {path for path, _ in after}
    line = new.root.line_of("paths")
    for (path, method), operation in before.items():
        found = after.get((path, method))
        if found is not None:
            yield from _operation(Side(old.root, None), Side(new.root, None), operation, found)
        elif path in paths:
            yield Issue(
                line,
                _S.HIGH,
                _T.BREAKING_CHANGE,
                "method-removed",
                f"{operation.place} is gone; the path has other methods",
                "Keep it, marked as deprecated.",
            )
        else:
            hint = "Keep it, marked as deprecated."
            quiet = operation.node.at("deprecated")
            severity = _S.MEDIUM if quiet is not None and quiet.true else _S.HIGH
            yield Issue(
                line,
                severity,
                _T.BREAKING_CHANGE,
                "path-removed",
                f"{operation.place} is gone{' (it was deprecated)' if severity is _S.MEDIUM else ''}",
                hint,
            )


def added(old: Document, new: Document) -> list[str]:
    """Operations that only the new version has."""
    before = {(shape(each.path), each.method) for each in operations(old)}
    return [
        f"{each.method.upper()} {each.path}"
        for each in operations(new)
        if (shape(each.path), each.method) not in before
    ]


def _operation(old: Side, new: Side, before: Operation, after: Operation) -> Iterator[Issue]:
    place = after.place
    names = dict(zip(_NAMED.findall(before.path), _NAMED.findall(after.path), strict=False))
    for (where, name), parameter in after.parameters.items():
        earlier = before.parameters.get((where, name))
        if where == "path":
            earlier = next(
                (
                    each
                    for (_, old_name), each in before.parameters.items()
                    if names.get(f"{{{old_name}}}") == f"{{{name}}}"
                ),
                earlier,
            )
        if earlier is None:
            if parameter.required and where != "path":
                yield Issue(
                    parameter.line,
                    _S.HIGH,
                    _T.BREAKING_CHANGE,
                    "parameter-required",
                    f"{place}: {where} parameter `{name}` is new and required",
                    "Make it optional.",
                )
            continue
        if parameter.required and not earlier.required:
            yield Issue(
                parameter.line,
                _S.HIGH,
                _T.BREAKING_CHANGE,
                "parameter-required",
                f"{place}: {where} parameter `{name}` became required",
                "Leave it optional.",
            )
        yield from changes(
            Side(old.root, earlier.schema),
            Side(new.root, parameter.schema),
            f"{place}, parameter `{name}`",
            True,
            parameter.line,
        )
    for where, name in before.parameters:
        if (where, name) not in after.parameters and where != "path":
            yield Issue(
                after.line,
                _S.MEDIUM,
                _T.BREAKING_CHANGE,
                "parameter-removed",
                f"{place}: {where} parameter `{name}` is gone, so callers' wish is ignored",
                "Keep it.",
            )
    if after.body_required and not before.body_required and (before.body is not None or after.body is not None):
        yield Issue(
            after.body_line,
            _S.HIGH,
            _T.BREAKING_CHANGE,
            "body-required",
            f"{place}: a body is required now",
            "Leave it optional.",
        )
    yield from changes(
        Side(old.root, before.body), Side(new.root, after.body), place, True, after.body_line or after.line
    )
    for status, (schema, _) in before.responses.items():
        if status in after.responses:
            now, line = after.responses[status]
            yield from changes(Side(old.root, schema), Side(new.root, now), f"{place} {status}", False, line)
        elif status.startswith("2"):
            yield Issue(
                after.line,
                _S.HIGH,
                _T.BREAKING_CHANGE,
                "status-removed",
                f"{place}: answer {status} is gone",
                "Keep it.",
            )
    was, now_needed = _asked(before), _asked(after)
    if now_needed and not was:
        yield Issue(
            after.line,
            _S.HIGH,
            _T.BREAKING_CHANGE,
            "security-added",
            f"{place}: callers have to prove who they are now",
            "Announce it.",
        )


def _asked(operation: Operation) -> bool:
    return bool(operation.security) and all(each.map for each in operation.security or [])
