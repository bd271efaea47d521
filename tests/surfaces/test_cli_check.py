"""`plantwin check`: what the gatekeeper would say, without any effect."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli

from scripts import GOAL, plan, script, settings, step


def bare(folder: Path, *steps: dict[str, Any]) -> Path:
    path = folder / "bare.json"
    path.write_text(json.dumps(plan(*steps)))
    return path


def test_a_plan_with_real_paths(cli: Cli, tree: Path, tmp_path: Path) -> None:
    path = bare(
        tmp_path,
        step("a", "security_audit", "src/auth.py"),
        step("b", "security_audit", "./src/store.py"),
        step("c", "compare", "a", "b"),
        step("d", "summarize", "shop.db#users"),
        step("e", "secret_scan", ".env"),
    )
    ran = cli("check", path, "--root", tree)
    assert ran.code == 0, ran.out + ran.err
    assert "Every step would be admitted. Nothing was sent, charged or run." in ran.out
    assert (
        re.search(r"costs at most [1-9][\d.]+ of 90\.0 for src/auth\.py", ran.out) and "policy: permit by " in ran.out
    )
    document = cli("check", path, "--root", tree, "--json").json
    assert document["admitted"] and [each["step"] for each in document["steps"]] == list("abcde")
    assert document["steps"][3]["inputs"][0]["part"] == "users"
    assert document["steps"][2]["inputs"] == [{"step": "a"}, {"step": "b"}]
    assert [each["asks"] for each in document["steps"]] == [[]] * 5, "nothing leaves, so nobody is asked"
    ran = cli("check", path, "--root", tree, "--audience", "acme")
    assert ran.code == 0 and "a person is asked because of: policy" in ran.out
    document = cli("check", path, "--root", tree, "--audience", "acme", "--json").json
    assert document["steps"][4]["asks"] == ["policy"]


def test_one_price_for_several_inputs_is_told_once(cli: Cli, tree: Path, tmp_path: Path) -> None:
    ran = cli("check", bare(tmp_path, step("a", "lint", "src/auth.py", "src/store.py")), "--root", tree)
    assert re.search(r"costs at most [\d.]+ of 90\.0 for each\s", ran.out), ran.out
    assert not re.search(r"policy: *$", ran.out, re.MULTILINE)


def test_nothing_is_charged_recorded_or_run(
    cli: Cli, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*_: object, **__: object) -> None:
        raise AssertionError("it ran")

    monkeypatch.setattr("plantwin.private.execution.executor.SandboxExecutor.execute", run)
    path = bare(tmp_path, step("a", "security_audit", "src/auth.py"), step("b", "describe", "src/auth.py"))
    for _ in range(3):
        document = cli("check", path, "--root", tree, "--json").json
        assert [each["before"] for each in document["spent"]] == [0.0]
    assert cli("audit", "show", "--json").json["lines"] == []
    assert "No audience has been told anything." in cli("budget", "--root", tree).out


def test_a_plan_of_the_first_wire_format_is_refused(cli: Cli, tree: Path, tmp_path: Path) -> None:
    path = bare(tmp_path, step("a", "expand", "group_aaaaaaaa"))
    for ran in (cli("check", path, "--root", tree), cli("run", "--plan", path, "--root", tree)):
        assert ran.code == 2 and "a plan of wire format 1" in ran.err and "`split` and `by`" in ran.err


def test_refused_steps_are_named_with_their_reason(cli: Cli, tree: Path, tmp_path: Path) -> None:
    path = bare(
        tmp_path,
        step("a", "security_audit", "absent.py"),
        step("b", "summarize", "a"),
        step("c", "nonsense", "src/auth.py"),
        step("d", "security_audit", "README.md"),
        step("e", "summarize", "README.md"),
    )
    ran = cli("check", path, "--root", tree, "--json")
    assert ran.code == 1
    codes = {each["step"]: each.get("code") for each in ran.json["steps"]}
    assert codes == {
        "a": "unknown_object", "b": "depends_on_refused", "c": "unknown_capability", "d": "wrong_kind", "e": None,
    }  # fmt: skip
    shown = " ".join(cli("check", path, "--root", tree).out.split())
    assert "nothing here is named absent.py" in shown and "check (1) wrong_kind" in shown
    assert "4 steps would be refused." in shown


def test_a_saved_plan_is_checked_on_the_objects_it_meant(cli: Cli, tree: Path, tmp_path: Path) -> None:
    planner = script(
        tmp_path, plan(step("s1", "summarize", "@kind=config"), step("s2", "summarize", "artifact_aaaaaaaa"))
    )
    saved = cli("plan", GOAL, "--per-object", "--root", tree, "--planner", planner, "--json").json["saved"]
    document = cli("check", saved, "--json").json
    assert document["steps"][0]["inputs"][0]["path"] == "config/app.toml"
    assert [each.get("code") for each in document["steps"]] == [None, "unknown_object"]
    assert document["planner"]["audience"] == "scripted"
    (tree / "config" / "app.toml").unlink()
    assert cli("check", saved, "--json").json["steps"][0]["code"] == "unknown_object"


def test_another_audience_has_its_own_budget_and_policy(cli: Cli, tree: Path, tmp_path: Path) -> None:
    path = bare(tmp_path, step("a", "summarize", "README.md"))
    config = settings(tmp_path, '[policy]\nname = "local-only"\n')
    assert cli("check", path, "--root", tree, "--config", config).code == 0
    ran = cli("check", path, "--root", tree, "--config", config, "--audience", "acme", "--json")
    assert (ran.code, ran.json["admitted"], ran.json["steps"]) == (1, False, [])
    assert ran.json["error"].startswith("policy: it permits nothing on this folder to this planner")
    ran = cli("check", path, "--root", tree, "--audience", "acme", "--json")
    assert ran.json["planner"] == {"name": "acme", "audience": "acme", "locality": "remote"}


def test_a_small_budget_refuses(cli: Cli, tree: Path, tmp_path: Path) -> None:
    path = bare(tmp_path, step("a", "security_audit", "src/auth.py"))
    config = settings(tmp_path, "[budget]\nscale = 0.1\nration_local = true\n")
    ran = cli("check", path, "--root", tree, "--config", config, "--json")
    assert (ran.code, ran.json["steps"][0]["code"], ran.json["steps"][0]["check"]) == (1, "over_budget", 2)
    config = settings(tmp_path, "[budget]\nscale = 0.1\n")
    remote = cli("check", path, "--root", tree, "--config", config, "--audience", "acme", "--json")
    assert (remote.code, remote.json["steps"][0]["code"]) == (1, "over_budget")


def test_what_cannot_send_is_not_rationed_by_check_either(cli: Cli, tree: Path, tmp_path: Path) -> None:
    config = settings(tmp_path, "[budget]\nscale = 0.1\n")
    path = bare(tmp_path, step("a", "security_audit", "src/auth.py"))
    assert cli("check", path, "--root", tree, "--config", config, "--json").json["admitted"]
    planner = script(tmp_path, plan(step("s1", "summarize", "@kind=config")))
    common = ("--root", tree, "--config", config, "--planner", planner, "--json")
    saved = cli("plan", GOAL, "--per-object", *common).json["saved"]
    assert cli("check", saved, "--config", config, "--json").json["admitted"]
    remote = script(tmp_path, plan(step("s1", "summarize", "@kind=config")), locality="remote", audience="acme")
    saved = cli("plan", GOAL, "--per-object", "--root", tree, "--planner", remote, "--json").json["saved"]
    checked = cli("check", saved, "--config", config, "--json").json
    assert checked["steps"][0]["code"] == "over_budget"


@pytest.mark.parametrize(
    "steps",
    [
        [step("a", "summarize", "b"), step("b", "summarize", "a")],
        [step("a", "summarize", "README.md")] * 2,
        [step(f"s{n}", "summarize", "README.md") for n in range(10_000)],
        [{"id": "a"}],
        ["a"],
        [step("A B", "summarize", "README.md")],
        [step("a", "summarize", "README.md", policy={"human_approval": False, "waive": True})],
    ],
)
def test_a_plan_that_is_none_is_refused_as_a_whole(steps: list[Any], cli: Cli, tree: Path, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps({"steps": steps}))
    ran = cli("check", path, "--root", tree)
    assert ran.code == 1, ran.err
    assert "Refused as a whole" in ran.out
    assert cli("check", path, "--root", tree, "--json").json["admitted"] is False


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"plan": 1}', '{"plan": {"steps": []}, "objects": 1}', "[" * 100_000]
)
def test_a_file_that_is_no_plan_is_bad_input(text: str, cli: Cli, tree: Path, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(text)
    ran = cli("check", path, "--root", tree)
    assert ran.code == 2 and len(ran.err.splitlines()) == 2
    assert cli("check", tmp_path / "absent.json").code == 2
