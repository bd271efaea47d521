"""Say what is declared: a sentence, and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plantwin.private.capabilities.engine.report import code, plain
from plantwin.private.capabilities.engine.results import table
from plantwin.private.capabilities.engine.source import rehearsal
from plantwin.private.capabilities.list_inventory.asking import Asked
from plantwin.private.capabilities.list_inventory.links import Item
from plantwin.private.capabilities.list_inventory.readers import sort_of
from plantwin.private.facts import private
from plantwin.text import plural

NAMED = 8
"""Things that the sentence names."""
LISTED = 1000
ABOUT, TOGETHER = 160, 2
"""Characters of a comment that are told, of so many settings at most."""
VALUES = 6
"""Values of one setting, and places of one thing, that are told."""


@private
class Listed(NamedTuple):
    """One thing with all of its places."""

    item: Item
    places: list[str]


def sentence(
    wanted: Asked,
    every: Sequence[Listed],
    chosen: Sequence[Listed],
    told: Sequence[str],
    files: int,
    handlers: Sequence[str] = (),
) -> str:
    """Say what was asked for, in a sentence: `17 endpoints: GET /owners, …`.

    `handlers`: files that lie where an API usually does.
    """
    searched = f"{plural(files, 'file')} read"
    kinds = _several(wanted.sorts)
    asked_for = ", ".join(code(word) for word in wanted.words[:4])
    if not wanted.named and not chosen:
        return f"No setting, class or function is called after {asked_for} ({searched})."
    if not every:
        if handlers and "endpoint" in wanted.sorts:
            shown = ", ".join(map(code, handlers[:3]))
            unread = f"{plural(len(handlers), 'file')} in folders for an API ({shown})"
            return f"How {kinds} are declared here is not known, so none can be listed: see {unread}."
        return f"No {kinds} were found, by the ways of declaring them that are known here ({searched})."
    if not wanted.named:
        return f"{settled(chosen)} ({searched})."
    present = [sort for sort in wanted.sorts if any(one.item.sort == sort for one in chosen)] or wanted.sorts
    number = f"{len(chosen):,} {_single(present) if len(chosen) == 1 else _several(present)}"
    names = named(chosen)
    if told and len(chosen) < len(every):
        words = ", ".join(code(word) for word in told)
        if len(chosen) <= 3:
            return f"{'Yes: ' if wanted.whether else ''}{names}."
        rest = [code(word) for word in wanted.words if word not in told]
        but = f" (what is said of {', '.join(rest[:3])} was not looked at)" if rest else ""
        return f"{'Yes: ' if wanted.whether else ''}{number} by {words}{but}: {names}."
    if wanted.words and not told and not {"option", "command"} & {*present}:
        if wanted.whether:
            return f"None of {number} that are declared here speaks of {asked_for.replace(', ', ' and ')}: {names}."
        return f"{number}, none of which is called after {asked_for}: {names}."
    where = f" in {code(chosen[0].item.place.rpartition('/')[0] + '/')}" if present == ["file"] else ""
    return f"{'Yes: ' if wanted.whether else ''}{number}{where}: {names}."


def links(wanted: Asked, dead: Sequence[Listed], looked: int) -> str:
    """Say which links lead nowhere, and which were not looked up."""
    if wanted.sorts != ("link",):
        return ""
    beside = "Links to other hosts, to images and headings and from a site's root were not looked up."
    if not looked:
        return f"There is no link whose target can be looked up here. {beside}"
    if not dead:
        return f"None of {plural(looked, 'link')} to other files leads nowhere. {beside}"
    verdict = "Yes: " if wanted.whether else ""
    return f"{verdict}{len(dead):,} of {plural(looked, 'link')} to other files lead nowhere: {named(dead)}. {beside}"


def _single(sorts: Sequence[str]) -> str:
    row = sort_of(sorts[0])
    return str(row.get("one", row["several"].removesuffix("s")))


def _several(sorts: Sequence[str]) -> str:
    names = [str(sort_of(sort)["several"]) for sort in sorts]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def named(chosen: Sequence[Listed]) -> str:
    """Name the first of them."""
    few = len(chosen) <= 3
    names = [_named(one, place=few, single=len(chosen) == 1) for one in chosen[:NAMED]]
    more = f" and {len(chosen) - NAMED:,} more" if len(chosen) > NAMED else ""
    return ", ".join(names) + more


def _named(one: Listed, *, place: bool, single: bool = False) -> str:
    item = one.item
    version = (
        f" {plain(item.detail, 60)}" if item.sort in ("package", "runtime", "provider", "own") and item.detail else ""
    )
    if item.sort == "release":
        return f"{plain(item.name, 100)} ({code(one.places[0])}): {plain(item.detail, 400)}"
    if item.sort == "table" and item.detail:
        version = f": {plain(item.detail if single else item.detail.partition(':')[0], 600)}"
    if item.sort == "input" and place:
        version = f": {plain(item.detail.partition(': ')[0], 100)}"
    why = (
        f"{plain(item.detail, 60)}, "
        if item.sort in ("store", "service", "task", "host") and item.detail and place
        else ""
    )
    why = f"{plain(item.detail, 60)}, " if item.sort == "store" else why
    where = f" ({why}{code(one.places[0])})" if place or item.sort == "store" else ""
    return f"{plain(item.name, 100)}{version}{where}"


def settled(chosen: Sequence[Listed]) -> str:
    """Say the values of settings by their names, and where classes and functions are."""
    by_name: dict[str, list[Listed]] = {}
    for one in sorted(chosen, key=lambda one: (rehearsal(one.item.place), one.item.sort != "setting")):
        by_name.setdefault(
            one.item.name.rpartition(".")[2] if one.item.sort == "setting" else one.item.name, []
        ).append(one)
    parts = []
    for name, some in list(by_name.items())[: NAMED // 2]:
        wide = 60 if len(by_name) > 1 else 240
        values = list(
            dict.fromkeys(
                plain(one.item.detail, wide) for one in some if one.item.sort == "setting" and one.item.detail
            )
        )
        value = (
            f" is {', '.join(values[:VALUES])}{' …' if len(values) > VALUES else ''}"
            if values
            else f", {some[0].item.sort},"
        )
        more = f" and {len(some) - 1} more" if len(some) > 1 else ""
        about = next((one.item.about for one in some if one.item.about), "")
        said = f" ({plain(about, ABOUT)})" if about and len(by_name) <= TOGETHER else ""
        parts.append(f"{code(name)}{value} in {code(some[0].places[0])}{more}{said}")
    rest = f"; {len(by_name) - len(parts)} more names" if len(by_name) > len(parts) else ""
    return "; ".join(parts) + rest


def tables(shown: Sequence[Listed]) -> Iterator[str]:
    for sort in dict.fromkeys(one.item.sort for one in shown):
        some = [one for one in shown if one.item.sort == sort]
        title = str(sort_of(sort)["several"])
        heads = [f"{title[0].upper()}{title[1:]} ({len(some):,})", "Value" if sort == "setting" else "Detail", "Where"]
        rows = [
            [code(one.item.name, 70), plain(one.item.detail, 600 if sort == "table" else 90), _places(one)]
            for one in some
        ]
        if not any(one.item.detail for one in some):
            heads, rows = [heads[0], heads[2]], [[row[0], row[2]] for row in rows]
        yield from table(heads, rows, LISTED)


def _places(one: Listed) -> str:
    more = f" and {len(one.places) - 1} more" if len(one.places) > 1 else ""
    return f"{code(one.places[0])}{more}"
