"""JSX and TSX: elements in code, by tree-sitter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.private.capabilities.accessibility.element import DYNAMIC, MOST, Element, Page
from plantwin.private.capabilities.placed.grown import grown

if TYPE_CHECKING:
    from tree_sitter import Node as Part

_RENAMED = {"htmlfor": "for", "classname": "class", "tabindex": "tabindex", "autofocus": "autofocus"}
DEPTH = 400


def page(text: str, typed: bool) -> Page:
    """The elements of a component file."""
    data = text.encode("utf-8", "replace")
    tree = grown("tree_sitter_typescript", data, "language_tsx") if typed else grown("tree_sitter_javascript", data)
    root = Element("", 1)
    if tree is None:
        return Page(root, [], False, False, True)
    reader = _Reader(data)
    reader.read(tree.root_node, root)
    return Page(root, [], reader.left > 0, not tree.root_node.has_error, True)


class _Reader:
    """Nodes to elements."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.left = MOST

    def _text(self, part: Part) -> str:
        return self.data[part.start_byte : part.end_byte].decode("utf-8", "replace")

    def read(self, start: Part, root: Element) -> None:
        """Every element below a node, without recursion."""
        stack: list[tuple[Part, Element, int]] = [(start, root, 0)]
        while stack and self.left > 0:
            part, holder, depth = stack.pop()
            if depth > DEPTH:
                continue
            if part.type in ("jsx_element", "jsx_self_closing_element", "jsx_fragment"):
                self.left -= 1
                inner = self._element(part, holder)
                stack += [
                    (child, inner, depth + 1)
                    for child in reversed(part.children)
                    if child.type not in ("jsx_opening_element", "jsx_closing_element")
                ]
                opening = part.children[0] if part.type == "jsx_element" and part.children else part
                # Elements that stand in attributes belong to no one's content.
                stack += [
                    (child, Element("", child.start_point[0] + 1), depth + 1)
                    for child in opening.children
                    if child.type == "jsx_attribute"
                ]
            elif part.type == "jsx_text":
                holder.children.append(self._text(part))
            elif part.type == "jsx_expression":
                before = len(holder.children)
                inside = [child for child in part.children if child.is_named and child.type != "comment"]
                if inside and not self._markup(inside[0]):
                    holder.children.append(DYNAMIC)
                elif inside and before >= 0:
                    stack += [(child, holder, depth + 1) for child in reversed(inside)]
            else:
                stack += [(child, holder, depth + 1) for child in reversed(part.children)]

    def _markup(self, part: Part) -> bool:
        """Whether an expression is elements only, by condition or by list."""
        stack, left = [part], 60
        while stack and left:
            left -= 1
            each = stack.pop()
            if each.type in ("jsx_element", "jsx_self_closing_element", "jsx_fragment"):
                return True
            if each.type in (
                "binary_expression",
                "ternary_expression",
                "parenthesized_expression",
                "arrow_function",
                "call_expression",
                "arguments",
                "statement_block",
                "return_statement",
            ):
                stack += each.children
        return False

    def _element(self, part: Part, holder: Element) -> Element:
        opening = next((child for child in part.children if child.type == "jsx_opening_element"), part)
        name = opening.child_by_field_name("name")
        title = self._text(name) if name is not None else ""
        made = Element(
            title.lower(),
            part.start_point[0] + 1,
            parent=holder,
            component=not title or title[0].isupper() or "." in title or "-" in title,
        )
        if part.type == "jsx_fragment" or not title:
            made.component = True
        for child in opening.children:
            if child.type == "jsx_attribute":
                self._attribute(child, made)
            elif child.type == "jsx_expression":
                made.spread = True
        holder.children.append(made)
        return made

    def _attribute(self, part: Part, made: Element) -> None:
        named = [child for child in part.children if child.is_named]
        if not named:
            return
        key = self._text(named[0]).lower()
        key = _RENAMED.get(key, key)
        if key == "dangerouslysetinnerhtml":
            made.children.append(DYNAMIC)
            return
        value = ""
        if len(named) > 1:
            value = self._value(named[1])
        made.attributes.setdefault(key, value)

    def _value(self, part: Part) -> str:
        if part.type == "string":
            return self._text(part)[1:-1]
        inside = [child for child in part.children if child.is_named and child.type != "comment"]
        if part.type == "jsx_expression" and len(inside) == 1:
            only = inside[0]
            if only.type == "string":
                return self._text(only)[1:-1]
            if only.type in ("number", "true", "false", "unary_expression"):
                return self._text(only)
            if only.type == "template_string" and "${" not in self._text(only):
                return self._text(only)[1:-1]
        return DYNAMIC
