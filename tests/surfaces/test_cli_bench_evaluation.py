"""`plantwin bench`: attempts, studies, reports, and prompts and plans as files."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from command_line import Cli

from plantwin_evals.redactors import absent
from plantwin_evals.suite import domain
from tables import cases

pytestmark = pytest.mark.xdist_group("bench")
"""All in one process: some read what others made."""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bench") / "results"


def test_a_run_prints_tables_and_keeps_its_attempts(cli: Cli, results: Path) -> None:
    ran = cli("bench", "run", "--domain", "frontend", "--tasks", "2", "--planner", "offline", "--out", str(results))
    assert ran.code == 0
    assert "twin + offline" in ran.out and "goal-only + offline" in ran.out
    modes = 4 + (absent("redacted-presidio") == "")
    assert len((results / "attempts.jsonl").read_text().splitlines()) == 2 * modes


def test_a_peer_that_is_not_installed_is_listed_as_not_run(
    cli: Cli, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "presidio_analyzer", None)
    common = ("--domain", "frontend", "--tasks", "1", "--planner", "offline", "--out", str(results))
    ran = cli("bench", "run", "--mode", "redacted", "--mode", "redacted-presidio", *common, "--json")
    assert ran.code == 0
    table = next(each for each in ran.json["tables"] if each["name"] == "redaction")
    states = {row[0]: row[-1] for row in table["rows"]}
    assert states["redacted"] == "1 tasks" and states["redacted-presidio"].startswith("not run: presidio-analyzer")
    alone = cli("bench", "run", "--mode", "redacted-presidio", *common)
    assert alone.code == 2 and "presidio-analyzer is not installed" in alone.err


def test_a_study_prints_what_it_varied(cli: Cli, results: Path) -> None:
    ran = cli("bench", "granularity", "--domain", "frontend", "--tasks", "1", "--out", str(results), "--json")
    assert ran.code == 0
    tree = json.loads(ran.out)
    assert [row[0] for row in tree["tables"][0]["rows"]] == ["coarse", "orchestration", "fine"]
    assert all(each["seen"] == [] for each in tree["attempts"])


def test_overhead_is_measured_by_phase_and_kept_for_the_report(cli: Cli, results: Path) -> None:
    ran = cli("bench", "overhead", "--domain", "coding", "--tasks", "1", "--out", str(results), "--json")
    assert ran.code == 0
    phases, latency = ran.json["tables"]
    names = [row[0] for row in phases["rows"]]
    assert names[:3] == ["observe, first time", "observe, again", "project"]
    assert {"encode", "planner", "decide", "ledger", "step", "report", "render", "total"} <= set(names)
    assert latency["rows"][0][0] == "twin + offline, here"
    # More is done where files are read than where their dates are looked at, and by a worker than by a call.
    assert all(each["seconds"] > each["peer"] for each in ran.json["samples"] if each["phase"].startswith("observe"))
    assert any(each["seconds"] > each["peer"] for each in ran.json["samples"] if each["phase"] == "step")


def test_a_report_is_one_page_without_anything_from_elsewhere(cli: Cli, results: Path) -> None:
    ran = cli("bench", "report", str(results))
    assert ran.code == 0
    assert "The paper's nineteen configurations" in ran.out
    assert "Redaction, and peers of it" in ran.out and "What a session costs by phase" in ran.out
    page = (results / "report.html").read_text()
    assert "<svg" in page and "<script" not in page and " src=" not in page
    assert cli("bench", "report", str(results), "--markdown").out.startswith("### ")


def test_prompts_go_out_and_plans_come_back_as_files(cli: Cli, tmp_path: Path) -> None:
    prompts, plans = tmp_path / "prompts", tmp_path / "plans"
    assert cli("bench", "export", "--domain", "devops", "--out", str(prompts)).code == 0
    texts = sorted(prompts.glob("*.txt"))
    assert [path.name for path in texts] == [f"devops-{number}.1.txt" for number in range(1, 7)]
    prompt, workspace = texts[0].read_text(), domain("devops").folder / "workspace"
    files = [path.relative_to(workspace).as_posix() for path in workspace.rglob("*") if path.is_file()]
    assert files and [path for path in files if path in prompt] == []
    told = next(json.loads(line) for line in prompt.splitlines() if line.startswith('{"message":"registration"'))
    chosen = next(each["set_id"] for each in told["sets"] if each.get("family") == "infrastructure")
    assert chosen in json.loads((prompts / ".ids" / "twin-devops-1.json").read_text())
    plans.mkdir()
    step = {"id": "s1", "capability": "audit_infrastructure", "inputs": [chosen]}
    (plans / "devops-1.1.txt").write_text(f"Here it is:\n```json\n{json.dumps({'steps': [step]})}\n```\n")
    for where in ([], ["--prompts", str(prompts)]):
        ran = cli("bench", "score", "--plans", str(plans), *where, "--name", "someone", "--json")
        assert ran.code == 0
        (attempt,) = json.loads(ran.out)["attempts"]
        assert attempt["approved"] == ["audit_infrastructure"]
        # The id of the prompt's session means the same files in this one: all of Terraform, none of other sets.
        assert {path for path in files if path.endswith(".tf")} <= set(attempt["objects"])
        assert [path for path in attempt["objects"] if path.startswith(("k8s/", "docs/", "logs/"))] == []
        assert (attempt["planner"], attempt["task"], attempt["seen"]) == ("someone", "devops-1", [])
    # With a plan for the first turn, the prompt of the second holds what became of it.
    assert cli("bench", "export", "--domain", "devops", "--out", str(prompts), "--plans", str(plans)).code == 0
    assert '"message":"results"' in (prompts / "devops-1.2.txt").read_text()
    # A plan may be called by its task alone, and needs a prompt of its own mode.
    (plans / "devops-1.1.txt").rename(plans / "devops-1.txt")
    assert cli("bench", "score", "--plans", str(plans), "--json").code == 0
    ran = cli("bench", "score", "--plans", str(plans), "--mode", "raw")
    assert ran.code == 2 and "bench export --mode raw" in ran.err


def test_the_game_is_played_on_a_folder_of_ones_own(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "tree"
    for number in range(30):
        (folder / f"part{number}").mkdir(parents=True)
        (folder / f"part{number}" / "code.py").write_text(f"def work_{number}():\n    return {number}\n")
    ran = cli("bench", "reid", "--tree", str(folder), "--trials", "20", "--json")
    assert ran.code == 0
    rows = json.loads(ran.out)["rows"]
    assert {row["tree"] for row in rows} == {"tasks' files", "tree"}
    # Files that are all alike cannot be told apart, however much is told, as sets or one by one.
    wanted = {"tree": "tree", "knowledge": "everything", "strategy": "full", "pool": 15, "trials": 20}
    full = {row["twin"]: row["result"]["accuracy"] for row in rows if wanted.items() <= row.items()}
    assert full.keys() == {"sets", "objects"} and max(full.values()) < 0.3


def test_tasks_of_ones_own_are_tried(tmp_path: Path) -> None:
    suite = Path(__file__).parents[2] / "benchmarks" / "unseen"
    command = [
        sys.executable, "-m", "plantwin", "bench", "run", "--suite", str(suite), "--domain", "api", "--planner",
        "offline", "--mode", "goal-only", "--out", str(tmp_path), "--json",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    attempts = json.loads(done.stdout)["attempts"]
    with (suite / "api" / "tasks.toml").open("rb") as file:
        groups = [each["group"] for each in tomllib.load(file)["task"]]
    assert [each["group"] for each in attempts] == groups
    assert all(each["approved"] and not each["seen"] for each in attempts)


def test_everything_in_one_go_shares_what_is_the_same(cli: Cli, tmp_path: Path) -> None:
    tree, out = tmp_path / "tree", tmp_path / "out"
    for number in range(20):
        (tree / f"part{number}").mkdir(parents=True)
        (tree / f"part{number}" / "code.py").write_text(f"def work_{number}():\n    return {number}\n")
    ran = cli("bench", "all", "--domain", "api", "--tasks", "1", "--tree", str(tree), "--out", str(out), "--json")
    assert ran.code == 0
    names = {table["name"] for table in json.loads(ran.out)["tables"]}
    assert {"main", "ablation", "budget", "sequence-sets", "granularity", "goals", "smallest", "reid"} <= names
    lines = [json.loads(line) for line in (out / "attempts.jsonl").read_text().splitlines()]
    same = [each for each in lines if each["configuration"] in ("twin + offline", "all", "twin, fresh", "lexicon")]
    assert len(same) == 4 and len({json.dumps(each["seconds"]) for each in same}) == 1
    assert (out / "report.html").is_file()


@cases("arguments")
def test_wrong_use_is_told(arguments: list[str], cli: Cli) -> None:
    assert cli("bench", *arguments).code == 2
