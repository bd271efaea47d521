"""The audit as a whole; the examples of its rules are in their rows."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import pytest
from capability_inputs import Run, found, given, rules

CAPABILITY = "audit_infrastructure"
OWN = {"engines": {}}
"""Our own rules alone."""
GROUP = 'resource "aws_security_group" "g" {{\n  ingress {{\n    from_port = {0}\n    to_port = {1}\n    protocol = "tcp"\n    cidr_blocks = ["{2}"]\n  }}\n  egress {{\n    from_port = 0\n    to_port = 0\n    protocol = "-1"\n    cidr_blocks = ["0.0.0.0/0"]\n  }}\n}}\n'
DATABASE = 'resource "aws_db_instance" "d" {\n  storage_encrypted = true\n  publicly_accessible = false\n  backup_retention_period = 14\n  deletion_protection = true\n  engine = "postgres"\n  engine_version = "16.3"\n  password = var.password\n}\n'
BUCKET = 'resource "aws_s3_bucket" "b" {\n  bucket = "x"\n}\n'
BLOCK = 'resource "aws_s3_bucket_public_access_block" "b" {\n  bucket = aws_s3_bucket.b.id\n  block_public_acls = true\n  block_public_policy = true\n  ignore_public_acls = true\n  restrict_public_buckets = true\n}\n'
POD = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      securityContext: {runAsNonRoot: true}
      containers:
        - name: web
          image: registry.example.org/web:1.2.3
          securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL], add: [NET_BIND_SERVICE]}}
          env:
            - {name: DB_PASSWORD, valueFrom: {secretKeyRef: {name: db, key: password}}}
            - {name: TOKEN_TTL, value: "3600"}
          resources: {limits: {memory: 128Mi}}
          readinessProbe: {httpGet: {path: /, port: 80}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: deny}
spec: {podSelector: {}}
"""
STACK = "Resources:\n  Db:\n    Type: AWS::RDS::DBInstance\n    Properties:\n      PubliclyAccessible: true\n      StorageEncrypted: !Ref Encrypt\n      MasterUserPassword: Plain-Walnut-9-Tree\n      BackupRetentionPeriod: 7\n"


@pytest.mark.parametrize(
    ("name", "text", "least"),
    [
        ("main.tf", GROUP.format(22, 22, "10.0.0.0/8"), "low"),
        ("main.tf", DATABASE, "low"),
        ("main.tf", 'resource "aws_db_instance" "d" {\n  storage_encrypted = var.encrypted\n  backup_retention_period = var.days\n  deletion_protection = var.protect\n}\n', "low"),
        ("main.tf", BUCKET + BLOCK, "medium"),
        ("main.tf", 'data "aws_db_instance" "d" {\n  db_instance_identifier = "x"\n}\n', "low"),
        ("web.yaml", POD, "low"),
        ("compose.yaml", "services:\n  db:\n    image: postgres:16\n    ports: ['127.0.0.1:5432:5432']\n    environment: {POSTGRES_PASSWORD: '${DB_PASSWORD}', POSTGRES_PASSWORD_FILE: /run/secrets/p}\n    mem_limit: 1g\n    healthcheck: {test: [CMD, pg_isready]}\n", "low"),
        ("Dockerfile", "FROM python:3.12-slim AS build\nRUN curl -fsSL https://example.org/a -o a && sha256sum -c a.sum\nFROM python:3.12-slim\nCOPY --from=build /a /a\nHEALTHCHECK CMD a\nEXPOSE 8000\nUSER app\n", "low"),
        ("nginx.conf", "server {\n  listen 80;\n  return 301 https://$host$request_uri;\n}\nserver {\n  listen 443 ssl;\n  ssl_protocols TLSv1.2 TLSv1.3;\n  add_header Strict-Transport-Security max-age=1;\n  location /files/ { alias /srv/files/; }\n}\n", "low"),
    ],
)  # fmt: skip
def test_what_is_safe_is_left_alone(run: Run, name: str, text: str, least: str) -> None:
    assert rules(run(CAPABILITY, given(name, text), **OWN), least=least) == set()


@pytest.mark.parametrize(
    ("name", "text", "rule", "severity"),
    [
        ("main.tf", GROUP.format(0, 65535, "0.0.0.0/0"), "CLOUD-OPEN-ALL-PORTS", "critical"),
        ("main.tf", 'data "aws_iam_policy_document" "p" {\n  statement {\n    actions = ["*"]\n    resources = ["*"]\n  }\n}\n', "AWS-IAM-ALL-ACTIONS", "critical"),
        ("main.tf", 'data "aws_iam_policy_document" "p" {\n  statement {\n    actions = ["*"]\n    resources = ["arn:a"]\n  }\n}\n', "AWS-IAM-ALL-ACTIONS", "high"),
        ("pod.yaml", "apiVersion: v1\nkind: Pod\nspec:\n  volumes: [{name: a, hostPath: {path: /var/run/docker.sock}}]\n", "K8S-HOST-PATH", "high"),
        ("pod.yaml", "apiVersion: v1\nkind: Pod\nspec:\n  volumes: [{name: a, hostPath: {path: /srv/logs}}]\n", "K8S-HOST-PATH", "medium"),
        ("pod.yaml", "apiVersion: v1\nkind: Pod\nspec: {hostNetwork: true}\n", "K8S-HOST-NAMESPACE", "medium"),
        ("role.yaml", "apiVersion: v1\nkind: Role\nmetadata: {name: r}\nrules: [{resources: ['*'], verbs: ['*']}]\n", "K8S-RBAC-WILDCARD", "high"),
        ("compose.dev.yaml", "services: {db: {image: 'postgres:16', ports: ['5432:5432']}}\n", "COMPOSE-DATA-STORE-PORT", "low"),
        ("site.yml", "- hosts: web\n  tasks:\n    - get_url: {url: 'http://example.org/a', dest: /a}\n", "ANSIBLE-NO-CHECKSUM", "medium"),
    ],
)  # fmt: skip
def test_the_context_makes_it_better_or_worse(run: Run, name: str, text: str, rule: str, severity: str) -> None:
    result = run(CAPABILITY, given(name, text), **OWN)
    assert (rule, severity) in {(finding.rule, finding.severity) for finding in result.findings}


def test_files_of_a_module_are_seen_together(run: Run) -> None:
    bucket, block = given("bucket.tf", BUCKET), given("block.tf", BLOCK)
    assert "AWS-S3-PUBLIC-ACCESS-BLOCK" in rules(run(CAPABILITY, bucket, **OWN))
    assert "AWS-S3-PUBLIC-ACCESS-BLOCK" not in rules(run(CAPABILITY, bucket, block, **OWN))


def test_cloudformation_is_audited_by_the_rules_for_terraform(run: Run) -> None:
    result = run(CAPABILITY, given("stack.yaml", STACK), **OWN)
    assert found(result, least="high") == {(5, "AWS-DATABASE-PUBLIC"), (7, "CLOUD-HARDCODED-PASSWORD")}
    assert "AWS-ENCRYPTION-AT-REST" not in rules(result)


def test_secrets_are_masked(run: Run) -> None:
    text = POD.replace('{name: TOKEN_TTL, value: "3600"}', "{name: API_TOKEN, value: Quiet-Meadow-73-Lamp}")
    result = run(CAPABILITY, given("web.yaml", text), **OWN)
    assert (16, "K8S-SECRET-IN-ENV") in found(result)
    assert "Meadow" not in result.text + str([finding.evidence for finding in result.findings])


def test_the_shop(run: Run) -> None:
    result = run(CAPABILITY, "infra/main.tf", "docker-compose.yml", "Dockerfile", **OWN)
    assert found(result, least="high") == {
        (17, "COMPOSE-SECRET-IN-ENV"),
        (20, "AWS-DATABASE-PUBLIC"),
        (34, "CLOUD-OPEN-PORT"),
    }
    assert found(result, least="medium") >= {
        (18, "AWS-ENCRYPTION-AT-REST"),
        (13, "AWS-RDS-END-OF-LIFE"),
        (24, "AWS-S3-PUBLIC-ACCESS-BLOCK"),
    }
    assert result.outcome["status"] == "partial"
    assert "checkov would add" in result.text and "hadolint would add" in result.text


def test_a_broken_file_is_audited_as_far_as_it_goes(run: Run) -> None:
    broken = DATABASE + 'resource "aws_db_instance" "e" {\n  publicly_accessible = true\n  x = = 1\n'
    result = run(CAPABILITY, given("main.tf", broken), **OWN)
    assert result.outcome["status"] == "partial"
    assert "unparsable" in result.outcome["tags"]  # type: ignore[operator]


PRIVILEGED = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: 'a:1', securityContext: {privileged: true}}]}\n"
FILL = "# " + "x" * 100 + "\n"


@pytest.mark.parametrize("capability", [CAPABILITY, "validate_config"])
@pytest.mark.parametrize(
    ("name", "text", "some"),
    [
        ("pod.yaml", PRIVILEGED + FILL * 22_000 + "status: {}\n", False),
        ("pods.yaml", PRIVILEGED + "---\n" + PRIVILEGED + FILL * 22_000, True),
        ("main.tf", 'resource "aws_s3_bucket" "b" {\n' + FILL * 22_000 + "}\n", False),
        ("stack.json", '{"Resources": {"B": {"Type": "AWS::S3::Bucket"}, "x": "' + "y" * (2 << 20) + '"}}', False),
    ],
)
def test_nothing_is_concluded_from_half_a_document(run: Run, capability: str, name: str, text: str, some: bool) -> None:
    result = run(capability, given(name, text), **OWN)
    assert result.outcome["status"] == "partial"
    assert "truncated" in result.outcome["tags"]  # type: ignore[operator]
    if capability == CAPABILITY:
        assert ("K8S-PRIVILEGED" in rules(result)) is some
    else:
        assert found(result) == set() or some
