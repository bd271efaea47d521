"""List what files declare of the sort that a request asks for; its words choose among them, and stay here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Input, Job, Result
from plantwin.private.capabilities.engine.report import bucket, code, failed, outcome, plain
from plantwin.private.capabilities.engine.results import Mask, masked, table
from plantwin.private.capabilities.engine.source import rehearsal, source
from plantwin.private.capabilities.find_tests import is_test_path
from plantwin.private.capabilities.list_inventory.asking import DOCUMENTED, GENERAL, PRODUCTS, Asked, asked, kinds
from plantwin.private.capabilities.list_inventory.authentication import ASKED, unchecked
from plantwin.private.capabilities.list_inventory.choosing import (
    called,
    choose,
    hits,
    merged,
    rehearsed,
    resolved,
    spoken,
)
from plantwin.private.capabilities.list_inventory.enumerations import enumerated
from plantwin.private.capabilities.list_inventory.holding import Held, held
from plantwin.private.capabilities.list_inventory.hosts import is_inventory
from plantwin.private.capabilities.list_inventory.links import Item, known_places, leads_nowhere
from plantwin.private.capabilities.list_inventory.readers import items_of
from plantwin.private.capabilities.list_inventory.wording import (
    LISTED,
    NAMED,
    VALUES,
    Listed,
    links,
    sentence,
    settled,
    tables,
)
from plantwin.private.facts import private
from plantwin.private.formats.settings import MOST
from plantwin.private.selection.words import pieces_of, stem
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag

TITLE = "Inventory"
READ = 1 << 20
"""Bytes of one file that are read."""
FEW = 3
"""Things that one word may choose without being too common a word."""
SEVERAL = 3
"""Files of a folder that are all of a kind."""
_OF_MODULES = frozenset(("resource", "input", "output"))
"""What a module of Terraform has of its own."""
_TOP = re.compile(r"(?i)\b(?:main|root|top[- ]level)\s+module\b")
_VALUE = re.compile(r"(?i)\W*(?:how (?:long|often|many|much|big)|when)\b")
_REQUIRED = re.compile(r"(?i)\b(?:required?|mandatory|must|have to|obligatory)\b")
_HANDLER = re.compile(
    r"(?i)(?:^|/)(?:api|apis|endpoints|routes|controllers|handlers)/(?:.*/)?[^/]+"
    r"\.(?:py|rb|php|go|java|kt|cs|rs|exs?|scala|[cm]?[jt]s|[jt]sx)$"
)
_DEPENDS = re.compile(r"(?i)(?:^|\.)(?:\w*dependencies|overrides|resolutions|scripts)\.")
"""Settings of a manifest that are versions of packages, and commands."""
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
"""A value that is only the name of a variable."""
_DONE = re.compile(
    r"(?i)\W*(?:what|which|who)\s+(?:\w+\s+)?(?:runs?|uses?|depends?|happens?|breaks?|does|do)\b|\W*(?:why|where)\b"
)
"""What asks for what is done with a thing: a setting that is called so is no answer."""
_CHANGES = re.compile(
    r"(?i)\bdefault\b|\b(?:how (?:do|can|to|should|could))\b.*\b(?:change|set|configure|enable|disable|turn|switch)\b"
)
"""What asks for a setting, whose name may then be one word."""
_TIME = re.compile(r"(?i)\W*how (?:long|often)\b")
_TIMED = re.compile(
    r"(?i)expir|ttl|timeout|duration|interval|period|lifetime|retention|retain|frequency|schedul|cron|(?:^|[\W_\d])age(?![a-z])|delay"
    r"|(?:milli)?seconds?|minutes?|hours?|days?|weeks?|months?|years?|limit|keep|kept"
)
"""What tells of a time, or of how many are kept."""
_MEASURE = re.compile(
    r"max(?:imum)?|min(?:imum)?|sizes?|limits?|default|number|count|time|value|length|timeout|interval|frequency|rate|level"
)
"""Words that say which measure is asked for, and of nothing."""
_DEFAULT = re.compile(r"(?i)\bdefault\b")
_DEFAULT_NAME = re.compile(r"(?i)default")
_NUMBER = re.compile(r"\d{1,18}")
_MODULE = re.compile(r"(?i)\b(?P<before>[\w-]+)(?=\s+(?:sub-?)?module\b)|(?<=\bmodule\s)(?P<after>[\w-]+)")
_CLOUD = re.compile(r"(?i)\b(aws|amazon|azure|gcp|google)\b")
_PREFIX = {"aws": "aws_", "amazon": "aws_", "azure": "azurerm_", "gcp": "google_", "google": "google_"}
"""How resources of a cloud are called in Terraform."""
_INVENTORY = re.compile(r"(?i)\binventor(?:y|ies)\b")
_INSTALLS = re.compile(r"(?i)\binstall?(?:s|ed|ing)?\b")
_TASKS = re.compile(r", \d+ tasks: .*?(?=, installs |$)", re.DOTALL)
_API = re.compile(r"(?i)\bapis?\b")
_UNDER_API = re.compile(r"(?i)\s/(?:api|v\d+|rest)(?:/|$)")
_DOCUMENT = re.compile(r"(?i)\.(?:md|rst|adoc|txt|\d)$|(?:^|/)(?:readme|usage|manual)[^/]*$")
_OPTION = re.compile(r"(?<![\w-])\\?-{1,2}\\?-?([A-Za-z][\w-]*)")
"""Documents, manual pages among them, and how they name options."""
_LAST_MIGRATIONS = re.compile(r"(?i)\b(?:last|latest|newest|most recent|recent)\b(?:\s+\w+){0,2}\s+migrations\b")
RECENT = 3
"""Migrations that `the last migrations` are."""
_LAST = re.compile(r"(?i)\b(?:last|latest|newest|most recent|current)\b")


@private
class Read(NamedTuple):
    """What the inputs declare, and how much of them was read."""

    items: list[Item]
    files: int
    """Texts that were read: other files declare nothing that can be read."""
    cut: int
    """Texts of which only the beginning was."""


@private
class Choice(NamedTuple):
    """What answers a request."""

    wanted: Asked
    every: list[Listed]
    chosen: list[Listed]
    told: list[str]
    """Words of the request that chose."""

    @property
    def close(self) -> bool:
        """Whether it is what was asked for: of a sort all, or by words; else called by most words, and all but one."""
        words = self.wanted.words
        if self.wanted.named:  # `which controllers require authentication` asks for more than those of `user`
            return 2 * len(self.told) > len(words) or not words
        names = {one.item.name.rpartition(".")[2] for one in self.chosen}
        settings = [one.item for one in self.chosen if one.item.sort == "setting"]
        texts = [f"{item.name} {item.place.rpartition('/')[2]} {item.about}" for item in settings]
        most = max((len(hits(text, words)) for text in texts), default=0)
        if any(len(hits(one.item.name, words)) == len(words) > 1 for one in self.chosen):
            return True  # what a class or function is called answers only where it has every word
        if any(spoken(item.name, words) for item in settings):
            return True
        specific = [word for word in words if not _MEASURE.fullmatch(word)]
        if specific and not any(hits(text, specific) for text in texts):
            return False  # the largest size of an answer is not that of an upload
        if len(words) > FEW and set(self.told) == set(words) and len(names) <= FEW:
            return True  # `learning rate and batch size`: several names, each of some of the words
        return most * 2 > len(words) and most >= len(words) - 1 and (most > 1 or len(names) <= FEW)


def listed(job: Job) -> Result:
    """List what a job's inputs declare."""
    request = str(job.options.get("request", ""))
    wanted = asked(request) if request.strip() else Asked(GENERAL, True, (), False)
    if _LAST_MIGRATIONS.search(request):  # what they change is told with them
        wanted = Asked(("migration",), True, (), False)
    given = [each for each in job.inputs if not each.is_result and not each.part]
    if not given:
        return failed(TITLE, "There is no file to read.", [OutcomeTag.UNPARSABLE])
    if found := held(request, (source(each, READ) for each in given), named=wanted.named):
        return _held(found, Mask(job))
    if not wanted.named and not wanted.words:
        return failed(TITLE, 'Say what to list, as in "Which endpoints are there?".')
    read = _read(given, wanted.sorts)
    if not read.files and not read.items:
        return failed(TITLE, "No file is in a form that is read here.", [OutcomeTag.UNPARSABLE])
    choice = _answering(_meant(read.items, request, wanted, job), request, wanted, given)
    mask = Mask(job)
    unprotected = ""
    if "endpoint" in wanted.sorts and ASKED.search(request) and choice.every:
        unprotected, chosen = unchecked([one for one in choice.every if not rehearsal(one.item.place)], given)
        choice = choice._replace(chosen=chosen, told=["auth"])
    if _LAST_MIGRATIONS.search(request):
        choice.chosen.sort(key=lambda one: [-int(number) for number in _NUMBER.findall(one.item.name)])
    shown = [_hidden(one, mask) for one in choice.chosen]
    looked = len(read.items) if "link" in wanted.sorts else 0
    unnamed = _undocumented(shown, given, request)
    first = (
        unprotected
        or unnamed
        or links(choice.wanted, shown, looked)
        or sentence(choice.wanted, choice.every, shown, choice.told, read.files, _handlers(given))
    )
    most = f"the first {READ >> 20} MiB, and {MOST:,} things"
    notes = [f"Of {plural(read.cut, 'file')} only the beginning was read: {most} at most."] if read.cut else []
    unread = sum(not each.file and each.data is None for each in given)
    notes += (
        [f"{plural(unread, 'file')}, the largest, are too many to read at once and were not read."] if unread else []
    )
    short = bool(read.cut or unread)
    made = outcome((), total=len(shown), state=[OutcomeTag.TRUNCATED.value] if short else [], partial=short)
    del made["severity"]
    return Result(
        outcome={**made, "count": str(bucket(len(shown)))},
        title=TITLE,
        facts=_facts(choice, shown, request) | {"notes": notes} | ({"on_point": True} if unprotected else {}),
        text="\n".join([first, "", *tables(shown), *notes]).strip() + "\n",
    )


def _held(found: Held, mask: Mask) -> Result:
    """Return which things have a setting, or lack it."""
    rows = [[code(name, 70), plain(mask(masked(value)), 90), code(place)] for name, value, place in found.rows]
    heads = ["Name", "Setting", "Where"]
    made = {word: value for word, value in outcome((), total=len(rows)).items() if word != "severity"}
    names = list(dict.fromkeys(place.rpartition(":")[0] for *_, place in found.rows))[:200]
    return Result(
        outcome={**made, "count": str(bucket(len(rows)))},
        title=TITLE,
        facts={"on_point": True, "held": True, "objects": names, "notes": []},
        text="\n".join([masked(found.sentence), "", *table(heads, rows, LISTED)]).strip() + "\n",
    )


def stated(request: str, given: Sequence[Input], mask: Mask, *, by_name: bool = False) -> tuple[str, list[str]]:
    """Return the settings that answer a question, by their names and comments, in a sentence; and their places.

    `by_name`: only those that the question calls by their whole name.
    """
    wanted = asked(request, named=False)._replace(sorts=("setting",))
    every = (item for item in _read(given, wanted.sorts).items if item.detail and not rehearsed(item.place))
    every = (item for item in every if not _DEPENDS.search(item.name) and not _VARIABLE.fullmatch(item.detail))
    choice = _answering(list(every), request, wanted, given)
    chosen = [one for one in choice.chosen if spoken(one.item.name, wanted.words)] or choice.chosen
    if _DEFAULT.search(request):
        chosen = [one for one in chosen if _DEFAULT_NAME.search(one.item.name)] or chosen
    if len(wanted.words) == 1:  # `how do I change the port`: what is a port, and nothing that only has one
        named = chosen if _CHANGES.search(request) else []
        chosen = [one for one in named if stem(wanted.words[0]) == _last(one.item.name)]
        choice = choice._replace(chosen=chosen)
    if by_name and not any(spoken(one.item.name, wanted.words) for one in chosen):
        return "", []
    if not chosen or not choice.close or choice.wanted.sorts != ("setting",):
        told, places = enumerated(wanted.words, (source(each, READ) for each in given)) if kinds(request) else ("", [])
        return mask(told), places
    shown = [_hidden(one, mask) for one in chosen]
    return f"{settled(shown)}.", [one.item.place for one in shown]


def _last(name: str) -> str:
    """Return the stem of the last word of a name."""
    return stem((pieces_of(name.rpartition(".")[2].encode("ascii", "replace")) or [""])[-1])


def _handlers(given: Sequence[Input]) -> list[str]:
    """Return the files of code that lie in a folder for an API, tests aside."""
    return [each.name for each in given if _HANDLER.search(each.name) and not rehearsal(each.name)]


def _undocumented(shown: Sequence[Listed], given: Sequence[Input], request: str) -> str:
    """Say which command-line options no document names, where that is asked."""
    options = [one for one in shown if one.item.sort == "option"]
    if not options or not DOCUMENTED.search(request):
        return ""
    documents = [
        file for file in (source(each, READ) for each in given if _DOCUMENT.search(each.name)) if not file.binary
    ]
    if not documents:
        return f"It cannot be told: there is no document beside {plural(len(options), 'command-line option')}."
    named = {word.strip("-").replace("_", "-") for file in documents for word in _OPTION.findall(file.text)}
    missing = [one for one in options if one.item.name.strip("-").replace("_", "-") not in named]
    searched = f"{plural(len(documents), 'document')} searched; what they say of each is not compared"
    if not missing:
        return f"All of {plural(len(options), 'command-line option')} are named in documents ({searched})."
    names = ", ".join(f"{code(one.item.name)} ({code(one.places[0])})" for one in missing[:NAMED])
    more = f" and {len(missing) - NAMED} more" if len(missing) > NAMED else ""
    few = f"{len(missing)} of {plural(len(options), 'command-line option')}"
    return f"{few} are named in no document: {names}{more} ({searched})."


def _read(given: Sequence[Input], sorts: Iterable[str]) -> Read:
    items: list[Item] = []
    files = cut = 0
    for each in given:
        file = source(each, READ)
        if file.binary:
            continue
        found = list(islice(items_of(file, frozenset(sorts)), MOST))
        files += 1
        cut += file.truncated or len(found) == MOST
        items += found
    return Read(items, files, cut)


def _meant(items: list[Item], request: str, wanted: Asked, job: Job) -> list[Item]:
    """Return those that the request speaks of by more than their names."""
    if "link" in wanted.sorts:
        names = [near.name for near in job.surroundings.objects]
        places = known_places([*names, *(each.name for each in job.inputs if not each.is_result and not each.part)])
        items = [item for item in items if leads_nowhere(item, places)]
    if "release" in wanted.sorts and _LAST.search(request):
        items = sorted(items, key=lambda item: (item.place.count("/"), item.place, item.line))[:1]
    if "migration" in wanted.sorts and _LAST.search(request):
        items = _newest(items, 1 if not _LAST_MIGRATIONS.search(request) else RECENT)
    if "input" in wanted.sorts and _REQUIRED.search(request):
        items = [item for item in items if item.detail.startswith("required")] or items
    if wanted.versions and not PRODUCTS.isdisjoint(wanted.words):  # `@types/node` is not Node
        items = [item for item in items if item.sort != "package" or not called(item.name, tuple(PRODUCTS))]
    if "play" in wanted.sorts and _INSTALLS.search(request):  # by roles and packages, not by whatever tasks speak of
        items = [item._replace(detail=_TASKS.sub("", item.detail)) for item in items]
    if "host" in wanted.sorts and _INVENTORY.search(request):
        items = [item for item in items if is_inventory(item.place)] or items
    if "resource" in wanted.sorts and (cloud := _CLOUD.search(request)):
        items = [item for item in items if item.name.startswith(_PREFIX[cloud[1].lower()])] or items
    if not _OF_MODULES.isdisjoint(wanted.sorts):
        modules = {f"modules/{name}/" for match in _MODULE.finditer(request.lower()) for name in match.groups() if name}
        items = [item for item in items if any(each in f"/{item.place.lower()}" for each in modules)] or items
    top = [item for item in items if "/" not in item.place] if _TOP.search(request) else []
    return top or items


def _newest(items: Iterable[Item], most: int) -> list[Item]:
    """Return the last migrations by the numbers of their names; of several folders of them, the last of each."""
    folders: dict[str, list[Item]] = {}
    for item in sorted(items, key=lambda item: [-int(number) for number in _NUMBER.findall(item.name)]):
        folders.setdefault(item.place.removesuffix(item.name), []).append(item)
    if most == 1:
        return sorted((some[0] for some in folders.values()), key=lambda item: rehearsal(item.place))[:1]
    return [item for some in folders.values() if not rehearsal(some[0].place) for item in some[:most]]


def _answering(items: list[Item], request: str, wanted: Asked, given: Sequence[Input]) -> Choice:
    """Return what the words of a request choose; where nothing of the sort is called so, a setting may be."""
    called_so = asked(request, named=False) if wanted.named else wanted
    if kinds(request) and (not wanted.named or not items) and (held := _folder(given, called_so)):
        return held
    if not wanted.named and _VALUE.match(request):  # a function has no value, and a sentence is no time
        stated = [item for item in items if item.sort == "setting" and re.search(r"\d", item.detail)]
        items = [item for item in stated if not rehearsal(item.place)]
    if not wanted.named and _TIME.match(request):  # `skipped_pings = 0` is no time for which pings are kept
        items = [
            item
            for item in items
            if item.detail.strip("0. ") and _TIMED.search(f"{item.name} {item.detail} {item.about}")
        ]
    # `The default instance type` is a setting, and no list of instances.
    if wanted.named and "input" not in wanted.sorts and _DEFAULT.search(request):
        plain = asked(request, named=False)
        settings = merged(_read(given, ["setting"]).items)
        found, words = choose(settings, plain)
        choice = Choice(plain, settings, resolved(found, settings), words)
        if len(words) > 1 and choice.close:
            return choice
    every = merged(items)
    chosen, told = choose(every, wanted)
    if wanted.sorts == ("endpoint",) and _API.search(request):
        chosen.sort(key=lambda one: _UNDER_API.search(one.item.name) is None)
    # `the default Kubernetes version` may be a setting; `how many migrations are there` asks for no value.
    if wanted.named and not told and (wanted.words or not every) and not kinds(request):
        plain = asked(request, named=False)
        if not every:  # `which roles does it create`: what the folder declares instead of plays may be called so
            declared = merged(_read(given, ["resource"]).items)
            found, words = choose(declared, plain._replace(sorts=("resource",), named=True))
            if len(words) > 1:
                return Choice(plain._replace(sorts=("resource",), named=True), declared, found, words)
        settings = merged(_read(given, ["setting"]).items)
        found, words = choose(settings, plain)
        if len(words) > 1:
            return Choice(plain, settings, resolved(found, settings), words)
    return Choice(wanted, every, resolved(chosen, every), told)


def _folder(given: Sequence[Input], wanted: Asked) -> Choice | None:
    """Return what the folder holds that is called like what is asked for: `app/agents/` holds the agents."""
    words = {word.removesuffix("s") for word in wanted.words}  # `aligners` are not what lies in `align/`
    held: dict[str, set[str]] = {}
    for each in given:
        parts = each.name.split("/")
        for depth, part in enumerate(parts[:-1]):
            if part.lower().removesuffix("s") in words:
                held.setdefault("/".join(parts[: depth + 1]), set()).add(parts[depth + 1])
    several = {folder: inside for folder, inside in held.items() if len(inside) >= SEVERAL}
    if not several:
        return None
    best = min(several, key=lambda folder: (is_test_path(f"{folder}/"), -len(several[folder]), folder))
    files = [Listed(Item("file", name, "", f"{best}/{name}", 1), [f"{best}/{name}"]) for name in sorted(held[best])]
    return Choice(wanted._replace(sorts=("file",), named=True, words=()), files, files, [])


def _facts(choice: Choice, shown: Sequence[Listed], request: str) -> dict[str, object]:
    little = not choice.wanted.named and len(choice.wanted.words) == 1 and _DONE.match(request) is not None
    return {
        "sorts": list(choice.wanted.sorts), "words": list(choice.wanted.words),
        "on_point": bool(shown) and choice.close and not little,
        "objects": list(dict.fromkeys(one.item.place for one in shown))[:200],
        "items": [
            {"sort": one.item.sort, "name": one.item.name, "detail": one.item.detail, "places": one.places[:VALUES]}
            for one in shown[:500]
        ],
    }  # fmt: skip


def _hidden(one: Listed, mask: Mask) -> Listed:
    """Hide secrets in what is shown."""
    item = one.item
    if not item.detail:
        return one
    shown = masked(f"{item.name}={item.detail[:1500]}").partition("=")[2]
    return one._replace(item=item._replace(detail=mask(shown), about=mask(masked(item.about))))
