"""Each edge type with its reasons, on small realistic trees; evidence names keys and files, never values."""

from __future__ import annotations

import random
import struct
from typing import Any

import pytest
from forest import Graph, imports

from plantwin.private.relate.edges import EDGES, USEFULNESS
from plantwin.private.relate.links import subject
from plantwin.private.relate.similarity import likeness
from plantwin.vocabulary import EdgeReason


def sketch(seed: int, size: int = 32, changed: int = 0) -> bytes:
    """A sketch of which the last `changed` hashes differ from the unchanged one of the same seed."""
    draw = random.Random(seed)
    hashes = [draw.getrandbits(31) for _ in range(size)]
    other = random.Random(seed + 7_000_000)
    for place in range(changed):
        hashes[-1 - place] = other.getrandbits(31)
    return struct.pack(f">{size}I", *sorted(hashes))


# depends_on


def test_a_test_is_about_what_its_name_says_and_imports_the_rest() -> None:
    tree = {
        "shop/__init__.py": {},
        "shop/cart.py": {},
        "shop/money.py": {},
        "tests/helpers.py": {"role": "test", "best": "test_helper"},
        "tests/test_cart.py": {
            "role": "test",
            "uses": imports("python", "shop.money:cents", "shop.cart:Cart", "helpers:x"),
        },
    }
    graph = Graph(tree)
    assert graph.targets("tests/test_cart.py", "tests") == {"shop/cart.py"}
    assert graph.targets("tests/test_cart.py", "imports") == {"shop/money.py", "tests/helpers.py"}


def test_a_test_without_a_subject_is_about_the_first_things_it_imports() -> None:
    names = ["a", "b", "c", "d", "e"]
    tree: dict[str, Any] = {f"shop/{name}.py": {} for name in names}
    tree["tests/test_flow.py"] = {"role": "test", "uses": imports("python", *(f"shop.{name}" for name in names))}
    graph = Graph(tree)
    assert graph.targets("tests/test_flow.py", "tests") == {"shop/a.py", "shop/b.py", "shop/c.py"}
    assert graph.targets("tests/test_flow.py", "imports") == {"shop/d.py", "shop/e.py"}


def test_a_test_that_imports_nothing_is_about_its_namesake_in_the_same_language() -> None:
    tree = {
        "a/cart.rb": {},
        "b/cart.rb": {},
        "b/cart.py": {},
        "b/spec/cart_spec.rb": {"role": "test"},
        "b/spec/other_spec.rb": {"role": "test"},
    }
    graph = Graph(tree)
    assert graph.all("depends_on") == {("b/spec/cart_spec.rb", "tests", "b/cart.rb")}
    assert graph.of("b/spec/cart_spec.rb")[0].evidence == "named after cart.rb"


@pytest.mark.parametrize(
    ("stem", "meant"),
    [
        ("test_cart", "cart"),
        ("cart_test", "cart"),
        ("cart.spec", "cart"),
        ("CartTest", "cart"),
        ("CartIT", "cart"),
        ("cart", ""),
        ("test_", ""),
        ("TestCart", "cart"),
        ("CartTestCase", "cart"),
        ("cart.test", "cart"),
    ],
)
def test_subject(stem: str, meant: str) -> None:
    assert subject(stem) == meant


def test_reading_a_settings_file_is_being_configured_by_it() -> None:
    tree = {
        "config/app.yml": {},
        "data/orders.csv": {},
        "app.py": {"uses": [("path", "config/app.yml", "reads"), ("path", "data/orders.csv", "reads")]},
    }
    graph = Graph(tree)
    assert graph.targets("app.py", "configures") == {"config/app.yml"}
    assert graph.targets("app.py", "reads") == {"data/orders.csv"}


def test_handlers_refer_to_the_only_contract() -> None:
    tree = {
        "api/openapi.yaml": {"best": "api_contract"},
        "api/routes.py": {"best": "api_handler"},
        "api/unsure.py": {"best": "api_handler", "confidence": "low"},
    }
    assert ("api/routes.py", "specifies", "api/openapi.yaml") in Graph(tree).all("depends_on")
    assert Graph(tree).of("api/unsure.py") == []
    assert Graph({**tree, "api/other.yaml": {"best": "api_contract"}}).of("api/routes.py") == []


# derived_from


@pytest.mark.parametrize(
    ("made", "reason", "source"),
    [
        ("web/package-lock.json", "locked", "web/package.json"),
        ("poetry.lock", "locked", "pyproject.toml"),
        ("go.sum", "locked", "go.mod"),
        ("requirements.txt", "locked", "requirements.in"),
        ("gen/shop_pb2.py", "generated", "proto/shop.proto"),
        ("gen/shop_pb2_grpc.py", "generated", "proto/shop.proto"),
        ("gen/shop.pb.go", "generated", "gen/shop.proto"),
        ("web/app.min.js", "generated", "web/app.js"),
        ("web/app.js.map", "generated", "web/app.js"),
        ("web/app.d.ts", "generated", "web/app.ts"),
        ("web/app.js", "compiled", "web/app.ts"),
        ("web/site.css", "compiled", "web/site.scss"),
        (".env", "instance", ".env.example"),
        ("conf/db.yml", "instance", "conf/db.example.yml"),
        ("conf/db.yml", "instance", "conf/db.yml.sample"),
        ("terraform.tfvars", "instance", "terraform.tfvars.example"),
        ("conf/nginx.conf", "compiled", "conf/nginx.conf.j2"),
        ("study/explore.py", "exported", "study/explore.ipynb"),
        ("study/explore.html", "exported", "study/explore.ipynb"),
    ],
)
def test_derived_from(made: str, reason: str, source: str) -> None:
    assert Graph({made: {}, source: {}, "other/thing.txt": {}}).all("derived_from") == {(made, reason, source)}


def test_nothing_is_derived_across_folders_or_from_itself() -> None:
    tree: dict[str, Any] = {
        "a/package-lock.json": {},
        "b/package.json": {},
        ".example": {},
        "x.j2": {},
        ".env": {},
        ".j2": {},
    }
    assert Graph(tree).all("derived_from") == set()


# similar_to


def test_copies_and_near_duplicates() -> None:
    tree: dict[str, Any] = {
        "a.py": {"sketch": sketch(1), "lines": 50},
        "b.py": {"sketch": sketch(1), "lines": 50},
        "c.py": {"sketch": sketch(1, changed=2), "lines": 51},
        "d.py": {"sketch": sketch(1, changed=20), "lines": 50},
        "e.py": {"sketch": sketch(2), "lines": 50, "size": 800},
        "e2.py": {"sketch": sketch(2), "lines": 50, "size": 810},
        "f.py": {"sketch": sketch(3, size=5), "lines": 5},
        "g.py": {"sketch": sketch(3, size=5), "lines": 9},
        "h.py": {"sketch": b"odd", "lines": 9},
    }
    assert Graph(tree).all("similar_to") == {
        ("b.py", "copy", "a.py"),
        ("c.py", "diverged", "a.py"),
        ("e2.py", "diverged", "e.py"),
        ("g.py", "diverged", "f.py"),
    }


def test_likeness_estimates_the_share_of_common_lines() -> None:
    draw = random.Random(5)
    for share in (0.95, 0.85, 0.5):
        estimates = []
        for _ in range(40):
            common = [draw.getrandbits(32) for _ in range(int(1000 * share))]
            one = sorted(common + [draw.getrandbits(32) for _ in range(1000 - len(common))])[:32]
            other = sorted(common + [draw.getrandbits(32) for _ in range(1000 - len(common))])[:32]
            estimates.append(likeness(struct.pack(">32I", *one), struct.pack(">32I", *other)))
        true = share / (2 - share)
        assert abs(sum(estimates) / 40 - true) < (0.05 if share > 0.8 else 0.35)


def test_versions_and_ages_supersede_in_order() -> None:
    tree: dict[str, Any] = {
        "api/v1/users.py": {},
        "api/v2/users.py": {},
        "api/v10/users.py": {},
        "spec_v1.md": {},
        "spec_v2.md": {},
        "spec.md": {},
        "auth.py": {},
        "auth_legacy.py": {},
        "legacy/pay.py": {},
        "pay.py": {},
        "plan_final.md": {},
        "plan.md": {},
        "plan_draft.md": {},
        "archive_util.py": {},
        "util.py": {},
        "new_user.html": {},
        "user.html": {},
        "shift_2004.py": {},
        "shift.py": {},
    }
    assert Graph(tree).all("similar_to") == {
        ("api/v2/users.py", "supersedes", "api/v1/users.py"),
        ("api/v10/users.py", "supersedes", "api/v2/users.py"),
        ("spec_v1.md", "supersedes", "spec.md"),
        ("spec_v2.md", "supersedes", "spec_v1.md"),
        ("auth.py", "supersedes", "auth_legacy.py"),
        ("pay.py", "supersedes", "legacy/pay.py"),
        ("plan.md", "supersedes", "plan_draft.md"),
        ("plan_final.md", "supersedes", "plan.md"),
    }


def test_environments_languages_and_periods_are_siblings() -> None:
    tree: dict[str, Any] = {
        "config/app.production.yml": {},
        "config/app.staging.yml": {},
        "deploy/prod/values.yaml": {},
        "deploy/dev/values.yaml": {},
        "locales/en.json": {},
        "locales/de.json": {},
        "locales/pt-BR.json": {},
        "data/sales-2024-01.csv": {"best": "transaction_records"},
        "data/sales-2024-02.csv": {"best": "transaction_records"},
        "logs/app.log": {},
        "logs/app.log.1": {"kind": "log_stream"},
        "src/cart.test.js": {},
        "src/cart.dev.js": {},
    }
    assert Graph(tree).all("similar_to") == {
        ("config/app.staging.yml", "sibling", "config/app.production.yml"),
        ("deploy/dev/values.yaml", "sibling", "deploy/prod/values.yaml"),
        ("locales/de.json", "sibling", "locales/en.json"),
        ("locales/pt-BR.json", "sibling", "locales/en.json"),
        ("data/sales-2024-02.csv", "sibling", "data/sales-2024-01.csv"),
        ("logs/app.log.1", "sibling", "logs/app.log"),
    }


def test_dated_dumps_supersede_and_dated_notes_do_not() -> None:
    tree: dict[str, Any] = {
        "dump-2024-03-01.sql": {"best": "database_dump"},
        "dump-20240415.sql": {"best": "database_dump"},
        "notes-2024-03-01.md": {"best": "meeting_notes"},
        "notes-2024-03-08.md": {"best": "meeting_notes"},
    }
    assert Graph(tree).all("similar_to") == {
        ("dump-20240415.sql", "supersedes", "dump-2024-03-01.sql"),
        ("notes-2024-03-08.md", "sibling", "notes-2024-03-01.md"),
    }


def test_logs_of_the_same_time_overlap() -> None:
    tree: dict[str, Any] = {
        "app.log": {"span": (1000, 2000)},
        "web.log": {"span": (1500, 1800)},
        "old.log": {"span": (10, 20)},
        "touch.log": {"span": (2000, 2500)},
        "wrong.log": {"span": (3000, 1000)},
    }
    assert Graph(tree).all("similar_to") == {("web.log", "overlaps", "app.log")}


def test_of_several_likenesses_of_a_pair_the_most_useful_is_kept() -> None:
    tree: dict[str, Any] = {
        "app.prod.yml": {"sketch": sketch(1), "lines": 9},
        "app.dev.yml": {"sketch": sketch(1, changed=1), "lines": 9},
    }
    assert Graph(tree).all("similar_to") == {
        ("app.dev.yml", "sibling", "app.prod.yml"),
    }


# blocks


def test_migrations_block_in_order_of_number_not_of_name() -> None:
    tree: dict[str, Any] = {
        "db/migrations/2_orders.sql": {},
        "db/migrations/10_index.sql": {},
        "db/migrations/1_init.sql": {},
        "db/migrations/1_init.down.sql": {},
        "db/migrations/README.md": {},
        "flyway/V1__init.sql": {"best": "database_migration"},
        "flyway/V1_1__fix.sql": {"best": "database_migration"},
        "flyway/V2__more.sql": {"best": "database_migration"},
        "adr/0001-use-sql.md": {},
        "adr/0002-use-rust.md": {},
    }
    assert Graph(tree).all("blocks") == {
        ("db/migrations/1_init.sql", "order", "db/migrations/2_orders.sql"),
        ("db/migrations/2_orders.sql", "order", "db/migrations/10_index.sql"),
        ("flyway/V1__init.sql", "order", "flyway/V1_1__fix.sql"),
        ("flyway/V1_1__fix.sql", "order", "flyway/V2__more.sql"),
    }


def test_earlier_models_and_writers_block_later_stages() -> None:
    tree: dict[str, Any] = {
        "models/stg_orders.sql": {"best": "staging_transform"},
        "models/fct_orders.sql": {"best": "mart_transform", "uses": [("dbt", "stg_orders", "reads")]},
        "models/schema.yml": {"uses": [("dbt", "fct_orders", "documents")]},
        "etl/load.py": {"best": "data_ingestion", "uses": [("path", "raw/x.parquet", "writes")]},
        "etl/clean.py": {"best": "data_preparation", "uses": [("path", "raw/x.parquet", "reads")]},
        "app/view.py": {"best": "api_handler", "uses": [("path", "raw/x.parquet", "reads")]},
    }
    assert Graph(tree).all("blocks") == {
        ("models/stg_orders.sql", "stage", "models/fct_orders.sql"),
        ("etl/load.py", "stage", "etl/clean.py"),
    }


def test_an_unresolved_merge_blocks_what_depends_on_it() -> None:
    tree: dict[str, Any] = {
        "a.py": {"readiness": "blocked", "readiness_cause": "merge_conflict"},
        "b.py": {"uses": imports("python", "a")},
        "c.py": {"readiness": "blocked", "readiness_cause": "missing_secret"},
        "d.py": {"uses": [*imports("python", "c", "e"), ("path", "broken.json", "reads")]},
        "e.py": {"readiness": "blocked", "readiness_cause": "parse_error"},
        "broken.json": {"readiness": "blocked", "readiness_cause": "parse_error"},
    }
    assert Graph(tree).all("blocks") == {("a.py", "unresolved", "b.py"), ("broken.json", "unresolved", "d.py")}


# requires_capability, conflicts_with


def test_needs_become_edges_without_a_target() -> None:
    graph = Graph({"a.ipynb": {"needs": ("notebook_runtime", "runtime", "nonsense")}})
    assert [(each.edge, each.reason, each.target) for each in graph.of("a.ipynb")] == [
        ("requires_capability", "notebook_runtime", -1),
        ("requires_capability", "runtime", -1),
    ]


def test_sibling_configs_conflict_on_keys_and_never_show_values() -> None:
    tree: dict[str, Any] = {
        "app.production.yml": {"settings": (("db.host", 11), ("db.pool", 22), ("log", 5), ("only", 1))},
        "app.staging.yml": {"settings": (("db.host", 987654321), ("db.pool", 33), ("log", 5))},
        "app.dev.yml": {"settings": (("log", 5),)},
        "unrelated.yml": {"settings": (("db.host", 77),)},
    }
    graph = Graph(tree)
    assert graph.all("conflicts_with") == {("app.staging.yml", "value", "app.production.yml")}
    evidence = graph.of("app.staging.yml")[0].evidence
    assert evidence == "key db.host, db.pool differ"
    assert "987654321" not in evidence


def test_exact_pins_of_one_package_conflict_within_an_ecosystem() -> None:
    tree: dict[str, Any] = {
        "a/requirements.txt": {"format": "requirements", "pins": (("Requests", "==2.1.0"), ("flask", ">=2"))},
        "b/requirements.txt": {"format": "requirements", "pins": (("requests", "==2.9.0"), ("flask", "==3.0"))},
        "c/package.json": {"pins": (("requests", "1.0.0"),)},
        "d/Cargo.toml": {"pins": (("serde", "1.0"),)},
        "e/Cargo.toml": {"pins": (("serde", "1.1"),)},
        "f/package.json": {"pins": (("left", "1.0.0"), ("left", "2.0.0"))},
        "g/package.json": {"pins": (("left", "3.0.0"),)},
    }
    graph = Graph(tree)
    assert graph.all("conflicts_with") == {("b/requirements.txt", "version", "a/requirements.txt")}
    assert graph.of("b/requirements.txt")[0].evidence == "package requests pinned differently"


def test_a_lock_file_that_disagrees_with_its_manifest_conflicts() -> None:
    tree: dict[str, Any] = {
        "package.json": {"pins": (("left", "1.0.0"), ("right", "^2.0.0"))},
        "package-lock.json": {"pins": (("left", "1.0.1"), ("right", "2.4.0"))},
    }
    assert Graph(tree).all("conflicts_with") == {("package-lock.json", "version", "package.json")}


# ranking


def test_every_reason_has_its_usefulness_and_edge_type() -> None:
    assert set(USEFULNESS) == {reason.value for reason in EdgeReason}
    assert {reason.value: reason.edge.value for reason in EdgeReason} == EDGES


def test_the_most_useful_edges_come_first_and_equals_stay_together() -> None:
    tree: dict[str, Any] = {f"lib/m{number:02}.py": {} for number in range(40)}
    tree["config/app.yml"] = {}
    tree["lib/hub.py"] = {
        "uses": [*imports("python", *(f"m{number:02}" for number in range(40))), ("path", "config/app.yml", "reads")],
        "needs": ("runtime",),
    }
    edges = Graph(tree).of("lib/hub.py")
    assert len(edges) == 41  # more than KEPT, since all imports weigh the same: none is chosen by its line
    assert [each.reason for each in edges] == ["configures"] + ["imports"] * 40
    assert [each.weight for each in edges] == sorted((each.weight for each in edges), reverse=True)


def test_what_everything_imports_is_less_telling() -> None:
    tree: dict[str, Any] = {"util.py": {}, "rare.py": {}}
    for number in range(70):
        tree[f"m{number}.py"] = {"uses": imports("python", "util", *(["rare"] if not number else []))}
    assert [each.evidence for each in Graph(tree).of("m0.py")] == ["import rare", "import util"]
