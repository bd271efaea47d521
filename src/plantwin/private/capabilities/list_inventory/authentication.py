"""Endpoints whose handlers name no authentication: what a question for unprotected routes asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from plantwin.private.capabilities.engine.job import Input
from plantwin.private.capabilities.engine.source import source
from plantwin.private.capabilities.list_inventory.wording import Listed, named
from plantwin.text import plural

READ: Final = 1 << 20
LONGEST: Final = 150
"""Lines of a handler that are looked at."""
_PLACES = r"(?:endpoint|route|handler|url|api|view)s?"
_OPEN = r"(?:unauthenticated|unprotected|unauthori[sz]ed)"
ASKED: Final = re.compile(
    rf"(?i)\b{_PLACES}\b.*\b(?:don.?t|do not|doesn.?t|does not|not|without|no|lacks?|missing|skips?)\b"
    r".*\b(?:auth\w*|log-?ins?|logged|permissions?|sessions?|tokens?|protect\w*)\b"
    rf"|\b{_PLACES}\b.*\b{_OPEN}\b|\b{_OPEN}\s+(?:\w+\s+)?{_PLACES}\b"
)
_OPENED = re.compile(r"(?i)skip_?auth|no_?auth|allow_?any|allow_?anonymous|permit_?all|csrf_exempt")
"""Says that it is open, in the words of its framework."""
_CHECKED = re.compile(
    r"(?i)auth(?!or\b|ors\b)|log(?:in|ged)_?(?:required|in\b|user)|permission|current_?user|\.session\b|(?:get|require)\w*session\(|\bjwt|bearer"
    r"|api_?key|\b(?:is|require|ensure|check)_?(?:admin|user|login|signed)|\bcan[A-Z]\w+\(|protected|guard"
)
"""Words of a handler that looks at who calls."""
_HANDLER = re.compile(r"=>|\bfunction\b|\bdef \w|\bfunc\b|\{\s*$")
_IMPORT = re.compile(r"\s*(?:import|from|use|using|require)\b")
_SHARED = re.compile(r"\.use\(|before_action|dependencies\s*=|middleware")
"""Lines that hold for all handlers of a file."""


def unchecked(endpoints: Sequence[Listed], given: Iterable[Input]) -> tuple[str, list[Listed]]:
    """Return the endpoints whose handlers name no authentication, and say so."""
    files = {each.name: each for each in given}
    starts: dict[str, set[int]] = {}
    for one in endpoints:
        starts.setdefault(one.item.place, set()).add(one.item.line)
    texts = {place: source(files[place], READ).text.split("\n") for place in starts if place in files}
    unprotected, read, elsewhere = [], 0, 0
    for one in endpoints:
        lines, line = texts.get(one.item.place, []), one.item.line
        end = min([later for later in starts[one.item.place] if later > line] or [len(lines) + 1])
        first = line - 1
        while first and lines[first - 1].lstrip()[:1] in ("@", "["):  # decorators and attributes
            first -= 1
        # The only route of a file may stand below its handler: `export default handler`.
        body = lines[first : min(end - 1, line + LONGEST)] if len(starts[one.item.place]) > 1 else lines
        body = [text for text in body if not _IMPORT.match(text)]
        shared = "\n".join(text for text in lines if _SHARED.search(text))
        opened = _OPENED.search("\n".join(body)) is not None
        checked = not opened and _CHECKED.search("\n".join([*body, shared])) is not None
        # A list of routes names handlers that stand elsewhere.
        if not checked and not opened and not any(map(_HANDLER.search, body)):
            elsewhere += 1
            continue
        read += 1
        unprotected += [] if checked else [one]
    if not read:
        return f"It cannot be told: the handlers of {plural(elsewhere, 'endpoint')} are not where the routes are.", []
    number = f"{len(unprotected):,}" if unprotected else "None"
    names = f": {named(unprotected)}" if unprotected else ""
    told = [f"{number} of {plural(read, 'endpoint')} have no authentication in the handler, or turn it off{names}."]
    told += ["A check in another file (a middleware, a proxy) is not seen, nor whether a check is right."]
    if elsewhere:
        told.append(f"The handlers of {plural(elsewhere, 'more endpoint')} are in other files and were not looked at.")
    return " ".join(told), unprotected
