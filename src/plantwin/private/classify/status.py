"""The role an object plays in its project, whether it can be worked with now, what it needs, and what it lacks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from plantwin.private.facts import Outline


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VENDORED = _set(
    "vendor vendored third_party third-party thirdparty node_modules _vendor bower_components deps"
    " external extern pods site-packages dist-packages"
)
_TEST = _set(
    "test tests __tests__ spec specs testing e2e testdata test_data fixtures __fixtures__ __mocks__ mocks"
    " cypress integration-tests integration_tests"
)
_EXAMPLE = _set("example examples demo demos sample samples tutorial tutorials quickstart playground")
_GENERATED = _set("dist generated __generated__ gen .next build_output autogen")
_LEGACY = _set("legacy old archive archived deprecated attic obsolete")
_TEMPLATE = _set("templates-skeleton skeleton scaffold boilerplate cookiecutter blueprints-skeleton")

_TEST_NAME = re.compile(r"^(?:test_|conftest\.)|(?:[._-](?:test|tests|spec|e2e|cy)s?\.[a-z]+$)|_test\.[a-z]+$")
_TEST_CAMEL = re.compile(r"[a-z0-9](?:Test|Tests|Spec|IT)\.(?:java|kt|scala|cs|php|swift|groovy)$")
_GENERATED_NAME = re.compile(
    r"\.min\.(?:js|css)$|_pb2(?:_grpc)?\.pyi?$|\.pb\.(?:go|cc|h)$|\.(?:js|css|ts)\.map$|\.g\.dart$"
    r"|\.generated\.|\.bundle\.js$|\.designer\.cs$|_generated\."
)
_TEMPLATE_NAME = re.compile(r"[._-](?:example|sample|template|dist|skel)(?:\.[a-z0-9]+)?$")
_LEGACY_NAME = re.compile(
    r"(?:[._-](?:old|legacy|deprecated|bak|backup|orig|obsolete|v0)(?:[._-]|$))|^(?:old|legacy|deprecated)[._-]"
)
_LEGACY_FOLDER = re.compile(r"[._-](?:old|legacy|deprecated|archived?)(?:/|$)")
_EXAMPLE_NAME = re.compile(
    r"^(?:example|demo|sample|quickstart)s?[._-]|[._-](?:example|demo)\.(?:py|js|ts|go|rb|sh|java|ipynb)$"
)
_MADE = frozenset(("lock_file", "generated_artifact", "experiment_metrics"))
_WRITTEN = frozenset(("markdown", "rst", "asciidoc", "text"))
_CODE_TEMPLATES = frozenset(("html", "vue", "svelte", "php"))

_NEEDS = {
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
    if by_folder:
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
    if not outline.parsed:
        return "blocked", "parse_error"
    if kind in ("config", "secret_container") and features.get("placeholder", 0) and outline.format == "env":
        return "blocked", "missing_secret"
    return "ready", ""


def needs_of(outline: Outline) -> tuple[str, ...]:
    """Return the local tools without which it cannot be used, at most three."""
    found: dict[str, None] = {}
    features = outline.features
    for feature, need in _BY_FEATURE:
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
