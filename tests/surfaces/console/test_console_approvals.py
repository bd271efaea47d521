"""Approvals from both sides, and a whole plan with steps taken out."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable

from command_line import Cli
from playwright.sync_api import Page, expect
from served import Served, Upstream
from test_console_pages import OVER, ask, problems

Open = Callable[..., Page]


def steps(*capabilities: str) -> Callable[[list[str]], dict[str, object]]:
    """A plan of these capabilities over everything."""
    return lambda sets: {
        "steps": [
            {"id": f"s{number}", "capability": capability, "inputs": sets}
            for number, capability in enumerate(capabilities, 1)
        ]
    }


def test_a_run_at_a_terminal_is_approved_in_the_console(
    opened: Open, served: Served, upstream: Upstream, axe: str
) -> None:
    upstream.plan = steps("redact_document")
    command = [
        sys.executable, "-m", "plantwin", "run", "Redact the documents", str(served.root), "--queue", "--send",
        "--planner", "work", "--state", str(served.state), "--config", str(served.config),
    ]  # fmt: skip
    page = opened("approvals")
    expect(page.get_by_role("status")).to_contain_text("0 steps wait")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as child:
        # It appears by itself.
        question = page.locator("article.approval")
        expect(question).to_contain_text("redact document", timeout=20_000)
        expect(question).to_contain_text("Redact the documents")
        expect(question).to_contain_text("points of each object")
        assert problems(page, axe) == []
        question.get_by_role("button", name="Approve").click()
        out, _ = child.communicate(timeout=60)
    assert child.returncode == 0, out
    expect(page.get_by_role("status")).to_contain_text("0 steps wait")


def test_a_run_in_the_console_is_decided_at_a_terminal(
    opened: Open, served: Served, upstream: Upstream, cli: Cli
) -> None:
    upstream.plan = steps("redact_document", "secret_scan")
    page = ask(opened(), "Redact the documents", "work")
    page.locator("#go").click()
    page.get_by_role("button", name="Ask me about each").click()
    question = page.locator("article.approval")
    expect(question).to_be_visible()
    (waiting,) = cli("approvals", "--state", served.state, "--json").json["pending"]
    assert waiting["capability"] == "redact_document" and waiting["requester"].startswith("console")
    assert cli("approvals", "deny", waiting["id"], "--state", served.state).code == 0
    for _ in range(100):  # the next one is decided at the terminal too
        if left := cli("approvals", "--state", served.state, "--json").json["pending"]:
            cli("approvals", "approve", left[0]["id"], "--state", served.state)
        if page.locator(OVER).count():
            break
        time.sleep(0.1)
    expect(page.locator("li.step").first).to_contain_text("not approved")
    expect(page.locator("li.step").nth(1)).to_contain_text("done")


def test_a_whole_plan_is_approved_with_a_step_taken_out(
    opened: Open, upstream: Upstream, served: Served, axe: str
) -> None:
    upstream.plan = steps("redact_document", "list_todos", "summarize")
    page = ask(opened(), "Redact the documents and list what is to do", "work")
    page.locator("#go").click()
    page.wait_for_selector("[data-state=plan]")
    first = page.locator("li.step").first
    expect(first).to_contain_text("needs you")
    expect(first).to_contain_text("always needs approval")
    expect(first).to_contain_text("at most")
    first.locator("summary").click()
    expect(first).to_contain_text("docs/runbook.md")
    assert problems(page, axe) == []
    page.uncheck("#step-s3")
    page.get_by_role("button", name="Run the chosen steps").click()
    # What the policy asks about single members of a set is a question of its own, with its rule.
    question = page.locator("article.approval")
    page.wait_for_selector(f"article.approval, {OVER}")
    while question.count():
        expect(question).to_contain_text("rule")
        with page.expect_navigation():
            question.get_by_role("button", name="Approve").click()
        page.wait_for_selector(f"article.approval, {OVER}")
    expect(page.locator("li.step").nth(0)).to_contain_text("done")
    expect(page.locator("li.step").nth(1)).to_contain_text("done")
    expect(page.locator("li.step").nth(2)).to_contain_text("took this step out")
    upstream.plan = steps("redact_document")
    page = ask(page, "Redact the documents", "work")
    page.locator("#go").click()
    page.wait_for_selector("[data-state=plan]")
    page.goto(served.url("approvals"))
    page.get_by_role("link", name="The plan for").click()
    page.get_by_role("button", name="Leave out what needs me").click()
    page.wait_for_selector(OVER)
    expect(page.locator("li.step").first).to_contain_text("not approved")
