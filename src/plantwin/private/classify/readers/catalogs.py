"""Trees that hold content rather than settings: messages, flags, metrics, places, citations, records."""

from __future__ import annotations

import re

from plantwin.private.classify.readers.draft import Draft
from plantwin.private.classify.readers.pipelines import catalog
from plantwin.private.classify.readers.tables import describe_records
from plantwin.private.facts import Sample
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.text import head_text
from plantwin.private.formats.values import Tree, is_number, is_tree, plain, text_of, trees, truth, words

_LEXICON = Lexicon(__file__)
Leaves = list[tuple[str, object, int]]

_METRIC = _LEXICON.pattern("metric")
_MEASURED = _LEXICON.words("measured")
_PERCENTILE = re.compile(r"p\d\d\d?")
_SETTING = _LEXICON.words("setting")
_EXTREMES = _LEXICON.words("extremes")
_WANTED = _LEXICON.words("wanted")
_SET = _WANTED | words("targets target settings config options defaults parameters params")
"""The same, and groups that also stand beside results."""
_PLACE = _LEXICON.pattern("place")
_PERIOD = _LEXICON.words("period")
_SPLIT = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+\d*|\d+")
_LEAST = 4
_OPEN = 200


def figures_of(tree: Tree, leaves: Leaves, written: bool, path: str) -> int:
    """Return how many figures a tree of results holds; none where it sets things.

    `written` says that programs write results in this format: then the words of names are read too, and not only
    the usual names of measures.
    """
    numbers = [key for key, value, _ in leaves if is_number(value)]
    if len(numbers) < 2 or len(numbers) * 10 < len(leaves) * 6:
        return 0
    named = sum(1 for key in numbers if _METRIC.fullmatch(plain(key)))
    usual = named >= 2 and named * 3 >= len(numbers)
    if not usual and (not written or len(numbers) < _LEAST or _PLACE.search(path)):
        return 0
    measured = bounded = 0
    for key in numbers:
        parts = [part.lower() for part in _SPLIT.findall(key[:80])]
        if _bounds(parts):
            bounded += 1
        elif any(part in _MEASURED or _PERCENTILE.fullmatch(part) for part in parts):
            measured += 1
    if bounded * 2 > max(measured, named):
        return 0
    groups, repeated = _groups(tree)
    if not groups.isdisjoint(_WANTED if usual else _SET):
        return 0
    if usual:
        return len(numbers)
    if measured < 2 or sum(type(value) is bool for _, value, _ in leaves) * 10 > len(leaves):
        return 0
    dated = any(plain(key) in _PERIOD for key in (*tree, *groups))
    return len(numbers) if measured * (4 if dated or repeated else 2) >= len(numbers) else 0


def _bounds(parts: list[str]) -> bool:
    """Return whether a name sets a bound or a size; `max` alone is a figure among others, `max_wait` a bound."""
    return any(part in _SETTING for part in parts) or (len(parts) > 1 and parts[0] in _EXTREMES)


def _groups(tree: Tree) -> tuple[set[str], bool]:
    """Return the names of the mappings inside, and whether three beside each other hold the same numbers."""
    found: set[str] = set()
    repeated = False
    stack: list[Tree] = [tree]
    for _ in range(_OPEN):
        if not stack:
            break
        here = stack.pop()
        below = [(key, value) for key, value in list(here.items())[:_OPEN] if is_tree(value)]
        found.update(plain(key) for key, _ in below)
        stack.extend(value for _, value in below)
        if len(below) >= 3:
            shapes = [frozenset(value) for _, value in below if all(map(is_number, value.values()))]
            repeated = repeated or (len(shapes) >= 3 and len(set(shapes)) * 2 <= len(shapes))
    return found, repeated


_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
_MESSAGE = _LEXICON.pattern("message")
_MAX = 2000


def plain_leaves(tree: Tree) -> list[tuple[str, object, int]]:
    """Return leaves with their own key and depth, bounded."""
    found: list[tuple[str, object, int]] = []
    stack: list[tuple[str, object, int]] = [("", tree, 0)]
    left = _MAX
    while stack and left:
        left -= 1
        key, value, depth = stack.pop()
        if len(stack) > 4 * _MAX:
            continue
        if is_tree(value):
            if depth < 12:
                stack.extend((name, child, depth + 1) for name, child in reversed(list(value.items())[:_MAX]))
        elif type(value) is list:
            if depth < 12:
                stack.extend((key, child, depth + 1) for child in reversed(value[:50]))
        else:
            found.append((key, value, depth))
    return found


def plain_catalog(draft: Draft, tree: Tree) -> bool:
    """Read content, when nothing says settings. True where the tree is data and needs no survey."""
    if _rows(draft, tree) or (draft.outline.format == "json" and _one(draft, tree)):
        return True
    leaves = plain_leaves(tree)
    if not leaves:
        return False
    if _translations(draft, tree, leaves):
        return True
    if _metrics(draft, tree, leaves) or catalog(draft, tree):
        return False
    feature_flags(draft, tree)
    return False


def _rows(draft: Draft, tree: Tree) -> bool:
    """Read records under one key, or records keyed by their id: most of the tree, and alike."""
    for value in tree.values():
        if type(value) is list and len(value) >= 3 and len(tree) <= 8:
            rows = trees(value)
            if len(rows) == len(value) and _alike(rows[:50]) and _flat(rows[:10]):
                describe_records(draft, rows, total=len(value))
                return True
    rows = trees(tree)
    if len(rows) >= 8 and len(rows) == len(tree) and _alike(rows[:50]) and _flat(rows[:10]):
        describe_records(draft, rows, total=len(rows))
        return True
    return False


def _one(draft: Draft, tree: Tree) -> bool:
    """Read a single record: it has an identity, and says when something happened to it."""
    keys = {plain(key): value for key, value in list(tree.items())[:100]}
    if not keys.keys() & _IDENTITIES:
        return False
    dated = [value for key, value in keys.items() if key in _MOMENTS or key.endswith(("at", "date", "time"))]
    if not any(_DATED.match(text_of(value)) for value in dated):
        return False
    describe_records(draft, [tree], total=1)
    return True


_IDENTITIES = _LEXICON.words("identities")
_MOMENTS = _LEXICON.words("moments")
_DATED = re.compile(r"(?:19|20)\d{2}-\d{2}-\d{2}|1[0-9]{9}")


def _alike(rows: list[Tree]) -> bool:
    common = set(rows[0])
    for row in rows:
        common &= row.keys()
    return len(common) >= 2 and len(common) * 2 >= len(rows[0])


def _flat(rows: list[Tree]) -> bool:
    """Return whether most fields are scalars: nested blocks are settings, not records."""
    values = [value for row in rows for value in row.values()]
    return sum(type(value) not in (dict, list) for value in values) * 3 >= len(values) * 2


def _translations(draft: Draft, tree: Tree, leaves: list[tuple[str, object, int]]) -> bool:
    """Read message catalogs: nearly every leaf is text for people."""
    texts = [value for _, value, _ in leaves if type(value) is str]
    if len(texts) < 3 or len(texts) * 20 < len(leaves) * 19:
        return False
    sample = texts[:200]
    messages = sum(1 for text in sample if len(text) < 2000 and _MESSAGE.search(text[:200]))
    sentences = sum(1 for text in sample if " " in text[:200])
    language = all(_LANGUAGE.fullmatch(key) for key in tree) or _language_place(draft.path)
    if messages * 10 < len(sample) * 8 or sentences * 10 < len(sample) * (2 if language else 4):
        return False
    draft.add("translation", len(texts))
    for key, _, _ in leaves[:200]:
        draft.name(key)
    return True


def _language_place(path: str) -> bool:
    """Return whether the file is named after a language, as catalogs are."""
    stem = path.rpartition("/")[2].partition(".")[0]
    folder = path.rpartition("/")[0].rpartition("/")[2]
    return any(re.fullmatch(r"[a-z]{2}(?:[-_][A-Z]{2})?", part) for part in (stem, folder)) or stem.startswith(
        "messages"
    )


def _metrics(draft: Draft, tree: Tree, leaves: list[tuple[str, object, int]]) -> bool:
    """Read measured results. Programs write theirs as JSON; elsewhere only the usual names of measures count."""
    figures = figures_of(tree, leaves, draft.outline.format == "json", draft.path)
    draft.add("metric_field", figures)
    return figures > 0


def feature_flags(draft: Draft, tree: Tree) -> bool:
    """Read switches with rollouts or variations."""
    rows = [row for holder in (tree, *trees(tree)) for row in trees(holder)]
    found = [
        row for row in rows if "enabled" in row and row.keys() & {"rollout", "variations", "strategies", "percentage"}
    ]
    draft.add("feature_flag", len(found))
    switches = [value for value in tree.values() if truth(value) is not None]
    if len(switches) >= 3 and len(switches) * 10 >= len(tree) * 8:
        draft.add("feature_flag", len(switches))
    return bool(found)


def geojson(draft: Draft, tree: Tree) -> bool:
    """Read places with properties."""
    if tree["type"] != "FeatureCollection":
        return False
    rows = [inner for place in trees(tree["features"]) if is_tree(inner := place.get("properties"))]
    describe_records(draft, rows, total=len(rows))
    return True


def notebook(draft: Draft, tree: Tree) -> bool:
    """Read a notebook that came as plain JSON."""
    from plantwin.private.classify.readers.markup import describe_notebook

    describe_notebook(draft, tree)
    return True


_GETTEXT = re.compile(r"^msgid \"([^\"\n]{1,200})\"", re.MULTILINE)
_EMPTY = re.compile(r"^msgstr \"\"\n(?!\")", re.MULTILINE)
_APPLE_STRING = re.compile(r"^\s{0,8}\"((?:[^\"\\\n]|\\.){1,200})\"\s{0,8}=\s{0,8}\"", re.MULTILINE)


def read_gettext(sample: Sample, draft: Draft) -> None:
    """Read one message per entry; what is not translated yet is a placeholder."""
    text = head_text(sample)
    found = _GETTEXT.findall(text) or _APPLE_STRING.findall(text)
    draft.add("translation", len(found))
    draft.add("placeholder", len(_EMPTY.findall(text)))
    draft.outline.parsed = bool(found) or "msgid" in text
