"""Trees that hold content rather than settings: messages, flags, metrics, places, citations, records."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.dialects.datasets import catalog
from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.figures import figures_of
from plantwin.private.extract.formats.leaves import Tree, is_tree, plain, text_of, trees, truth
from plantwin.private.extract.formats.records import describe_records

_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
_MESSAGE = re.compile(
    r"[^\W\d_]{2,} [^\W\d_]|[^\W\d_]+[!?.…]$|^[A-ZÄÖÜ][a-zäöüß]{2,20}$|\{\{?\w+\}?\}|%[sd@]|[^\x00-\x7f]"
)
_MAX = 2000


def plain_leaves(tree: Tree) -> list[tuple[str, object, int]]:
    """Leaves with their own key and depth, bounded."""
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
    """Content, when nothing says settings. True where the tree is data and needs no survey."""
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
    """Records under one key, or records keyed by their id: most of the tree, and alike."""
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
    """A single record: it has an identity, and says when something happened to it."""
    keys = {plain(key): value for key, value in list(tree.items())[:100]}
    if not keys.keys() & _IDENTITIES:
        return False
    dated = [value for key, value in keys.items() if key in _MOMENTS or key.endswith(("at", "date", "time"))]
    if not any(_DATED.match(text_of(value)) for value in dated):
        return False
    describe_records(draft, [tree], total=1)
    return True


_IDENTITIES = frozenset(
    {"id", "uuid", "key", "guid", "number", "case", "ticket", "caseid", "incidentid", "eventid", "reference"}
)
_MOMENTS = frozenset(
    {"created", "updated", "opened", "closed", "occurred", "timestamp", "date", "time", "reported", "ts"}
)
_DATED = re.compile(r"(?:19|20)\d{2}-\d{2}-\d{2}|1[0-9]{9}")


def _alike(rows: list[Tree]) -> bool:
    common = set(rows[0])
    for row in rows:
        common &= row.keys()
    return len(common) >= 2 and len(common) * 2 >= len(rows[0])


def _flat(rows: list[Tree]) -> bool:
    """Whether most fields are scalars: nested blocks are settings, not records."""
    values = [value for row in rows for value in row.values()]
    return sum(type(value) not in (dict, list) for value in values) * 3 >= len(values) * 2


def _translations(draft: Draft, tree: Tree, leaves: list[tuple[str, object, int]]) -> bool:
    """Message catalogs: nearly every leaf is text for people."""
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
    """Whether the file is named after a language, as catalogs are."""
    stem = path.rpartition("/")[2].partition(".")[0]
    folder = path.rpartition("/")[0].rpartition("/")[2]
    return any(re.fullmatch(r"[a-z]{2}(?:[-_][A-Z]{2})?", part) for part in (stem, folder)) or stem.startswith(
        "messages"
    )


def _metrics(draft: Draft, tree: Tree, leaves: list[tuple[str, object, int]]) -> bool:
    """Measured results. Programs write theirs as JSON; elsewhere only the usual names of measures count."""
    figures = figures_of(tree, leaves, draft.outline.format == "json", draft.path)
    draft.add("metric_field", figures)
    return figures > 0


def feature_flags(draft: Draft, tree: Tree) -> bool:
    """Switches with rollouts or variations."""
    rows = [each for holder in (tree, *trees(tree)) for each in trees(holder)]
    found = [
        row for row in rows if "enabled" in row and row.keys() & {"rollout", "variations", "strategies", "percentage"}
    ]
    draft.add("feature_flag", len(found))
    switches = [value for value in tree.values() if truth(value) is not None]
    if len(switches) >= 3 and len(switches) * 10 >= len(tree) * 8:
        draft.add("feature_flag", len(switches))
    return bool(found)


def geojson(draft: Draft, tree: Tree) -> bool:
    """Places with properties."""
    if tree["type"] != "FeatureCollection":
        return False
    rows = [inner for each in trees(tree["features"]) if is_tree(inner := each.get("properties"))]
    describe_records(draft, rows, total=len(rows))
    return True


def citation(draft: Draft, tree: Tree) -> bool:
    """CITATION.cff."""
    draft.add("heading")
    draft.heading(text_of(tree.get("title")))
    return True


def notebook(draft: Draft, tree: Tree) -> bool:
    """A notebook that came as plain JSON."""
    from plantwin.private.extract.formats.notebook import describe_notebook

    describe_notebook(draft, tree)
    return True
