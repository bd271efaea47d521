"""What notebooks show of a twin, a plan and a run: text alone, whatever files and people call things."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from types import SimpleNamespace

from builders import AUTH, PAY, SET, edge, held

from plantwin.run import Run, Spending
from plantwin.text import MOST_ROWS, cell, table
from plantwin.types.outcome import Outcome
from plantwin.types.plan import Narrowed, Plan, Step, Where
from plantwin.types.twin import Twin, TwinObject
from plantwin.types.verdict import Admission, Allowed
from plantwin.vocabulary import Kind, StepStatus

HOSTILE = '<img src=x onerror="alert(1)">\n\x1b[31m\u202e</td></table><script>&amp;'


class Shown(HTMLParser):
    """The tags of a page and its text, as a browser reads it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_cell_is_text():
    assert cell(HOSTILE).isprintable() and not re.search("[<>\"'\n\x1b\u202e]", cell(HOSTILE))
    page = table(HOSTILE, (HOSTILE,), [(HOSTILE,)] * (MOST_ROWS + 3))
    assert Shown(page).tags == {"h4", "table", "thead", "tbody", "tr", "th", "td", "p"}
    assert page.count("<tr>") == MOST_ROWS + 1 and "and 3 more" in page


def test_a_twin_and_a_plan_show_their_words():
    twin = Twin(objects=(held().object, TwinObject(object_id=PAY, kind=Kind.CONFIG)), edges=(edge(),))
    shown = Shown(twin._repr_html_())
    assert all(word in shown.text for word in (AUTH, "authentication_module", "endpoints", "depends_on", "2 objects"))
    narrowed = Narrowed(set=SET, where=Where(kind=Kind.CONFIG))
    plan = Plan(steps=(Step(id="s1", capability="lint", inputs=(narrowed, AUTH)),))
    assert f"{SET}[kind=config], {AUTH}" in Shown(plan._repr_html_()).text


def test_a_run_shows_its_owner_everything_as_text():
    run = Run("s", HOSTILE, "mine", "acme", warnings=[HOSTILE], names={AUTH: (HOSTILE, "")})
    run.spending.append(Spending(HOSTILE, "", AUTH, 0, 1500, 30000, (), ()))
    steps = (Step(id="s1", capability="lint", inputs=(AUTH,)), Step(id="s2", capability="lint", inputs=(AUTH,)))
    turn = run.begin(Plan(steps=steps), Admission((), (0, 1)))
    turn.decided(0, Allowed(outcome=Outcome(status=StepStatus.DONE)), 0.1)
    found = SimpleNamespace(severity="high", name=HOSTILE, line=3, message=HOSTILE)
    run.keep("s1", SimpleNamespace(findings=[found]), "")
    shown = Shown(run._repr_html_())
    assert shown.tags == {"h4", "table", "thead", "tbody", "tr", "th", "td"}
    assert "not reached" in shown.text and "1.5" in shown.text and shown.text.count("onerror") == 7
