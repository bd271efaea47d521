"""`plantwin budget`: what was told, joined with what is here now."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from command_line import HOSTILE, Cli

from scripts import GOAL, plan, script, settings, step

DESCRIBE = plan(step("d", "describe", "@kind=config"))


@pytest.fixture
def told(cli: Cli, tree: Path, tmp_path: Path) -> float:
    """An audience that was told about the one config: what it cost."""
    cli("run", GOAL, "--per-object", "--root", tree, "--planner", script(tmp_path, DESCRIBE), "--json")
    return amount(cli, tree, "config/app.toml")


def row(cli: Cli, root: Path, path: str, audience: str = "scripted", *more: object) -> dict[str, Any]:
    document = cli("budget", "--root", root, "--json", *more).json
    (mine,) = [each for each in document["audiences"] if each["audience"] == audience]
    (found,) = [each for each in mine["objects"] if each["path"] == path]
    return dict(found)


def amount(cli: Cli, root: Path, path: str, audience: str = "scripted", *more: object) -> float:
    return float(row(cli, root, path, audience, *more)["spent"])


def test_nobody_was_told_anything(cli: Cli, tree: Path) -> None:
    ran = cli("budget", "--root", tree)
    assert (ran.code, ran.out) == (0, "No audience has been told anything.\n")
    assert cli("budget", "--root", tree, "--json").json["audiences"] == []
    assert "was told nothing" in cli("budget", "--root", tree, "--audience", "acme").out
    assert "Nobody has been told" in cli("budget", "--root", tree, "--object", ".env").out


def test_bars_for_every_object(cli: Cli, tree: Path, told: float) -> None:
    assert told > 2
    ran = cli("budget", "--root", tree)
    assert ran.code == 0
    (line,) = [each for each in ran.out.splitlines() if each.startswith("  config/app.toml")]
    assert "█" in line and f"{told:.1f}" in line and "150.0" in line and f"{told / 150:.0%}" in line
    assert ran.out.startswith("1 audience has been told something.\n") and "Audience scripted" in ran.out
    assert "\x1b" not in ran.out and HOSTILE not in ran.out


def test_how_many_objects_look_the_same_and_what_the_next_word_would_leave(cli: Cli, tree: Path, told: float) -> None:
    document = cli("budget", "explain", "config/app.toml", "--root", tree, "--json").json
    (mine,) = document["audiences"]
    assert (mine["audience"], mine["alike"]) == ("scripted", 1) and "kind=config" in mine["told"]
    (stranger,) = cli("budget", "explain", ".env", "--root", tree, "--audience", "acme", "--json").json["audiences"]
    assert stranger["alike"] == document["objects"] and stranger["told"] == []
    left = {each["word"]: each["alike"] for each in stranger["next"]}
    assert left["kind=secret_container"] == 1 < document["k"]
    shown = cli("budget", "explain", ".env", "--root", tree, "--audience", "acme").out
    assert f"To acme, {document['objects']} objects look like .env" in shown and f"fewer than {document['k']}" in shown
    assert stranger["accountant"] == "k-anonymity" and "k-anonymity: A point is a nat:" in shown and "points" in shown
    for wrong in (["explain"], ["explain", "a", "b"], [str(tree), "reset"]):
        assert cli("budget", *wrong, "--root", tree).code == 2


@pytest.mark.parametrize("accountant", ["calibrated", "entropy", "k-anonymity"])
def test_each_accountant_counts_in_nats_and_says_what_that_means(
    cli: Cli, tree: Path, tmp_path: Path, accountant: str
) -> None:
    chosen = ("--config", settings(tmp_path, f'[budget]\naccountant = "{accountant}"\nration_local = true\n'))
    cli("run", GOAL, "--per-object", "--root", tree, "--planner", script(tmp_path, DESCRIBE), "--json", *chosen)
    ran = cli("budget", "--root", tree, *chosen)
    assert "A point is a nat" in ran.out and "privacy.md" in ran.out
    document = cli("budget", "--root", tree, "--json", *chosen).json
    assert document["accountant"] == accountant
    assert all(each["accountant"] == accountant for each in document["audiences"])
    if accountant == "k-anonymity":  # these few files share no class: their kind is told, and what all of them share
        told = {word for mine in document["audiences"] for each in mine["objects"] for word in each["told"]}
        assert "kind=config" in told and not any(word.startswith(("semantic_class=", "contains=")) for word in told)


def test_one_object_with_everything_told(cli: Cli, tree: Path, told: float) -> None:
    document = cli("budget", "--root", tree, "--object", "config/app.toml", "--json").json
    units = [each["unit"] for each in document["told"]]
    assert units[0] == "kind=config" and any(each.startswith("semantic_class=") for each in units)
    assert sum(each["cost"] for each in document["told"]) == told
    shown = cli("budget", "--root", tree, "--object", "config/app.toml").out
    assert "kind: config" in shown and "class: " in shown
    assert cli("budget", "--root", tree, "--object", "absent").code == 2


@pytest.mark.parametrize("how", ["rename", "move", "copy", "edit", "git"])
def test_a_new_name_is_no_new_budget(how: str, cli: Cli, tree: Path, told: float) -> None:
    old, new = tree / "config" / "app.toml", tree / "settings" / "renamed.toml"
    new.parent.mkdir()
    if how == "copy":
        shutil.copy(old, new)
    elif how == "edit":
        old.write_text(old.read_text() + "# a comment\n")
        new = old
    elif how == "git":
        commands = ["init -q", "add .", "commit -qm one", "mv config/app.toml settings/renamed.toml", "commit -qm two"]
        for arguments in commands:
            subprocess.run(
                ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments.split()], cwd=tree, check=True
            )
        new.write_text(new.read_text() + "[more]\nvalue = 1\n")
    else:
        old.rename(new)
    assert amount(cli, tree, str(new.relative_to(tree))) == told


def test_moving_the_whole_folder_is_no_new_budget(cli: Cli, tree: Path, tmp_path: Path) -> None:
    (tree / "config" / "app.toml").write_text("".join(f"key{number} = {number * 7919}\n" for number in range(40)))
    cli("run", GOAL, "--per-object", "--root", tree, "--planner", script(tmp_path, DESCRIBE), "--json")
    told = amount(cli, tree, "config/app.toml")
    moved = tree.rename(tmp_path / "elsewhere")
    assert amount(cli, moved, "config/app.toml") == told > 2


def test_what_is_gone_is_counted(cli: Cli, tree: Path, told: float) -> None:
    (tree / "config" / "app.toml").unlink()
    (tree / "README.md").unlink()
    document = cli("budget", "--root", tree, "--json").json
    assert document["audiences"][0]["gone"] == 2
    assert "no longer here (2 objects)" in cli("budget", "--root", tree).out


def test_audiences_apart_and_together(cli: Cli, tree: Path, tmp_path: Path, told: float) -> None:
    planner = script(tmp_path, audience="acme", locality="remote")
    cli("run", GOAL, "--per-object", "--root", tree, "--planner", planner, "--json")
    assert amount(cli, tree, "config/app.toml", "acme") == 1.946
    config = settings(tmp_path, '[audiences]\ncolluding = [["acme", "scripted"]]\n')
    assert amount(cli, tree, "config/app.toml", "acme", "--config", config) == told
    assert "shares a budget with scripted" in cli("budget", "--root", tree, "--config", config).out
    only = cli("budget", "--root", tree, "--audience", "acme", "--json").json["audiences"]
    assert [each["audience"] for each in only] == ["acme"]


def test_running_again_tells_nothing_twice(cli: Cli, tree: Path, tmp_path: Path, told: float) -> None:
    for _ in range(2):
        cli("run", GOAL, "--per-object", "--root", tree, "--planner", script(tmp_path, DESCRIBE), "--json")
    units = cli("budget", "--root", tree, "--object", "config/app.toml", "--json").json["told"]
    assert len({each["unit"] for each in units}) == len(units)
    assert row(cli, tree, "config/app.toml")["spent"] <= row(cli, tree, "config/app.toml")["threshold"]


def test_reading_writes_nothing_and_lists_only_what_was_told(cli: Cli, tree: Path, tmp_path: Path, told: float) -> None:
    for number in range(5):
        # Of the same sort, and with other values: a copy with a comment more would be the same content.
        text = f'[server]\nport = {9100 + number}\n\n[cache]\nhost = "cache{number}.example.org"\nttl = {number + 31}\n'
        (tree / "config" / f"alike{number}.toml").write_text(text)
    (tree / "config" / "app.toml").rename(tree / "moved.toml")
    before = cli("audit", "verify", "--json").json
    document = cli("budget", "--root", tree, "--json").json
    cli("budget", "--root", tree)
    cli("budget", "--root", tree, "--object", "moved.toml")
    assert cli("audit", "verify", "--json").json == before
    paths = {each["path"] for each in document["audiences"][0]["objects"]}
    assert "moved.toml" in paths
    assert not [each for each in paths if "alike" in each]


def test_copies_share_an_account_and_count_once(cli: Cli, tree: Path, told: float) -> None:
    alone = cli("budget", "--root", tree, "--json").json["audiences"][0]["normalized_leakage"]
    for number in range(5):
        shutil.copy(tree / "config" / "app.toml", tree / f"copy{number}.toml")
    document = cli("budget", "--root", tree, "--json").json["audiences"][0]
    assert {each["path"] for each in document["objects"]} >= {f"copy{number}.toml" for number in range(5)}
    assert document["normalized_leakage"] == alone


def test_counts_of_who_never_sent_are_reset_and_the_trail_says_so(cli: Cli, tree: Path, told: float) -> None:
    assert cli("run", "Are there secrets?", tree).code == 0
    ran = cli("budget", "reset", "--json")
    assert (ran.code, ran.json["reset"]) == (0, ["offline", "scripted"])
    assert cli("budget", tree).out == "No audience has been told anything.\n"
    assert [line["body"]["audience"] for line in cli("audit", "show", "--kind", "reset", "--json").json["lines"]]
    assert cli("audit", "verify").code == 0


@pytest.mark.parametrize(
    ("audience", "written", "why"),
    [
        ("acme", "", "stood in for a remote one"),
        ("nobody", "", "never told"),
        ("scripted", "[budget]\nration_local = true\n", "ration_local"),
    ],
)
def test_no_other_audience_is_reset(
    cli: Cli, tree: Path, tmp_path: Path, told: float, audience: str, written: str, why: str
) -> None:
    remote = script(tmp_path, DESCRIBE, audience="acme", locality="remote")
    cli("run", GOAL, tree, "--planner", remote, "--send", "--json")
    ran = cli("budget", "reset", "--audience", audience, "--config", settings(tmp_path, written))
    assert ran.code == 1 and why in ran.out and "not reset" in ran.out
    assert not cli("audit", "show", "--kind", "reset", "--json").json["lines"]
