"""Suites over real folders: labels that hold together, and goals that are asked, exported and scored."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from plantwin.errors import InputError
from plantwin_evals.attempts import Attempt
from plantwin_evals.folder_suite import load
from plantwin_evals.report import all_tables, pictures
from plantwin_evals.suite import Task
from plantwin_evals.tables import folder_tables, main_table

VAGUE = Path(__file__).parents[2] / "benchmarks" / "vague"
TASKS = """\
acceptable_everywhere = ["report"]
[[goal]]
id = "right"
half = "open"
goal = "Is everything right here?"
task = [
    {folder = "code", required = {lint = ["**/*.py", "gone.py"]}, acceptable = ["list_todos"]},
    {folder = "data", required = {check_data_quality = ["*.csv"], profile_data = ["*.csv"]}},
]
[[goal]]
id = "secret"
half = "kept"
goal = "Is anything in here that nobody should see?"
task = [
    {folder = "code", required = {secret_scan = ["**/*.py"]}},
    {folder = "data", required = {redact_document = ["*.csv"]}},
]
"""
FOLDERS = "\n".join(
    f'[[folder]]\nid = "{name}"\nrepository = "someone/{name}"\ncommit = "{"0" * 40}"\nlicence = "MIT"'
    for name in ("code", "data")
)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    files = {"suite/tasks.toml": TASKS, "suite/folders.toml": FOLDERS, "folders/code/.git/hook.py": "import os\n"}
    for number in range(6):
        files[f"folders/code/part{number}.py"] = f"import os\n\ndef work(x=[]):\n    return {number}\n"
        files[f"folders/data/table{number}.csv"] = "id,amount\n" + "".join(f"{row},{row * 3}\n" for row in range(9))
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path / "suite"


def bench(suite: Path, action: str, *options: str) -> dict[str, Any]:
    """Run an action over a suite in a process of its own: which suite it is cannot change within one."""
    where = ["--suite", str(suite), "--folders", str(suite.parent / "folders"), "--json"]
    command = [sys.executable, "-m", "plantwin", "bench", action, *where, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def test_goals_are_asked_of_their_folders(suite: Path, tmp_path: Path) -> None:
    ran = bench(
        suite, "run", "--half", "both", "--planner", "offline", "--mode", "twin", "--out", str(tmp_path / "out")
    )
    assert {each["task"] for each in ran["attempts"]} == {
        f"{folder}-{goal}" for folder in ("code", "data") for goal in ("right", "secret")
    }
    (table,) = (table for table in ran["tables"] if table["name"] == "folders")
    row = dict(zip(table["columns"], table["rows"][0], strict=True))
    assert row["n"] == 4 and row["alike"].endswith(" of 2") and 0 < row["work F1"] <= 1
    # A clone's history is no file of the folder.
    assert not any(".git" in path for each in ran["attempts"] for path in each["objects"])


def test_prompts_go_out_and_plans_come_back(suite: Path, tmp_path: Path) -> None:
    prompts, plans = tmp_path / "prompts", tmp_path / "plans"
    plans.mkdir()
    # The half that is kept is asked for by name alone.
    assert bench(suite, "export", "--out", str(prompts))["prompts"] == ["code-right.1.txt", "data-right.1.txt"]
    prompt = (prompts / "code-right.1.txt").read_text()
    told = next(json.loads(line) for line in prompt.splitlines() if line.startswith('{"message":"registration"'))
    steps = [
        {"id": f"s{number}", "capability": word, "inputs": [each["set_id"] for each in told["sets"]]}
        for number, word in enumerate(("lint", "list_todos"), start=1)
    ]
    (plans / "code-right.1.json").write_text(json.dumps({"steps": steps}))
    scored = bench(suite, "score", "--plans", str(plans), "--prompts", str(prompts))
    (attempt,) = scored["attempts"]
    assert attempt["approved"] == ["lint", "list_todos"]
    assert (attempt["capability"], attempt["lenient"], attempt["object"]) == ([0.5, 1], [1, 1], [1, 1])
    assert attempt["pairs"] == [0.5, 1]


def test_the_labels_of_the_vague_suite_hold_together() -> None:
    made = load(VAGUE)
    halves = [goal.half for goal in made.goal]
    assert halves.count("open") == halves.count("kept") and all(len(goal.task) == 3 for goal in made.goal)
    assert {task.folder for goal in made.goal for task in goal.task} == {folder.id for folder in made.folder}


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ('folder = "data"', 'folder = "nowhere"', "no folder nowhere"),
        ('acceptable = ["list_todos"]', 'acceptable = ["lint"]', "both required and acceptable"),
        ('redact_document = ["*.csv"]', 'secret_scan = ["*.csv"]', "the same answer twice"),
        ('["*.csv"]', "[]", "length >= 1"),
        ('id = "right"', 'id = "right"\nhint = ""', "unknown field"),
    ],
)
def test_wrong_labels_are_told(suite: Path, old: str, new: str, wrong: str) -> None:
    (suite / "tasks.toml").write_text(TASKS.replace(old, new))
    with pytest.raises(InputError, match=wrong):
        load(suite)


@pytest.mark.parametrize(
    ("worked", "files", "pairs"),
    [
        ([("secret_scan", "a.env"), ("lint", "b.py")], (1, 1), (1, 1)),
        ([("secret_scan", "b.py"), ("lint", "a.env")], (1, 1), (0, 0)),
        ([("secret_scan", "a.env"), ("secret_scan", "c.md")], (0.5, 0.5), (0.5, 0.5)),
        ([], (0, 0), (0, 0)),
    ],
)
def test_work_is_the_right_capability_on_the_right_file(
    worked: list[tuple[str, str]], files: tuple[float, float], pairs: tuple[float, float]
) -> None:
    rows: Any = (("secret_scan", "a.env"), ("lint", "b.py"))
    task = Task(id="x-1", goal="", group="environment", expected=(), objects=("a.env", "b.py"), pairs=rows)
    made = attempt("x", "1", [])
    made.judge(task, worked)
    assert (made.object, made.pairs) == (files, pairs)


def attempt(folder: str, goal: str, approved: list[str], mode: str = "twin", **members: Any) -> Attempt:
    return Attempt(
        configuration=f"{mode} + offline", planner="offline", mode=mode, domain=folder, task=f"{folder}-{goal}",
        group="environment", approved=approved, pairs=(0.5, 1), **members,
    )  # fmt: skip


def test_goals_that_are_planned_from_their_words_alone_are_counted() -> None:
    made = [
        attempt("a", "x", ["lint"]),
        attempt("b-c", "x", ["lint"]),
        attempt("a", "y", []),
        attempt("b-c", "y", ["lint"]),
    ]
    (table,) = folder_tables([*made, attempt("a", "z", ["lint"])])
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert (row["alike"], row["n"], row["work P"], row["work F1"]) == ("1 of 2", 5, 0.5, pytest.approx(2 / 3))


def test_a_report_of_folders_claims_nothing_that_was_not_measured() -> None:
    ledger = attempt("a", "x", [], study="multiturn")
    ledger.configuration = "twin, one ledger"
    made = [attempt("a", "x", ["lint"], "redacted"), ledger]
    row = dict(zip(main_table(made[:1]).columns, main_table(made[:1]).rows[0], strict=True))
    assert (row["SND"], row["NL"]) == (None, None) and "Code" not in row
    assert "folders" in {table.name for table in all_tables(made)}
    assert next(title for title, _ in pictures(made)) == "Plan quality by domain"
