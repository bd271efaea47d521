"""The audit as a whole; the examples of its rules are in their rows."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import pytest
from capability_inputs import Run, found, given, rules

CAPABILITY = "audit_infrastructure"
OWN = {"engines": {}}
"""Our own rules alone."""
GROUP = 'resource "aws_security_group" "g" {{\n  ingress {{\n    from_port = {0}\n    to_port = {1}\n    protocol = "tcp"\n    cidr_blocks = ["{2}"]\n  }}\n  egress {{\n    from_port = 0\n    to_port = 0\n    protocol = "-1"\n    cidr_blocks = ["0.0.0.0/0"]\n  }}\n}}\n'
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


def test_secrets_are_masked(run: Run) -> None:
    text = POD.replace('{name: TOKEN_TTL, value: "3600"}', "{name: API_TOKEN, value: Quiet-Meadow-73-Lamp}")
    result = run(CAPABILITY, given("web.yaml", text), **OWN)
    assert (16, "K8S-SECRET-IN-ENV") in found(result)
    assert "Meadow" not in result.text + str([finding.evidence for finding in result.findings])


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
