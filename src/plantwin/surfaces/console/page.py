"""What all pages share: the folder behind them, and how an answer is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from plantwin.private.facts import Private
from plantwin.surfaces.console.access import Access, Refused
from plantwin.surfaces.console.conversations import Conversations
from plantwin.surfaces.console.folder import Folder

DIGITS: Final = 15
"""Of a number in an address: no index or trail is longer."""
Form = Mapping[str, list[str]]
Page = Callable[["Console", Request], Response]
Action = Callable[["Console", Request, Form], Response]


@dataclass(repr=False)
class Console(Private):
    """One server."""

    folder: Folder
    access: Access
    conversations: Conversations
    templates: Environment
    ends: bool = False
    """Set when the server stops, so that what is followed ends."""
    kept: dict[str, Any] = field(default_factory=dict)
    """What pages keep between two requests, by page."""

    def page(self, request: Request, template: str, here: str, *, status: int = 200, **values: Any) -> Response:
        """Render a page. `here`: its place in the navigation."""
        session = self.access.session(request)
        if session is None:
            raise Refused(403, "log in first")
        text = self.templates.get_template(template).render(
            here=here, csrf=session.csrf, root=str(self.folder.root), waiting=self.waiting(), **values
        )
        # A name that is no valid Unicode was escaped before; nothing else may stop a page.
        return HTMLResponse(text.encode("utf-8", "backslashreplace"), status)

    def waiting(self) -> int:
        """How many steps and plans wait for a person."""
        with self.folder.queue() as queue:
            steps = len(queue.pending())
        return steps + sum(one.state == "plan" for one in self.conversations.all())

    def close(self) -> None:
        """End what runs and close what is open."""
        self.conversations.close()
        self.folder.close()


def moved(console: Console, to: str, **query: object) -> Response:
    """Answer a form: go on at a page."""
    more = f"?{urlencode(query)}" if query else ""
    return RedirectResponse(f"{console.access.place}/{to}{more}", 303)


def number_of(text: str | None, otherwise: int = 0) -> int:
    """A whole number in an address; anything else counts as none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= DIGITS else otherwise


@dataclass(frozen=True)
class Paging:
    """Which part of a list is shown."""

    start: int
    most: int
    total: int
    query: Mapping[str, str]

    def link(self, start: int) -> str:
        """The address of another part, with the same search."""
        return "?" + urlencode({**{name: text for name, text in self.query.items() if name != "from"}, "from": start})

    @property
    def before(self) -> str:
        """The part before; empty where there is none."""
        return self.link(max(0, self.start - self.most)) if self.start else ""

    @property
    def after(self) -> str:
        """The part after; empty where there is none."""
        return self.link(self.start + self.most) if self.start + self.most < self.total else ""

    @property
    def said(self) -> str:
        """`51 to 100 of 2,345`."""
        last = min(self.start + self.most, self.total)
        return f"{self.start + 1:,} to {last:,} of {self.total:,}" if self.total else "none"
