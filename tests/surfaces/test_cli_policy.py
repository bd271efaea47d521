"""`plantwin policy` and `plantwin approvals`: what is permitted and why, and answers from another terminal."""

from __future__ import annotations

import time
from argparse import Namespace
from pathlib import Path

import pytest
from command_line import HOSTILE, Cli, Terminal

from plantwin.config.policies import NAMES, shipped
from plantwin.config.policy_text import schema_text
from plantwin.private import capabilities
from plantwin.private.queue import ApprovalQueue
from plantwin.surfaces.cli.approvals import open_queue
from plantwin.types.approval import Cause, Question
from plantwin.types.capability import Capability, Catalog
from plantwin.types.plan import Step
from plantwin.vocabulary import CapabilityName, Kind, ResultType, Risk

CATALOG = Catalog(
    Capability(name=name, doc="-", example="-", returns=ResultType.FINDINGS, risk=risk, kinds=kinds, approval=approval)
    for name, risk, kinds, approval in (
        (CapabilityName.LINT, Risk.LOW, frozenset({Kind.CODE_FILE}), False),
        (CapabilityName.SECRET_SCAN, Risk.MEDIUM, frozenset(Kind), False),
        (CapabilityName.RUN_TESTS, Risk.HIGH, frozenset(Kind), True),
    )
)
PERMIT = '@id("all")\npermit (principal, action, resource) when { context.risk != Risk::"high" };\n'


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration folder of the test's own, and a catalog that stays as it is."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(capabilities, "catalog", lambda: CATALOG)
    folder = tmp_path / "config" / "plantwin"
    folder.mkdir(parents=True)
    return folder


# show


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_policy_is_shown(cli: Cli, name: str) -> None:
    ran = cli("policy", "show", name)
    assert (ran.code, ran.out) == (0, shipped(name))
    document = cli("policy", "show", name, "--json").json
    assert (document["format"], document["command"], document["name"]) == (1, "policy", name)
    assert document["text"] == shipped(name)
    assert {row["effect"] for row in document["policies"]} == {"permit", "forbid"}


def test_the_policy_that_holds_is_shown(cli: Cli, config: Path) -> None:
    assert cli("policy", "show").out == shipped("default")
    (config / "config.toml").write_text("[policy]\nname = 'strict'\n")
    assert cli("policy", "show", "--json").json["name"] == "strict"
    (config / "config.toml").write_text("[policy]\nfile = 'own.cedar'\n")
    (config / "own.cedar").write_text(PERMIT + '// a "\\n" and é stay as they are\n')
    assert cli("policy", "show").out == (config / "own.cedar").read_text()
    assert cli("policy", "show", "--json").json["policies"] == [{"id": "all", "effect": "permit", "line": 1}]
    assert cli("policy", "show", "schema").out == schema_text()
    assert cli("policy", "show", "schema", "--json").json["policies"] == []


def test_usage(cli: Cli, config: Path) -> None:
    assert cli("policy").code == 2
    assert cli("policy", "show", "nonsense").code == 2
    (config / "config.toml").write_text("[policy]\nfile = 'gone.cedar'\n")
    for arguments in (("show",), ("check",)):
        ran = cli("policy", *arguments)
        assert (ran.code, ran.out) == (1, "") and "gone.cedar" in ran.err
    (config / "config.toml").write_text("[policy]\nnam = 'strict'\n")
    ran = cli("policy", "show")
    assert ran.code == 2 and "policy.nam: unknown key" in ran.err


def test_a_terminal_is_shown_no_escape_sequences(terminal: Terminal, config: Path) -> None:
    (config / "config.toml").write_text("[policy]\nfile = 'own.cedar'\n")
    (config / "own.cedar").write_text(PERMIT + "// \x1b[31mred\n")
    code, shown = terminal("policy", "show")
    assert code == 0 and "\\x1b[31mred" in shown and "\x1b[31m" not in shown


# check


def test_what_ships_has_no_problems(cli: Cli, tmp_path: Path) -> None:
    ran = cli("policy", "check")
    assert (ran.code, ran.out) == (0, "default: 0 problems.\n")
    assert cli("policy", "check", "--json").json["problems"] == []


def test_problems_are_listed_with_their_line(cli: Cli, tmp_path: Path, config: Path) -> None:
    path = tmp_path / "own.cedar"
    path.write_text(
        PERMIT + 'permit (principal, action, resource) when { resource.labels.contains("acme") };\npermit ('
    )
    ran = cli("policy", "check", path)
    assert ran.code == 1
    assert ran.out.splitlines() == [
        f'{path}:3: warning: policy2: has no name: begin it with @id("…"), so that decisions name it',
        f'{path}:3: warning: policy2: label "acme" is given to no path',
        f"{path}:4: error: does not parse: unexpected end of input",
        f"{path}: 3 problems.",
    ]
    (config / "config.toml").write_text("[[labels]]\nglob = '*'\nlabel = 'acme'\n")
    document = cli("policy", "check", path, "--json")
    assert document.code == 1
    assert [(row["level"], row["line"], row["policy"]) for row in document.json["problems"]] == [
        ("warning", 3, "policy2"),
        ("error", 4, ""),
    ]
    path.write_text("")
    assert cli("policy", "check", path).code == 1
    assert cli("policy", "check", tmp_path / "gone").code == 1


# explain


def test_it_is_explained_why_a_step_is_permitted(cli: Cli, tree: Path) -> None:
    ran = cli("policy", "explain", "lint", "src/auth.py", tree)
    assert ran.code == 0
    assert "lint (low risk) on src/auth.py\n" in ran.out
    assert "asked for by offline (local, audience offline)\n" in ran.out
    assert "permit by local-planner,low-risk; it runs without asking.\n" in ran.out
    assert '  @id("low-risk")\n' in ran.out and "// Capabilities that read and count" in ran.out


def test_it_is_explained_why_a_person_is_asked(cli: Cli, tree: Path) -> None:
    document = cli("policy", "explain", "secret_scan", ".env", tree, "--planner", "gpt", "--json").json
    assert document["planner"] == {"name": "gpt", "audience": "gpt", "locality": "remote"}
    assert (document["ruling"], document["deciding"], document["accepts"]) == ("ask", ["ask"], True)
    assert document["without_approval"] == {"allowed": False, "policies": [], "failed": False}
    assert document["with_approval"] == {"allowed": True, "policies": ["ask"], "failed": False}
    assert document["object"]["kind"] == "secret_container" and document["object"]["path"] == ".env"
    assert [row["id"] for row in document["statements"]] == ["ask"]
    ran = cli("policy", "explain", "run_tests", "src/auth.py", tree)
    assert "ask by ask; a person is asked first.\n" in ran.out
    assert "A person is asked in any case because of: capability, risk" in ran.out


def test_it_is_explained_why_a_step_is_refused(cli: Cli, tree: Path, config: Path) -> None:
    (config / "config.toml").write_text("[[labels]]\nglob = 'src'\nlabel = 'private'\n")
    asked = ("policy", "explain", "lint", "src/auth.py", tree)
    ran = cli(*asked, "--planner", "gpt", "--audience", "openai")
    assert "sensitivity, labelled private\n" in ran.out
    assert "asked for by gpt (remote, audience openai)\n" in ran.out
    assert "deny by private-stays-here; it is refused, whoever approves.\n" in ran.out
    assert cli(*asked, "--planner", "gpt", "--locality", "local", "--json").json["ruling"] == "permit"
    assert cli(*asked, "--planner", "scripted:plan.json", "--json").json["planner"]["locality"] == "local"
    (config / "own.cedar").write_text(PERMIT)
    (config / "config.toml").write_text("[policy]\nfile = 'own.cedar'\n")
    ran = cli("policy", "explain", "run_tests", "src/auth.py", tree, "--unsandboxed")
    assert "deny: no policy permits it; it is refused, whoever approves.\n" in ran.out
    assert "in any case" not in ran.out


def test_other_reasons_are_told_as_well(cli: Cli, tree: Path) -> None:
    ran = cli("policy", "explain", "lint", "README.md", tree)
    assert "lint does not work on such an object" in ran.out
    document = cli("policy", "explain", "lint", "README.md", tree, "--goal-mode", "verbatim", "--json").json
    assert document["accepts"] is False and document["ruling"] == "permit"
    assert cli("policy", "explain", "run_tests", "src/auth.py", tree, "--unsandboxed", "--json").json["deciding"] == [
        "high-risk-needs-sandbox"
    ]


def test_a_policy_that_fails_is_told(cli: Cli, tree: Path, config: Path) -> None:
    (config / "own.cedar").write_text(
        PERMIT + '@id("x") forbid (principal, action, resource)'
        " when { (context.weekday * 9223372036854775807) + 9223372036854775807 < 0 };"
    )
    (config / "config.toml").write_text("[policy]\nfile = 'own.cedar'\n")
    ran = cli("policy", "explain", "lint", "src/auth.py", tree)
    assert "fail; the policy cannot be evaluated, so it is refused.\n" in ran.out


def test_bad_questions(cli: Cli, tree: Path, config: Path) -> None:
    for arguments in (
        ("nonsense", "src/auth.py", tree),
        ("compare", "src/auth.py", tree),
        ("lint", "gone.py", tree),
        ("lint", "src/auth.py", tree / "gone"),
        ("lint", "src/auth.py", tree, "--audience", "Not A Name"),
    ):
        assert cli("policy", "explain", *arguments).code == 2, arguments
    assert "\x1b" not in cli("policy", "explain", "lint", HOSTILE, tree).out
    (config / "own.cedar").write_text("permit (")
    (config / "config.toml").write_text("[policy]\nfile = 'own.cedar'\n")
    ran = cli("policy", "explain", "lint", "src/auth.py", tree)
    assert (ran.code, ran.out) == (1, "") and "own.cedar: line 1: does not parse" in ran.err


# approvals


@pytest.fixture
def queue(state: Path) -> ApprovalQueue:
    return open_queue(Namespace(state=state))


def ask(queue: ApprovalQueue, digest: str = "d1", name: str = "src/auth.py") -> str:
    step = Step(id="s1", capability="run_tests", inputs=("artifact_aaaaaaaa",))
    question = Question("n", digest, step, ("artifact_aaaaaaaa",), (Cause.RISK,), "ask", 1500, time.time() + 60)
    description = {
        "step": "s1", "capability": "run_tests", "objects": [name], "causes": ["risk"], "policy": "ask", "price": 1.5,
        "goal": "the goal", "folder": "/shop", "requester": "me",
    }  # fmt: skip
    return queue.put(question, description)


def test_nothing_waits(cli: Cli) -> None:
    ran = cli("approvals")
    assert (ran.code, ran.out, ran.err) == (0, "0 steps wait for a person.\n", "")
    assert cli("approvals", "list", "--json").json == {"format": 1, "command": "approvals", "pending": []}


def test_questions_are_listed_and_answered(cli: Cli, queue: ApprovalQueue) -> None:
    first, second = ask(queue), ask(queue, "d2", HOSTILE)
    ran = cli("approvals")
    assert f"{first}  run_tests on src/auth.py\n" in ran.out
    for said in ("2 steps wait", "will run  ", "high risk (policy ask)", "1.5 points", "the goal", "/shop"):
        assert said in ran.out, said
    assert "\x1b" not in ran.out
    assert cli("approvals", "--root", "/shop").out == ran.out and "0 steps" in cli("approvals", "--root", "/other").out
    rows = cli("approvals", "--json").json["pending"]
    assert [row["id"] for row in rows] == [first, second]
    assert rows[0]["objects"] == ["src/auth.py"] and rows[0]["price"] == 1.5
    ran = cli("approvals", "approve", first)
    assert ran.code == 0 and ran.out.startswith(f"Approved:\n{first}  run_tests on src/auth.py")
    document = cli("approvals", "deny", second, "--json").json
    assert (document["approved"], document["answered"]["id"]) == (False, second)
    answers = [queue.wait(digest, time.time()) for digest in ("d1", "d2")]
    assert [each and each.approved for each in answers] == [True, False]
    again = cli("approvals", "approve", first)
    assert again.code == 2 and "no such question" in again.err
    queue.close()


def test_answers_need_a_question(cli: Cli) -> None:
    for arguments in (("approve",), ("deny",), ("list", "x"), ("nonsense",), ("approve", "x")):
        assert cli("approvals", *arguments).code == 2


def test_a_queue_elsewhere(cli: Cli, tmp_path: Path) -> None:
    queue = open_queue(Namespace(state=tmp_path / "other"))
    id_ = ask(queue)
    assert cli("approvals", "approve", id_).code == 2
    assert cli("approvals", "deny", id_, "--state", tmp_path / "other").out.startswith("Denied:")
    queue.close()
