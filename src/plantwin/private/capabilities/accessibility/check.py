"""One check of accessibility: every page and component, with the style sheets that were given."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from plantwin.private.capabilities.accessibility import alternatives, conduct, structure, visible
from plantwin.private.capabilities.accessibility.element import Element, Page
from plantwin.private.capabilities.accessibility.names import Names
from plantwin.private.capabilities.accessibility.styles import Sheet
from plantwin.private.capabilities.common.report import code, failed
from plantwin.private.capabilities.common.source import READ, Source, source
from plantwin.private.capabilities.job import Job, Result
from plantwin.private.capabilities.placed.report import Examined, Issue, concluded, table
from plantwin.vocabulary import OutcomeTag

_T = OutcomeTag
TITLE = "Accessibility"
_MARKUP = frozenset(("html", "php", "jinja", "markdown", "xml"))
_COMPONENTS = frozenset(("jsx", "tsx", "javascript", "typescript"))
_BLOCK = re.compile(r"<(script|style)\b[^>]{0,400}>(.*?)(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_CRITERION = re.compile(r"WCAG (\d)\.(\d+)\.(\d+)")
_PRINCIPLES = {"1": "Perceivable", "2": "Operable", "3": "Understandable", "4": "Robust"}


def checked(job: Job) -> Result:
    """The result of checking pages."""
    sources = [source(given) for given in job.inputs]
    sheets = [each for each in sources if each.format == "css" and not each.binary]
    pages = [(each, made) for each in sources if (made := _page(each)) is not None]
    if not pages and not sheets:
        return failed(TITLE, "None of the inputs is a page, a component or a style sheet.", [_T.UNPARSABLE])
    state: list[OutcomeTag] = []
    notes: list[str] = []
    examined: list[Examined] = []
    rows: list[list[str]] = []
    known = {id(each) for each, _ in pages} | {id(each) for each in sheets}
    for each in sources:
        if id(each) not in known:
            state.append(_T.UNPARSABLE)
            notes.append(f"{code(each.label)} is no page, component or style sheet; it was left out.")
        elif each.truncated:
            state.append(_T.TRUNCATED)
            notes.append(f"Only the first {READ >> 20} MiB of {code(each.label)} were examined.")
    for each, page in pages:
        if not page.whole:
            state.append(_T.TRUNCATED)
            notes.append(f"{code(each.label)} has more elements, or is nested deeper, than is examined.")
        if not page.sound and page.whole:
            notes.append(f"{code(each.label)} does not parse whole; what could be read was examined.")
            state.append(_T.UNPARSABLE)
        found = list(_issues(page, sheets))
        count = sum(1 for _ in page.root.within())
        rows.append(
            [
                code(each.label),
                "page" if page.document is not None else "part of a page",
                str(count),
                str(len(set(found))),
            ]
        )
        examined.append(Examined(each, found))
    for each in sheets:
        sheet = Sheet()
        sheet.read(each.text, 1)
        found = list(visible.sheet_issues(sheet, alone=True))
        rows.append([code(each.label), "style sheet", f"{len(sheet.plain)} rules", str(len(set(found)))])
        examined.append(Examined(each, found))
    criteria = Counter(issue.rule for one in examined for issue in set(one.issues))
    return concluded(
        job,
        TITLE,
        examined,
        tool="plantwin check_accessibility: rules of WCAG 2.2, ARIA 1.2 and HTML; contrast computed from styles",
        state=state,
        notes=[
            *notes,
            "Automatic rules find a part of all barriers; a person with a keyboard and a screen reader finds the rest.",
        ],
        tables=[*table(["file", "is", "elements", "findings"], rows), *_principles(criteria)],
        facts={"criteria": dict(criteria)},
    )


def _principles(criteria: Counter[str]) -> list[str]:
    counts: Counter[str] = Counter()
    for rule, times in criteria.items():
        match = _CRITERION.match(rule)
        if match is not None:
            counts[_PRINCIPLES[match[1]]] += times
    most = max(counts.values(), default=0)
    return [
        *(
            f"    {name:<15}{'█' * max(1, round(counts[name] / most * 30))} {counts[name]}"
            for name in _PRINCIPLES.values()
            if counts[name]
        ),
        "",
    ]


def _page(each: Source) -> Page | None:
    """An object as elements, by its format."""
    if each.binary:
        return None
    if each.format in ("vue", "svelte"):
        return _single_file(each)
    if each.format in _MARKUP or each.input.name.endswith((".erb", ".hbs", ".ejs", ".twig", ".njk", ".blade.php")):
        if each.format in ("markdown", "xml") and "<" not in each.text:
            return None
        if each.format == "xml" and not each.input.name.endswith((".xhtml", ".html")):
            return None
        if each.format == "markdown" and not each.input.name.endswith(".mdx"):
            return None
        if each.input.name.endswith((".pug", ".jade", ".haml", ".slim")):
            return None
        from plantwin.private.capabilities.accessibility import markup

        return markup.page(each.text)
    if each.format in _COMPONENTS and re.search(r"<[A-Za-z]|<>", each.text):
        from plantwin.private.capabilities.accessibility import script

        made = script.page(each.text, each.format in ("tsx", "typescript"))
        return made if any(True for _ in made.root.within()) or not made.whole else None
    return None


def _single_file(each: Source) -> Page:
    """Vue and Svelte: the markup without its scripts, and its styles."""
    from plantwin.private.capabilities.accessibility import markup

    styles: list[tuple[str, int]] = []

    def blank(match: re.Match[str]) -> str:
        if match[1].lower() == "style":
            styles.append((match[2], each.text.count("\n", 0, match.start(2)) + 1))
        return "\n" * match[0].count("\n")

    text = _BLOCK.sub(blank, each.text)
    made = markup.page(text, braces=each.format == "svelte")
    made.template = True
    outer = next((one for one in made.root.elements if one.tag == "template"), None)
    if outer is not None and each.format == "vue":
        outer.tag, outer.component = "", True
    made.styles = styles
    return made


def _issues(page: Page, sheets: list[Source]) -> Iterator[Issue]:
    names = Names(page)
    yield from alternatives.issues(page, names)
    yield from structure.issues(page, names)
    yield from conduct.issues(page, names)
    sheet = Sheet()
    for text, line in page.styles:
        sheet.read(text, line)
    yield from visible.sheet_issues(sheet, alone=False)
    wanted = [one.get("href") for one in page.root.within() if _is_sheet(one)]
    given = {one.input.name.rpartition("/")[2]: one for one in sheets}
    missing = False
    for address in wanted:
        one = given.get(address.split("?")[0].rpartition("/")[2])
        if one is None:
            missing = True
        else:
            sheet.read(one.text, 1)
    yield from visible.issues(page, sheet, missing or page.template)


def _is_sheet(one: Element) -> bool:
    return one.tag == "link" and "stylesheet" in one.get("rel").lower()
