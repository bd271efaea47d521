"""What is drawn and written down: series that exist, axes that rise, where results come from; and who approves."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from matplotlib import pyplot as plt

from plantwin_evals import figures, report
from plantwin_evals.attempts import Attempt, Journal
from plantwin_evals.configurations import Configuration, study
from plantwin_evals.modes import attempt
from plantwin_evals.planners import subjects
from plantwin_evals.reid import Row
from plantwin_evals.reidentification import Result
from plantwin_evals.report import commit, keep_tables, note_command, pictures, write
from plantwin_evals.running import known
from plantwin_evals.study_tables import TITLES, study_tables
from plantwin_evals.suite import domain
from plantwin_evals.tables import Table
from plantwin_evals.task_folder import TaskFolder

ROOT = Path(__file__).parents[2]


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


NOTHING = [made("twin + lost", failed=True), made("coarse", study="granularity", sensitive=0)]
"""A planner that never answered, and tasks without findings or sensitive items."""


def test_every_plotted_series_exists_and_every_axis_rises(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Any] = []
    monkeypatch.setattr(figures, "_svg", lambda figure: drawn.append(figure) or "")
    attempts = [made("twin + offline", capability=(0.5, 0.5)), *STUDY, *SEQUENCE, *NOTHING]
    titles = [title for title, _ in pictures(attempts, ROWS)]
    assert len(titles) == len(drawn) == 7
    for title, figure in zip(titles, drawn, strict=True):
        seen = 0
        for axes in figure.axes:
            labels = axes.get_legend_handles_labels()[1]
            assert len(labels) == len(set(labels)) and "twin + lost" not in labels, title
            for line in axes.get_lines():
                at = list(line.get_xdata())
                assert at == sorted(at) and len(line.get_ydata()) == len(at) > 0, (title, line.get_label())
            # What was not measured has neither a point nor a bar, so that nothing stands for it at nought.
            names = [tick.get_text() for tick in axes.get_xticklabels()]
            assert title != TITLES["granularity"] or (names, labels) == (["coarse"], ["object F1", "NL"])
            seen += len(labels)
        assert seen, title
    shaded = {
        title for title, figure in zip(titles, drawn, strict=True) if any(axes.collections for axes in figure.axes)
    }
    assert {TITLES["budget"], "Re-identification by pool"} <= shaded
    plt.close("all")


def test_no_two_of_the_papers_nineteen_look_alike() -> None:
    signs = {(number % len(figures.COLOURS), figures.second(number)) for number in range(19)}
    assert len(signs) == 19 and len(set(figures.HATCHES)) == len(figures.MARKS) == len(figures.COLOURS)


def test_what_was_not_played_is_not_drawn_as_nought() -> None:
    assert {one.name for one in figures.strategy_series(ROWS)} == {"everything", "session"}
    assert all(0.0 not in one.values for one in figures.strategy_series(ROWS))
    assert [one.name for one in figures.scaling_series(ROWS)] == ["full, everything", "full, session"]


def test_numbers_stand_in_their_order_and_the_paper_at_its_own() -> None:
    ours, *_, paper = figures.study_series(STUDY, figures.PAPER_BUDGET)
    assert ours.band and list(ours.at) == list(paper.at) == [0.25, 0.5, 1.0, 1.5]
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


def test_a_sequence_that_is_tried_again_keeps_nothing_of_the_one_before(tmp_path: Path) -> None:
    journal, first = Journal(tmp_path), [*SEQUENCE]
    first[-1] = made("twin, one ledger", "devops-3", "multiturn", round=2, failed=True)
    journal.append([*first, made("twin, one ledger", "coding-1", "multiturn", round=3)])
    # A round that a planner did not answer is missing, though the round before it was answered.
    assert {key[2] for key in known(journal.read())} == {one.task for one in SEQUENCE} - {"devops-3"}
    journal.append(one for one in SEQUENCE if one.round == 1)
    assert [one.round for one in journal.read()] == [1] * 6


def test_no_table_has_two_columns_of_one_name() -> None:
    attempts = [made("twin + offline", capability=(0.5, 0.5)), *STUDY, *SEQUENCE, *NOTHING]
    vague = made("twin + offline", "coding-2", capability=(0.25, 0.25))
    vague.group = "environment"
    found = {table.name: table for table in report.all_tables([*attempts, vague], ROWS)}
    assert [name for name, table in found.items() if len(set(table.columns)) < len(table.columns)] == []
    groups = found["groups"]
    row = dict(zip(groups.columns, groups.rows[0], strict=True))
    assert (row["PQS stated"], row["PQS environment"]) == (0.5, 0.25)
    assert (row["95 % stated"], row["95 % environment"]) == ("0.500 to 0.500", "0.250 to 0.250")


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
    assert "versions of the code" not in page
    monkeypatch.setattr(report, "commit", lambda: "another")
    note_command(tmp_path)
    assert "2 versions of the code" in write(tmp_path, STUDY).read_text()


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


# What is published


def test_published_figures_are_those_of_the_published_page_or_name_their_commit() -> None:
    docs = ROOT / "docs"
    page, text = (docs / "results.html").read_text(), (docs / "evaluation.md").read_text()
    known: dict[str, set[str]] = {}
    lines = {tuple(map(unescape, line.split("</td><td>"))) for line in re.findall(r"<tr><td>(.*?)</td></tr>", page)}
    for name, *cells in lines:
        known.setdefault(name, set()).update(cells)
    commit = re.search(r"<td>([0-9a-f]{40})</td><td>[^<]* cores", page)
    assert commit and "<svg" in page and "<script" not in page
    blocks = re.findall(r"<!-- result: ([^|]*?) -->(.*?)<!-- end -->", text, re.DOTALL)
    assert len(blocks) >= 15
    for wanted, block in blocks:
        rows = [line.strip("| ").split(" | ") for line in block.splitlines() if line.startswith("| ")][1:]
        assert "Measured at `" in block if rows else "Not measured at this version" in block
        if f"Measured at `{commit.group(1)[:7]}`" in block and not wanted.startswith("unseen/"):
            assert [(name, cell) for name, *cells in rows for cell in cells if cell not in known[name]] == []
            assert ": " in wanted or {tuple(row) for row in rows} <= lines
    # The strict figure is the one that is called PQS; the lenient one stands behind it.
    heads = [line for line in text.splitlines() if line.startswith("|") and "lenient" in line]
    assert heads and all(line.index("PQS") < line.index("lenient") for line in heads)


def test_one_step_puts_the_figures_of_a_folder_into_documents(tmp_path: Path) -> None:
    for folder, value in (("made", 0.7291), ("made-unseen", 0.6141)):
        table = Table("twin", "Sets", ("configuration", "PQS", "n"), [("twin + offline", value, 60)])
        twice = Table("gain", "Twice", ("arm", "n", "n"), [("none", 1, 2)])
        keep_tables(tmp_path / folder, "study", [table, twice])
        note_command(tmp_path / folder)
        write(tmp_path / folder, ())
    document = tmp_path / "page.md"
    sentence = "It has <!-- result: unseen/twin | twin + offline | PQS -->0.5<!-- end -->."
    document.write_text(
        f"<!-- result: twin: PQS -->old<!-- end -->\n{sentence}\n<!-- result: other -->kept<!-- end -->\n"
        "<!-- result: gain --><!-- end -->\n"
    )
    command = [sys.executable, str(ROOT / "scripts/figures.py"), str(tmp_path / "made"), str(document)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, f"{document}: no result: other\n")
    text = document.read_text()
    assert "| configuration | PQS |\n|---|---:|\n| twin + offline | 0.729 |\n\nMeasured at `" in text
    assert "| none | 1 | 2 |\n" in text  # a whole table is taken as it is, whatever its columns are called
    assert "-->0.61<!-- end -->." in text and "-->kept<!-- end -->" in text
    # What the documents ask for is what a run makes.
    names = {*TITLES, "main", "twin", "groups", "wilcoxon", "sequence-objects", "sequence-sets", "charges", "attacks"}
    names |= {"attacks-mrr", "gain", "closed-world"}
    for path in ("README.md", "docs/evaluation.md", "docs/offline.md"):
        asked = re.findall(r"<!-- result: (?:unseen/)?([\w-]+)", (ROOT / path).read_text())
        assert asked and set(asked) <= names
