"""Whether an object can be worked with now, what it needs, and what it lacks."""

from __future__ import annotations

from collections.abc import Mapping

from plantwin.private.facts import Outline

_NEEDS: dict[str, tuple[str, ...]] = {
    "runtime": ("python", "javascript", "jsx", "typescript", "tsx", "vue", "svelte", "ruby", "php", "go", "java"),
    "build_tool": ("makefile", "gradle", "requirements", "gomod", "gemfile", "lock"),
    "container": ("dockerfile",),
    "cluster": ("hcl",),
    "database_engine": ("sql",),
    "notebook_runtime": ("notebook",),
    "model_runtime": ("model",),
}
_BY_FORMAT: dict[str, str] = {form: need for need, forms in _NEEDS.items() for form in forms}
_BY_FORMAT.update(dict.fromkeys(("rust", "c", "cpp", "csharp", "kotlin", "scala", "shell"), "runtime"))
_BY_FEATURE: tuple[tuple[str, str], ...] = (
    ("test_function", "test_runner"),
    ("compose_service", "container"),
    ("workload", "cluster"),
    ("infra_cluster", "cluster"),
    ("train_call", "model_runtime"),
    ("predict_call", "model_runtime"),
    ("model_load", "model_runtime"),
    ("migration_op", "database_engine"),
    ("dependency", "build_tool"),
)
_CALLS = ("http_call", "payment_call", "db_call", "mail_call", "queue_call")
_FORWARD_ONLY = ("alter", "migration_op", "create_table")
_DOWN = frozenset(("down", "downgrade", "rollback", "reverse", "revert", "backwards", "reversible", "undo"))


def readiness_of(outline: Outline, kind: str, size: int, decodable: bool) -> tuple[str, str]:
    """ready, blocked or unknown, with the cause when it is not ready."""
    features = outline.features
    if size == 0:
        return "blocked", "empty"
    if "merge_conflict" in features:
        return "blocked", "merge_conflict"
    if not decodable:
        return "blocked", "unreadable"
    if not outline.parsed:
        return "blocked", "parse_error"
    if kind in ("config", "secret_container") and features.get("placeholder", 0) and outline.format == "env":
        return "blocked", "missing_secret"
    return "ready", ""


def needs_of(outline: Outline) -> tuple[str, ...]:
    """Local tools without which it cannot be used, at most three."""
    found: dict[str, None] = {}
    features = outline.features
    for feature, need in _BY_FEATURE:
        if feature in features:
            found[need] = None
    if by_format := _BY_FORMAT.get(outline.format):
        found[by_format] = None
    return tuple(found)[:3]


def lacks_of(outline: Outline, semantic_class: str, role: str) -> tuple[str, ...]:
    """What one would expect inside it, and is not there."""
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
        if not words & _DOWN and not features.get("rollback", 0):
            lacks.append("rollback")
    return tuple(lacks)


def _calls_out(features: Mapping[str, int]) -> int:
    return sum(features.get(call, 0) for call in _CALLS)
