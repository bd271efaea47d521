"""How a page is built: language, title, zoom, headings, landmarks, tables, lists, ids."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.check_accessibility.elements import DYNAMIC, AccessibleNames, Element, Page
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.formats.values import words
from plantwin.vocabulary import Severity

RULES = Rules("accessibility")
_LANGUAGE = re.compile(r"(?:[a-z]{2,3}|i|x)(?:[-_][A-Za-z0-9]{1,8}){0,4}", re.IGNORECASE)
"""The shape of a language tag (BCP 47)."""
_TWO_LETTERS = words(
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el "
    "en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it "
    "iu iw ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo "
    "mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh "
    "si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh "
    "yi yo za zh zu"
)
"""Languages of two letters (IANA's registry of language subtags)."""
_MAXIMUM_SCALE = re.compile(r"maximum-scale\s*=\s*([\d.]+)")
_MANY_LINKS = 15
_REFRESH = re.compile(r"\d{1,6}(?:\.\d*)?\s*(?:[;,]|\s|$)")


def findings(page: Page, names: AccessibleNames) -> Iterator[Finding]:
    """Yield what misleads in the structure of a page."""
    if page.document is not None:
        yield from _document(page.document, page)
    for element in page.elements:
        yield from _element(element)
        language = element.get("lang")
        stated = language and DYNAMIC not in language and element.tag != "html"
        if stated and not _is_language(language) and _has_text_of_its_own(element):
            yield RULES.found("A11Y-LANG-INVALID", element.line)
    # Browsers obey the first one that they understand.
    refresh = [element for element in page.elements if element.get("http-equiv").lower() == "refresh"]
    refresh = [element for element in refresh if _REFRESH.match(element.get("content").strip())]
    yield from _refresh(refresh[0]) if refresh else ()
    yield from _headings(page, names)
    yield from _duplicate_ids(page, names)


def _is_language(tag: str) -> bool:
    first = re.split("[-_]", tag.lower(), maxsplit=1)[0]
    return _LANGUAGE.fullmatch(tag) is not None and (len(first) != 2 or first in _TWO_LETTERS)


def _element(element: Element) -> Iterator[Finding]:
    match element.tag:
        case "meta":
            yield from _meta(element)
        case "marquee" | "blink":
            yield RULES.found("A11Y-MOVING-TEXT", element.line, tag=element.tag)
        case "table" if not element.hidden and _lacks_headers(element):
            yield RULES.found("A11Y-TABLE-HEADERS", element.line)
        case "table" if not element.hidden and element.role in ("", "table", "grid"):
            yield from _named_headers(element)
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
    body = next((child for child in document.elements if child.tag == "body"), None)
    # A script that fills the page states its language and title, too.
    filled = body is not None and _shell(body) and any(element.tag == "script" for element in body.descendants())
    severity = Severity.LOW if filled else None
    language = document.attributes.get("lang", document.attributes.get("xml:lang"))
    if language is None and not document.spread:
        yield RULES.found("A11Y-HTML-LANG", document.line, severity=severity)
    elif language is not None and DYNAMIC not in language and not _is_language(language.strip()):
        yield RULES.found("A11Y-HTML-LANG-INVALID", document.line)
    yield from _title(document, severity)
    if body is not None and not any(element.tag == "frameset" for element in document.descendants()):
        yield from _landmarks(body, page)


def _shell(body: Element) -> bool:
    """Return whether a page holds no more than what a script needs to fill it."""
    elements = [
        inner for inner in body.descendants() if not any(outer.tag == "noscript" for outer in inner.ancestors())
    ]
    return len(elements) < 4 or all(element.tag in ("script", "noscript", "div") for element in elements)


def _title(document: Element, severity: Severity | None) -> Iterator[Finding]:
    head = next((child for child in document.elements if child.tag == "head"), None)
    titles = [
        element
        for element in document.descendants()
        if element.tag == "title" and not any(outer.tag == "svg" for outer in element.ancestors())
    ]
    if titles:
        if not titles[0].text.strip():
            yield RULES.found(
                "A11Y-PAGE-TITLE", titles[0].line, severity=severity, problem="The page's `title` is empty"
            )
    elif head is None or not (any(child.component for child in head.elements) or DYNAMIC in head.own_text):
        line = (head or document).line
        yield RULES.found("A11Y-PAGE-TITLE", line, severity=severity, problem="The page has no `title`")


def _landmarks(body: Element, page: Page) -> Iterator[Finding]:
    elements = list(body.descendants())
    mains = [element for element in elements if "main" in (element.tag, element.role) and not element.hidden]
    dynamic = page.template and DYNAMIC in body.text
    shell = _shell(body)
    if len(mains) > 1:
        yield RULES.found("A11Y-MAIN-DUPLICATE", mains[1].line)
    elif not mains and not dynamic and not shell and _repeats(elements):
        yield RULES.found("A11Y-MAIN-MISSING", body.line)
    links = [element for element in elements if element.tag == "a" and element.filled("href")]
    navigation = any(element.tag == "nav" or element.role == "navigation" for element in elements)
    skips = any(link.get("href").startswith("#") for link in links[:3])
    if navigation and len(links) > _MANY_LINKS and not skips and not mains:
        yield RULES.found("A11Y-SKIP-LINK", body.line)


def _repeats(elements: list[Element]) -> bool:
    """Tell whether a page has parts that every page repeats, and no heading or skip link to get past them."""
    if any(element.component or _heading_level(element) for element in elements):
        return False
    links = [element for element in elements if element.tag == "a" and element.filled("href")]
    if any(re.fullmatch(r"#.+", link.get("href")) for link in links[:3]):
        return False
    roles = ("navigation", "banner", "contentinfo")
    return any(element.tag in ("nav", "header", "footer") or element.role in roles for element in elements)


def _meta(meta: Element) -> Iterator[Finding]:
    content = meta.get("content").lower().replace(" ", "")
    if meta.get("name").lower() == "viewport":
        scale = _MAXIMUM_SCALE.search(content)
        limited = scale is not None and float(scale[1][:8].rstrip(".") or 0) < 2
        if limited or re.search(r"user-scalable=(?:no|0)\b", content):
            yield RULES.found("A11Y-ZOOM-DISABLED", meta.line)


def _refresh(meta: Element) -> Iterator[Finding]:
    seconds = re.match(r"\d{1,6}", meta.get("content").strip())
    # WCAG 2.2.1 excepts time limits of more than 20 hours.
    if seconds is not None and 0 < int(seconds[0]) < 72_000:
        yield RULES.found("A11Y-META-REFRESH", meta.line)


def _has_text_of_its_own(element: Element) -> bool:
    """Tell whether there is text in the language that an element states, and that everybody gets."""
    stack = [element]
    while stack:
        here = stack.pop()
        if (here.own_text.replace("\xa0", " ").strip() or here.filled("alt")) and not here.displayed_none:
            return True
        stack += [child for child in here.elements if not child.filled("lang")]
    return False


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


def _named_headers(table: Element) -> Iterator[Finding]:
    """Yield cells whose `headers` are no cells of the same table."""
    cells = [element for element in table.descendants() if element.tag in ("td", "th")]
    ids = {cell.get("id") for cell in cells}
    for cell in cells:
        named = cell.get("headers").split()
        if any(id_ not in ids or id_ == cell.get("id") for id_ in named) and DYNAMIC not in "".join([*named, *ids]):
            yield RULES.found("A11Y-TABLE-HEADERS-REFERENCE", cell.line)


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
            yield RULES.found("A11Y-ID-DUPLICATE", element.line, severity=Severity.LOW, id=id_[:60])
        elif page.document is not None:
            yield RULES.found("A11Y-ID-DUPLICATE", element.line, id=id_[:60])
