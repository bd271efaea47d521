"""Identifiers that several sources name: requests, orders, sessions, people, addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from statistics import median
from typing import NamedTuple

from plantwin.private.capabilities.logs.events import Origin
from plantwin.private.formats.logs import Entry

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


Names = dict[tuple[str, str], Seen]
"""What one source names, by its kind and value."""


class Shared(NamedTuple):
    """What several sources name."""

    kind: str
    value: str
    places: dict[str, Seen]

    def __repr__(self) -> str:
        return "<Shared private>"

    @property
    def failed(self) -> bool:
        """Whether any of them names it in an error."""
        return any(seen.failed for seen in self.places.values())


def _identifiers(entry: Entry) -> Iterator[tuple[str, str]]:
    text = entry.text[:1000]
    if entry.address:
        yield "address", entry.address.partition(":")[0] if entry.address.count(":") == 1 else entry.address
    for match in _UUID.finditer(text) if "-" in text else ():
        yield "id", match[0].lower()
    for match in _NAMED.finditer(text):
        if any(character.isdigit() for character in match[2]):
            yield match[1].lower().removesuffix("_id").removesuffix("-id").removesuffix("id"), match[2]
    for match in _MAIL.finditer(text) if "@" in text else ():
        yield "person", match[0].lower()
    for match in _TOKEN.finditer(text):
        if any(character.isdigit() for character in match[1]):
            yield "token", match[1]
    for match in _PART.finditer(entry.path[:300]):
        yield match[1].removesuffix("s"), match[2]


def names_of(origin: Origin) -> Names:
    """Return everything that a log names."""
    found: Names = {}
    for entry in origin.log.entries if origin.log is not None else ():
        for key in _identifiers(entry):
            before = found.get(key)
            if before is not None:
                found[key] = before._replace(often=before.often + 1, failed=before.failed or entry.failed)
            elif len(found) < MOST:
                found[key] = Seen(entry.time, entry.line, 1, entry.failed)
    return found


def shared(named_by: Mapping[str, Names]) -> list[Shared]:
    """Return what at least two sources name; first what failed, then the rarest."""
    places: dict[tuple[str, str], dict[str, Seen]] = {}
    for label, names in named_by.items():
        for key, seen in names.items():
            if seen.often <= COMMON:
                places.setdefault(key, {})[label] = seen
    found = [Shared(kind, value, where) for (kind, value), where in places.items() if len(where) > 1]
    often = {id(each): sum(seen.often for seen in each.places.values()) for each in found}
    return sorted(found, key=lambda each: (not each.failed, often[id(each)], each.value))


def clock_offset(names: Names, reference: Names) -> tuple[float, int]:
    """Return by how much the reference's clock is ahead, and how many identifiers of both agree on it.

    Only steps of a quarter of an hour count: that is what a zone that was not written down makes.
    """
    first, second = _first_times(names), _first_times(reference)
    gaps = [second[key] - time for key, time in first.items() if key in second and time >= 0 and second[key] >= 0]
    if len(gaps) < 2:
        return 0.0, len(gaps)
    step = round(median(gaps) / 900) * 900.0
    near = sum(abs(gap - step) <= 60 for gap in gaps)
    return (step, near) if step and near * 3 >= len(gaps) * 2 and near >= 2 else (0.0, near)


def _first_times(names: Names) -> dict[tuple[str, str], float]:
    """Return when each identifier of one thing was named first."""
    return {key: seen.time for key, seen in names.items() if seen.often <= 20}
