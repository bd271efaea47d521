"""Choose among what files declare by the words of a request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from plantwin.private.capabilities.engine.source import rehearsal
from plantwin.private.capabilities.list_inventory.asking import Asked
from plantwin.private.capabilities.list_inventory.links import Item
from plantwin.private.capabilities.list_inventory.readers import TABLES
from plantwin.private.capabilities.list_inventory.wording import Listed
from plantwin.private.selection.words import pieces_of, stem

LOCKED = "(locked)"
_REFERENCE = re.compile(r"(?:\$\{)?var\.(\w+)\}?")
_EXACT = (
    "package",
    "runtime",
    "provider",
    "module",
    "store",
    "image",
    "table",
    "service",
    "role",
    "host",
    "input",
    "output",
)
"""What may be called just so; of others, all that have the words are meant."""
_MIXED = frozenset(("address", "task"))
"""What is listed sort by sort, since the sorts that come first say more."""
_TEMPLATE = re.compile(
    r"(?i)(?:^|/)[^/]*(?:env|conf|config|settings?)[^/]*(?:example|sample|dist|template)[^/]*$|[.]example[.]env$"
)
_RUN = re.compile(r"[a-z]{10,}")
_LAST_WORD = re.compile(r"[_.-]?[^_.-]+$")


def hits(text: str, words: Sequence[str], *, same: bool = True) -> list[str]:
    """Return the words that a text has, or others of their meaning; one word of it stands for one of the question."""
    have = {stem(piece) for piece in pieces_of(text.encode("ascii", "replace"))}
    low = text.lower()
    found = {word for word in words if stem(word) in have or _within(word, low)}
    left = have - {stem(word) for word in found}
    others: dict[str, str] = TABLES["same"] if same else {}
    for word in words:
        meant = left & {stem(other) for other in others.get(word, "").split()} if word not in found else set()
        if meant:
            found.add(word)
            left.discard(min(meant))
    return [word for word in words if word in found]


def choose(every: Sequence[Listed], wanted: Asked) -> tuple[list[Listed], list[str]]:
    """Return what the words of the request choose, and which words did."""
    if not wanted.words:
        whole = [one for one in every if LOCKED not in one.item.detail]
        if not _MIXED.isdisjoint(wanted.sorts):
            whole.sort(key=lambda one: wanted.sorts.index(one.item.sort))
        return whole or list(every), []
    scored = []
    for one in every:
        name = one.item.name if wanted.named else one.item.name.rpartition(".")[2]
        own = hits(name, wanted.words)
        beside = one.item.detail if wanted.named else one.item.about
        near = hits(f"{one.item.name} {one.item.place} {beside}", wanted.words)
        both = list(dict.fromkeys([*own, *near]))
        if own or (near and wanted.named):
            scored.append((len(both), len(own), one, both))
    most = max(((score, own) for score, own, _, _ in scored), default=(0, 0))
    if not wanted.named and most[0] * 2 < len(wanted.words):
        return [], []
    best = [(one, words) for score, own, one, words in scored if score == most[0] and (wanted.named or own == most[1])]
    if not wanted.named:  # `REDIS_HOST` beside `REDIS_ENABLED`
        families = {_family(one.item.name) for one, _ in best if one.item.sort == "setting"} - {""}
        best += [
            (one, words)
            for score, own, one, words in scored
            if (score, own) != most and score >= most[0] - 1 and one.item.sort == "setting"
            and _family(one.item.name) in families
        ]  # fmt: skip
    if wanted.whether and wanted.named and most[0] < len(wanted.words):
        best = []  # `an endpoint to delete an owner` is not just any endpoint of owners
    if wanted.versions:
        best = [(one, words) for one, words in best if one.item.detail] or best
    best = (
        [(one, words) for one, words in best if one.item.sort in _EXACT and one.item.name.lower() in wanted.words]
        or [(one, words) for one, words in best if one.item.sort in _EXACT and called(one.item.name, wanted.words)]
        or best
    )
    if (
        not wanted.named
    ):  # what is in use before what tests set, no code of tests, and the very word before another of its meaning
        in_use = [pair for pair in best if not rehearsed(pair[0].item.place)]
        best = in_use or [pair for pair in best if pair[0].item.sort == "setting"]
        best = [pair for pair in best if _only(pair[0].item.name, wanted.words)] or best
        direct = [len(hits(one.item.name, wanted.words, same=False)) for one, _ in best]
        best = [pair for pair, hits in zip(best, direct, strict=True) if hits == len(wanted.words)] or best
    found = [one for one, _ in best]
    if not _MIXED.isdisjoint(wanted.sorts):
        found.sort(key=lambda one: wanted.sorts.index(one.item.sort))
    told = [word for word in wanted.words if any(word in words for _, words in best)]
    if not found and wanted.named:
        return [one for one in every if LOCKED not in one.item.detail], []
    return found, told


def called(name: str, words: Sequence[str]) -> bool:
    """Whether it is called just so, whoever publishes it: `react`, not `react-dom`."""
    low = name.lower()
    return low.rpartition("/")[2] in words or low.rpartition(":")[2] in words


def rehearsed(place: str) -> bool:
    """Whether a file is of tests or examples; a template such as `.env.example` says what is set in earnest."""
    return rehearsal(place) and not _TEMPLATE.search(place)


def _within(word: str, low: str) -> bool:
    """Whether a word is written together with others: `user` in `defaultuser`, not `port` in `import`."""
    if len(word) < 4:
        return word == low
    return word in low if len(word) > 4 else any(word in run for run in _RUN.findall(low))


def spoken(name: str, words: Sequence[str]) -> bool:
    """Whether words of a request are the whole name of a setting: `IMAGE_SIZES`; two have to follow each other."""
    pieces = [stem(piece) for piece in pieces_of(name.rpartition(".")[2].encode("ascii", "replace"))]
    said = [stem(word) for word in words]
    runs = (said[at : at + len(pieces)] for at in range(len(said)))
    if len(pieces) > 2:
        return {*pieces} <= {*said}
    return len(pieces) > 1 and any(sorted(run) == sorted(pieces) for run in runs)


def _only(name: str, words: Sequence[str]) -> bool:
    """Whether one word is the whole name of a setting, be it in the plural: `aligner`, where aligners are asked for."""
    return len(words) == 1 and name.rpartition(".")[2].lower().removesuffix("s") == words[0].removesuffix("s")


def _family(name: str) -> str:
    """Return what the names of settings that belong together begin with; nothing of a name of one word."""
    before = _LAST_WORD.sub("", name)
    return before if len(before) > 3 else ""


def resolved(chosen: list[Listed], every: Sequence[Listed]) -> list[Listed]:
    """Return settings that are given by a variable of Terraform with the default of that."""
    if not any(_REFERENCE.fullmatch(one.item.detail) for one in chosen):
        return chosen
    defaults = {one.item.name: one.item.detail for one in every if one.item.name.endswith(".default")}
    made = []
    for one in chosen:
        match = _REFERENCE.fullmatch(one.item.detail)
        default = defaults.get(f"variable.{match[1]}.default") if match else None
        detail = f"{default} by default ({one.item.detail})" if default is not None else one.item.detail
        made.append(one._replace(item=one.item._replace(detail=detail)))
    return made


def ordered(item: Item) -> tuple[bool, bool, int, int, str, int]:
    """What is used in earnest first, then what says most of it, then by place."""
    stated = ("requires", "image", "package")
    told = next((at for at, word in enumerate(stated) if item.detail.startswith(word)), len(stated))
    rank = told if item.sort == "store" else 0
    return item.aside, rehearsal(item.place), rank, item.place.count("/"), item.place, item.line


def merged(items: Iterable[Item]) -> list[Listed]:
    """Join what is declared alike in several places; what tests, examples and locks say comes last."""
    found: dict[tuple[str, str, str], Listed] = {}
    in_turn = sorted(items, key=ordered)
    for item in in_turn:
        detail = "" if item.sort in ("store", "service") else item.detail
        one = found.setdefault((item.sort, item.name, detail), Listed(item, []))
        one.places.append(f"{item.place}:{item.line}")
    return list(found.values())
