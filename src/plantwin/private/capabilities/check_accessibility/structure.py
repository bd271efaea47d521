"""How a page is built (language, title, zoom, headings, tables, lists, ids) and operated (keyboard, focus, ARIA)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from functools import cache

import msgspec

from plantwin.private.capabilities.check_accessibility.elements import DYNAMIC, AccessibleNames, Element, Page
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.formats.lexicon import beside
from plantwin.vocabulary import Severity

RULES = Rules("accessibility")
_MAXIMUM_SCALE = re.compile(r"maximum-scale\s*=\s*([\d.]+)")


def findings(page: Page, names: AccessibleNames) -> Iterator[Finding]:
    """Yield what misleads in the structure of a page."""
    if page.document is not None:
        yield from _document(page.document, page)
    for element in page.elements:
        yield from _element(element)
    yield from _headings(page, names)
    yield from _duplicate_ids(page, names)


def _element(element: Element) -> Iterator[Finding]:
    match element.tag:
        case "meta":
            yield from _meta(element)
        case "marquee" | "blink":
            yield RULES.found("A11Y-MOVING-TEXT", element.line, tag=element.tag)
        case "table" if not element.hidden and _lacks_headers(element):
            yield RULES.found("A11Y-TABLE-HEADERS", element.line)
        case "li" if not _in_list(element):
            yield RULES.found("A11Y-LIST-ITEM", element.line)
        case "ul" | "ol" if element.role in ("", "list"):
            allowed = ("li", "script", "template")
            if any(
                child.tag not in allowed and child.role != "listitem" and not child.component
                for child in element.elements
            ):
                yield RULES.found("A11Y-LIST-CHILDREN", element.line)
        case "fieldset" if not element.has("aria-label", "aria-labelledby"):
            if not any(child.tag == "legend" or child.component for child in element.descendants()):
                yield RULES.found("A11Y-FIELDSET-LEGEND", element.line)


def _document(document: Element, page: Page) -> Iterator[Finding]:
    language = document.attributes.get("lang", document.attributes.get("xml:lang"))
    if language is None and not document.spread:
        yield RULES.found("A11Y-HTML-LANG", document.line)
    yield from _title(document, page)


def _title(document: Element, page: Page) -> Iterator[Finding]:
    head = next((child for child in document.elements if child.tag == "head"), None)
    titles = [
        element
        for element in document.descendants()
        if element.tag == "title" and not any(outer.tag == "svg" for outer in element.ancestors())
    ]
    if titles:
        if not titles[0].text.strip():
            yield RULES.found("A11Y-PAGE-TITLE", titles[0].line, problem="The page's `title` is empty")
    elif head is None or not (any(child.component for child in head.elements) or DYNAMIC in head.own_text):
        yield RULES.found("A11Y-PAGE-TITLE", (head or document).line, problem="The page has no `title`")


def _meta(meta: Element) -> Iterator[Finding]:
    content = meta.get("content").lower().replace(" ", "")
    if meta.get("name").lower() == "viewport":
        scale = _MAXIMUM_SCALE.search(content)
        limited = scale is not None and float(scale[1][:8].rstrip(".") or 0) < 2
        if limited or re.search(r"user-scalable=(?:no|0)\b", content):
            yield RULES.found("A11Y-ZOOM-DISABLED", meta.line)


def _lacks_headers(table: Element) -> bool:
    if table.role in ("presentation", "none", "grid", "treegrid") or table.spread or DYNAMIC in table.own_text:
        return False
    below = list(table.descendants())
    if any(element.component or element.tag == "table" for element in below):
        return False
    rows = [element for element in below if element.tag == "tr"]
    widest = max((sum(cell.tag in ("td", "th") for cell in row.elements) for row in rows), default=0)
    if len(rows) < 2 or widest < 2 or not any(element.tag == "td" for element in below):
        return False
    return not any(element.tag == "th" or element.role in ("columnheader", "rowheader") for element in below)


def _in_list(item: Element) -> bool:
    outer = item.parent
    while outer is not None and (outer.component or outer.tag in ("", "template")):
        if outer.tag == "" and outer.parent is None:
            return True
        outer = outer.parent
    return (
        outer is None
        or outer.tag in ("ul", "ol", "menu")
        or outer.role in ("list", "menu", "tablist", "listbox")
        or outer.spread
        or item.role not in ("", "listitem")
    )


def _headings(page: Page, names: AccessibleNames) -> Iterator[Finding]:
    first: Element | None = None
    last, highest = 0, 6
    for element in page.elements:
        level = _heading_level(element)
        if not level or element.hidden:
            continue
        if not names.has_name(element):
            yield RULES.found("A11Y-HEADING-EMPTY", element.line)
            continue
        first = first or element
        highest = min(highest, level)
        if last and level > last + 1:
            yield RULES.found("A11Y-HEADING-ORDER", element.line, level=level, before=last, wanted=last + 1)
        last = level
    if first is not None and highest > 1 and page.document is not None and not page.template:
        yield RULES.found("A11Y-HEADING-H1", first.line)


def _heading_level(element: Element) -> int:
    if re.fullmatch(r"h[1-6]", element.tag):
        return int(element.tag[1])
    level = element.get("aria-level")
    return int(level) if element.role == "heading" and re.fullmatch(r"[1-6]", level) else 0


def _duplicate_ids(page: Page, names: AccessibleNames) -> Iterator[Finding]:
    if page.template or not names.duplicates:
        return
    referenced = set(names.label_targets)
    for element in page.elements:
        for name in ("aria-labelledby", "aria-describedby", "aria-controls"):
            referenced.update(element.get(name).split())
    for id_, element in names.duplicates.items():
        if id_ in referenced:
            yield RULES.found("A11Y-ID-DUPLICATE", element.line, severity=Severity.MEDIUM, id=id_[:60])
        elif page.document is not None:
            yield RULES.found("A11Y-ID-DUPLICATE", element.line, id=id_[:60])


_CLICK_HANDLERS = frozenset(("onclick", "onmousedown", "onmouseup", "ondblclick"))
_STOPS_CLICKS = re.compile(r"\s*(?:\(?\w*\)?\s*=>\s*)?(?:event|e|\$event)\.stopPropagation\(\)\s*;?\s*")
_NO_CONTROLS = ("body", "html", "form", "dialog", "template", "canvas", "svg")


class Aria(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of `aria.toml`."""

    roles: frozenset[str]
    abstract_roles: frozenset[str]
    widget_roles: frozenset[str]
    native_controls: frozenset[str]
    attributes: frozenset[str]
    values: dict[str, str]
    required: dict[str, tuple[str, ...]]
    opaque_roles: frozenset[str]
    field_roles: frozenset[str]

    def is_role(self, role: str) -> bool:
        """Tell whether a role exists, those of the graphics and publishing modules included."""
        return role in self.roles or role.startswith(("doc-", "graphics-"))


@cache
def aria() -> Aria:
    """Read the tables of ARIA."""
    return msgspec.convert(beside(__file__, "aria.toml"), Aria)


def operation_findings(page: Page) -> Iterator[Finding]:
    """Yield what cannot be operated without a mouse, or states a wrong role."""
    for element in page.elements:
        if not element.component:
            yield from _focus(element)
            yield from _clicks(element)
            yield from _role(element)
            yield from _attributes(element)
            yield from _nested(element)


def _focus(element: Element) -> Iterator[Finding]:
    if re.fullmatch(r"[1-9]\d{0,5}", element.get("tabindex")):
        yield RULES.found("A11Y-TABINDEX", element.line)
    if element.attributes.get("autofocus", "false") not in ("false", DYNAMIC) and element.tag != "dialog":
        yield RULES.found("A11Y-AUTOFOCUS", element.line)
    if element.get("aria-hidden") == "true":
        if element.focusable:
            yield RULES.found("A11Y-HIDDEN-FOCUSABLE", element.line, what="An element")
        elif any(
            inner.focusable and not inner.component and not inner.displayed_none for inner in element.descendants()
        ):
            what = "A part of the page that holds a control"
            yield RULES.found("A11Y-HIDDEN-FOCUSABLE", element.line, severity=Severity.MEDIUM, what=what)


def _clicks(element: Element) -> Iterator[Finding]:
    if element.spread or _CLICK_HANDLERS.isdisjoint(element.attributes):
        return
    if element.tag in aria().native_controls and not (element.tag == "a" and "href" not in element.attributes):
        return
    if element.tag in _NO_CONTROLS or element.get("aria-hidden") == "true" or element.role in ("presentation", "none"):
        return
    if _STOPS_CLICKS.fullmatch(element.get("onclick")):
        return
    reachable = "tabindex" in element.attributes or "contenteditable" in element.attributes
    if not reachable and element.role not in aria().widget_roles and element.role != DYNAMIC:
        inner = any(below.focusable for below in element.descendants())
        severity = Severity.LOW if inner else Severity.HIGH
        yield RULES.found("A11Y-CLICK-KEYBOARD", element.line, severity=severity, tag=element.tag)


def _role(element: Element) -> Iterator[Finding]:
    stated = element.get("role").lower().split()
    if not stated or DYNAMIC in element.get("role"):
        return
    role = next(filter(aria().is_role, stated), "")
    if not role:
        near = difflib.get_close_matches(stated[0], sorted(aria().roles), 1, 0.7)
        problem = "is abstract" if stated[0] in aria().abstract_roles else "does not exist"
        fix = f"Did you mean {near[0]}?" if near else "Correct or remove it."
        yield RULES.found("A11Y-ARIA-ROLE", element.line, role=stated[0][:40], problem=problem, fix=fix)
        return
    if element.displayed_none:
        return
    native = (element.tag == "input" and role != "combobox") or re.fullmatch(r"h[1-6]", element.tag)
    if not native and not element.spread:
        for attribute in aria().required.get(role, ()):
            if attribute not in element.attributes:
                yield RULES.found("A11Y-ARIA-REQUIRED", element.line, role=role, attribute=attribute)


def _attributes(element: Element) -> Iterator[Finding]:
    for name, value in element.attributes.items():
        if not name.startswith("aria-"):
            continue
        if name not in aria().attributes:
            near = difflib.get_close_matches(name, sorted(aria().attributes), 1, 0.8)
            fix = f"Did you mean {near[0]}?" if near else "Remove it."
            yield RULES.found("A11Y-ARIA-ATTRIBUTE", element.line, name=name[:60], fix=fix)
        elif DYNAMIC in value or not value.strip() or element.displayed_none:
            continue  # An empty value is as good as none (WAI-ARIA 1.2, 8.5).
        elif name in aria().values and not re.fullmatch(aria().values[name], value.strip()):
            yield RULES.found("A11Y-ARIA-VALUE", element.line, name=name)


def _nested(control: Element) -> Iterator[Finding]:
    opaque = control.tag == "button" or control.role in aria().opaque_roles
    if not opaque and not (control.tag == "a" and "href" in control.attributes):
        return
    for inner in control.descendants():
        if inner.focusable and not inner.component:
            yield RULES.found("A11Y-NESTED-CONTROLS", inner.line, inner=inner.tag, outer=control.tag)
            return
