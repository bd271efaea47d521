"""One server and one browser for each module: while a browser is driven, no test of its process can run a loop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from served import Served, Upstream, console

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Upstream]]:
    with console(tmp_path_factory.mktemp("console")) as made:
        yield made


@pytest.fixture
def served(both: tuple[Served, Upstream]) -> Served:
    return both[0]


@pytest.fixture
def upstream(both: tuple[Served, Upstream]) -> Upstream:
    return both[1]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def errors() -> list[str]:
    """What the browser complains about: scripts that fail, what the security policy blocks."""
    return []


@pytest.fixture
def opened(browser: Browser, served: Served, errors: list[str]) -> Iterator[Any]:
    """Open a page as somebody who logged in with a link."""
    contexts = []

    def open_page(path: str = "", **options: Any) -> Page:
        context = browser.new_context(viewport=options.pop("viewport", {"width": 1200, "height": 850}), **options)
        contexts.append(context)
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{served.origin}/login#{served.access.code()}")
        page.wait_for_url("**/ask")
        if path:
            page.goto(served.url(path))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture(scope="session")
def axe(pytestconfig: pytest.Config) -> str:
    """The accessibility checker, as scripts/setup installs it beside the environment."""
    import sys

    return Path(sys.prefix, "npm", "node_modules", "axe-core", "axe.min.js").read_text("utf-8")
