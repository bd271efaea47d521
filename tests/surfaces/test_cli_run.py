"""`plantwin run`: the whole cycle, its refusals and its failures."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from command_line import HOSTILE, Cli, Process, Terminal

from plantwin.boundary.wire import decode_envelope, encode
from scripts import GOAL, heard, plan, script, settings, spent, step
from tables import cases

EXAMPLES = Path(__file__).parents[2] / "examples"
RATIONED = "[budget]\naccountant = 'weighted'\nration_local = true\n[budget.thresholds.sensitivity]\n"
PAPER = "Review the authentication module for security issues and compare it with the payment module"
MEMBERS = {
    "session", "goal", "root", "planner", "dry_run", "sent", "outbound", "plan", "plans", "admission", "verdicts",
    "outcomes", "results", "spent", "leakage", "normalized_leakage", "excluded", "report", "timings", "warnings",
    "ending", "error", "exit", "denied", "rationed", "summary", "findings", "coverage", "not_done", "full_report",
}  # fmt: skip


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """The example, to be changed at will."""
    return Path(shutil.copytree(EXAMPLES / "shop", tmp_path / "example"))


def test_the_example_ends_with_one_screen(cli: Cli, shop: Path) -> None:
    ran = cli("run", PAPER, "--root", shop)
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert " problems in " in lines[0] and len(lines) <= 34
    assert any(line.split()[:1] in (["critical"], ["high"], ["medium"]) for line in lines)
    places = [ran.out.index(part) for part in ("\nExamined  ", "\nTold      nothing left this machine", "\nReport    ")]
    assert places == sorted(places)
    assert "Plan " not in ran.out and "The planner sees" not in ran.out
    quiet = cli("run", PAPER, "--root", shop, "--quiet")
    assert quiet.out.splitlines() == lines[: lines.index("")]


def test_findings_are_exported(cli: Cli, shop: Path, tmp_path: Path) -> None:
    sarif, page = tmp_path / "found.sarif", tmp_path / "found.html"
    ran = cli("run", PAPER, "--root", shop, "--sarif", sarif, "--html", page, "--json")
    assert ran.code == 0, ran.err
    document = ran.json
    results = json.loads(sarif.read_bytes())["runs"][0]["results"]
    assert len(results) == len(document["findings"]) == document["summary"]["findings"] > 0
    names = {each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in results}
    assert all((shop / name).is_file() for name in names)
    assert sarif.stat().st_mode & 0o777 == page.stat().st_mode & 0o777 == 0o600
    assert page.read_text(encoding="utf-8").count("<tr ") == len(results)
    assert (document["sarif"], document["html"]) == (str(sarif), str(page))
    assert json.loads(Path(document["full_report"]).read_bytes())["findings"] == document["findings"]


def test_a_split_is_shown_with_what_it_may_cost_and_an_empty_part_as_empty(
    cli: Cli, shop: Path, tmp_path: Path
) -> None:
    empty = step("e", "secret_scan", {"set": "@set=1", "where": {"semantic_class": "notebook"}})
    planner = script(tmp_path, plan({**step("s", "split", "@set=1"), "by": "family"}, empty))
    ran = cli("run", GOAL, "--root", shop, "--planner", planner, "-v")
    shown = " ".join(ran.out.split())
    assert (
        re.search(r"2 steps, at most [1-9][\d.]+ and what split tells in all", shown) and " left of 60.0 for " in shown
    )
    assert "Examined no files: what the step was given is empty" in shown
    ran = cli("run", GOAL, "--root", shop, "--planner", planner, "--json")
    assert [each["open_ended"] for each in ran.json["admission"][0]["steps"]] == [True, False]


@pytest.mark.parametrize("path", ["absent/x.sarif", ".", "-"])
def test_an_export_that_cannot_be_written_is_refused_before_anything_runs(path: str, cli: Cli, tree: Path) -> None:
    ran = cli("run", GOAL, "--root", tree, "--sarif", path)
    assert ran.code == 2 and "give the name of a file" in ran.err
    assert cli("audit", "show", "--json").json["lines"] == []


def test_the_example_reads_from_goal_to_report(cli: Cli, shop: Path) -> None:
    ran = cli("run", PAPER, "--root", shop, "-v", "--per-object")
    assert ran.code == 0, ran.err
    parts = [
        "Goal ",
        "Folder ",
        "The planner sees",
        "Plan ",
        "Steps",
        "Results for the planner on this machine",
        "What a remote planner would have learned",
        " problems in ",
        "Report",
    ]
    places = [ran.out.index(part) for part in parts]
    assert places == sorted(places)
    assert "costs at most" in ran.out and "of 90.0 for shop/auth/service.py" in ran.out
    assert "quillfjord_gateway.py:34" in ran.out
    assert "L = " in ran.out and "NL over all: " in ran.out
    report = Path(ran.out.rpartition("Report    ")[2].strip())
    assert report.stat().st_mode & 0o777 == 0o600
    assert "turns off the check of TLS certificates" in report.read_text(encoding="utf-8")


def test_json_is_whole_and_byte_exact(cli: Cli, shop: Path) -> None:
    ran = cli("run", PAPER, "--root", shop, "--json")
    assert ran.code == 0
    assert ran.err.startswith("New audit trail in ") and len(ran.err.splitlines()) == 1
    document = ran.json
    assert set(document) >= MEMBERS
    for data in document["outbound"]:
        assert encode(decode_envelope(data.encode())).data == data.encode()
    exported = [json.loads(line) for line in cli("audit", "export", "-").out.splitlines()]
    assert [each["data"] for each in exported] == document["outbound"]
    assert {each["session"] for each in exported} == {document["session"]}
    steps = document["plan"]["steps"]
    assert [each["step"] for each in document["verdicts"]] == [each["id"] for each in steps]
    assert document["plans"] == [document["plan"]]
    assert all(each["spent"] <= each["threshold"] for each in document["spent"])
    assert document["leakage"] == max(each["spent"] for each in document["spent"])
    assert set(document["timings"]) == {"observe", "release", "planner", "steps"}
    assert Path(document["report"]).is_file()


def test_no_canary_leaves(cli: Cli, shop: Path, tmp_path: Path) -> None:
    canaries = [each["value"] for each in tomllib.loads((EXAMPLES / "shop.canaries.toml").read_text())["canary"]]
    everything = plan(*(step(f"d{number}", "describe", f"@object={number + 1}") for number in range(32)))
    for planner in ("offline", script(tmp_path, everything, everything, everything)):
        document = cli("run", f"{PAPER} {' '.join(canaries[:8])}", "--root", shop, "--planner", planner, "--json").json
        sent = "\n".join(document["outbound"]).lower()
        assert len(document["outbound"]) >= 3
        for canary in canaries:
            assert len(canary) < 5 or canary.lower() not in sent


def test_a_dry_run_shows_everything_and_changes_nothing(cli: Cli, tree: Path, state: Path) -> None:
    ran = cli("run", "Look for secrets in .env", "--root", tree, "--dry-run", "--show")
    assert ran.code == 0
    assert "The planner would see" in ran.out and "Nothing was sent or charged." in ran.out
    shown = [line for line in ran.out.splitlines() if line.startswith('{"')]
    assert [json.loads(line)["message"] for line in shown] == ["registration", "request"]
    document = cli("run", "Look for secrets in .env", "--root", tree, "--dry-run", "--json").json
    assert (document["sent"], document["dry_run"], len(document["outbound"])) == (False, True, 2)
    assert document["plan"] is None and document["report"] == ""
    assert spent(document, ".env") > 0
    assert cli("audit", "show", "--json").json["lines"] == []
    assert not (state / "reports").exists()


REFUSALS = {
    "unknown_capability": step("x", "open_the_door", "@object=1"),
    "unknown_object": step("x", "summarize", "artifact_aaaaaaaa"),
    "repeated_input": step("x", "summarize", "@object=1", "@object=1"),
    "wrong_arity": step("x", "compare", "@object=1"),
    "wrong_kind": step("x", "security_audit", "@kind=document"),
    "wrong_result": step("x", "secret_scan", "ok"),
    "wrong_output": step("x", "summarize", "@object=1", output="findings"),
    "depends_on_refused": step("x", "summarize", "bad"),
    "no_approver": step("x", "secret_scan", "@kind=secret_container"),
}


@pytest.mark.parametrize("code", REFUSALS)
def test_a_refusal_is_explained_here_and_is_one_word_there(code: str, cli: Cli, tree: Path, tmp_path: Path) -> None:
    others = [step("ok", "describe", "@kind=config"), step("bad", "summarize", "artifact_bbbbbbbb")]
    # Who cannot send works on secrets without asking.
    remote = {"audience": "acme", "locality": "remote"} if code == "no_approver" else {}
    planner = script(tmp_path, plan(*others, REFUSALS[code]), **remote)
    ran = cli("run", GOAL, "--per-object", "--root", tree, "--planner", planner, "--json")
    assert ran.code == 1, "something was refused"
    document = ran.json
    verdict = document["verdicts"][2]
    assert (verdict["code"], verdict["allowed"]) == (code, False)
    assert verdict["check"] in (1, 4) and verdict["meaning"]
    word = "escalated" if code == "no_approver" else "rejected"
    assert heard(document)[0][1:] == [{"status": "rejected"}, {"status": word}]
    assert code not in "".join(document["outbound"]) and verdict["meaning"] not in "".join(document["outbound"])
    report = Path(document["report"]).read_text(encoding="utf-8")
    assert "What was refused" in report and verdict["meaning"] in report


def test_a_refusal_is_shown_with_its_number(cli: Cli, tree: Path, tmp_path: Path) -> None:
    ran = cli("run", GOAL, "--per-object", "--root", tree, "--planner", script(tmp_path, plan(REFUSALS["wrong_kind"])))
    assert ran.code == 1, "everything was refused"
    flat = " ".join(ran.out.split())
    assert "check (1) wrong_kind: the capability does not work on an object" in flat
    assert flat.startswith("Not done: of 1 step 1 was refused.") and "Nothing was examined." in flat


def test_a_policy_refuses_a_remote_planner(cli: Cli, tree: Path, tmp_path: Path) -> None:
    config = settings(tmp_path, '[policy]\nname = "local-only"\n')
    work = plan(step("s1", "summarize", "@kind=config"))
    remote = script(tmp_path, work, audience="acme", locality="remote")
    document = cli("run", GOAL, "--per-object", "--root", tree, "--planner", remote, "--config", config, "--json").json
    assert (document["exit"], document["sent"], document["outbound"]) == (1, False, [])
    assert "it permits nothing on this folder to this planner" in document["error"]
    assert all(each["spent"] == 0 for each in document["spent"])
    local = script(tmp_path, work, name="local.json")
    assert cli("run", GOAL, "--per-object", "--root", tree, "--planner", local, "--config", config, "--json").code == 0


def test_a_required_sandbox_that_is_missing_refuses(
    cli: Cli, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plantwin.private.execution.sandbox.bubblewrap", lambda: None)
    planner = script(tmp_path, plan(step("s1", "summarize", "@kind=config")))
    config = settings(tmp_path, "[sandbox]\nrequire = true\n")
    ran = cli("run", GOAL, "--per-object", "--root", tree, "--planner", planner, "--config", config, "--json")
    verdict = ran.json["verdicts"][0]
    assert verdict["code"] == "no_sandbox" and verdict["check"] == 5
    assert "WARNING: no sandbox (" in ran.err


def test_many_refusals_in_an_hour_close_the_gate(cli: Cli, tree: Path, tmp_path: Path) -> None:
    config = settings(tmp_path, "[limits]\nrefusals_per_hour = 2\n[budget]\nration_local = true\n")
    wrong = [step(f"w{number}", "nonsense", "@object=1") for number in range(2)]
    planner = script(tmp_path, plan(*wrong, step("s", "summarize", "@kind=config")))
    document = cli("run", GOAL, "--per-object", "--root", tree, "--planner", planner, "--config", config, "--json").json
    assert [each["code"] for each in document["verdicts"]] == ["unknown_capability"] * 2 + ["rate_limited"]


def test_turns_in_an_hour_are_limited_and_what_was_done_is_kept(cli: Cli, tree: Path, tmp_path: Path) -> None:
    config = settings(tmp_path, "[limits]\nturns_per_hour = 1\n[budget]\nration_local = true\n")
    planner = script(tmp_path, plan(step("s", "describe", "@kind=config")))
    ran = cli("run", GOAL, "--per-object", "--root", tree, "--planner", planner, "--config", config, "--json")
    assert (ran.code, ran.json["ending"]) == (1, "gate")
    assert "turns_per_hour" in ran.json["error"] and "turns_per_hour" in ran.err
    assert ran.json["verdicts"][0]["allowed"] and Path(ran.json["report"]).is_file()


def test_a_budget_runs_out_over_sessions(cli: Cli, tree: Path, tmp_path: Path) -> None:
    config = settings(tmp_path, f"{RATIONED}low = 4.0\nrestricted = 4.0\nhigh = 4.0\n")
    goal = "Compare config/app.toml with README.md"

    def run(*answers: Any) -> Any:
        planner = script(tmp_path, *answers)
        return cli("run", goal, "--root", tree, "--planner", planner, "--config", config, "--json").json

    first = run(plan(step("s", "compare", "@kind=config", "@kind=document")))
    assert first["verdicts"][0]["code"] == "over_budget", "3.5 do not fit beside what was told"
    before = spent(first, "config/app.toml")
    for _ in range(3):
        document = run(plan(step("d", "describe", "@kind=config")))
        assert before <= spent(document, "config/app.toml") <= 4.0
        before = spent(document, "config/app.toml")
    again = run(plan(step("d", "describe", "@kind=config")))
    assert all(each["spent"] <= 4.0 for each in again["spent"])
    assert spent(again, "config/app.toml") == before


def test_a_leaf_falls_back_to_its_family_and_then_an_object_is_excluded(cli: Cli, tree: Path, tmp_path: Path) -> None:
    goal, planner = "Summarize config/app.toml", script(tmp_path)

    def run(threshold: float) -> Any:
        text = "".join(f"{level} = {threshold}\n" for level in ("low", "restricted", "high"))
        config = settings(tmp_path, f"{RATIONED}{text}")
        options = ("--per-object", "--root", tree, "--planner", planner, "--config", config, "--json")
        return config, cli("run", goal, *options).json

    _, document = run(4)
    (request,) = [json.loads(each) for each in document["outbound"] if '"message":"request"' in each]
    (told,) = [each for each in request["objects"] if "family" in each]
    assert "semantic_class" not in told
    (mine,) = [each for each in document["spent"] if each["path"] == "config/app.toml"]
    assert "semantic_class" in mine["withheld"] and mine["spent"] == 1.5
    config, document = run(0.25)
    assert document["excluded"] == [], "what is known already can be shown again"
    (tree / "new.toml").write_text('[fresh]\nvalue = "something quite different"\nother = 12345\n')
    config, document = run(0.25)
    assert {"path": "new.toml"} in document["excluded"]
    options = ("--per-object", "--root", tree, "--planner", planner, "--config", config)
    assert "Excluded: new.toml; its budget is used up." in cli("run", goal, *options, "-v").out
    assert "not told of, since the budget is used up: " in " ".join(cli("run", goal, *options).out.split())
    assert "new.toml" in Path(document["report"]).read_text(encoding="utf-8")


class Broken:
    """A planner that misbehaves."""

    name, audience, locality, sends = "broken", "broken", "local", False

    def __init__(self, manner: str, *, first: bool = False) -> None:
        """`first`: whether it gives one good plan before."""
        self._manner, self._first = manner, first

    def plan(self, envelopes: Any) -> bytes:
        if self._first:
            self._first = False
            set_id = json.loads(envelopes[0].data)["sets"][0]["set_id"]
            return json.dumps(plan(step("s1", "secret_scan", set_id))).encode()
        match self._manner:
            case "hangs":
                time.sleep(5)
            case "dies":
                raise RuntimeError("canary-of-the-planner")
            case "floods":
                return b"x" * (2 << 20)
            case "interrupts":
                raise KeyboardInterrupt
        return b"\xff\x00 I would rather talk about \x1b[31mpoetry"


@pytest.mark.parametrize(
    ("manner", "message"),
    [("hangs", "did not answer"), ("dies", "failed (RuntimeError)"), ("floods", "too large"), ("babbles", "refused")],
)
def test_a_broken_planner_is_a_clear_error_with_the_work_kept(
    manner: str, message: str, cli: Cli, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = settings(tmp_path, "[limits]\nplanner_seconds = 1\n")
    planner = Broken(manner, first=True)
    monkeypatch.setattr("plantwin.surfaces.cli.planners.planner_of", lambda *_: planner)
    ran = cli("run", GOAL, "--root", tree, "--config", config, "--json")
    assert ran.code == 3
    assert message in ran.json["error"] and message in ran.err
    assert "canary" not in ran.out + ran.err and "\x1b" not in ran.out + ran.err
    # One that answers nonsense is told so once.
    assert len(ran.json["verdicts"]) == 1 and len(ran.json["outbound"]) == (4 if manner == "babbles" else 3)
    assert message.split("(")[0] in Path(ran.json["report"]).read_text(encoding="utf-8").replace("\\", "")


def test_an_answer_may_be_wrapped_as_models_do(cli: Cli, tree: Path, tmp_path: Path) -> None:
    wrapped = 'Sure!\n```json\n{"steps": [{"id": "a", "capability": "nonsense", "inputs": [],},]}\n```'
    document = cli("run", GOAL, "--per-object", "--root", tree, "--planner", script(tmp_path, wrapped), "--json").json
    assert document["verdicts"][0]["code"] == "unknown_capability"


SECRETS = plan(step("s1", "secret_scan", "@kind=secret_container"), step("s2", "describe", "@kind=config"))


def asking(folder: Path) -> str:
    """A planner for whose work on secrets a person is asked."""
    return script(folder, SECRETS, audience="acme", locality="remote")


def test_yes_approves_and_the_trail_says_that_an_option_did(cli: Cli, tree: Path, tmp_path: Path) -> None:
    document = cli("run", GOAL, "--per-object", "--root", tree, "--planner", asking(tmp_path), "--yes", "--json").json
    assert document["verdicts"][0]["allowed"]
    assert any(each["name"] == ".env" for each in document["results"][0]["findings"])
    lines = cli("audit", "show", "--json").json["lines"]
    (opened,) = [each["body"] for each in lines if each["kind"] == "session"]
    assert (opened["session"], opened["approver"]) == (document["session"], "option --yes")
    (approval,) = [each["body"] for each in lines if each["kind"] == "approval"]
    assert approval["decision"] == "approved"


@pytest.mark.parametrize("answer", ["approve", "deny"])
def test_another_process_decides(answer: str, cli: Cli, process: Process, tree: Path, tmp_path: Path) -> None:
    planner = asking(tmp_path)
    arguments = ["run", GOAL, "--per-object", "--root", str(tree), "--planner", planner, "--queue", "--json"]
    with subprocess.Popen([sys.executable, "-m", "plantwin", *arguments], stdout=-1, stderr=-1) as child:
        deadline = time.monotonic() + 30
        while not (pending := cli("approvals", "list", "--json").json["pending"]) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert pending[0]["objects"] == [".env"]
        assert cli("approvals", answer, pending[0]["id"]).code == 0
        out, err = child.communicate(timeout=60)
    verdict = json.loads(out)["verdicts"][0]
    assert verdict["allowed"] == (answer == "approve")
    assert verdict.get("code") == (None if answer == "approve" else "approval_denied")
    assert b"Waiting for approval" in err


@cases("answers", "told")
def test_a_person_decides_at_the_terminal(
    answers: tuple[str, ...], told: str, terminal: Terminal, tree: Path, tmp_path: Path
) -> None:
    options = ("--per-object", "-v", "--root", tree, "--send", "--planner", asking(tmp_path))
    code, shown = terminal("run", GOAL, *options, answers=answers)
    flat = " ".join(shown.split())
    assert code == 0, shown
    assert "needs your approval" in flat and told in flat
    if answers[0] == "s":
        assert "secret scan on .env" in flat and "You are asked because the policy asks for it" in flat
    if "d" in answers:
        assert "The answer counts for this step alone" in flat


def test_ctrl_c_at_a_question_keeps_what_was_done(terminal: Terminal, tree: Path, tmp_path: Path) -> None:
    code, shown = terminal(
        "run", GOAL, "--per-object", "--root", tree, "--send", "--planner", asking(tmp_path), answers=(None,)
    )
    assert code == 130
    assert "interrupted: what was done is kept" in shown and "Report " in shown
    assert "Traceback" not in shown


def test_a_remote_planner_gets_nothing_before_a_person_agrees(terminal: Terminal, tree: Path, tmp_path: Path) -> None:
    planner = script(tmp_path, plan(step("d", "describe", "@kind=config")), audience="acme", locality="remote")
    code, shown = terminal("run", GOAL, "--per-object", "--root", tree, "--planner", planner, answers=("n",))
    assert code == 0
    assert "REMOTE" in shown and "Send this?" in shown and "You stopped it: nothing further was sent." in shown
    code, shown = terminal("run", GOAL, "--per-object", "--root", tree, "--planner", planner, answers=("y",))
    assert code == 0 and "Not done" not in shown and "1 step carried out." in shown


def test_ctrl_c_while_a_planner_thinks(cli: Cli, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr("plantwin.session.ask", interrupted)
    ran = cli("run", GOAL, "--per-object", "--root", tree, "--json")
    assert (ran.code, ran.json["ending"]) == (130, "interrupted")
    assert Path(ran.json["report"]).is_file()


def test_ctrl_c_during_a_step(cli: Cli, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from plantwin.private.execution.executor import SandboxExecutor
    from plantwin.private.execution.over_sets import Task
    from plantwin.types.execution import Executed
    from plantwin.types.verdict import Failure

    real = SandboxExecutor.run

    def carry_out(self: SandboxExecutor, task: Task) -> Executed:
        if task.step != "s2":
            return real(self, task)
        self.interrupted = True
        return Executed(failure=Failure.INTERRUPTED)

    monkeypatch.setattr(SandboxExecutor, "run", carry_out)
    # The same step again would be answered from the first.
    works = ("summarize", "secret_scan", "describe")
    steps = [step(f"s{number}", work, "@kind=config") for number, work in enumerate(works, 1)]
    ran = cli("run", GOAL, "--per-object", "--root", tree, "--planner", script(tmp_path, plan(*steps)), "--json")
    assert (ran.code, ran.json["ending"]) == (130, "interrupted")
    assert [each["status"] for each in ran.json["verdicts"]] == ["done", "failed", None]
    assert len(ran.json["outbound"]) == 2, "nothing is told after an interruption"
    report = Path(ran.json["report"]).read_text(encoding="utf-8")
    assert "interrupted: it was interrupted" in report and "not reached" in report


def test_ctrl_c_in_one_step_of_several_shows(cli: Cli, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from plantwin.private.execution.executor import SandboxExecutor
    from plantwin.private.execution.over_sets import Task
    from plantwin.types.execution import Executed

    real = SandboxExecutor.run

    def carry_out(self: SandboxExecutor, task: Task) -> Executed:
        self._interrupt()
        self._last_interruption -= 60
        return real(self, task)

    monkeypatch.setattr(SandboxExecutor, "run", carry_out)
    ran = cli("run", "Look for secrets in every file", "--root", tree, "--json")
    assert (ran.code, ran.json["ending"]) == (130, "interrupted")
    assert "a step was interrupted" in ran.json["error"] and ran.json["coverage"]


def test_an_empty_folder(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = cli("run", PAPER, "--root", tmp_path / "empty")
    assert ran.code == 2 and "Nothing here to do that with" in ran.out


def test_hostile_names_do_not_reach_the_terminal(cli: Cli, tree: Path, tmp_path: Path) -> None:
    (tree / "`x`|<img src=x>](http:y).py").write_text("import os\nos.system(input())\n")
    every = plan(
        step("s1", "describe", *(f"@object={number}" for number in range(1, 8))),
        step("s2", "describe", *(f"@object={number}" for number in range(8, 15))),
    )
    ran = cli("run", GOAL, "--per-object", "--root", tree, "--planner", script(tmp_path, every), "--yes")
    assert ran.code == 0, ran.err
    report = Path(ran.out.rpartition("Report    ")[2].strip()).read_text(encoding="utf-8")
    for text in (ran.out, report):
        assert "\x1b" not in text and "\u202e" not in text
    assert HOSTILE.splitlines()[0] + r"\n" in report


@pytest.mark.parametrize(
    "arguments",
    [
        ("",),
        ("x" * 5000,),
        (GOAL, "--planner", "nobody"),
        (GOAL, "--planner", "scripted"),
        (GOAL, "--planner", "scripted:/absent"),
        (GOAL, "--root", "/absent"),
        (GOAL, "--config", "/absent.toml"),
    ],
)
def test_bad_usage(arguments: tuple[str, ...], cli: Cli, tree: Path) -> None:
    more = () if "--root" in arguments else ("--root", tree)
    ran = cli("run", *arguments, *more)
    assert ran.code == 2
    said = [line for line in ran.err.splitlines() if not line.startswith("New audit trail in ")]
    assert len(said) == 2 and "Traceback" not in ran.err


def test_a_ledger_that_cannot_be_used_fails_closed(cli: Cli, tree: Path, state: Path) -> None:
    (state / "ledger").mkdir(parents=True)
    (state / "ledger" / "ledger.db").write_text("not a database at all, but long enough to be one\n" * 100)
    ran = cli("run", GOAL, "--per-object", "--root", tree)
    assert ran.code == 1
    assert "Plan " not in ran.out


def test_a_policy_that_does_not_parse_fails_closed(cli: Cli, tree: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.cedar").write_text("permit everything please")
    config = settings(tmp_path, '[policy]\nfile = "mine.cedar"\n')
    ran = cli("run", GOAL, "--per-object", "--root", tree, "--config", config)
    assert ran.code == 1 and "Plan " not in ran.out


def test_two_sessions_at_once_stay_within_the_budget(process: Process, tree: Path, tmp_path: Path) -> None:
    config = settings(tmp_path, f"{RATIONED}low = 5.0\nrestricted = 5.0\nhigh = 5.0\n")
    planner = script(tmp_path, *[plan(step("d", "describe", "@kind=config"))] * 3)
    arguments = ("run", GOAL, "--per-object", "--root", tree, "--planner", planner, "--config", config, "--json")
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(process(*arguments))) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    documents = [json.loads(each.stdout) for each in found]
    assert [each["ending"] for each in documents] == ["done"] * 3
    assert any(each["verdicts"][0]["allowed"] for each in documents)
    # Who comes last finds nothing left to be told.
    refusals = [verdict["code"] for each in documents for verdict in each["verdicts"] if not verdict["allowed"]]
    assert set(refusals) <= {"over_budget"}
    assert all(one["spent"] <= 5.0 for each in documents for one in each["spent"])
    assert process("audit", "verify").returncode == 0


@pytest.mark.parametrize(
    ("goal", "code", "said"),
    [
        ("How many people are in people.csv?", 0, "20 rows"),
        ("What is the average salary in people.csv?", 2, "No figure was computed"),
    ],
)
def test_a_figure_that_cannot_be_computed_is_no_answer(cli: Cli, tree: Path, goal: str, code: int, said: str) -> None:
    ran = cli("run", goal, tree, "-q")
    assert ran.code == code and said in ran.out
