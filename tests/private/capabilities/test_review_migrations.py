"""Migrations whose risks are known, and their careful twins."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import re

import pytest
from capability_inputs import Run, given
from data_inputs import checked

from plantwin.private.capabilities import function
from plantwin.private.capabilities.job import Job, Neighbour, Result, Surroundings

ENGINE = "-- for plpgsql\nSELECT 1::int;\n"


def rules(result: Result) -> set[tuple[int, str]]:
    return {(each.line, re.findall(r"\[([\w-]+)\]$", each.message)[0]) for each in result.findings}


@pytest.mark.parametrize(
    ("sql", "rule", "severity"),
    [
        ("DROP TABLE old;", "drop-table", "high"),
        ("ALTER TABLE u DROP COLUMN a;", "drop-column", "high"),
        ("TRUNCATE logs;", "truncate", "high"),
        ("DELETE FROM logs;", "delete-all", "high"),
        ("UPDATE u SET a = 1;", "update-all", "medium"),
        ("ALTER TABLE u RENAME COLUMN a TO b;", "rename", "high"),
        ("ALTER TABLE u ADD COLUMN a int NOT NULL;", "not-null-no-default", "high"),
        ("ALTER TABLE u ADD COLUMN a uuid DEFAULT gen_random_uuid();", "volatile-default", "high"),
        ("CREATE INDEX i ON u (a);", "index-lock", "medium"),
        ("ALTER TABLE u ALTER COLUMN a TYPE bigint;", "alter-type", "high"),
        ("ALTER TABLE u ALTER COLUMN a SET NOT NULL;", "set-not-null", "medium"),
        ("ALTER TABLE u ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES t (id);", "foreign-key", "medium"),
        ("ALTER TABLE u ADD CONSTRAINT f UNIQUE (a);", "unique-constraint", "medium"),
        ("BEGIN;CREATE INDEX CONCURRENTLY i ON u (a);COMMIT;", "concurrent-in-transaction", "high"),
        ("GRANT ALL ON u TO PUBLIC;", "grant-public", "high"),
    ],
)
def test_each_rule_of_sql(run: Run, sql: str, rule: str, severity: str) -> None:
    result = checked("review_migrations", run("review_migrations", given("m.sql", ENGINE + sql)))
    assert (3, rule) in rules(result)
    assert severity in {each.severity for each in result.findings if rule in each.message}


@pytest.mark.parametrize(
    "sql",
    [
        "ALTER TABLE u ADD COLUMN a int;",
        "ALTER TABLE u ADD COLUMN a int NOT NULL DEFAULT 0;",
        "CREATE INDEX CONCURRENTLY i ON u (a);",
        "ALTER TABLE u ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES t (id) NOT VALID;",
        "CREATE TABLE n (id serial primary key, a int not null);\nCREATE INDEX i ON n (a);",
        "INSERT INTO u (a) VALUES (1);",
        "ALTER TABLE u ALTER COLUMN a SET DEFAULT 3;",
    ],
)
def test_careful_changes_are_left_alone(run: Run, sql: str) -> None:
    assert run("review_migrations", given("m.sql", ENGINE + sql)).findings == []


def test_the_shop(run: Run) -> None:
    result = run("review_migrations", "migrations/001_customers_and_orders.sql", "migrations/002_payments.sql")
    assert rules(result) == {(11, "mixed")}
    assert checked("review_migrations", result).outcome["severity"] == "low"


def test_a_way_back_in_the_same_file(run: Run) -> None:
    text = "-- migrate:up\nALTER TABLE u DROP COLUMN a;\n-- migrate:down\nALTER TABLE u ADD COLUMN a int;\n"
    assert rules(run("review_migrations", given("m.sql", text))) == {(2, "drop-column")}
    without = text[: text.index("ALTER TABLE u ADD")]
    assert (0, "no-downgrade") in rules(run("review_migrations", given("m.sql", without)))


ALEMBIC = '''"""x"""
from alembic import op
import sqlalchemy as sa
revision = "ab"
down_revision = "aa"
def upgrade():
    op.add_column("users", sa.Column("x", sa.Integer(), nullable=False))
    op.create_index("i", "users", ["x"], postgresql_concurrently=True)
    with op.batch_alter_table("orders") as batch:
        batch.drop_column("y")
        batch.alter_column("z", type_=sa.BigInteger(), nullable=False)
    op.execute("DELETE FROM logs")
def downgrade():
    pass
'''
DJANGO = """from django.db import migrations, models
def fill(apps, editor): pass
class Migration(migrations.Migration):
    dependencies = [("app", "0002_y")]
    operations = [
        migrations.RemoveField(model_name="user", name="old"),
        migrations.AddField(model_name="user", name="n", field=models.IntegerField()),
        migrations.AddField(model_name="user", name="m", field=models.IntegerField(default=3)),
        migrations.RunPython(fill),
        migrations.AddIndex(model_name="user", index=models.Index(fields=["n"], name="i")),
    ]
"""
RAILS = """class X < ActiveRecord::Migration[7.0]
  def change
    add_column :users, :a, :integer, null: false
    add_index :users, :a
    remove_column :users, :b
    create_table :n do |t|
      t.string :x
    end
    add_index :n, :x
  end
end
"""
KNEX = """exports.up = function(knex) {
  return knex.schema.table('users', function(t) { t.dropColumn('x');
    t.integer('y').notNullable(); })
    .then(() => knex.raw("UPDATE users SET a = 1"));
};
exports.down = function(knex) {};
"""
LARAVEL = """<?php
return new class extends Migration {
    public function up() {
        Schema::table('users', function (Blueprint $table) {
            $table->dropColumn('x');
            $table->string('y');
            $table->string('z')->nullable(); });
    }
    public function down() { }
};
"""


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("versions/ab.py", ALEMBIC, {(7, "not-null-no-default"), (8, "concurrent-in-transaction"), (10, "drop-column"), (11, "alter-type"), (11, "set-not-null"), (12, "delete-all"), (12, "mixed"), (0, "no-downgrade")}),
        ("app/migrations/0003_x.py", DJANGO, {(6, "drop-column"), (7, "not-null-no-default"), (9, "no-reverse"), (9, "mixed"), (10, "index-lock")}),
        ("db/migrate/20240101010101_x.rb", RAILS, {(3, "not-null-no-default"), (4, "index-lock"), (5, "drop-column"), (5, "irreversible")}),
        ("migrations/1.js", KNEX, {(2, "drop-column"), (3, "not-null-no-default"), (4, "update-all"), (4, "mixed"), (0, "no-downgrade")}),
        ("2024_01_01_000000_x.php", LARAVEL, {(5, "drop-column"), (6, "not-null-no-default"), (0, "no-downgrade")}),
    ],
)  # fmt: skip
def test_migrations_of_tools(run: Run, name: str, text: str, expected: set[tuple[int, str]]) -> None:
    assert rules(checked("review_migrations", run("review_migrations", given(name, text)))) == expected


def test_order_by_numbers_and_revisions(run: Run) -> None:
    table = "CREATE TABLE t (id bigserial primary key);"
    gap = run(
        "review_migrations", given("db/001_a.sql", table), given("db/002_b.sql", table), given("db/004_c.sql", table)
    )
    assert [(each.name, each.tag) for each in gap.findings] == [("db/004_c.sql", "wrong_order")]
    twice = run("review_migrations", given("db/V2__a.sql", table), given("db/V2__b.sql", table))
    assert rules(twice) == {(0, "number-twice")}
    heads = run(
        "review_migrations",
        given(
            "v/a.py",
            'revision = "a"\ndown_revision = "r"\ndef upgrade(): op.create_table("x")\ndef downgrade(): op.drop_table("x")\n',
        ),
        given(
            "v/b.py",
            'revision = "b"\ndown_revision = "r"\ndef upgrade(): op.create_table("y")\ndef downgrade(): op.drop_table("y")\n',
        ),
    )
    assert (0, "several-heads") in rules(heads)
    times = run("review_migrations", given("db/20240101_a.sql", table), given("db/20240301_b.sql", table))
    assert times.findings == []


def test_names_around_count() -> None:
    around = Surroundings(
        objects=(
            Neighbour("db/1_a.up.sql", "code_file", "database_migration"),
            Neighbour("db/1_a.down.sql", "code_file", "database_migration"),
            Neighbour("db/2_b.up.sql", "code_file", "database_migration"),
        )
    )
    job = Job(
        capability="review_migrations",
        inputs=(given("db/2_b.up.sql", "CREATE TABLE t (id int primary key);"),),
        surroundings=around,
    )
    assert rules(function("review_migrations")(job)) == {(0, "no-down-file")}


@pytest.mark.parametrize(
    ("name", "data"), [("a.sql", b""), ("a.sql", b"\0" * 99), ("a.py", b"x = 1\n"), ("a.py", b"def (")]
)
def test_what_is_no_migration_fails(run: Run, name: str, data: bytes) -> None:
    assert run("review_migrations", given(name, data)).outcome == {"status": "failed", "tags": ["unparsable"]}
