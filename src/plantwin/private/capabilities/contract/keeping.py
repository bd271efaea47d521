"""Whether code keeps a contract: routes that are missing or not declared, parameters, statuses, calls."""

# ruff: noqa: E501 (one rule, one row)

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plantwin.private.capabilities.common.source import Source
from plantwin.private.capabilities.contract.openapi import Operation, bases, operations
from plantwin.private.capabilities.contract.routes import Route
from plantwin.private.capabilities.contract.routes.paths import joined, shape, unified
from plantwin.private.capabilities.placed.document import Document
from plantwin.private.capabilities.placed.report import Issue
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_ASIDE = re.compile(
    r"^/(?:$|\*|health\w*|ready\w*|live\w*|ping|metrics|docs|redoc|swagger\S*|openapi\S*|static\S*|assets\S*|favicon\S*|robots\S*|admin\S*|debug\S*|internal\S*|\.well-known\S*|\{path\}|index\S*)",
    re.IGNORECASE,
)


class Code(NamedTuple):
    """One source file with its routes and calls."""

    source: Source
    routes: list[Route]
    calls: list[Route]

    def __repr__(self) -> str:
        return "<Code private>"


class Kept(NamedTuple):
    """What the comparison gave."""

    contract: list[Issue]
    code: dict[str, list[Issue]]
    matched: list[tuple[Operation, str, int]]
    """Operations with the place that answers them."""

    def __repr__(self) -> str:
        return "<Kept private>"


def prefix_of(document: Document, every: Sequence[Route]) -> str:
    """What stands before the contract's paths in the code: of all that occur, the one by which most match."""
    wanted = {shape(unified(each.path)[0]) for each in operations(document)}
    known = {shape(route.path) for route in every}
    tried = {"", *bases(document.root)}
    for path in known:
        for end in (path.find("/", at + 1) for at, sign in enumerate(path) if sign == "/"):
            if end > 0 and path.count("/", 0, end) <= 3 and path[end:] in wanted:
                tried.add(path[:end])
    return max(
        sorted(tried, key=len),
        key=lambda prefix: sum(joined(prefix, path) in known if prefix else path in known for path in wanted),
    )


def keeping(document: Document, codes: Sequence[Code], sure: bool) -> Kept:
    """Set a contract against its implementations and callers. `sure` says that no other implementation is around."""
    every = [route for code in codes for route in code.routes]
    known = list(operations(document))
    prefix = prefix_of(document, every or [call for code in codes for call in code.calls])
    by_shape: dict[str, dict[str, Operation]] = {}
    for operation in known:
        path = unified(operation.path)[0]
        by_shape.setdefault(shape(joined(prefix, path) if prefix else path), {})[operation.method] = operation
    issues: list[Issue] = []
    by_code: dict[str, list[Issue]] = {code.source.label: [] for code in codes}
    answered: set[int] = set()
    matched: list[tuple[Operation, str, int]] = []
    for code in codes:
        for route in code.routes:
            found = by_shape.get(shape(route.path))
            mine = by_code[code.source.label]
            if found is None:
                mine.append(_undeclared(route, by_shape))
                continue
            for operation in found.values():
                if route.method in ("any", operation.method) or (route.method == "get" and operation.method == "head"):
                    answered.add(id(operation))
                    matched.append((operation, code.source.label, route.line))
                    mine += _details(route, operation)
            if route.method not in ("any", "head", "options", *found):
                mine.append(
                    Issue(
                        route.line,
                        _S.MEDIUM,
                        _T.UNDOCUMENTED,
                        "undocumented-method",
                        f"`{route.method.upper()} {route.path}` is answered, and the contract has only {_methods(found)} for it",
                        "Add it to the contract, or remove it.",
                    )
                )
        for call in code.calls:
            by_code[code.source.label] += _call(call, by_shape)
    if every:
        issues += _missing(known, answered, by_shape, every, prefix, sure)
    return Kept(issues, by_code, matched)


def _methods(found: dict[str, Operation]) -> str:
    return ", ".join(sorted(method.upper() for method in found))


def _undeclared(route: Route, by_shape: dict[str, dict[str, Operation]]) -> Issue:
    near = difflib.get_close_matches(shape(route.path), by_shape, 1, 0.88)
    hint = (
        f"The contract has `{next(iter(by_shape[near[0]].values())).path}`."
        if near
        else "Add it to the contract, or remove it."
    )
    severity = _S.LOW if _ASIDE.match(route.path) else _S.MEDIUM
    return Issue(
        route.line,
        severity,
        _T.UNDOCUMENTED,
        "undocumented-route",
        f"`{route.method.upper()} {route.path}` is answered and not in the contract",
        hint,
    )


def _details(route: Route, operation: Operation) -> Iterator[Issue]:
    mine = re.findall(r"\{([^{}/]{1,120})\}", route.path)
    theirs = re.findall(r"\{([^{}/]{1,120})\}", operation.path)
    for own, declared in zip(mine[-len(theirs) :] if theirs else [], theirs, strict=False):
        if own.replace("_", "").lower() != declared.replace("_", "").replace("-", "").lower() and own != "value":
            yield Issue(
                route.line,
                _S.LOW,
                _T.SCHEMA_MISMATCH,
                "parameter-name",
                f"{operation.place}: parameter `{declared}` is `{own}` in the code",
                "Use one name.",
            )
        parameter = operation.parameters.get(("path", declared))
        kind = route.kinds.get(own)
        if (
            parameter is not None
            and kind
            and (told := parameter.schema.value("type"))
            and told != kind
            and {told, kind} != {"integer", "number"}
        ):
            yield Issue(
                route.line,
                _S.MEDIUM,
                _T.SCHEMA_MISMATCH,
                "parameter-type",
                f"{operation.place}: parameter `{declared}` is {told} in the contract and {kind} in the code",
                "Make them equal.",
            )
    if not operation.responses or "default" in operation.responses:
        return
    for status, line in route.statuses.items():
        if status not in operation.responses and f"{status[0]}XX" not in operation.responses and status != "500":
            yield Issue(
                line,
                _S.MEDIUM if status[0] in "23" else _S.LOW,
                _T.SCHEMA_MISMATCH,
                "undocumented-status",
                f"{operation.place} answers {status}, which the contract does not say",
                "Add the response to the contract.",
            )
    promised = {status for status in operation.responses if status.startswith("2")}
    given = {status for status in route.statuses if status.startswith("2")}
    if given and promised and "2XX" not in promised and not promised & given and "200" not in promised:
        yield Issue(
            route.line,
            _S.MEDIUM,
            _T.SCHEMA_MISMATCH,
            "status",
            f"{operation.place} promises {', '.join(sorted(promised))} and the code answers {', '.join(sorted(given))}",
            "Make them equal.",
        )


def _call(call: Route, by_shape: dict[str, dict[str, Operation]]) -> Iterator[Issue]:
    path = shape(call.path)
    found = by_shape.get(path)
    if found is None:
        found = next((each for known, each in by_shape.items() if _fits(path, known)), None)
    if found is None:
        roots = {known.split("/")[1] for known in by_shape if known.count("/")}
        if call.path.split("/")[1:2] and call.path.split("/")[1] in roots:
            yield Issue(
                call.line,
                _S.HIGH,
                _T.UNIMPLEMENTED,
                "unknown-call",
                f"`{call.method.upper()} {call.path}` is called and not in the contract",
                "Correct the call, or add it to the contract.",
            )
    elif call.method not in found:
        yield Issue(
            call.line,
            _S.HIGH,
            _T.SCHEMA_MISMATCH,
            "unknown-call",
            f"`{call.method.upper()} {call.path}` is called, and the contract has only {_methods(found)}",
            "Correct the method.",
        )


def _fits(path: str, known: str) -> bool:
    """Whether a called path with values in it is one that has parameters."""
    mine, theirs = path.split("/"), known.split("/")
    return len(mine) == len(theirs) and all(
        a == b or b == "{}" or (a == "{}" and b == "{}") for a, b in zip(mine, theirs, strict=True)
    )


def _missing(
    known: Sequence[Operation],
    answered: set[int],
    by_shape: dict[str, dict[str, Operation]],
    every: Sequence[Route],
    prefix: str,
    sure: bool,
) -> Iterator[Issue]:
    shapes: dict[str, set[str]] = {}
    for route in every:
        shapes.setdefault(shape(route.path), set()).add(route.method)
    for operation in known:
        if id(operation) in answered:
            continue
        path = unified(operation.path)[0]
        there = shapes.get(shape(joined(prefix, path) if prefix else path))
        if there:
            message = f"{operation.place} is promised; the code answers only {', '.join(sorted(one.upper() for one in there))} there"
        else:
            message = f"{operation.place} is promised and no route of the code answers it"
        yield Issue(
            operation.line,
            _S.HIGH if sure else _S.MEDIUM,
            _T.UNIMPLEMENTED,
            "unimplemented",
            message,
            "Implement it, or take it out of the contract.",
        )
