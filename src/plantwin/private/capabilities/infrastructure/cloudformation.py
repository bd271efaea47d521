"""CloudFormation templates: their resources, with the type and attribute names that Terraform uses for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from plantwin.private.capabilities.infrastructure.cloud import DEPTH, Resource
from plantwin.private.formats.document import EXPRESSION, LIST, MAP, Document, Node

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_RENAMED = {
    "cidr_ip": "cidr_ipv4",
    "master_user_password": "master_password",
    "security_group_ingress": "ingress",
    "access_control": "acl",
    "public_access_block_configuration": "public_access_block",
}


@cache
def _types() -> dict[str, str]:
    """Return the Terraform name of each type that the rules know."""
    return msgspec.json.decode(Path(__file__).with_name("cloudformation_types.json").read_bytes(), type=dict[str, str])


def known_as(kind: str) -> str:
    """Return the name under which the rules know a type."""
    return _types().get(kind, kind)


def is_cloudformation(document: Document) -> bool:
    """Return whether a document is a CloudFormation template."""
    declared = document.root.at("Resources") if document.syntax in ("yaml", "json") else None
    return declared is not None and any(
        node.value("Type").startswith(("AWS::", "Custom::")) for node in declared.map.values()
    )


def resources(document: Document) -> Iterator[Resource]:
    """Return the resources that a template declares."""
    declared = document.root.map["Resources"]
    for name, node in declared.map.items():
        kind = node.value("Type")
        properties = node.at("Properties")
        made = _snake_case(properties) if properties is not None else Node(MAP, node.line)
        yield Resource(_types().get(kind, kind), name, declared.line_of(name), made, document)


def _snake_case(node: Node, depth: int = 0) -> Node:
    """Return properties with the names that Terraform gives them; intrinsic functions become expressions."""
    if depth > DEPTH or node.kind not in (MAP, LIST):
        return node
    if node.kind == LIST:
        return Node(LIST, node.line, items=[_snake_case(item, depth + 1) for item in node.items])
    if node.tag or any(key == "Ref" or key.startswith("Fn::") for key in node.map):
        return Node(EXPRESSION, node.line, "expression")
    made = Node(MAP, node.line)
    for key, value in node.map.items():
        if key in ("PolicyDocument", "AssumeRolePolicyDocument"):
            made.map["policy" if key == "PolicyDocument" else "assume_role_policy"] = value
            made.lines["policy"] = node.line_of(key)
            continue
        name = _CAMEL.sub("_", key.replace("DB", "Db").replace("KMS", "Kms").replace("AZ", "Az")).lower()
        name = _RENAMED.get(name, name)
        made.map[name] = _snake_case(value, depth + 1)
        made.lines[name] = node.line_of(key)
    return made
