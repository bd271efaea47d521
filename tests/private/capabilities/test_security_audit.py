"""What is written safely has no findings at all, and the pattern rows of every language hold together."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import re

import pytest
from capability_inputs import CLEAN, Run, given

from plantwin.private.capabilities.engine.rules import load
from plantwin.private.capabilities.security_audit.patterns import FLOWS, FORMATS, RULES, Call, language
from plantwin.private.formats.source_views import MASKS

BUCKET = 'resource "aws_s3_bucket" "b" {\n}\n'
BLOCK = 'resource "aws_s3_bucket_public_access_block" "b" {\n  bucket = aws_s3_bucket.b.id\n  block_public_acls = true\n  block_public_policy = true\n  ignore_public_acls = true\n  restrict_public_buckets = true\n}\n'
TWINS = [
    ("Dockerfile", "excessive_permission", "FROM debian:12\nUSER root\n", "FROM debian:12\nUSER app\n"),
    ("Dockerfile", "hardcoded_secret", "FROM debian:12\nENV API_KEY=Zq8tX2eM5wCj\nUSER app\n", "FROM debian:12\nENV MODE=fast\nUSER app\n"),
    ("docker-compose.yml", "excessive_permission", "services:\n  a:\n    image: a:1\n    privileged: true\n", "services:\n  a:\n    image: a:1\n    read_only: true\n"),
    ("docker-compose.yml", "exposed_service", 'services:\n  a:\n    image: redis:7\n    ports: ["6379:6379"]\n', 'services:\n  a:\n    image: redis:7\n    ports: ["127.0.0.1:6379:6379"]\n'),
    ("deploy.yaml", "excessive_permission", "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    image: a:1\n    securityContext:\n      privileged: true\n", "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    image: a:1\n    securityContext:\n      runAsNonRoot: true\n      allowPrivilegeEscalation: false\n"),
    ("main.tf", "exposed_service", 'resource "aws_security_group" "a" {\n  ingress {\n    from_port = 22\n    to_port = 22\n    cidr_blocks = ["0.0.0.0/0"]\n  }\n}\n', 'resource "aws_security_group" "a" {\n  ingress {\n    from_port = 22\n    to_port = 22\n    cidr_blocks = ["10.0.0.0/8"]\n  }\n  egress {\n    cidr_blocks = ["0.0.0.0/0"]\n  }\n}\n'),
    ("app.yaml", "disabled_verification", "http:\n  verify_tls: false\n", "http:\n  verify_tls: true\n"),
    ("app.toml", "insecure_setting", 'environment = "production"\ndebug = true\n', 'environment = "production"\ndebug = false\n'),
    ("app.json", "exposed_service", '{"cors": {"allowed_origins": "*"}}\n', '{"cors": {"allowed_origins": "https://a.example"}}\n'),
    (".github/workflows/a.yml", "injection", 'jobs:\n  a:\n    runs-on: x\n    steps:\n    - run: echo "${{ github.event.issue.title }}"\n', 'jobs:\n  a:\n    runs-on: x\n    steps:\n    - run: echo "$TITLE"\n      env:\n        TITLE: ${{ github.event.issue.title }}\n'),
    ("policy.json", "excessive_permission", '{"Statement": [{"Effect": "Allow", "Action": "*", "Resource": "arn:a"}]}\n', '{"Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:a"}]}\n'),
    ("nginx.conf", "weak_crypto", "server {\n  ssl_protocols TLSv1 TLSv1.2;\n}\n", "server {\n  ssl_protocols TLSv1.2 TLSv1.3;\n}\n"),
    ("Dockerfile", "insecure_setting", "FROM debian\nUSER app\n", "FROM debian:12\nUSER app\n"),
    ("main.tf", "missing_check", BUCKET, BUCKET + BLOCK),
    (".htaccess", "weak_crypto", "SSLProtocol +TLSv1\n", "SSLProtocol -all +TLSv1.2\n"),
]  # fmt: skip
"""Settings: file, tag, weak, safe."""

SAFE = {
    f"{rule.id}-{number}": (example.file, example.text)
    for rule in load("code_weaknesses").rule
    for number, example in enumerate(rule.example)
    if not example.found
}
SAFE |= {f"{name}-{tag}": (name, safe) for name, tag, _, safe in TWINS}


@pytest.mark.parametrize(("name", "tag", "weak", "_"), TWINS)
def test_a_weak_setting_is_found(run: Run, name: str, tag: str, weak: str, _: str) -> None:
    result = run("security_audit", given(name, weak))
    assert result.outcome["status"] == "done"
    assert tag in {finding.tag for finding in result.findings}
    assert all(finding.line >= 1 and finding.message and finding.hint for finding in result.findings)


@pytest.mark.parametrize("case", SAFE)
def test_safe_code_is_left_in_peace(run: Run, case: str) -> None:
    name, text = SAFE[case]
    result = run("security_audit", given(name, text))
    assert [(finding.rule, finding.tag, finding.message) for finding in result.findings] == []
    assert result.outcome == CLEAN


def test_there_are_enough_examples_over_enough_languages() -> None:
    assert len(SAFE) >= 80
    assert len({name.rpartition(".")[2] for name, _ in SAFE.values()}) >= 12


@pytest.mark.parametrize("format", sorted(FORMATS))
def test_pattern_rows_name_rules_conditions_and_views_that_exist(format: str) -> None:
    assert format in MASKS
    call = Call.__dict__.keys() | {"code", "arguments", "file", "match"}
    for row in language(format).pattern:
        assert row.rule in RULES.by_id
        re.compile(row.pattern)
        for key, value in (*row.where.items(), *row.medium_where.items()):
            if key == "flow":
                assert set([value] if isinstance(value, str) else value) <= FLOWS.keys()
            else:
                assert key.removeprefix("not_") in call
                re.compile(str(value))


def test_one_problem_is_told_once(run: Run) -> None:
    text = "services:\n  db:\n    image: postgres:16\n    environment:\n      POSTGRES_USER: shop\n      POSTGRES_PASSWORD: shop\n"
    result = run("security_audit", given("compose.yaml", text))
    assert [(finding.line, finding.tag) for finding in result.findings].count((6, "hardcoded_secret")) == 1


NOT_HIGH = {
    "a statement with parameters whose clauses are joined": ("a.go", "func f() {\n\trows, err := db.QueryContext(ctx, \"SELECT id FROM memo WHERE \"+strings.Join(where, \" AND \"), args...)\n}\n"),
    "a build script that runs a command": ("build.js", "const args = process.argv.slice(2).join(' ');\nexecSync(`cargo ${args}`, { stdio: 'inherit' });\n"),
    "a table's name in a migration": ("m.php", "<?php\nDB::statement(\"ALTER TABLE {$prefix}pages ENGINE = InnoDB;\");\n"),
    "a column's name beside parameters": ("a.rb", "query.where(\"#{column} >= ?\", since(params[:since]))\n"),
    "a key that resets a form": ("a.js", "const state = { resetFileKey: Math.random() };\n"),
    "a kind that is called password": ("a.ts", "this.log.info({ type: Type.password }, 'changed');\n"),
    "a page that calls its own server": ("a.js", "const id = window.location.hash;\nfetch(`${adminUrl}/comments/${id}/`);\n"),
}  # fmt: skip


@pytest.mark.parametrize("case", NOT_HIGH)
def test_what_does_not_come_from_a_request_is_not_high(run: Run, case: str) -> None:
    result = run("security_audit", given(*NOT_HIGH[case]))
    assert [finding.rule for finding in result.findings if finding.severity in ("high", "critical")] == []


def test_the_engine_and_who_examines_workflows_further_are_named(run: Run) -> None:
    steps = "on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: make\n"
    result = run("security_audit", given(".github/workflows/a.yml", steps), given("a.py", "x = 1\n"))
    assert re.search(r"bandit \d+\.\d+", str(result.facts["tool"]))
    assert "`audit_infrastructure` asks zizmor" in result.text


@pytest.mark.parametrize(
    ("name", "text", "unruled"),
    [
        ("main.tf", 'resource "example_thing" "a" {\n  size = 1\n}\n', "`example_thing`"),
        ("main.tf", 'resource "aws_s3_bucket" "a" {\n  bucket = "b"\n}\n', ""),
        ("a.yaml", "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {x: 1}\n", "`Widget.example.com`"),
        ("a.yaml", "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: a}\nspec: {}\n", ""),
        ("a.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: a}\nspec: {template: {spec: {containers: []}}}\n", ""),
    ],
)  # fmt: skip
def test_resources_without_rules_are_named(run: Run, name: str, text: str, unruled: str) -> None:
    result = run("security_audit", given(name, text))
    assert (result.outcome["status"] == "partial") is bool(unruled)
    assert (f"No rules for 1 resource types: {unruled}" in result.text) is bool(unruled)
