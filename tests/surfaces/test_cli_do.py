"""`plantwin do`: one capability on files, folders and wildcards, without a planner."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli, Terminal

from plantwin.private.observe.changes import changed
from plantwin.surfaces.cli.arguments import workflow_commands
from scripts import plan, script, step
from tables import cases


def git(root: Path, *arguments: str) -> None:
    command = ["git", "-C", str(root), "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments]
    subprocess.run(command, check=True, capture_output=True)


ANYTHING = "import os\nfrom flask import request\n\ndef run():\n    os.system(request.args['name'])\n"
"""A program that runs what a request says."""


@pytest.fixture
def repository(tree: Path) -> Path:
    """The tree, committed; then one file changed, one staged, one new, one deleted."""
    git(tree, "init", "-q", "-b", "main")
    git(tree, "add", "-A", "-f")
    git(tree, "commit", "-qm", "first")
    (tree / "src" / "store.py").write_text("import pickle\n\n\ndef load(data):\n    return pickle.loads(data)\n")
    (tree / "src" / "new.py").write_text(ANYTHING)
    (tree / "config" / "app.toml").write_text("[server]\nport = 9090\n")
    git(tree, "add", "config/app.toml")
    (tree / "docs" / "guide.md").unlink()
    return tree


def examined(document: dict[str, Any]) -> tuple[int, int]:
    (part,) = document["coverage"]
    return part["given"], part["examined"]


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        (["secret_scan", "."], None),
        (["secret-scan", ".env"], (1, 1)),
        (["secret_scan", ".env", "config"], (2, 2)),
        (["secret_scan", "src/*.py"], (2, 2)),
        (["secret_scan", "**/*.py", "src/auth.py"], (4, 4)),
        (["security_audit", "src", "data"], (3, 2)),
        (["compare", "src/auth.py", "src/store.py"], (2, 2)),
        (["find_impact", "src/store.py"], (1, 1)),
        (["summarize", "--root", "README.md"], (1, 1)),
    ],
)
def test_paths_folders_and_wildcards(
    arguments: list[str], given: tuple[int, int] | None, cli: Cli, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tree)
    ran = cli("do", *arguments, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.json["sent"] is False and ran.json["not_done"] == []
    if given is not None:
        assert examined(ran.json) == given


def test_nothing_is_recorded_and_the_folder_is_the_current_one(
    cli: Cli, tree: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tree)
    found = cli("do", "secret_scan", ".env", "--json").json["findings"]
    assert {one["name"] for one in found} == {".env"}
    assert not (state / "ledger").exists() and not (state / "lineage").exists()
    monkeypatch.chdir(tree.parent)
    assert {one["name"] for one in cli("do", "secret_scan", tree / ".env", "--json").json["findings"]} == {"shop/.env"}
    monkeypatch.setenv("PLANTWIN_ROOT", str(tree))
    assert any(one["name"] == ".env" for one in cli("do", "secret_scan", "--json").json["findings"])


@cases("arguments", "said")
def test_mistakes_are_told(
    arguments: list[str], said: str, cli: Cli, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tree)
    ran = cli("do", *arguments)
    assert ran.code == 2 and said in ran.err


@cases("options", "names")
def test_only_what_changed(options: list[str], names: set[str], cli: Cli, repository: Path) -> None:
    assert changed(repository, since="HEAD" if "--since" in options else None, staged="--staged" in options) == names
    ran = cli("do", "secret_scan", "--root", repository, *options, "--json")
    assert (ran.code, examined(ran.json)) == (0, (len(names), len(names)))
    ran = cli("do", "security_audit", "--root", repository, *options, "--json")
    assert {one["name"] for one in ran.json["findings"]} <= names
    said = "are staged" if "--staged" in options else f"changed since {options[1]}"
    assert f"Only files that {said}" in cli("do", "lint", "--root", repository, *options).err
    assert cli("do", "lint", "--root", repository, "--since", "nobody").code == 2
    assert cli("do", "lint", "--root", repository, "--since", "--output=x").code == 2


def test_since_is_since_the_branch_left(repository: Path) -> None:
    git(repository, "checkout", "-q", "-b", "side")
    git(repository, "commit", "-qam", "side")
    git(repository, "stash", "-q", "-u")
    git(repository, "checkout", "-q", "main")
    (repository / "README.md").write_text("# Other\n")
    git(repository, "commit", "-qam", "main goes on")
    git(repository, "checkout", "-q", "side")
    assert changed(repository, since="main") == {"src/store.py", "config/app.toml"}


def test_exit_codes_formats_and_the_baseline(cli: Cli, repository: Path, tmp_path: Path) -> None:
    audit = ("do", "security_audit", repository / "src", "--root", repository)
    assert cli(*audit).code == 0
    assert cli(*audit, "--fail-on", "high").code == 1
    ran = cli(*audit, "--format", "github", "--sarif", tmp_path / "a.sarif", "--html", tmp_path / "a.html")
    assert ran.out.startswith("::error file=") and "src/new.py,line=5,title=" in ran.out and "finding" in ran.err
    results = json.loads((tmp_path / "a.sarif").read_text())["runs"][0]["results"]
    found = cli(*audit, "--json").json["findings"]
    assert len(results) == len(found) > 1
    baseline = tmp_path / "accepted.json"
    assert cli("baseline", "write", "--root", repository, "--out", baseline).code == 0
    ran = cli(*audit, "--fail-on", "low", "--baseline", baseline)
    assert ran.code == 0 and ran.out.startswith(f"{len(found)} findings are accepted by ")
    (repository / "src" / "new.py").write_text("\n\n" + ANYTHING)
    assert cli(*audit, "--fail-on", "low", "--baseline", baseline).code == 0, "lines move"
    (repository / "src" / "new.py").write_text("import os\n\n\ndef run(name):\n    os.system(name)\n    eval(name)\n")
    assert cli(*audit, "--fail-on", "low", "--baseline", baseline).code == 1


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("colour", [True, False])
def test_on_a_terminal(columns: int, colour: bool, terminal: Terminal, tree: Path) -> None:
    environment = {"COLUMNS": str(columns), **({} if colour else {"NO_COLOR": "1"})}
    with (tree / ".env").open("a") as file:
        file.write("APP_ENV=production\n")
    code, shown = terminal("do", "secret_scan", tree / ".env", **environment)
    assert code == 0 and "nothing left this machine" in shown.replace("\r\n", " ")
    assert ("\x1b[31m" in shown) is colour
    assert all(
        len(line) <= columns for line in shown.splitlines() if "state/reports" not in line and "\x1b" not in line
    )


def test_detect_and_run_leave_out_what_is_accepted_and_unchanged(cli: Cli, repository: Path, tmp_path: Path) -> None:
    found = cli("detect", repository / ".env", "--json").out
    (tmp_path / "found.jsonl").write_text(found)
    baseline = tmp_path / "accepted.json"
    assert cli("baseline", "write", "--from", tmp_path / "found.jsonl", "--out", baseline).code == 0
    assert "Tr0ub4dor" not in baseline.read_text() and cli("baseline", "show", baseline).out.startswith(str(baseline))
    ran = cli("detect", repository / ".env", "--baseline", baseline, "--fail")
    assert ran.code == 0 and f"{len(found.splitlines())} findings are accepted" in ran.err
    assert cli("detect", repository, "--staged", "--json").out == ""
    assert "::" in cli("detect", repository / ".env", "--format", "github").out
    goal = ("run", "Review the code for security issues", "--root", repository)
    ran = cli(*goal, "--since", "HEAD", "--json", "--fail-on", "high")
    assert ran.code == 1 and {one["name"] for one in ran.json["findings"]} <= {"src/store.py", "src/new.py"}
    assert cli("baseline", "write", repository, "--out", baseline, "--add").code == 0
    assert cli(*goal, "--since", "HEAD", "--baseline", baseline, "--fail-on", "low").code == 0


def test_work_on_some_files_keeps_their_accounts(cli: Cli, repository: Path, tmp_path: Path) -> None:
    """One file is the same file, whether the folder, what changed in it, or it alone is looked at."""
    describe = plan(step("d", "describe", "@kind=config"))
    words = ("run", "Look at the settings", "--per-object", "--planner", script(tmp_path, describe), "--json")

    def spent() -> float:
        (audience,) = cli("budget", repository, "--json").json["audiences"]
        return float(next(one["spent"] for one in audience["objects"] if one["path"] == "config/app.toml"))

    assert cli(*words, "--root", repository).code == 0
    told = spent()
    assert told > 2
    for chosen in (["--root", repository, "--staged"], ["--root", repository / "config" / "app.toml"]):
        ran = cli(*words, *chosen)
        before = [one["before"] for one in ran.json["spent"] if one["path"].endswith("app.toml")]
        assert before and min(before) >= told, chosen
        assert spent() >= told


def test_a_file_name_cannot_act_in_a_terminal_or_a_workflow() -> None:
    name = "a\x1b]0;x\x07\r\n::error::b,line=1\x9b2J\u2028.py"
    (line,) = workflow_commands([("low", name, 1, name, name)])
    assert not [letter for letter in line if not letter.isprintable() and letter != " "]
    head, _, message = line.removeprefix("::").partition("::")
    assert "%3A%3Aerror" in head and message.startswith("a")


@pytest.mark.parametrize(("require", "capability"), [(False, "run_tests"), (True, "lint"), (False, "lint")])
def test_without_a_sandbox_it_warns_first_and_runs_neither_code_nor_what_requires_one(
    cli: Cli, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, require: bool, capability: str
) -> None:
    monkeypatch.setattr("plantwin.private.execution.sandbox.bubblewrap", lambda: None)
    config = tmp_path / "config.toml"
    config.write_text(f"[sandbox]\nrequire = {str(require).lower()}\n")
    ran = cli("do", capability, tree, "--config", config, "--json")
    assert "WARNING: no sandbox (" in ran.err
    refused = (require, capability) != (False, "lint")
    assert ran.code == int(refused)
    assert ["no_sandbox" in each["reason"] for each in ran.json["not_done"]] == [True] * refused


@pytest.mark.parametrize(
    ("names", "headline", "covered"),
    [(["a.bin"], "Nothing was examined.", (1, 0)), (["a.bin", "a.py"], "No findings in what was examined.", (2, 1))],
)
def test_a_named_file_that_is_none_to_read_counts(
    names: list[str], headline: str, covered: tuple[int, int], cli: Cli, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.bin").write_bytes(bytes(range(256)) * 8)
    (folder / "a.py").write_text("x = 1\n")
    paths = [folder / name for name in names]
    told = cli("do", "secret_scan", *paths, "--json").json
    assert (told["summary"]["headline"], told["summary"]["complete"]) == (headline, False)
    assert examined(told) == covered
    assert cli("do", "secret_scan", *paths, "--fail-on", "unexamined").code == 1
