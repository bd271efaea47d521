"""Contracts, pipelines, infrastructure, security and package files inside JSON, YAML and TOML."""

from __future__ import annotations

import json

import pytest
from format_outlines import counts, outline, provides, references, sample

from plantwin.private.extract.formats import Draft, dialects


def test_openapi():
    found = outline(
        "yaml",
        """openapi: 3.0.3
info: {title: Shop, version: "1"}
paths:
  /orders:
    get: {operationId: listOrders, responses: {}}
    post: {operationId: createOrder}
  /health: {$ref: "paths/health.yaml"}
components:
  schemas:
    Order: {type: object, properties: {id: {type: string}}}
""",
    )
    assert counts(found, "api_path", "schema_def") == {"api_path": 3, "schema_def": 1}
    assert {"listOrders", "createOrder", "Order", "/orders"} <= set(found.names)
    assert references(found, "path") == [("paths/health.yaml", "specifies")]


def test_json_schema_and_avro():
    schema = outline(
        "json",
        '{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Person", "type": "object", "properties":'
        ' {"name": {"type": "string"}, "home": {"$ref": "address.json#/x"}}, "$defs": {"A": {"properties": '
        '{"b": {}}}}}',
    )
    assert counts(schema, "schema_def", "column") == {"schema_def": 2, "column": 3}
    assert references(schema, "path") == [("address.json", "specifies")]
    avro = outline("json", '{"type": "record", "name": "Event", "fields": [{"name": "id", "type": "long"}]}')
    assert counts(avro, "schema_def", "column") == {"schema_def": 1, "column": 1}
    plain = outline("json", '{"type": "object", "properties": {"a": 1, "b": 2}}')
    assert "schema_def" not in plain.features


def test_dbt():
    found = outline(
        "yaml",
        """version: 2
sources:
  - name: raw
    freshness: {warn_after: {count: 12, period: hour}}
    tables:
      - name: orders
        columns:
          - {name: id, tests: [unique, not_null]}
models:
  - name: stg_orders
    columns:
      - name: order_id
        data_tests:
          - relationships: {to: "ref('customers')", field: id}
""",
    )
    assert counts(found, "dbt_source", "data_check", "column", "schema_def", "foreign_key") == {
        "dbt_source": 1,
        "data_check": 4,
        "column": 2,
        "schema_def": 1,
        "foreign_key": 1,
    }
    assert references(found, "dbt") == [("stg_orders", "documents"), ("customers", "reads")]
    assert provides(found) == {("dbt_source", "raw.orders"), ("table", "orders")}
    project = outline("yaml", "name: shop\nversion: 1.0.0\nprofile: shop\nmodel-paths: [models]\nmodels: {shop: {}}\n")
    assert project.features["pipeline_step"] == 1
    assert provides(project) == {("dbt_project", "shop")}


def test_data_and_model_pipelines():
    dvc = outline(
        "yaml",
        "stages:\n  train:\n    cmd: python src/train.py\n    deps: [data/train.csv, src/train.py]\n"
        "    params: [params.yaml]\n    outs: [models/model.pkl]\n    metrics: [{metrics.json: {cache: false}}]\n",
    )
    assert dvc.features["pipeline_step"] == 1
    assert references(dvc, "path") == [
        ("src/train.py", "runs"),
        ("data/train.csv", "reads"),
        ("params.yaml", "configures"),
        ("models/model.pkl", "writes"),
        ("metrics.json", "writes"),
    ]
    params = outline("yaml", "train:\n  learning_rate: 0.001\n  epochs: 20\n  batch_size: 64\n  optimizer: adam\n")
    assert params.features["hyperparameter"] == 4
    suite = outline(
        "json",
        '{"expectation_suite_name": "orders", "expectations": [{"expectation_type":'
        ' "expect_column_values_to_not_be_null", "kwargs": {"column": "id"}}]}',
    )
    assert suite.features["data_check"] == 1
    assert "id" in suite.names
    metrics = outline("json", '{"accuracy": 0.93, "f1": 0.9, "val_loss": 0.21, "epoch": 12}')
    assert metrics.features["metric_field"] == 4


def test_cloudformation_and_state():
    template = outline(
        "yaml",
        """AWSTemplateFormatVersion: "2010-09-09"
Parameters: {Env: {Type: String}}
Resources:
  Bucket: {Type: "AWS::S3::Bucket", Properties: {AccessControl: PublicRead}}
  Table: {Type: "AWS::DynamoDB::Table"}
  Role: {Type: "AWS::IAM::Role"}
  Api: {Type: "AWS::Serverless::Function", Properties: {CodeUri: src/api/, Role: !GetAtt Role.Arn}}
  Net: {Type: "AWS::EC2::SecurityGroup", Properties: {Ingress: [{CidrIp: 0.0.0.0/0}]}}
  Alarm: {Type: "AWS::CloudWatch::Alarm"}
""",
    )
    assert counts(
        template,
        "infra_storage",
        "infra_database",
        "infra_access",
        "infra_compute",
        "infra_network",
        "infra_monitoring",
    ) == dict.fromkeys(
        ("infra_storage", "infra_database", "infra_access", "infra_compute", "infra_network", "infra_monitoring"), 1
    )
    assert counts(template, "infra_variable", "public_exposure") == {"infra_variable": 1, "public_exposure": 2}
    assert references(template, "path") == [("src/api/", "builds")]
    state = outline(
        "json",
        '{"version": 4, "terraform_version": "1.6.0", "serial": 3, "outputs": {"url": {"value": "x"}}, "resources":'
        ' [{"type": "aws_db_instance", "name": "main", "instances": [{"attributes": {"password": "x"}}]}]}',
    )
    assert counts(state, "infra_database", "infra_variable", "generated_marker") == {
        "infra_database": 1,
        "infra_variable": 1,
        "generated_marker": 1,
    }
    policy = outline(
        "json", '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}'
    )
    assert counts(policy, "infra_access", "open_permission") == {"infra_access": 1, "open_permission": 2}


def test_monitoring():
    rules = outline(
        "yaml", "groups:\n  - name: api\n    rules:\n      - alert: Down\n        expr: up == 0\n        for: 5m\n"
    )
    assert counts(rules, "infra_monitoring", "threshold") == {"infra_monitoring": 1, "threshold": 1}
    scrape = outline(
        "yaml", "scrape_configs:\n  - job_name: api\n    static_configs: []\nrule_files: [rules/api.yml]\n"
    )
    assert scrape.features["infra_monitoring"] == 1
    assert references(scrape, "path") == [("rules/api.yml", "configures")]
    board = outline("json", '{"title": "API", "panels": [{"type": "graph", "title": "Latency"}, {"type": "stat"}]}')
    assert board.features["infra_monitoring"] == 2


@pytest.mark.parametrize(
    ("format", "text"),
    [
        (
            "yaml",
            "title: X\nlogsource: {product: linux}\ndetection: {selection: {a: b}, condition: "
            "selection}\nlevel: high\n",
        ),
        (
            "yaml",
            "rules:\n  - id: no-eval\n    pattern: eval(...)\n    message: no\n    severity: ERROR\n    "
            "languages: [python]\n",
        ),
        ("yaml", "- rule: shell\n  condition: spawned_process\n  output: x\n  priority: WARNING\n"),
        ("security_rules", 'rule Evil\n{\n  strings:\n    $a = "x"\n  condition:\n    $a\n}\n'),
        ("security_rules", 'alert tcp any any -> any 22 (msg:"ssh"; sid:1000001; rev:1;)\n'),
        ("security_rules", "package kubernetes.admission\n\ndeny[msg] {\n  input.request\n}\n"),
    ],
    ids=["sigma", "semgrep", "falco", "yara", "snort", "rego"],
)
def test_security_rules(format: str, text: str):
    found = outline(format, text)
    assert found.parsed
    assert found.features["security_rule"] == 1


@pytest.mark.parametrize(
    "report",
    [
        {"$schema": "x", "version": "2.1.0", "runs": [{"tool": {}, "results": [{"ruleId": "R1"}, {"ruleId": "R2"}]}]},
        {"SchemaVersion": 2, "Results": [{"Vulnerabilities": [{"PkgName": "a"}, {"PkgName": "b"}]}]},
        {"vulnerabilities": {"a": {"name": "a", "severity": "high", "via": []}, "b": {"name": "b", "via": []}}},
        {"site": [{"alerts": [{"name": "XSS"}, {"name": "CSRF"}]}]},
        {"results": [{"filename": "a.py", "line_number": n, "issue_severity": "LOW", "test_id": "B1"} for n in (1, 2)]},
        [{"check_id": "C1", "severity": "HIGH", "file": "a.tf"}, {"check_id": "C2", "severity": "LOW", "file": "b.tf"}],
    ],
    ids=["sarif", "trivy", "npm", "zap", "bandit", "list"],
)
def test_findings(report: object):
    assert outline("json", json.dumps(report)).features["finding_record"] == 2


def test_package_manifests():
    node = outline(
        "json",
        '{"name": "@shop/web", "version": "1.0.0", "main": "dist/index.js", "workspaces": ["packages/*"], "scripts":'
        ' {"start": "node server.js", "lint": "eslint ."}, "dependencies": {"react": "^18.0.0", "left-pad": "1.3.0",'
        ' "@shop/core": "workspace:*"}, "jest": {}}',
    )
    assert counts(node, "dependency", "pinned", "unpinned", "task", "tool_section") == {
        "dependency": 2,
        "pinned": 1,
        "unpinned": 1,
        "task": 2,
        "tool_section": 1,
    }
    assert provides(node) == {("package", "@shop/web")}
    assert references(node, "package") == [("@shop/core", "imports")]
    assert references(node, "path") == [("server.js", "runs"), ("dist/index.js", "builds"), ("packages", "builds")]
    python = outline(
        "toml",
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n[project]\nname = '
        '"shop"\nreadme = "README.md"\n'
        'dependencies = ["flask>=2", "attrs==23.1.0"]\n[project.scripts]\nshop = "shop.cli:main"\n[dependency-groups]\n'
        'dev = ["pytest"]\n[tool.ruff]\nline-length = 100\n',
    )
    assert python.pins == [("flask", ">=2"), ("attrs", "==23.1.0"), ("pytest", "")]
    assert counts(python, "task", "tool_section", "build_step") == {"task": 1, "tool_section": 1, "build_step": 1}
    assert references(python, "python") == [("shop.cli", "runs")]
    rust = outline(
        "toml", '[package]\nname = "shop"\n[dependencies]\nserde = { version = "1.0" }\ncore = { path = "../core" }\n'
    )
    assert references(rust, "path") == [("../core", "imports")]
    assert provides(rust) == {("package", "shop")}
    conda = outline(
        "yaml", "name: ml\nchannels: [defaults]\ndependencies:\n  - python=3.11\n  - pip:\n    - torch==2.1.0\n"
    )
    assert conda.pins == [("python", "3.11"), ("torch", "==2.1.0")]


def test_lock_files():
    npm = outline(
        "json", '{"lockfileVersion": 3, "packages": {"": {}, "node_modules/a": {"version": "1.2.3", "integrity": "x"}}}'
    )
    assert npm.features["locked"] == 1
    assert npm.pins == [("a", "1.2.3")]
    cargo = '[[package]]\nname = "serde"\nversion = "1.0.1"\n\n[[package]]\nname = "rand"\nversion = "0.8.5"\n\n'
    for format in ("toml", "lock"):
        assert outline(format, "version = 3\n\n" + cargo).pins == [("serde", "1.0.1"), ("rand", "0.8.5")]
    yarn = outline(
        "lock", '# yarn lockfile v1\n\n"@a/b@^1.0.0", "@a/b@^1.1.0":\n  version "1.2.0"\n\nc@2:\n  version "2.0.0"\n'
    )
    assert yarn.pins == [("@a/b", "1.2.0"), ("c", "2.0.0")]
    go = outline("lock", "golang.org/x/net v0.17.0 h1:abc=\ngolang.org/x/net v0.17.0/go.mod h1:def=\n")
    assert go.pins == [("golang.org/x/net", "v0.17.0")]
    gem = outline(
        "lock", "GEM\n  remote: https://rubygems.org/\n  specs:\n    rails (7.0.4)\n      activesupport (= 7.0.4)\n"
    )
    assert gem.pins == [("rails", "7.0.4")]


def test_tool_settings():
    typescript = outline(
        "json",
        '{"extends": "./base.json", "compilerOptions": {"strict": true, "paths": {"@/*": ["src/*"]}}}',
        "tsconfig.json",
    )
    assert typescript.features["tool_section"] >= 1
    assert references(typescript, "path") == [("./base.json", "configures")]
    assert provides(typescript) == {("path_alias", "@/*=src/*")}
    hooks = outline(
        "yaml",
        "repos:\n  - repo: https://github.com/psf/black\n    rev: 24.1.0\n    hooks: [{id: black}]\n"
        "  - repo: local\n    hooks: [{id: check, entry: python scripts/check.py}]\n",
    )
    assert hooks.features["tool_section"] == 2
    assert hooks.pins == [("black", "24.1.0")]
    assert references(hooks, "root_path") == [("scripts/check.py", "runs")]
    assert outline("json", '{"semi": false, "singleQuote": true, "tabWidth": 2}').features["tool_section"] == 3


def test_content_trees():
    messages = outline(
        "json", '{"cart": {"title": "Your cart", "empty": "Nothing here yet!", "pay": "Pay now"}}', "locales/en.json"
    )
    assert messages.features["translation"] == 3
    assert messages.settings == []
    flags = outline("json", '{"beta": {"enabled": true, "rollout": 20}, "old": {"enabled": false, "rollout": 0}}')
    assert flags.features["feature_flag"] >= 2
    places = outline(
        "json", '{"type": "FeatureCollection", "features": [{"properties": {"name": "A", "population": 1000}}]}'
    )
    assert counts(places, "row", "column") == {"row": 1, "column": 2}
    postman = outline(
        "json", '{"info": {"_postman_id": "1"}, "item": [{"name": "a", "item": [{"name": "b", "request": {}}]}]}'
    )
    assert postman.features["api_path"] == 1
    har = outline("json", '{"log": {"version": "1.2", "entries": [{"time": 12.0, "request": {}}]}}')
    assert counts(har, "log_access", "log_latency") == {"log_access": 1, "log_latency": 1}


def test_cloud_trail():
    event = {
        "eventTime": "2024-03-01T10:00:00Z",
        "eventName": "ConsoleLogin",
        "userIdentity": {"type": "IAMUser"},
        "errorCode": "AccessDenied",
    }
    found = outline("json", json.dumps({"Records": [event, {**event, "eventTime": "2024-03-01T11:00:00Z"}]}))
    assert counts(found, "log_line", "log_auth", "log_auth_failure") == {
        "log_line": 2,
        "log_auth": 2,
        "log_auth_failure": 2,
    }
    assert found.span == (1709287200, 1709290800)


def test_keys_that_claim_do_not_make_a_dialect():
    found = outline(
        "json", '{"kind": "payment module", "apiVersion": 3, "services": "all", "openapi": true, "rules": []}'
    )
    assert not found.features.keys() & {"workload", "compose_service", "api_path", "security_rule"}


JUNK = (
    None,
    True,
    0,
    1.5,
    "",
    "x",
    "${X}",
    [],
    {},
    [None],
    [[]],
    [{}],
    ["x", 1],
    {"a": None},
    {"name": {}},
    {"type": {}},
)


def test_keys_of_every_dialect_with_values_of_every_type():
    rows = [keys.split() for keys, _ in dialects._ROWS]
    for keys in rows:
        for value in JUNK:
            nested = {"name": value, "type": value, "fields": [{"name": value, "type": {"type": value}}]}
            for other in (value, {"x": value}, [value], [nested], nested):
                given = sample("{}")
                dialects.recognise(Draft("json", given), [dict.fromkeys(keys, other), other])
