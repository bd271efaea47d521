"""The role an object plays in its project, whether it can be worked with now, what it needs, and what it lacks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from plantwin.private.facts import Outline
from plantwin.private.formats.lexicon import Lexicon
from plantwin.vocabulary import MAX_TAGS, ContentTag, SemanticClass, member

_LEXICON = Lexicon(__file__)


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VENDORED = _LEXICON.words("vendored")
_TEST = _LEXICON.words("test")
_EXAMPLE = _LEXICON.words("example")
_GENERATED = _LEXICON.words("generated")
_LEGACY = _LEXICON.words("legacy")
_TEMPLATE = _LEXICON.words("template")

_TEST_NAME = _LEXICON.pattern("test_name")
_TEST_CAMEL = re.compile(r"[a-z0-9](?:Test|Tests|Spec|IT)\.(?:java|kt|scala|cs|php|swift|groovy)$")
_GENERATED_NAME = _LEXICON.pattern("generated_name")
_TEMPLATE_NAME = re.compile(r"[._-](?:example|sample|template|dist|skel)(?:\.[a-z0-9]+)?$")
_LEGACY_NAME = _LEXICON.pattern("legacy_name")
_LEGACY_FOLDER = re.compile(r"[._-](?:old|legacy|deprecated|archived?)(?:/|$)")
_EXAMPLE_NAME = _LEXICON.pattern("example_name")
_MADE = frozenset(("lock_file", "generated_artifact", "experiment_metrics"))
_WRITTEN = frozenset(("markdown", "rst", "asciidoc", "text"))
_CODE_TEMPLATES = frozenset(("html", "vue", "svelte", "php"))

_BY_FORMAT = _LEXICON.groups("needs_by_format")
_BY_FEATURE: dict[str, str] = _LEXICON.tables["needs_by_feature"]
_CALLS = ("http_call", "payment_call", "db_call", "mail_call", "queue_call")
_FORWARD_ONLY = ("alter", "migration_op", "create_table")
_DOWN = frozenset(("down", "downgrade", "rollback", "reverse", "revert", "backwards", "reversible", "undo"))


@lru_cache(maxsize=4096)
def _folder_role(folder: str) -> str:
    parts = set(folder.lower().split("/"))
    for names, role in (
        (_VENDORED, "vendored"),
        (_GENERATED, "generated"),
        (_TEST, "test"),
        (_LEGACY, "legacy"),
        (_EXAMPLE, "example"),
        (_TEMPLATE, "template"),
    ):
        if parts & names:
            return role
    return "legacy" if _LEGACY_FOLDER.search(folder.lower()) else ""


def role_of(path: str, outline: Outline, semantic_class: str) -> str:
    """Return the role: production unless something says otherwise."""
    folder, _, base = path.rpartition("/")
    lower = base.lower()
    features = outline.features
    by_folder = _folder_role(folder) if folder else ""
    if by_folder == "vendored":
        return "vendored"
    if "generated_marker" in features or "locked" in features or _GENERATED_NAME.search(lower):
        return "generated"
    if semantic_class in _MADE or ("finding_record" in features and outline.format not in _WRITTEN):
        return "generated"
    if "test_function" in features or _TEST_NAME.search(lower) or _TEST_CAMEL.search(base):
        return "test"
    if semantic_class in ("test_suite", "test_helper", "test_fixture", "benchmark_runner"):
        return "test"
    if outline.format not in _CODE_TEMPLATES and _TEMPLATE_NAME.search(lower):
        return "template"
    if by_folder and not (by_folder == "example" and "main_source" in features):
        return by_folder
    if _LEGACY_NAME.search(lower) or features.get("deprecated", 0) > max(2, features.get("function", 0) // 2):
        return "legacy"
    if semantic_class == "example_script" or _EXAMPLE_NAME.search(lower):
        return "example"
    return "production"


def readiness_of(outline: Outline, kind: str, size: int, decodable: bool) -> tuple[str, str]:
    """Return ready or blocked, with the cause when it is not ready."""
    features = outline.features
    if size == 0:
        return "blocked", "empty"
    if "merge_conflict" in features:
        return "blocked", "merge_conflict"
    if not decodable:
        return "blocked", "unreadable"
    if not outline.parsed and "template_tag" in features:
        return "ready", ""  # A program fills it before anybody parses it.
    if not outline.parsed:
        return "blocked", "parse_error"
    if kind in ("config", "secret_container") and features.get("placeholder", 0) and outline.format == "env":
        return "blocked", "missing_secret"
    return "ready", ""


def needs_of(outline: Outline) -> tuple[str, ...]:
    """Return the local tools without which it cannot be used, at most three."""
    found: dict[str, None] = {}
    features = outline.features
    for feature, need in _BY_FEATURE.items():
        if feature in features:
            found[need] = None
    if by_format := _BY_FORMAT.get(outline.format):
        found[by_format] = None
    return tuple(found)[:3]


def lacks_of(outline: Outline, semantic_class: str, role: str) -> tuple[str, ...]:
    """Return what one would expect inside it, and is not there."""
    features = outline.features
    lacks: list[str] = []
    if semantic_class == "dependency_manifest" and features.get("unpinned", 0) > features.get("pinned", 0):
        lacks.append("version_pins")
    if semantic_class == "container_build" and features.get("unpinned", 0) and not features.get("pinned", 0):
        lacks.append("version_pins")
    if role == "production" and "error_handler" not in features and _calls_out(features) >= 2:
        lacks.append("error_handling")
    if semantic_class == "deploy_manifest" and features.get("image_ref", 0):
        if "health_check" not in features:
            lacks.append("health_check")
        if "resource_limit" not in features:
            lacks.append("resource_limits")
    if semantic_class == "database_migration" and any(feature in features for feature in _FORWARD_ONLY):
        words = {word for name in outline.names for word in name.lower().split("_")}
        if not words & _DOWN:
            lacks.append("rollback")
    return tuple(lacks)


def _calls_out(features: Mapping[str, int]) -> int:
    return sum(features.get(call, 0) for call in _CALLS)


MAX_KEPT = 16
_MAX_COUNT = 1_000_000
_SYNTHETIC = frozenset(("test", "example", "template"))
_FEW_PRINTS = 3
_LEADING = 3
"""How many of a class's own affordances come before those that its tags suggest."""
_UNPARSED = frozenset(("model_binary", "private_key"))


@cache
def _table(name: str) -> dict[str, Any]:
    table: dict[str, Any] = json.loads(Path(__file__).with_name(f"{name}.json").read_bytes())
    return table


@cache
def _by_feature() -> dict[str, list[tuple[str, float, frozenset[str]]]]:
    table: dict[str, list[tuple[str, float, frozenset[str]]]] = {}
    for tag, weight, features, *kinds in _table("tags")["features"]:
        member(ContentTag, tag)
        for feature in features.split():
            table.setdefault(feature, []).append((tag, weight, frozenset(kinds[0].split() if kinds else ())))
    return table


def tags_of(
    outline: Outline, kind: str, role: str, findings: Sequence[tuple[str, str, str, int]]
) -> tuple[tuple[str, int], ...]:
    """Return tags with counts, in the order in which six would be disclosed."""
    counts: dict[str, int] = {}
    weights: dict[str, float] = {}
    table = _by_feature()
    features = outline.features
    for feature in features.keys() & table.keys():
        count = features[feature]
        for tag, weight, kinds in table[feature]:
            if count > 0 and (not kinds or kind in kinds):
                counts[tag] = counts.get(tag, 0) + count
                weights[tag] = weight
    for form, group, level, count in findings:
        if level == "low" or count <= 0:
            continue
        for part, tag, weight in _table("tags")["finding_types"]:
            if part in form:
                counts[tag] = counts.get(tag, 0) + count
                weights[tag] = weight
        for known, tag, weight in _table("tags")["finding_groups"]:
            if known == group:
                counts[tag] = counts.get(tag, 0) + count
                weights[tag] = max(weight, weights.get(tag, 0.0))
    _settle(features, role, counts, weights)
    ordered = sorted(counts, key=lambda tag: (-weights[tag], tag))
    return tuple((tag, min(counts[tag], _MAX_COUNT)) for tag in ordered[:MAX_KEPT])


def _settle(features: dict[str, int], role: str, counts: dict[str, int], weights: dict[str, float]) -> None:
    """Adjust what depends on several signs together."""
    people = features.get("person_field", 0)
    if people >= 2:
        counts["personal_data"] = max(counts.get("personal_data", 0), features.get("row", people))
        weights["personal_data"] = 9.4
    if role in _SYNTHETIC and ("personal_data" in counts or "credentials" in counts):
        counts["synthetic_data"] = 1
        weights["synthetic_data"] = 8.9
    if counts.get("debug_output", 0) < _FEW_PRINTS or features.keys() & {"cli_args", "bare_args"}:
        counts.pop("debug_output", None)
    if "log_line" in features and "time_field" not in features and counts.get("timestamps", 0) < 2:
        counts.pop("timestamps", None)


@cache
def _of_class(semantic_class: str) -> tuple[str, ...]:
    table = _table("affordances")
    family = member(SemanticClass, semantic_class).family.value
    return tuple((table["class"].get(semantic_class) or table["family"].get(family, "")).split())


def affordances(kind: str, semantic_class: str, tags: Iterable[str]) -> tuple[str, ...]:
    """Return the capabilities that an object can be used with, the most useful first, at most six."""
    table = _table("affordances")
    own = _of_class(semantic_class)
    found = dict.fromkeys(own[:_LEADING])
    if semantic_class not in _UNPARSED:
        present = set(tags)
        found.update(dict.fromkeys(affordance for tag, affordance in table["tag"].items() if tag in present))
        found.update(dict.fromkeys(own[_LEADING:]))
        found.update(dict.fromkeys(table["kind"].get(kind, "").split()))
    return tuple(found)[:MAX_TAGS]
