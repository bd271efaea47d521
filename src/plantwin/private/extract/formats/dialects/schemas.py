"""The shapes that records must have: JSON Schema, Avro."""

from __future__ import annotations

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree, is_tree, text_of, trees
from plantwin.private.extract.formats.words import words

_TYPES = words("object array string number integer boolean null")
_AVRO = words("record enum fixed error")
_MAX = 300


def json_schema(draft: Draft, tree: Tree) -> bool:
    """A schema: it says so, or it types its properties."""
    declared = text_of(tree.get("$schema"))
    properties = tree.get("properties")
    definitions = tree.get("$defs") or tree.get("definitions")
    typed = is_tree(properties) and sum("type" in each or "$ref" in each for each in trees(properties)) * 2 >= len(
        properties
    )
    if not ("json-schema.org" in declared or (text_of(tree.get("type")) in _TYPES and typed)):
        return False
    if not (
        typed or is_tree(definitions) or tree.keys() & {"oneOf", "anyOf", "allOf", "$ref", "items", "type", "enum"}
    ):
        return False
    draft.add("schema_def")
    draft.name(text_of(tree.get("title")))
    for name, body in list(properties.items())[:_MAX] if is_tree(properties) else ():
        draft.name(name)
        draft.add("column")
        _refer(draft, body)
    for name, body in list(definitions.items())[:_MAX] if is_tree(definitions) else ():
        draft.add("schema_def")
        draft.name(name)
        inner = body.get("properties") if is_tree(body) else None
        draft.add("column", len(inner) if is_tree(inner) else 0)
    return True


def _refer(draft: Draft, body: object) -> None:
    if is_tree(body):
        draft.refer_path(text_of(body.get("$ref")).partition("#")[0], "specifies")
        items = body.get("items")
        if is_tree(items):
            draft.refer_path(text_of(items.get("$ref")).partition("#")[0], "specifies")


def avro(draft: Draft, tree: Tree) -> bool:
    """An Avro record, or a table schema of the same shape."""
    fields = trees(tree.get("fields"))
    if text_of(tree["type"]) not in _AVRO or not all("name" in each and "type" in each for each in fields):
        return False
    draft.add("schema_def")
    draft.add("column", len(fields))
    draft.name(text_of(tree.get("name")))
    for field in fields[:_MAX]:
        draft.name(text_of(field["name"]))
        inner = field["type"]
        if is_tree(inner) and text_of(inner.get("type")) in _AVRO:
            draft.add("schema_def")
            draft.name(text_of(inner.get("name")))
    return True


def avro_list(draft: Draft, row: Tree) -> bool:
    """A list of Avro types, or of table columns (`name`, `type`, `mode`)."""
    if text_of(row.get("type")) in _AVRO and "fields" in row:
        return avro(draft, row)
    if row.keys() >= {"name", "type", "mode"} and row.keys() <= {
        "name",
        "type",
        "mode",
        "description",
        "fields",
        "policyTags",
    }:
        draft.features.setdefault("schema_def", 1)
        draft.add("column")
        draft.name(text_of(row["name"]))
        return True
    return False
