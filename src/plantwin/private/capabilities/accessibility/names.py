"""The name that assistive technology reads out for an element."""

from __future__ import annotations

from plantwin.private.capabilities.accessibility.element import DYNAMIC, Element, Page

LEFT = 2000
"""Parts of an element that are looked at; one with more has text somewhere."""


class Names:
    """Names of elements, with the page's ids and labels."""

    def __init__(self, page: Page) -> None:
        self.ids: dict[str, Element] = {}
        self.twice: dict[str, Element] = {}
        self.labelled: set[str] = set()
        self.dynamic_labels = False
        self._known: dict[int, bool] = {}
        for each in page.root.within():
            id_ = each.get("id").strip()
            if id_ and DYNAMIC not in id_:
                if id_ in self.ids:
                    self.twice.setdefault(id_, each)
                else:
                    self.ids[id_] = each
            if each.tag == "label" and each.filled("for"):
                self.labelled.add(each.get("for"))
                self.dynamic_labels = self.dynamic_labels or DYNAMIC in each.get("for")
            elif each.component and each.filled("for"):
                self.labelled.add(each.get("for"))

    def has_name(self, each: Element) -> bool:
        """Whether there is anything to read out; what a program may add counts."""
        if each.spread or each.filled("aria-label") or each.filled("title"):
            return True
        if each.filled("aria-labelledby"):
            target = each.get("aria-labelledby")
            return DYNAMIC in target or any(id_ in self.ids for id_ in target.split())
        return self.has_content(each)

    def has_content(self, each: Element) -> bool:
        """Whether its content can be read out."""
        known = self._known.get(id(each))
        if known is None:
            known = self._known[id(each)] = self._content(each)
        return known

    def _content(self, each: Element) -> bool:
        stack: list[Element | str] = list(each.children)
        left = LEFT
        while stack:
            child = stack.pop()
            left -= 1
            if left < 0:
                return True
            if isinstance(child, str):
                if child.strip():
                    return True
                continue
            if child.get("aria-hidden") == "true":
                continue
            if child.component:
                # An icon by its name is a picture; any other component may hold text.
                if not (child.tag.endswith(("icon", "spinner", "svg")) or child.tag.startswith("icon")) or child.has(
                    "title", "aria-label", "alt"
                ):
                    return True
                continue
            if child.tag in ("img", "area", "input") and (child.filled("alt") or child.spread):
                return True
            if child.filled("aria-label") or (child.tag != "abbr" and child.filled("title")):
                return True
            if child.tag not in ("script", "style"):
                stack += child.children
        return False

    def is_labelled(self, each: Element) -> bool:
        """Whether a field has a label; a placeholder is none."""
        if each.spread or each.filled("aria-label") or each.filled("title"):
            return True
        if each.filled("aria-labelledby"):
            target = each.get("aria-labelledby")
            return DYNAMIC in target or any(id_ in self.ids for id_ in target.split())
        id_ = each.get("id")
        if id_ and (id_ in self.labelled or (DYNAMIC in id_ and (self.dynamic_labels or bool(self.labelled)))):
            return True
        if id_ and DYNAMIC not in id_ and any(DYNAMIC in label for label in self.labelled):
            return True
        for outer in each.above():
            if outer.tag == "label":
                return self.has_content(outer) or outer.filled("aria-label")
            if outer.component and any(
                word in outer.tag
                for word in (
                    "label",
                    "field",
                    "formitem",
                    "formcontrol",
                    "form-item",
                    "formgroup",
                    "form.item",
                    "control",
                )
            ):
                return True
        return False
