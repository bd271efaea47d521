"""How a page is built: language, title, zoom, headings, landmarks, tables, lists, ids."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.check_accessibility.elements import DYNAMIC, AccessibleNames, Element, Page
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
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
