"""JSON Schema: the records that it describes, and what is wrong with it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from time import thread_time
from typing import TYPE_CHECKING

import msgspec

from plantwin.private.capabilities.engine.job import Finding, Input
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.engine.source import Source
from plantwin.private.capabilities.tables.cells import Cell
from plantwin.private.capabilities.tables.profiled import Profiled, Shown
from plantwin.private.capabilities.tables.records import plain_values
from plantwin.private.capabilities.tables.table import READ
from plantwin.private.capabilities.validate_schema.schema import (
    Field,
    Schema,
    SchemaFile,
    cell_text,
    line_of,
    number_of,
)
from plantwin.private.formats.document import LIST, MAP, read
from plantwin.private.formats.yaml import shallow

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

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
MOST_REFERENCES = 12


def is_json_schema(root: Mapping[str, object]) -> bool:
    """Tell whether a document is a JSON Schema."""
    if "json-schema" in str(root.get("$schema", "")):
        return True
    if "openapi" in root or "swagger" in root:
        return False
    keys = root.keys() & {"properties", "items", "required", "additionalProperties"}
    return root.get("type") in ("object", "array") and bool(keys)


def read_schema(source: Source, root: Mapping[str, object]) -> SchemaFile:
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
    return SchemaFile([schema], list(_meta_schema(source.text, root)))


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


def _meta_schema(text: str, root: Mapping[str, object]) -> Iterator[Finding]:
    """Yield what the meta-schema does not permit."""
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


MOST_RECORDS = 20_000
SECONDS = 30.0
MOST_ERRORS = 200
NESTED_REPETITION = re.compile(r"\([^()]*[+*}][^()]*\)[+*{]")
"""A repetition of what repeats: such a pattern may take exponential time."""


Place = Callable[["ValidationError", int], tuple[int, str]]
"""The line of an error in a record of this number, and how the message says where that is."""


def check_documents(given: Input, profile: Profiled, schema: object) -> tuple[list[Finding], list[Finding]]:
    """Return what is wrong with the records of a table, and what keeps the schema from being applied."""
    whole = isinstance(schema, dict) and schema.get("type") == "array"
    lined = profile.table.lined

    def place(_error: ValidationError, number: int) -> tuple[int, str]:
        return number if lined else 0, "" if whole else f" ({'line' if lined else 'record'} {number})"

    return _validated(_records(given, as_one=whole), schema, place, profile.shown)


def check_settings(file: Source, schema: object, shown: Shown) -> tuple[list[Finding], list[Finding]]:
    """Return what is wrong with each document of YAML, TOML or JSON as a whole, with lines."""
    roots = read(file).roots

    def place(error: ValidationError, number: int) -> tuple[int, str]:
        node = roots[number - 1] if number <= len(roots) else None
        line = node.line if node is not None else 0
        for step in error.absolute_path:
            if node is None:
                break
            line = node.line_of(str(step)) if node.kind == MAP else line
            node = node.at(step if isinstance(step, int) and node.kind == LIST else str(step))
            line = node.line if node is not None and node.kind in (MAP, LIST) and isinstance(step, int) else line
        return line, ""

    return _validated(enumerate(loaded(file), start=1), schema, place, shown)


def loaded(file: Source) -> list[object]:
    """Return the documents of YAML, TOML or JSON as plain values; none where it is something else or does not parse."""
    try:
        if file.format == "yaml":
            documents = _yaml(file.text)
        elif file.format == "toml":
            documents = [tomllib.loads(file.text)]
        elif file.format == "json":
            documents = [msgspec.json.decode(file.text)]
        else:
            return []
        return [plain_values(document) for document in documents]
    except (msgspec.DecodeError, TypeError, ValueError, RecursionError):
        return []


def _yaml(text: str) -> list[object]:
    """Return documents of YAML with the types of its core schema (1.2): `on` and `no` are texts there, as in JSON."""
    import yaml

    class Loader(yaml.CSafeLoader):
        """A loader that takes only `true` and `false` for booleans."""

    Loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if not (tag.endswith(":bool") and first in "yYnNoO")]
        for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
    }
    if not shallow(text):
        return []
    try:
        return list(yaml.load_all(text, Loader=Loader))
    except yaml.YAMLError:
        return []


def _validated(
    records: Iterable[tuple[int, object]], schema: object, place: Place, shown: Shown
) -> tuple[list[Finding], list[Finding]]:
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
    until = thread_time() + SECONDS
    broken = (RecursionError, ValueError, TypeError, KeyError, AttributeError, re.error)
    try:
        for number, record in records:
            for error in validator.iter_errors(record):
                if len(found) >= MOST_ERRORS:
                    return found, schema_findings
                found.append(_finding(error, *place(error, number), shown))
            if thread_time() > until:
                break
    except (_WrappedReferencingError, Unresolvable, *broken):
        schema_findings.append(RULES.found("SCHEMA-UNUSABLE", 0))
    return found, schema_findings


def _finding(error: ValidationError, line: int, where: str, shown: Shown) -> Finding:
    path = ".".join(map(str, error.absolute_path)) or "the record"
    if error.validator in ("required", "dependentRequired"):
        return RULES.found("SCHEMA-KEY-MISSING", line, path=path, names=_missing_names(error), where=where)
    problem = f"{_problem(error)}{where} [{error.validator}]"
    column = next((part for part in error.absolute_path if isinstance(part, str)), "")
    value: Cell = error.instance if isinstance(error.instance, (str, int, float, bool)) else ""
    finding = RULES.found("SCHEMA-DOCUMENT", line, path=path, problem=problem)
    return msgspec.structs.replace(finding, evidence=shown.value(column, value))


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
