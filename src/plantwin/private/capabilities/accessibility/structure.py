"""How a page is built: language, title, zoom, headings, regions, tables, lists."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.accessibility.element import DYNAMIC, Element, Page
from plantwin.private.capabilities.accessibility.names import Names
from plantwin.private.capabilities.placed.report import Issue
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_LANGUAGE = re.compile(r"(?:[a-z]{2,3}|i|x)(?:[-_][A-Za-z0-9]{1,8}){0,4}", re.IGNORECASE)
_SCALE = re.compile(r"maximum-scale\s*=\s*([\d.]+)")


def issues(page: Page, names: Names) -> Iterator[Issue]:
    """What misleads in the structure of a page."""
    document = page.document
    if document is not None:
        yield from _whole(document, page)
    for each in page.root.within():
        if each.tag == "meta":
            yield from _meta(each)
        elif each.tag in ("marquee", "blink"):
            yield Issue(
                each.line,
                _S.MEDIUM,
                _T.KEYBOARD_ACCESS,
                "WCAG 2.2.2",
                f"`{each.tag}` moves and cannot be stopped",
                "Remove it.",
            )
        elif each.tag == "table" and not each.hidden:
            yield from _table(each)
        elif each.tag == "li" and not _listed(each):
            yield Issue(
                each.line,
                _S.LOW,
                _T.PAGE_STRUCTURE,
                "WCAG 1.3.1",
                "A list item stands outside a list",
                "Put it into ul or ol.",
            )
        elif (
            each.tag in ("ul", "ol")
            and each.role in ("", "list")
            and any(child.tag not in ("li", "script", "template") and not child.component for child in each.elements)
        ):
            yield Issue(
                each.line,
                _S.LOW,
                _T.PAGE_STRUCTURE,
                "WCAG 1.3.1",
                "A list holds something that is no list item",
                "Wrap it in li.",
            )
        elif (
            each.tag == "fieldset"
            and not any(child.tag == "legend" or child.component for child in each.within())
            and not each.has("aria-label", "aria-labelledby")
        ):
            yield Issue(
                each.line, _S.LOW, _T.MISSING_TEXT, "WCAG 1.3.1", "A group of fields has no legend", "Add legend."
            )
        told = each.get("lang")
        if told and DYNAMIC not in told and each.tag != "html" and not _LANGUAGE.fullmatch(told):
            yield Issue(
                each.line,
                _S.LOW,
                _T.PAGE_STRUCTURE,
                "WCAG 3.1.2",
                "A language is stated that does not exist",
                "Use a tag such as en or de.",
            )
    yield from _headings(page, document)
    yield from _ids(page, names)


def _whole(document: Element, page: Page) -> Iterator[Issue]:
    told = document.attributes.get("lang", document.attributes.get("xml:lang"))
    if told is None and not document.spread:
        yield Issue(
            document.line,
            _S.HIGH,
            _T.PAGE_STRUCTURE,
            "WCAG 3.1.1",
            "The page does not state its language",
            'Add lang="en" or another to html.',
        )
    elif told is not None and DYNAMIC not in told and not _LANGUAGE.fullmatch(told.strip()):
        yield Issue(
            document.line,
            _S.HIGH,
            _T.PAGE_STRUCTURE,
            "WCAG 3.1.1",
            "The language of the page is empty or does not exist",
            "Use a tag such as en or de.",
        )
    frames = any(each.tag == "frameset" for each in document.within())
    head = next((each for each in document.elements if each.tag == "head"), None)
    titles = [
        each
        for each in document.within()
        if each.tag == "title" and not any(outer.tag == "svg" for outer in each.above())
    ]
    filled_by_others = (
        page.template and head is not None and any(DYNAMIC in text for text in head.children if isinstance(text, str))
    )
    if not titles and not filled_by_others:
        yield Issue(
            head.line if head is not None else document.line,
            _S.HIGH,
            _T.PAGE_STRUCTURE,
            "WCAG 2.4.2",
            "The page has no title",
            "Add title.",
        )
    elif titles and not titles[0].text.strip():
        yield Issue(
            titles[0].line,
            _S.HIGH,
            _T.PAGE_STRUCTURE,
            "WCAG 2.4.2",
            "The title of the page is empty",
            "Say what it is about.",
        )
    body = next((each for each in document.elements if each.tag == "body"), None)
    if body is None or frames:
        return
    every = list(body.within())
    dynamic = page.template and DYNAMIC in body.text
    mains = [each for each in every if (each.tag == "main" or each.role == "main") and not each.hidden]
    shell = len(every) < 4 or (len([each for each in every if each.tag not in ("script", "noscript", "div")]) == 0)
    if not mains and not dynamic and not shell and not any(each.component for each in every):
        yield Issue(
            body.line,
            _S.LOW,
            _T.PAGE_STRUCTURE,
            "WCAG 1.3.1 landmarks",
            "The page has no main region",
            "Put the content into main.",
        )
    elif len(mains) > 1:
        yield Issue(
            mains[1].line,
            _S.MEDIUM,
            _T.PAGE_STRUCTURE,
            "WCAG 1.3.1 landmarks",
            "The page has more than one main region",
            "Keep one.",
        )
    links = [each for each in every if each.tag == "a" and each.filled("href")]
    navigation = any(each.tag == "nav" or each.role == "navigation" for each in every)
    if navigation and len(links) > 15 and not any(link.get("href").startswith("#") for link in links[:3]) and not mains:
        yield Issue(
            body.line,
            _S.LOW,
            _T.KEYBOARD_ACCESS,
            "WCAG 2.4.1",
            "Nothing lets one skip the navigation",
            "Add a link to the content, or main.",
        )


def _meta(each: Element) -> Iterator[Issue]:
    content = each.get("content").lower().replace(" ", "")
    if each.get("name").lower() == "viewport":
        scale = _SCALE.search(content)
        if re.search(r"user-scalable=(?:no|0)\b", content) or (
            scale is not None and float(scale[1][:8].rstrip(".") or 0) < 2
        ):
            yield Issue(
                each.line,
                _S.HIGH,
                _T.PAGE_STRUCTURE,
                "WCAG 1.4.4",
                "The page forbids zooming",
                "Remove user-scalable and maximum-scale.",
            )
    elif each.get("http-equiv").lower() == "refresh":
        seconds = re.match(r"(\d{1,6})", content)
        if seconds is not None and 0 < int(seconds[1]) < 72_000:
            yield Issue(
                each.line,
                _S.MEDIUM,
                _T.PAGE_STRUCTURE,
                "WCAG 2.2.1",
                "The page reloads or leaves by itself",
                "Let the person decide.",
            )


def _table(each: Element) -> Iterator[Issue]:
    if each.role in ("presentation", "none", "grid", "treegrid") or each.spread:
        return
    below = list(each.within())
    if any(one.component or one.tag == "table" for one in below) or DYNAMIC in "".join(
        text for text in each.children if isinstance(text, str)
    ):
        return
    rows = [one for one in below if one.tag == "tr"]
    if len(rows) < 2 or not any(one.tag == "td" for one in below):
        return
    widest = max(sum(cell.tag in ("td", "th") for cell in row.elements) for row in rows)
    if widest > 1 and not any(one.tag == "th" or one.role in ("columnheader", "rowheader") for one in below):
        yield Issue(
            each.line,
            _S.MEDIUM,
            _T.PAGE_STRUCTURE,
            "WCAG 1.3.1",
            "A table has no header cells",
            'Use th, or role="presentation" where it only lays out.',
        )


def _listed(each: Element) -> bool:
    outer = each.parent
    while outer is not None and (outer.component or outer.tag in ("", "template")):
        if outer.tag == "" and outer.parent is None:
            return True
        outer = outer.parent
    return (
        outer is None
        or outer.tag in ("ul", "ol", "menu")
        or outer.role in ("list", "menu", "tablist", "listbox")
        or outer.spread
        or each.role not in ("", "listitem")
    )


def _headings(page: Page, document: Element | None) -> Iterator[Issue]:
    last, first = 0, None
    tops = 0
    for each in page.root.within():
        level = (
            int(each.tag[1])
            if re.fullmatch(r"h[1-6]", each.tag)
            else int(each.get("aria-level"))
            if each.role == "heading" and re.fullmatch(r"[1-6]", each.get("aria-level"))
            else 0
        )
        if not level or each.hidden:
            continue
        if (
            not each.text.strip()
            and not each.spread
            and not each.filled("aria-label")
            and not any(child.component or child.filled("alt") for child in each.within())
        ):
            yield Issue(
                each.line, _S.MEDIUM, _T.PAGE_STRUCTURE, "WCAG 1.3.1", "A heading is empty", "Fill or remove it."
            )
            continue
        first = first or each
        tops += level == 1
        if last and level > last + 1:
            yield Issue(
                each.line,
                _S.LOW,
                _T.PAGE_STRUCTURE,
                "WCAG 1.3.1 headings",
                f"A heading of level {level} follows one of level {last}",
                f"Use level {last + 1}.",
            )
        last = level
    if document is not None and not page.template and first is not None and not tops:
        yield Issue(
            first.line,
            _S.LOW,
            _T.PAGE_STRUCTURE,
            "WCAG 2.4.6",
            "The page has headings and none of level 1",
            "Make the main one h1.",
        )


def _ids(page: Page, names: Names) -> Iterator[Issue]:
    used = set(names.labelled)
    for each in page.root.within():
        for name in ("aria-labelledby", "aria-describedby", "aria-controls"):
            used.update(each.get(name).split())
    for id_, each in names.twice.items():
        if id_ in used and not page.template:
            yield Issue(
                each.line,
                _S.MEDIUM,
                _T.DUPLICATION,
                "WCAG 1.3.1 ids",
                f"The id `{id_[:60]}` is used twice and referred to",
                "Make it unique.",
            )
        elif page.document is not None and not page.template:
            yield Issue(
                each.line, _S.LOW, _T.DUPLICATION, "HTML ids", f"The id `{id_[:60]}` is used twice", "Make it unique."
            )
