"""What is drawn and written down: series that exist, axes that rise, where results come from; and who approves."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from plantwin_evals import figures
from plantwin_evals.attempts import Attempt
from plantwin_evals.configurations import Configuration, study
from plantwin_evals.modes import attempt
from plantwin_evals.planners import subjects
from plantwin_evals.reid import Row
from plantwin_evals.reidentification import Result
from plantwin_evals.report import commit, note_command, write
from plantwin_evals.study_tables import study_tables
from plantwin_evals.suite import domain
from plantwin_evals.task_folder import TaskFolder


def made(configuration: str, task: str = "coding-1", study: str = "main", **members: object) -> Attempt:
    one = Attempt(
        configuration=configuration, planner="offline", mode="twin", study=study, domain=task.rpartition("-")[0],
        task=task, group="stated", sensitive=4,
    )  # fmt: skip
    for name, value in members.items():
        setattr(one, name, value)
    return one


def row(strategy: str, told: str, pool: int) -> Row:
    return Row("tree", told, "sets", strategy, pool, 10, Result(accuracy=0.5, deviation=0.1, mrr=0.6))


ROWS = [row(strategy, told, 15) for strategy in ("random", "full") for told in ("everything", "session")]
ROWS += [row("full", told, pool) for told in ("everything", "session") for pool in (5, 10, 15, 40)]
STUDY = [made(scale, study="budget", capability=(0.5, 0.5)) for scale in ("1.5", "0.25", "1", "0.5")]
SEQUENCE = [
    made(
        "twin, one ledger", f"{name}-{number}", "multiturn", round=lap, leakage=0.1 * number if lap == 1 else 0.4,
        excluded=["same.txt"] if lap == 2 else [], capability=(1.0, 0.5 if lap == 1 else 0.0),
    )
    for lap in (1, 2)
    for name in ("coding", "devops")
    for number in (1, 2, 3)
]  # fmt: skip


@pytest.mark.parametrize(
    "series",
    [
        figures.scaling_series(ROWS),
        figures.strategy_series(ROWS),
        figures.study_series(STUDY, figures.PAPER_BUDGET),
        figures.depletion_series(SEQUENCE, "twin"),
    ],
    ids=["scaling", "strategies", "study", "depletion"],
)
def test_every_plotted_series_exists_and_every_axis_rises(series: list[figures.Series]) -> None:
    assert series
    for one in series:
        assert len(one.at) == len(one.values) > 0, one.name
        assert list(one.at) == sorted(set(one.at)), one.name
        assert not one.spread or len(one.spread) == len(one.values)


def test_what_was_not_played_is_not_drawn_as_nought() -> None:
    assert {one.name for one in figures.strategy_series(ROWS)} == {"everything", "session"}
    assert all(0.0 not in one.values for one in figures.strategy_series(ROWS))
    assert [one.name for one in figures.scaling_series(ROWS)] == ["full, everything", "full, session"]


def test_numbers_stand_in_their_order_and_the_paper_at_its_own() -> None:
    ours, *_, paper = figures.study_series(STUDY, figures.PAPER_BUDGET)
    assert ours.spread and list(paper.at) == [0, 1, 2, 3]
    assert list(paper.values) == [figures.PAPER_BUDGET[scale] for scale in ("0.25", "0.5", "1", "1.5")]


def test_a_sequence_adds_up_what_was_told_of_all_domains() -> None:
    told, quality = figures.depletion_series(SEQUENCE, "twin")
    assert list(told.values) == pytest.approx([0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.35, 0.35, 0.4, 0.4, 0.4])
    assert (quality.values[0], quality.values[-1]) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    table = study_tables("multiturn", SEQUENCE)[0]
    assert [line[0] for line in table.rows] == ["coding", "devops", "all"]
    # Of the first round PQS and NL, then NL of the last; what was left out twice counts once for each domain.
    assert table.rows[-1][2] == pytest.approx(2 / 3)
    assert table.rows[-1][4:7] == (pytest.approx(0.3), pytest.approx(0.4), 2)
    assert "2 rounds" in table.note


def test_catalogs_are_compared_by_work_and_not_by_names() -> None:
    attempts = [
        made("coarse", study="granularity", executed=True, expected_findings=4, work=1, calls=1, told=2.0),
        made("fine", study="granularity", executed=True, expected_findings=4, work=3, calls=8, told=12.0),
    ]
    table = study_tables("granularity", attempts)[0]
    found = {line[0]: dict(zip(table.columns, line, strict=True)) for line in table.rows}
    assert "PQS" not in table.columns and figures.study_series(attempts)[0].name == "work"
    assert [(found[name]["work"], found[name]["grain"]) for name in ("coarse", "fine")] == [(0.25, 2.0), (0.75, 1.5)]


def test_the_page_says_where_results_come_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["plantwin", "bench", "run", "--planner", "offline"])
    note_command(tmp_path)
    page = write(tmp_path, [*STUDY, *SEQUENCE], ROWS).read_text()
    head = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, cwd=Path(__file__).parent)
    assert "plantwin bench run --planner offline" in page and "cores" in page
    assert head.returncode or (head.stdout.strip() in page and commit().startswith(head.stdout.strip()))
    assert "http://" not in page.replace("http://www.w3.org/", "")
    with (tmp_path / "runs.csv").open() as file:
        assert next(csv.DictReader(file))["command"] == "plantwin bench run --planner offline"


def test_nobody_to_ask_means_no_for_what_is_asked(tmp_path: Path) -> None:
    folder = TaskFolder(domain("documents"), tmp_path)
    task = domain("documents").tasks[1]
    found = {}
    with subjects() as subject:
        for one in study("approval", "offline"):
            found[one.name] = attempt(
                task, folder, subject("offline"), "twin", one.settings(), direct=True, approver=one.approver
            )
    assert [found[name].questions > 0 for name in ("all", "nobody", "remote")] == [True, True, True]
    assert found["all"].quality > found["nobody"].quality >= found["remote"].quality


def test_thresholds_of_the_ablation_do_not_follow_what_a_stage_says() -> None:
    for one in study("ablation", "offline"):
        levels = one.settings().budget.thresholds.sensitivity
        assert len({getattr(levels, level) for level in levels.__struct_fields__}) == 1
    shipped = Configuration("twin", "offline", "twin").settings().budget.thresholds.sensitivity
    assert len({getattr(shipped, level) for level in shipped.__struct_fields__}) > 1
