"""Contracts: valid or not, compatible or not, kept by code or not; single rules are tested by their examples."""

# ruff: noqa: E501 (one framework, one row)

from __future__ import annotations

import json

import pytest
from capability_inputs import Run, given, rules

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


SPRING = '@RestController\n@RequestMapping("/items")\nclass Items {\n  @GetMapping\n  List<Item> all() { return x; }\n  @PostMapping(consumes = "application/json")\n  Item add() { return x; }\n  @GetMapping("/{itemId}")\n  Item one() { return x; }\n  @DeleteMapping(value = "/{itemId}")\n  void gone() {}\n}\n'
FAST = 'from fastapi import APIRouter, FastAPI\nrouter = APIRouter(prefix="/items")\napp = FastAPI()\n@router.get("/")\ndef a(): ...\n@router.post("/", status_code=201)\nasync def b(): ...\n@router.get("/{item_id}")\ndef c(item_id: int): ...\n@router.delete("/{item_id}", status_code=204)\ndef d(item_id: int): ...\napp.include_router(router)\n'
EXPRESS = "const express = require('express');\nconst router = express.Router();\nrouter.get('/', list);\nrouter.post('/', (req, res) => { res.status(201).json({}); });\nrouter.route('/:itemId').get(one).delete(gone);\napp.use('/items', auth, router);\n"
GIN = 'package main\nfunc main() {\n\tr := gin.Default()\n\tg := r.Group("/items")\n\tg.GET("", list)\n\tg.POST("", add)\n\tg.GET("/:itemId", one)\n\tg.DELETE("/:itemId", gone)\n}\n'
ECHO = 'package main\nfunc routes(e *echo.Echo) {\n\tg := e.Group("/items")\n\tg.GET("", list)\n\tg.POST("", add)\n\tg.GET("/:itemId", one)\n\tg.DELETE("/:itemId", gone)\n}\n'
CHI = 'package main\nfunc main() {\n\tr := chi.NewRouter()\n\tr.Route("/items", func(r chi.Router) {\n\t\tr.Get("/", list)\n\t\tr.Post("/", add)\n\t\tr.Route("/{itemId}", func(r chi.Router) {\n\t\t\tr.Get("/", one)\n\t\t\tr.Delete("/", gone)\n\t\t})\n\t})\n}\n'
NET = 'package main\nfunc main() {\n\tmux.HandleFunc("GET /items", list)\n\tmux.HandleFunc("POST /items", add)\n\tmux.HandleFunc("GET /items/{itemId}", one)\n\tmux.HandleFunc("DELETE /items/{itemId}", gone)\n}\n'
RAILS = "Rails.application.routes.draw do\n  resources :items, only: [:index, :create, :show, :destroy]\nend\n"
LARAVEL = "<?php\nRoute::prefix('items')->group(function () {\n  Route::get('/', [A::class, 'a']);\n  Route::post('/', [A::class, 'b']);\n  Route::get('/{itemId}', [A::class, 'c']);\n  Route::delete('/{itemId}', [A::class, 'd']);\n});\n"
NEST = "@Controller('items')\nexport class Items {\n  @Get()\n  a() {}\n  @Post()\n  b() {}\n  @Get(':itemId')\n  c() {}\n  @Delete(':itemId')\n  d() {}\n}\n"
ASP = '[ApiController]\n[Route("[controller]")]\npublic class ItemsController : ControllerBase {\n  [HttpGet]\n  public A a() {}\n  [HttpPost]\n  public A b() {}\n  [HttpGet("{itemId}")]\n  public A c() {}\n  [HttpDelete("{itemId}")]\n  public A d() {}\n}\n'
DJANGO = "from django.urls import path\nurlpatterns = [path('items/', v.a), path('items/<int:item_id>/', v.b)]\n"
RESTFUL = "from flask_restful import Api\napi = Api(app)\napi.add_resource(Items, '/items')\napi.add_resource(Item, '/items/<int:item_id>')\n"
JAX = 'import jakarta.ws.rs.*;\n@Path("/items")\npublic class Items {\n  @GET\n  public A a() {}\n  @POST\n  public A b() {}\n  @GET\n  @Path("/{itemId}")\n  public A c() {}\n  @DELETE\n  @Path("/{itemId}")\n  public A d() {}\n}\n'

FRAMEWORKS = [
    ("Items.java", SPRING), ("Jax.java", JAX), ("items.py", FAST), ("items.js", EXPRESS), ("items.go", GIN), ("echo.go", ECHO), ("chi.go", CHI),
    ("net.go", NET), ("config/routes.rb", RAILS), ("routes/api.php", LARAVEL), ("items.controller.ts", NEST),
    ("ItemsController.cs", ASP), ("urls.py", DJANGO), ("api.py", RESTFUL),
]  # fmt: skip


RESOURCES = "Rails.application.routes.draw do\n  scope :api do\n    {}resources :items, except: [:edit] do\n      get :new_ones, on: :collection\n      collection do\n        get :sold\n      end\n      resource :owner, only: [:show]\n    end\n  end\nend\n"


def test_routes_of_rails_resources_are_all_read(run: Run) -> None:
    paths = {"/items": "get post", "/items/{id}": "get put delete", "/items/new_ones": "get", "/items/sold": "get"}
    paths["/items/{id}/owner"] = "get"
    asked = {path: {method: {"responses": {"200": {}}} for method in of.split()} for path, of in paths.items()}
    contract = {"openapi": "3.0.0", "info": {"title": "a", "version": "1"}, "paths": asked}
    result = run(
        "check_api_contract",
        given("openapi.json", json.dumps(contract)),
        given("config/routes.rb", RESOURCES.format("")),
    )
    assert result.facts["implemented"] == result.facts["operations"] == 8
    assert not {"OPENAPI-UNIMPLEMENTED", "OPENAPI-METHOD-UNDOCUMENTED", "OPENAPI-ROUTE-UNDOCUMENTED"} & rules(result)


@pytest.mark.parametrize(("line", "found"), [("", True), ("devise_for :users\n    ", False)])
def test_what_a_library_may_route_is_not_called_unimplemented(run: Run, line: str, found: bool) -> None:
    asked = {path: {"get": {"responses": {"200": {}}}} for path in ("/items", "/items/{id}", "/users/sign_in")}
    contract = {"openapi": "3.0.0", "info": {"title": "a", "version": "1"}, "paths": asked}
    result = run(
        "check_api_contract",
        given("openapi.json", json.dumps(contract)),
        given("config/routes.rb", RESOURCES.format(line)),
    )
    assert ("OPENAPI-UNIMPLEMENTED" in rules(result)) == found


@pytest.mark.parametrize(("name", "code"), FRAMEWORKS)
def test_routes_of_frameworks_keep_the_contract(run: Run, name: str, code: str) -> None:
    result = run("check_api_contract", given("openapi.yaml", ITEMS), given(name, code))
    assert rules(result, least="medium") == set()
    assert (result.facts["implemented"], result.facts["operations"]) == (4, 4)


@pytest.mark.parametrize(
    ("name", "server", "expected"),
    [
        (
            "routes.go",
            'func routes(e *echo.Echo) {\n\te.GET("/items", list)\n\te.GET("/items/:id/history", history)\n}\n',
            {"OPENAPI-ROUTE-UNDOCUMENTED"},
        ),
        ("routes.go", 'func routes(e *echo.Echo) {\n\te.GET("/items", list)\n}\n', {"OPENAPI-CALL-UNKNOWN"}),
        ("routes_test.go", 'func routes(e *echo.Echo) {\n\te.GET("/other", list)\n}\n', {"OPENAPI-CALL-UNKNOWN"}),
    ],
)
def test_a_call_that_the_server_answers_is_no_mistake_of_the_caller(
    run: Run, name: str, server: str, expected: set[str]
) -> None:
    client = "import axios from 'axios';\naxios.get(`/items/${id}/history`);\n"
    result = run(
        "check_api_contract",
        given("openapi.yaml", ITEMS),
        given(name, f"package main\n{server}"),
        given("client.js", client),
    )
    assert rules(result, least="medium") & {"OPENAPI-ROUTE-UNDOCUMENTED", "OPENAPI-CALL-UNKNOWN"} == expected


def test_the_shop(run: Run) -> None:
    result = run("check_api_contract", "api/openapi.yaml", "shop/app.py", "web/checkout.js")
    assert {(each.line, each.rule) for each in result.findings} == {(5, "OPENAPI-SECURITY-MISSING")}
    assert (result.facts["implemented"], result.facts["operations"]) == (4, 4)
    assert "| `POST /api/orders/{orderId}/pay` | `shop/app.py:45` | 201, 402 |" in result.text
