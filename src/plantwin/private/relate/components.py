"""Components: which objects belong to one service, package, model or tool.

(1) Folders that declare themselves, or stand where components stand, open a region.
(2) Files that lie flat beside each other are grouped by the word that their names start with.
(3) Tests, documents, settings and logs that lie apart join what they point at, or what they are named after.
(4) Regions too small to tell anything join the region around them.
"""

from __future__ import annotations

import re
from collections import Counter

from plantwin.private.relate.links import Links, subject
from plantwin.private.relate.lookup import Lookup, below, join, words

SMALLEST, LARGEST = 3, 60
"""Objects of a component that is worth telling apart, and of one that should be split."""
ROOT = "."
_MANIFESTS = frozenset(words("manifests"))
_MANIFEST_ENDS = (".csproj", ".fsproj", ".gemspec", ".cabal")
_CONTAINERS = frozenset(words("containers"))
_LAYERS = frozenset(words("layers"))
_PLAIN = frozenset(words("plain_words"))
"""Words that many files start with and that name no component."""
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]{2,}|[0-9]+")
_ENDINGS = ("_service", "-service", "service", "_api", "-api", "_module", "-module")
_FOLLOWERS = frozenset({"document", "config", "secret_container", "log_stream", "structured_record"})
_GENERAL = frozenset(words("whole_project"))
"""At the root, these are about the whole project, whatever they point at."""
_AGREED = 0.6
"""Share of votes with which an object joins a component."""


def components(lookup: Lookup, links: Links) -> list[str]:
    """The component's name of each position."""
    regions = _regions(lookup)
    names = [regions[folder] for folder in lookup.folders]
    _group_flat(lookup, regions, names)
    _follow(lookup, links, names)
    _absorb(names)
    return [name or ROOT for name in names]


def _regions(lookup: Lookup) -> dict[str, str]:
    """Folder to the folder that opens its region."""
    totals = dict.fromkeys(lookup.tree, 0)
    for folder, members in lookup.inside.items():
        totals[folder] = len(members)
    inward = sorted(lookup.tree, key=len)
    for folder in reversed(inward):
        if folder:
            totals[folder.rpartition("/")[0]] += totals[folder]
    anchors = _anchors(lookup)
    containers = {folder for folder in lookup.tree if _holds_components(lookup, totals, folder)}
    regions = {"": ""}
    for folder in inward[1:]:
        outer, _, name = folder.rpartition("/")
        region = regions[outer]
        layer = name.lower() in _LAYERS
        opens = (
            folder in anchors
            or (outer in containers and not layer)
            or (totals[folder] >= SMALLEST and (not outer or totals[region] > LARGEST))
        )
        regions[folder] = folder if opens else region
    return regions


def _anchors(lookup: Lookup) -> set[str]:
    """Folders that a manifest, or a build of a compose file, declares."""
    anchors: set[str] = set()
    for position, name in enumerate(lookup.names):
        if name in _MANIFESTS or name.endswith(_MANIFEST_ENDS):
            anchors.add(lookup.folders[position])
        elif lookup.facts[position].provides and any(how == "service" for how, _ in lookup.facts[position].provides):
            for how, target, reason in lookup.facts[position].references:
                if how == "path" and reason == "builds":
                    path = join(lookup.folders[position], target) or ""
                    anchors.add(path if path in lookup.tree else path.rpartition("/")[0])
    return (anchors & lookup.tree) - {""}


def _holds_components(lookup: Lookup, totals: dict[str, int], folder: str) -> bool:
    """A folder of components: by its name, or a package at the top with several sizeable parts."""
    if not folder:
        return False
    outer, _, name = folder.rpartition("/")
    if name.lower() in _CONTAINERS:
        return True
    if (outer and outer.rpartition("/")[2].lower() not in _CONTAINERS) or name.lower() in _LAYERS:
        return False
    if below(folder, "package.json") in lookup.at or below(folder, "Cargo.toml") in lookup.at:
        return False
    parts = [
        child
        for child in lookup.children.get(folder, ())
        if totals[child] > 1 and child.rpartition("/")[2].lower() not in _LAYERS
    ]
    return len(parts) > 1


def first_word(stem: str) -> str:
    """The word that a name starts with, as long as it could name a component."""
    found = _WORD.search(subject(stem) or stem)
    word = found[0].lower() if found else ""
    return "" if len(word) < 3 or word in _PLAIN or word.isdigit() else word


def _group_flat(lookup: Lookup, regions: dict[str, str], names: list[str]) -> None:
    """Files directly in the root or in a folder of components, and those of overfull folders."""
    for folder, members in lookup.inside.items():
        name = folder.rpartition("/")[2].lower()
        if regions[folder] != folder and len(members) <= LARGEST:
            continue
        if folder and name not in _CONTAINERS and len(members) <= LARGEST:
            continue
        groups: dict[str, list[int]] = {}
        for position in members:
            word = first_word(lookup.stem(position))
            if word:
                groups.setdefault(word, []).append(position)
        for word, group in groups.items():
            if len(group) > 1:
                for position in group:
                    names[position] = below(folder, word)


def _follow(lookup: Lookup, links: Links, names: list[str]) -> None:
    """Let what lies apart join what it points at, what points at it as its settings, or its namesake."""
    apart = [_apart(lookup, position, names[position]) for position in range(len(lookup))]
    any_apart = any(apart)
    votes: dict[int, Counter[str]] = {}
    for position in range(len(lookup)):
        moving = apart[position]
        if not moving and not any_apart:
            continue
        heard: set[tuple[int, str]] = set()
        for target, reason, place in links.of(position):
            if moving and not apart[target] and (place, names[target]) not in heard:
                # A reference has one vote for a component, however many of its files it leads to.
                heard.add((place, names[target]))
                votes.setdefault(position, Counter())[names[target]] += 3 if reason == "tests" else 1
            elif not moving and apart[target] and reason in ("configures", "reads", "renders"):
                votes.setdefault(target, Counter())[names[position]] += 1
    known = _namesakes(lookup, apart, names)
    for position, moving in enumerate(apart):
        if moving:
            chosen = _elected(votes.get(position)) or _namesake(lookup, position, known)
            if chosen:
                names[position] = chosen


def _apart(lookup: Lookup, position: int, name: str) -> bool:
    """Whether an object lies in a folder of its kind rather than in a component."""
    if name:
        return name.rpartition("/")[2].lower() in _LAYERS
    facts = lookup.facts[position]
    general = not lookup.folders[position] and lookup.semantic_class(position) in _GENERAL
    return (facts.kind in _FOLLOWERS or facts.role == "test") and not general


def _elected(votes: Counter[str] | None) -> str:
    if not votes:
        return ""
    name, count = min(votes.items(), key=lambda vote: (-vote[1], vote[0]))
    return name if count >= _AGREED * votes.total() else ""


def _namesakes(lookup: Lookup, apart: list[bool], names: list[str]) -> dict[str, str]:
    """Word to the one component of that name; a word that two share is left out."""
    known: dict[str, str] = {}
    twice: set[str] = set()
    for name in sorted({name for position, name in enumerate(names) if name and not apart[position]}):
        last = name.rpartition("/")[2].lower()
        for ending in _ENDINGS:
            last = last.removesuffix(ending)
        for word in {last, last.removesuffix("s")}:
            if len(word) > 2 and word not in _PLAIN and known.setdefault(word, name) != name:
                twice.add(word)
    return {word: name for word, name in known.items() if word not in twice}


def _namesake(lookup: Lookup, position: int, known: dict[str, str]) -> str:
    """The component that the file's name, or a folder between it and its layer, names; only one may be named."""
    stem = lookup.stem(position)[:255]
    words = [word.lower() for word in _WORD.findall(stem)]
    words += lookup.folders[position].lower().split("/")[-3:]
    named = {
        known[word] for word in (*words, stem.lower(), *(word.removesuffix("s") for word in words)) if word in known
    }
    return named.pop() if len(named) == 1 else ""


def _absorb(names: list[str]) -> None:
    """Join components below the smallest size with the one around them, from the innermost out."""
    counts = Counter(names)
    moved: dict[str, str] = {}
    for name in sorted(counts, key=lambda known: (-known.count("/"), known)):
        if name and counts[name] < SMALLEST:
            outer = name.rpartition("/")[0]
            while outer and outer not in counts:
                outer = outer.rpartition("/")[0]
            moved[name] = outer
            counts[outer] += counts[name]
    for position, name in enumerate(names):
        while name in moved:
            name = moved[name]
        names[position] = name
