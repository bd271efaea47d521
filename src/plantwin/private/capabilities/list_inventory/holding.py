"""Which declared things have a setting, and what it is: services without a restart policy, the type of a machine.

A thing is a block of HCL, a named part of a map or list, or a whole file; its words are those of its key, its type and
its name. Nothing here knows a product: what a service may set is what services set.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from plantwin.private.capabilities.engine.report import code, plain
from plantwin.private.capabilities.engine.source import Source, rehearsal
from plantwin.private.capabilities.list_inventory.readers import TABLES
from plantwin.private.capabilities.list_inventory.things import Thing, singular, stems
from plantwin.private.capabilities.list_inventory.things import things as declared
from plantwin.private.formats.settings import Setting
from plantwin.private.formats.values import words
from plantwin.private.selection.words import POLITE, STOP, stem
from plantwin.text import plural

MOST: Final = 20_000
"""Things that are looked at."""
NAMED: Final = 6
ROWS: Final = 300
"""Things that the sentence and the table name."""
EARNEST: Final = 5
"""One thing in so many is used in earnest where the others are examples."""
BEFORE: Final = 2
"""Words before a noun at most that say which of them."""
SEVERAL: Final = 3
"""Settings of which the values are told."""
ALIKE: Final = 4
"""Letters from which on a word may be the beginning of another: `sock` and `socket`."""
_ASKS = re.compile(
    r"(?i)\W*(?:(?:and|so|tell me|show me|do you know|list)\W+)*"
    r"(?:(?P<many>how many)|which|what|list|show|find|name|all|any|(?:(?:is|are) there|do|does|is|are)"
    r"(?: all| every| any| an?)?)\b"
)
_LACKS = re.compile(
    r"(?i)\b(?:no|without|lack(?:s|ing)?|miss(?:es|ing)?|not|never|neither|don'?t|doesn'?t|aren'?t|isn'?t|hasn'?t|haven'?t)\b"
)
_EVERYWHERE = re.compile(
    r"(?i)\W*(?:is|are)\s+(?P<setting>[\w-]+)\s+(?:always |really )?(?:enabled|disabled|on|off|active|activated|set"
    r"|true|false)\b(?:\s+(?:everywhere|anywhere|here))?\W*$"
)
_LISTS = re.compile(r"(?i)\W*(?:which|what|list|show)\b")
_EVERY = re.compile(r"(?i)\W*(?:do|does|is|are|have|has)\s+(?:all|every|each)\b")
_VALUE = re.compile(
    r"(?i)\b(?:what|which)\b.{0,80}?\b(?:does|do|is|are|has|have|of|for|on|in)\b|\bhow (?:much|long|often|big|large)\b"
)
_WORD = re.compile(r"[a-z0-9][\w.+-]*", re.IGNORECASE)
_WHETHER = re.compile(r"(?i)\W*(?:is|are|do|does|any)\b")
_VERSION = frozenset(("version", "versions"))
"""What is asked of products: `version` of a file is that of its form."""
_OFF = frozenset(("false", "no", "off", "0", "none", "null", "disabled", "", "{}", "[]", "never"))
_LIGHT = frozenset(TABLES["light"].split())
_ALSO = {word: others.split() for word, others in TABLES["kinds"].items()}
_RELATION = words(
    """
have has having with use uses used using set sets run runs running mount mounts mounted need needs no not without lack
lacks lacking miss missing do does don doesn is are there that as on in to a an any all every of the who at defined
declare declared specify specified still given get gets be being was were made written published posted module project
repo repository folder"""
)


_JUDGED = words("root secure insecure unsafe safe vulnerable public exposed outdated deprecated old default")
"""What no setting says by itself, and what is asked of settings by their names."""
_SORTS = words(
    "policy policies setting settings option options tag tags field fields key keys flag flags property section "
    "sections chapter heading clause clauses pinned"
)
"""What questions call a setting whose name stands before it."""


class Held(NamedTuple):
    """An answer: its sentence, and rows of things with the value and the place of each."""

    sentence: str
    rows: list[tuple[str, str, str]]

    def __repr__(self) -> str:
        return "<Held private>"


def held(request: str, files: Iterable[Source], *, named: bool = False) -> Held | None:
    """Return which things have or lack what a request says, or what one of them sets; nothing where it asks neither.

    `named`: whether the request names a sort of things that is listed anyway.
    """
    asks = _ASKS.match(request)
    tokens = [token.strip(".-").lower() for token in _WORD.findall(request[asks.end() :] if asks else request)]
    telling = [token for token in tokens if not _little(token)]
    if not telling or not (_JUDGED - ({"default"} if _LACKS.search(request) else set())).isdisjoint(tokens):
        return None
    things = [thing for file in files if not file.binary for thing in declared(file)][:MOST]
    things = _earnest(things)
    asked = [token for token in tokens if token not in _RELATION]
    if (everywhere := _EVERYWHERE.match(request)) and (told := _set(everywhere["setting"], things)):
        return told
    found = _valued(asked, things) if _VALUE.search(request) and not _LACKS.search(request) else None
    return found or (_filtered(request, tokens, things, many=bool(asks["many"]), named=named) if asks else None)


def _earnest(things: list[Thing]) -> list[Thing]:
    """Return things outside of tests and examples, unless nearly all are there: then the folder is of these."""
    found = [thing for thing in things if not rehearsal(thing.place)]
    return found if EARNEST * len(found) >= len(things) else things


def _little(token: str) -> bool:
    return token in _RELATION or token in STOP or token in POLITE or token in _LIGHT


def _filtered(request: str, tokens: Sequence[str], things: Sequence[Thing], *, many: bool, named: bool) -> Held | None:
    """Answer `which THINGS have (no) SETTING`: the noun is the last word of a row that things are called by."""
    kinds = {kind for thing in things for kind in thing.kinds}
    at = next((at for at, token in enumerate(tokens) if _kinds(token) & kinds), None)
    if at is None:
        return None
    while at + 1 < len(tokens) and tokens[at + 1] not in _RELATION and _kinds(tokens[at + 1]) & kinds:
        at += 1
    before = [token for token in tokens[:at] if token not in _RELATION]
    meant = _kinds(tokens[at])
    last = [thing for thing in things if thing.kinds and thing.kinds[-1] in meant]
    every = _earnest(last or [thing for thing in things if meant & {*thing.kinds}])
    every = [thing for thing in every if all(_narrows(word, thing) for word in before)]
    what = " ".join([*before, tokens[at]])
    attribute = [token for token in tokens[at + 1 :] if token not in _RELATION]
    # A word that says little says what is meant where things set it: `become`, `name`.
    attribute = [
        token
        for token in attribute
        if not _little(token) or any(_exact(token, one.path) for thing in every for one in thing.settings)
    ]
    if not every or len(before) > BEFORE:
        return None
    lacks = _LACKS.search(request) is not None
    if not attribute:
        ends = at + 1 == len(tokens) or tokens[at + 1] in _RELATION
        listed = ends and not lacks and (many or (last and not named and _LISTS.match(request)))
        return _told(f"{len(every):,} {what}", every, [(one, None) for one in every]) if listed else None
    if named and not lacks and tokens[at + 1] not in _RELATION:
        return None  # `which playbooks install it`: what a thing does, not what it sets
    by_name = [one for one in every if many and all(_in(stem(word), one.words) for word in attribute)]
    # Of files whose settings are not read nobody knows what they set.
    every = [one for one in every if one.settings or one.name != one.place]
    attribute = [word for word in attribute if word not in _SORTS] or attribute
    # What is a key by its whole name is that setting: `privileged`, not `no-new-privileges`.
    keys = [word for word in attribute if any(_exact(word, one.path) for thing in every for one in thing.settings)]
    there = lacks or _EVERY.match(request) is not None  # a default of `false` is one
    hits = {id(thing): _hit(thing, attribute, keys, there=there) for thing in every}
    best = max((said for said, _ in hits.values()), key=len, default=[])
    if every and not best and lacks and len(attribute) == 1:
        return _told(f"None of {len(every):,} {what} sets {code(attribute[0])}", every, [(one, None) for one in every])
    if not best or 2 * len(best) < len(attribute):
        of = f"{len(by_name):,} {what} by {', '.join(map(code, attribute))}"
        return _told(of, by_name, [(one, None) for one in by_name]) if by_name else None
    missing = [word for word in attribute if word not in best]
    if missing and named and not lacks:
        return None
    apart = _apart(every, attribute, things)
    has = {key: len(said) == len(best) or key in apart for key, (said, _) in hits.items()}
    some = [(one, None if lacks else hits[id(one)][1]) for one in every if has[id(one)] is not lacks]
    verb = ", ".join(map(code, best))
    verb += f" (what is said of {', '.join(map(code, missing))} was not looked at)" if missing else ""
    if _EVERY.match(request) and not lacks and len(some) < len(every):
        others = [(one, None) for one in every if not has[id(one)]]
        return _told(f"No: {len(others):,} of {len(every):,} {what} set no {verb}", every, others)
    verdict = ("Yes: " if some else "No: ") if _WHETHER.match(request) else ""
    count = "all" if len(some) == len(every) else f"{len(some):,}" if some else "none"
    return _told(f"{verdict}{count} of {len(every):,} {what} {'set no' if lacks else 'set'} {verb}", every, some)


def _set(name: str, things: Sequence[Thing]) -> Held | None:
    """Answer `is SETTING enabled everywhere`: the values of all settings that are called just so."""
    found = {
        (thing.place, setting.line): (thing, setting)
        for thing in things
        for setting in thing.settings
        if _exact(name, setting.path.rpartition(".")[2])
    }
    values = Counter(setting.value for _, setting in found.values())
    if not found or len(values) > SEVERAL:
        return None
    said = " and ".join(f"{plain(value, 40)} in {count:,} of {len(found):,} places" for value, count in values.items())
    return _told(f"{code(name)} is {said}", [thing for thing, _ in found.values()], [*found.values()])


def _told(first: str, every: Sequence[Thing], some: Sequence[tuple[Thing, Setting | None]]) -> Held:
    """Put an answer together: how many, in how many files, and which."""
    names = [
        f"{code(one.name, 60)} ({code(f'{one.place}:{one.line}')})" if one.name != one.place else code(one.place)
        for one, _ in some[:NAMED]
    ]
    more = f" and {len(some) - NAMED:,} more" if len(some) > NAMED else ""
    files = plural(len({thing.place for thing in every}), "file")
    rows = [
        (one.name, f"{setting.path}: {setting.value}", f"{one.place}:{setting.line}")
        if setting
        else (one.name, "", f"{one.place}:{one.line}")
        for one, setting in some[:ROWS]
    ]
    return Held(f"{first} in {files}{': ' if names else ''}{', '.join(names)}{more}.", rows)


def _valued(said: Sequence[str], things: Sequence[Thing]) -> Held | None:
    """Answer `what SETTING does THING have`: a thing by some of the words, its setting by all the others."""
    found: dict[tuple[str, Setting], tuple[int, Thing]] = {}
    for thing in things:
        named = [word for word in said if _in(stem(word), thing.words)]
        rest = [word for word in said if word not in named]
        must = [word for word in rest if not _kinds(word) & {*thing.kinds}]
        if not named or not must or not _VERSION.isdisjoint(must):
            continue
        called = sum(_in(stem(word), stems(thing.name)) for word in named)
        for setting in thing.settings:
            key = stems(setting.path)
            if setting.value and all(_in(stem(word), key) for word in must):
                beside = sum(_in(stem(word), key) for word in rest)
                score = 3 * called + 2 * len(named) + beside - (thing.name == thing.place)
                if score > found.get((thing.place, setting), (0, thing))[0]:
                    found[thing.place, setting] = (score, thing)
    best = max((score for score, _ in found.values()), default=0)
    chosen = {key: thing for key, (score, thing) in found.items() if score == best}
    if not chosen or len({setting.path for _, setting in chosen}) > SEVERAL:
        return None
    told = [
        f"{code(setting.path)} of {code(thing.name)} is {plain(setting.value, 100)} ({code(f'{place}:{setting.line}')})"
        for (place, setting), thing in list(chosen.items())[:SEVERAL]
    ]
    more = f" and {len(chosen) - SEVERAL} more" if len(chosen) > SEVERAL else ""
    rows = [(thing.name, setting.value, f"{place}:{setting.line}") for (place, setting), thing in chosen.items()]
    return Held(f"{'; '.join(told)}{more}.", rows)


def _kinds(token: str) -> frozenset[str]:
    """Return the stems of what a noun may be called in files."""
    return frozenset([singular(token), *_ALSO.get(singular(token), ())])


def _narrows(word: str, thing: Thing) -> bool:
    """Whether a word before the noun says of what sort a thing is: by its type, its name, or a value."""
    one = stem(word)
    return _in(one, {*map(stem, thing.kinds), *thing.words}) or any(
        _in(one, stems(each.value)) for each in thing.settings
    )


def _hit(thing: Thing, said: Sequence[str], keys: Sequence[str], *, there: bool) -> tuple[list[str], Setting | None]:
    """Return the words that one setting of a thing has in its key or value, and that setting.

    `there`: whether one that says no counts as well.
    """
    best: list[str] = []
    of: Setting | None = None
    for setting in thing.settings:
        keyed = [word for word in said if (_exact if word in keys else _speaks)(word, setting.path)]
        if keyed and not there and setting.value.strip().lower() in _OFF:
            continue
        every = [word for word in said if word in keyed or (word not in keys and _speaks(word, setting.value))]
        if len(every) > len(best):
            best, of = every, setting
    return best, of


def _exact(word: str, path: str) -> bool:
    """Whether a word is one of the keys of a path, whole."""
    bare = re.sub(r"[\W_]", "", word)
    return any(singular(re.sub(r"[\W_]", "", key.lower())) == singular(bare) for key in path.split("."))


def _speaks(word: str, text: str) -> bool:
    return _in(stem(word), stems(text)) or _joined(word, text)


def _apart(things: Sequence[Thing], said: Sequence[str], every: Sequence[Thing]) -> frozenset[int]:
    """Return things for which a resource of its own sets it: `aws_s3_bucket_versioning` refers to the bucket."""
    others = [
        other for other in every
        if "." in other.name and all(_in(stem(word), {*map(stem, other.kinds)}) for word in said)
    ]  # fmt: skip
    values = " ".join(value for other in others for _, value, _ in other.settings)
    return frozenset(id(thing) for thing in things if "." in thing.name and f"{thing.name}." in values)


def _in(word: str, others: Iterable[str]) -> bool:
    """Whether a stem is among others, or one of the two begins the other."""
    return any(
        word == each or (min(len(word), len(each)) >= ALIKE and (each.startswith(word) or word.startswith(each)))
        for each in others
    )


def _joined(word: str, text: str) -> bool:
    """Whether a word is written in several in a text, or the other way round: `healthcheck`, `health_check`."""
    bare = re.sub(r"[\W_]", "", word.lower())
    return len(bare) > ALIKE and bare in re.sub(r"[\s_-]", "", text.lower())
