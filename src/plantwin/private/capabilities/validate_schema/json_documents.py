"""Check JSON against a JSON Schema, by the jsonschema library. References to other documents are not followed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from time import thread_time
from typing import TYPE_CHECKING

import msgspec

from plantwin.private.capabilities.engine.job import Finding, Input
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.tables.cells import Cell
from plantwin.private.capabilities.tables.profiled import Profiled
from plantwin.private.capabilities.tables.table import READ

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

RULES = Rules("schema")
MOST_RECORDS = 20_000
SECONDS = 30.0
MOST_ERRORS = 200
NESTED_REPETITION = re.compile(r"\([^()]*[+*}][^()]*\)[+*{]")
"""A repetition of what repeats: such a pattern may take exponential time."""


def check_documents(given: Input, profile: Profiled, schema: object) -> tuple[list[Finding], list[Finding]]:
    """Return what is wrong with the data, and what keeps the schema from being applied."""
    from jsonschema.exceptions import _WrappedReferencingError
    from jsonschema.validators import validator_for
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    found: list[Finding] = []
    schema_findings: list[Finding] = []
    if _has_endless_pattern(schema):
        schema_findings.append(RULES.found("SCHEMA-PATTERN-ENDLESS", 0))
        schema = _without_endless_patterns(schema)
    validator = validator_for(schema)(schema, registry=Registry())
    is_list = isinstance(schema, dict) and schema.get("type") == "array"
    until = thread_time() + SECONDS
    broken = (RecursionError, ValueError, TypeError, KeyError, AttributeError, re.error)
    try:
        for number, record in _records(given, as_one=is_list):
            for error in validator.iter_errors(record):
                if len(found) >= MOST_ERRORS:
                    return found, schema_findings
                found.append(_finding(error, profile, number, whole=is_list))
            if thread_time() > until:
                break
    except (_WrappedReferencingError, Unresolvable, *broken):
        schema_findings.append(RULES.found("SCHEMA-UNUSABLE", 0))
    return found, schema_findings


def _finding(error: ValidationError, profile: Profiled, number: int, *, whole: bool) -> Finding:
    lined = profile.table.lined
    path = ".".join(map(str, error.absolute_path)) or "the record"
    where = "" if whole else f" ({'line' if lined else 'record'} {number})"
    line = number if lined else 0
    if error.validator in ("required", "dependentRequired"):
        return RULES.found("SCHEMA-KEY-MISSING", line, path=path, names=_missing_names(error), where=where)
    problem = f"{_problem(error)}{where} [{error.validator}]"
    column = next((part for part in error.absolute_path if isinstance(part, str)), "")
    value: Cell = error.instance if isinstance(error.instance, (str, int, float, bool)) else ""
    finding = RULES.found("SCHEMA-DOCUMENT", line, path=path, problem=problem)
    return msgspec.structs.replace(finding, evidence=profile.shown.value(column, value))


def _missing_names(error: ValidationError) -> str:
    wanted, instance = error.validator_value, error.instance
    known = instance if isinstance(instance, dict) else {}
    names = [str(name) for name in wanted if name not in known] if isinstance(wanted, list) else []
    return ", ".join(names[:5]) or "a key"


def _problem(error: ValidationError) -> str:
    """Return what is not met, without the value."""
    keyword, wanted = str(error.validator), error.validator_value
    if keyword == "type":
        return f"not of type {' or '.join(wanted) if isinstance(wanted, list) else wanted}"
    if keyword in ("enum", "const"):
        return "not among the allowed values"
    if keyword == "additionalProperties":
        return "has keys that are not in the schema"
    return f"does not meet {keyword}" + (f" {str(wanted)[:80]}" if isinstance(wanted, (int, float, str)) else "")


def _records(given: Input, *, as_one: bool) -> Iterator[tuple[int, object]]:
    """Yield the records with their numbers: of a list its items, else of each line."""
    text = given.text(READ)
    try:
        root = msgspec.json.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError):
        for number, line in enumerate(text.split("\n")[:MOST_RECORDS], start=1):
            try:
                yield number, msgspec.json.decode(line)
            except (msgspec.DecodeError, ValueError, RecursionError):
                continue
        return
    yield from enumerate(root[:MOST_RECORDS] if isinstance(root, list) and not as_one else [root], start=1)


def _has_endless_pattern(schema: object) -> bool:
    stack = [schema]
    for _ in range(50_000):
        if not stack:
            break
        node = stack.pop()
        if isinstance(node, list):
            stack += node
        elif isinstance(node, dict):
            keys = node.get("patternProperties")
            patterns = [node.get("pattern"), *(keys if isinstance(keys, dict) else ())]
            if any(isinstance(pattern, str) and NESTED_REPETITION.search(pattern) for pattern in patterns):
                return True
            stack += node.values()
    return False


def _without_endless_patterns(node: object, depth: int = 0) -> object:
    if depth > 60:
        return True
    if isinstance(node, dict):
        return {
            key: _without_endless_patterns(value, depth + 1)
            for key, value in node.items()
            if key not in ("pattern", "patternProperties") or not _has_endless_pattern({key: value})
        }
    return [_without_endless_patterns(item, depth + 1) for item in node] if isinstance(node, list) else node
