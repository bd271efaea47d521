"""Queries whose weaknesses are known; one rule at a time is in `rules/queries.toml`."""

from __future__ import annotations

import pytest
from capability_inputs import Run, found, given, places, rules

from plantwin.private.formats.sql import statements


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id, name FROM users WHERE email = 'a'",
        "UPDATE users SET active = false WHERE id = 3",
        "SELECT a.id FROM a, b WHERE a.x = b.y",
        "SELECT a.id FROM a CROSS JOIN b",
        "SELECT id FROM t WHERE name LIKE 'foo%' LIMIT 5",
        "SELECT id FROM t WHERE id NOT IN (SELECT t_id FROM u WHERE t_id IS NOT NULL)",
        "SELECT u.id FROM u LEFT JOIN v ON v.u = u.id WHERE v.u IS NULL",
        "SELECT kind, count(*) FROM t GROUP BY kind",
        "INSERT INTO t (a, b) VALUES (1, 2)",
        "SELECT id FROM t WHERE EXISTS (SELECT * FROM u WHERE u.t = t.id)",
        "WITH x AS (SELECT id FROM t) SELECT * FROM x",
        "SELECT sum(x) OVER (ORDER BY y) FROM t",
    ],
)
def test_sound_queries_are_left_alone(run: Run, sql: str) -> None:
    assert run("review_queries", given("q.sql", sql)).findings == []


def test_the_schema_may_be_another_input(run: Run) -> None:
    schema = given("s.sql", "CREATE TABLE t (id int primary key, k varchar(9));")
    queries = given("q.sql", "SELECT id FROM t WHERE k = 5;\nSELECT t.foo FROM t WHERE t.id = 1;\n")
    assert found(run("review_queries", schema, queries)) == {
        (1, "SQL-MISSING-INDEX"),
        (1, "SQL-TYPE-MISMATCH"),
        (2, "SQL-UNKNOWN-COLUMN"),
    }


SCRIPT = """
async function g(ids) {
  for (const id of ids) {
    const u = await db.query(`SELECT a FROM users WHERE id = ${id}`);
  }
  const rows = await db.query("SELECT a FROM t WHERE n = $1", [name]);
}
"""


def test_queries_inside_code(run: Run) -> None:
    result = run("review_queries", given("b.js", SCRIPT))
    assert found(result) == {(4, "SQL-CONCATENATED-VALUE"), (4, "SQL-QUERY-IN-LOOP")}


def test_the_shop(run: Run) -> None:
    result = run(
        "review_queries", "shop/orders.py", "shop/db.py", "shop/app.py", "migrations/001_customers_and_orders.sql"
    )
    assert places(result) == {("shop/orders.py", 12, "medium", "injection")}


def test_statements_with_their_lines() -> None:
    text = (
        "-- x\nSELECT ';' ;\nDELIMITER //\nCREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END//\nDELIMITER ;\n"
        "SELECT $$a;b$$;\nGO\nSELECT 3"
    )
    assert [(statement.line, statement.text[:12]) for statement in statements(text)] == [
        (2, "SELECT ';'"),
        (4, "CREATE PROCE"),
        (6, "SELECT $$a;b"),
        (8, "SELECT 3"),
    ]
    assert [statement.line for statement in statements(text, 2)] == [2, 4]


def test_what_does_not_parse_is_searched(run: Run) -> None:
    result = run("review_queries", given("q.sql", "DELETE FROM a FROM FROM b ((;\n"))
    assert result.outcome["status"] == "partial"
    assert "unparsable" in result.outcome["tags"]  # type: ignore[operator]
    assert found(result) == {(1, "SQL-NO-WHERE")}
    assert run("review_queries", given("q.sql", b"\0" * 99)).outcome["status"] == "failed"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT u.id, (SELECT count(*) FROM orders o WHERE o.user_id = u.id) AS n FROM users u WHERE u.id = 1;",
        "SELECT kind, count(*) FROM t {{ dbt_utils.group_by(n=1) }};",
        "SELECT name, max(a, b) AS larger FROM t WHERE id = 1;",
        'SELECT "total", count(*) FROM t;',
        "SELECT kind, count(*) OVER (PARTITION BY kind) AS n FROM t WHERE id = 1;",
    ],
)
def test_what_only_looks_ungrouped(run: Run, sql: str) -> None:
    assert "SQL-NOT-GROUPED" not in rules(run("review_queries", given("q.sql", sql)))
    assert "SQL-NOT-GROUPED" in rules(run("review_queries", given("q.sql", "SELECT kind, count(*) FROM t;")))


def test_a_group_that_code_appends_is_not_missing(run: Run) -> None:
    code = 'db.query("SELECT kind, count(*) FROM t " + groupBy)\n'
    assert "SQL-NOT-GROUPED" not in rules(run("review_queries", given("q.js", code)))


def test_shell_commands_in_a_document_are_no_queries(run: Run) -> None:
    text = "# Injection\n\n```js\nexec('ping -c 2 '+ req.body.address, done)\n```\n\n```sql\nDELETE FROM users;\n```\n"
    assert found(run("review_queries", given("docs/a.md", text)), least="high") == {(8, "SQL-NO-WHERE")}


def test_a_list_of_placeholders_is_no_injection_and_a_backfill_no_accident(run: Run) -> None:
    code = "func f() { tx.Exec(`DELETE FROM reaction WHERE memo_id IN `+clause, args...) }\n"
    assert rules(run("review_queries", given("a.go", code)), least="high") == set()
    value = code.replace("+clause, args...", "+id")
    assert "SQL-CONCATENATED-VALUE" in rules(run("review_queries", given("a.go", value)), least="medium")
    fill = "UPDATE memo SET name = uuid();\n"
    assert rules(run("review_queries", given("store/migration/0.19/a.sql", fill)), least="high") == set()
    assert rules(run("review_queries", given("scripts/a.sql", fill)), least="high") == {"SQL-NO-WHERE"}
