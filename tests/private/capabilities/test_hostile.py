"""Hostile content for every family of capabilities: bounded time, no crash, and a word where not all was examined."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import NamedTuple

import pytest
from capability_inputs import Run, given

from plantwin.private.capabilities.engine.job import Input, Result
from tables import cases, value_of

SECONDS = 8.0
"""Far above what any of these takes, far below what a quadratic walk would take."""
FAMILIES = {
    "audit": ("security_audit", "summarize", "compare"),
    "code": ("lint", "measure_complexity", "audit_dependencies"),
    "data": ("profile_data", "check_data_quality", "validate_schema", "detect_drift", "compare_metrics", "review_queries", "review_migrations"),
    "logs": ("analyze_logs", "trace_errors", "build_timeline", "correlate_events"),
    "settings": ("validate_config", "audit_infrastructure", "check_api_contract", "check_accessibility", "compare_environments"),
    "text": ("classify", "extract_constraints"),
}  # fmt: skip
SECOND = {
    "compare": given("other.py", "x = 1\n"),
    "detect_drift": given("b.csv", "id,a\n1,2\n"),
    "compare_environments": given("staging.yaml", "a: 1\n"),
    "correlate_events": given("b.log", "2024-01-01 00:00:00 ERROR x\n"),
    "extract_constraints": given("b.md", "A must b."),
}
"""What a capability needs beside the hostile input, or what makes its work harder."""
OPENAPI = "openapi: 3.0.0\ninfo: {title: a, version: '1'}\npaths:\n"
JUNK = (b"", b"\0" * 5000, bytes(range(256)) * 40, b"\xff\xfe" + b"a\0" * 50, b"\xc3\x28" * 99, b"\r\r\n" * 50)
JUNK_PATHS = value_of(__file__, "junk_paths")


def doubled(first: str, line: str, times: int) -> str:
    """References to what was said before, twice in every line."""
    return first + "".join(line.format(n=n, before=f"b{n - 1}" if n else "a") for n in range(times))


class Bomb(NamedTuple):
    """A text, and the families of capabilities that it is given to."""

    path: str
    families: str
    text: Callable[[], str]


BOMBS = {
    "brackets": Bomb("a.py", "audit code", lambda: "(" * 80_000),
    "sums": Bomb("a.py", "audit code", lambda: "x = " + "1+" * 50_000 + "1\n"),
    "nested_queries": Bomb("a.py", "audit code", lambda: "x = " + "'select a from ' + (y % (" * 40 + "z" + "))" * 40 + "\n"),
    "nested_formats": Bomb("a.py", "audit code", lambda: "x = " + "f('{}'.format(" * 60 + "y" + "))" * 60 + "\n"),
    "chains": Bomb("a.py", "audit code", lambda: "x = a" + ".b()" * 3000 + "\n"),
    "many_functions": Bomb("a.py", "audit code text", lambda: "def f(request, x):\n    return open(x)\n" * 1500),
    "script_assignments": Bomb("a.js", "audit code", lambda: "let a = b + '" + "x" * 50 + "' + c;\n" * 10_000),
    "script_calls": Bomb("a.js", "audit code", lambda: "db.query(`select ${" * 8_000),
    "script_line": Bomb("a.js", "audit code", lambda: "eval(" * 80_000),
    "script_functions": Bomb("a.js", "text", lambda: "function f(){" * 100_000),
    "quotes": Bomb("a.php", "audit code", lambda: "<?php\n$a = '" + "\\'" * 120_000),
    "go_braces": Bomb("a.go", "audit code", lambda: "func f() {" * 60_000),
    "java_equals": Bomb("A.java", "audit code", lambda: "a=b+=c=" * 100_000),
    "shell_pipes": Bomb("a.sh", "audit code", lambda: "curl " * 80_000),
    "sql_grants": Bomb("a.sql", "audit code", lambda: "grant a " * 100_000),
    "yaml_deep": Bomb("a.yaml", "audit code data settings", lambda: "".join(" " * n + "a:\n" for n in range(900))),
    "yaml_alias": Bomb("a.yaml", "audit code settings", lambda: doubled("services: &a {x: 1}\n", "b{n}: &b{n} [*{before}, *{before}]\n", 60)),
    "yaml_keys": Bomb("a.yaml", "text", lambda: "a: b\n" * 40_000),
    "json_deep": Bomb("a.json", "audit code data", lambda: "[" * 100_000),
    "json_wide": Bomb("a.json", "audit code settings", lambda: "{" + ",".join(f'"k{n % 10_000}": {n}' for n in range(20_000)) + "}"),
    "toml_open": Bomb("pyproject.toml", "audit code settings", lambda: "a = '''" + "x" * 500_000),
    "terraform": Bomb("a.tf", "audit code settings", lambda: 'resource "a" "b" {\n' * 20_000),
    "dockerfile": Bomb("Dockerfile", "audit code settings", lambda: "FROM a\nRUN a \\\n" * 60_000),
    "markdown": Bomb("a.md", "audit code", lambda: "word " * 200_000),
    "headings": Bomb("a.md", "audit code text", lambda: "# a\n" * 40_000),
    "html_script": Bomb("a.html", "audit code settings", lambda: "<script>" * 60_000),
    "log_line": Bomb("a.log", "audit code", lambda: "2024-01-01 00:00:00 INFO " + "a1" * 200_000),
    "open_quote": Bomb("a.csv", "audit code data", lambda: 'a,"' + "x,\n" * 200_000),
    "operators": Bomb("a.kt", "code", lambda: "a < b > c ? d : \n" * 3_000),
    "scala_lines": Bomb("a.scala", "code", lambda: "let a = b + 'xx' + c;\n" * 5_000),
    "one_line": Bomb("a.js", "code", lambda: "a+=1;" * 400_000),
    "else_if": Bomb("a.js", "code", lambda: "if (a) {} " + "else if (a) {} " * 5000),
    "elif": Bomb("a.py", "code", lambda: "if a:\n    pass\n" + "elif a:\n    pass\n" * 5000),
    "logic": Bomb("a.js", "code", lambda: "x = " + "a && " * 5000 + "b;\n"),
    "same_lines": Bomb("a.py", "code", lambda: "value = compute(one, two, three, four, five, six)\n" * 6_000),
    "cases": Bomb("a.js", "code", lambda: "switch (a) {" + "case 1: b();\n" * 10_000 + "}"),
    "keys": Bomb("a.json", "code", lambda: "{" + ",".join('"a": 1' for _ in range(50_000)) + "}"),
    "requirements": Bomb("requirements.txt", "code", lambda: "a" * 100_000 + "\n" + "-r x \\\n" * 50_000),
    "pom": Bomb("pom.xml", "code", lambda: "<dependency>" * 12_000),
    "lock": Bomb("yarn.lock", "code", lambda: "a@1:\n  version " * 40_000),
    "package": Bomb("package.json", "code", lambda: "{" * 50_000),
    "package_types": Bomb("package.json", "code", lambda: '{"dependencies": [1, {"a": null}], "packages": 3}'),
    "workflow": Bomb(".github/workflows/a.yml", "code", lambda: "  - uses: a@b\n" * 25_000),
    "entities": Bomb("pom.xml", "code", lambda: '<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><a>&b;</a>'),
    "wide_row": Bomb("a.csv", "data text", lambda: "a," * 150_000),
    "long_cell": Bomb("a.csv", "data", lambda: "x" * 3_000_000),
    "deep_object": Bomb("a.json", "data settings", lambda: '{"a":' * 50_000),
    "sql_brackets": Bomb("001_a.sql", "data", lambda: "select " + "(" * 50_000),
    "sql_quotes": Bomb("001_a.sql", "data", lambda: "'" * 100_001),
    "sql_nothing": Bomb("001_a.sql", "data", lambda: ";" * 60_000),
    "sql_dollars": Bomb("001_a.sql", "data", lambda: "$$" * 40_001 + "$a$"),
    "sql_cases": Bomb("001_a.sql", "data", lambda: "case " * 40_000),
    "sql_comments": Bomb("001_a.sql", "data", lambda: "/*" * 100_000),
    "sql_copies": Bomb("001_a.sql", "data", lambda: "copy a from stdin;\n" * 10_000),
    "sql_alters": Bomb("001_a.sql", "data", lambda: "alter table a add column b int;" * 1200),
    "upgrades": Bomb("a.py", "data", lambda: "def upgrade():\n" + "    op.execute('DELETE FROM x')\n" * 4000),
    "loops": Bomb("a.js", "data", lambda: "for(x){" * 20_000 + "db.query('select a from b')"),
    "tables": Bomb("a.js", "data", lambda: "exports.up = function(knex){" + "knex.schema.table('a', t => { t.dropColumn('b') });" * 2000),
    "pairs": Bomb("a.log", "data", lambda: "loss=1 " * 200_000),
    "rows": Bomb("a.jsonl", "text", lambda: '{"a":1}\n' * 200_000),
    "log_no_line": Bomb("a.log", "logs text", lambda: "x" * 2_500_000),
    "log_fields": Bomb("a.log", "logs text", lambda: "2024-01-01 00:00:00 ERROR " + "a=b " * 500_000),
    "log_deep": Bomb("a.log", "logs", lambda: '{"a":' * 100_000),
    "log_brackets": Bomb("a.log", "logs", lambda: "[" * 200_000),
    "log_tracebacks": Bomb("a.log", "logs", lambda: "Traceback (most recent call last):\n" * 20_000),
    "log_frames": Bomb("a.log", "logs", lambda: '  File "a.py", line 1, in f\n' * 20_000),
    "log_java_frames": Bomb("a.log", "logs", lambda: "\tat a.b.c(D.java:1)\n" * 20_000),
    "log_causes": Bomb("a.log", "logs", lambda: "Caused by: a.BError: x\n" * 20_000),
    "log_addresses": Bomb("a.log", "logs", lambda: "2024-01-01 00:00:00 " + "1.1.1.1 " * 100_000),
    "log_patterns": Bomb("a.log", "logs", lambda: "\n".join(f"2024-01-01 00:00:0{n % 10} ERROR {' '.join(chr(97 + (n * k) % 26) * (1 + n % 7) for k in range(12))}" for n in range(6_000))),
    "log_path": Bomb("a.log", "logs", lambda: '192.0.2.4 - - [01/Mar/2024:10:00:00 +0000] "GET /' + "%2e%2e/" * 100_000 + ' HTTP/1.1" 200 1\n'),
    "log_dates": Bomb("a.log", "logs", lambda: "99999-99-99 99:99:99 ERROR x\n2024-02-31 25:61:61 x\n" * 100),
    "yaml_flow": Bomb("a.yaml", "settings", lambda: "a: " + "[" * 50_000),
    "yaml_merge": Bomb("a.yaml", "settings", lambda: doubled("a: &a {x: 1}\n", "b{n}: &b{n}\n  <<: [*{before}, *{before}]\n  k{n}: 1\n", 200)),
    "yaml_self": Bomb("a.yaml", "settings", lambda: "a: &a [*a]\n"),
    "yaml_documents": Bomb("a.yaml", "settings", lambda: "---\na: 1\n" * 30_000),
    "yaml_template": Bomb("a.yaml", "settings", lambda: "{{" * 100_000),
    "yaml_line": Bomb("a.yaml", "settings", lambda: "a: " + "x" * 3_000_000),
    "openapi_circle": Bomb("a.yaml", "settings", lambda: OPENAPI + "  /a: {get: {responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}}\ncomponents:\n  schemas:\n    A: {$ref: '#/components/schemas/B'}\n    B: {$ref: '#/components/schemas/A'}\n"),
    "openapi_wide": Bomb("a.yaml", "settings", lambda: OPENAPI + "".join(f"  /a{n}/{{x}}: {{get: {{}}}}\n" for n in range(3000))),
    "kubernetes_many": Bomb("a.yaml", "settings", lambda: "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {selector: {a: b}}\n---\n" * 190),
    "compose_circle": Bomb("compose.yaml", "settings", lambda: "services:\n" + "".join(f"  s{n}: {{image: a:1, depends_on: [s{(n + 1) % 1501}]}}\n" for n in range(1501))),
    "json_quotes": Bomb("a.json", "settings", lambda: '{"' + '\\"' * 400_000),
    "json_comments": Bomb("package.json", "settings", lambda: "/*" * 300_000),
    "toml_dots": Bomb("a.toml", "settings", lambda: "a" + ".b" * 100_000 + " = 1\n"),
    "env_quotes": Bomb(".env", "settings", lambda: "A='\n" * 60_000),
    "ini_sections": Bomb("a.ini", "settings", lambda: "[" * 400_000),
    "xml_entities": Bomb("a.xml", "settings", lambda: '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">' + "".join(f'<!ENTITY a{n} "&a{n - 1 if n else ""};&a{n - 1 if n else ""};">' for n in range(30)) + "]><a>&a29;</a>"),
    "xml_deep": Bomb("a.xml", "settings", lambda: "<a>" * 100_000),
    "hcl_signs": Bomb("a.tf", "settings", lambda: "a = " + "!-(" * 60_000),
    "hcl_quotes": Bomb("a.tf", "settings", lambda: 'a = "${' * 30_000),
    "dockerfile_here": Bomb("Dockerfile", "settings", lambda: "FROM a\n" + "RUN <<A <<B <<C <<D\n" * 15_000),
    "nginx": Bomb("nginx.conf", "settings", lambda: "server { listen 1;\n" * 40_000),
    "nginx_quotes": Bomb("nginx.conf", "settings", lambda: "server {\n a '" + "\\'" * 200_000),
    "crontab": Bomb("crontab", "settings", lambda: "* " * 200_000),
    "graphql": Bomb("a.graphql", "settings", lambda: "type A { a(" * 40_000),
    "graphql_brackets": Bomb("a.graphql", "settings", lambda: "type A { a: " + "[" * 200_000),
    "proto": Bomb("a.proto", "settings", lambda: "message A { " * 40_000),
    "proto_reserved": Bomb("a.proto", "settings", lambda: "message A { reserved " + "1 to max, " * 20_000 + "; }"),
    "html_open": Bomb("a.html", "settings", lambda: "<html><div>" * 25_000),
    "html_tags": Bomb("a.html", "settings", lambda: "<" * 500_000),
    "html_attributes": Bomb("a.html", "settings", lambda: "<a " + "b='c' " * 100_000),
    "html_comment": Bomb("a.html", "settings", lambda: "<!--" * 200_000),
    "html_template": Bomb("a.html", "settings", lambda: "{%" * 200_000 + "<%" * 100_000),
    "html_style": Bomb("a.html", "settings", lambda: "<html><style>" + ".a .b .c .d .e .f{color:red}" * 2000 + "</style>" + '<p class="a b f">x' * 2000),
    "html_labels": Bomb("a.html", "settings", lambda: "<label><input>" * 8_000),
    "css": Bomb("a.css", "settings", lambda: "@media a {" * 60_000),
    "css_colons": Bomb("a.css", "settings", lambda: "a{" + "color:" * 100_000),
    "jsx": Bomb("a.jsx", "settings", lambda: "const a = <div>" * 20_000),
    "jsx_braces": Bomb("a.jsx", "settings", lambda: "<a b={" * 60_000),
    "vue": Bomb("a.vue", "settings", lambda: "<template>" + "<a :b='" * 100_000),
    "svelte": Bomb("a.svelte", "settings", lambda: "<a b={" * 60_000),
}  # fmt: skip
SENTENCES = (
    "must " * 80_000, "The client must, " * 25_000, "a" * 1_000_000, "- a must b\n" * 40_000, "within 1,000,000,000 " * 20_000,
    '"""' * 80_000, "if " * 120_000, "(" * 200_000, "der darf " * 40_000, "<p>" * 120_000, "1. 1. 1. " * 40_000, "x\n" * 250_000,
)  # fmt: skip


def survived(run: Run, capability: str, hostile: Input) -> Result:
    """Run one capability on hostile content, and let it take as long as it may."""
    second = (SECOND[capability],) if capability in SECOND else ()
    started = time.process_time()
    result = run(capability, hostile, *second)
    assert time.process_time() - started < SECONDS, capability
    assert result.outcome["status"] in ("done", "partial", "failed")
    return result


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_end_in_time(run: Run, name: str) -> None:
    bomb = BOMBS[name]
    hostile = given(bomb.path, bomb.text())
    for family in bomb.families.split():
        for capability in FAMILIES[family]:
            result = survived(run, capability, hostile)
            assert family not in ("audit", "text") or result.outcome["status"] != "failed"


@pytest.mark.parametrize("name", ["a.md", "a.html", "a.py", "a.yaml"])
@pytest.mark.parametrize("text", SENTENCES, ids=lambda text: text[:12].strip())
def test_sentences_without_end(run: Run, text: str, name: str) -> None:
    assert survived(run, "extract_constraints", given(name, text)).outcome["status"] != "failed"


@pytest.mark.parametrize("path", ["a.py", "a.js", "a.go", "a.php", "A.java", "routes.rb", "a.cs"])
@pytest.mark.parametrize("code", ["@app.get('/" + "a/" * 50_000, "app.get('/a', " * 30_000, "fetch('/a', {" * 30_000, 'r.Route("/a", func(r x) {' * 5000], ids=["slashes", "calls", "fetches", "routes"])  # fmt: skip
def test_code_beside_a_contract(run: Run, path: str, code: str) -> None:
    contract = given("a.yaml", OPENAPI + "  /a: {get: {responses: {'200': {description: a}}}}\n")
    started = time.process_time()
    assert run("check_api_contract", contract, given(path, code)).outcome["status"] in ("done", "partial")
    assert time.process_time() - started < SECONDS


@pytest.mark.parametrize(
    ("family", "path"), [(family, path) for family, paths in JUNK_PATHS.items() for path in paths.split()]
)
def test_junk_is_no_reason_to_crash(run: Run, family: str, path: str) -> None:
    secrets = ("secret_scan", "assess_exposure") if family == "audit" else ()
    for data in JUNK:
        for capability in (*FAMILIES[family], *secrets):
            result = survived(run, capability, given(path, data))
            assert family != "audit" or result.outcome["status"] != "failed"


@cases("capability", "path", "line")
def test_what_is_too_long_is_said_to_be_cut(run: Run, capability: str, path: str, line: str) -> None:
    text = "".join(line.format(". " * 200, number=number) for number in range(45_000))
    outcome = survived(run, capability, given(path, text)).outcome
    assert outcome["status"] in ("partial", "failed")
    assert {"truncated", "unparsable"} & set(outcome["tags"])  # type: ignore[call-overload]


@cases("capability", "name", "text")
def test_content_cannot_act_as_markdown(run: Run, capability: str, name: str, text: str) -> None:
    shown = re.sub(r"`[^`\n]*`", "", run(capability, given(name, text)).text)  # a code span shows it as it is
    assert "[x](http" not in shown
    assert "<b>" not in shown


def test_nothing_private_shows_in_a_representation(run: Run) -> None:
    assert repr(run("security_audit", given("a.py", "token = 1\n"))) == "<Result private>"


@pytest.mark.parametrize("error", [KeyError, ImportError, RuntimeError, RecursionError])
def test_a_tool_that_fails_is_told_to_the_person_and_makes_the_outcome_partial(
    error: type[Exception], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from plantwin.private.capabilities.adapters import bandit

    def broken(data: bytes) -> list[object]:
        raise error("content of the file")

    monkeypatch.setattr(bandit, "run", broken)
    code = "import subprocess\n\n\ndef f(name):\n    subprocess.run('ls ' + name, shell=True)\n"
    result = run("security_audit", given("a.py", code))
    assert result.outcome["status"] == "partial"
    assert {each.tag for each in result.findings} == {"unsafe_execution"}, "our own rules still hold"
    assert result.facts["tools_failed"] == {"bandit": ["a.py"]}
    assert "bandit failed on a.py" in result.text
    assert "content of the file" not in str(result.facts) + result.text


def test_what_bandit_says_names_its_rule(run: Run) -> None:
    result = run("security_audit", given("a.py", "import yaml\n\n\ndef f(x):\n    return yaml.load(x)\n"))
    assert result.facts["tools_failed"] == {}
    assert "B506" in {finding.rule for finding in result.findings}
