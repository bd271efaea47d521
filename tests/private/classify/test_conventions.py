"""Files whose place says what they are for."""

from __future__ import annotations

from pathlib import Path

import pytest

from plantwin.private.classify.rules import convention_of, conventions
from plantwin.private.environment import Environment


@pytest.mark.parametrize(("row", "path"), [(row, path) for row in conventions() for path in row.examples])
def test_every_example_follows_its_own_convention(row, path):
    assert convention_of(path, next(iter(row.formats), "text")) == row


@pytest.mark.parametrize(
    ("path", "format_"),
    [("src/readme_parser.py", "python"), ("src/license.go", "go"), ("app/values.py", "python"),
     ("migrations/x.sql", "log"),
     ("compose/letter.md", "markdown"), ("docs/history.py", "python"), ("src/security.ts", "typescript")],
)  # fmt: skip
def test_what_only_sounds_like_a_convention_follows_none(path, format_):
    assert convention_of(path, format_) is None


@pytest.mark.parametrize(
    ("path", "text", "kind", "semantic_class"),
    [
        ("db/migrations/0007_drop.up.sql", "DROP TABLE a;\n", "code_file", "database_migration"),
        ("db/migrations/0007_drop.down.sql", "INSERT INTO a VALUES (1);\n", "code_file", "database_migration"),
        (
            "web/icon.svg",
            '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>',
            "code_file",
            "ui_component",
        ),
        ("chart/values.yaml", "replicas: 2\nimage: {tag: v1}\n", "config", "deploy_manifest"),
        (
            "mail/templates/emails/body.txt",
            "Hello {{ name }}\n2024-01-01 10:00:00 ERROR x\n",
            "document",
            "email_template",
        ),
        ("lib/.gitkeep", "", "config", "repository_config"),
        ("db/password.txt", "db-q5n2g\n", "secret_container", "credentials_file"),
        ("roles/web/tasks/users.yml", "- name: Add a user\n  user: {name: x, email: y}\n", "config", "job_script"),
        (".env", "API_TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ012345\n", "secret_container", "credentials_file"),
    ],
)
def test_a_convention_decides_class_and_kind(tmp_path: Path, path, text, kind, semantic_class):
    file = tmp_path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    (record,) = Environment(tmp_path, keep=False, ignore=False).scan(jobs=1).records()
    assert (str(record.kind), str(record.semantic_class)) == (kind, semantic_class)
