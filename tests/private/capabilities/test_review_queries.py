"""Queries whose weaknesses are known, beside queries without any."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import re

import pytest
from capability_inputs import Run, given
from data_inputs import checked, found

from plantwin.private.capabilities.job import Result
from plantwin.private.capabilities.statements.split import statements


def rules(result: Result) -> set[tuple[int, str]]:
    return {(each.line, re.findall(r"\[([\w-]+)\]$", each.message)[0]) for each in result.findings}


@pytest.mark.parametrize(
    ("sql", "rule"),
    [
        ("SELECT * FROM users WHERE id = 1", "select-star"),
        ("SELECT id FROM users WHERE lower(email) = 'a'", "wrapped-column"),
        ("UPDATE users SET active = false", "unbounded-change"),
        ("DELETE FROM users", "unbounded-change"),
        ("DELETE FROM logs WHERE 1 = 1", "always-true"),
        ("SELECT a.id FROM a, b WHERE a.x = 3", "cross-join"),
        ("SELECT a.id FROM a JOIN b", "cross-join"),
        ("SELECT id FROM t WHERE name LIKE '%foo'", "leading-wildcard"),
        ("SELECT id FROM t WHERE x > 3 ORDER BY y", "order-unlimited"),
        ("SELECT id FROM t ORDER BY random() LIMIT 3", "order-random"),
        ("SELECT id FROM t WHERE id NOT IN (SELECT t_id FROM u)", "not-in-null"),
        ("SELECT id FROM t WHERE x = NULL", "equals-null"),
        ("SELECT u.id FROM u LEFT JOIN v ON v.u = u.id WHERE v.k = 3", "left-join-where"),
        ("SELECT id, count(*) FROM t", "ungrouped"),
        ("INSERT INTO t VALUES (1, 2)", "insert-columns"),
        ("SELECT (SELECT max(x) FROM v WHERE v.u = u.id) FROM u", "correlated"),
        ("SELECT id FROM t LIMIT 10 OFFSET 50000", "far-offset"),
        ("TRUNCATE TABLE t", "truncate"),
    ],
)
def test_each_rule(run: Run, sql: str, rule: str) -> None:
    result = checked("review_queries", run("review_queries", given("q.sql", f"-- a comment\n\n{sql};\n")))
    assert (3, rule) in rules(result)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id, name FROM users WHERE email = 'a'",
        "UPDATE users SET active = false WHERE id = 3",
        "SELECT a.id FROM a, b WHERE a.x = b.y",
        "SELECT a.id FROM a CROSS JOIN b",
        "SELECT id FROM t WHERE name LIKE 'foo%' LIMIT 5",
        "SELECT id FROM t ORDER BY id LIMIT 10",
        "SELECT id FROM t WHERE id NOT IN (SELECT t_id FROM u WHERE t_id IS NOT NULL)",
        "SELECT u.id FROM u LEFT JOIN v ON v.u = u.id WHERE v.u IS NULL",
        "SELECT kind, count(*) FROM t GROUP BY kind",
        "INSERT INTO t (a, b) VALUES (1, 2)",
        "SELECT count(*) FROM t",
        "SELECT id FROM t WHERE EXISTS (SELECT * FROM u WHERE u.t = t.id)",
        "WITH x AS (SELECT id FROM t) SELECT * FROM x",
        "SELECT sum(x) OVER (ORDER BY y) FROM t",
    ],
)
def test_sound_queries_are_left_alone(run: Run, sql: str) -> None:
    assert run("review_queries", given("q.sql", sql)).findings == []


def test_the_schema_tells_more(run: Run) -> None:
    schema = given(
        "s.sql",
        "CREATE TABLE t (id int primary key, name text not null, k varchar(9), c int);\nCREATE INDEX i ON t (c, k);",
    )
    queries = given(
        "q.sql",
        "SELECT id FROM t WHERE k = 5;\nSELECT t.foo FROM t WHERE t.c = 1 AND t.k = 'x';\n"
        "SELECT id FROM t WHERE id NOT IN (SELECT name FROM t);\nSELECT id FROM t WHERE id = 4;\n",
    )
    assert rules(run("review_queries", schema, queries)) == {
        (1, "missing-index"),
        (1, "type-mismatch"),
        (2, "unknown-column"),
    }


PYTHON = """
def f(cur, ids, status, table):
    for i in ids:
        cur.execute("SELECT a FROM b WHERE id = %s", (i,))
    cur.execute(f"SELECT a FROM b WHERE s = '{status}'")
    cur.execute("SELECT a FROM b WHERE s = '%s'" % status)
    cur.execute("SELECT a FROM " + table)
    marks = ",".join("?" for _ in ids)
    cur.execute(f"SELECT a FROM b WHERE id IN ({marks})", ids)
    cur.execute("SELECT a FROM b WHERE id = %s", (1,))
    log.info("Select one from the list")
    return [Order.objects.get(pk=i) for i in ids]
"""
SCRIPT = """
async function g(ids) {
  for (const id of ids) {
    const u = await db.query(`SELECT a FROM users WHERE id = ${id}`);
  }
  const rows = await db.query("SELECT a FROM t WHERE n = $1", [name]);
  return Promise.all(ids.map(async id => { return User.findById(id); }));
}
"""


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.py", PYTHON, {(4, "query-in-loop"), (5, "string-built"), (6, "string-built"), (7, "string-built"), (12, "query-in-loop")}),
        ("b.js", SCRIPT, {(4, "string-built"), (4, "query-in-loop"), (7, "query-in-loop")}),
        ("C.java", 'class C { void f() {\n for (String s : all) {\n  jdbcTemplate.queryForObject("SELECT a FROM b WHERE c = ?", s); }\n String q = "SELECT a FROM b WHERE c = \'" + s + "\' AND d = 1"; } }\n', {(3, "query-in-loop"), (4, "string-built")}),
        ("d.rb", "orders.each do |o|\n  c = Customer.find(o.customer_id)\nend\nx = conn.exec(\"SELECT a FROM b WHERE c = '#{params[:c]}'\")\n", {(2, "query-in-loop"), (4, "string-built")}),
        ("e.go", 'package e\nfunc f() {\n\tfor _, id := range ids {\n\t\trow := db.QueryRow("SELECT a FROM b WHERE id = $1", id)\n\t}\n\tq := fmt.Sprintf("SELECT a FROM b WHERE c = \'%s\'", x)\n}\n', {(4, "query-in-loop"), (6, "string-built")}),
        ("f.php", '<?php\nforeach ($ids as $id) { $r = $db->query("SELECT a FROM b WHERE id = $id"); }\n', {(2, "query-in-loop"), (2, "string-built")}),
    ],
)  # fmt: skip
def test_queries_inside_code(run: Run, name: str, text: str, expected: set[tuple[int, str]]) -> None:
    assert rules(checked("review_queries", run("review_queries", given(name, text)))) == expected


def test_the_shop(run: Run) -> None:
    result = run(
        "review_queries", "shop/orders.py", "shop/db.py", "shop/app.py", "migrations/001_customers_and_orders.sql"
    )
    assert found(result) == {("shop/orders.py", 12, "high", "injection")}


def test_dynamic_statements(run: Run) -> None:
    unsafe = "CREATE FUNCTION f(t text) RETURNS void AS $$ BEGIN EXECUTE 'DELETE FROM ' || t || ' WHERE a = 1'; END $$ LANGUAGE plpgsql;"
    assert (1, "dynamic-sql") in rules(run("review_queries", given("f.sql", unsafe)))
    safe = unsafe.replace("|| t ||", "|| quote_ident(t) ||")
    assert run("review_queries", given("f.sql", safe)).findings == []


def test_templates_of_dbt(run: Run) -> None:
    model = "{{ config(materialized='table') }}\nselect *\nfrom {{ ref('orders') }}\n{% if is_incremental() %}\nwhere x > 1\n{% endif %}\n"
    result = run("review_queries", given("m.sql", model))
    assert rules(result) == {(2, "select-star")}
    assert result.outcome["status"] == "done"


def test_statements_with_their_lines() -> None:
    text = "-- x\nSELECT ';' ;\nDELIMITER //\nCREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END//\nDELIMITER ;\nSELECT $$a;b$$;\nGO\nSELECT 3"
    assert [(each.line, each.text[:12]) for each in statements(text)] == [
        (2, "SELECT ';'"),
        (4, "CREATE PROCE"),
        (6, "SELECT $$a;b"),
        (8, "SELECT 3"),
    ]


def test_what_does_not_parse_is_looked_at(run: Run) -> None:
    result = run("review_queries", given("q.sql", "DELETE FROM a FROM FROM b ((;\n"))
    assert result.outcome["status"] == "partial"
    assert "unparsable" in result.outcome["tags"]  # type: ignore[operator]
    assert rules(result) == {(1, "unbounded-change")}
    assert run("review_queries", given("q.sql", b"\0" * 99)).outcome["status"] == "failed"


def test_long_literals_are_not_shown(run: Run) -> None:
    result = run("review_queries", given("q.sql", "UPDATE users SET token = 'abcdefghijklmnopqrstuvwxyz0123456789'"))
    assert "abcdefghijkl" not in result.text
