"""Elements of a page, whatever it is written in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

DYNAMIC = "\x00"
"""Stands where a program will put a value."""
MOST = 50_000
"""Elements of one object."""


@dataclass(slots=True, repr=False, eq=False)
class Element:
    """One element with its attributes."""

    tag: str
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    """Names in small letters. A value that a program computes is `DYNAMIC`."""
    parent: Element | None = None
    children: list[Element | str] = field(default_factory=list)
    spread: bool = False
    """Whether further attributes come from elsewhere."""
    component: bool = False
    """Whether it is no element of HTML, but stands for others."""
    concealed: bool | None = None
    """Whether it is hidden, once that has been asked."""

    def __repr__(self) -> str:
        return "<Element private>"

    def get(self, name: str) -> str:
        """The value of an attribute; empty where there is none."""
        return self.attributes.get(name, "")

    def has(self, *names: str) -> bool:
        """Whether it has one of these attributes, or may have."""
        return self.spread or any(name in self.attributes for name in names)

    def filled(self, name: str) -> bool:
        """Whether an attribute has a value, known or not."""
        return bool(self.attributes.get(name, "").strip())

    @property
    def elements(self) -> list[Element]:
        """The elements right below."""
        return [each for each in self.children if isinstance(each, Element)]

    def within(self) -> Iterator[Element]:
        """Every element below, in order."""
        stack = list(reversed(self.elements))
        while stack:
            each = stack.pop()
            yield each
            stack += reversed(each.elements)

    def above(self) -> Iterator[Element]:
        """The elements around, the nearest first."""
        here = self.parent
        while here is not None:
            yield here
            here = here.parent

    @property
    def text(self) -> str:
        """All text below; `DYNAMIC` where a program puts some."""
        parts: list[str] = []
        stack: list[Element | str] = list(reversed(self.children))
        while stack:
            each = stack.pop()
            if isinstance(each, str):
                parts.append(each)
            elif each.tag not in ("script", "style", "template"):
                stack += reversed(each.children)
        return "".join(parts)

    @property
    def own_text(self) -> str:
        """The text right in it."""
        return "".join(each for each in self.children if isinstance(each, str)).strip()

    @property
    def role(self) -> str:
        """The first role that it states."""
        return self.get("role").strip().lower().split(" ")[0] if DYNAMIC not in self.get("role") else DYNAMIC

    @property
    def hidden(self) -> bool:
        """Whether it, or what is around it, is kept from everybody or from assistive technology."""
        chain: list[Element] = []
        here: Element | None = self
        while here is not None and here.concealed is None:
            chain.append(here)
            here = here.parent
        known = bool(here is not None and here.concealed)
        for each in reversed(chain):
            style = each.get("style").replace(" ", "").lower()
            known = (
                known
                or "hidden" in each.attributes
                or each.get("aria-hidden") in ("true", DYNAMIC)
                or "display:none" in style
                or "visibility:hidden" in style
            )
            each.concealed = known
        return known


@dataclass(slots=True, repr=False)
class Page:
    """An object as elements."""

    root: Element
    styles: list[tuple[str, int]] = field(default_factory=list)
    """Texts of style sheets in it, with their first lines."""
    whole: bool = True
    sound: bool = True
    template: bool = False
    """Whether a program fills it in, or puts it into another page."""

    def __repr__(self) -> str:
        return "<Page private>"

    @property
    def document(self) -> Element | None:
        """Its `html` element, where it is a whole page."""
        return next((each for each in self.root.elements if each.tag == "html"), None)
