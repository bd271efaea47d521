"""JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Mapping

from plantwin.private.capabilities.common.source import Source
from plantwin.private.capabilities.shapes.read import Problem, Read, line_of, literal, number_of
from plantwin.private.capabilities.shapes.shape import Field, Shape

_JSON_TYPES = {
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "string": "text",
    "array": "nested",
    "object": "nested",
}
_FORMATS = {"date": "date", "date-time": "timestamp"}
DEEPEST = 12


def is_json_schema(root: Mapping[str, object]) -> bool:
    """Whether a document is a JSON Schema."""
    stated = str(root.get("$schema", ""))
    if "json-schema" in stated:
        return True
    if "openapi" in root or "swagger" in root:
        return False
    return root.get("type") in ("object", "array") and bool(
        root.keys() & {"properties", "items", "required", "additionalProperties"}
    )


def json_schema(each: Source, root: Mapping[str, object]) -> Read:
    """The shape of the records that a JSON Schema describes."""
    problems = _schema_problems(each, root)
    record: object = root
    if root.get("type") == "array" or ("items" in root and "properties" not in root):
        record = _resolved(root.get("items"), root)
    shape = Shape(str(root.get("title") or each.label), "JSON Schema", each.label, document=root)
    if isinstance(record, Mapping):
        properties = record.get("properties")
        required = record.get("required")
        needed = {str(name) for name in required} if isinstance(required, list) else set()
        shape.closed = record.get("additionalProperties") is False
        for name, rule in properties.items() if isinstance(properties, Mapping) else ():
            shape.fields[str(name)] = _property(
                str(name), _resolved(rule, root), str(name) in needed, line_of(each.text, str(name))
            )
    return Read([shape], problems)


def _resolved(rule: object, root: Mapping[str, object]) -> object:
    for _ in range(DEEPEST):
        reference = rule.get("$ref") if isinstance(rule, Mapping) else None
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return rule
        rule = root
        for part in reference[2:].split("/"):
            rule = rule.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(rule, Mapping) else None
    return None


def _property(name: str, rule: object, required: bool, line: int) -> Field:
    found = Field(name, line=line, required=required)
    if not isinstance(rule, Mapping):
        return found
    stated = rule.get("type")
    types = [str(one) for one in stated] if isinstance(stated, list) else [str(stated)] if stated else []
    found.filled = required and bool(types) and "null" not in types
    found.word = " or ".join(types)
    kinds = {_JSON_TYPES[one] for one in types if one in _JSON_TYPES}
    form = str(rule.get("format", ""))
    found.types = frozenset({_FORMATS[form]} if kinds == {"text"} and form in _FORMATS else kinds)
    values = rule.get("enum") if "enum" in rule else [rule["const"]] if "const" in rule else None
    found.values = tuple(literal(one) for one in values if one is not None) if isinstance(values, list) else ()
    found.least, found.most = number_of(rule.get("minimum")), number_of(rule.get("maximum"))
    size, shortest = rule.get("maxLength"), rule.get("minLength")
    found.size = size if isinstance(size, int) else 0
    found.shortest = shortest if isinstance(shortest, int) else 0
    pattern = rule.get("pattern")
    found.pattern = pattern if isinstance(pattern, str) else ""
    return found


def _schema_problems(each: Source, root: Mapping[str, object]) -> list[Problem]:
    """What the schema's own rules say of it, then references that lead nowhere and rules that nothing can satisfy."""
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import validator_for

    found: list[Problem] = []
    try:
        validator = validator_for(root)
        for error in list(validator(validator.META_SCHEMA).iter_errors(root))[:20]:
            path = ".".join(str(part) for part in error.absolute_path) or "the schema"
            found.append(
                Problem(
                    line_of(each.text, str(error.absolute_path[-1])) if error.absolute_path else 1,
                    "high",
                    f"{path}: {error.validator} of the meta-schema is not met",
                )
            )
    except (SchemaError, RecursionError, ValueError, TypeError, KeyError):
        found.append(Problem(1, "high", "The schema cannot be checked against its meta-schema"))
    stack: list[tuple[object, str, int]] = [(root, "", 0)]
    seen = 0
    while stack and seen < 20_000:
        rule, path, depth = stack.pop()
        seen += 1
        if isinstance(rule, list):
            stack += [(one, f"{path}.{at}", depth + 1) for at, one in enumerate(rule[:500])]
        if not isinstance(rule, Mapping) or depth > 60:
            continue
        found += _contradictions(each, root, rule, path or "the schema")
        stack += [
            (one, f"{path}.{key}" if path else str(key), depth + 1)
            for key, one in rule.items()
            if key not in ("enum", "const", "examples", "default")
        ]
    return found[:100]


def _contradictions(each: Source, root: Mapping[str, object], rule: Mapping[str, object], path: str) -> list[Problem]:
    found = []
    reference = rule.get("$ref")
    if isinstance(reference, str):
        if reference.startswith("#/") and _resolved(rule, root) is None:
            found.append(Problem(line_of(each.text, reference), "high", f"{path}: {reference} leads nowhere"))
        elif not reference.startswith("#"):
            found.append(
                Problem(line_of(each.text, reference), "low", f"{path}: refers to another document, which is not read")
            )
    for low, high in (
        ("minimum", "maximum"),
        ("minLength", "maxLength"),
        ("minItems", "maxItems"),
        ("minProperties", "maxProperties"),
    ):
        one, two = number_of(rule.get(low)), number_of(rule.get(high))
        if one is not None and two is not None and one > two:
            found.append(
                Problem(
                    line_of(each.text, path.rpartition(".")[2]),
                    "high",
                    f"{path}: {low} is greater than {high}, so nothing fits",
                )
            )
    required, properties = rule.get("required"), rule.get("properties")
    if isinstance(required, list) and isinstance(properties, Mapping):
        unknown = [str(name) for name in required if isinstance(name, str) and name not in properties]
        if unknown:
            closed = rule.get("additionalProperties") is False
            found.append(
                Problem(
                    line_of(each.text, unknown[0]),
                    "high" if closed else "medium",
                    f"{path}: required but not among the properties: {', '.join(unknown[:5])}",
                )
            )
    values = rule.get("enum")
    if isinstance(values, list):
        if len({repr(one) for one in values}) < len(values):
            found.append(
                Problem(line_of(each.text, path.rpartition(".")[2]), "low", f"{path}: a value is listed twice")
            )
        default = rule.get("default")
        if "default" in rule and default not in values:
            found.append(
                Problem(
                    line_of(each.text, path.rpartition(".")[2]),
                    "medium",
                    f"{path}: the default is not among the allowed values",
                )
            )
    pattern = rule.get("pattern")
    if isinstance(pattern, str):
        try:
            re.compile(pattern)
        except (re.error, RecursionError, OverflowError):
            found.append(
                Problem(line_of(each.text, pattern[:40]), "high", f"{path}: the pattern is no regular expression")
            )
    return found
