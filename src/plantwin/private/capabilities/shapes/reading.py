"""Which files declare shapes, and in which language."""

from __future__ import annotations

from collections.abc import Mapping

from plantwin.private.capabilities.common.source import Source
from plantwin.private.capabilities.shapes.avro import avro, is_avro
from plantwin.private.capabilities.shapes.dbt import dbt
from plantwin.private.capabilities.shapes.json_schema import is_json_schema, json_schema
from plantwin.private.capabilities.shapes.read import Read
from plantwin.private.capabilities.shapes.tables import is_sql, sql
from plantwin.private.capabilities.statements.schema import Schema


def shapes_of(each: Source, schema: Schema) -> Read | None:
    """The shapes that a file declares; None where it declares none. `schema` is what all files define together."""
    if each.binary or not each.text.strip():
        return None
    if is_sql(each):
        return sql(each, schema)
    if each.format in ("json", "yaml", "avsc", "text") or each.label.lower().endswith(
        (".avsc", ".json", ".yml", ".yaml")
    ):
        root = _loaded(each)
        if isinstance(root, Mapping):
            if is_avro(root):
                return avro(each, root)
            if is_json_schema(root):
                return json_schema(each, root)
            if any(isinstance(root.get(key), list) for key in ("models", "sources", "seeds", "snapshots")):
                return dbt(each, root)
    return None


def _loaded(each: Source) -> object:
    from plantwin.private.extract.formats import json_loader, yaml_loader

    if each.format == "yaml" or each.label.lower().endswith((".yml", ".yaml")):
        documents, _ = yaml_loader.load(each.text)
        return documents[0] if len(documents) == 1 else None
    return json_loader.load(each.text, True)[0]
