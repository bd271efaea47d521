"""Contracts: valid or not, compatible or not, kept by code or not; single rules are tested by their examples."""

# ruff: noqa: E501 (one framework, one row)

from __future__ import annotations

import pytest
from capability_inputs import Run, beside, given, rules

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


def test_a_valid_contract_is_left_alone(run: Run) -> None:
    result = run("check_api_contract", given("openapi.yaml", ITEMS))
    assert rules(result) == set()
    assert result.outcome["status"] == "done"


def test_the_order_of_versions_decides_and_not_that_of_the_inputs(run: Run) -> None:
    later = ITEMS.replace("  /items:\n", "  /things:\n").replace("version: 1.0.0", "version: 2.0.0")
    for inputs in ([("v1.yaml", ITEMS), ("v2.yaml", later)], [("v2.yaml", later), ("v1.yaml", ITEMS)]):
        result = run("check_api_contract", *(given(name, text) for name, text in inputs))
        assert {(each.name, each.rule) for each in result.findings} == {("v2.yaml", "OPENAPI-PATH-REMOVED")}


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
    assert rules(result) == set()
    assert result.facts["added"] == ["GET /more"]


def test_flask_against_its_contract(run: Run) -> None:
    result = run("check_api_contract", given("openapi.yaml", ITEMS), given("items.py", FLASK))
    assert {(each.name, each.line, each.rule) for each in result.findings} == {
        ("openapi.yaml", 7, "OPENAPI-UNIMPLEMENTED"),
        ("items.py", 13, "OPENAPI-STATUS-UNDOCUMENTED"),
        ("items.py", 12, "OPENAPI-STATUS-UNDOCUMENTED"),
        ("items.py", 15, "OPENAPI-ROUTE-UNDOCUMENTED"),
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
JAX = 'import jakarta.ws.rs.*;\n@Path("/items")\npublic class Items {\n  @GET\n  public A a() {}\n  @POST\n  public A b() {}\n  @GET\n  @Path("/{itemId}")\n  public A c() {}\n  @DELETE\n  @Path("/{itemId}")\n  public A d() {}\n}\n'

FRAMEWORKS = [
    ("Items.java", SPRING), ("Jax.java", JAX), ("items.py", FAST), ("items.js", EXPRESS), ("items.go", GIN), ("chi.go", CHI),
    ("net.go", NET), ("config/routes.rb", RAILS), ("routes/api.php", LARAVEL), ("items.controller.ts", NEST),
    ("ItemsController.cs", ASP), ("urls.py", DJANGO),
]  # fmt: skip


@pytest.mark.parametrize(("name", "code"), FRAMEWORKS)
def test_routes_of_frameworks_keep_the_contract(run: Run, name: str, code: str) -> None:
    result = run("check_api_contract", given("openapi.yaml", ITEMS), given(name, code))
    assert rules(result, least="medium") == set()
    assert (result.facts["implemented"], result.facts["operations"]) == (4, 4)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("items.py", FAST.replace('prefix="/items"', 'prefix="/api/v1/items"')),
        ("items.js", EXPRESS.replace("use('/items'", "use('/api/v1/items'")),
        ("items.go", GIN.replace('Group("/items")', 'Group("/api/v1/items")')),
    ],
)
def test_a_prefix_of_all_routes_is_no_difference(run: Run, name: str, code: str) -> None:
    result = run("check_api_contract", given("openapi.yaml", ITEMS), given(name, code))
    assert result.facts["implemented"] == 4


def test_other_handlers_around_make_it_less_sure(run: Run) -> None:
    inputs = (given("openapi.yaml", ITEMS), given("items.py", FAST.split("@router.delete")[0]))
    names = {"openapi.yaml": (), "items.py": (), "other.py": ()}
    sure = run("check_api_contract", *inputs)
    less = run("check_api_contract", *inputs, surroundings=beside(names, "api_handler"))
    assert [each.severity for each in sure.findings if each.tag == "unimplemented"] == ["high"]
    assert [each.severity for each in less.findings if each.tag == "unimplemented"] == ["medium"]
    assert "other.py" in less.text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("queries.graphql", "query A($id: ID!) { item(id: $id) { ...B } }\nfragment B on Item { id }\n"),
        ("part.graphql", 'type Query { a: Int }\nextend type User @key(fields: "id") { id: ID! @external }\n'),
    ],
)
def test_queries_and_parts_of_a_federated_schema_are_left_alone(run: Run, name: str, text: str) -> None:
    assert rules(run("check_api_contract", given(name, text))) == set()


def test_files_of_one_contract_are_not_taken_for_versions(run: Run) -> None:
    one = 'syntax = "proto3";\npackage a;\nmessage Item { int64 id = 1; }\n'
    other = 'syntax = "proto3";\npackage b;\nmessage Other { int64 id = 1; }\n'
    assert rules(run("check_api_contract", given("a.proto", one), given("b.proto", other))) == set()


def test_a_removed_protobuf_field_whose_number_is_reserved_is_less_grave(run: Run) -> None:
    old = 'syntax = "proto3";\nmessage Item { int64 id = 1; string name = 2; }\n'
    new = old.replace("string name = 2;", "reserved 2;")
    result = run("check_api_contract", given("1.proto", old), given("2.proto", new))
    assert [(each.rule, each.severity) for each in result.findings] == [("PROTO-FIELD-REMOVED", "low")]


def test_the_shop(run: Run) -> None:
    result = run("check_api_contract", "api/openapi.yaml", "shop/app.py", "web/checkout.js")
    assert {(each.line, each.rule) for each in result.findings} == {(5, "OPENAPI-SECURITY-MISSING")}
    assert (result.facts["implemented"], result.facts["operations"]) == (4, 4)
    assert "| `POST /api/orders/{orderId}/pay` | `shop/app.py:45` | 201, 402 |" in result.text


@pytest.mark.parametrize(("name", "text"), [("a.py", FAST), ("a.yaml", "openapi: [\n")])
def test_without_a_contract_it_fails(run: Run, name: str, text: str) -> None:
    assert run("check_api_contract", given(name, text)).outcome["status"] == "failed"


def test_routes_of_a_go_router_that_is_handed_in_are_not_judged(run: Run) -> None:
    code = 'package a\n\nfunc Register(g *gin.RouterGroup) {\n\tg.GET("/users", list)\n\tcache.Get("/key")\n}\n'
    result = run("check_api_contract", given("openapi.yaml", ITEMS), given("users.go", code))
    assert rules(result, least="medium") == set()
