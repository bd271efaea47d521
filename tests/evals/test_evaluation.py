"""The evaluation itself, run for real: what it must show, and what its figures and files hold."""

from __future__ import annotations

import csv
import json
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET

from plantwin.private.environment import Environment
from plantwin.private.project import project
from plantwin.vocabulary import SensitivityCause
from plantwin_evals.attempts import Attempt, Journal
from plantwin_evals.configurations import Configuration, main, study
from plantwin_evals.metrics import mean
from plantwin_evals.report import write
from plantwin_evals.running import ROUNDS, in_sequence, run, work
from plantwin_evals.suite import DOMAINS, domain
from plantwin_evals.tables import disclosure, lenient, quality
from plantwin_evals.task_folder import TaskFolder
from plantwin_evals.variants import GENERALIZE, REDACT, VARIANTS, skipped

TRIED = main(["offline"], ["twin", "objects", "goal-only"])
SOME = 1
"""Tasks of each domain for those below."""
OPENED = [
    each._replace(tasks=SOME) for each in (*main(["offline"], ["redacted", "raw"]), *main(["heuristic"], ["twin"]))
]
"""What files disclose does not depend on who plans with them, nor, but for the goal, on the task."""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("results")


@pytest.fixture(scope="module")
def attempts(results: Path) -> list[Attempt]:
    # As calls: that workers find the same is what `test_overhead.py` shows.
    return run([*TRIED, *OPENED], DOMAINS, results, direct=True)


def of(attempts: list[Attempt], configuration: str, group: str = "") -> list[Attempt]:
    return [each for each in attempts if each.configuration == configuration and group in ("", each.group)]


def test_every_task_is_tried_in_every_mode(attempts: list[Attempt]) -> None:
    assert len(attempts) == 60 * len(TRIED) + len(DOMAINS) * SOME * len(OPENED)
    assert [each.error for each in attempts if each.error] == []


def test_a_twin_discloses_no_sensitive_item_of_any_task(attempts: list[Attempt]) -> None:
    for name in (*(each.name for each in TRIED), "twin + heuristic"):
        assert [(each.task, each.seen) for each in of(attempts, name) if each.seen] == []


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
    keywords = of(attempts, "twin + heuristic")
    same = [each for each in of(attempts, "twin + offline") if each.task in {one.task for one in keywords}]
    assert len(same) == len(keywords) and (quality(same) or 0) > (quality(keywords) or 0) + 0.1


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


def test_budgets_deplete_over_all_domains_on_one_ledger_until_nothing_more_is_told(tmp_path: Path) -> None:
    once, shared = (
        next(each for each in study("multiturn", "offline") if each.name == f"objects, {name}")
        for name in ("fresh", "one ledger")
    )
    work("incident", [once], frozenset(), str(tmp_path), 2, True)
    in_sequence(shared, ["incident", "frontend"], str(tmp_path), 2)
    made = Journal(tmp_path).read()
    fresh = [each.leakage for each in made if each.configuration == once.name]
    told = {(each.task, each.round): each.leakage for each in made if each.configuration == shared.name}
    last = max(number for _, number in told)
    assert told["incident-6", 1] > mean(fresh) and told["frontend-1", 1] > 0
    # The ledger goes on where the round before ended, until nothing is added any more or the last round is over.
    assert last > 1 and told["incident-1", 2] >= told["incident-6", 1]
    rounds = [[told[task, number] for number in range(1, last + 1)] for task in ("incident-6", "frontend-6")]
    assert rounds == [sorted(each) for each in rounds]
    assert last == ROUNDS or all(each[-1] == each[-2] for each in rounds)
    # What was told of an object and of its cell together passes no threshold.
    assert all(each.seen == [] and each.worst <= 1.0 for each in made)


def test_a_quarter_of_the_budget_tells_less(results: Path) -> None:
    scales = [scale for scale in study("budget", "offline") if scale.name in ("0.25", "1")]
    for scale in scales:
        work("devops", [scale], frozenset(), str(results), 3, True)
    made = [each for each in Journal(results).read() if each.study == "budget"]
    sent = {scale.name: mean(each.sent for each in of(made, scale.name)) for scale in scales}
    assert sent["0.25"] < sent["1"]
    assert all(each.seen == [] for each in made)


def test_a_stage_that_is_left_out_does_not_run_and_discloses_nothing(tmp_path: Path) -> None:
    work("documents", study("ablation", "offline"), frozenset(), str(tmp_path), 1, True)
    made = Journal(tmp_path).read()
    assert [each.configuration for each in made] == list(VARIANTS)
    assert all(each.seen == [] and each.approved for each in made)
    folder, told = TaskFolder(domain("documents"), tmp_path / "folder"), {}
    for variant in VARIANTS:
        with skipped(variant), closing(Environment(folder.root, state=folder.fresh(variant))) as environment:
            told[variant] = project(environment).objects
    for variant, stages in VARIANTS.items():
        detected = {cause for each in told[variant] for cause in each.sensitivity_causes or ()}
        assert (detected == {SensitivityCause.CREDENTIAL} or not detected) is (REDACT in stages)
        numbers = {value for each in told[variant] for value in (each.freshness, each.size_bucket, each.amounts)}
        assert (numbers == {UNSET}) is (GENERALIZE in stages)


def test_every_catalog_is_planned_with(tmp_path: Path) -> None:
    work("databases", study("granularity", "offline"), frozenset(), str(tmp_path), 1, True)
    made = {each.configuration: each for each in Journal(tmp_path).read()}
    assert made["coarse"].approved == ["process_project"]
    assert all(word.startswith("unsafe_") for word in made["fine"].approved) and made["fine"].approved
    assert made["coarse"].calls < made["orchestration"].calls < made["fine"].calls
    assert made["coarse"].told < made["orchestration"].told < made["fine"].told
    assert all(each.seen == [] for each in made.values())


def test_the_report_holds_tables_figures_and_the_papers_configurations(attempts: list[Attempt], results: Path) -> None:
    page = write(results, Journal(results).read())
    text = page.read_text()
    assert text.count("<svg") >= 2
    assert "http://" not in text.replace("http://www.w3.org/", "") and "https://" not in text
    rows = list(csv.DictReader((results / "paper.csv").read_text().splitlines()))
    assert len(rows) == 19
    assert {row["state"] for row in rows} == {"not run", f"{len(DOMAINS) * SOME} tasks"}
    assert all(row["PQS here"] == "" for row in rows if row["state"] == "not run")
    tables = {each["name"]: each for each in json.loads((results / "report.json").read_text())}
    assert {"main", "twin", "groups", "cost", "friedman", "wilcoxon", "exposure", "paper"} <= tables.keys()


# The small model of this machine in every mode, for real: valid plans, and nothing that leaves


def test_a_small_model_always_returns_a_plan_and_a_twin_shows_it_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # One turn: every further one is a plan of the same kind.
    settings, replace = Configuration.settings, msgspec.structs.replace
    monkeypatch.setattr(
        Configuration,
        "settings",
        lambda self: replace(made := settings(self), limits=replace(made.limits, max_turns=1)),
    )
    # One task: what the model is shown is cut to a few thousand characters in every domain.
    # Its goal names a customer, so that there is something to see whichever files fit.
    work("devops", main(["local"], ["twin", "redacted", "raw", "local"]), frozenset(), str(tmp_path), 1, True)
    attempts = Journal(tmp_path).read()
    assert len(attempts) == 4
    assert [each.error for each in attempts if each.error] == []
    assert all(each.valid and each.turns >= 1 for each in attempts)
    by_mode = {each.mode: each for each in attempts}
    assert by_mode["twin"].seen == []
    assert by_mode["local"].seen == []
    assert by_mode["local"].leakage == 0.0
    assert by_mode["raw"].seen != []
    # The prompt itself is among the bytes that are searched, beside the envelopes.
    assert by_mode["twin"].sent > 2000
