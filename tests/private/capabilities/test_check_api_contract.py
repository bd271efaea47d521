"""Contracts: sound or not, compatible or not, kept by code or not."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import pytest
from capability_inputs import Run, given
from named_rules import around, checked, found, rules

HEAD = "openapi: 3.0.3\ninfo: {title: A, version: 1.0.0}\n"
ITEMS = (
    HEAD
    + """\
paths:
  /items:
    get:
      responses: {"200": {description: ok}}
    post:
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Item"}}}
      responses: {"201": {description: made}, "400": {description: no}}
  /items/{itemId}:
    parameters: [{name: itemId, in: path, required: true, schema: {type: integer}}]
    get:
      parameters: [{name: fields, in: query, schema: {type: string, enum: [a, b, c]}}]
      responses:
        "200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Item"}}}}
        "404": {description: no}
    delete:
      responses: {"204": {description: gone}}
components:
  schemas:
    Item:
      type: object
      required: [id]
      properties:
        id: {type: integer}
        name: {type: string, maxLength: 80}
        state: {type: string, enum: [new, old]}
  securitySchemes: {token: {type: http, scheme: bearer}}
security: [{token: []}]
"""
)
FLASK = """
from flask import Flask, Blueprint, abort
bp = Blueprint("items", __name__, url_prefix="/items")

@bp.get("")
def listed():
    return []

@bp.route("/<int:item_id>", methods=["GET", "DELETE"])
def one(item_id):
    if not item_id:
        abort(404)
    return {}, 204

@bp.post("/<item_id>/copy")
def copy(item_id):
    return {}
"""


def test_a_sound_contract_is_left_alone(run: Run) -> None:
    result = checked("check_api_contract", run("check_api_contract", given("openapi.yaml", ITEMS)))
    assert found(result) == set()
    assert result.outcome["status"] == "done"


@pytest.mark.parametrize(
    ("text", "line", "rule"),
    [
        (HEAD + "paths:\n  /a/{id}:\n    get:\n      responses: {'200': {description: a}}\n", 5, "openapi/path-parameter"),
        (HEAD + "paths:\n  /a:\n    get: {operationId: x, responses: {'200': {description: a}}}\n    put: {operationId: x, responses: {'200': {description: a}}}\n", 6, "openapi/operationId"),
        (HEAD + "paths:\n  /a:\n    get:\n      responses: {'200': {$ref: '#/components/responses/X'}}\n", 6, "openapi/ref"),
        (HEAD + "paths:\n  /a:\n    get: {summary: a}\n", 5, "openapi/responses"),
        (HEAD + "paths:\n  /a/{x}: {get: {parameters: [{name: x, in: path, required: true, schema: {type: string}}], responses: {'200': {description: a}}}}\n  /a/{y}: {get: {parameters: [{name: y, in: path, required: true, schema: {type: string}}], responses: {'200': {description: a}}}}\n", 5, "openapi/path"),
        (HEAD + "paths:\n  /a:\n    fetch: {}\n", 5, "openapi/method"),
        (HEAD + "paths: {}\ncomponents:\n  schemas:\n    A: {type: strng}\n", 6, "openapi/type"),
        (HEAD + "paths: {}\ncomponents:\n  schemas:\n    A: {type: object, required: [b], properties: {c: {type: string}}}\n", 6, "openapi/required"),
        (HEAD + "paths: {}\ncomponents:\n  schemas:\n    A: {type: array}\n", 6, "openapi/items"),
        (ITEMS.replace("security: [{token: []}]\n", ""), 7, "OWASP API2 security"),
        (ITEMS.replace("security: [{token: []}]", "security: [{tokn: []}]"), 31, "openapi/security"),
        ("openapi: 3.0.3\ninfo: {title: A}\npaths: {}\n", 2, "openapi/info"),
    ],
)  # fmt: skip
def test_faults_of_a_contract(run: Run, text: str, line: int, rule: str) -> None:
    assert (line, rule) in found(checked("check_api_contract", run("check_api_contract", given("openapi.yaml", text))))


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("  /items:\n", "  /things:\n", "path-removed"),
        ('    delete:\n      responses: {"204": {description: gone}}\n', "", "method-removed"),
        ("name: fields, in: query,", "name: fields, in: query, required: true,", "parameter-required"),
        ("enum: [a, b, c]", "enum: [a, b]", "enum-removed"),
        ("required: [id]", "required: [id, name]", "required-added"),
        ("id: {type: integer}", "id: {type: string}", "type-changed"),
        ("        name: {type: string, maxLength: 80}\n", "", "property-removed"),
        ("maxLength: 80", "maxLength: 40", "limit-tightened"),
        ("enum: [new, old]", "enum: [new, old, lost]", "enum-widened"),
        ('"201": {description: made}', '"202": {description: made}', "status-removed"),
        ("name: fields, in: query", "name: columns, in: query", "parameter-removed"),
    ],
)  # fmt: skip
def test_breaking_changes(run: Run, old: str, new: str, rule: str) -> None:
    assert old in ITEMS
    later = ITEMS.replace(old, new).replace("version: 1.0.0", "version: 2.0.0")
    result = checked("check_api_contract", run("check_api_contract", given("v1.yaml", ITEMS), given("v2.yaml", later)))
    assert rule in rules(result)
    assert {each.name for each in result.findings if each.tag == "breaking_change"} == {"v2.yaml"}
    swapped = run("check_api_contract", given("v2.yaml", later), given("v1.yaml", ITEMS))
    assert rules(swapped) == rules(result), "the order of versions decides, not that of the inputs"


def test_additions_break_nobody(run: Run) -> None:
    later = (
        ITEMS.replace("version: 1.0.0", "version: 1.1.0")
        .replace("        name: {type", "        note: {type: string}\n        name: {type")
        .replace("  /items:\n", "  /more:\n    get:\n      responses: {'200': {description: ok}}\n  /items:\n")
        .replace("{name: fields", "{name: page, in: query, schema: {type: integer}}, {name: fields")
        .replace("{itemId}", "{id}")
        .replace("name: itemId", "name: id")
    )
    result = run("check_api_contract", given("v1.yaml", ITEMS), given("v2.yaml", later))
    assert found(result) == set()
    assert result.facts["added"] == ["GET /more"]


def test_flask_against_its_contract(run: Run) -> None:
    result = checked(
        "check_api_contract", run("check_api_contract", given("openapi.yaml", ITEMS), given("items.py", FLASK))
    )
    named = {(each.name, each.line, each.message.rpartition("[")[2].rstrip("]")) for each in result.findings}
    assert named == {
        ("openapi.yaml", 7, "unimplemented"),
        ("items.py", 13, "undocumented-status"),
        ("items.py", 12, "undocumented-status"),
        ("items.py", 15, "undocumented-route"),
    }
    assert result.outcome["severity"] == "high"


SPRING = '@RestController\n@RequestMapping("/items")\nclass Items {\n  @GetMapping\n  List<Item> all() { return x; }\n  @PostMapping(consumes = "application/json")\n  Item add() { return x; }\n  @GetMapping("/{itemId}")\n  Item one() { return x; }\n  @DeleteMapping(value = "/{itemId}")\n  void gone() {}\n}\n'
FAST = 'from fastapi import APIRouter, FastAPI\nrouter = APIRouter(prefix="/items")\napp = FastAPI()\n@router.get("/")\ndef a(): ...\n@router.post("/", status_code=201)\nasync def b(): ...\n@router.get("/{item_id}")\ndef c(item_id: int): ...\n@router.delete("/{item_id}", status_code=204)\ndef d(item_id: int): ...\napp.include_router(router)\n'
EXPRESS = "const express = require('express');\nconst router = express.Router();\nrouter.get('/', list);\nrouter.post('/', (req, res) => { res.status(201).json({}); });\nrouter.route('/:itemId').get(one).delete(gone);\napp.use('/items', auth, router);\n"
GIN = 'package main\nfunc main() {\n\tr := gin.Default()\n\tg := r.Group("/items")\n\tg.GET("", list)\n\tg.POST("", add)\n\tg.GET("/:itemId", one)\n\tg.DELETE("/:itemId", gone)\n}\n'
CHI = 'package main\nfunc main() {\n\tr := chi.NewRouter()\n\tr.Route("/items", func(r chi.Router) {\n\t\tr.Get("/", list)\n\t\tr.Post("/", add)\n\t\tr.Route("/{itemId}", func(r chi.Router) {\n\t\t\tr.Get("/", one)\n\t\t\tr.Delete("/", gone)\n\t\t})\n\t})\n}\n'
NET = 'package main\nfunc main() {\n\tmux.HandleFunc("GET /items", list)\n\tmux.HandleFunc("POST /items", add)\n\tmux.HandleFunc("GET /items/{itemId}", one)\n\tmux.HandleFunc("DELETE /items/{itemId}", gone)\n}\n'
RAILS = "Rails.application.routes.draw do\n  resources :items, only: [:index, :create, :show, :destroy]\nend\n"
LARAVEL = "<?php\nRoute::prefix('items')->group(function () {\n  Route::get('/', [A::class, 'a']);\n  Route::post('/', [A::class, 'b']);\n  Route::get('/{itemId}', [A::class, 'c']);\n  Route::delete('/{itemId}', [A::class, 'd']);\n});\n"
NEST = "@Controller('items')\nexport class Items {\n  @Get()\n  a() {}\n  @Post()\n  b() {}\n  @Get(':itemId')\n  c() {}\n  @Delete(':itemId')\n  d() {}\n}\n"
ASP = '[ApiController]\n[Route("[controller]")]\npublic class ItemsController : ControllerBase {\n  [HttpGet]\n  public A a() {}\n  [HttpPost]\n  public A b() {}\n  [HttpGet("{itemId}")]\n  public A c() {}\n  [HttpDelete("{itemId}")]\n  public A d() {}\n}\n'
DJANGO = "from django.urls import path\nurlpatterns = [path('items/', v.a), path('items/<int:item_id>/', v.b)]\n"


@pytest.mark.parametrize(
    ("name", "code"),
    [("Items.java", SPRING), ("items.py", FAST), ("items.js", EXPRESS), ("items.go", GIN), ("chi.go", CHI), ("net.go", NET), ("config/routes.rb", RAILS), ("routes/api.php", LARAVEL), ("items.controller.ts", NEST), ("ItemsController.cs", ASP), ("urls.py", DJANGO)],
)  # fmt: skip
def test_routes_of_frameworks_keep_the_contract(run: Run, name: str, code: str) -> None:
    result = checked("check_api_contract", run("check_api_contract", given("openapi.yaml", ITEMS), given(name, code)))
    assert rules(result, least="medium") == set()
    assert (result.facts["implemented"], result.facts["operations"]) == (4, 4)


@pytest.mark.parametrize(("name", "code"), [("items.py", FAST), ("items.js", EXPRESS), ("items.go", GIN)])
def test_a_prefix_of_all_routes_is_no_difference(run: Run, name: str, code: str) -> None:
    code = (
        code.replace('prefix="/items"', 'prefix="/api/v1/items"')
        .replace("use('/items'", "use('/api/v1/items'")
        .replace('Group("/items")', 'Group("/api/v1/items")')
    )
    result = run("check_api_contract", given("openapi.yaml", ITEMS), given(name, code))
    assert result.facts["implemented"] == 4


def test_types_of_parameters_are_compared(run: Run) -> None:
    text = ITEMS.replace("required: true, schema: {type: integer}", "required: true, schema: {type: string}")
    result = run("check_api_contract", given("openapi.yaml", text), given("items.py", FAST))
    assert rules(result) == {"parameter-type"}


def test_calls_that_the_contract_does_not_know(run: Run) -> None:
    client = "await fetch(`/items/${id}`);\nawait fetch('/items', { method: 'PUT' });\naxios.get('/items/7/parts');\nfetch('https://other.example/thing');\n"
    result = checked(
        "check_api_contract", run("check_api_contract", given("openapi.yaml", ITEMS), given("client.js", client))
    )
    assert found(result) == {(2, "unknown-call"), (3, "unknown-call")}


def test_other_handlers_around_make_it_less_sure(rules: str) -> None:
    partly = FAST.split("@router.delete")[0]
    inputs = {"openapi.yaml": ITEMS, "items.py": partly}
    sure = around("check_api_contract", rules, inputs, {})
    less = around("check_api_contract", rules, inputs, {"other.py": ()}, "api_handler")
    assert [each.severity for each in sure.findings if each.tag == "unimplemented"] == ["high"]
    assert [each.severity for each in less.findings if each.tag == "unimplemented"] == ["medium"]
    assert "other.py" in less.text


GRAPH = 'type Query {\n  item(id: ID!): Item\n  items(first: Int = 10): [Item!]!\n}\n"""An item."""\ntype Item implements Node {\n  id: ID!\n  state: State # note\n}\ninterface Node { id: ID! }\ninput Change { name: String, size: Int! }\nenum State { NEW OLD }\nunion Any = Item\nscalar Date\n'


def test_graphql(run: Run) -> None:
    assert found(run("check_api_contract", given("a.graphql", GRAPH))) == set()
    broken = GRAPH.replace("state: State", "state: Stat").replace("id: ID!\n  state", "state")
    assert found(run("check_api_contract", given("a.graphql", broken))) == {
        (6, "graphql/interface"),
        (7, "graphql/unknown-type"),
    }


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("  state: State # note\n", "", "field-removed"),
        ("enum State { NEW OLD }", "enum State { NEW }", "enum-removed"),
        ("item(id: ID!): Item", "item(id: ID!, lang: String!): Item", "argument-required"),
        ("name: String,", "name: String, mode: Int!,", "required-added"),
        ("): [Item!]!", "): [Item!]", "type-changed"),
        ("union Any = Item\n", "", "type-removed"),
    ],
)  # fmt: skip
def test_graphql_changes(run: Run, old: str, new: str, rule: str) -> None:
    result = checked(
        "check_api_contract",
        run("check_api_contract", given("1.graphql", GRAPH), given("2.graphql", GRAPH.replace(old, new))),
    )
    assert rules(result) == {rule}


def test_graphql_widening_breaks_nobody(run: Run) -> None:
    later = (
        GRAPH.replace("state: State", "state: State!\n  note: String")
        .replace("size: Int!", "size: Int")
        .replace("first: Int = 10", "first: Int = 10, after: ID")
    )
    assert found(run("check_api_contract", given("1.graphql", GRAPH), given("2.graphql", later))) == set()


PROTO = 'syntax = "proto3";\npackage a.v1;\nmessage Item {\n  reserved 9, 20 to 22;\n  int64 id = 1;\n  string name = 2; // note\n  repeated State states = 3;\n  map<string, Item> parts = 4 [\n    (a.b) = { c: "d" }\n  ];\n  oneof kind { string a = 5; string b = 6; }\n  enum State { UNKNOWN = 0; NEW = 1; }\n}\nservice Items {\n  rpc Get(Item) returns (Item);\n  rpc Watch(Item) returns (stream Item) { option x = {}; }\n}\n'


@pytest.mark.parametrize(
    ("old", "new", "line", "rule"),
    [
        ("name = 2", "name = 1", 6, "proto/number"),
        ("name = 2", "name = 21", 6, "proto/reserved"),
        ("name = 2", "name = 19500", 6, "proto/number"),
        ("UNKNOWN = 0", "UNKNOWN = 2", 12, "proto/enum-zero"),
        ("string name", "Nmae name", 6, "proto/unknown-type"),
        ("int64 id = 1;", "int64 id = 1", 5, "proto/syntax"),
    ],
)  # fmt: skip
def test_protobuf(run: Run, old: str, new: str, line: int, rule: str) -> None:
    assert found(run("check_api_contract", given("a.proto", PROTO))) == set()
    assert (line, rule) in found(run("check_api_contract", given("a.proto", PROTO.replace(old, new))))


@pytest.mark.parametrize(
    ("old", "new", "rule", "severity"),
    [
        ("  string name = 2; // note\n", "", "field-removed", "high"),
        ("  string name = 2; // note\n", "  reserved 2;\n", "field-removed", "low"),
        ("string name = 2", "bool done = 2", "number-reused", "high"),
        ("string name = 2", "string title = 2", "field-renamed", "medium"),
        ("int64 id = 1", "string id = 1", "type-changed", "high"),
        ("name = 2", "name = 12", "number-changed", "high"),
        ("repeated State", "State", "label-changed", "high"),
        ("  rpc Get(Item) returns (Item);\n", "", "rpc-removed", "high"),
        ("returns (Item)", "returns (stream Item)", "rpc-changed", "high"),
        ("package a.v1", "package a.v2", "package-changed", "high"),
    ],
)  # fmt: skip
def test_protobuf_changes(run: Run, old: str, new: str, rule: str, severity: str) -> None:
    result = checked(
        "check_api_contract",
        run("check_api_contract", given("1.proto", PROTO), given("2.proto", PROTO.replace(old, new))),
    )
    assert {(each.message.rpartition("[")[2].rstrip("]"), each.severity) for each in result.findings} == {
        (rule, severity)
    }


def test_files_of_one_contract_are_not_taken_for_versions(run: Run) -> None:
    other = 'syntax = "proto3";\npackage b;\nmessage Other { int64 id = 1; }\n'
    assert found(run("check_api_contract", given("a.proto", PROTO), given("b.proto", other))) == set()


def test_the_shop(run: Run) -> None:
    result = checked(
        "check_api_contract", run("check_api_contract", "api/openapi.yaml", "shop/app.py", "web/checkout.js")
    )
    assert found(result) == {(5, "OWASP API2 security")}
    assert (result.facts["implemented"], result.facts["operations"]) == (4, 4)
    assert "| `POST /api/orders/{orderId}/pay` | `shop/app.py:45` | 201, 402 |" in result.text


def test_without_a_contract_it_fails(run: Run) -> None:
    assert checked("check_api_contract", run("check_api_contract", given("a.py", FAST))).outcome["status"] == "failed"
    assert run("check_api_contract", given("a.yaml", "openapi: [\n")).outcome["status"] == "failed"
