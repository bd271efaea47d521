"""Components from structure and graph, and what is absent beside objects."""

from __future__ import annotations

from collections import Counter
from typing import Any

from forest import Graph, imports


def shop() -> dict[str, Any]:
    """A small shop: two services, and their tests, documents, settings and logs elsewhere."""
    return {
        "README.md": {"best": "readme"},
        "docker-compose.yml": {
            "gives": [("service", "auth")],
            "uses": [("path", "services/auth/Dockerfile", "builds"), ("path", "services/payments", "builds")],
        },
        "services/auth/Dockerfile": {"format": "dockerfile"},
        "services/auth/login.py": {"best": "authentication_module"},
        "services/auth/tokens.py": {"best": "utility_library", "uses": imports("python", "login")},
        "services/payments/charge.py": {"best": "payment_module"},
        "services/payments/refund.py": {"best": "payment_module"},
        "services/payments/models.py": {"best": "data_access"},
        "tests/test_login.py": {"role": "test", "best": "test_suite", "uses": imports("python", "login")},
        "tests/test_refund.py": {"role": "test", "best": "test_suite"},
        "tests/conftest.py": {"role": "test", "best": "test_helper"},
        "docs/money.md": {"best": "user_guide", "uses": [("path", "../services/payments/charge.py", "documents")]},
        "docs/overview.md": {
            "uses": [
                ("path", "../services/payments/charge.py", "documents"),
                ("path", "../services/auth/login.py", "documents"),
            ]
        },
        "docs/style.md": {},
        "logs/auth-service.log": {},
        "logs/system.log": {},
        "logs/kernel.log": {},
    }


def test_services_gather_their_tests_documents_and_logs() -> None:
    graph = Graph(shop())
    members: dict[str, set[str]] = {}
    for path in graph.numbers:
        members.setdefault(graph.component(path), set()).add(path)
    assert members["services/auth"] == {
        "services/auth/Dockerfile",
        "services/auth/login.py",
        "services/auth/tokens.py",
        "tests/test_login.py",
        "logs/auth-service.log",
    }
    assert members["services/payments"] == {
        "services/payments/charge.py",
        "services/payments/refund.py",
        "services/payments/models.py",
        "tests/test_refund.py",
        "docs/money.md",
    }
    assert graph.component("docs/overview.md") not in ("services/auth", "services/payments")


def test_files_that_lie_flat_are_grouped_by_their_first_word() -> None:
    tree: dict[str, Any] = {
        "auth_service.py": {},
        "auth_service_test.py": {"role": "test"},
        "auth.md": {},
        "billing.py": {},
        "billing_report.py": {},
        "billingTest.java": {},
        "main.py": {},
        "README.md": {},
    }
    graph = Graph(tree)
    assert {graph.component(path) for path in ("auth_service.py", "auth_service_test.py", "auth.md")} == {"auth"}
    assert {graph.component(path) for path in ("billing.py", "billing_report.py", "billingTest.java")} == {"billing"}
    assert graph.component("main.py") == graph.component("README.md") == "."


def test_manifests_open_components_and_own_their_tests() -> None:
    tree: dict[str, Any] = {}
    for name in ("ui", "api"):
        for file in ("package.json", "src/index.ts", "src/util.ts", "tests/index.test.ts", "README.md"):
            tree[f"packages/{name}/{file}"] = {}
    graph = Graph(tree)
    assert {graph.component(path) for path in tree if path.startswith("packages/ui")} == {"packages/ui"}
    assert {graph.component(path) for path in tree if path.startswith("packages/api")} == {"packages/api"}


def test_a_package_with_sizeable_parts_is_split_and_tiny_parts_are_absorbed() -> None:
    tree: dict[str, Any] = {f"src/shop/{part}/{name}.py": {} for part in ("auth", "cart") for name in "abcd"}
    tree["src/shop/extra/one.py"] = {}
    tree["src/shop/__init__.py"] = {}
    graph = Graph(tree)
    assert graph.component("src/shop/auth/a.py") == "src/shop/auth"
    assert graph.component("src/shop/cart/a.py") == "src/shop/cart"
    assert graph.component("src/shop/extra/one.py") not in ("src/shop/auth", "src/shop/cart", "src/shop/extra")


def test_sizes_stay_between_three_and_sixty_on_a_large_tree() -> None:
    tree: dict[str, Any] = {
        f"src/app/area{area}/part{part}/file{number}.py": {}
        for area in range(6)
        for part in range(12)
        for number in range(8)
    }
    graph = Graph(tree)
    sizes = Counter(graph.relations.components.values())
    assert all(3 <= size <= 60 for size in sizes.values())
    assert len(tree) / 60 <= len(sizes) <= len(tree) / 3


def test_every_node_has_a_component() -> None:
    graph = Graph(shop())
    assert set(graph.relations.components) == set(graph.numbers.values())
    assert all(graph.relations.components.values())


def test_what_is_absent_is_told() -> None:
    tree = {
        **shop(),
        "services/payments/requirements.txt": {
            "format": "requirements",
            "best": "dependency_manifest",
            "pins": (("flask", ">=2"),),
        },
        "services/auth/requirements.txt": {
            "format": "requirements",
            "best": "dependency_manifest",
            "pins": (("flask", "==2.0"),),
        },
        "services/payments/unused.py": {"best": "utility_library", "size": 0},
        "services/payments/unused.ex": {"format": "generic", "kind": "code_file", "best": "utility_library"},
        "static/logo.svg": {"format": "xml", "kind": "code_file", "best": "ui_component"},
        "services/payments/charge.py": {"best": "payment_module", "size": 9},
        "services/payments/models.py": {"best": "data_access", "size": 9},
        "data/people.csv": {"best": "person_records"},
        "data/orders.csv": {"best": "transaction_records"},
        "data/orders.schema.json": {"best": "data_contract"},
        "report.py": {"uses": [("path", "data/orders.csv", "reads")], "best": "report_generator"},
    }
    graph = Graph(tree)
    assert graph.lacks("services/auth/login.py") == ()
    assert graph.lacks("services/payments/charge.py") == ("tests",)
    assert graph.lacks("services/payments/models.py") == ("tests",)
    assert graph.lacks("services/payments/unused.py") == ("tests", "consumers")
    # Uses of these are not resolved: nobody knows whether something uses or tests them.
    assert graph.lacks("services/payments/unused.ex") == graph.lacks("static/logo.svg") == ()
    assert graph.lacks("services/payments/requirements.txt") == ("lock_file", "license")
    assert graph.lacks("services/auth/requirements.txt") == ("license",)
    del tree["README.md"]
    assert Graph(tree).lacks("services/auth/requirements.txt") == ("documentation", "license")
    assert graph.lacks("data/people.csv") == ("schema", "consumers")
    assert graph.lacks("data/orders.csv") == ()
    assert graph.lacks("tests/test_login.py") == ()


def test_a_lock_file_and_a_licence_above_cover_members_of_a_workspace() -> None:
    tree: dict[str, Any] = {
        "LICENSE": {"best": "license"},
        "yarn.lock": {"best": "lock_file"},
        "packages/a/package.json": {"best": "dependency_manifest", "pins": (("x", "^1"),)},
        "packages/a/README.md": {"best": "readme"},
        "packages/a/index.js": {},
    }
    assert Graph(tree).lacks("packages/a/package.json") == ()
