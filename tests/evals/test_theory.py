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
    figures = tmp_path_factory.mktemp("figures")
    made = theory.theory([root], tmp_path_factory.mktemp("state"), figures=figures)
    assert all("<svg" in (figures / name).read_text() for name in ("anonymity.svg", "fields.svg"))
    return {table.name: [dict(zip(table.columns, row, strict=True)) for row in table.rows] for table in made}


def test_weights_are_held_against_the_values_that_there_are(tables: dict[str, list[dict[str, object]]]) -> None:
    rows = {row["field"]: row for row in tables["calibration"]}
    assert (rows["kind"]["values"], rows["kind"]["seen"], rows["kind"]["ln b_f"]) == (7, 2, "0.69")
    assert (rows["kind"]["holds"], rows["age"]["holds"]) == ("no", "yes")


def test_a_rare_pattern_links_better_than_the_paper_says(tables: dict[str, list[dict[str, object]]]) -> None:
    (row,) = tables["unlinkability"]
    assert (row["kind"], row["kind, holds"]) == ("0.69", "2.56")


def test_the_papers_theorem_fails_where_its_weights_are_calibrated(tables: dict[str, list[dict[str, object]]]) -> None:
    """One of thirteen files has another kind: ln 2 is charged, and ln 13 is learned of it."""
    row = next(row for row in tables["charges"] if row["accountant"] == theory.MEASURED)
    assert row["charged too little"] == 1 and float(str(row["by at most"])) > 1


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
