"""Whether an OpenAPI contract is valid by its specification, as openapi-spec-validator decides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.formats.node import BOOLEAN, LIST, MAP, NULL, NUMBER, Node

RULES = Rules("openapi")
MOST_PARTS = 400_000
"""Parts of a contract that are handed on: aliases may make it far larger than its text."""
_OPERATION = re.compile(r"for '(\w+)' (?:operation )?in '([^']+)'")
_KEY = re.compile(r"'([^']{1,200})' does not match any of the regexes")
MOST = 50
"""Findings of one contract."""


def findings(root: Node) -> Iterator[Finding]:
    """Yield what the specification does not permit."""
    from openapi_spec_validator import OpenAPIV2SpecValidator, OpenAPIV30SpecValidator, OpenAPIV31SpecValidator

    version = root.value("openapi") or root.value("swagger")
    validators = {"2": OpenAPIV2SpecValidator, "3.0": OpenAPIV30SpecValidator, "3.1": OpenAPIV31SpecValidator}
    validator = next((each for start, each in validators.items() if version.startswith(start)), None)
    if validator is None:
        if not re.match(r"3\.\d", version):
            yield RULES.found("OPENAPI-INVALID", root.line_of("openapi"), problem="the version is none of OpenAPI")
        return
    told: set[tuple[int, str]] = set()
    for error in validator(_plain(root, [MOST_PARTS])).iter_errors():
        # Of the forms that a part could have, the one that fits furthest tells most.
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
