"""JSON Schema: the records that it describes, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.engine.source import Source
from plantwin.private.capabilities.validate_schema.schema import (
    Field,
    Schema,
    SchemaFile,
    cell_text,
    line_of,
    number_of,
)
from plantwin.vocabulary import Severity

RULES = Rules("schema")
_TYPES = {
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "string": "text",
    "array": "nested",
    "object": "nested",
}
_FORMATS = {"date": "date", "date-time": "timestamp"}
_LIMITS = ("imum", "Length", "Items", "Properties")
"""What follows `min` and `max` in the names of limits."""
MOST_REFERENCES = 12
MOST_FINDINGS = 100


def is_json_schema(root: Mapping[str, object]) -> bool:
    """Tell whether a document is a JSON Schema."""
    if "json-schema" in str(root.get("$schema", "")):
        return True
    if "openapi" in root or "swagger" in root:
        return False
    keys = root.keys() & {"properties", "items", "required", "additionalProperties"}
    return root.get("type") in ("object", "array") and bool(keys)


def read(source: Source, root: Mapping[str, object]) -> SchemaFile:
    """Read the schema of the records that a JSON Schema describes."""
    record: object = root
    if root.get("type") == "array" or ("items" in root and "properties" not in root):
        record = _resolved(root.get("items"), root)
    schema = Schema(str(root.get("title") or source.label), "JSON Schema", source.label, document=root)
    if isinstance(record, Mapping):
        properties, required = record.get("properties"), record.get("required")
        needed = {str(name) for name in required} if isinstance(required, list) else set()
        schema.closed = record.get("additionalProperties") is False
        for key, rule in properties.items() if isinstance(properties, Mapping) else ():
            name = str(key)
            schema.fields[name] = _field(name, _resolved(rule, root), name in needed, line_of(source.text, name))
    return SchemaFile([schema], list(_findings(source.text, root)))


def _resolved(rule: object, root: Mapping[str, object]) -> object:
    for _ in range(MOST_REFERENCES):
        reference = rule.get("$ref") if isinstance(rule, Mapping) else None
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return rule
        rule = root
        for part in reference[2:].split("/"):
            rule = rule.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(rule, Mapping) else None
    return None


def _field(name: str, rule: object, required: bool, line: int) -> Field:
    field = Field(name, line=line, required=required)
    if not isinstance(rule, Mapping):
        return field
    stated = rule.get("type")
    types = [str(type_) for type_ in stated] if isinstance(stated, list) else [str(stated)] if stated else []
    known = {_TYPES[type_] for type_ in types if type_ in _TYPES}
    format_ = _FORMATS.get(str(rule.get("format", "")))
    field.filled = required and bool(types) and "null" not in types
    field.declared_type = " or ".join(types)
    field.types = frozenset({format_} if known == {"text"} and format_ else known)
    values = rule.get("enum") if "enum" in rule else [rule["const"]] if "const" in rule else None
    field.values = tuple(cell_text(value) for value in values if value is not None) if isinstance(values, list) else ()
    field.least, field.most = number_of(rule.get("minimum")), number_of(rule.get("maximum"))
    longest, shortest, pattern = rule.get("maxLength"), rule.get("minLength"), rule.get("pattern")
    field.longest = longest if isinstance(longest, int) else 0
    field.shortest = shortest if isinstance(shortest, int) else 0
    field.pattern = pattern if isinstance(pattern, str) else ""
    return field


def _findings(text: str, root: Mapping[str, object]) -> Iterator[Finding]:
    """Yield what the meta-schema says, then references that lead nowhere and rules that nothing can satisfy."""
    yield from _meta_schema(text, root)
    stack: list[tuple[object, str, int]] = [(root, "", 0)]
    left = MOST_FINDINGS
    for _ in range(20_000):
        if not stack or left <= 0:
            return
        rule, path, depth = stack.pop()
        if isinstance(rule, list):
            stack += [(item, f"{path}.{at}", depth + 1) for at, item in enumerate(rule[:500])]
        if not isinstance(rule, Mapping) or depth > 60:
            continue
        for finding in _contradictions(text, root, rule, path or "the schema"):
            left -= 1
            yield finding
        stack += [
            (value, f"{path}.{key}" if path else str(key), depth + 1)
            for key, value in rule.items()
            if key not in ("enum", "const", "examples", "default")
        ]


def _meta_schema(text: str, root: Mapping[str, object]) -> Iterator[Finding]:
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import validator_for

    try:
        validator = validator_for(root)
        for error in list(validator(validator.META_SCHEMA).iter_errors(root))[:20]:
            path = ".".join(map(str, error.absolute_path)) or "the schema"
            line = line_of(text, str(error.absolute_path[-1])) if error.absolute_path else 1
            problem = f"{path}: `{error.validator}` of the meta-schema is not met"
            yield RULES.found("SCHEMA-META", line, problem=problem)
    except (SchemaError, RecursionError, ValueError, TypeError, KeyError):
        problem = "The schema cannot be checked against its meta-schema"
        yield RULES.found("SCHEMA-META", 1, problem=problem)


def _contradictions(text: str, root: Mapping[str, object], rule: Mapping[str, object], path: str) -> Iterator[Finding]:
    line = line_of(text, path.rpartition(".")[2])
    reference = rule.get("$ref")
    if isinstance(reference, str):
        if reference.startswith("#/") and _resolved(rule, root) is None:
            yield RULES.found("SCHEMA-REF", line_of(text, reference), path=path, reference=reference[:120])
        elif not reference.startswith("#"):
            yield RULES.found("SCHEMA-REF-EXTERNAL", line_of(text, reference), path=path)
    for limit in _LIMITS:
        least, most = number_of(rule.get(f"min{limit}")), number_of(rule.get(f"max{limit}"))
        if least is not None and most is not None and least > most:
            yield RULES.found("SCHEMA-LIMITS", line, path=path, least=f"min{limit}", most=f"max{limit}")
    required, properties = rule.get("required"), rule.get("properties")
    if isinstance(required, list) and isinstance(properties, Mapping):
        unknown = [name for name in required if isinstance(name, str) and name not in properties]
        if unknown:
            severity = Severity.HIGH if rule.get("additionalProperties") is False else Severity.MEDIUM
            names = ", ".join(unknown[:5])
            yield RULES.found("SCHEMA-REQUIRED", line_of(text, unknown[0]), severity=severity, path=path, names=names)
    values = rule.get("enum")
    if isinstance(values, list):
        if len({repr(value) for value in values}) < len(values):
            yield RULES.found("SCHEMA-ENUM-DUPLICATE", line, path=path)
        if "default" in rule and rule["default"] not in values:
            yield RULES.found("SCHEMA-DEFAULT", line, path=path)
    pattern = rule.get("pattern")
    if isinstance(pattern, str):
        try:
            re.compile(pattern)
        except (re.error, RecursionError, OverflowError):
            yield RULES.found("SCHEMA-PATTERN", line_of(text, pattern[:40]), path=path)
