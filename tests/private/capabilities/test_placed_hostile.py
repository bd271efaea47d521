"""Hostile settings, contracts and pages: bounded time, no crash, and a word where not all could be examined."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from capability_inputs import Run, given
from named_rules import checked

SECONDS = 15.0
SINGLE = ("validate_config", "audit_infrastructure", "check_api_contract", "check_accessibility")
OPENAPI = "openapi: 3.0.0\ninfo: {title: a, version: '1'}\npaths:\n"
BOMBS: dict[str, tuple[str, Callable[[], str]]] = {
    "yaml_deep": ("a.yaml", lambda: "".join(" " * n + "a:\n" for n in range(900))),
    "yaml_flow": ("a.yaml", lambda: "a: " + "[" * 50_000),
    "yaml_alias": ("a.yaml", lambda: "services: &a {x: 1}\n" + "".join(f"b{n}: &b{n} [*{'b' + str(n - 1) if n else 'a'}, *{'b' + str(n - 1) if n else 'a'}]\n" for n in range(60))),
    "yaml_merge": ("a.yaml", lambda: "a: &a {x: 1}\n" + "".join(f"b{n}: &b{n}\n  <<: [*{'b' + str(n - 1) if n else 'a'}, *{'b' + str(n - 1) if n else 'a'}]\n  k{n}: 1\n" for n in range(400))),
    "yaml_self": ("a.yaml", lambda: "a: &a [*a]\n"),
    "yaml_documents": ("a.yaml", lambda: "---\na: 1\n" * 30_000),
    "yaml_template": ("a.yaml", lambda: "{{" * 100_000),
    "yaml_openapi_ref": ("a.yaml", lambda: OPENAPI + "  /a: {get: {responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}}\ncomponents:\n  schemas:\n    A: {$ref: '#/components/schemas/B'}\n    B: {$ref: '#/components/schemas/A'}\n"),
    "openapi_wide": ("a.yaml", lambda: OPENAPI + "".join(f"  /a{n}/{{x}}: {{get: {{}}}}\n" for n in range(8000))),
    "kubernetes_many": ("a.yaml", lambda: "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {selector: {a: b}}\n---\n" * 190),
    "compose_circle": ("compose.yaml", lambda: "services:\n" + "".join(f"  s{n}: {{image: a:1, depends_on: [s{n + 1}]}}\n" for n in range(3000)) + "  s3000: {image: a:1, depends_on: [s0]}\n"),
    "json_deep": ("a.json", lambda: '{"a":' * 100_000),
    "json_wide": ("a.json", lambda: "{" + ",".join(f'"k": {n}' for n in range(60_000)) + "}"),
    "json_quotes": ("a.json", lambda: '{"' + '\\"' * 400_000),
    "json_comments": ("package.json", lambda: "/*" * 300_000),
    "toml_dots": ("a.toml", lambda: "a" + ".b" * 100_000 + " = 1\n"),
    "toml_open": ("pyproject.toml", lambda: "a = '''" + "x" * 500_000),
    "env_quotes": (".env", lambda: "A='\n" * 60_000),
    "ini_sections": ("a.ini", lambda: "[" * 400_000),
    "xml_entities": ("a.xml", lambda: '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">' + "".join(f'<!ENTITY a{n} "&a{n - 1 if n else ""};&a{n - 1 if n else ""};">' for n in range(30)) + "]><a>&a29;</a>"),
    "xml_deep": ("a.xml", lambda: "<a>" * 100_000),
    "hcl_blocks": ("a.tf", lambda: 'resource "a" "b" {\n' * 20_000),
    "hcl_signs": ("a.tf", lambda: "a = " + "!-(" * 60_000),
    "hcl_quotes": ("a.tf", lambda: 'a = "${' * 30_000),
    "dockerfile": ("Dockerfile", lambda: "FROM a\nRUN a \\\n" * 60_000),
    "dockerfile_here": ("Dockerfile", lambda: "FROM a\n" + "RUN <<A <<B <<C <<D\n" * 15_000),
    "nginx": ("nginx.conf", lambda: "server { listen 1;\n" * 40_000),
    "nginx_quotes": ("nginx.conf", lambda: "server {\n a '" + "\\'" * 200_000),
    "crontab": ("crontab", lambda: "* " * 200_000),
    "graphql": ("a.graphql", lambda: "type A { a(" * 40_000),
    "graphql_brackets": ("a.graphql", lambda: "type A { a: " + "[" * 200_000),
    "proto": ("a.proto", lambda: "message A { " * 40_000),
    "proto_reserved": ("a.proto", lambda: "message A { reserved " + "1 to max, " * 20_000 + "; }"),
    "html_open": ("a.html", lambda: "<html><div>" * 60_000),
    "html_tags": ("a.html", lambda: "<" * 500_000),
    "html_attributes": ("a.html", lambda: "<a " + "b='c' " * 100_000),
    "html_comment": ("a.html", lambda: "<!--" * 200_000),
    "html_template": ("a.html", lambda: "{%" * 200_000 + "<%" * 100_000),
    "html_script": ("a.html", lambda: "<script>" * 60_000),
    "html_style": ("a.html", lambda: "<html><style>" + ".a .b .c .d .e .f{color:red}" * 4000 + "</style>" + '<p class="a b f">x' * 4000),
    "html_labels": ("a.html", lambda: "<label><input>" * 20_000),
    "css": ("a.css", lambda: "@media a {" * 60_000),
    "css_colons": ("a.css", lambda: "a{" + "color:" * 100_000),
    "jsx": ("a.jsx", lambda: "const a = <div>" * 20_000),
    "jsx_braces": ("a.jsx", lambda: "<a b={" * 60_000),
    "vue": ("a.vue", lambda: "<template>" + "<a :b='" * 100_000),
    "svelte": ("a.svelte", lambda: "<a b={" * 60_000),
    "line": ("a.yaml", lambda: "a: " + "x" * 3_000_000),
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_end_in_time(run: Run, name: str) -> None:
    path, make = BOMBS[name]
    bomb = given(path, make())
    started = time.process_time()
    for capability in SINGLE:
        assert checked(capability, run(capability, bomb)).outcome["status"] in ("done", "partial", "failed")
    other = given(f"staging-{path}", "a: 1\n")
    assert checked("compare_environments", run("compare_environments", bomb, other)).outcome["status"] in (
        "done",
        "partial",
        "failed",
    )
    assert time.process_time() - started < SECONDS


@pytest.mark.parametrize(
    "code",
    [
        "@app.get('/" + "a/" * 50_000,
        "app.get('/a', " * 30_000,
        "fetch('/a', {" * 30_000,
        'r.Route("/a", func(r x) {' * 5000,
    ],
)
@pytest.mark.parametrize("path", ["a.py", "a.js", "a.go", "a.php", "A.java", "routes.rb", "a.cs"])
def test_code_beside_a_contract(run: Run, path: str, code: str) -> None:
    contract = given("a.yaml", OPENAPI + "  /a: {get: {responses: {'200': {description: a}}}}\n")
    started = time.process_time()
    assert checked("check_api_contract", run("check_api_contract", contract, given(path, code))).outcome["status"] in (
        "done",
        "partial",
    )
    assert time.process_time() - started < SECONDS


@pytest.mark.parametrize(
    "path",
    [
        "a.yaml",
        "a.json",
        "a.toml",
        ".env",
        "a.ini",
        "a.xml",
        "a.tf",
        "Dockerfile",
        "nginx.conf",
        "a.html",
        "a.tsx",
        "a.css",
        "a.proto",
        "a.graphql",
        "a",
    ],
)
@pytest.mark.parametrize(
    "data", [b"", b"\0" * 5000, bytes(range(256)) * 40, b"\xff\xfe" + b"a\0" * 50, b"\xc3\x28" * 99, b"\r\r\n" * 50]
)
def test_junk_is_no_reason_to_crash(run: Run, path: str, data: bytes) -> None:
    junk = given(path, data)
    for capability in SINGLE:
        assert checked(capability, run(capability, junk)).outcome["status"] in ("done", "partial", "failed")
    assert checked("compare_environments", run("compare_environments", junk, junk)).outcome["status"] in (
        "done",
        "partial",
        "failed",
    )


@pytest.mark.parametrize(
    ("capability", "path", "line"),
    [
        ("validate_config", "a.yaml", "k{}: 1\n"),
        ("audit_infrastructure", "a.tf", 'variable "v{}" {{}}\n'),
        ("check_accessibility", "a.html", "<p>{}</p>\n"),
        ("check_api_contract", "a.graphql", "type T{} {{ a: Int }}\n"),
    ],
)
def test_what_is_too_long_is_said_to_be_cut(run: Run, capability: str, path: str, line: str) -> None:
    long = given(path, "".join(line.format(n) for n in range(250_000)))
    outcome = checked(capability, run(capability, long)).outcome
    assert outcome["status"] == "partial"
    assert "truncated" in outcome["tags"]  # type: ignore[operator]
