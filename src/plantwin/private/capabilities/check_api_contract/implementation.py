"""Whether code keeps a contract: routes that are missing or not declared, parameters, statuses, calls."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from plantwin.private.capabilities.check_api_contract.openapi import (
    PATH_PARAMETER,
    Operation,
    base_paths,
    operations,
    path_shape,
)
from plantwin.private.capabilities.check_api_contract.routes import Route, joined, normalized
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.engine.source import Source
from plantwin.private.facts import Private, private
from plantwin.private.formats.document import Document
from plantwin.vocabulary import Severity

RULES = Rules("openapi")
_OPERATIONAL_PATH = re.compile(
    r"^/(?:$|\*|health\w*|ready\w*|live\w*|ping|metrics|docs|redoc|swagger\S*|openapi\S*|static\S*|assets\S*|favicon\S*"
    r"|robots\S*|admin\S*|debug\S*|internal\S*|\.well-known\S*|\{path\}|index\S*)",
    re.IGNORECASE,
)
"""Routes that contracts often leave out."""
_MOUNTED = re.compile(
    r"(?m)^[ \t]{0,40}(?:devise_for|devise_scope|mount|draw|use_doorkeeper|concern|devise_token_auth\w*|mount_\w+)\b"
)
Methods = dict[str, Operation]
"""The operations of one path by their methods."""


@private
class Code(NamedTuple):
    """One source file with its routes and calls."""

    source: Source
    routes: list[Route]
    calls: list[Route]


@dataclass(slots=True, repr=False)
class Comparison(Private):
    """What comparing a contract with code gave."""

    contract: list[Finding] = field(default_factory=list)
    code: dict[str, list[Finding]] = field(default_factory=dict)
    """Findings by the label of the source."""
    places: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """Where each operation, by path and method, is answered."""
    notes: list[str] = field(default_factory=list)
    """What could not be compared, and why."""


def compare(
    document: Document, sources: Sequence[Code], *, complete: bool, elsewhere: Sequence[Operation] = ()
) -> Comparison:
    """Compare a contract with its implementations and callers.

    `complete`: no other implementation is around. `elsewhere`: what other contracts of the same call promise.
    """
    declared = list(operations(document))
    routes = [route for code in sources for route in code.routes]
    prefix = _prefix(document, declared, routes or [call for code in sources for call in code.calls])
    by_shape: dict[str, Methods] = {}
    for operation in declared:
        by_shape.setdefault(_shape(prefix, operation), {})[operation.method] = operation
    comparison = Comparison()
    others = {_shape(prefix, operation) for operation in elsewhere}
    known = sum(path_shape(route.path) in by_shape or path_shape(route.path) in others for route in routes)
    # Where most routes are no part of the contract, it is not the contract of this code, or prefixes are not seen.
    speaks_of_routes = known * 2 >= len(routes)
    if routes and not speaks_of_routes:
        comparison.notes.append(
            f"{known} of {len(routes)} routes of the code are in a contract: the others are not called undocumented, "
            "since the contract may be another's, or a router may add to paths in a way that is not read here."
        )
    outside = 0
    for code in sources:
        label = code.source.label
        found = comparison.code.setdefault(label, [])
        for route in code.routes:
            if _repeats(route, code.routes, by_shape):
                continue
            methods = by_shape.get(path_shape(route.path))
            if methods is None:
                if not f"{route.path}/".startswith(f"{prefix.rstrip('/')}/"):
                    outside += 1
                elif speaks_of_routes and path_shape(route.path) not in others:
                    found.append(_undocumented(route, by_shape))
                continue
            for operation in methods.values():
                if _answers(route, operation):
                    place = f"{label}:{route.line}"
                    comparison.places.setdefault((operation.path, operation.method), []).append(place)
                    found += _details(route, operation)
            if route.method not in ("any", "head", "options", *methods):
                found.append(
                    RULES.found("OPENAPI-METHOD-UNDOCUMENTED", route.line, route=route.title, methods=_named(methods))
                )
        # What a route of the code answers is said of the route: the contract lacks it, the call is right.
        found += [
            finding
            for call in code.calls
            if not any(
                _fits(path_shape(call.path), path_shape(route.path)) and route.method in ("any", call.method)
                for route in routes
            )
            for finding in _call(call, by_shape)
        ]
    if outside:
        comparison.notes.append(f"{outside} routes are not below `{prefix}`, which the contract is about.")
    if routes:
        missing = [operation for operation in declared if (operation.path, operation.method) not in comparison.places]
        # Routers of Go are handed from function to function, each adding to the path: what is missing may be there.
        followed = not any(code.routes and (code.source.format == "go" or _adds_routes(code)) for code in sources)
        if len(missing) * 2 <= len(declared) and followed:
            comparison.contract += _unimplemented(missing, routes, prefix, complete)
        elif missing:
            comparison.notes.append(
                f"{len(missing)} of {len(declared)} operations were not found among the routes of the code: they are "
                "not called unimplemented, since other code, or a framework that is not read here, may answer them."
            )
    return comparison


def _adds_routes(code: Code) -> bool:
    """Tell whether routes of Rails come from a library or from another file."""
    return code.source.format == "ruby" and _MOUNTED.search(code.source.text) is not None


def _repeats(route: Route, routes: Sequence[Route], by_shape: Mapping[str, Methods]) -> bool:
    """Tell whether PUT and PATCH of one line are one action, of which a contract names the other, or neither."""
    methods = by_shape.get(path_shape(route.path), {})
    other = {"put": "patch", "patch": "put"}.get(route.method, "")
    pair = any(twin.method == other and (twin.line, twin.path) == (route.line, route.path) for twin in routes)
    return pair and route.method not in methods and (other in methods or route.method == "put")


def _shape(prefix: str, operation: Operation) -> str:
    path = normalized(operation.path)[0]
    return path_shape(joined(prefix, path) if prefix else path)


def _prefix(document: Document, declared: Sequence[Operation], routes: Sequence[Route]) -> str:
    """Return what stands before the contract's paths in the code: of all that occur, the one by which most match."""
    wanted = {_shape("", operation) for operation in declared}
    known = {path_shape(route.path) for route in routes}
    prefixes = {"", *base_paths(document.root)}
    for path in known:
        ends = [match.start() for match in re.finditer("/", path)][1:4]
        prefixes.update(path[:end] for end in ends if path[end:] in wanted)

    def matching(prefix: str) -> int:
        return sum((joined(prefix, path) if prefix else path) in known for path in wanted)

    return max(sorted(prefixes, key=len), key=matching)


def _answers(route: Route, operation: Operation) -> bool:
    return route.method in ("any", operation.method) or (route.method == "get" and operation.method == "head")


def _named(methods: Methods | set[str]) -> str:
    return ", ".join(sorted(method.upper() for method in methods))


def _undocumented(route: Route, by_shape: dict[str, Methods]) -> Finding:
    near = difflib.get_close_matches(path_shape(route.path), by_shape, 1, 0.88)
    fix = "Add it to the contract, or remove it."
    if near:
        fix = f"The contract has `{next(iter(by_shape[near[0]].values())).path}`."
    severity = Severity.LOW if _OPERATIONAL_PATH.match(route.path) else Severity.MEDIUM
    return RULES.found("OPENAPI-ROUTE-UNDOCUMENTED", route.line, severity=severity, route=route.title, fix=fix)


def _details(route: Route, operation: Operation) -> Iterator[Finding]:
    title = operation.title
    declared = PATH_PARAMETER.findall(operation.path)
    own = PATH_PARAMETER.findall(route.path)[-len(declared) :] if declared else []
    for mine, theirs in zip(own, declared, strict=False):
        if mine.replace("_", "").lower() != re.sub(r"[_-]", "", theirs).lower() and mine != "value":
            yield RULES.found("OPENAPI-PARAMETER-NAME", route.line, operation=title, name=theirs, own=mine)
        parameter = operation.parameters.get(("path", theirs))
        type_, own_type = parameter.schema.value("type") if parameter is not None else "", route.types.get(mine)
        if type_ and own_type and type_ != own_type and {type_, own_type} != {"integer", "number"}:
            yield RULES.found(
                "OPENAPI-PARAMETER-TYPE", route.line, operation=title, name=theirs, type=type_, own=own_type
            )
    if not operation.responses or "default" in operation.responses:
        return
    for status, line in route.statuses.items():
        if status != "500" and not {status, f"{status[0]}XX"} & operation.responses.keys():
            severity = Severity.MEDIUM if status[0] in "23" else Severity.LOW
            yield RULES.found("OPENAPI-STATUS-UNDOCUMENTED", line, severity=severity, operation=title, status=status)
    promised = {status for status in operation.responses if status.startswith("2")}
    given = {status for status in route.statuses if status.startswith("2")}
    if given and promised and not promised & {"2XX", "200", *given}:
        yield RULES.found(
            "OPENAPI-STATUS-MISMATCH",
            route.line,
            operation=title,
            promised=", ".join(sorted(promised)),
            given=", ".join(sorted(given)),
        )


def _call(call: Route, by_shape: dict[str, Methods]) -> Iterator[Finding]:
    path = path_shape(call.path)
    methods = by_shape.get(path) or next((found for shape, found in by_shape.items() if _fits(path, shape)), None)
    if methods is None:
        roots = {shape.split("/")[1] for shape in by_shape if "/" in shape}
        if call.path.split("/")[1:2] and call.path.split("/")[1] in roots:
            yield RULES.found("OPENAPI-CALL-UNKNOWN", call.line, call=call.title)
    elif call.method not in methods:
        yield RULES.found("OPENAPI-CALL-METHOD", call.line, call=call.title, methods=_named(methods))


def _fits(path: str, shape: str) -> bool:
    """Tell whether a called path with values in it is one that has parameters."""
    mine, theirs = path.split("/"), shape.split("/")
    pairs = zip(mine, theirs, strict=False)
    return len(mine) == len(theirs) and all(part == known or known == "{}" for part, known in pairs)


def _unimplemented(
    missing: Sequence[Operation], routes: Sequence[Route], prefix: str, complete: bool
) -> Iterator[Finding]:
    methods: dict[str, set[str]] = {}
    for route in routes:
        methods.setdefault(path_shape(route.path), set()).add(route.method)
    for operation in missing:
        there = methods.get(_shape(prefix, operation))
        detail = f"; the code answers only {_named(there)} there" if there else " and no route of the code answers it"
        severity = None if complete else Severity.LOW
        yield RULES.found(
            "OPENAPI-UNIMPLEMENTED", operation.line, severity=severity, operation=operation.title, detail=detail
        )
