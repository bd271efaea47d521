"""Migrations whose risks are known; one rule at a time is in `rules/migrations.toml`."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import pytest
from capability_inputs import Run, given
from data_inputs import checked, rules

from plantwin.private.capabilities import function
from plantwin.private.capabilities.engine.job import Job, Neighbour, Surroundings

ENGINE = "-- for plpgsql\nSELECT 1::int;\n"


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
    assert rules(result) == {(11, "MIGRATION-DATA-AND-SCHEMA")}
    assert checked("review_migrations", result).outcome["severity"] == "low"


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
        ("versions/ab.py", ALEMBIC, {(7, "MIGRATION-NOT-NULL-NO-DEFAULT"), (8, "MIGRATION-CONCURRENT-IN-TRANSACTION"), (10, "MIGRATION-DROP-COLUMN"), (11, "MIGRATION-ALTER-TYPE"), (11, "MIGRATION-SET-NOT-NULL"), (12, "MIGRATION-DELETE-ALL"), (12, "MIGRATION-DATA-AND-SCHEMA"), (0, "MIGRATION-NO-DOWNGRADE")}),
        ("app/migrations/0003_x.py", DJANGO, {(6, "MIGRATION-DROP-COLUMN"), (7, "MIGRATION-NOT-NULL-NO-DEFAULT"), (9, "MIGRATION-NO-REVERSE"), (9, "MIGRATION-DATA-AND-SCHEMA"), (10, "MIGRATION-INDEX-LOCK")}),
        ("db/migrate/20240101010101_x.rb", RAILS, {(3, "MIGRATION-NOT-NULL-NO-DEFAULT"), (4, "MIGRATION-INDEX-LOCK"), (5, "MIGRATION-DROP-COLUMN"), (5, "MIGRATION-IRREVERSIBLE")}),
        ("migrations/1.js", KNEX, {(2, "MIGRATION-DROP-COLUMN"), (3, "MIGRATION-NOT-NULL-NO-DEFAULT"), (4, "MIGRATION-UPDATE-ALL"), (4, "MIGRATION-DATA-AND-SCHEMA"), (0, "MIGRATION-NO-DOWNGRADE")}),
        ("2024_01_01_000000_x.php", LARAVEL, {(5, "MIGRATION-DROP-COLUMN"), (6, "MIGRATION-NOT-NULL-NO-DEFAULT"), (0, "MIGRATION-NO-DOWNGRADE")}),
    ],
)  # fmt: skip
def test_migrations_of_tools(run: Run, name: str, text: str, expected: set[tuple[int, str]]) -> None:
    assert rules(checked("review_migrations", run("review_migrations", given(name, text)))) == expected


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
    assert rules(function("review_migrations")(job)) == {(0, "MIGRATION-NO-DOWN-FILE")}


@pytest.mark.parametrize(
    ("name", "data"), [("a.sql", b""), ("a.sql", b"\0" * 99), ("a.py", b"x = 1\n"), ("a.py", b"def (")]
)
def test_what_is_no_migration_fails(run: Run, name: str, data: bytes) -> None:
    assert run("review_migrations", given(name, data)).outcome == {"status": "failed", "tags": ["unparsable"]}
