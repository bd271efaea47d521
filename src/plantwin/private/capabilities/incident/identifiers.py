"""Identifiers that several sources name: requests, orders, sessions, people, addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from plantwin.private.capabilities.incident.entry import Entry
from plantwin.private.capabilities.incident.gathering import Story

MOST = 50_000
"""Identifiers of one source."""
COMMON = 2000
"""What a source names more often than this is no identifier of one thing."""
_UUID = re.compile(r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b")
_NAMED = re.compile(
    r"\b((?:request|req|trace|correlation|span|session|transaction|txn|order|job|task|user|customer|invoice|payment|message|basket)"
    r"(?:[_-]?id)?)[\"']?(?:=|: ?\"?| |#)([A-Za-z0-9][\w.@-]{2,63})", re.IGNORECASE,
)  # fmt: skip
_TOKEN = re.compile(r"(?<![\w-])([a-z]{2,8}_[A-Za-z0-9]{4,40}|[0-9a-f]{16,64})(?![\w-])")
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_PART = re.compile(r"/([a-z_-]{2,30})/(\d{3,18}|[0-9a-f]{12,40})(?=/|$|\?)")


class Seen(NamedTuple):
    """Where and when one source names something first, and how often; whether that was in an error."""

    time: float
    line: int
    often: int
    failed: bool


class Shared(NamedTuple):
    """What several sources name."""

    sort: str
    value: str
    places: dict[str, Seen]

    def __repr__(self) -> str:
        return "<Shared private>"

    @property
    def failed(self) -> bool:
        """Whether any of them names it in an error."""
        return any(each.failed for each in self.places.values())


def named(entry: Entry) -> Iterator[tuple[str, str]]:
    """The identifiers of one entry: their sort and value."""
    text = entry.text[:1000]
    if entry.address:
        yield "address", entry.address.partition(":")[0] if entry.address.count(":") == 1 else entry.address
    if "-" in text:
        for match in _UUID.finditer(text):
            yield "id", match[0].lower()
    for match in _NAMED.finditer(text):
        if any(character.isdigit() for character in match[2]):
            yield match[1].lower().removesuffix("_id").removesuffix("-id").removesuffix("id"), match[2]
    if "@" in text:
        for match in _MAIL.finditer(text):
            yield "person", match[0].lower()
    for match in _TOKEN.finditer(text):
        if any(character.isdigit() for character in match[1]):
            yield "token", match[1]
    if entry.path:
        for match in _PART.finditer(entry.path[:300]):
            yield match[1].removesuffix("s"), match[2]


def of_story(story: Story) -> dict[tuple[str, str], Seen]:
    """Everything that a log names."""
    found: dict[tuple[str, str], Seen] = {}
    for entry in story.log.entries if story.log is not None else ():
        for key in named(entry):
            before = found.get(key)
            if before is not None:
                found[key] = before._replace(often=before.often + 1, failed=before.failed or entry.failed)
            elif len(found) < MOST:
                found[key] = Seen(entry.time, entry.line, 1, entry.failed)
    return found


Names = dict[tuple[str, str], Seen]


def shared(named_by: Mapping[str, Names]) -> list[Shared]:
    """What at least two sources name; first what failed, then the rarest."""
    places: dict[tuple[str, str], dict[str, Seen]] = {}
    for label, names in named_by.items():
        for key, seen in names.items():
            if seen.often <= COMMON:
                places.setdefault(key, {})[label] = seen
    found = [Shared(sort, value, where) for (sort, value), where in places.items() if len(where) > 1]
    return sorted(found, key=lambda each: (not each.failed, sum(one.often for one in each.places.values()), each.value))
