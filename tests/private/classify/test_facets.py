"""Environment, provider, ecosystem and dialect: from names and words that are written for one of them."""

from __future__ import annotations

import pytest

from plantwin.private.classify.extraction import TABLES, facets_of
from plantwin.vocabulary import FACETS

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
