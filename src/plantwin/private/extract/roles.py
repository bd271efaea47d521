"""What part an object plays in its project, from its place and its structure."""

from __future__ import annotations

import re
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
    """One of the vocabulary's roles; production unless something says otherwise."""
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
