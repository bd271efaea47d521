"""List what files declare of the sort that a request asks for; its words choose among them, and stay here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Job, Result
from plantwin.private.capabilities.engine.report import bucket, code, failed, outcome, plain
from plantwin.private.capabilities.engine.results import Mask, masked, table
from plantwin.private.capabilities.engine.source import rehearsal, source
from plantwin.private.capabilities.list_inventory.readers import (
    TABLES,
    Item,
    items_of,
    known_places,
    leads_nowhere,
    sort_of,
)
from plantwin.private.facts import private
from plantwin.private.selection.words import POLITE, STOP, pieces_of, stem
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag

TITLE = "Inventory"
READ = 1 << 20
"""Bytes of one file that are read."""
NAMED = 8
"""Things that the sentence names."""
LISTED = 80
VALUES = 6
"""Values of one setting, and places of one thing, that are told."""
LOCKED = "(locked)"
_OPEN = ("setting", "class", "function")
"""What a question that names no sort may ask for: what is called so."""
_GENERAL = ("endpoint", "package", "store", "service", "resource", "table")
"""What is listed where there is no question."""
_EXACT = ("package", "runtime", "provider", "module", "store", "image", "table", "service", "role", "host")
"""What may be called just so; of others, all that have the words are meant."""
_TOKEN = re.compile(r"[a-z0-9][\w.+#@/-]*", re.IGNORECASE)
_WHETHER = re.compile(r"(?i)\W*(?:is|are|was|were|does|do|did|has|have|can)\b")
_TOP = re.compile(r"(?i)\b(?:main|root|top[- ]level)\s+module\b")
_DEPENDS = re.compile(r"(?i)\b(?:depends?|rely|relies) on\b")
_LAST = re.compile(r"(?i)\b(?:last|latest|newest|most recent|current)\b")
_VERSION = frozenset(("version", "versions"))


@private
class Asked(NamedTuple):
    """What a request asks for."""

    sorts: tuple[str, ...]
    named: bool
    """Whether it names a sort."""
    words: tuple[str, ...]
    """Words that say which of them."""
    whether: bool
    versions: bool = False
    """Whether it asks for versions."""


@private
class Listed(NamedTuple):
    """One thing with all of its places."""

    item: Item
    places: list[str]


@cache
def _sorts_by_word() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for sort, row in TABLES["sort"].items():
        for word in row["words"].split():
            found.setdefault(word, set()).add(sort)
    return {word: frozenset(sorts) for word, sorts in found.items()}


def asked(request: str, *, named: bool = True) -> Asked:
    """Return which sorts a request names, and the words that say which of them: `API routes of the shop`.

    `named`: whether sorts are looked for; else every word says what a setting is called.
    """
    request = re.sub(r"(?i)\bcommand[- ]line\b", " ", request)
    tokens = [token.rstrip(".-/").lower() for token in _TOKEN.findall(request)]
    known = _sorts_by_word()
    whether = bool(_WHETHER.match(request))
    place = next((at for at, token in enumerate(tokens) if token in known), None) if named else None
    if place is None and named and _DEPENDS.search(request):
        return Asked(("package", "store"), True, tuple(_telling(tokens, "depend depends rely relies")), whether)
    if place is None:
        return Asked(_OPEN, False, tuple(_telling(tokens, "")), whether)
    run = [place]
    while run[-1] + 1 < len(tokens) and tokens[run[-1] + 1] in known:
        run.append(run[-1] + 1)
    sorts = known[tokens[run[-1]]]
    for at in reversed(run[:-1]):  # `provider versions`: versions of providers
        sorts = sorts & known[tokens[at]] or sorts
    version = not _VERSION.isdisjoint(tokens)  # of which language is what such a question asks
    light = "" if version else " ".join(str(sort_of(sort).get("light", "")) for sort in sorts)
    rest = [
        token
        for at, token in enumerate(tokens)
        if at not in run and not (known.get(token, sorts) & sorts and token in known)
    ]
    chosen = tuple(sort for sort in TABLES["sort"] if sort in sorts)
    return Asked(chosen, True, tuple(_telling(rest, light)), whether, version)


def _telling(tokens: Iterable[str], light: str) -> Iterator[str]:
    little = {*TABLES["light"].split(), *light.split()} | STOP | POLITE
    little -= {"go"} if not light else set()  # a language, where versions are asked for
    yield from dict.fromkeys(
        token for token in tokens if token not in little and len(token) > 1 and not token.isdigit()
    )


def listed(job: Job) -> Result:
    """List what a job's inputs declare."""
    request = str(job.options.get("request", ""))
    wanted = asked(request) if request.strip() else Asked(_GENERAL, True, (), False)
    given = [each for each in job.inputs if not each.is_result and not each.part]
    if not given:
        return failed(TITLE, "There is no file to read.", [OutcomeTag.UNPARSABLE])
    if not wanted.named and not wanted.words:
        return failed(TITLE, 'Say what to list, as in "Which endpoints are there?".')
    items: list[Item] = []
    cut = looked = 0
    for each in given:
        file = source(each, READ)
        cut += file.truncated and not file.binary
        items += items_of(file, frozenset(wanted.sorts))
    if "link" in wanted.sorts:
        places = known_places([*(near.name for near in job.surroundings.objects), *(each.name for each in given)])
        looked, items = len(items), [item for item in items if leads_nowhere(item, places)]
    if "release" in wanted.sorts and _LAST.search(request):
        items = sorted(items, key=lambda item: (item.place.count("/"), item.place, item.line))[:1]
    if _TOP.search(request) and (top := [item for item in items if "/" not in item.place]):
        items = top
    all_of = _merged(items)
    chosen, told = _chosen(all_of, wanted)
    if not told and wanted.named and (wanted.words or not all_of):
        # No such thing of the sort that was named: a setting may be called so (`the default Kubernetes version`).
        every = asked(request, named=False)
        others = _merged(item for each in given for item in items_of(source(each, READ), frozenset(["setting"])))
        found, words = _chosen(others, every)
        if len(words) > 1:
            wanted, all_of, chosen, told = every, others, found, words
    mask = Mask(job)
    state = [OutcomeTag.TRUNCATED.value] if cut else []
    made = outcome((), total=len(chosen), state=state, partial=bool(cut))
    del made["severity"]
    notes = [f"Of {plural(cut, 'file')} only the first {READ >> 20} MiB were read."] if cut else []
    shown = [_hidden(one, mask) for one in chosen]
    text = [
        _links(wanted, shown, looked) or _sentence(wanted, all_of, shown, told, len(given)),
        "",
        *_tables(shown),
        *notes,
    ]
    return Result(
        outcome={**made, "count": str(bucket(len(chosen)))},
        title=TITLE,
        facts={
            "sorts": list(wanted.sorts), "words": list(wanted.words),
            "on_point": bool(chosen) and bool(wanted.named or told),
            "objects": list(dict.fromkeys(one.item.place for one in shown))[:200],
            "items": [
                {"sort": one.item.sort, "name": one.item.name, "detail": one.item.detail, "places": one.places[:VALUES]}
                for one in shown[:500]
            ],
            "notes": notes,
        },
        text="\n".join(text).strip() + "\n",
    )  # fmt: skip


def _order(item: Item) -> tuple[bool, bool, bool, int, str, int]:
    """What is used in earnest first, then what says most of it, then by place."""
    packaged = item.sort == "store" and not item.detail.startswith("package")
    return item.aside, rehearsal(item.place), packaged, item.place.count("/"), item.place, item.line


def _merged(items: Iterable[Item]) -> list[Listed]:
    """Join what is declared alike in several places; what tests, examples and locks say comes last."""
    found: dict[tuple[str, str, str], Listed] = {}
    ordered = sorted(items, key=_order)
    for item in ordered:
        detail = "" if item.sort in ("store", "service") else item.detail
        one = found.setdefault((item.sort, item.name, detail), Listed(item, []))
        one.places.append(f"{item.place}:{item.line}")
    return list(found.values())


def _hits(text: str, words: Sequence[str]) -> list[str]:
    have = {stem(piece) for piece in pieces_of(text.encode("ascii", "replace"))}
    low = text.lower()
    same: dict[str, str] = TABLES["same"]
    return [
        word
        for word in words
        if have & {stem(word), *map(stem, same.get(word, "").split())}
        or (word in low if len(word) > 3 else word == low)
    ]


def _chosen(every: Sequence[Listed], wanted: Asked) -> tuple[list[Listed], list[str]]:
    """Return what the words of the request choose, and which words did."""
    if not wanted.words:
        whole = [one for one in every if LOCKED not in one.item.detail]
        return whole or list(every), []
    scored = []
    for one in every:
        name = one.item.name if wanted.named else one.item.name.rpartition(".")[2]
        own = _hits(name, wanted.words)
        near = _hits(f"{one.item.name} {one.item.place} {one.item.detail if wanted.named else ''}", wanted.words)
        both = list(dict.fromkeys([*own, *near]))
        if own or (near and wanted.named):
            scored.append((len(both), len(own), one, both))
    most = max(((score, own) for score, own, _, _ in scored), default=(0, 0))
    if not wanted.named and most[0] * 2 < len(wanted.words):
        return [], []
    best = [(one, words) for score, own, one, words in scored if score == most[0] and (wanted.named or own == most[1])]
    if wanted.whether and wanted.named and most[0] < len(wanted.words):
        best = []  # `an endpoint to delete an owner` is not just any endpoint of owners
    if wanted.versions:
        best = [(one, words) for one, words in best if one.item.detail] or best
    exact = [(one, words) for one, words in best if one.item.sort in _EXACT and _called(one.item.name, wanted.words)]
    best = exact or best
    found = [one for one, _ in best]
    told = [word for word in wanted.words if any(word in words for _, words in best)]
    if not found and wanted.named:
        return [one for one in every if LOCKED not in one.item.detail], []
    return found, told


def _called(name: str, words: Sequence[str]) -> bool:
    """Whether it is called just so: `react`, not `react-dom`."""
    low = name.lower()
    return low in words or low.rpartition("/")[2] in words or low.rpartition(":")[2] in words


def _hidden(one: Listed, mask: Mask) -> Listed:
    """Hide secrets in what is shown."""
    item = one.item
    if not item.detail:
        return one
    shown = masked(f"{item.name}={item.detail[:1500]}").partition("=")[2]
    return one._replace(item=item._replace(detail=mask(shown)))


def _sentence(wanted: Asked, every: Sequence[Listed], chosen: Sequence[Listed], told: Sequence[str], files: int) -> str:
    """Say what was asked for, in a sentence: `17 endpoints: GET /owners, …`."""
    searched = f"{plural(files, 'file')} read"
    kinds = _several(wanted.sorts)
    asked_for = ", ".join(code(word) for word in wanted.words[:4])
    if not wanted.named and not chosen:
        return f"No setting, class or function is called after {asked_for} ({searched})."
    if not every:
        return f"No {kinds} were found, by the ways of declaring them that are known here ({searched})."
    if not wanted.named:
        return f"{_values(chosen)} ({searched})."
    present = [sort for sort in wanted.sorts if any(one.item.sort == sort for one in chosen)]
    number = f"{len(chosen):,} {_several(present) if len(chosen) > 1 else _single(present)}"
    names = _names(chosen)
    if told and len(chosen) < len(every):
        words = ", ".join(code(word) for word in told)
        if len(chosen) <= 3:
            return f"{'Yes: ' if wanted.whether else ''}{names}."
        return f"{'Yes: ' if wanted.whether else ''}{number} by {words}: {names}."
    if wanted.words and not told and not {"option", "command"} & {*present}:
        if wanted.whether:
            return f"None of {number} that are declared here speaks of {asked_for.replace(', ', ' and ')}: {names}."
        return f"{number}, none of which is called after {asked_for}: {names}."
    return f"{'Yes: ' if wanted.whether else ''}{number}: {names}."


def _links(wanted: Asked, dead: Sequence[Listed], looked: int) -> str:
    """Say which links lead nowhere, and which were not looked up."""
    if wanted.sorts != ("link",):
        return ""
    beside = "Links to other hosts, to images and headings and from a site's root were not looked up."
    if not looked:
        return f"There is no link whose target can be looked up here. {beside}"
    if not dead:
        return f"None of {plural(looked, 'link')} to other files leads nowhere. {beside}"
    verdict = "Yes: " if wanted.whether else ""
    return f"{verdict}{len(dead):,} of {plural(looked, 'link')} to other files lead nowhere: {_names(dead)}. {beside}"


def _single(sorts: Sequence[str]) -> str:
    several = str(sort_of(sorts[0])["several"]) if sorts else "things"
    return re.sub(r"sses$", "ss", several)[:-1] if not several.endswith("sses") else several[:-2]


def _several(sorts: Sequence[str]) -> str:
    names = [str(sort_of(sort)["several"]) for sort in sorts]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _names(chosen: Sequence[Listed]) -> str:
    few = len(chosen) <= 3
    names = [_named(one, place=few, single=len(chosen) == 1) for one in chosen[:NAMED]]
    more = f" and {len(chosen) - NAMED:,} more" if len(chosen) > NAMED else ""
    return ", ".join(names) + more


def _named(one: Listed, *, place: bool, single: bool = False) -> str:
    item = one.item
    version = f" {plain(item.detail, 60)}" if item.sort in ("package", "runtime", "provider") and item.detail else ""
    if item.sort == "release":
        return f"{plain(item.name, 100)} ({code(one.places[0])}): {plain(item.detail, 400)}"
    if item.sort == "table" and item.detail:
        version = f": {plain(item.detail if single else item.detail.partition(':')[0], 600)}"
    why = f"{plain(item.detail, 60)}, " if item.sort == "store" else ""
    where = f" ({why}{code(one.places[0])})" if place or item.sort == "store" else ""
    return f"{plain(item.name, 100)}{version}{where}"


def _values(chosen: Sequence[Listed]) -> str:
    """Say the values of settings by their names, and where classes and functions are."""
    by_name: dict[str, list[Listed]] = {}
    for one in sorted(chosen, key=lambda one: (rehearsal(one.item.place), one.item.sort != "setting")):
        by_name.setdefault(
            one.item.name.rpartition(".")[2] if one.item.sort == "setting" else one.item.name, []
        ).append(one)
    parts = []
    for name, some in list(by_name.items())[: NAMED // 2]:
        values = list(
            dict.fromkeys(plain(one.item.detail, 60) for one in some if one.item.sort == "setting" and one.item.detail)
        )
        value = (
            f" is {', '.join(values[:VALUES])}{' …' if len(values) > VALUES else ''}"
            if values
            else f", {some[0].item.sort},"
        )
        more = f" and {len(some) - 1} more" if len(some) > 1 else ""
        parts.append(f"{code(name)}{value} in {code(some[0].places[0])}{more}")
    rest = f"; {len(by_name) - len(parts)} more names" if len(by_name) > len(parts) else ""
    return "; ".join(parts) + rest


def _tables(shown: Sequence[Listed]) -> Iterator[str]:
    for sort in dict.fromkeys(one.item.sort for one in shown):
        some = [one for one in shown if one.item.sort == sort]
        title = str(sort_of(sort)["several"])
        heads = [f"{title[0].upper()}{title[1:]} ({len(some):,})", "Value" if sort == "setting" else "Detail", "Where"]
        rows = [[code(one.item.name, 70), plain(one.item.detail, 90), _places(one)] for one in some]
        if not any(one.item.detail for one in some):
            heads, rows = [heads[0], heads[2]], [[row[0], row[2]] for row in rows]
        yield from table(heads, rows, LISTED)


def _places(one: Listed) -> str:
    more = f" and {len(one.places) - 1} more" if len(one.places) > 1 else ""
    return f"{code(one.places[0])}{more}"
