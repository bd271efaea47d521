"""YAML, JSON and TOML: loaders, and delivery dialects recognised inside them."""

from __future__ import annotations

import pytest
from format_outlines import counts, outline, provides, references, sample

from plantwin.private.extract.formats import json_loader, outline_format, yaml_loader

COMPOSE = """
x-base: &base
  restart: always
services:
  web:
    <<: *base
    build:
      context: ./web
      dockerfile: Dockerfile.prod
    env_file: [.env, config/web.env]
    ports: ["8080:80"]
    depends_on:
      db: {condition: service_healthy}
    secrets: [api_key]
    healthcheck:
      test: ["CMD", "true"]
  worker:
    build: worker
    command: python tasks/run.py
  db:
    image: postgres:15.4
    volumes: ["./initdb:/docker-entrypoint-initdb.d", "data:/var/lib"]
  cache:
    image: redis:latest
volumes: {data: {}}
secrets:
  api_key: {file: secrets/api.txt}
"""


def test_compose():
    found = outline("yaml", COMPOSE)
    assert found.parsed
    assert counts(found, "compose_service", "image_ref", "pinned", "unpinned", "health_check", "infra_storage") == {
        "compose_service": 4,
        "image_ref": 2,
        "pinned": 1,
        "unpinned": 1,
        "health_check": 1,
        "infra_storage": 1,
    }
    assert references(found, "path") == [
        ("./web/Dockerfile.prod", "builds"),
        (".env", "configures"),
        ("config/web.env", "configures"),
        ("worker/Dockerfile", "builds"),
        ("tasks/run.py", "runs"),
        ("./initdb", "configures"),
        ("secrets/api.txt", "configures"),
    ]
    assert references(found, "service") == [("db", "runs")]
    assert references(found, "container") == [("postgres", "runs"), ("redis", "runs")]
    assert provides(found) == {("service", name) for name in ("web", "worker", "db", "cache")}
    assert found.features["secret_ref"] >= 1
    assert ("services.db.image", "postgres:15.4") in found.settings


def test_services_that_are_no_containers_are_settings():
    found = outline("yaml", "services:\n  billing:\n    url: https://billing.example.com\n    timeout: 30\n")
    assert "compose_service" not in found.features
    assert counts(found, "key", "host_literal", "threshold") == {"key": 2, "host_literal": 1, "threshold": 1}


KUBERNETES = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: api, namespace: shop}
spec:
  replicas: 3
  template:
    spec:
      containers:
        - name: api
          image: registry.example.com/shop/api:1.4.2
          envFrom: [{configMapRef: {name: api-settings}}]
          env:
            - name: TOKEN
              valueFrom: {secretKeyRef: {name: api-secret, key: token}}
          livenessProbe: {httpGet: {path: /health, port: 80}}
          resources: {limits: {cpu: 500m, memory: 256Mi}}
          securityContext: {privileged: true}
---
apiVersion: v1
kind: Service
metadata: {name: api}
spec: {type: LoadBalancer}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: deny-all}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader}
rules: [{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}]
"""


def test_kubernetes():
    found = outline("yaml", KUBERNETES)
    assert counts(found, "workload", "infra_network", "infra_access", "image_ref", "health_check", "secret_ref") == {
        "workload": 2,
        "infra_network": 1,
        "infra_access": 1,
        "image_ref": 1,
        "health_check": 1,
        "secret_ref": 1,
    }
    assert found.features["open_permission"] == 4
    assert found.features["public_exposure"] >= 1
    assert found.features["resource_limit"] >= 2
    assert references(found, "k8s") == [("ConfigMap/api-settings", "configures"), ("Secret/api-secret", "configures")]
    assert references(found, "container") == [("registry.example.com/shop/api", "runs")]
    assert provides(found) == {
        ("k8s", "Deployment/api"),
        ("k8s", "Service/api"),
        ("k8s", "NetworkPolicy/deny-all"),
        ("k8s", "Role/reader"),
    }


def test_helm_template_is_read_by_lines():
    found = outline(
        "yaml",
        """apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "shop.fullname" . }}
spec:
  {{- if not .Values.autoscaling.enabled }}
  replicas: {{ .Values.replicaCount }}
  {{- end }}
  template:
    spec:
      containers:
        - name: {{ .Chart.Name }}
          image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"
          resources:
            limits:
              cpu: 1
""",
    )
    assert found.parsed
    assert found.features["workload"] == 1
    assert found.features["template_tag"] >= 6
    assert found.features["resource_limit"] >= 1
    assert found.provides == []


def test_helm_chart_and_values():
    chart = outline(
        "yaml",
        "apiVersion: v2\nname: shop\nversion: 0.1.0\ndependencies:\n  - {name: redis, version: 17.0.1, "
        "repository: x}\n",
    )
    assert provides(chart) == {("package", "shop")}
    assert chart.pins == [("redis", "17.0.1")]
    assert chart.features["workload"] == 1
    values = outline(
        "yaml",
        "replicaCount: 2\nimage:\n  repository: shop/api\n  tag: 1.2.3\nservice: {port: 80}\nresources: "
        "{limits: {cpu: 1}}\n",
    )
    assert counts(values, "workload", "image_ref", "pinned") == {"workload": 1, "image_ref": 1, "pinned": 1}


def test_kustomization_refers_to_its_parts():
    found = outline(
        "yaml",
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [deployment.yaml, ../base]\n"
        "patches:\n  - path: patch.yaml\nconfigMapGenerator:\n  - {name: c, files: [app.conf=conf/app.conf]}\n",
    )
    assert [target for target, _ in references(found, "path")] == [
        "deployment.yaml",
        "../base",
        "patch.yaml",
        "conf/app.conf",
    ]


ACTIONS = """
name: CI
on:
  push: {branches: [main]}
  schedule: [{cron: "0 3 * * 1"}]
jobs:
  test:
    runs-on: ubuntu-latest
    services:
      db: {image: "postgres:16"}
    steps:
      - uses: actions/checkout@v4
      - uses: ./.github/actions/setup
      - run: |
          pip install -r requirements/dev.txt
          ./scripts/test.sh --fast
          python -m shop.smoke
        env: {TOKEN: "${{ secrets.DEPLOY_TOKEN }}"}
  deploy:
    needs: test
    uses: ./.github/workflows/deploy.yml
"""


def test_github_actions():
    found = outline("yaml", ACTIONS, ".github/workflows/ci.yml")
    assert counts(found, "ci_job", "image_ref", "secret_ref", "template_tag") == {
        "ci_job": 2,
        "image_ref": 1,
        "secret_ref": 1,
        "template_tag": 0,
    }
    assert found.features["schedule"] >= 1
    assert references(found, "shell") == [("./scripts/test.sh", "runs")]
    assert references(found, "python") == [("shop.smoke", "runs")]
    assert references(found, "root_path") == [
        (".github/actions/setup", "runs"),
        ("requirements/dev.txt", "configures"),
        (".github/workflows/deploy.yml", "runs"),
    ]
    assert found.pins == [("actions/checkout", "*")]


@pytest.mark.parametrize(
    ("text", "jobs"),
    [
        (
            "stages: [build]\nimage: node:20\nbuild:\n  stage: build\n  script: [npm ci, "
            "./ci/build.sh]\ntest:\n  script: npm test\n",
            2,
        ),
        (
            "version: 2.1\njobs:\n  build:\n    docker: [{image: 'cimg/node:20.1'}]\n    steps: [checkout, "
            "{run: ./ci/build.sh}]\n",
            1,
        ),
        ("trigger: [main]\npool: {vmImage: ubuntu}\nsteps:\n  - script: ./ci/build.sh\n  - task: Publish@1\n", 1),
        ("image: python:3.12\npipelines:\n  default:\n    - step: {name: Test, script: [./ci/build.sh]}\n", 1),
        ("language: python\nscript: ./ci/build.sh\n", 1),
    ],
    ids=["gitlab", "circle", "azure", "bitbucket", "travis"],
)
def test_other_pipelines(text: str, jobs: int):
    found = outline("yaml", text)
    assert found.features["ci_job"] == jobs
    assert references(found, "shell") == [("./ci/build.sh", "runs")]


def test_ansible():
    found = outline(
        "yaml",
        """- hosts: web
  become: true
  vars_files: [vars/main.yml]
  roles: [common, {role: nginx}]
  tasks:
    - name: install
      apt: {name: nginx}
    - name: settings
      template: {src: nginx.conf.j2, dest: /etc/nginx/nginx.conf}
    - ansible.builtin.import_tasks: tasks/tls.yml
""",
    )
    assert counts(found, "task", "infra_compute") == {"task": 4, "infra_compute": 1}
    assert references(found, "path") == [
        ("../templates/nginx.conf.j2", "configures"),
        ("tasks/tls.yml", "runs"),
        ("roles/common", "runs"),
        ("roles/nginx", "runs"),
        ("vars/main.yml", "configures"),
    ]


def test_app_config_with_environments_and_dangerous_settings():
    found = outline(
        "yaml",
        """default: &default
  database: {host: db.internal.example.com, pool: 5, max_connections: 20}
  features: {new_checkout: true, dark_mode: false}
development:
  <<: *default
  debug: true
production:
  <<: *default
  bind: 0.0.0.0
  ssl: {verify: false}
  password: ${DB_PASSWORD}
  api_key: changeme
  log_file: /var/log/shop/app.log
  retention_days: 30
""",
    )
    assert counts(found, "env_section", "disabled_protection", "placeholder", "retention") == {
        "env_section": 3,
        "disabled_protection": 1,
        "placeholder": 1,
        "retention": 1,
    }
    assert found.features["feature_flag"] >= 2
    assert found.features["public_exposure"] == 1
    assert found.features["path_literal"] == 1
    assert found.features["secret_ref"] == 1
    assert references(found, "env_key") == [("DB_PASSWORD", "configures")]
    assert ("default.database.host", "db.internal.example.com") in found.settings
    assert ("production.database.host", "db.internal.example.com") in found.settings


def test_line_reader_agrees_with_the_parser_on_block_style():
    text = """
name: shop   # a comment
empty:
servers:
- host: a
  ports:
  - 80
  - 443
- host: "b: c"
  tags: {x: y}
nested:
    deep:
        key: 'va#lue'
    other: 2
script: |
  not: a key
  - nor an item
last: end
"""
    expected, sound = yaml_loader.load(text)
    assert sound
    lines = yaml_loader.read_lines(text)
    assert isinstance(lines, dict) and isinstance(expected[0], dict)
    assert lines["servers"][0] == expected[0]["servers"][0]
    assert lines["servers"][1]["host"] == "b: c"
    assert lines["nested"] == expected[0]["nested"]
    assert lines["last"] == "end" and lines["name"] == "shop" and lines["empty"] == ""
    assert list(lines) == list(expected[0])


def test_broken_yaml_still_tells_its_keys():
    found = outline("yaml", "database:\n  host: a\n  port: [1, 2\nother: b\n")
    assert found.parsed is False
    assert {"database", "host", "other"} <= set(found.names)


def test_headers_are_not_broken_yaml():
    found = outline(
        "yaml",
        "Metadata-Version: 2.1\nName: shop\nVersion: 1.0\nSummary: A: b: c\n"
        "Requires-Dist: flask>=2\n\n# Shop\nKey: no\n",
    )
    assert found.parsed
    assert provides(found) == {("package", "shop")}
    assert found.pins == [("flask", ">=2")]
    assert "Key" not in found.names


def test_large_yaml_is_read_by_lines():
    text = "root:\n" + "".join(f"  key{n}: value{n}\n" for n in range(60_000))
    found = outline_format("yaml", sample(text))
    assert found.parsed
    assert found.features["key"] > 1000


def test_json_with_comments_and_trailing_commas():
    text = '{\n  // why\n  "url": "https://example.com/a", /* more */\n  "list": [1, 2,],\n}\n'
    assert json_loader.load(text, whole=True) == ({"url": "https://example.com/a", "list": [1, 2]}, True)
    assert json_loader.load('{"a": NaN}', whole=True)[1] is True


def test_json_that_is_cut_short_is_read_as_far_as_it_goes():
    text = '{"name": "x", "rows": [{"a": 1, "b": "two"}, {"a": 2, "b": "th'
    assert json_loader.load(text, whole=False) == ({"name": "x", "rows": [{"a": 1, "b": "two"}, {"a": 2}]}, True)
    assert json_loader.load(text, whole=True)[1] is False
    assert json_loader.load("no json at all", whole=True) == (None, False)


def test_json_in_other_encodings():
    for encoding in ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1"):
        found = outline("json", '{"straße": "zürich", "port": 8080}'.encode(encoding))
        assert found.parsed, encoding
        assert found.names == ["straße", "port"], encoding


def test_toml_by_parser_and_by_lines():
    text = '[server]\nhost = "a.example.com"\nports = [80, 443]\n[server.tls]\nverify = false\n[[rule]]\nname = "x"\n'
    small = outline("toml", text)
    assert small.parsed
    assert counts(small, "disabled_protection", "host_literal") == {"disabled_protection": 1, "host_literal": 1}
    large = outline("toml", text + "# padding\n" * 4000)
    assert ("server.tls.verify", "false") in large.settings and ("server.host", "a.example.com") in large.settings
    broken = outline("toml", "[server\nhost = 1\n")
    assert broken.parsed is False
    assert broken.names == ["host"]
