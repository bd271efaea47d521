"""Objects that declare schemas: SQL, dbt properties, JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.engine.source import Source
from plantwin.private.capabilities.review_queries.schema import Schema as Tables
from plantwin.private.capabilities.review_queries.schema import Structure, kind_of, learn
from plantwin.private.capabilities.validate_schema import json_schema
from plantwin.private.capabilities.validate_schema.schema import (
    Field,
    Schema,
    SchemaFile,
    cell_text,
    line_of,
    number_of,
)
from plantwin.private.formats.sql import dialect_of, fill_template, parse_definitions, statements
from plantwin.vocabulary import Severity

RULES = Rules("schema")
MOST_SCHEMAS = 200
_MONEY = re.compile(r"(?i)(?:^|_)(?:price|amount|total|balance|salary|cost)(?:$|_)")


def is_sql(source: Source) -> bool:
    """Tell whether an object is SQL."""
    return not source.binary and (source.format == "sql" or source.label.lower().endswith((".sql", ".ddl")))


def defined_tables(sources: list[Source]) -> Tables:
    """Return what all files of SQL define and alter together, in the order of their names."""
    tables: Tables = {}
    for source in sorted(sources, key=lambda source: source.label):
        if is_sql(source):
            _learn(tables, source)
    return tables


def _learn(tables: Tables, source: Source) -> None:
    text = fill_template(source.text)
    learn(tables, parse_definitions(statements(text), dialect_of(text)))


def declared_schemas(source: Source, tables: Tables) -> SchemaFile | None:
    """Read the schemas that an object declares; None where it declares none. `tables`: what all files define."""
    if source.binary or not source.text.strip():
        return None
    if is_sql(source):
        return _sql(source, tables)
    name = source.label.lower()
    if source.format not in ("json", "yaml", "text") and not name.endswith((".json", ".yml", ".yaml")):
        return None
    root = _loaded(source)
    if not isinstance(root, Mapping):
        return None
    if json_schema.is_json_schema(root):
        # Numbers and booleans of YAML are needed as such: a text is no `maxLength`.
        typed = next(iter(json_schema.loaded(source)), root) if source.format == "yaml" else root
        return json_schema.read_schema(source, typed if isinstance(typed, Mapping) else root)
    if any(isinstance(root.get(key), list) for key in ("models", "sources", "seeds", "snapshots")):
        return _dbt(source, root)
    return None


def _loaded(source: Source) -> object:
    from plantwin.private.formats import json as json_format
    from plantwin.private.formats import yaml as yaml_format

    if source.format == "yaml" or source.label.lower().endswith((".yml", ".yaml")):
        documents, _ = yaml_format.load(source.text)
        return documents[0] if len(documents) == 1 else None
    return json_format.load(source.text, True)[0]


def _sql(source: Source, tables: Tables) -> SchemaFile | None:
    """Read the tables that a file defines, as all files leave them."""
    own: Tables = {}
    _learn(own, source)
    if not own:
        alters = re.search(r"(?i)\balter\s+table\b", source.text)
        return SchemaFile() if alters and not re.search(r"(?i)\binsert\s+into\b", source.text) else None
    file = SchemaFile()
    for name in list(own)[:MOST_SCHEMAS]:
        table = tables.get(name, own[name])
        keys = [key for key in [table.primary, *table.unique] if key]
        schema = Schema(table.name, "SQL", source.label, table.line, closed=True, keys=keys)
        for column in table.columns.values():
            type_ = kind_of(column.type)
            schema.fields[column.name] = Field(
                column.name,
                frozenset({type_} if type_ else ()),
                column.line,
                required=column.required and not column.default,
                filled=column.required,
                unique=column.unique,
                values=column.values,
                least=column.least,
                most=column.most,
                longest=column.size,
                references=column.references,
                declared_type=column.type,
            )
        file.schemas.append(schema)
        file.findings += _table_findings(table, tables)
    return file


def _table_findings(table: Structure, tables: Tables) -> Iterator[Finding]:
    if not table.primary:
        yield RULES.found("SCHEMA-PRIMARY-KEY", table.line, table=table.name)
    for column in table.columns.values():
        place = f"{table.name}.{column.name}"
        if column.references is not None:
            yield from _foreign_key(column.line, place, column.type, column.references, tables)
            if not table.served(column.name):
                yield RULES.found("SCHEMA-FOREIGN-KEY-INDEX", column.line, column=place)
        if _MONEY.search(column.name) and re.search(r"(?i)float|real|double", column.type):
            yield RULES.found("SCHEMA-MONEY-FLOAT", column.line, column=place, type=column.type.lower())


def _foreign_key(line: int, place: str, type_: str, target: tuple[str, str], tables: Tables) -> Iterator[Finding]:
    name, column = target
    other = tables.get(name)
    if other is None:
        if len(tables) > 1:
            yield RULES.found("SCHEMA-FOREIGN-KEY-TABLE", line, column=place, table=name)
        return
    column = column or (other.primary[0] if other.primary else "")
    found = other.columns.get(column)
    if found is None:
        yield RULES.found("SCHEMA-FOREIGN-KEY-COLUMN", line, column=place, target=f"{name}.{column or 'a key'}")
    elif kind_of(found.type) != kind_of(type_):
        own, theirs = type_.lower(), found.type.lower()
        yield RULES.found(
            "SCHEMA-FOREIGN-KEY-TYPE", line, column=place, type=own, target=f"{name}.{column}", other=theirs
        )


def _dbt(source: Source, root: Mapping[str, object]) -> SchemaFile:
    """Read the models and sources that dbt describes."""
    models = [model for key in ("models", "seeds", "snapshots") for model in _list(root.get(key))]
    for given in _list(root.get("sources")):
        models += _list(given.get("tables")) if isinstance(given, Mapping) else []
    file = SchemaFile()
    seen: set[str] = set()
    for model in models[:MOST_SCHEMAS]:
        if not isinstance(model, Mapping) or not isinstance(model.get("name"), str):
            file.findings.append(RULES.found("SCHEMA-NAMELESS", 1, what="A model"))
            continue
        schema = Schema(str(model["name"]), "dbt", source.label, line_of(source.text, str(model["name"])))
        if schema.name in seen:
            file.findings.append(RULES.found("SCHEMA-DUPLICATE", schema.line, name=schema.name))
        seen.add(schema.name)
        for column in _list(model.get("columns")):
            if not isinstance(column, Mapping) or not isinstance(column.get("name"), str):
                continue
            field = _dbt_column(source, column)
            if field.name in schema.fields:
                name = f"{schema.name}.{field.name}"
                file.findings.append(RULES.found("SCHEMA-DUPLICATE", field.line, severity=Severity.MEDIUM, name=name))
            schema.fields[field.name] = field
        if not schema.fields:
            file.findings.append(RULES.found("SCHEMA-DBT-UNTESTED", schema.line, name=schema.name))
        file.schemas.append(schema)
    return file


def _dbt_column(source: Source, column: Mapping[str, object]) -> Field:
    name = str(column["name"])
    declared = str(column.get("data_type", ""))
    type_ = kind_of(declared)
    types = frozenset({type_} if type_ else ())
    field = Field(name, types, line_of(source.text, name), required=True, declared_type=declared)
    for test in _list(column.get("tests", column.get("data_tests"))):
        word, rule = (test, None) if isinstance(test, str) else ("", None)
        if isinstance(test, Mapping):
            word, rule = next(iter(test.items()), ("", None))
        stated = rule.get("arguments", rule) if isinstance(rule, Mapping) else {}
        arguments = stated if isinstance(stated, Mapping) else {}
        if word == "not_null":
            field.filled = True
        elif word == "unique":
            field.unique = True
        elif word == "accepted_values":
            field.values = tuple(cell_text(value) for value in _list(arguments.get("values")))
        elif word == "relationships":
            target = re.search(r"(?<!\w)\w++(?=['\"]?\s*+\)?\s*+$)", str(arguments.get("to", "")))
            field.references = (target[0], str(arguments.get("field", ""))) if target else None
        elif str(word).endswith("accepted_range"):
            field.least, field.most = number_of(arguments.get("min_value")), number_of(arguments.get("max_value"))
    return field


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
