"""Migrations whose risks are known; one rule at a time is in `rules/migrations.toml`."""

from __future__ import annotations

from capability_inputs import Run, found, given

from tables import cases


@cases("field")
def test_a_default_of_an_empty_text_is_a_default(run: Run, field: str) -> None:
    text = "from django.db import migrations, models\nclass Migration(migrations.Migration):\n    operations = ["
    text += f'migrations.AddField("user", "x", {field})]\n'
    assert found(run("review_migrations", given("app/migrations/0007_x.py", text)), least="medium") == set()


def test_a_pair_of_fields_is_unique_without_a_lock_on_a_new_table(run: Run) -> None:
    text = "from django.db import migrations, models\nclass Migration(migrations.Migration):\n    operations = ["
    pair = 'migrations.AlterUniqueTogether(name="user", unique_together={("a", "b")})]\n'
    made = 'migrations.CreateModel("User", [("a", models.IntegerField()), ("b", models.IntegerField())]), '
    assert found(run("review_migrations", given("app/migrations/0001_initial.py", text + made + pair))) == set()
    assert found(run("review_migrations", given("app/migrations/0007_x.py", text + pair))) != set()


def test_a_required_number_without_a_default_is_still_found(run: Run) -> None:
    text = "from django.db import migrations, models\nclass Migration(migrations.Migration):\n    operations = ["
    for field in ("models.IntegerField(blank=True)", "models.ForeignKey('a.B', on_delete=models.CASCADE)"):
        whole = f'{text}migrations.AddField("user", "x", {field})]\n'
        assert (3, "MIGRATION-NOT-NULL-NO-DEFAULT") in found(run("review_migrations", given("0007_x.py", whole)))
        first = whole.replace("    operations", "    initial = True\n    operations")
        assert ("Integer" in field) == bool(found(run("review_migrations", given("0007_x.py", first)), least="medium"))


@cases("name", "text", "told")
def test_each_step_is_told_of_its_own_table(run: Run, name: str, text: str, told: list[str]) -> None:
    result = run("review_migrations", given(name, text))
    assert [one.message.split(" builds")[0] for one in result.findings if one.severity != "low"] == told


def test_the_test_of_a_migration_has_its_number(run: Run) -> None:
    pair = [given(f"db/029_fix{end}.go", "package db\n") for end in ("", "_test")]
    query = given("db/028_a.sql", "CREATE TABLE a (id int);\n")
    assert not found(run("review_migrations", query, *pair), least="medium")
