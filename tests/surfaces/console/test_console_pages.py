"""Every page in a real browser: what it shows, that it can be used by all, and that nothing in a name acts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from served import HOSTILE, PAGES, Served, Upstream

from plantwin.surfaces.cli import main

Open = Callable[..., Page]
OVER = "[data-state=done], [data-state=stopped], [data-state=failed]"


def ask(page: Page, goal: str, planner: str = "offline", *, look: bool = False) -> Page:
    page.goto("/".join(page.url.split("/")[:4]) + "/ask")
    page.fill("#goal", goal)
    page.fill("#planner", planner)
    page.get_by_role("button", name="Show what would be sent" if look else "Run", exact=True).click()
    return page


def problems(page: Page, axe: str, rules: str = "") -> list[str]:
    """What axe-core finds on a page. `rules`: only by these."""
    # Evaluated by the debugger, not by the page: its security policy stays as it is.
    page.evaluate(axe)
    only = f", runOnly: ['{rules}']" if rules else ""
    found = page.evaluate(f"() => axe.run(document, {{resultTypes: ['violations']{only}}})")
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found["violations"]]


@pytest.fixture(scope="module", autouse=True)
def once(both: tuple[Served, Upstream]) -> str:
    """A run over the command line, so that pages have something to show; its session."""
    served = both[0]
    arguments = ["--state", str(served.state), "--config", str(served.config), "--root", str(served.root), "--send"]
    goal = "Are there secrets in this project?"
    assert main(["run", goal, *arguments, "--planner", "work", "-q"]) == 0
    return next(path.stem.rpartition("-")[2] for path in (served.state / "reports").glob("*.md"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_can_be_used_by_all(opened: Open, served: Served, axe: str, scheme: str, once: str) -> None:
    page, rules = opened(color_scheme=scheme), "color-contrast" if scheme == "dark" else ""
    objects = served.folder.ask(lambda observed: observed.table.page(observed_search(), 0, 1)[1])
    for path in (*PAGES, f"objects/{objects[0].number}", "sets/0", f"runs/{once}"):
        page.goto(served.url(path))
        expect(page.locator("h1")).to_be_visible()
        assert problems(page, axe, rules) == [], path
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url("**/login")
    assert problems(page, axe, rules) == []


def observed_search() -> Any:
    from plantwin.surfaces.console.table import Search

    return Search("auth")


def test_every_page_fits_a_phone(opened: Open, served: Served, once: str) -> None:
    page = opened(viewport={"width": 375, "height": 720}, is_mobile=True, has_touch=True)
    for path in (*PAGES, "sets/0", f"runs/{once}"):
        page.goto(served.url(path))
        expect(page.locator("h1")).to_be_visible()
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 375, (path, width)
    ask(page, "Summarize the documents")
    page.wait_for_selector(OVER)
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_a_goal_is_shown_before_it_is_sent_then_runs_and_leaves_a_report(
    opened: Open, served: Served, upstream: Upstream, axe: str
) -> None:
    page = ask(opened(), "Are there secrets in Zanzibar's project?", "work")  # asked about, since it sends
    page.wait_for_selector("[data-state=preview]")
    before = len(upstream.receiver.received)
    stays = page.locator(".words .word.stays")
    expect(stays).to_contain_text(["Zanzibar"])
    assert problems(page, axe) == []
    shown = json.loads(page.locator(".preview details pre").last.text_content() or "")
    assert shown["message"] == "request" and "Zanzibar" not in json.dumps(shown)
    page.get_by_role("button", name="Send this and run").click()
    # The policy asks about holders of secrets; here, where the person looks.
    question = page.locator("article.approval")
    expect(question).to_contain_text("secret scan") and expect(question).to_contain_text(".env")
    assert problems(page, axe) == []
    question.get_by_role("button", name="Approve").click()
    page.wait_for_selector("[data-state=done]")
    sent = [request for request in upstream.receiver.received[before:] if request.method == "POST"]
    assert sent and not any(b"Zanzibar" in request.body or b"auth.py" in request.body for request in sent)
    expect(page.locator(".answer")).to_contain_text("to work")
    assert problems(page, axe) == []
    page.get_by_role("link", name="The full report").click()
    expect(page.locator("h1")).to_contain_text("Zanzibar")
    expect(page.locator("table code", has_text=".env").first).to_be_visible()
    expect(page.locator(".prose h2").first).to_have_text("PlanTwin report")


def test_what_is_not_agreed_to_is_not_sent(opened: Open, upstream: Upstream) -> None:
    page = ask(opened(), "Review the logs", "work", look=True)
    page.wait_for_selector("[data-state=preview]")
    before = len(upstream.receiver.received)
    page.get_by_role("button", name="Do not send").click()
    page.wait_for_selector("[data-state=stopped]")
    assert len(upstream.receiver.received) == before


def test_the_keyboard_is_enough(opened: Open) -> None:
    page = opened()
    page.keyboard.type("Summarize the documents")  # the goal has the focus
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.value") == "preview"
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-state=preview]")
    page.locator("#go").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-state=done]")


def test_a_run_that_fails_says_why(opened: Open, upstream: Upstream, axe: str) -> None:
    upstream.plan = lambda sets: {"steps": "nonsense"}
    page = ask(opened(), "Review the logs", "work")
    page.locator("#go").click()
    page.wait_for_selector("[data-state=failed]")
    expect(page.get_by_role("alert").first).to_contain_text("refused, twice")
    assert problems(page, axe) == []
    page = ask(page, "Review the logs", "no-such-planner")
    page.wait_for_selector("[data-state=failed]")
    expect(page.get_by_role("alert").first).to_be_visible()


def test_envelopes_stand_beside_the_files_with_what_is_new(opened: Open, once: str) -> None:
    page = opened("left")
    page.select_option("#audience", "provider")
    page.get_by_role("button", name="Show").click()
    request = page.locator("article.envelope", has_text="what is wanted").last
    expect(request.locator("td", has_text=".env").first).to_be_visible()
    expect(request.locator("mark").first).to_be_visible()
    expect(page.locator("h2.session").first).to_contain_text("left this machine")
    page.select_option("#audience", "")
    expect(page.get_by_role("link", name="Are there secrets in this project?").first).to_have_attribute(
        "href", f"/{page.url.split('/')[3]}/runs/{once}"
    )


def test_objects_are_searched_filtered_and_remembered(opened: Open) -> None:
    page = opened("objects")
    page.fill("#q", "auth .py")
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**q=auth*")
    names = page.locator("tbody tr td:first-child").all_text_contents()
    assert names and all("auth" in name and ".py" in name for name in names)
    page.goto(page.url.partition("?")[0] + "?sensitivity=high")
    assert set(page.locator("tbody tr td:nth-child(3)").all_text_contents()) == {"high"}
    page.get_by_role("link", name=".env", exact=True).click()
    history = page.locator("section", has=page.locator("#history"))
    expect(history.locator("tr", has_text="provider").first).to_contain_text("one of many")
    page.get_by_role("link", name="files (", exact=False).first.click()
    expect(page.locator("tbody")).to_contain_text(".env")


def test_a_name_that_is_html_is_text_everywhere(opened: Open, served: Served) -> None:
    page = opened("objects?q=img")
    expect(page.locator("tbody code").first).to_have_text(HOSTILE)
    page.locator("tbody a").first.click()
    expect(page.locator("h1")).to_have_text(HOSTILE)
    ask(page, f"Lint {HOSTILE}", look=True)
    page.locator("#go").click()
    page.wait_for_selector(OVER)
    expect(page.locator("h1")).to_contain_text(HOSTILE)
    for path in ("left", "runs", "graph", "sets", "ask"):
        page.goto(served.url(path))
    assert page.title() != "pwned" and page.locator("img[onerror]").count() == 0
    page.goto(served.url("graph"))
    page.wait_for_selector("#graph[data-ready]")
    page.locator("button.open", has_text="top folder").click()
    expect(page.locator("#details")).to_contain_text(HOSTILE)
    assert page.title() != "pwned" and page.locator("img[onerror]").count() == 0


def test_the_graph_opens_components_and_objects(opened: Open) -> None:
    page = opened("graph")
    page.wait_for_selector("#graph[data-ready]")
    page.locator("button.open", has_text="docs").click()
    expect(page.locator("#details h2")).to_have_text("docs")
    box = page.locator("#canvas").bounding_box()
    assert box is not None
    page.wait_for_timeout(100)
    place = page.evaluate(
        "() => { const c = document.getElementById('canvas'); return [c.clientWidth / 2, c.clientHeight / 2]; }"
    )
    page.mouse.wheel(0, -200)
    page.locator("#canvas").click(position={"x": place[0], "y": place[1]})
    page.get_by_role("button", name="Fit").click()
    page.locator("#canvas").focus()
    page.keyboard.press("+")
    page.locator("#details a").first.click()
    expect(page.locator("h1 code")).to_contain_text("docs/")


def test_a_changed_policy_is_tried_before_it_is_saved(opened: Open, served: Served) -> None:
    page = opened("policy?planner=work")
    expect(page.locator("article.rule", has_text="low-risk").first).to_contain_text("Decides")
    text = page.input_value("#text")
    page.fill("#text", "permit (principal, action")
    page.get_by_role("button", name="Try it on this folder").click()
    expect(page.get_by_role("alert").first).to_contain_text("cannot be loaded")
    assert page.get_by_role("button", name="Save to").count() == 0
    page.fill("#text", text + '\n@id("no-lint") forbid (principal, action == Action::"lint", resource);\n')
    page.get_by_role("button", name="Try it on this folder").click()
    row = page.locator("tr", has_text="no-lint").first
    expect(row).to_contain_text("permit") and expect(row).to_contain_text("deny")
    assert "no-lint" not in served.policy.read_text()
    page.get_by_role("button", name="Save to").click()
    expect(page.get_by_role("status").first).to_contain_text("Saved")
    assert "no-lint" in served.policy.read_text() and served.policy.stat().st_mode & 0o777 == 0o600
    served.policy.write_text(text)


def test_health_says_whether_the_ledger_is_whole(opened: Open, served: Served) -> None:
    page = opened("health")
    expect(page.locator("#live")).to_contain_text("whole")
    expect(page.locator("section", has=page.locator("#sandbox"))).to_contain_text("on")
    expect(page.locator("section", has=page.locator("#counts"))).to_contain_text("envelope lines")
