"""Configuration files in the security audit: the rules of their technology, told with the tags that it declares."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import pytest
from capability_inputs import Run, given
from named_rules import checked

CAPABILITY = "security_audit"
CASES = {
    "policy.json": ("excessive_permission", '{"Statement": [{"Effect": "Allow", "Action": "*", "Resource": "arn:a"}]}\n', '{"Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:a"}]}\n'),
    "Dockerfile": ("insecure_setting", "FROM debian\nUSER app\n", "FROM debian:12\nUSER app\n"),
    "main.tf": ("missing_check", 'resource "aws_s3_bucket" "b" {\n}\n', 'resource "aws_s3_bucket" "b" {\n}\nresource "aws_s3_bucket_public_access_block" "b" {\n  bucket = aws_s3_bucket.b.id\n  block_public_acls = true\n  block_public_policy = true\n  ignore_public_acls = true\n  restrict_public_buckets = true\n}\n'),
    "compose.yaml": ("exposed_service", "services:\n  a:\n    image: redis:7\n    ports: ['6379:6379']\n", "services:\n  a:\n    image: redis:7\n    ports: ['127.0.0.1:6379:6379']\n"),
    "deploy.yaml": ("excessive_permission", "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - {name: a, image: 'a:1', securityContext: {privileged: true}}\n", "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - {name: a, image: 'a:1', securityContext: {runAsNonRoot: true, allowPrivilegeEscalation: false}}\n"),
    ".htaccess": ("weak_crypto", "SSLProtocol +TLSv1\n", "SSLProtocol -all +TLSv1.2\n"),
    "app.toml": ("insecure_setting", 'environment = "production"\ndebug = true\n', 'environment = "production"\ndebug = false\n'),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_weak_is_found_and_what_is_safe_is_left_alone(run: Run, name: str) -> None:
    tag, weak, safe = CASES[name]
    assert tag in {finding.tag for finding in checked(CAPABILITY, run(CAPABILITY, given(name, weak))).findings}
    result = checked(CAPABILITY, run(CAPABILITY, given(name, safe)))
    assert result.outcome == {"status": "done", "severity": "none", "count": "none", "tags": []}


def test_one_problem_is_told_once(run: Run) -> None:
    text = "services:\n  db:\n    image: postgres:16\n    environment:\n      POSTGRES_USER: shop\n      POSTGRES_PASSWORD: shop\n"
    result = run(CAPABILITY, given("compose.yaml", text))
    assert [(finding.line, finding.tag) for finding in result.findings].count((6, "hardcoded_secret")) == 1
