"""The validation as a whole; the examples of its rules are in their rows."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import pytest
from capability_inputs import CLEAN, Run, found, given, rules

CAPABILITY = "validate_config"
SOUND_COMPOSE = """\
services:
  web:
    build: .
    ports: ["8080:80", "127.0.0.1:9000-9010:9000-9010/udp"]
    depends_on:
      db: {condition: service_healthy}
    restart: "no"
    volumes: ["cache:/var/cache", "./src:/src:ro", "/etc/localtime:/etc/localtime"]
    mem_limit: 512m
    environment: {FLAG: "true", PORT: 8000, URL: "${URL:-http://db:5432}"}
    networks: [inner, default]
  db:
    image: postgres:16
    healthcheck: {test: ["CMD-SHELL", "pg_isready"], interval: 30s, timeout: 1m30s}
networks: {inner: {}}
volumes: {cache: {}}
x-shared: {a: 1}
"""
SOUND_DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web, version: "1.10"}}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web, tier: front}}
    spec:
      containers:
        - name: web
          image: web:1.2
          ports: [{containerPort: 8080, name: http}]
          env: [{name: DEBUG, value: "true"}]
          resources: {requests: {memory: 512Mi, cpu: 100m}, limits: {memory: 1Gi, cpu: "1"}}
          volumeMounts: [{name: data, mountPath: /data}]
          livenessProbe: {httpGet: {path: /, port: http}}
      volumes: [{name: data, emptyDir: {}}]
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}]}
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "a: 1\nb: [1, 2]\nc: {d: 'x'}\nport: 8080\ntimeout: 1h30m\nurl: https://a.example/b?c=d\nlog_level: WARN\n"),
        ("a.yaml", "cron: '*/5 0-6 1,15 jan-mar mon'\nversion: 1.10.2\nflags: [on-call, yes-men]\n"),
        ("tsconfig.json", '{\n // a comment\n "a": 1,\n}\n'),
        (".env", "# note\nexport A=1\nB='two words'\nC=\"x # y\"\nD=${A}/b\nE=\n"),
        (".env.example", "API_KEY=\nPASSWORD=change_me\n"),
        ("a.ini", "[a]\nb = 1\n  continued\n[c]\nb = 2\n"),
        ("pyproject.toml", '[build-system]\nrequires = ["hatchling>=1"]\n[project]\nname = "a"\ndynamic = ["version"]\nrequires-python = ">=3.11,<4"\ndependencies = ["x[y]>=1,<2; python_version > \'3\'", "z @ https://a/b.whl"]\n'),
        ("package.json", '{"name": "@a/b", "version": "1.0.0-rc.1", "type": "module", "dependencies": {"a": "^1.2", "b": ">=1 <3 || 5.x", "c": "workspace:*", "d": "github:a/b"}}'),
        ("web.service", "[Unit]\nAfter=network.target\n[Service]\nType=notify\nExecStartPre=-/bin/sh -c 'a && b'\nExecStart=/bin/a\nRestartSec=5s\n[Install]\nWantedBy=multi-user.target\n"),
        ("crontab", "SHELL=/bin/sh\n# m h\n*/5 * * * * /bin/a\n@daily /bin/b\n"),
        ("Dockerfile", "# syntax=docker/dockerfile:1\nARG V=1\nFROM a:$V AS build\nRUN apt-get update && apt-get install -y --no-install-recommends x \\\n  # note\n  y\nFROM b:1\nCOPY --from=build /a /b\nRUN <<EOF\necho COPPY\nEOF\nCMD [\"a\"]\n"),
        ("nginx.conf", "events {}\nhttp {\n  map $a $b { default 0; ~x 1; }\n  upstream app { server a:1; }\n  server {\n    listen 443 ssl;\n    ssl_certificate a;\n    location / { proxy_pass http://app; add_header X \"a;b{c}\"; }\n  }\n}\n"),
        ("main.tf", 'variable "a" {}\nlocals {\n  b = var.a\n}\nresource "aws_x" "y" {\n  name = "${local.b}-z"\n  tags = { A = 1 }\n}\n'),
        (".gitlab-ci.yml", "stages: [build]\n.base:\n  image: a\nb:\n  extends: .base\n  stage: build\n  script:\n    - 'echo a: b'\n"),
        ("compose.yaml", SOUND_COMPOSE),
        ("k8s/web.yaml", SOUND_DEPLOYMENT),
    ],
)  # fmt: skip
def test_what_is_right_is_left_alone(run: Run, name: str, text: str) -> None:
    result = run(CAPABILITY, given(name, text))
    assert found(result) == set()
    assert result.outcome == CLEAN


def test_yaml_says_where_it_breaks(run: Run) -> None:
    result = run(CAPABILITY, given("a.yaml", "a: 1\nb:\n\tc: 2\n"))
    assert found(result) == {(3, "SYNTAX-ERROR")}
    assert "tab" in result.findings[0].message
    assert result.outcome["status"] == "partial"
    assert result.outcome["tags"] == ["unparsable"]


def test_an_unknown_key_comes_with_the_one_that_was_meant(run: Run) -> None:
    result = run(CAPABILITY, given("compose.yaml", "services:\n  web:\n    image: a:1\n    enviroment: {A: b}\n"))
    assert [(finding.severity, finding.hint) for finding in result.findings] == [
        ("high", "Did you mean `environment`?")
    ]


def test_a_duplicate_is_worse_where_readers_refuse_it(run: Run) -> None:
    for name, text, severity in (("a.yaml", "a: 1\na: 2\n", "high"), (".env", "A=1\nA=2\n", "medium")):
        assert [finding.severity for finding in run(CAPABILITY, given(name, text)).findings] == [severity]


def test_a_template_is_read_with_its_actions_blank(run: Run) -> None:
    text = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ .Values.name }}\nspec:\n  {{- if .Values.x }}\n  replicas: {{ .Values.replicas }}\n  {{- end }}\n  selector: {matchLabels: {app: a}}\n  template:\n    metadata: {labels: {app: a}}\n    spec:\n      containers:\n        - name: a\n          image: {{ .Values.image }}\n          resources: {limits: {memory: 64m}}\n"
    result = run(CAPABILITY, given("chart/templates/web.yaml", text))
    assert found(result) == {(16, "K8S-QUANTITY")}
    assert "template" in result.text


def test_the_shop(run: Run) -> None:
    result = run(CAPABILITY, "config/production.yaml", "docker-compose.yml", "Dockerfile", ".github/workflows/ci.yml", "infra/main.tf", "api/openapi.yaml", ".env")  # fmt: skip
    assert rules(result, least="high") == set()
    assert result.facts["technologies"] == {
        "config/production.yaml": "yaml",
        "docker-compose.yml": "Compose",
        "Dockerfile": "Dockerfile",
        ".github/workflows/ci.yml": "GitHub Actions",
        "infra/main.tf": "Terraform",
        "api/openapi.yaml": "OpenAPI",
        ".env": "env",
    }


def test_a_technology_without_rules_is_not_said_to_be_valid(run: Run) -> None:
    text = "global\n  maxconn 2000\nfrontend web\n  bind *:80\n  default_backend app\nbackend app\n  server a 10.0.0.1:80\n"
    result = run(CAPABILITY, given("lb/haproxy.cfg", text))
    assert result.outcome["status"] == "partial" and result.outcome["tags"] == ["unparsable"]
    assert "no validity rules" in result.text
