"""What the look of statements tells, routes that are counted once, and code without a known ending."""

from __future__ import annotations

import time

import pytest

from plantwin.private.classify.identify import identify
from plantwin.private.classify.languages import outline_code
from plantwin.private.classify.line_shapes import source_like

FLASK = b"""
from flask import Flask, g, jsonify, request

app = Flask(__name__)


@app.get("/orders")
def orders():
    return jsonify(request.args.get("status"))


@app.post("/orders")
def create():
    return jsonify(g.user), 201
"""


def test_imports_and_helpers_of_a_framework_are_no_routes() -> None:
    features = outline_code("python", FLASK, "app.py").features
    assert features["route"] == 2
    assert features["web_import"] >= 2


def test_a_router_is_known_by_what_it_was_given() -> None:
    source = b"""import { Router } from 'express';
export const hooks = Router();
hooks.post('/in', take);
cache.get('x');
"""
    assert outline_code("typescript", source, "hooks.ts").features["route"] == 1


def test_computation_is_dense() -> None:
    source = b"""
def bilinear(g, x, y):
    i, j = int(x), int(y)
    i, j = max(i, 0), max(j, 0)
    u, v = x - i, y - j
    return (1 - u) * (1 - v) * g[j][i] + u * (1 - v) * g[j][i + 1] + (1 - u) * v * g[j + 1][i] + u * v * g[j + 1][i + 1]
"""
    assert outline_code("python", source, "a.py").features["computation"] >= 8
    plain = b"def names(rows):\n    return [row.name for row in rows]\n" * 8
    assert "computation" not in outline_code("python", plain, "a.py").features


def test_rules_compare_attributes_and_refuse() -> None:
    source = b"""
def assign(member, plots):
    if member.arrears > GRACE:
        raise InArrears(member)
    if member.joined >= LIMIT:
        raise TooLate(member)
    for plot in plots:
        if plot.holder is None:
            plot.holder = member.id
            return plot
"""
    assert outline_code("python", source, "a.py").features["rule_check"] >= 4


@pytest.mark.parametrize(
    ("source", "feature"),
    [
        (
            b"import requests\nclass P:\n    def charge(self, amount, currency):\n"
            b"        return requests.post(U, json={'amount': amount, 'currency': currency})\n",
            "payment_call",
        ),
        (
            b"import requests\ndef notify(text):\n    requests.post(U, json={'text': text, 'channel': C})\n",
            "mail_call",
        ),
        (
            b"import httpx\ndef begin():\n    return {'redirect_uri': B, 'code_challenge': C, 'nonce': N}\n"
            b"def finish(code):\n    return httpx.post(T, data={'code': code})\n",
            "auth_call",
        ),
    ],
)
def test_a_client_is_what_it_sends(source: bytes, feature: str) -> None:
    assert outline_code("python", source, "a.py").features[feature] >= 2


def test_a_client_that_sends_nothing_of_the_sort() -> None:
    source = b"import requests\ndef slots(day):\n    return requests.get(U, params={'day': day}).json()\n"
    assert not outline_code("python", source, "a.py").features.keys() & {"payment_call", "mail_call", "auth_call"}


@pytest.mark.parametrize(
    ("path", "source", "feature"),
    [
        ("a.ex", b"defmodule A do\n  use Ecto.Schema\nend\n", "orm_model"),
        ("a.clj", b'(ns a (:require [compojure.core :refer [GET]]))\n(defroutes r (GET "/x" [] 1))\n', "route"),
        ("a.swift", b"import SwiftUI\nstruct A: View {\n  var body: some View { Text() }\n}\n", "component"),
        ("a.dart", b"Widget f() => TextField(obscureText: true);\n", "password_input"),
        ("a.jl", b"using CSV, DataFrames\nx = CSV.read(f, DataFrame)\n", "dataframe_call"),
        ("a.R", b"quietly({library(arrow); library(dplyr)})\nx <- df %>% filter(a)\n", "dataframe_call"),
        ("a.t", b"use Test::More tests => 2;\nis(f(1), 2);\nok(1);\n", "test_function"),
        ("a.feature", b"Feature: x\n  Scenario: y\n    Given z\n", "test_function"),
    ],
)  # fmt: skip
def test_languages_without_a_reader(path: str, source: bytes, feature: str) -> None:
    assert outline_code("generic", source, path).features[feature] >= 1


@pytest.mark.parametrize(
    "text",
    [
        b"PROGRAM Pump\nIF level > 80.0 THEN\n  run := TRUE;\nELSIF level < 20.0 THEN\n  run := FALSE;\nEND_IF;\n",
        b"class yard($port = 8080) {\n  package { 'nginx': ensure => present }\n  service { 'x': enable => true }\n}\n",
        b"payload.orders map (o) -> {\n  id: o.OrderNo,\n  lines: f(o),\n  n: sizeOf(o.Lines)\n}\nfun g(x) = x + 1;\n",
    ],
)
def test_code_of_an_unknown_language_is_code(text: bytes) -> None:
    assert identify("x/unknown.zzz", text) == "generic"


@pytest.mark.parametrize(
    "text",
    [
        b"Dear all,\nthe pump was restarted at nine.\nWe wait for the part.\nRegards\nKim\n",
        b"Release 2 (spring)\n- faster search (see below)\n- fewer errors\n\nRelease 1\n- first version\n",
        b"Buy milk\ncall Ann\nset the clock\nopen the window\n",
    ],
)
def test_prose_and_lists_are_no_code(text: bytes) -> None:
    assert identify("x/unknown.zzz", text) == "text"


def test_hostile_lines_take_no_time() -> None:
    started = time.process_time()
    for bait in (b"a.b.c." * 2000, b"[i" * 6000, b"(((" * 4000, b"x " * 6000, b"if a.b " * 2000):
        source_like([bait[:400]] * 48)
        outline_code("python", b"def f():\n    " + bait, "a.py")
    assert time.process_time() - started < 3.0
