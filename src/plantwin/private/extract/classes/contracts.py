"""Rows for the contracts family: interfaces agreed between systems."""

# fmt: off
from __future__ import annotations

from plantwin.private.extract.evidence import Row

KINDS = {
    "api_contract": "config code_file structured_record document",
    "data_contract": "config code_file structured_record",
}

ROWS = (
    Row("api_contract", "feature", "api_path", 8.0),
    Row("api_contract", "format", "proto graphql", 6.0),
    Row("api_contract", "stem", "openapi swagger asyncapi api",
        3.0, "kind=config,structured_record,code_file has=api_path,schema_def"),
    Row("api_contract", "path", "openapi swagger asyncapi contract proto graphql api spec",
        1.8, "has=api_path,schema_def"),
    Row("data_contract", "feature", "schema_def", 6.5, "no=api_path,route notformat=graphql,proto,sql"),
    Row("data_contract", "feature", "schema_def", 3.0, "no=api_path format=proto"),
    Row("data_contract", "file", "*.schema.json *.avsc *.xsd *.dtd", 5.0),
    Row("data_contract", "path", "schema contract avro xsd message", 1.8, "has=schema_def"),
)
