"""HCL (Terraform, Nomad, Packer): blocks with labels, attributes and lines, by tree-sitter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from plantwin.private.facts import Private
from plantwin.private.formats.document import BOOLEAN, EXPRESSION, LIST, MAP, NULL, NUMBER, TEXT, Document, Fault, Node
from plantwin.private.formats.syntax_tree import grown

if TYPE_CHECKING:
    from tree_sitter import Node as Part

DEPTH = 60
MOST_FAULTS = 20


@dataclass(slots=True, repr=False)
class Block(Private):
    """`resource "type" "name" { … }`."""

    type: str
    labels: list[str]
    line: int
    attributes: dict[str, Node] = field(default_factory=dict)
    blocks: list[Block] = field(default_factory=list)

    @property
    def address(self) -> str:
        """How others refer to it: `aws_s3_bucket.name`."""
        return ".".join(self.labels) if self.type == "resource" else ".".join([self.type, *self.labels])

    def get(self, *path: str) -> Node | None:
        """Return an attribute here, or in blocks below."""
        *blocks, last = path
        here: Block = self
        for name in blocks:
            below = next((block for block in here.blocks if block.type == name), None)
            if below is None:
                found = here.attributes.get(name)
                return found.at(*path[path.index(name) + 1 :]) if found is not None else None
            here = below
        return here.attributes.get(last)

    def all(self, name: str) -> list[Block]:
        """Return the blocks of a name right below, those that are generated included."""
        found = [block for block in self.blocks if block.type == name]
        for block in self.blocks:
            if block.type == "dynamic" and block.labels == [name]:
                found += [inner for inner in block.blocks if inner.type == "content"]
        return found

    def within(self) -> Iterator[Block]:
        """Yield this block and every one below."""
        yield self
        for block in self.blocks:
            yield from block.within()


def read(document: Document) -> None:
    """Add blocks as a map of maps; `blocks` gives them as they are."""
    top = blocks(document)
    root = Node(MAP, 1)
    for key, node in top.attributes.items():
        root.map[key] = node
        root.lines[key] = node.line
    for block in top.blocks:
        _mapped(block, root)
    document.roots.append(root)


def _mapped(block: Block, holder: Node) -> None:
    for name in [block.type, *block.labels]:
        below = holder.map.get(name)
        if below is None or below.kind != MAP:
            below = holder.map[name] = Node(MAP, block.line)
            holder.lines[name] = block.line
        holder = below
    for key, node in block.attributes.items():
        holder.map[key] = node
        holder.lines[key] = node.line
    for inner in block.blocks:
        _mapped(inner, holder)


def blocks(document: Document) -> Block:
    """Return the whole text as one block."""
    data = document.source.text.encode("utf-8", "replace")
    top = Block("", [], 1)
    tree = grown("tree_sitter_hcl", data)
    if tree is None:
        document.whole = False
        return top
    root = tree.root_node
    if root.has_error and not document.source.truncated:
        document.faults += _faults(root, data)
    for child in root.children:
        if child.type == "body":
            _body(child, data, top, document, 0)
    return top


def _faults(root: Part, data: bytes) -> list[Fault]:
    found: list[Fault] = []
    stack = [root]
    while stack and len(found) < MOST_FAULTS:
        part = stack.pop()
        if part.is_missing:
            found.append(Fault(part.start_point[0] + 1, f"Not valid HCL: `{part.type[:30]}` is missing"))
        elif part.type == "ERROR":
            found.append(Fault(part.start_point[0] + 1, "Not valid HCL: the text does not parse from here"))
        elif part.has_error:
            stack += reversed(part.children)
    return found or [Fault(1, "Not valid HCL")]


def _text(part: Part, data: bytes) -> str:
    return data[part.start_byte : part.end_byte].decode("utf-8", "replace")


def _body(part: Part, data: bytes, holder: Block, document: Document, depth: int) -> None:
    if depth > DEPTH:
        return
    for child in part.children:
        line = child.start_point[0] + 1
        if child.type == "attribute":
            name = _text(child.children[0], data)
            value = next((part for part in child.children if part.type == "expression"), None)
            if name in holder.attributes and len(document.faults) < MOST_FAULTS:
                document.faults.append(
                    Fault(line, f"`{name[:80]}` is set twice in one block", "Keep one of them.", repeated=True)
                )
            node = expression(value, data, depth) if value is not None else Node(NULL, line)
            node.line = line
            holder.attributes[name] = node
        elif child.type == "block":
            names = [inner for inner in child.children if inner.type in ("identifier", "string_lit")]
            if not names:
                continue
            labels = [_text(inner, data).strip('"') for inner in names[1:]]
            made = Block(_text(names[0], data), labels, line)
            holder.blocks.append(made)
            for inner in child.children:
                if inner.type == "body":
                    _body(inner, data, made, document, depth + 1)


def expression(part: Part, data: bytes, depth: int = 0) -> Node:
    """Return a value, as far as it is written out."""
    line = part.start_point[0] + 1
    whole = _text(part, data)
    named = [child for child in part.children if child.is_named]
    if depth > DEPTH or (part.type == "expression" and len(named) != 1):
        return Node(EXPRESSION, line, whole)
    inner = (
        named[0]
        if part.type in ("expression", "literal_value", "collection_value", "template_expr") and named
        else part
    )
    if inner is not part:
        return expression(inner, data, depth + 1)
    match part.type:
        case "string_lit":
            return Node(TEXT, line, whole[1:-1], quoted=True)
        case "numeric_lit":
            return Node(NUMBER, line, whole)
        case "bool_lit":
            return Node(BOOLEAN, line, whole)
        case "null_lit":
            return Node(NULL, line)
        case "quoted_template":
            return Node(EXPRESSION, line, whole.strip('"'))
        case "heredoc_template":
            body = whole.split("\n", 1)[-1].rpartition("\n")[0]
            return Node(TEXT if "${" not in body else EXPRESSION, line, body, quoted=True, tag="heredoc")
        case "tuple":
            return Node(
                LIST, line, items=[expression(child, data, depth + 1) for child in named if child.type == "expression"]
            )
        case "object":
            made = Node(MAP, line)
            for entry in named:
                key, value = entry.child_by_field_name("key"), entry.child_by_field_name("val")
                if key is not None and value is not None:
                    name = _text(key, data).strip('"()')
                    made.map[name] = expression(value, data, depth + 1)
                    made.lines[name] = entry.start_point[0] + 1
            return made
        case "function_call":
            arguments = next((child for child in named if child.type == "function_arguments"), None)
            if whole.startswith("jsonencode") and arguments is not None:
                first = next((child for child in arguments.children if child.type == "expression"), None)
                if first is not None:
                    return expression(first, data, depth + 1)
            return Node(EXPRESSION, line, whole)
    return Node(EXPRESSION, line, whole)
