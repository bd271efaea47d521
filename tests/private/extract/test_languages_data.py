"""Outlines of SQL, dbt, HCL, HTML, templates and style sheets."""

from __future__ import annotations

import pytest

from plantwin.private.extract.languages import outline_code
from plantwin.private.facts import Outline


def references(outline: Outline) -> list[tuple[str, str, str]]:
    return [tuple(each) for each in outline.references]


def provided(outline: Outline) -> list[tuple[str, str]]:
    return [tuple(each) for each in outline.provides]


def test_sql() -> None:
    source = b"""-- create table fake (x int);
CREATE TABLE IF NOT EXISTS shop.users (
  id SERIAL PRIMARY KEY,
  email TEXT NOT NULL,
  org_id INT REFERENCES orgs(id)
);
CREATE UNIQUE INDEX users_email ON shop.users (email);
ALTER TABLE orders ADD COLUMN note text;
CREATE OR REPLACE FUNCTION total(x int) RETURNS int AS $$ SELECT sum(v) FROM items GROUP BY x $$ LANGUAGE sql;
WITH recent AS (SELECT * FROM orders WHERE d > current_date - interval '1 day'), b AS (SELECT 1)
SELECT r.id, EXTRACT(year FROM ts) FROM recent r JOIN "customers" c ON c.id = r.cid, b;
INSERT INTO audit (x) VALUES ('select * from fake2');
UPDATE accounts SET x = 1; DELETE FROM sessions; DROP TABLE old_stuff; TRUNCATE TABLE tmp;
"""
    outline = outline_code("sql", source, "db/schema.sql")
    assert outline.parsed
    assert references(outline) == [
        ("table", "orgs", "reads"),
        ("table", "orders", "writes"),
        ("table", "items", "reads"),
        ("table", "orders", "reads"),
        ("table", "customers", "reads"),
        ("table", "audit", "writes"),
        ("table", "accounts", "writes"),
        ("table", "sessions", "writes"),
        ("table", "old_stuff", "writes"),
        ("table", "tmp", "writes"),
    ]
    assert provided(outline) == [("table", "shop.users")]
    assert {"shop.users", "total", "id", "email", "org_id"} <= set(outline.names)
    assert outline.features == {
        "create_table": 1,
        "foreign_key": 1,
        "index": 1,
        "alter": 1,
        "create_routine": 1,
        "select": 4,
        "sql_aggregate": 1,
        "date_logic": 3,
        "insert_rows": 1,
        "destructive": 3,
    }


def test_dbt_model() -> None:
    source = b"""{{ config(materialized='table') }}
{# {{ ref('fake') }} #}
with orders as (
    select * from {{ ref('stg_orders') }}
), p as (select * from {{ source('raw', 'payments') }})
select customer_id, sum(amount) as total_amount
from orders join p on true
group by 1
"""
    outline = outline_code("sql", source, "models/marts/fct_orders.sql")
    assert outline.parsed
    assert references(outline) == [("dbt", "stg_orders", "reads"), ("dbt_source", "raw.payments", "reads")]
    assert provided(outline) == [("dbt", "fct_orders")]
    assert outline.names == ["total_amount"]
    assert outline.features["dbt_ref"] == 1
    assert outline.features["dbt_source"] == 1
    assert outline.features["sql_aggregate"] == 1


def test_dbt_macro() -> None:
    outline = outline_code("sql", b"{% macro cents(x) %}\n  ({{ x }} / 100)\n{% endmacro %}\n", "macros/cents.sql")
    assert outline.names == ["cents"]
    assert provided(outline) == []


def test_sql_migration_marks() -> None:
    outline = outline_code("sql", b"-- +goose Up\nALTER TABLE a ADD b int;\n-- +goose Down\n", "1.sql")
    assert outline.features["migration_op"] == 2


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (b"SELECT 1 FROM users u, orders WHERE x", [("users", "reads"), ("orders", "reads")]),
        (b"select * from `p.d.t` left join [dbo].[u] on 1", [("p.d.t", "reads"), ("dbo.u", "reads")]),
        (b"select * from generate_series(1, 2)", []),
        (b"insert into t select * from s", [("t", "writes"), ("s", "reads")]),
        (b"merge into t using s on 1", [("t", "writes")]),
        (b"create table t as select * from s; select * from t", [("s", "reads")]),
    ],
)
def test_tables(query: bytes, expected: list[tuple[str, str]]) -> None:
    outline = outline_code("sql", query, "q.sql")
    assert [(each.target, each.reason) for each in outline.references] == expected


def test_terraform() -> None:
    source = b"""# resource "fake" "x" {}
terraform {
  required_version = ">= 1.0"
}
variable "region" {
  default = "eu"
}
resource "aws_db_instance" "main" {
  storage_encrypted = false
}
resource "aws_security_group" "web" {
  ingress { cidr_blocks = ["0.0.0.0/0"] }
}
module "vpc" {
  source = "../modules/vpc"
}
data "aws_iam_policy_document" "p" {
  statement { actions = ["*"] }
}
resource "aws_instance" "x" {
  user_data = templatefile("${path.module}/init.sh", {})
}
"""
    outline = outline_code("hcl", source, "infra/main.tf")
    assert outline.parsed
    assert references(outline) == [("terraform", "../modules/vpc", "imports"), ("path", "init.sh", "reads")]
    assert provided(outline) == [
        ("terraform", "aws_db_instance.main"),
        ("terraform", "aws_security_group.web"),
        ("terraform", "aws_instance.x"),
    ]
    assert {"aws_db_instance", "aws_security_group", "vpc", "region"} <= set(outline.names)
    features = outline.features
    assert features["infra_database"] == 1
    assert features["infra_network"] == 1
    assert features["infra_access"] == 1
    assert features["infra_compute"] == 1
    assert features["infra_variable"] == 2
    assert features["public_exposure"] == 1
    assert features["open_permission"] == 1
    assert features["disabled_protection"] == 1
    assert outline.settings == []


def test_variable_file() -> None:
    outline = outline_code("hcl", b'# note = "x"\nregion = "eu-west-1"\nsize = 3\n', "prod.tfvars")
    assert outline.settings == [("region", "eu-west-1"), ("size", "3")]
    assert outline.features["key"] == 2


PAGE = b"""<!DOCTYPE html>
<!-- <form><img src="fake.png"></form> -->
<html>
<head><link rel="stylesheet" href="css/site.css"><script src="/static/app.js"></script>
<script>import { a } from "./mod.js"; var s = "<form>";</script></head>
<body>{% extends "base.html" %}{% include 'parts/nav.html' %}
<a href="https://x.example">x</a><a href="about.html#top">y</a>
<form action="/login" method="post"><label for="u">U</label><input id="u" name="u"><input type="password" name="p">
<label>Z <input name="z"></label><input type="hidden" name="csrf">
<img src="{{ logo }}"><img src="img/a.png" alt="A"></form>{% block content %}{% endblock %}
</body></html>
"""


def test_html() -> None:
    outline = outline_code("html", PAGE, "templates/login.html")
    assert outline.parsed
    assert references(outline) == [
        ("html", "css/site.css", "renders"),
        ("html", "/static/app.js", "renders"),
        ("html", "about.html", "renders"),
        ("html", "img/a.png", "renders"),
        ("javascript", "./mod.js", "imports"),
        ("path", "base.html", "renders"),
        ("path", "parts/nav.html", "renders"),
    ]
    assert outline.names == ["content"]
    features = outline.features
    assert features["form"] == 1
    assert features["password_input"] == 1
    assert features["input_unlabelled"] == 1
    assert features["image_without_text"] == 1
    assert features["no_language"] == 1
    assert features["template_tag"] == 5


def test_page_with_language() -> None:
    features = outline_code("html", b'<html lang="en"><body><img src="a.png" alt=""></body></html>', "x.html").features
    assert "no_language" not in features
    assert "image_without_text" not in features


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (b"<p>{{> shared/card }}</p>", "shared/card"),
        (b"<p><%= render 'shared/nav' %></p>", "shared/nav"),
        (b"@extends('layouts.app')\n@if (x)\n<p>{{ $x }}</p>\n@endif\n", "layouts/app.blade.php"),
    ],
)
def test_template_parents(source: bytes, target: str) -> None:
    assert references(outline_code("html", source, "x.html")) == [("path", target, "renders")]


def test_mail_layout() -> None:
    source = b'<table role="presentation" cellpadding="0"><tr><td>{{ name }}</td></tr></table><table></table>'
    assert outline_code("html", source, "welcome.html").features["email_markup"] == 2


def test_css() -> None:
    source = (
        b'@import "base.css";\n/* @import "fake.css"; */\na, .b { background: url("img/x.png") }\n'
        b"@media x { p {a:b} }\n"
    )
    outline = outline_code("css", source, "css/site.css")
    assert outline.parsed
    assert references(outline) == [("html", "base.css", "imports"), ("html", "img/x.png", "renders")]
    assert outline.features["style_rule"] == 3


def test_scss() -> None:
    source = (
        b'// @import "fake";\n@use "sass:math";\n@import "vars";\n@mixin box($x) { a { &:hover { color: red } } }\n'
    )
    outline = outline_code("css", source, "css/site.scss")
    assert references(outline) == [("html", "vars", "imports")]
    assert outline.names == ["box"]
