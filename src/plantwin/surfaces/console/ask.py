"""Ask: a goal, what it would send and at what price, its steps as they run, and the answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from plantwin.cloud.registry import PROVIDERS
from plantwin.private.capabilities import catalog
from plantwin.private.report.answer import answer
from plantwin.private.report.markdown import quoted, undrawn
from plantwin.private.report.model import Overview
from plantwin.private.report.wording import named
from plantwin.run import Run
from plantwin.surfaces.cli.preview import Preview, price_of
from plantwin.surfaces.cli.sessions import MAX_GOAL
from plantwin.surfaces.console import approvals
from plantwin.surfaces.console.access import Refused, one
from plantwin.surfaces.console.conversation import Conversation
from plantwin.surfaces.console.left import told_values
from plantwin.surfaces.console.page import Console, Form, moved
from plantwin.surfaces.render import conclusion

MODES: Final = ("intent", "lexicon", "verbatim")
WAITING: Final = ("preview", "changed")
ROWS: Final = 25
"""Findings below an answer; the page of the run has all."""
SCREEN: Final = conclusion.Screen(100_000, 60)
_markdown: Final = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["link", "image", "autolink"])


def rendered(text: str) -> Markup:
    """Markdown of a report as HTML: it makes no links and loads nothing, whatever a file of the folder says."""
    tokens = _markdown.parse(text.encode("utf-8", "backslashreplace").decode())
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):  # below the heading of the page
            token.tag = f"h{min(6, int(token.tag[1]) + 1)}"
        if token.attrs.pop("style", None):  # how a column is aligned: the security policy lets no element have a style
            token.attrs["class"] = "number"
    for opens, inline, closes in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opens.type == "th_open" and not inline.content.strip():  # a head that says nothing is none
            opens.tag = closes.tag = "td"
    return Markup(_markdown.renderer.render(tokens, _markdown.options, {}))  # noqa: S704 - escaped by it


def _page(console: Console, request: Request) -> Response:
    settings = console.folder.settings
    # What can be asked by its name alone; a provider's model is typed.
    planners = dict.fromkeys(["offline", settings.planner.default, *settings.planners])
    return console.page(
        request, "ask.html", "ask",
        planners=planners, providers=sorted(PROVIDERS), default=settings.planner.default, modes=MODES,
        mode=settings.goal.mode, goal="", problem="", recent=console.conversations.all()[:8],
    )  # fmt: skip


def _begin(console: Console, request: Request, form: Form) -> Response:
    goal, planner, mode = one(form, "goal").strip(), one(form, "planner").strip(), one(form, "mode")
    if not 0 < len(goal) <= MAX_GOAL:
        raise Refused(400, f"a goal has 1 to {MAX_GOAL:,} characters")
    if mode not in MODES or len(planner) > 200:
        raise Refused(400, "there is no such planner or mode")
    look_first = one(form, "what") != "run"
    made = console.conversations.begin(
        lambda: Conversation(console.folder, goal, planner or console.folder.settings.planner.default, mode, look_first)
    )
    if made is None:
        raise Refused(429, "several goals are being worked on: wait for one of them")
    return moved(console, f"ask/{made.id}")


def _found(console: Console, request: Request) -> Conversation:
    found = console.conversations.get(request.path_params["id"])
    if found is None:
        raise Refused(404, "there is no such request any more; Runs lists what was done")
    return found


def _one(console: Console, request: Request) -> Response:
    return console.page(request, "conversation.html", "ask", **_values(console, request))


def _part(console: Console, request: Request) -> Response:
    return console.page(request, "conversation_part.html", "ask", **_values(console, request))


def _values(console: Console, request: Request) -> dict[str, Any]:
    asked = _found(console, request)
    done = asked.run
    questions = approvals.questions(console) if asked.question else []
    return {
        "asked": asked,
        "questions": [{**one, "files": asked.files} for one in questions if one["id"] == asked.question],
        "preview": _previewed(asked.preview, asked.sent) if asked.preview else None,
        "values_of": told_values,
        "answer": _answered(asked, done) if done is not None else None,
    }


def _previewed(preview: Preview, sent: int) -> dict[str, Any]:
    """What would be sent, or was, word by word and set by set."""
    titles = {
        (True, False): "What would be sent", (True, True): "What was sent first",
        (False, False): "What the planner would see", (False, True): "What the planner saw first",
    }  # fmt: skip
    run = preview.run
    text = run.read_as or run.goal
    pieces = [
        {"text": text[piece.start : piece.end], "tokens": [_token(token, run) for token in piece.tokens],
         "why": piece.why.value, "stays": not piece.tokens or all(token.startswith("<") for token in piece.tokens)}
        for piece in preview.pieces
    ]  # fmt: skip
    spent = [*run.set_spending, *run.spending]
    return {
        "title": titles[preview.sends, sent > 0],
        "pieces": pieces,
        "sets": [(view, price_of(view.spending) if view.spending else 0) for view in preview.sets],
        "objects": [(one, price_of(one)) for one in run.spending if one.object_id in preview.objects],
        "relations": len(preview.relations),
        "envelopes": [_spaced(envelope.data) for envelope in preview.envelopes],
        "bytes": sum(map(len, preview.envelopes)),
        "dearest": max(map(price_of, spent), default=0),
        "excluded": run.excluded,
        "denied": run.denied,
        "sends": preview.sends,
        "where": preview.where,
        "audience": run.audience,
        "mode": preview.mode,
    }


def _token(token: str, run: Run) -> str:
    return f"{token} = {named(token, run.names)}" if token in run.names else token


def _spaced(data: bytes) -> str:
    return json.dumps(json.loads(data), indent=1)


def _answered(asked: Conversation, done: Run) -> dict[str, Any]:
    """The answer as the command line gives it, with the worst findings."""
    overview = Overview.of(done)
    said = answer(done, overview)
    first = conclusion.first(done, overview, said, catalog(), SCREEN)
    return {
        "lines": [*asked.absent, *first],
        "texts": [rendered("\n".join(quoted(undrawn(text), 120))) for _, text in said.texts],
        "findings": overview.findings[:ROWS],
        "more": max(0, len(overview.findings) - ROWS),
        "examined": overview.examined(done.names),
        "left_out": conclusion.unplanned(done, overview),
        "told": conclusion.told(done, sends=asked.sends),
        "withheld": done.excluded,
        "warnings": done.warnings,
        "session": done.session,
        "report": done.report is not None,
    }


def _go(console: Console, request: Request, form: Form) -> Response:
    asked = _found(console, request)
    if not asked.say(True, WAITING):
        raise Refused(409, "this request does not wait for your word any more")
    return moved(console, f"ask/{asked.id}")


def _stop(console: Console, request: Request, form: Form) -> Response:
    asked = _found(console, request)
    asked.stop()
    return moved(console, f"ask/{asked.id}")


def _decide(console: Console, request: Request, form: Form) -> Response:
    """The person's word on a whole plan: the steps that are to run, one by one, or none that needs them."""
    asked = _found(console, request)
    words = {"run": frozenset(form.get("step", [])), "singly": "singly", "deny": "deny"}
    word = words.get(one(form, "word"))
    if word is None or not asked.say(word, ("plan",)):
        raise Refused(409, "this plan does not wait for your word any more")
    return moved(console, f"ask/{asked.id}")


def follower(console: Console, what: str) -> Callable[[], object] | None:
    """What changes when a request goes on."""
    found = console.conversations.get(what)
    return None if found is None else lambda: found.revision


PAGES = {"/ask": _page, "/ask/{id}": _one, "/ask/{id}/part": _part}
ACTIONS = {"/ask": _begin, "/ask/{id}/go": _go, "/ask/{id}/stop": _stop, "/ask/{id}/plan": _decide}
