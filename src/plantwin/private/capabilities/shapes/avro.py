"""Avro."""

from __future__ import annotations

from collections.abc import Mapping

from plantwin.private.capabilities.common.source import Source
from plantwin.private.capabilities.shapes.read import Problem, Read, line_of
from plantwin.private.capabilities.shapes.shape import Field, Shape

_AVRO = {
    "int": "integer",
    "long": "integer",
    "float": "number",
    "double": "number",
    "boolean": "boolean",
    "string": "text",
    "bytes": "text",
    "enum": "text",
    "fixed": "text",
    "array": "nested",
    "map": "nested",
    "record": "nested",
}
_LOGICAL = {"date": "date", "timestamp-millis": "timestamp", "timestamp-micros": "timestamp", "decimal": "number"}


def is_avro(root: Mapping[str, object]) -> bool:
    """Whether a document is an Avro record."""
    return root.get("type") == "record" and isinstance(root.get("fields"), list)


def avro(each: Source, root: Mapping[str, object]) -> Read:
    """The shape of an Avro record."""
    problems: list[Problem] = []
    shape = Shape(str(root.get("name") or each.label), "Avro", each.label, closed=True)
    fields = root.get("fields")
    names = {str(root.get("name"))}
    for one in fields if isinstance(fields, list) else ():
        if not isinstance(one, Mapping) or not isinstance(one.get("name"), str):
            problems.append(Problem(1, "high", "A field has no name"))
            continue
        name = str(one["name"])
        if name in shape.fields:
            problems.append(Problem(line_of(each.text, name), "high", f"{name}: declared twice"))
        kinds, optional, values, unknown = _avro_type(one.get("type"), names)
        if unknown:
            problems.append(Problem(line_of(each.text, name), "high", f"{name}: the type {unknown} is not known"))
        if "default" in one and isinstance(one.get("type"), list):
            first = one["type"][0]
            if (one["default"] is None) != (first == "null"):
                problems.append(
                    Problem(
                        line_of(each.text, name),
                        "medium",
                        f"{name}: the default does not fit the first type of the union",
                    )
                )
        shape.fields[name] = Field(
            name,
            frozenset(kinds),
            line_of(each.text, name),
            "default" not in one,
            not optional,
            values=values,
            word=str(one.get("type"))[:60],
        )
    return Read([shape], problems)


def _avro_type(stated: object, names: set[str]) -> tuple[set[str], bool, tuple[str, ...], str]:
    optional = False
    kinds: set[str] = set()
    values: tuple[str, ...] = ()
    unknown = ""
    for one in stated if isinstance(stated, list) else [stated]:
        word = one.get("type") if isinstance(one, Mapping) else one
        if isinstance(one, Mapping):
            names.add(str(one.get("name")))
            symbols = one.get("symbols")
            values = tuple(map(str, symbols)) if isinstance(symbols, list) else values
            logical = _LOGICAL.get(str(one.get("logicalType")))
            if logical:
                kinds |= {logical, "integer"} if logical in ("date", "timestamp") else {logical}
                continue
        if word == "null":
            optional = True
        elif isinstance(word, str) and word in _AVRO:
            kinds.add(_AVRO[word])
        elif isinstance(word, str) and word not in names and "." not in word:
            unknown = word
    return kinds, optional, values, unknown
