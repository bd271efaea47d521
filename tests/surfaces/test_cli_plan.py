"""`plantwin plan`: stops after the plan, and saves it."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from command_line import UNDECODABLE, Cli, Terminal

from scripts import GOAL, plan, script, settings, step


def test_a_plan_is_priced_and_saved_and_nothing_runs(cli: Cli, tree: Path, tmp_path: Path, state: Path) -> None:
    planner = script(tmp_path, plan(step("s1", "summarize", "@kind=config"), step("s2", "summarize", "s1")))
    ran = cli("plan", GOAL, "--per-object", "--root", tree, "--planner", planner)
    assert ran.code == 0, ran.err
    assert re.search(r"[1-9][\d.]+ of 90\.0 for config/app\.toml", " ".join(ran.out.split()))
    assert "Nothing ran." in ran.out
    (saved,) = (state / "plans").iterdir()
    assert str(saved) in ran.out
    assert saved.stat().st_mode & 0o777 == 0o600
    document = json.loads(saved.read_text())
    assert [each["id"] for each in document["plan"]["steps"]] == ["s1", "s2"]
    id_ = document["plan"]["steps"][0]["inputs"][0]
    assert document["objects"][id_] == {"path": "config/app.toml"}
    assert document["root"] == str(tree)
    assert document["planner"] == {"name": "scripted", "audience": "scripted", "locality": "local"}
    kinds = [each["kind"] for each in cli("audit", "show", "--json").json["lines"]]
    assert "verdict" not in kinds and kinds.count("envelope") == 2


def test_json(cli: Cli, tree: Path, tmp_path: Path) -> None:
    planner = script(tmp_path, plan(step("s1", "nonsense", "@kind=config")))
    ran = cli("plan", GOAL, "--per-object", "--root", tree, "--planner", planner, "--json")
    assert ran.code == 1, "no step can be admitted"
    (priced,) = ran.json["admission"][0]["steps"]
    assert (priced["admitted"], priced["code"], priced["check"]) == (False, "unknown_capability", 1)
    assert Path(ran.json["saved"]).is_file() and ran.json["command"] == "plan"
    messages = [json.loads(each)["message"] for each in ran.json["outbound"]]
    assert messages == ["registration", "request", "repair"], "it may be corrected once"
    assert not {"verdicts", "findings", "summary"} & set(ran.json)


def test_names_that_are_no_unicode_are_saved_exactly(cli: Cli, tree: Path, tmp_path: Path) -> None:
    planner = script(tmp_path, plan(*(step(f"s{n}", "summarize", f"@object={n}") for n in range(1, 13))))
    saved = cli("plan", GOAL, "--per-object", "--root", tree, "--planner", planner, "--json").json["saved"]
    objects = json.loads(Path(saved).read_text())["objects"]
    assert any("path_bytes" in each for each in objects.values())
    ran = cli("check", saved, "--json")
    assert all(each.get("code") != "unknown_object" for each in ran.json["steps"])
    assert UNDECODABLE.decode("latin-1") not in ran.out


def test_a_planner_that_has_nothing_to_ask(cli: Cli, tree: Path, tmp_path: Path, state: Path) -> None:
    ran = cli("plan", GOAL, "--per-object", "--root", tree, "--planner", script(tmp_path))
    assert (ran.code, "The planner asks for nothing." in ran.out) == (2, True)
    assert not (state / "plans").exists() or not list((state / "plans").iterdir())


def test_a_planner_that_fails(cli: Cli, tree: Path, tmp_path: Path) -> None:
    for answer in ("nonsense", '{"steps": "many"}', json.dumps(plan(*[step("a", "b", "a")]))):
        ran = cli("plan", GOAL, "--per-object", "--root", tree, "--planner", script(tmp_path, answer))
        assert ran.code == 3
        assert "the planner's answer is refused" in ran.err


def test_a_dry_run_asks_nobody(cli: Cli, tree: Path, tmp_path: Path) -> None:
    ran = cli("plan", GOAL, "--per-object", "--root", tree, "--planner", script(tmp_path, "nonsense"), "--dry-run")
    assert ran.code == 0 and "Nothing was sent or charged." in ran.out


def test_no_step_is_asked_about(terminal: Terminal, tree: Path, tmp_path: Path) -> None:
    planner = script(
        tmp_path, plan(step("s1", "secret_scan", "@kind=secret_container")), audience="acme", locality="remote"
    )
    config = settings(tmp_path, '[policy]\nname = "default"\n')
    code, shown = terminal(
        "plan", GOAL, "--per-object", "--root", tree, "--send", "--planner", planner, "--config", config
    )
    assert code == 0
    assert "needs your approval" in " ".join(shown.split()) and "> " not in shown.replace("-> ", "")


def test_sets_and_parts_are_saved_and_found_again(cli: Cli, tree: Path, tmp_path: Path) -> None:
    for number in range(12):
        (tree / "docs" / f"runbook_{number}.md").write_text(f"# Runbook {number}\n\n1. Restart the service {number}.\n")
    audit = step("s1", "summarize", {"set": "@set=1", "where": {"kind": "document"}})
    planner = script(tmp_path, plan(audit, step("s2", "secret_scan", "s1.unexamined"), step("s3", "report", "s1")))
    ran = cli("plan", "Look around", "--root", tree, "--planner", planner, "--json")
    saved = json.loads(Path(ran.json["saved"]).read_text())
    (id_,) = [each["inputs"][0]["set"] for each in saved["plan"]["steps"] if each["id"] == "s1"]
    assert saved["sets"][id_]["is"] and len(saved["sets"][id_]["members"]) == 64
    assert id_ not in saved["objects"]
    checked = cli("check", ran.json["saved"], "--json").json
    told = {each["step"]: each["inputs"] for each in checked["steps"]}
    assert told["s1"][0]["where"] == {"kind": "document"} and told["s1"][0]["set_id"] != id_
    assert told["s2"] == [{"step": "s1", "part": "unexamined"}]
    assert not any(each.get("code") in ("unknown_object", "unknown_set") for each in checked["steps"])
    assert "only kind document" in cli("check", ran.json["saved"]).out
    shutil.rmtree(tree / "docs")
    shown = " ".join(cli("check", ran.json["saved"]).out.split())
    assert f"no object or set that this session showed has this id; no set here is {saved['sets'][id_]['is']}" in shown
