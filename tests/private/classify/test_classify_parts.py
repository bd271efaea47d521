"""Role, tags, readiness, affordances, sketch and the facts that are kept."""

from __future__ import annotations

import pytest

from plantwin.private.classify.extraction import (
    MAX_PINS,
    MAX_PROVIDES,
    MAX_REFERENCES,
    MAX_SETTINGS,
    TABLES,
    extract,
    extract_table,
    facets_of,
    facts_of,
    sketch,
    unreadable,
)
from plantwin.private.classify.status import affordances, lacks_of, needs_of, readiness_of, role_of, tags_of
from plantwin.private.facts import Facts, Outline, Provision, Reference, Sample
from plantwin.private.observe.tables import Table
from plantwin.vocabulary import FACETS, Absence, Affordance, ContentTag, EdgeReason, Kind, Role, SemanticClass
from tables import cases


def facts(path: str, data: bytes, findings: tuple[tuple[str, str, str, int], ...] = ()) -> Facts:
    found = extract(Sample(path, len(data), data), findings, digest_value=lambda value: len(value))
    assert found is not None
    return found


@cases("path", "features", "role")
def test_role(path: str, features: dict[str, int], role: str) -> None:
    form = path.rpartition(".")[2]
    assert role_of(path, Outline(form, features=features), "business_logic") == role
    assert Role(role)


def test_tags_put_what_tells_most_first() -> None:
    outline = Outline("python", features={"route": 3, "todo": 12, "insecure_call": 1, "error_handler": 4})
    findings = [
        ("aws_access_key", "secret", "high", 2),
        ("email", "personal", "medium", 5),
        ("ip", "infrastructure", "low", 9),
    ]
    tags = tags_of(outline, "code_file", "production", findings)
    assert tags[:3] == (("credentials", 2), ("personal_data", 5), ("insecure_calls", 1))
    assert ("endpoints", 3) in tags
    assert ("todo_markers", 12) in tags
    assert "network_identifiers" not in dict(tags)
    assert all(ContentTag(tag) for tag, _ in tags)


def test_personal_fields_count_rows_and_tests_are_synthetic() -> None:
    outline = Outline("csv", features={"person_field": 4, "row": 120})
    assert dict(tags_of(outline, "structured_record", "production", ()))["personal_data"] == 120
    assert "synthetic_data" in dict(tags_of(outline, "structured_record", "test", ()))


def test_a_few_prints_are_no_debug_output() -> None:
    assert "debug_output" not in dict(
        tags_of(Outline("python", features={"print_call": 2}), "code_file", "production", ())
    )
    assert "debug_output" in dict(tags_of(Outline("python", features={"print_call": 5}), "code_file", "production", ()))


@pytest.mark.parametrize(
    ("outline", "size", "decodable", "expected"),
    [
        (Outline("python"), 10, True, ("ready", "")),
        (Outline("python"), 0, True, ("blocked", "empty")),
        (Outline("python", features={"merge_conflict": 1}, parsed=False), 10, True, ("blocked", "merge_conflict")),
        (Outline("python", parsed=False), 10, True, ("blocked", "parse_error")),
        (Outline("html", parsed=False, features={"template_tag": 2}), 10, True, ("ready", "")),
        (Outline("text"), 10, False, ("blocked", "unreadable")),
        (Outline("env", features={"placeholder": 2}), 10, True, ("blocked", "missing_secret")),
    ],
)
def test_readiness(outline: Outline, size: int, decodable: bool, expected: tuple[str, str]) -> None:
    assert readiness_of(outline, "config", size, decodable) == expected


def test_needs_are_reasons_of_the_vocabulary() -> None:
    outline = Outline("python", features={"test_function": 1, "train_call": 1})
    assert needs_of(outline) == ("test_runner", "model_runtime", "runtime")
    assert all(EdgeReason(need).edge == "requires_capability" for need in needs_of(outline))
    assert needs_of(Outline("markdown")) == ()


@cases("semantic_class", "features", "lacks")
def test_lacks(semantic_class: str, features: dict[str, int], lacks: tuple[str, ...]) -> None:
    assert lacks_of(Outline("python", features=features), semantic_class, "production") == lacks
    assert all(Absence(each) for each in lacks)


def test_a_migration_with_a_way_back_lacks_nothing() -> None:
    outline = Outline("python", features={"migration_op": 2}, names=["upgrade", "downgrade"])
    assert lacks_of(outline, "database_migration", "production") == ()


def test_affordances_are_bounded_and_known_for_every_class() -> None:
    for kind in Kind:
        for semantic_class in SemanticClass:
            found = affordances(kind, semantic_class, ("credentials", "endpoints", "tests"))
            assert 0 < len(found) <= 6
            assert len(set(found)) == len(found)
            assert all(Affordance(each) for each in found)
    assert affordances("code_file", "authentication_module", ())[0] == "security_audit"
    assert affordances("log_stream", "access_log", ())[:2] == ("analyze_logs", "correlate_events")
    assert "secret_scan" in affordances("code_file", "ui_component", ("credentials",))


def test_sketch_is_a_sorted_bottom_k() -> None:
    text = b"".join(b"line number %d of the text\n" % i for i in range(200))
    made = sketch(text)
    assert len(made) == 32 * 4
    values = [int.from_bytes(made[at : at + 4], "big") for at in range(0, len(made), 4)]
    assert values == sorted(set(values))
    assert sketch(text.replace(b" ", b"  ").replace(b"\n", b"\r\n")) == made
    assert sketch(b"a long line\n" * 100) == b""
    assert sketch(b"") == b""


def test_sketches_of_near_duplicates_overlap() -> None:
    lines = [b"statement %d does something" % i for i in range(300)]
    one = sketch(b"\n".join(lines))
    two = sketch(b"\n".join([*lines[:150], b"an inserted line", *lines[150:]]))
    other = sketch(b"\n".join(b"phrase %d says little" % i for i in range(300)))

    def parts(made: bytes) -> set[bytes]:
        return {made[at : at + 4] for at in range(0, len(made), 4)}

    assert len(parts(one) & parts(two)) >= 30
    assert len(parts(one) & parts(other)) <= 2


def test_facts_are_bounded_and_hold_no_values() -> None:
    outline = Outline("yaml", lines=7)
    outline.references = [Reference("path", f"p{i}", "reads") for i in range(500)] + [
        Reference("path", "x" * 999, "reads")
    ]
    outline.provides = [Provision("table", f"t{i}") for i in range(500)]
    outline.settings = [(f"key{i}", "a secret value") for i in range(500)]
    outline.pins = [(f"p{i}", "1.0") for i in range(500)]
    made = facts_of("a.yaml", outline, b"", 9, (), lambda value: 42)
    assert len(made.references) == MAX_REFERENCES
    assert len(made.provides) == MAX_PROVIDES
    assert len(made.pins) == MAX_PINS
    assert len(made.settings) == MAX_SETTINGS
    assert made.settings[0] == ("key0", 42)
    assert made.lines == 7


def test_what_is_opaque_is_no_object() -> None:
    assert extract(Sample("a.png", 8, b"\x89PNG\r\n\x1a\n"), (), digest_value=hash) is None


@pytest.mark.parametrize(
    ("path", "head", "kind", "semantic_class"),
    [
        ("m.safetensors", b"\x10\0\0\0\0\0\0\0{}", "structured_record", "model_binary"),
        ("k.p12", b"\x30\x82\0\0\0", "secret_container", "private_key"),
        ("d.docx", b"PK\x03\x04" + bytes(30), "document", "general_document"),
        ("e.parquet", b"PAR1" + bytes(30), "structured_record", "dataset_snapshot"),
        ("c.der", b"\x30\x82\0\0\0", "secret_container", "certificate"),
    ],
)
def test_binary_objects_are_known_without_their_text(path: str, head: bytes, kind: str, semantic_class: str) -> None:
    found = facts(path, head)
    assert (found.kind, found.ranking[0][0]) == (kind, semantic_class)
    assert found.sketch == b""


def test_wide_text_is_read_like_narrow_text() -> None:
    text = "import bcrypt\n\n\ndef login(name, password):\n    return bcrypt.checkpw(password, name)\n"
    narrow, wide = facts("a.py", text.encode()), facts("a.py", text.encode("utf-16"))
    assert wide.ranking == narrow.ranking
    assert wide.readiness == "ready"


def test_an_empty_file_is_blocked_and_of_low_confidence() -> None:
    found = facts("auth/login.py", b"")
    assert (found.readiness, found.readiness_cause, found.confidence) == ("blocked", "empty", "low")


def test_an_unreadable_file_is_guessed_from_its_name() -> None:
    found = unreadable("src/auth/login.py", "permission_denied")
    assert (found.kind, found.confidence) == ("code_file", "low")
    assert (found.readiness, found.readiness_cause) == ("blocked", "unreadable")
    assert found.warnings == ("permission_denied",)
    assert found.findings == ()
    assert found.ecosystem == "python"
    assert unreadable("x/y.png", "io_error").kind == "document"


def test_a_table_inside_a_database_is_an_object() -> None:
    rows = b"id,first_name,last_name,email\n" + b"".join(
        b"%d,Ada,Example,ada%d@example.com\n" % (i, i) for i in range(20)
    )
    table = Table("customers", (("id", "INTEGER"),), (("region", "regions", "id"),), rows=20, sample=rows)
    found = extract_table("data/shop.db", table, (("email", "personal", "high", 20),), lambda value: 0)
    assert (found.part, found.format, found.kind) == ("customers", "sqlite_table", "structured_record")
    assert found.ranking[0][0] == "person_records"
    assert Reference("table", "regions", "reads") in found.references
    assert Provision("table", "customers") in found.provides
    assert dict(found.tags)["personal_data"] >= 20
    assert "foreign_keys" in dict(found.tags)


def test_an_empty_table_is_blocked() -> None:
    found = extract_table("data/shop.db", Table("t", (), sample=b"id,name\n"), (), lambda value: 0)
    assert (found.readiness, found.readiness_cause) == ("blocked", "empty")


# Environment, provider, ecosystem and dialect: from names and words that are written for one of them

CASES = [
    ("config/production.yml", "yaml", "config", b"a: 1\n", {"environment": "production"}),
    ("config/environments/test.rb", "ruby", "config", b"", {"environment": "test", "ecosystem": "ruby"}),
    ("deploy/overlays/staging/kustomization.yaml", "yaml", "config", b"", {"environment": "staging"}),
    ("deploy/base/kustomization.yaml", "yaml", "config", b"", {"environment": "shared"}),
    ("chart/deployment.yaml", "yaml", "config", b"apiVersion: apps/v1\n", {"provider": "kubernetes"}),
    ("application-test.yml", "yaml", "config", b"", {"environment": "test"}),
    (".env.local", "env", "secret_container", b"", {"environment": "local"}),
    ("src/dev/tool.py", "python", "code_file", b"import boto3\n", {"provider": "aws", "ecosystem": "python"}),
    ("test/settings.yml", "yaml", "config", b"", {}),
    ("base.yml", "yaml", "config", b"", {}),
    ("live/prod-eu/main.tf", "hcl", "config", b'r "aws_x" "b" {}', {"environment": "production", "provider": "aws"}),
    ("main.tf", "hcl", "config", b'r "google_x" "a"\nr "azurerm_y" "b"\nr "azurerm_z" "c"', {"provider": "azure"}),
    (".github/workflows/ci.yml", "yaml", "config", b"", {"provider": "github"}),
    ("buildspec.yml", "yaml", "config", b"", {"provider": "aws"}),
    ("docs/guide.md", "markdown", "document", b"Use boto3 or postgres://", {}),
    ("schema.sql", "sql", "code_file", b"create table t (id bigserial, v jsonb);", {"dialect": "postgres"}),
    ("schema.sql", "sql", "code_file", b"create table t (id int auto_increment) engine=InnoDB;", {"dialect": "mysql"}),
    ("data.db", "sqlite", "structured_record", b"", {"dialect": "sqlite"}),
    ("db/postgres/schema.sql", "sql", "code_file", b"create table t (id int);", {"dialect": "postgres"}),
    ("application-mysql.properties", "properties", "config", b"url=x", {"dialect": "mysql"}),
    ("db.js", "javascript", "code_file", b"const m = require('mongoose')", {"dialect": "mongodb", "ecosystem": "node"}),
    ("Shop.csproj", "xml", "config", b"", {"ecosystem": "dotnet"}),
    ("package.json", "json", "config", b"{}", {"ecosystem": "node"}),
]  # fmt: skip


@pytest.mark.parametrize(("path", "form", "kind", "head", "expected"), CASES, ids=[case[0] for case in CASES])
def test_what_an_object_is_for(path, form, kind, head, expected):
    found = facets_of(path, form, kind, head)._asdict()
    assert {field: word for field, word in found.items() if word} == expected


def test_the_tables_hold_words_of_the_vocabulary_alone():
    for table, field in (
        ("environments", "environment"), ("ecosystems", "ecosystem"), ("ecosystem_names", "ecosystem"),
        ("ecosystem_ends", "ecosystem"), ("provider_names", "provider"),
    ):  # fmt: skip
        assert set(TABLES[table]) <= set(FACETS[field])
    for table, field in (("providers", "provider"), ("dialects", "dialect")):
        assert {word for rows in TABLES[table].values() for word in rows} <= set(FACETS[field])
