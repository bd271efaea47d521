"""HCL of Terraform: names that are declared twice or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plantwin.private.capabilities.placed.document import Document
from plantwin.private.capabilities.placed.hcl_tree import Block, blocks
from plantwin.private.capabilities.placed.node import Node, walk
from plantwin.private.capabilities.placed.report import Issue
from plantwin.private.capabilities.validity.place import Place
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_REFERENCE = re.compile(
    r"(?<![\w.\"$-])(?<!\$\{\{)(var|local|module|data\.\w{1,80}|(?:aws|azurerm|google|kubernetes|random|tls|helm|null|time|local)_\w{1,80})\.([A-Za-z_][\w-]{0,120})"
)


def issues(document: Document, others: Sequence[Document], place: Place) -> Iterator[Issue]:
    """What is wrong with one file of a module, seen with the others that were given."""
    if not document.name.endswith(".tf"):
        return
    top = blocks(Document(document.source, "hcl"))
    declared: dict[str, int] = {}
    for each in top.blocks:
        if each.type in ("resource", "data", "variable", "output", "module"):
            address = ".".join([each.type, *each.labels])
            first = declared.setdefault(address, each.line)
            if first != each.line:
                yield Issue(
                    each.line,
                    _S.HIGH,
                    _T.DUPLICATION,
                    "terraform/duplicate",
                    f"`{address}` is declared twice (first on line {first})",
                    "Rename one.",
                )
        wanted = {"resource": 2, "data": 2, "variable": 1, "output": 1, "module": 1, "provider": 1}.get(each.type)
        if wanted is not None and len(each.labels) != wanted:
            yield Issue(
                each.line,
                _S.HIGH,
                _T.INVALID_VALUES,
                "terraform/labels",
                f"A {each.type} block has {wanted} names, this one {len(each.labels)}",
                "Correct it.",
            )
        if each.type == "output" and "value" not in each.attributes:
            yield Issue(
                each.line,
                _S.HIGH,
                _T.MISSING_PART,
                "terraform/output",
                f"Output `{'.'.join(each.labels)}` has no value",
                "Add it.",
            )
        if each.type == "module" and "source" not in each.attributes:
            yield Issue(
                each.line,
                _S.HIGH,
                _T.MISSING_PART,
                "terraform/module",
                f"Module `{'.'.join(each.labels)}` has no source",
                "Add it.",
            )
    folder = document.name.rpartition("/")[0]
    near = [
        each for each in others if each.name.rpartition("/")[0] == folder and each.name.endswith((".tf", ".tf.json"))
    ]
    if not place.sure(document.name, (".tf", ".tf.json"), [each.name for each in near]):
        return
    known = set().union(*(_names(blocks(Document(each.source, "hcl"))) for each in near))
    yield from _missing(top, known)


def _names(top: Block) -> set[str]:
    found: set[str] = set()
    for each in top.blocks:
        if each.type == "variable":
            found.add(f"var.{'.'.join(each.labels)}")
        elif each.type == "locals":
            found.update(f"local.{key}" for key in each.attributes)
        elif each.type == "module":
            found.add(f"module.{'.'.join(each.labels)}")
        elif each.type == "resource":
            found.add(".".join(each.labels))
        elif each.type in ("data", "ephemeral"):
            found.add(f"data.{'.'.join(each.labels)}")
    return found


def _missing(top: Block, known: set[str]) -> Iterator[Issue]:
    for block in [inner for each in top.blocks for inner in each.within()]:
        for node in block.attributes.values():
            for name in sorted(_used(node) - known):
                yield Issue(
                    node.line,
                    _S.HIGH,
                    _T.BROKEN_REFERENCE,
                    "terraform/undeclared",
                    f"`{name[:100]}` is not declared in this module",
                    "Declare it, or correct the name.",
                )


def _used(node: Node) -> set[str]:
    used: set[str] = set()
    for _, _, part in walk(node):
        if part.kind == "expression":
            text = part.text if "${" not in part.text else " ".join(re.findall(r"\$\{([^}]{0,500})\}", part.text))
            used.update(f"{kind}.{name}" for kind, name in _REFERENCE.findall(text[:5000]))
    return used
