"""Check every page and component for accessibility, with the style sheets that were given."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from plantwin.private.capabilities.adapters import installed
from plantwin.private.capabilities.adapters.examine import Examination, examine, folded
from plantwin.private.capabilities.adapters.installed import lacking
from plantwin.private.capabilities.adapters.process import Copy
from plantwin.private.capabilities.check_accessibility import alternatives, aria, contrast, html, jsx, structure
from plantwin.private.capabilities.check_accessibility.css import StyleSheet
from plantwin.private.capabilities.check_accessibility.elements import AccessibleNames, Page
from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import code, failed, plain
from plantwin.private.capabilities.engine.results import Examined, capped, concluded, table
from plantwin.private.capabilities.engine.source import READ, Source, source
from plantwin.vocabulary import OutcomeTag

TITLE = "Accessibility"
_PAGE_FORMATS = frozenset(("html", "php", "jinja"))
_PAGE_ENDINGS = (".erb", ".hbs", ".ejs", ".twig", ".njk", ".blade.php")
_PAGE_ENDING_OF = {"markdown": (".mdx",), "xml": (".xhtml", ".html")}
"""Formats that are pages only where the file is called so."""
_OTHER_MARKUP = (".pug", ".jade", ".haml", ".slim")
_COMPONENTS = frozenset(("jsx", "tsx", "javascript", "typescript"))
_BLOCK = re.compile(r"<(script|style)\b[^>]{0,400}>(.*?)(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_PRINCIPLES = {"1": "Perceivable", "2": "Operable", "3": "Understandable", "4": "Robust"}
"""The principles of WCAG by the first digit of a success criterion."""


def run(job: Job) -> Result:
    """Return the result of checking pages."""
    sources = [source(given) for given in job.inputs]
    pages = {file.label: page for file in sources if (page := _page(file)) is not None}
    sheets = [file for file in sources if file.format == "css" and not file.binary]
    if not pages and not sheets:
        reason = "None of the inputs is a page, a component or a style sheet."
        return failed(TITLE, reason, [OutcomeTag.UNPARSABLE])
    asked = _axe(job, [file for file in sources if _is_whole(file, pages.get(file.label))])
    state: set[OutcomeTag] = set()
    notes: list[str] = [plain(asked.note, 300)] if asked is not None and asked.note else []
    examined: list[Examined] = []
    rows: list[list[str]] = []
    for file in sources:
        name = code(file.label)
        page = pages.get(file.label)
        if page is not None:
            found = list(_page_findings(page, sheets))
            found = folded(found, asked.found.get(file.label, ()), by_tag=True) if asked is not None else found
            if page.template or page.document is None:
                # Its label, title or language may stand in the page that it becomes a part of.
                found = [capped(finding) for finding in found]
            sort, size = "page" if page.document is not None else "part of a page", str(len(page.elements))
            if not page.whole:
                state.add(OutcomeTag.TRUNCATED)
                notes.append(f"{name} has more elements, or is nested deeper, than is examined.")
            elif not page.parsed:
                state.add(OutcomeTag.UNPARSABLE)
                notes.append(f"{name} does not parse whole; what could be read was examined.")
        elif file in sheets:
            sheet = StyleSheet()
            sheet.read(file.text, 1)
            # Alone it does not say whether there is text in such an element.
            found = [capped(finding) for finding in contrast.sheet_findings(sheet, alone=True)]
            sort, size = "style sheet", f"{len(sheet.blocks)} rules"
        else:
            state.add(OutcomeTag.UNPARSABLE)
            notes.append(f"{name} is no page, component or style sheet; it was left out.")
            continue
        if file.truncated:
            state.add(OutcomeTag.TRUNCATED)
            notes.append(f"Only the first {READ >> 20} MiB of {name} were examined.")
        rows.append([name, sort, size, str(len(set(found)))])
        examined.append(Examined(file, found))
    also = f"; {asked.engine.title} on whole pages" if asked is not None and asked.found else ""
    criteria = Counter(finding.reference for result in examined for finding in set(result.findings))
    if (
        asked is None
        and "axe" not in installed.of(job)
        and any(_is_whole(file, pages.get(file.label)) for file in sources)
    ):
        notes.append(f"Examined by our own rules alone; {lacking(['axe'])}.")
    notes.append("Automatic rules find a part of all barriers; test with a keyboard and a screen reader too.")
    return concluded(
        job,
        TITLE,
        examined,
        tool=f"plantwin check_accessibility: rules of WCAG 2.2, ARIA 1.2 and HTML; contrast computed from styles{also}",
        state=tuple(state),
        notes=notes,
        tables=[*table(["file", "is", "elements", "findings"], rows), *_principles(criteria)],
        facts={"criteria": dict(criteria)},
        partial=asked is not None and bool(asked.note),
    )


def _is_whole(file: Source, page: Page | None) -> bool:
    """Whether a page is all that a browser gets: a part of one, or a template, lacks what others add."""
    return page is not None and page.document is not None and not page.template and not file.truncated


def _axe(job: Job, whole: Sequence[Source]) -> Examination | None:
    engine = installed.of(job).get("axe")
    return examine(engine, [Copy(file, file.text) for file in whole]) if engine is not None and whole else None


def _principles(criteria: Counter[str]) -> list[str]:
    """Return a bar for each principle of WCAG."""
    counts: Counter[str] = Counter()
    for reference, times in criteria.items():
        if reference.startswith("WCAG "):
            counts[_PRINCIPLES[reference[5]]] += times
    most = max(counts.values(), default=0)
    bars = [
        f"    {name:<15}{'█' * max(1, round(counts[name] / most * 30))} {counts[name]}"
        for name in _PRINCIPLES.values()
        if counts[name]
    ]
    return [*bars, ""]


def _page(source: Source) -> Page | None:
    """Read an object as elements, by its format; None where it is no page."""
    name = source.input.name
    if source.binary:
        return None
    if source.format in ("vue", "svelte"):
        return _single_file_component(source)
    endings = (*_PAGE_ENDINGS, *_PAGE_ENDING_OF.get(source.format, ()))
    if source.format in _PAGE_FORMATS or name.endswith(endings):
        return html.page(source.text) if not name.endswith(_OTHER_MARKUP) else None
    if source.format in _COMPONENTS and re.search(r"<[A-Za-z]|<>", source.text):
        page = jsx.page(source.text, typescript=source.format in ("tsx", "typescript"))
        return page if page.elements or not page.whole else None
    return None


def _single_file_component(source: Source) -> Page:
    """Read Vue and Svelte: the markup without its scripts, and its styles."""
    styles: list[tuple[str, int]] = []

    def blank(block: re.Match[str]) -> str:
        if block[1].lower() == "style":
            styles.append((block[2], source.text.count("\n", 0, block.start(2)) + 1))
        return "\n" * block[0].count("\n")

    page = html.page(_BLOCK.sub(blank, source.text), braces=source.format == "svelte")
    page.template = True
    page.styles = styles
    outer = next((element for element in page.root.elements if element.tag == "template"), None)
    if outer is not None and source.format == "vue":
        outer.tag, outer.component = "", True
    return page


def _page_findings(page: Page, sheets: list[Source]) -> Iterator[Finding]:
    names = AccessibleNames(page)
    yield from alternatives.findings(page, names)
    yield from structure.findings(page, names)
    yield from aria.findings(page, names)
    sheet = StyleSheet()
    for text, line in page.styles:
        sheet.read(text, line)
    yield from contrast.sheet_findings(sheet, alone=False)
    given = {file.input.name.rpartition("/")[2]: file for file in sheets}
    missing = page.template
    for element in page.elements:
        if element.tag == "link" and "stylesheet" in element.get("rel").lower():
            linked = given.get(element.get("href").split("?")[0].rpartition("/")[2])
            if linked is None:
                missing = True
            else:
                sheet.read(linked.text, 1)
    yield from contrast.findings(page, sheet, sheets_missing=missing)
