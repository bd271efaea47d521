"""Migrations whose risks are known; one rule at a time is in `rules/migrations.toml`."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import pytest
from capability_inputs import Run, beside, found, given, rules

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
    assert found(result) == {(11, "MIGRATION-DATA-AND-SCHEMA")}
    assert result.outcome["severity"] == "low"


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
    assert found(run("review_migrations", given(name, text))) == expected


def test_names_around_count(run: Run) -> None:
    names = ("db/1_a.up.sql", "db/1_a.down.sql", "db/2_b.up.sql")
    held = beside(dict.fromkeys(names, ()), "database_migration")
    migration = given("db/2_b.up.sql", "CREATE TABLE t (id int primary key);")
    assert found(run("review_migrations", migration, surroundings=held)) == {(0, "MIGRATION-NO-DOWN-FILE")}


@pytest.mark.parametrize(
    "field",
    [
        'models.TextField(default="")',
        "models.CharField(max_length=9, blank=True)",
        "models.ImageField(blank=True)",
        'models.TextField(db_default="")',
        "models.DateTimeField(auto_now_add=True)",
        "models.BigAutoField(primary_key=True)",
        "oscar.models.fields.NullCharField(max_length=255)",
        "models.IntegerField(null=True)",
    ],
)
def test_a_default_of_an_empty_text_is_a_default(run: Run, field: str) -> None:
    text = "from django.db import migrations, models\nclass Migration(migrations.Migration):\n    operations = ["
    text += f'migrations.AddField("user", "x", {field})]\n'
    assert found(run("review_migrations", given("app/migrations/0007_x.py", text)), least="high") == set()


def test_a_required_number_without_a_default_is_still_found(run: Run) -> None:
    text = "from django.db import migrations, models\nclass Migration(migrations.Migration):\n    operations = ["
    for field in ("models.IntegerField(blank=True)", "models.ForeignKey('a.B', on_delete=models.CASCADE)"):
        whole = f'{text}migrations.AddField("user", "x", {field})]\n'
        assert (3, "MIGRATION-NOT-NULL-NO-DEFAULT") in found(run("review_migrations", given("0007_x.py", whole)))
        first = whole.replace("    operations", "    initial = True\n    operations")
        assert ("Integer" in field) == bool(found(run("review_migrations", given("0007_x.py", first)), least="high"))


SEQUELIZE = """module.exports = {
  up: (queryInterface) => queryInterface.addIndex('users', ['email'], { concurrently: true }),
  down: (queryInterface) => queryInterface.removeIndex('users', ['email']),
};
"""


def test_sequelize_opens_no_transaction_around_a_concurrent_index(run: Run) -> None:
    assert found(run("review_migrations", given("db/migrations/1-x.js", SEQUELIZE))) == set()
    inside = SEQUELIZE.replace("concurrently: true", "concurrently: true, transaction")
    assert rules(run("review_migrations", given("db/migrations/1-x.js", inside))) == {
        "MIGRATION-CONCURRENT-IN-TRANSACTION"
    }


def test_merged_branches_of_alembic_are_one_head(run: Run) -> None:
    body = "from alembic import op\ndef upgrade():\n    op.execute('SELECT 1')\ndef downgrade():\n    op.execute('SELECT 1')\n"
    files = [("a", "None"), ("b", "'a'"), ("c", "'a'"), ("d", "('b', 'c')")]
    made = [given(f"v/{name}.py", f"revision = '{name}'\ndown_revision = {parent}\n{body}") for name, parent in files]
    assert rules(run("review_migrations", *made), least="high") == set()
    assert rules(run("review_migrations", *made[:3]), least="high") == {"MIGRATION-SEVERAL-HEADS"}


def test_columns_of_a_new_table_are_not_added_to_the_one_before(run: Run) -> None:
    text = """exports.up = async (knex) => {
  await knex.schema.alterTable('settings', (table) => { table.boolean('mcp').defaultTo(false); });
  await knex.schema.createTable('clients', (table) => { table.string('name').notNullable(); });
};
exports.down = async (knex) => { await knex.schema.dropTable('clients'); };
"""
    assert rules(run("review_migrations", given("m/1.js", text)), least="high") == set()
