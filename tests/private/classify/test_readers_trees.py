"""Formats that are read as trees and tables: YAML, JSON, TOML, XML, CSV, notebooks, and dialects inside them."""

from __future__ import annotations

import json

import pytest
from format_outlines import expect, outline, references, sample

from plantwin.private.classify.readers import Draft, outline_format
from plantwin.private.classify.readers.tables import column_features
from plantwin.private.classify.readers.trees import dialects, recognise
from plantwin.private.formats import json as json_format
from plantwin.private.formats import yaml as yaml_format


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
    expect(small, disabled_protection=1, host_literal=1)
    large = outline("toml", text + "# padding\n" * 4000)
    assert ("server.tls.verify", "false") in large.settings and ("server.host", "a.example.com") in large.settings
    broken = outline("toml", "[server\nhost = 1\n")
    assert broken.parsed is False
    assert broken.names == ["host"]


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("email", ["a@example.com", "b@example.com"], ["person_field"]),
        ("contact", ["a@example.com", "b@example.com"], ["person_field"]),
        ("first_name", ["1", "2"], ["metric_field"]),
        ("customerName", ["Ada", "Bo"], ["person_field"]),
        ("product_name", ["Lamp", "Desk"], ["money_field"]),
        ("price", ["10.00", "12.50"], ["money_field"]),
        ("created_at", ["2024-01-01T00:00:00Z"], ["time_field"]),
        ("created_at", ["yes", "no"], ["code_field"]),
        ("user_id", ["1", "2"], ["code_field"]),
        ("accuracy", ["0.91", "0.92"], ["metric_field"]),
        ("blood_pressure", ["120/80"], ["health_field"]),
    ],
)
def test_names_and_values_decide_together(name: str, values: list[str], expected: list[str]):
    assert column_features(name, values) == expected


def test_csv_in_windows_beyond_its_head():
    head = "id,amount\n" + "".join(f"{n},{n}.5\n" for n in range(1000))
    window = "".join(f"{n},{n}.5\n" for n in range(5000, 6000)).encode()
    given = sample(head, windows=(window,), size=10_000_000)
    found = outline_format("csv", given)
    assert found.features["row"] > 100_000
    assert found.features["money_field"] == 1


def test_broken_csv():
    found = outline("csv", 'a,b\n"unclosed,1\n2,3,4,5,6\n7\n')
    assert found.features["row"] >= 1
    nul = outline("csv", b"a,b\n1,\x002\n")
    assert nul.features["column"] == 2


def test_csv_encodings():
    for encoding in ("utf-8-sig", "utf-16", "latin-1"):
        found = outline("csv", "größe,straße\n1.5,Weg\n2.5,Gasse\n".encode(encoding))
        assert found.names == ["größe", "straße"], encoding


def test_json_lines_of_data_and_of_logs():
    data = "".join(json.dumps({"user": {"email": f"u{n}@example.com"}, "total": n + 0.5}) + "\n" for n in range(5))
    found = outline("jsonl", data)
    expect(found, row=5, column=2, person_field=1, money_field=1, log_line=0)
    log = (
        '{"ts": 1709287200, "level": "error", "msg": "failed", "duration_ms": 5}\n'
        '{"ts": 1709287260.5, "level": "info", "msg": "starting"}\n'
    )
    events = outline("jsonl", log)
    expect(events, log_line=2, log_error=1, log_latency=1, log_restart=1)
    assert events.span == (1709287200, 1709287260)
    broken = outline("jsonl", '{"a": 1}\nnot json\n{"a": \n[\n')
    assert broken.parsed is False


def test_json_arrays_and_nested_rows():
    rows = [{"name": f"n{n}", "price": n * 1.5, "sku": f"S{n}"} for n in range(6)]
    for document in (rows, {"count": 6, "items": rows}):
        found = outline("json", json.dumps(document))
        expect(found, row=6, column=3, money_field=2, key=0)
        assert found.settings == []


def test_xml_records_and_dialects():
    rows = outline(
        "xml", "<people>" + "<person id='1'><email>a@example.com</email><name>A</name></person>" * 4 + "</people>"
    )
    expect(rows, row=4, column=3, person_field=1, duplicate_row=3)
    pom = outline(
        "xml",
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><artifactId>shop</artifactId>'
        "<modules><module>core</module></modules><dependencies><dependency><groupId>g</groupId><artifactId>junit</artifactId>"
        "<version>4.13</version></dependency><dependency><artifactId>open</artifactId></dependency></dependencies></project>",
    )
    assert pom.pins == [("junit", "4.13"), ("open", "*")]
    assert [reference.target for reference in pom.references] == ["core"]
    tests = outline(
        "xml", '<testsuite tests="2"><testcase name="a"/><testcase name="b"><failure>x</failure></testcase></testsuite>'
    )
    expect(tests, log_build=2, log_error=1, generated_marker=1)
    settings = outline(
        "xml", '<configuration><appSettings><add key="Debug" value="true"/></appSettings></configuration>'
    )
    assert ("Debug", "true") in settings.settings
    strings = outline("xml", '<resources><string name="a">Hello</string><string name="b">World</string></resources>')
    assert strings.features["translation"] == 2
    broken = outline("xml", "<a><b name='x'></a>")
    assert broken.parsed is False and "b" in broken.names


def test_notebook():
    cells = [
        {"cell_type": "markdown", "source": ["# Churn\n", "Text\n"]},
        {
            "cell_type": "code",
            "source": "import pandas as pd\nfrom shop.model import Model\ndf = "
            "pd.read_csv('data/churn.csv')\nmodel.fit(df)",
            "outputs": [{"text": "x"}],
        },
        {"cell_type": "code", "source": ["df.to_csv('out/scores.csv')\n"], "outputs": []},
    ]
    found = outline("notebook", json.dumps({"nbformat": 4, "metadata": {}, "cells": cells}))
    expect(found, code_block=2, saved_output=1, heading=1, train_call=1)
    assert [tuple(reference) for reference in found.references] == [
        ("python", "pandas", "imports"),
        ("python", "shop.model:Model", "imports"),
        ("path", "data/churn.csv", "reads"),
        ("path", "out/scores.csv", "writes"),
    ]
    assert found.headings == ["Churn"]
    assert outline("notebook", "no notebook").parsed is False


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


def test_cloud_trail():
    event = {
        "eventTime": "2024-03-01T10:00:00Z",
        "eventName": "ConsoleLogin",
        "userIdentity": {"type": "IAMUser"},
        "errorCode": "AccessDenied",
    }
    found = outline("json", json.dumps({"Records": [event, {**event, "eventTime": "2024-03-01T11:00:00Z"}]}))
    expect(found, log_line=2, log_auth=2, log_auth_failure=2)
    assert found.span == (1709287200, 1709290800)


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
    for keys, _ in dialects():
        for value in JUNK:
            nested = {"name": value, "type": value, "fields": [{"name": value, "type": {"type": value}}]}
            for other in (value, {"x": value}, [value], [nested], nested):
                given = sample("{}")
                recognise(Draft("json", given), [dict.fromkeys(keys, other), other])
