"""JSX and TSX: elements in code, by tree-sitter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.private.capabilities.check_accessibility.elements import DYNAMIC, MOST_ELEMENTS, Element, Page
from plantwin.private.formats.syntax_tree import grown
from plantwin.private.formats.values import words

if TYPE_CHECKING:
    from tree_sitter import Node

_ELEMENTS = frozenset(("jsx_element", "jsx_self_closing_element", "jsx_fragment"))
_MAY_HOLD_ELEMENTS = words(
    "binary_expression ternary_expression parenthesized_expression arrow_function call_expression arguments"
    " statement_block return_statement"
)
_RENAMED = {"htmlfor": "for", "classname": "class"}
DEEPEST = 400


def page(text: str, *, typescript: bool) -> Page:
    """Read the elements of a component file."""
    data = text.encode("utf-8", "replace")
    grammar = ("tree_sitter_typescript", data, "language_tsx") if typescript else ("tree_sitter_javascript", data)
    tree = grown(*grammar)
    root = Element("", 1)
    if tree is None:
        return Page(root, whole=False, parsed=False, template=True)
    whole = _read(tree.root_node, root)
    return Page(root, whole=whole, parsed=not tree.root_node.has_error, template=True)


def _read(start: Node, root: Element) -> bool:
    """Add every element below a node, without recursion; tell whether that was all."""
    left = MOST_ELEMENTS
    stack: list[tuple[Node, Element, int]] = [(start, root, 0)]
    while stack and left > 0:
        node, parent, depth = stack.pop()
        if depth > DEEPEST:
            continue
        inner, children = parent, node.children
        if node.type in _ELEMENTS:
            left -= 1
            opening = children[0] if node.type == "jsx_element" and children else node
            inner = _element(opening, node, parent)
            # Elements that stand in attributes belong to no one's content.
            stack += [
                (child, Element("", child.start_point[0] + 1), depth + 1)
                for child in opening.children
                if child.type == "jsx_attribute"
            ]
            children = [child for child in children if child.type not in ("jsx_opening_element", "jsx_closing_element")]
        elif node.type == "jsx_text":
            parent.children.append(_text(node))
            continue
        elif node.type == "jsx_expression":
            children = _named(node)
            if children and not _holds_elements(children[0]):
                parent.children.append(DYNAMIC)
                continue
        stack += [(child, inner, depth + 1) for child in reversed(children)]
    return left > 0


def _element(opening: Node, node: Node, parent: Element) -> Element:
    name = opening.child_by_field_name("name")
    title = _text(name) if name is not None else ""
    component = not title or title[0].isupper() or "." in title or "-" in title
    element = Element(title.lower(), node.start_point[0] + 1, parent=parent, component=component)
    for child in opening.children:
        if child.type == "jsx_attribute":
            _add_attribute(_named(child), element)
        elif child.type == "jsx_expression":
            element.spread = True
    parent.children.append(element)
    return element


def _add_attribute(parts: list[Node], element: Element) -> None:
    if not parts:
        return
    name = _text(parts[0]).lower()
    if name == "dangerouslysetinnerhtml":
        element.children.append(DYNAMIC)
    else:
        element.attributes.setdefault(_RENAMED.get(name, name), _value(parts[1]) if len(parts) > 1 else "")


def _value(node: Node) -> str:
    inside = _named(node)
    if node.type == "jsx_expression" and len(inside) == 1:
        node = inside[0]
        if node.type in ("number", "true", "false", "unary_expression"):
            return _text(node)
    text = _text(node)
    constant = node.type == "string" or (node.type == "template_string" and "${" not in text)
    return text[1:-1] if constant else DYNAMIC


def _holds_elements(node: Node) -> bool:
    """Tell whether an expression is elements only, by condition or by list."""
    stack = [node]
    for _ in range(60):
        if not stack:
            break
        node = stack.pop()
        if node.type in _ELEMENTS:
            return True
        if node.type in _MAY_HOLD_ELEMENTS:
            stack += node.children
    return False


def _named(node: Node) -> list[Node]:
    return [child for child in node.children if child.is_named and child.type != "comment"]


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
