"""Terraform: what its files declare, and names declared twice or not at all. `cloud` has the security rules."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.infrastructure.cloud import DEPTH, Resource
from plantwin.private.capabilities.infrastructure.project import Project
from plantwin.private.formats.document import LIST, MAP, Document, Node, walk
from plantwin.private.formats.hcl import Block

RULES = Rules("terraform_validity")
_LABELS = {"resource": 2, "data": 2, "variable": 1, "output": 1, "module": 1, "provider": 1}
_COMMENT = re.compile(r"^[ \t]*(?:#|//)[^\n]*", re.MULTILINE)
_BOUND = re.compile(r"\bfor\s{1,8}(?:\w{1,80}\s{0,8},\s{0,8})?(var|local|module|data)\s{1,8}in\b")
"""A loop's name for what it goes through."""
_REFERENCE = re.compile(
    r"(?<![\w.\"$-])(?<!\$\{\{)(var|local|module|data\.\w{1,80}"
    r"|(?:aws|azurerm|google|kubernetes|random|tls|helm|null|time|local)_\w{1,80})\.([A-Za-z_][\w-]{0,120})"
)


def resources(document: Document, top: Block) -> Iterator[Resource]:
    """Return the resources, data sources and modules that a file declares."""
    for block in top.blocks:
        if block.type in ("resource", "data") and len(block.labels) == 2:
            kind, name = block.labels
            yield Resource(kind, name, block.line, _node(block), document, data=block.type == "data")
        elif block.type in ("module", "provider", "terraform"):
            yield Resource(block.type, ".".join(block.labels), block.line, _node(block), document)


def _node(block: Block, depth: int = 0) -> Node:
    made = Node(MAP, block.line)
    for key, value in block.attributes.items():
        made.map[key] = value
        made.lines[key] = value.line
    for inner in block.blocks if depth < DEPTH else []:
        name, body = inner.type, inner
        if name == "dynamic" and inner.labels:
            name = inner.labels[0]
            body = next((below for below in inner.blocks if below.type == "content"), inner)
        holder = made.map.setdefault(name, Node(LIST, inner.line))
        made.lines.setdefault(name, inner.line)
        if holder.kind == LIST:
            holder.items.append(_node(body, depth + 1))
    return made


def validate(document: Document, project: Project) -> Iterator[Finding]:
    """Return what is wrong with one file of a module, seen with the module's other files."""
    if not document.name.endswith(".tf"):
        return
    top = project.blocks(document)
    declared: dict[str, int] = {}
    for block in top.blocks:
        name, labels = ".".join(block.labels), _LABELS.get(block.type)
        address = f"{block.type}.{name}"
        if labels is not None and block.type != "provider":
            first = declared.setdefault(address, block.line)
            if first != block.line:
                yield RULES.found("TF-DUPLICATE", block.line, address=address, first=first)
        if labels is not None and len(block.labels) != labels:
            yield RULES.found("TF-LABELS", block.line, type=block.type, wanted=labels, given=len(block.labels))
        required = {"output": "value", "module": "source"}.get(block.type)
        if required and required not in block.attributes:
            yield RULES.found("TF-REQUIRED-ARGUMENT", block.line, address=address, argument=required)
    folder = document.name.rpartition("/")[0]
    module = [
        other
        for other in project.documents
        if other.name.rpartition("/")[0] == folder and other.name.endswith((".tf", ".tf.json"))
    ]
    if not project.folder.complete(document.name, (".tf", ".tf.json"), [other.name for other in module]):
        return
    known = set().union(*(_declared(project.blocks(other)) for other in module))
    # `moved` and `removed` name addresses that are no longer declared: that is what they are for.
    current = [outer for outer in top.blocks if outer.type not in ("moved", "removed")]
    blocks = [inner for outer in current for inner in outer.within()]
    # `dynamic "aws_idc"` gives its content `aws_idc.value`, or the name that `iterator` says.
    iterators = {block.labels[0] for block in blocks if block.type == "dynamic" and block.labels}
    iterators |= {block.attributes["iterator"].text for block in blocks if "iterator" in block.attributes}
    for block in blocks:
        for node in block.attributes.values():
            for name in sorted(name for name in _references(node) - known if name.partition(".")[0] not in iterators):
                yield RULES.found("TF-UNDECLARED", node.line, name=name[:100])


def _declared(top: Block) -> set[str]:
    prefixes = {"variable": "var.", "module": "module.", "resource": "", "data": "data.", "ephemeral": "data."}
    found = {prefixes[block.type] + ".".join(block.labels) for block in top.blocks if block.type in prefixes}
    return found | {f"local.{key}" for block in top.blocks if block.type == "locals" for key in block.attributes}


def _references(node: Node) -> set[str]:
    used: set[str] = set()
    for _, _, part in walk(node):
        if part.kind == "expression":
            text = part.text if "${" not in part.text else " ".join(re.findall(r"\$\{([^}]{0,500})\}", part.text))
            text = _COMMENT.sub("", text[:5000])
            bound = set(_BOUND.findall(text))
            used.update(
                f"{kind}.{name}" for kind, name in _REFERENCE.findall(text) if kind.partition(".")[0] not in bound
            )
    return used
