"""`synth`: a folder of invented files from a twin, beside the real one or from a saved twin alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Cli, Process

from plantwin.errors import GateError
from plantwin.private.resemblance import Taken
from plantwin.run import Run
from plantwin.surfaces.cli.rehearse import Rehearsal, lines
from plantwin.types.outcome import Outcome
from plantwin.types.plan import Plan, Step
from plantwin.types.verdict import Admission, Allowed
from plantwin.vocabulary import StepStatus


def test_a_folder_is_made_with_a_file_for_each_object(cli: Cli, tree: Path, tmp_path: Path) -> None:
    twin = cli("twin", tree, "--all", "--json").json["twin"]
    made = cli("synth", tree, "--out", tmp_path / "made", "--share", "--json").json
    paths = set(made["paths"].values())
    assert made["files"] == len(twin["objects"]) == len(paths)
    assert all((tmp_path / "made" / path).is_file() for path in paths)
    assert made["shareable"] is True
    assert not {path.name for path in tree.rglob("*") if path.suffix == ".py"} & {Path(path).name for path in paths}


def test_a_saved_twin_is_enough(process: Process, cli: Cli, tree: Path, tmp_path: Path) -> None:
    for name, options in (("full", ("--all", "--json")), ("envelope", ("--json",))):
        (tmp_path / f"{name}.json").write_bytes(process("twin", tree, *options).stdout)
        ran = cli("synth", "--from", tmp_path / f"{name}.json", "--out", tmp_path / name)
        assert ran.code == 0 and "made from the twin alone" in ran.out
        first = {path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*.*")}
        cli("synth", "--from", tmp_path / f"{name}.json", "--out", tmp_path / name, "--force")
        assert first == {
            path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*.*")
        }


def test_bad_uses_are_refused_and_nothing_is_written(cli: Cli, tree: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "bad.json").write_text("[]")
    for arguments in (
        (tree, "--out", tmp_path / "there"),
        (tree, "--out", tree / "inside"),
        (tree, "--out", tree),
        ("--from", tmp_path / "bad.json", "--out", tmp_path / "made"),
        ("--from", tmp_path / "missing.json", "--out", tmp_path / "made"),
        (tree, "--out", tmp_path / "none" / "made"),
    ):
        assert cli("synth", *arguments).code == 2
    assert {path.name for path in tmp_path.iterdir()} - {tree.name, "state"} == {"bad.json", "there"}
    assert list((tmp_path / "there").iterdir()) == []


def test_what_holds_something_of_the_folder_is_not_made(
    cli: Cli, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Taken, "checked", lambda *_: (_ for _ in ()).throw(GateError("artifact_aaaaaaaa: a word")))
    assert cli("synth", tree, "--out", tmp_path / "made", "--share").code == 1
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    "plan", [["Is anything in here unsafe?"], ["Find secrets in src/auth.py"]], ids=["over sets", "on an object"]
)
def test_a_plan_is_rehearsed_on_made_up_files_first(cli: Cli, tree: Path, plan: list[str]) -> None:
    ran = cli("run", *plan, "--root", tree, "--rehearse", "--json")
    steps = ran.json["rehearsal"]
    assert steps
    for step in steps:
        assert step["made_up"]["verdict"] == step["real"]["verdict"] == "allowed"
    said = cli("run", *plan, "--root", tree, "--rehearse").out
    assert f"{len(steps)} of {len(steps)} step" in said.replace("\n", " ") and "made-up file" in said
    assert len(cli("run", *plan, "--root", tree, "--rehearse", "-v").out) > len(said)


def test_what_goes_otherwise_than_rehearsed_is_told() -> None:
    plan = Plan(steps=(Step(id="s1", capability="lint", inputs=("artifact_aaaaaaaa",)),))
    run = Run("session", "goal", "offline", "offline")
    there = {"verdict": "failed", "status": "failed"}
    assert lines([Rehearsal(plan, 3, {"s1": there})], run)[1] == "s1 lint: failed there, not reached here"
    for full, words in ((False, ["status"]), (True, ["status", "count"])):
        turn = run.begin(plan, Admission(steps=(), order=(0,)))
        turn.decided(0, Allowed(outcome=Outcome(status=StepStatus.PARTIAL)), 0.1)
        made_up = {"verdict": "allowed", "status": "done", "count": "few"}
        said = lines([Rehearsal(plan, 3, {"s1": made_up})], run, full=full)
        run.turns.clear()
        assert [word for word in ("status", "count") if f"{word} " in said[1]] == words
        assert said[0] == "0 of 1 step went as on 3 made-up files"


def test_a_plan_written_over_made_up_files_is_checked_and_run_on_the_real_ones(
    cli: Cli, tree: Path, tmp_path: Path
) -> None:
    made, plan = tmp_path / "map.json", tmp_path / "plan.json"
    paths = cli("synth", tree, "--out", tmp_path / "made", "--map", made, "--json").json["paths"]
    assert made.stat().st_mode & 0o777 == 0o600
    places = json.loads(made.read_text())["made_up"]
    assert set(places) == set(paths.values())
    name = next(name for name, place in places.items() if place.get("path") == "src/auth.py")
    for given, code, admitted in ((name, 0, [True]), ("src/auth.py", 1, [False])):
        step = {"id": "s1", "capability": "security_audit", "inputs": [given]}
        plan.write_text(json.dumps({"steps": [step]}))
        checked = cli("check", plan, "--made-up", made, "--root", tree, "--json")
        assert checked.code == code and [one["admitted"] for one in checked.json["steps"]] == admitted
    plan.write_text(json.dumps({"steps": [{**step, "inputs": [name]}]}))
    assert "src/auth.py" in cli("run", "--plan", plan, "--made-up", made, "--root", tree).out


def test_a_map_is_used_where_it_fits_and_nowhere_else(cli: Cli, tree: Path, tmp_path: Path) -> None:
    plan, saved, none = tmp_path / "plan.json", tmp_path / "saved.json", tmp_path / "none.json"
    plan.write_text('{"steps": []}')
    none.write_text('{"made_up": [1]}')
    cli("plan", "Find secrets", "--root", tree, "--out", saved)
    for arguments in (
        ("check", plan, "--made-up", none, "--root", tree),
        ("check", saved, "--made-up", none, "--root", tree),
        ("check", plan, "--made-up", tmp_path / "missing", "--root", tree),
        ("run", "Find secrets", "--made-up", none, "--root", tree),
        ("run", "Find secrets", "--rehearse", "--dry-run", "--root", tree),
        ("synth", tree, "--out", tmp_path / "made", "--map", tmp_path / "made" / "map.json"),
        ("synth", "--from", none, "--out", tmp_path / "made", "--map", tmp_path / "map.json"),
    ):
        assert cli(*arguments).code == 2, arguments
