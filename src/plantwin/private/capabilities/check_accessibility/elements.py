"""Elements of a page, whatever it is written in, and the names that assistive technology reads out for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from plantwin.private.facts import Private

DYNAMIC = "\x00"
"""Stands where a program will put a value."""
MOST_ELEMENTS = 50_000
"""Elements of one object."""
MOST_NODES = 2000
"""Nodes of one element that are searched for text; an element with more is taken to have some."""
_LABELLING_COMPONENTS = ("label", "field", "formitem", "formcontrol", "form-item", "formgroup", "form.item", "control")
"""Components of design systems that label the field inside them have such words in their names."""


@dataclass(slots=True, repr=False, eq=False)
class Element(Private):
    """One element with its attributes."""

    tag: str
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    """Names in lower case. A value that a program computes is `DYNAMIC`."""
    parent: Element | None = None
    children: list[Element | str] = field(default_factory=list)
    spread: bool = False
    """Whether further attributes come from elsewhere (`{...props}`)."""
    component: bool = False
    """Whether it is no element of HTML, but stands for others."""
    concealed: bool | None = None
    """Whether it is hidden, once that has been asked."""

    def get(self, name: str) -> str:
        """Return the value of an attribute; empty where there is none."""
        return self.attributes.get(name, "")

    def has(self, *names: str) -> bool:
        """Tell whether it has one of these attributes, or may have."""
        return self.spread or any(name in self.attributes for name in names)

    def filled(self, name: str) -> bool:
        """Tell whether an attribute has a value, known or not."""
        return bool(self.get(name).strip())

    @property
    def elements(self) -> list[Element]:
        """The child elements."""
        return [child for child in self.children if isinstance(child, Element)]

    def descendants(self) -> Iterator[Element]:
        """Yield every element below, in document order."""
        stack = self.elements[::-1]
        while stack:
            element = stack.pop()
            yield element
            stack += reversed(element.elements)

    def ancestors(self) -> Iterator[Element]:
        """Yield the elements around, the nearest first."""
        element = self.parent
        while element is not None:
            yield element
            element = element.parent

    @property
    def text(self) -> str:
        """All text below; `DYNAMIC` where a program puts some."""
        parts: list[str] = []
        stack: list[Element | str] = self.children[::-1]
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                parts.append(node)
            elif node.tag not in ("script", "style", "template"):
                stack += reversed(node.children)
        return "".join(parts)

    @property
    def own_text(self) -> str:
        """The text right in it."""
        return "".join(child for child in self.children if isinstance(child, str)).strip()

    @property
    def role(self) -> str:
        """The first role that it states."""
        stated = self.get("role")
        return DYNAMIC if DYNAMIC in stated else stated.strip().lower().split(" ")[0]

    @property
    def hidden(self) -> bool:
        """Whether it, or what is around it, is kept from everybody or from assistive technology."""
        unknown: list[Element] = []
        element: Element | None = self
        while element is not None and element.concealed is None:
            unknown.append(element)
            element = element.parent
        hidden = bool(element is not None and element.concealed)
        for element in reversed(unknown):
            style = element.get("style").replace(" ", "").lower()
            hidden = (
                hidden
                or "hidden" in element.attributes
                or element.get("aria-hidden") in ("true", DYNAMIC)
                or "display:none" in style
                or "visibility:hidden" in style
            )
            element.concealed = hidden
        return hidden

    @property
    def displayed_none(self) -> bool:
        """Whether it, or what is around it, is not displayed at all."""
        return any(
            "hidden" in each.attributes
            or re.search(r"display\s*:\s*none|visibility\s*:\s*hidden", each.get("style"), re.IGNORECASE)
            for each in (self, *self.ancestors())
        )

    @property
    def focusable(self) -> bool:
        """Whether the keyboard reaches it."""
        native = self.tag in ("button", "select", "textarea", "summary", "iframe", "input")
        if native or (self.tag == "a" and "href" in self.attributes):
            shown = self.tag != "input" or self.get("type") != "hidden"
            return shown and "disabled" not in self.attributes and self.get("tabindex") != "-1"
        return self.get("tabindex").isdecimal()


@dataclass(repr=False)
class Page(Private):
    """An object as elements."""

    root: Element
    styles: list[tuple[str, int]] = field(default_factory=list)
    """Texts of style sheets in it, with their first lines."""
    whole: bool = True
    """Whether all of it was read."""
    parsed: bool = True
    template: bool = False
    """Whether a program fills it in, or puts it into another page."""

    @cached_property
    def elements(self) -> list[Element]:
        """Every element, in document order."""
        return list(self.root.descendants())

    @property
    def document(self) -> Element | None:
        """Its `html` element, where it is a whole page."""
        return next((element for element in self.root.elements if element.tag == "html"), None)


class AccessibleNames:
    """What can be read out for elements, by their content, labels and `aria-` attributes."""

    def __init__(self, page: Page) -> None:
        self.ids: dict[str, Element] = {}
        self.duplicates: dict[str, Element] = {}
        self.label_targets: set[str] = set()
        self._has_content: dict[int, bool] = {}
        for element in page.elements:
            id_ = element.get("id").strip()
            if id_ and DYNAMIC not in id_ and self.ids.setdefault(id_, element) is not element:
                self.duplicates.setdefault(id_, element)
            if (element.tag == "label" or element.component) and element.filled("for"):
                self.label_targets.add(element.get("for"))
        self._any_dynamic_target = any(DYNAMIC in target for target in self.label_targets)

    def has_name(self, element: Element) -> bool:
        """Tell whether there is anything to read out; what a program may add counts."""
        named = self._named_by_attribute(element)
        return self.has_content(element) if named is None else named

    def is_labelled(self, field: Element) -> bool:
        """Tell whether a form field has a label; a placeholder is none."""
        named = self._named_by_attribute(field)
        if named is not None:
            return named
        id_ = field.get("id")
        if id_ and (id_ in self.label_targets or self._any_dynamic_target or (DYNAMIC in id_ and self.label_targets)):
            return True
        for outer in field.ancestors():
            if outer.tag == "label":
                return self.has_content(outer) or outer.filled("aria-label")
            if outer.component and any(word in outer.tag for word in _LABELLING_COMPONENTS):
                return True
        return False

    def is_named_by_attribute(self, element: Element) -> bool:
        """Tell whether attributes name it, whatever it holds."""
        return bool(self._named_by_attribute(element))

    def _named_by_attribute(self, element: Element) -> bool | None:
        """Tell whether attributes name it; None where they say nothing."""
        if element.spread or element.filled("aria-label") or element.filled("title"):
            return True
        if element.filled("aria-labelledby"):
            target = element.get("aria-labelledby")
            return DYNAMIC in target or any(self._names(self.ids[id_]) for id_ in target.split() if id_ in self.ids)
        return None

    def _names(self, target: Element) -> bool:
        """Tell whether an element that another refers to has a name to give."""
        return target.component or target.spread or _named_by_itself(target) or _has_text(target)

    def has_content(self, element: Element) -> bool:
        """Tell whether its content can be read out."""
        known = self._has_content.get(id(element))
        if known is None:
            known = self._has_content[id(element)] = _has_text(element)
        return known


def _has_text(element: Element) -> bool:
    stack: list[Element | str] = list(element.children)
    for _ in range(MOST_NODES):
        if not stack:
            return False
        node = stack.pop()
        if isinstance(node, str):
            if node.strip():
                return True
        elif node.get("aria-hidden") == "true":
            continue
        elif node.component:
            # An icon by its name is a picture; any other component may hold text.
            icon = node.tag.endswith(("icon", "spinner", "svg")) or node.tag.startswith("icon")
            if not icon or node.has("title", "aria-label", "alt", "label"):
                return True
        elif _named_by_itself(node):
            return True
        elif node.tag not in ("script", "style"):
            stack += node.children
    return bool(stack)


def _named_by_itself(element: Element) -> bool:
    if element.tag in ("img", "area", "input") and (element.filled("alt") or element.spread):
        return True
    return (
        element.filled("aria-label")
        or element.filled("aria-labelledby")
        or (element.tag != "abbr" and element.filled("title"))
    )
