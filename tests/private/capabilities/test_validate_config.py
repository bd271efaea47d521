"""Settings with known faults, and sound twins of them."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import pytest
from capability_inputs import Run, given
from named_rules import around, checked, found, rules

COMPOSE = """\
version: "3.8"
services:
  web:
    image: nginx:1.27
    ports:
      - "80800:80"
      - "8080:80"
    depends_on: [databse]
    restart: allways
    volumes:
      - cache:/var/cache
    healthcheck:
      test: [curl, localhost]
      interval: 30
  worker:
    command: run
    enviroment:
      A: b
    ports: ["8080:8000"]
  db:
    image: postgres:16
    networks: [inner]
"""
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
DEPLOYMENT = """\
apiVersion: extensions/v1beta1
kind: Deployment
metadata:
  name: Web_App
  labels: {app: web, version: 1.10}
spec:
  replicas: "3"
  selector:
    matchLabels: {app: web, tier: front}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
        - name: web
          image: web:1.2
          ports: [{containerPort: 8080, name: http}]
          env:
            - {name: DEBUG, value: true}
          resources:
            requests: {memory: 512m, cpu: "2"}
            limits: {memory: 1GB, cpu: "1"}
          volumeMounts: [{name: data, mountPath: /data}]
          livenessProbe: {periodSeconds: 5}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {app: web}
  ports:
    - {port: 80, targetPort: htttp}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly}
spec:
  schedule: "0 25 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Always
          containers: [{name: a, image: "b:1"}]
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
WORKFLOW = """\
name: ci
on:
  push: {branches: [main], branches-ignore: [x]}
  schedule: [{cron: "61 * * * *"}]
  pul_request:
jobs:
  test:
    runs-on: ubuntu-latest
    strategy: {matrix: {python: ["3.11"]}}
    steps:
      - uses: actions/checkout
      - uses: actions/setup-python@v5
        with:
          python-version: 3.10
      - run: echo ${{ matrix.version }} ${{ steps.build.outputs.x }}
      - name: nothing
  deploy:
    needs: [tests]
    steps:
      - run: echo ${{ needs.test.outputs.tag }}
        timout-minutes: 5
"""


def test_yaml_says_where_it_breaks(run: Run) -> None:
    result = checked("validate_config", run("validate_config", given("a.yaml", "a: 1\nb:\n\tc: 2\n")))
    assert found(result) == {(3, "yaml-syntax")}
    assert "tab" in result.findings[0].message
    assert result.outcome["status"] == "partial"
    assert result.outcome["tags"] == ["unparsable"]


@pytest.mark.parametrize(
    ("name", "text", "line", "rule"),
    [
        ("a.yaml", "a: 1\nb: 2\na: 3\n", 3, "duplicate-key"),
        ("a.json", '{\n "a": 1,\n "b": 2,\n "a": 3\n}\n', 4, "duplicate-key"),
        ("a.json", '{\n "a": 1,\n}\n', 3, "json-syntax"),
        ("a.json", '{\n "a": [1, 2\n}\n', 3, "json-syntax"),
        ("a.toml", "a = 1\n[b]\nc = 2\nc = 3\n", 4, "duplicate-key"),
        ("a.toml", "a = 1\nb = \n", 2, "toml-syntax"),
        (".env", "A=1\nB=2\nA=3\n", 3, "duplicate-key"),
        (".env", "A=1\nB = 2\n", 2, "env-syntax"),
        (".env", 'A=1\nB="two\n', 2, "env-syntax"),
        ("a.ini", "[a]\nb=1\nb=2\n", 3, "duplicate-key"),
        ("a.xml", "<a>\n<b></a>\n", 2, "xml-syntax"),
        ("main.tf", 'resource "a" "b" {\n  x = \n}\n', 2, "hcl-syntax"),
        ("main.tf", 'resource "a" "b" {}\nresource "a" "b" {}\n', 2, "terraform/duplicate"),
        ("a.yaml", "server:\n  port: 70000\n", 2, "port-range"),
        ("a.yaml", "api:\n  url: http:/example.org\n", 2, "url"),
        ("a.yaml", "api:\n  url: https://https://example.org\n", 2, "url"),
        ("a.yaml", "bind: 10.0.0.300\n", 1, "ip-address"),
        ("a.yaml", "log_level: inof\n", 1, "log-level"),
        ("a.yaml", "job:\n  cron: '* * 32 * *'\n", 2, "cron"),
        ("a.yaml", "http:\n  timeout: 30x\n", 2, "duration"),
        ("a.yaml", "feature:\n  enabled: 'true'\n", 2, "boolean-as-text"),
        ("a.yaml", "countries: [de, no, se]\n", 1, "norway"),
        ("a.yaml", "start: 22:30\n", 1, "sexagesimal"),
        ("a.yaml", "db:\n  password:\n", 2, "empty-secret"),
        ("a.yaml", "api:\n  key: <your-key>\n", 2, "placeholder"),
        ("app.properties", "a.url=${API_URL\n", 1, "unclosed-placeholder"),
        ("production.yaml", "debug: true\n", 1, "insecure-setting"),
        ("package.json", '{"name": "a", "version": "1.0",\n "scripts": {"test": "npm run lnt"}}', 1, "npm/version"),
        ("package.json", '{"name": "a", "version": "1.0.0",\n "scripts": {"test": "npm run lnt"}}', 2, "npm/script"),
        ("pyproject.toml", '[project]\nname = "a"\nrequires_python = ">=3"\nversion = "1"\n', 3, "pyproject/unknown-key"),
        ("pyproject.toml", '[project]\nname = "a"\n', 1, "pyproject/version"),
        ("web.service", "[Service]\nExecStart=/bin/a\nWantedBy=multi-user.target\n", 3, "systemd/wrong-section"),
        ("web.service", "[Service]\nExecStart=/bin/a && /bin/b\n", 2, "systemd/shell"),
        ("web.service", "[Service]\nType=sometimes\nExecStart=/bin/a\n", 2, "systemd/type"),
        ("crontab", "0 5 * * 8 /bin/a\n", 1, "cron"),
        ("Dockerfile", "FROM a:1\nRUN x\nCOPPY a b\n", 3, "docker/instruction"),
        ("Dockerfile", "FROM a:1\nCMD ['a', 'b']\n", 2, "docker/exec-form"),
        ("Dockerfile", "FROM a:1 AS build\nFROM b:1\nCOPY --from=biuld /a /b\n", 3, "docker/stage"),
        ("nginx.conf", "server {\n  listen 80\n  root /a;\n}\n", 2, "nginx/syntax"),
        ("nginx.conf", "server {\n  listen 443 ssl;\n  server_name a;\n}\n", 2, "nginx/certificate"),
        (".gitlab-ci.yml", "stages: [build]\na:\n  stage: test\n  script: [x]\n", 3, "gitlab/stage"),
        (".gitlab-ci.yml", "a:\n  scrpit: [x]\n", 2, "gitlab/unknown-key"),
    ],
)  # fmt: skip
def test_one_fault_each(run: Run, name: str, text: str, line: int, rule: str) -> None:
    result = checked("validate_config", run("validate_config", given(name, text)))
    assert (line, rule) in found(result)


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
    result = checked("validate_config", run("validate_config", given(name, text)))
    assert found(result) == set()
    assert result.outcome == {"status": "done", "severity": "none", "count": "none", "tags": []}


def test_compose(run: Run) -> None:
    result = checked("validate_config", run("validate_config", given("docker-compose.yml", COMPOSE)))
    assert found(result) >= {
        (1, "compose/version"),
        (6, "port-range"),
        (8, "compose/depends-on"),
        (9, "compose/restart"),
        (11, "compose/volumes"),
        (13, "compose/healthcheck"),
        (14, "compose/duration"),
        (15, "compose/image"),
        (17, "compose/unknown-key"),
        (19, "compose/port-taken"),
        (22, "compose/networks"),
    }
    assert "Did you mean `environment`?" in " ".join(each.hint for each in result.findings)


def test_kubernetes(run: Run) -> None:
    result = checked("validate_config", run("validate_config", given("k8s/web.yaml", DEPLOYMENT)))
    assert found(result, least="high") >= {
        (1, "k8s/removed-api"),
        (4, "k8s/name"),
        (5, "k8s/text"),
        (7, "k8s/replicas"),
        (9, "k8s/selector-mismatch"),
        (19, "k8s/text"),
        (21, "k8s/quantity"),
        (22, "k8s/quantity"),
        (23, "k8s/volume"),
        (24, "k8s/probe"),
        (32, "k8s/targetPort"),
        (38, "cron"),
        (43, "k8s/restartPolicy"),
    }


def test_a_service_is_seen_with_workloads_of_other_files(run: Run) -> None:
    service = (
        "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  selector: {app: wbe}\n  ports: [{port: 80}]\n"
    )
    workload = SOUND_DEPLOYMENT.split("---")[0]
    result = run("validate_config", given("service.yaml", service), given("web.yaml", workload))
    assert (5, "k8s/service-selector") in found(result)


def test_a_template_is_read_with_its_actions_blank(run: Run) -> None:
    text = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ .Values.name }}\nspec:\n  {{- if .Values.x }}\n  replicas: {{ .Values.replicas }}\n  {{- end }}\n  selector: {matchLabels: {app: a}}\n  template:\n    metadata: {labels: {app: a}}\n    spec:\n      containers:\n        - name: a\n          image: {{ .Values.image }}\n          resources: {limits: {memory: 64m}}\n"
    result = checked("validate_config", run("validate_config", given("chart/templates/web.yaml", text)))
    assert found(result) == {(16, "k8s/quantity")}
    assert "template" in result.text


def test_workflow(run: Run) -> None:
    result = checked("validate_config", run("validate_config", given(".github/workflows/ci.yml", WORKFLOW)))
    assert found(result) == {
        (3, "actions/filter"),
        (4, "cron"),
        (5, "actions/event"),
        (11, "actions/uses"),
        (14, "version-as-number"),
        (15, "actions/matrix"),
        (15, "actions/steps"),
        (16, "actions/step"),
        (17, "actions/job"),
        (18, "actions/needs"),
        (20, "actions/needs"),
        (21, "actions/unknown-key"),
    }


def test_references_are_looked_up_in_the_folder(rules: str) -> None:
    compose = "services:\n  web:\n    build: {context: ., dockerfile: Dockerfile.prod}\n    env_file: [prod.env, .env]\n    image: a:${TAG}\n    command: ${MODE:-run} ${HOST}\n"
    result = around("validate_config", rules, {"compose.yaml": compose}, {".env": ("HOST", "PORT"), "app/main.py": ()})
    assert found(result) == {(3, "compose/build"), (4, "compose/env-file"), (5, "compose/variable")}
    docker = "FROM a:1\nCOPY app /app\nCOPY requirements.txt dist/x.js logo.png /app/\n"
    result = around("validate_config", rules, {"Dockerfile": docker}, {"app/main.py": ()})
    assert found(result) == {(3, "docker/copy")}
    terraform = 'resource "aws_x" "y" {\n  a = var.b\n  c = aws_x.z.id\n  d = "${var.known}"\n}\nvariable "known" {}\n'
    assert found(around("validate_config", rules, {"main.tf": terraform}, {"a.md": ()})) == {
        (2, "terraform/undeclared"),
        (3, "terraform/undeclared"),
    }
    assert found(around("validate_config", rules, {"main.tf": terraform}, {"other.tf": ()})) == set()


def test_the_shop(run: Run) -> None:
    result = checked(
        "validate_config",
        run("validate_config", "config/production.yaml", "docker-compose.yml", "Dockerfile", ".github/workflows/ci.yml", "infra/main.tf", "api/openapi.yaml", ".env"),
    )  # fmt: skip
    assert rules(result, least="high") == set()
    assert result.facts["sorts"] == {
        "config/production.yaml": "yaml",
        "docker-compose.yml": "Compose file",
        "Dockerfile": "Dockerfile",
        ".github/workflows/ci.yml": "GitHub workflow",
        "infra/main.tf": "HCL",
        "api/openapi.yaml": "OpenAPI contract",
        ".env": "environment file",
    }


def test_values_of_secrets_are_masked(run: Run) -> None:
    text = "A=1\nDATABASE_PASSWORD = Sturdy-Walnut-77\nDATABASE_PASSWORD=Sturdy-Walnut-77\n"
    result = run("validate_config", given(".env", text))
    assert result.findings
    assert "Walnut" not in result.text + str([each.evidence for each in result.findings])


def test_what_is_no_setting_fails_with_a_word(run: Run) -> None:
    result = checked("validate_config", run("validate_config", given("a.py", "x = 1\n")))
    assert result.outcome == {"status": "failed", "tags": ["unparsable"]}
    mixed = run("validate_config", given("a.py", "x = 1\n"), given("a.yaml", "a: 1\n"))
    assert mixed.outcome["status"] == "partial"
