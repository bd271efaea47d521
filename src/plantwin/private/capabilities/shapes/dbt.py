"""Properties of dbt."""

from __future__ import annotations

import re
from collections.abc import Mapping

from plantwin.private.capabilities.common.source import Source
from plantwin.private.capabilities.shapes.read import Problem, Read, line_of, literal, number_of
from plantwin.private.capabilities.shapes.shape import Field, Shape
from plantwin.private.capabilities.statements.schema import kind_of

MOST = 200


def dbt(each: Source, root: Mapping[str, object]) -> Read:
    """The shapes of the models and sources that dbt describes."""
    shapes: list[Shape] = []
    problems: list[Problem] = []
    models: list[object] = []
    for key in ("models", "seeds", "snapshots"):
        stated = root.get(key)
        models += stated if isinstance(stated, list) else []
    sources = root.get("sources")
    for one in sources if isinstance(sources, list) else ():
        tables = one.get("tables") if isinstance(one, Mapping) else None
        models += tables if isinstance(tables, list) else []
    seen: set[str] = set()
    for model in models[:MOST]:
        if not isinstance(model, Mapping) or not isinstance(model.get("name"), str):
            problems.append(Problem(1, "high", "A model has no name"))
            continue
        name = str(model["name"])
        if name in seen:
            problems.append(Problem(line_of(each.text, name), "high", f"{name}: declared twice"))
        seen.add(name)
        shape = Shape(name, "dbt", each.label, line_of(each.text, name))
        columns = model.get("columns")
        for column in columns if isinstance(columns, list) else ():
            if isinstance(column, Mapping) and isinstance(column.get("name"), str):
                if column["name"] in shape.fields:
                    problems.append(
                        Problem(
                            line_of(each.text, str(column["name"])),
                            "medium",
                            f"{name}.{column['name']}: declared twice",
                        )
                    )
                shape.fields[str(column["name"])] = _dbt_column(each, column)
        if not shape.fields:
            problems.append(Problem(shape.line, "low", f"{name}: no column is described or tested"))
        shapes.append(shape)
    return Read(shapes, problems)


def _dbt_column(each: Source, column: Mapping[str, object]) -> Field:
    name = str(column["name"])
    kind = kind_of(str(column.get("data_type", "")))
    found = Field(
        name, frozenset({kind} if kind else ()), line_of(each.text, name), True, word=str(column.get("data_type", ""))
    )
    tests = column.get("tests", column.get("data_tests"))
    for test in tests if isinstance(tests, list) else ():
        word, rule = (
            (test, None)
            if isinstance(test, str)
            else next(iter(test.items()), ("", None))
            if isinstance(test, Mapping)
            else ("", None)
        )
        stated = rule.get("arguments", rule) if isinstance(rule, Mapping) else {}
        if word == "not_null":
            found.filled = True
        elif word == "unique":
            found.unique = True
        elif word == "accepted_values" and isinstance(stated, Mapping):
            values = stated.get("values")
            found.values = tuple(literal(one) for one in values) if isinstance(values, list) else ()
        elif word == "relationships" and isinstance(stated, Mapping):
            target = re.search(r"\w+(?=['\"]?\s*\)?\s*$)", str(stated.get("to", "")))
            found.references = (target[0], str(stated.get("field", ""))) if target else None
        elif str(word).endswith("accepted_range") and isinstance(stated, Mapping):
            found.least, found.most = number_of(stated.get("min_value")), number_of(stated.get("max_value"))
    return found
