"""What left: every envelope beside the files that it tells of, with what is new in it."""

from __future__ import annotations

import json
import time
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from plantwin.boundary.ledger.base import BaseLedger
from plantwin.ledgers.records import BEFORE, Line, latest_lines
from plantwin.private.facts import private
from plantwin.private.report.wording import words
from plantwin.surfaces.console.page import Console, number_of
from plantwin.types.prices import statement_of
from plantwin.types.twin import object_id_like, set_id_like

MOST: Final = 12
"""Envelopes of a page."""
BACK: Final = 400
"""Sessions that are looked through for those of a page."""
LARGEST: Final = 32 << 20
"""Bytes of a report that is read for the names in it."""
MEANINGS: Final = {
    "registration": "which sets of files there are",
    "request": "what is wanted, and what the sets are like",
    "results": "what became of the steps",
    "repair": "why the last answer is no plan",
    "budget": "what steps can cost, or how much is left to tell",
    "verbatim": "the goal in your own words",
}


@private
class Told(NamedTuple):
    """One thing that an envelope says of a set or an object."""

    field: str
    values: list[tuple[str, bool]]
    """Words, and whether the audience first heard them in this session."""


@private
class Row(NamedTuple):
    """A set, an object or a step as it crossed, beside what it is here."""

    id: str
    name: str
    some: list[str]
    told: list[Told]


@private
class Envelope(NamedTuple):
    """An envelope as the page shows it."""

    number: int
    at: float
    session: str
    audience: str
    message: str
    meaning: str
    size: int
    digest: str
    data: str
    words: list[tuple[str, str]]
    """The words of the goal, with the real name behind each that is an id."""
    rows: list[Row]
    known: dict[str, Any]
    """What the report of its session says; empty where there is none."""
    planner: str
    sends: bool


def _page(console: Console, request: Request) -> Response:
    audience = request.query_params.get("audience", "")
    before = number_of(request.query_params.get("before"), -BEFORE)
    with console.folder.ledger() as ledger:
        lines = latest_lines(ledger, "envelope", MOST + 1, before=before, audience=audience)
        sessions = _sessions(ledger, {str(_body(line).get("session")) for line in lines[:MOST]}, before)
    reports = Reports(console.folder.state.subfolder("reports"))
    shown = [_envelope(line, sessions, reports) for line in lines[:MOST]]
    return console.page(
        request, "left.html", "left",
        envelopes=shown, audience=audience, audiences=console.folder.audiences(),
        older=shown[-1].number if len(lines) > MOST else 0, first="before" not in request.query_params,
    )  # fmt: skip


def _sessions(ledger: BaseLedger, wanted: set[str], before: int) -> dict[str, dict[str, Any]]:
    """What the trail says of sessions: who was asked, and whether anything left."""
    found: dict[str, dict[str, Any]] = {}
    for _ in range(BACK // 40):
        lines = latest_lines(ledger, "session", 40, before=before)
        found |= {str(body.get("session")): body for line in lines if (body := _body(line))}
        if wanted <= found.keys() or len(lines) < 40:
            break
        before = lines[-1].number
    return found


def _body(line: Line) -> dict[str, Any]:
    try:
        body = json.loads(line.body)
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


class Reports:
    """Finds the report of a session, also of one that is a part of several."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names = sorted(path.name for path in folder.glob("*.json"))
        self._known: dict[str, dict[str, Any]] = {}

    def of(self, session: str, at: float) -> dict[str, Any]:
        """What the report says of a session; nothing where no report has it."""
        if session not in self._known:
            for name in self._candidates(session, at):
                for told in self._read(name):
                    self._known.setdefault(str(told.get("session")), told)
                if session in self._known:
                    break
        return self._known.setdefault(session, {})

    def _candidates(self, session: str, at: float) -> Iterator[str]:
        exact = next((name for name in self._names if name.endswith(f"-{session}.json")), None)
        if exact is not None:
            yield exact
            return
        # A request of several questions has one report, by the name of its first session.
        place = bisect_right(self._names, time.strftime("%Y%m%d-%H%M%S~", time.localtime(at)))
        yield from reversed(self._names[max(0, place - 3) : place])

    def _read(self, name: str) -> list[dict[str, Any]]:
        path = self._folder / name
        try:
            if path.stat().st_size > LARGEST:
                return []
            tree = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return []
        sessions = tree.get("sessions") if isinstance(tree, dict) else None
        found = [one for one in sessions or [] if isinstance(one, dict)]
        return [{**one, "goal": tree.get("goal", ""), "run": name.rpartition("-")[2][:-5]} for one in found]


def _envelope(line: Line, sessions: dict[str, dict[str, Any]], reports: Reports) -> Envelope:
    body = _body(line)
    data, session = str(body.get("data", "")), str(body.get("session", ""))
    try:
        message = json.loads(data)
    except ValueError:
        message = {}
    known, opened = reports.of(session, line.at), sessions.get(session, {})
    kind = str(message.get("message", "damaged"))
    return Envelope(
        line.number,
        line.at,
        session,
        str(body.get("audience", "")),
        kind,
        MEANINGS.get(kind, ""),
        len(data),
        str(body.get("sha256", "")),
        json.dumps(message, indent=1) if message else data,
        [(str(word), _name(known, word)) for word in message.get("goal", {}).get("text", [])],
        list(_rows(message, known)),
        known,
        str(opened.get("planner", "")),
        opened.get("sends") is not False,
    )


def _name(known: dict[str, Any], id_: str) -> str:
    return str(known.get("told_of", {}).get(id_, {}).get("name", ""))


def _rows(message: dict[str, Any], known: dict[str, Any]) -> Iterator[Row]:
    names: dict[str, Any] = known.get("told_of", {})
    for sort, id_name in (("sets", "set_id"), ("objects", "object_id")):
        for told in message.get(sort, []):
            id_ = told[id_name]
            one = names.get(id_, {})
            new = [statement_of(unit) for unit in one.get("new", [])]
            start = "set." if sort == "sets" else ""
            fields = [_told(field, value, start, new) for field, value in told.items() if field != id_name]
            yield Row(id_, one.get("name", ""), one.get("some", []), fields)
    steps = [step for step in known.get("steps", []) if step.get("turn") == message.get("turn")]
    for result in message.get("steps", []):
        step = steps[result["step"] - 1] if 0 < result["step"] <= len(steps) else {}
        outcome = result.get("outcome", {"price": result.get("price", "")})
        # A verdict is charged for this very content: whatever is told of it is new, or known of it already.
        fields = [
            Told(words(field), [(words(str(leaf)), False) for leaf in _leaves(value)])
            for field, value in outcome.items()
        ]
        yield Row(f"step {result['step']}", words(step.get("capability", "")), step.get("inputs", []), fields)
    for left in message.get("remainders", []):
        yield Row(left["of"], _name(known, left["of"]), [], [Told("left to tell", [(left["left"], False)])])


def _told(field: str, value: Any, start: str, new: list[str]) -> Told:
    leaves = list(_leaves(value))
    heard = [any(unit.startswith(f"{start}{field}={leaf.partition(' ')[0]}") for unit in new) for leaf in leaves]
    return Told(words(field), [(_word(leaf), fresh) for leaf, fresh in zip(leaves, heard, strict=True)])


def _word(leaf: str) -> str:
    """A word in plain letters; an id stays as it crossed."""
    return leaf if object_id_like(leaf) or set_id_like(leaf) or leaf.startswith("component_") else words(leaf)


def _leaves(value: Any) -> Iterator[str]:
    """Words of a field; `api_contract (some)` for a word with its share."""
    if isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    elif isinstance(value, dict):
        share = value.get("share") or value.get("amount")
        rest = [str(inner) for name, inner in value.items() if name not in ("share", "amount")]
        yield " ".join(rest) + (f" ({share})" if share else "")
    else:
        yield str(value)


def told_values(told: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """What is told of a set, field by field, in plain letters."""
    fields = {field: value for field, value in told.items() if field not in ("set_id", "within", "component")}
    return [(words(field), [words(leaf) for leaf in _leaves(value)]) for field, value in fields.items()]


PAGES = {"/left": _page}
