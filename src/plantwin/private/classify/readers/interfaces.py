"""Interfaces and schemas: OpenAPI, Postman, HAR, JSON Schema, Avro, Protocol Buffers, GraphQL."""

from __future__ import annotations

import re

from plantwin.private.classify.readers.draft import Draft
from plantwin.private.facts import Sample
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.text import head_text
from plantwin.private.formats.values import Tree, is_tree, text_of, tree_of, trees, words

_LEXICON = Lexicon(__file__)
_METHODS = words("get put post delete options head patch trace publish subscribe send receive")
_MAX = 500


def openapi(draft: Draft, tree: Tree) -> bool:
    """Read OpenAPI, Swagger or AsyncAPI: operations and the schemas they speak of."""
    version = text_of(tree.get("openapi") or tree.get("swagger") or tree.get("asyncapi"))
    if not version[:1].isdigit():
        return False
    # The header alone makes it a contract, even before its first path.
    found = 0
    for group in ("paths", "channels", "webhooks", "operations"):
        paths = tree.get(group)
        for path, item in list(tree_of(paths).items())[:_MAX]:
            draft.name(path)
            if not is_tree(item):
                continue
            draft.refer_path(_file(item.get("$ref")), "specifies")
            operations = [item[method] for method in item if method in _METHODS]
            found += len(operations) or 1
            for operation in operations:
                if is_tree(operation):
                    draft.name(text_of(operation.get("operationId")))
    draft.add("api_path", found or 1)
    components = tree.get("components")
    schemas = components.get("schemas") if is_tree(components) else tree.get("definitions")
    for name, schema in list(tree_of(schemas).items())[:_MAX]:
        draft.add("schema_def")
        draft.name(name)
        draft.refer_path(_file(schema.get("$ref")) if is_tree(schema) else "", "specifies")
    return True


def _file(reference: object) -> str:
    """Return the file part of a `$ref`."""
    return reference.partition("#")[0] if type(reference) is str else ""


def postman(draft: Draft, tree: Tree) -> bool:
    """Read a collection of requests."""
    info = tree["info"]
    if not is_tree(info) or not ("_postman_id" in info or "postman" in text_of(info.get("schema"))):
        return False
    stack = trees(tree["item"])[::-1]
    left = _MAX
    tested = 0
    while stack and left:
        left -= 1
        item = stack.pop()
        draft.name(text_of(item.get("name")))
        draft.add("api_path", "request" in item)
        tested += "request" in item and any(event.get("listen") == "test" for event in trees(item.get("event"))[:20])
        stack.extend(trees(item.get("item"))[:200][::-1])
    if tested * 2 > draft.features.get("api_path", 0):
        # Most requests are checked: it is run as a suite, rather than read as a description.
        draft.add("test_function", tested)
        draft.add("assertion", tested)
    return True


def resources(draft: Draft, tree: Tree) -> bool:
    """Read RAML: resources are keys that are paths, with methods below them."""
    paths = [key for key, body in tree.items() if key.startswith("/") and is_tree(body)]
    if not any(body.keys() & _METHODS for path in paths if is_tree(body := tree[path])):
        return False
    for path in paths[:_MAX]:
        draft.add("api_path")
        draft.name(path)
    return True


_TYPES = words("object array string number integer boolean null")
_AVRO = words("record enum fixed error")
_MAX_FIELDS = 300


def json_schema(draft: Draft, tree: Tree) -> bool:
    """Read a schema: it says so, or it types its properties."""
    declared = text_of(tree.get("$schema"))
    properties = tree.get("properties")
    definitions = tree.get("$defs") or tree.get("definitions")
    schemas = trees(properties)
    typed = is_tree(properties) and sum("type" in body or "$ref" in body for body in schemas) * 2 >= len(properties)
    if not ("json-schema.org" in declared or (text_of(tree.get("type")) in _TYPES and typed)):
        return False
    if not (
        typed or is_tree(definitions) or tree.keys() & {"oneOf", "anyOf", "allOf", "$ref", "items", "type", "enum"}
    ):
        return False
    draft.add("schema_def")
    draft.name(text_of(tree.get("title")))
    for name, body in list(tree_of(properties).items())[:_MAX_FIELDS]:
        draft.name(name)
        draft.add("column")
        _refer(draft, body)
    for name, body in list(tree_of(definitions).items())[:_MAX_FIELDS]:
        draft.add("schema_def")
        draft.name(name)
        inner = body.get("properties") if is_tree(body) else None
        draft.add("column", len(tree_of(inner)))
    return True


def _refer(draft: Draft, body: object) -> None:
    if is_tree(body):
        draft.refer_path(text_of(body.get("$ref")).partition("#")[0], "specifies")
        items = body.get("items")
        if is_tree(items):
            draft.refer_path(text_of(items.get("$ref")).partition("#")[0], "specifies")


def avro(draft: Draft, tree: Tree) -> bool:
    """Read an Avro record, or a table schema of the same shape."""
    fields = trees(tree.get("fields"))
    if text_of(tree["type"]) not in _AVRO or not all("name" in field and "type" in field for field in fields):
        return False
    draft.add("schema_def")
    draft.add("column", len(fields))
    draft.name(text_of(tree.get("name")))
    for field in fields[:_MAX_FIELDS]:
        draft.name(text_of(field["name"]))
        inner = field["type"]
        if is_tree(inner) and text_of(inner.get("type")) in _AVRO:
            draft.add("schema_def")
            draft.name(text_of(inner.get("name")))
    return True


def avro_list(draft: Draft, row: Tree) -> bool:
    """Read a list of Avro types, or of table columns (`name`, `type`, `mode`)."""
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


_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|#[^\n]*|\"\"\".*?(?:\"\"\"|\Z)", re.DOTALL)
_PROTO = _LEXICON.pattern("proto")


def read_proto(sample: Sample, draft: Draft) -> None:
    """Read messages, fields, services and their calls."""
    text = _strip(draft, head_text(sample), hashes=False)
    for match in _PROTO.finditer(text):
        if match["name"]:
            draft.add("schema_def" if match["kind"] != "service" else "api_path", match["kind"] != "service")
            draft.name(match["name"])
        elif match["rpc"]:
            draft.add("api_path")
            draft.name(match["rpc"])
        elif match["import"] or match["include"]:
            target = match["import"] or match["include"]
            if not target.startswith("google/"):
                draft.refer_path(target, "imports", "root_path")
                draft.refer_path(target, "imports")
        elif match["package"]:
            draft.provide("proto_package", match["package"])
        elif match["field"]:
            draft.add("column")
            draft.name(match["field"])
    draft.outline.parsed = bool(draft.features.keys() & {"schema_def", "api_path"}) or bool(draft.outline.provides)


def _strip(draft: Draft, text: str, hashes: bool) -> str:
    """Return the text without comments; count the notes of work left in them."""

    def drop(match: re.Match[str]) -> str:
        comment = match[0]
        if comment.startswith("#") and not hashes:
            return comment
        draft.add("todo", "TODO" in comment or "FIXME" in comment)
        return ""

    return _COMMENT.sub(drop, text)


_GRAPHQL_BLOCK = _LEXICON.pattern("graphql_block")
_ROOTS = frozenset({"Query", "Mutation", "Subscription"})


def read_graphql(sample: Sample, draft: Draft) -> None:
    """Read types, operations of the roots, documents of a client; Prisma models read alike."""
    text = _strip(draft, head_text(sample), hashes=True)
    inside, prisma = "", False
    for match in _GRAPHQL_BLOCK.finditer(text):
        if match["close"]:
            inside = ""
        elif match["kind"]:
            kind = match["kind"]
            prisma = kind == "model"
            if kind in ("query", "mutation", "subscription", "fragment"):
                draft.add("api_path")
            elif match["name"] not in _ROOTS and kind != "schema":
                draft.add("orm_model" if prisma else "schema_def")
                draft.provide("table" if prisma else "graphql_type", match["name"])
            draft.name(match["name"])
            inside = match["name"] if kind in ("type", "input", "interface", "model") else ""
        elif match["field"] and inside:
            draft.add("api_path" if inside in _ROOTS else "column")
            draft.name(match["field"])
    draft.outline.parsed = bool(draft.features.keys() & {"schema_def", "api_path", "orm_model"})
