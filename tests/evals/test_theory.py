"""`bench theory`: the tables say of a small folder what can be counted by hand."""

from __future__ import annotations

import pytest

from plantwin_evals import theory


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, object]]]:
    """Twelve modules that are alike, and one settings file, as rows by the table's name."""
    root = tmp_path_factory.mktemp("theory") / "twelve"
    root.mkdir()
    for number in range(12):
        (root / f"module_{number}.py").write_text(f"def run_{number}(value):\n    return value + {number}\n")
    (root / "app.toml").write_text('[server]\nport = 8080\nname = "shop"\n')
    made = theory.theory([root], tmp_path_factory.mktemp("state"))
    return {table.name: [dict(zip(table.columns, row, strict=True)) for row in table.rows] for table in made}


def test_the_shipped_weights_are_not_calibrated(tables: dict[str, list[dict[str, object]]]) -> None:
    assert {row["holds"] for row in tables["calibration"]} == {"no"}


def test_a_lone_file_is_found_by_its_kind(tables: dict[str, list[dict[str, object]]]) -> None:
    (row,) = tables["anonymity"]
    assert (row["objects"], row["kind"], row["all fields"], row["alone"]) == (13, "12", "12", 1 / 13)


def test_points_charge_less_than_is_learned(tables: dict[str, list[dict[str, object]]]) -> None:
    short = {row["accountant"]: row["charged too little"] for row in tables["charges"]}
    assert short["weighted"] == 1 and short["entropy"] == 0


def test_ids_do_not_link_sessions(tables: dict[str, list[dict[str, object]]]) -> None:
    (row,) = tables["linking"]
    # Five standard deviations: random ids miss by that much once in two million runs.
    assert row["ids in both"] == 0 and all(abs(row[way] - 0.5) < 0.08 for way in ("by id", "by order"))
