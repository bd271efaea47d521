"""YAML, JSON and TOML: loaders, and delivery dialects recognised inside them."""

from __future__ import annotations

import pytest
from format_outlines import counts, outline, references, sample

from plantwin.private.classify.readers import outline_format
from plantwin.private.formats import json as json_format
from plantwin.private.formats import yaml as yaml_format

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
    expected, sound = yaml_format.load(text)
    assert sound
    lines = yaml_format.read_lines(text)
    assert isinstance(lines, dict) and isinstance(expected[0], dict)
    assert lines["servers"][0] == expected[0]["servers"][0]
    assert lines["servers"][1]["host"] == "b: c"
    assert lines["nested"] == expected[0]["nested"]
    assert lines["last"] == "end" and lines["name"] == "shop" and lines["empty"] == ""
    assert list(lines) == list(expected[0])


def test_large_yaml_is_read_by_lines():
    text = "root:\n" + "".join(f"  key{n}: value{n}\n" for n in range(60_000))
    found = outline_format("yaml", sample(text))
    assert found.parsed
    assert found.features["key"] > 1000


def test_json_with_comments_and_trailing_commas():
    text = '{\n  // why\n  "url": "https://example.com/a", /* more */\n  "list": [1, 2,],\n}\n'
    assert json_format.load(text, whole=True) == ({"url": "https://example.com/a", "list": [1, 2]}, True)
    assert json_format.load('{"a": NaN}', whole=True)[1] is True


def test_json_that_is_cut_short_is_read_as_far_as_it_goes():
    text = '{"name": "x", "rows": [{"a": 1, "b": "two"}, {"a": 2, "b": "th'
    assert json_format.load(text, whole=False) == ({"name": "x", "rows": [{"a": 1, "b": "two"}, {"a": 2}]}, True)
    assert json_format.load(text, whole=True)[1] is False
    assert json_format.load("no json at all", whole=True) == (None, False)


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
