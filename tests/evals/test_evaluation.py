"""The evaluation itself, run for real: what it must show, and what its figures and files hold."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from plantwin_evals.attempts import Attempt, Journal
from plantwin_evals.configurations import STUDIES, main
from plantwin_evals.metrics import mean
from plantwin_evals.report import write
from plantwin_evals.running import run
from plantwin_evals.suite import DOMAINS
from plantwin_evals.tables import disclosure, lenient, quality

TRIED = [*main(["offline"], ["twin", "objects", "goal-only"]), *main(["heuristic"], ["twin", "goal-only"])]
OPENED = main(["offline"], ["redacted", "raw"])
"""What files disclose does not depend on who plans with them, nor, but for the goal, on the task."""
SOME = 2
"""Tasks of each domain for these."""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("results")


@pytest.fixture(scope="module")
def attempts(results: Path) -> list[Attempt]:
    # As calls: that workers find the same is what `test_overhead.py` shows.
    return [
        *run(TRIED, DOMAINS, results, direct=True),
        *run(OPENED, DOMAINS, results, direct=True, most=SOME),
    ]


def of(attempts: list[Attempt], configuration: str, group: str = "") -> list[Attempt]:
    return [each for each in attempts if each.configuration == configuration and group in ("", each.group)]


def test_every_task_is_tried_in_every_mode(attempts: list[Attempt]) -> None:
    assert len(attempts) == 60 * len(TRIED) + len(DOMAINS) * SOME * len(OPENED)
    assert [each.error for each in attempts if each.error] == []


def test_a_twin_discloses_no_sensitive_item_of_any_task(attempts: list[Attempt]) -> None:
    for planner in ("offline", "heuristic"):
        for mode in ("twin", "objects", "goal-only"):
            assert [(each.task, each.seen) for each in of(attempts, f"{mode} + {planner}") if each.seen] == []


def test_raw_context_discloses_everything_and_redaction_lies_between(attempts: list[Attempt]) -> None:
    assert disclosure(of(attempts, "raw + offline")) == pytest.approx(0.0, abs=0.01)
    between = disclosure(of(attempts, "redacted + offline"))
    assert between is not None and 0.5 < between < 1.0


def test_the_offline_planner_plans_well(attempts: list[Attempt]) -> None:
    # A little below what it has: ties among objects are broken at random.
    assert (quality(of(attempts, "twin + offline")) or 0) >= 0.72
    assert (lenient(of(attempts, "twin + offline")) or 0) >= 0.78
    assert mean(each.object[1] for each in of(attempts, "twin + offline")) >= 0.65
    assert mean(each.aim for each in of(attempts, "objects + offline")) >= 0.45


def test_the_twin_is_worth_something_where_the_goal_says_little(attempts: list[Attempt]) -> None:
    twin = quality(of(attempts, "twin + offline", "environment"))
    alone = quality(of(attempts, "goal-only + offline", "environment"))
    assert twin is not None and alone is not None and twin - alone >= 0.13


def test_sets_tell_less_of_every_object_and_reach_more_of_what_matters(attempts: list[Attempt]) -> None:
    sets, objects = of(attempts, "twin + offline"), of(attempts, "objects + offline")
    assert mean(each.leakage for each in sets) < mean(each.leakage for each in objects)
    for adversary in range(2):
        told = [mean(each.reidentified[adversary] for each in some) for some in (sets, objects)]
        assert told[0] < told[1] / 2
    assert mean(each.object[1] for each in sets) > mean(each.object[1] for each in objects)
    assert (quality(sets) or 0) >= (quality(objects) or 0) - 0.02


def test_it_beats_keyword_rules(attempts: list[Attempt]) -> None:
    assert (quality(of(attempts, "twin + offline")) or 0) > (quality(of(attempts, "twin + heuristic")) or 0) + 0.1


def test_expected_findings_are_in_the_local_results(attempts: list[Attempt]) -> None:
    done = of(attempts, "twin + offline")
    assert sum(each.findings for each in done) / sum(each.expected_findings for each in done) >= 0.4


def test_a_run_goes_on_where_it_stopped(attempts: list[Attempt], results: Path) -> None:
    before = (results / "attempts.jsonl").read_bytes()
    again = run(main(["offline"], ["twin"]), DOMAINS, results)
    assert len(again) == 60
    assert (results / "attempts.jsonl").read_bytes() == before


def test_a_journal_that_was_cut_off_loses_its_last_line_alone(attempts: list[Attempt], tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append(attempts[:2])
    with journal.path.open("ab") as file:
        file.write(b'{"configuration": "twin')
    assert [each.task for each in journal.read()] == [each.task for each in attempts[:2]]


def test_budgets_deplete_over_tasks_of_one_workspace(results: Path) -> None:
    made = run(STUDIES["multiturn"]("offline"), ["incident"], results)
    single = mean(each.leakage for each in made if each.configuration == "single")
    multi = [each for each in made if each.configuration == "multi"]
    last = [each.leakage for each in multi if each.task.endswith("-6")]
    assert mean(last) > single
    assert all(each.seen == [] for each in made)
    # Over six tasks objects come near their thresholds; what was told of them and of their cells together passes none.
    assert 0.75 < max(each.worst for each in made) <= 1.0


def test_a_quarter_of_the_budget_tells_less(results: Path) -> None:
    scales = [scale for scale in STUDIES["budget"]("offline") if scale.name in ("0.25", "1")]
    made = run(scales, ["devops"], results)
    bits = {scale.name: mean(each.bits for each in of(made, scale.name)) for scale in scales}
    assert bits["0.25"] < bits["1"]
    assert all(each.seen == [] for each in made)


def test_no_stage_left_out_discloses_anything(results: Path) -> None:
    made = run(STUDIES["ablation"]("offline"), ["documents"], results)
    assert len({each.configuration for each in made}) == 4
    assert all(each.seen == [] for each in made)


def test_the_report_holds_tables_figures_and_the_papers_configurations(attempts: list[Attempt], results: Path) -> None:
    run(STUDIES["multiturn"]("offline"), ["incident"], results)
    page = write(results, Journal(results).read())
    text = page.read_text()
    assert text.count("<svg") >= 4
    assert "http://" not in text.replace("http://www.w3.org/", "") and "https://" not in text
    rows = list(csv.DictReader((results / "paper.csv").read_text().splitlines()))
    assert len(rows) == 19
    assert {row["state"] for row in rows} == {"not run", "complete"}
    assert all(row["PQS here"] == "" for row in rows if row["state"] == "not run")
    tables = {each["name"]: each for each in json.loads((results / "report.json").read_text())}
    assert {"main", "twin", "groups", "cost", "friedman", "wilcoxon", "intervals", "exposure", "paper"} <= tables.keys()
