"""The HTML page: one file, nothing from elsewhere, and nothing in it acts but its own script."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

from report_runs import DONE, EVIL, SCRIPT, covered, finding, made, many, result

from plantwin.private.report.html import MOST_ROWS, html
from plantwin.private.report.model import Overview
from plantwin.run import Run
from plantwin.types.verdict import Allowed, Code, Denied

RAN = Allowed(outcome=DONE)
ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "em", "br", "code", "ul", "li", "div", "details",
    "summary", "input", "label", "span", "table", "thead", "tbody", "tr", "th", "td", "button", "script",
}  # fmt: skip


class Page(HTMLParser):
    """Every tag, attribute and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "br", "input"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts.setdefault(self._open[-1], []).append(data)


def page_of(run: Run) -> tuple[str, Page]:
    """The page as text and parsed."""
    text = html(run, Overview.of(run)).decode("utf-8")
    return text, Page(text)


def hostile(number: int) -> Run:
    """A run whose every word is hostile."""
    odd = finding(SCRIPT, name=SCRIPT, tag=SCRIPT, message=SCRIPT, hint=SCRIPT, rule=SCRIPT, evidence=SCRIPT)
    coverage = covered(9, 7, {SCRIPT: [SCRIPT, EVIL]})
    run = made(
        [RAN, Denied(code=Code.POLICY_DENIES, detail=SCRIPT), RAN],
        {"s1": result(odd, *many(number)), "s3": result(coverage=coverage)},
        goal=SCRIPT, error=SCRIPT,
    )  # fmt: skip
    run.names = dict.fromkeys(run.names, (SCRIPT, ""))
    return run


def test_hostile_words_are_text_and_nothing_else() -> None:
    text, page = page_of(hostile(5000))
    assert set(page.tags) <= ALLOWED
    assert page.tags.count("script") == page.tags.count("style") == 1
    assert not [
        name for name, _ in page.attributes if name.startswith("on") or name in ("src", "href", "srcdoc", "style")
    ]
    assert "<svg" not in text and "<img" not in text and "\x1b" not in text and "\u202e" not in text
    assert any(SCRIPT in each for each in page.texts["code"])


def test_nothing_is_loaded_and_only_its_own_script_and_style_count() -> None:
    text, page = page_of(hostile(10))
    (policy,) = [value for name, value in page.attributes if name == "content" and value and "default-src" in value]
    script, style = page.texts["script"][0], page.texts["style"][0]
    assert policy.startswith("default-src 'none'")
    for content, source in ((style, "style-src"), (script, "script-src")):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{source} 'sha256-{digest}'" in policy
    assert "unsafe" not in policy and not re.search(r"url\(|@import|https?:", style + script)
    assert "http-equiv" in text[: text.index("<style>")], "the policy stands before what it is about"


def test_every_row_can_be_filtered_and_sorted() -> None:
    text, page = page_of(made([RAN], {"s1": result(*many(5000))}))
    assert page.tags.count("tr") == 5001
    assert {value for name, value in page.attributes if name == "data-s"} == {"critical", "high", "medium", "low"}
    assert page.tags.count("button") == 4 and "prefers-color-scheme" not in text and "color-scheme:light dark" in text
    assert len(text) < 5_000_000


def test_what_was_not_done_comes_first_and_what_does_not_fit_is_counted() -> None:
    text, _ = page_of(hostile(0))
    assert text.index("Not done") < text.index("finding in 1 file") < text.index("<table")
    assert "Not examined by s3" in text
    text, page = page_of(made([RAN], {"s1": result(*many(MOST_ROWS + 5, rules=39))}))
    assert page.tags.count("tr") == MOST_ROWS + 1 and "5 further findings, in the JSON file" in text
    text, page = page_of(made([RAN], {"s1": result()}))
    assert "No findings." in text and "table" not in page.tags
