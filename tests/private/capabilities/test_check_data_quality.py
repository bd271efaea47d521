"""Tables with known flaws, and their sound twins; one rule at a time is in `rules/data_quality.toml`."""

from __future__ import annotations

from pathlib import Path

from capability_inputs import CLEAN, Run, database, given, places, said, snapshot

from plantwin.private.capabilities.engine.job import Input
from tables import value_of

BAD = value_of(__file__, "bad")
GOOD = "id,customer_id,placed_on,status\n" + "".join(
    f"{number},{number % 7},2024-01-{number % 28 + 1:02d},{'paid' if number % 3 else 'open'}\n"
    for number in range(1, 60)
)


def test_known_flaws_are_found_with_their_lines(run: Run) -> None:
    result = run("check_data_quality", given("bad.csv", BAD))
    flaws = {(line, tag) for _, line, _, tag in places(result)}
    assert {
        (3, "invalid_values"),  # 30 February
        (3, "inconsistent_values"),  # Paid
        (4, "invalid_values"),  # shipped before placed
        (5, "mixed_types"),  # abc
        (7, "missing_values"),  # no id
        (8, "invalid_values"),  # a cell short
        (9, "duplication"),  # the row of line 6
    } <= flaws
    assert result.outcome["severity"] == "medium"
    assert said(result, "1 date does not exist (line 3)")
    assert not said(result, "@x.example")
    assert all("e@x" not in finding.evidence for finding in result.findings)


def test_sound_data_is_left_alone(run: Run) -> None:
    result = run("check_data_quality", given("good.csv", GOOD))
    assert result.findings == []
    assert result.outcome == CLEAN
    assert run("check_data_quality", given("s.csv", snapshot(3))).outcome["severity"] in ("none", "low")


def test_references_between_tables(run: Run, tmp_path: Path) -> None:
    result = run("check_data_quality", Input(name="shop.db", file=database(tmp_path / "a.db")))
    assert ("shop.db#orders", 0, "medium", "broken_reference") in places(result)
    assert said(result, "row 3")


def test_files_that_were_cut(run: Run) -> None:
    cut = run("check_data_quality", given("a.csv", GOOD[:-9]))
    assert said(cut, "ends in the middle of a row")
    whole = "n,v\n" + "".join(f"{number},a\n" for number in range(65_535))
    assert said(run("check_data_quality", given("a.csv", whole)), "exactly 65535 rows")
