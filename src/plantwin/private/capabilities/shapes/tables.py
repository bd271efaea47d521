"""Tables that SQL defines."""

# ruff: noqa: E501 (messages and patterns)

from __future__ import annotations

import re

from plantwin.private.capabilities.common.source import Source
from plantwin.private.capabilities.shapes.read import Problem, Read
from plantwin.private.capabilities.shapes.shape import Field, Shape
from plantwin.private.capabilities.statements.schema import Schema, Structure, kind_of, learn
from plantwin.private.capabilities.statements.split import statements
from plantwin.private.capabilities.statements.trees import dialect_of, trees, unfilled

MOST = 200


def definitions(sources: list[Source]) -> Schema:
    """What all files of SQL define and alter together, in the order of their names."""
    schema: Schema = {}
    for each in sorted(sources, key=lambda one: one.label):
        if is_sql(each):
            text = unfilled(each.text)
            learn(schema, trees(statements(text), dialect_of(text)))
    return schema


def is_sql(each: Source) -> bool:
    """Whether it is SQL."""
    return not each.binary and (each.format == "sql" or each.label.lower().endswith((".sql", ".ddl")))


def sql(each: Source, schema: Schema) -> Read | None:
    """The shapes of the tables that a file defines, as all files leave them."""
    own: Schema = {}
    text = unfilled(each.text)
    learn(own, trees(statements(text), dialect_of(text)))
    if not own:
        return (
            Read([], [])
            if re.search(r"(?i)\balter\s+table\b", text) and not re.search(r"(?i)\binsert\s+into\b", text)
            else None
        )
    problems: list[Problem] = []
    shapes = []
    for name in list(own)[:MOST]:
        table = schema.get(name, own[name])
        shapes.append(_structure(each, table))
        problems += _table_problems(table, schema)
    return Read(shapes, problems)


def _structure(each: Source, table: Structure) -> Shape:
    shape = Shape(
        table.name,
        "SQL",
        each.label,
        table.line,
        closed=True,
        keys=[key for key in [table.primary, *table.unique] if key],
    )
    for column in table.columns.values():
        kind = kind_of(column.type)
        shape.fields[column.name] = Field(
            column.name, frozenset({kind} if kind else ()), column.line, column.required and not column.default, column.required, column.unique,
            column.values, column.least, column.most, column.size, references=column.references, word=column.type,
        )  # fmt: skip
    return shape


def _table_problems(table: Structure, schema: Schema) -> list[Problem]:
    found = []
    if not table.primary:
        found.append(Problem(table.line, "medium", f"{table.name} has no primary key"))
    for column in table.columns.values():
        if column.references is not None:
            name, target = column.references
            other = schema.get(name)
            if other is None and len(schema) > 1:
                found.append(
                    Problem(
                        column.line, "low", f"{table.name}.{column.name} refers to {name}, which is not defined here"
                    )
                )
            elif other is not None:
                target = target or (other.primary[0] if other.primary else "")
                held = other.columns.get(target)
                if held is None:
                    found.append(
                        Problem(
                            column.line,
                            "high",
                            f"{table.name}.{column.name} refers to {name}.{target or 'a key'}, which does not exist",
                        )
                    )
                elif kind_of(held.type) != kind_of(column.type):
                    found.append(
                        Problem(
                            column.line,
                            "high",
                            f"{table.name}.{column.name} is {column.type.lower()}, but refers to {name}.{target}, which is {held.type.lower()}",
                        )
                    )
            if not table.served(column.name):
                found.append(
                    Problem(column.line, "low", f"{table.name}.{column.name} refers to another table and has no index")
                )
        if re.search(r"(?i)(?:^|_)(?:price|amount|total|balance|salary|cost)(?:$|_)", column.name) and re.search(
            r"(?i)float|real|double", column.type
        ):
            found.append(
                Problem(
                    column.line,
                    "medium",
                    f"{table.name}.{column.name} holds money as {column.type.lower()}: sums will be off",
                )
            )
    return found
