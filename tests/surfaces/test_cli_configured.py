"""Configuration in `scan`: it takes part in what is found, a change is a new reading, and nothing is hushed up."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli

from plantwin import Environment

RULE = """[[rule]]
type = "badge_number"
group = "secret"
confidence = "high"
description = "Badge"
pattern = 'BDG-\\d{6}'
"""
PASSWORD = "Gr4nite#Hill7"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    (root / "note.txt").write_text("The badge BDG-123456 opens the door.\n")
    return root


def configure(root: Path) -> None:
    (root / "rules.toml").write_text(RULE)
    (root / "plantwin.toml").write_text('[detect]\nrules = ["rules.toml"]\n')


def own(tmp_path: Path, text: str) -> Path:
    place = tmp_path / "config" / "plantwin"
    place.mkdir(parents=True, exist_ok=True)
    (place / "config.toml").write_text(text)
    return place


def level(cli: Cli, root: Path, name: str = "note.txt", *options: object) -> str:
    rows = cli("objects", root, "--json", *options).json["objects"]
    return str(next(row["sensitivity"] for row in rows if row["path"] == name))


def summary(cli: Cli, root: Path) -> dict[str, Any]:
    made = cli("scan", root, "--json").json["summary"]
    assert isinstance(made, dict)
    return made


def test_a_rule_of_the_folder_raises_an_object(cli: Cli, folder: Path) -> None:
    assert level(cli, folder) == "low"
    configure(folder)
    assert level(cli, folder) == "high"


def test_a_rule_of_the_person_raises_an_object(cli: Cli, folder: Path, tmp_path: Path) -> None:
    (own(tmp_path, '[detect]\nrules = ["mine.toml"]\n') / "mine.toml").write_text(RULE)
    assert level(cli, folder) == "high"


def test_workers_have_the_configuration(cli: Cli, folder: Path) -> None:
    configure(folder)
    for number in range(60):
        (folder / f"{number}.txt").write_text(f"badge BDG-{number:06} is taken\n")
    rows = cli("objects", folder, "--json", "--path", "*.txt", "--jobs", 2).json["objects"]
    assert len(rows) == 61 and {row["sensitivity"] for row in rows} == {"high"}


def test_a_changed_configuration_reads_everything_anew(cli: Cli, folder: Path) -> None:
    configure(folder)
    for path in folder.iterdir():
        os.utime(path, (1_700_000_000, 1_700_000_000))
    with_it = summary(cli, folder)
    assert with_it["read"] == 3
    (folder / "rules.toml").write_text(RULE.replace("BDG", "XYZ"))
    other = summary(cli, folder)
    assert other["read"] == 3
    assert other["sensitivities"].get("high", 0) < with_it["sensitivities"]["high"]


def test_one_environment_notices_a_change_between_scans(folder: Path, tmp_path: Path) -> None:
    for keep in (True, False):
        environment = Environment(folder, state=tmp_path / f"state{keep}", keep=keep)
        for file in ("rules.toml", "plantwin.toml"):
            (folder / file).unlink(missing_ok=True)
        number = next(each.number for each in environment.scan().records() if each.path == "note.txt")
        environment.correct(number, "meeting_notes")
        configure(folder)
        note = next(each for each in environment.scan().records() if each.path == "note.txt")
        assert (note.sensitivity, note.semantic_class) == ("high", "meeting_notes")
        environment.close()


@pytest.mark.parametrize("text", ["[detect", "[detect]\nruls = []\n", '[detect]\nrules = ["absent.toml"]\n'])
def test_a_broken_configuration_in_the_folder_is_left_out_and_stops_nothing(text: str, cli: Cli, folder: Path) -> None:
    (folder / "plantwin.toml").write_text(text)
    for command in ("scan", "objects", "twin", "detect"):
        ran = cli(command, folder)
        assert ran.code in (0, 1) and ran.out, "1 where detect finds something"
        if command in ("scan", "detect"):
            assert "warning: plantwin.toml (in the observed folder): " in ran.err
            assert "The file is left out as a whole" in ran.err


@pytest.mark.parametrize("text", ["[detect", "[detect]\nruls = []\n", '[detect]\nrules = ["absent.toml"]\n'])
def test_a_broken_configuration_of_the_person_stops_the_command(
    text: str, cli: Cli, folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "config" / "plantwin" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    for command in ("scan", "objects", "twin", "detect"):
        ran = cli(command, folder)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith("plantwin: config.toml (your configuration): ")
        assert len(ran.err.splitlines()) == 2


def test_a_comment_is_told_and_changes_no_level(cli: Cli, folder: Path) -> None:
    (folder / "a.ini").write_text(f'password = "{PASSWORD}"\n')
    (folder / "b.ini").write_text(f'password = "{PASSWORD}"  # plantwin: allow\n')
    ran = cli("scan", folder)
    assert [line for line in ran.err.splitlines() if "allow" in line] == [
        "warning: allowed_here: a comment or the folder's own plantwin.toml allows 1 finding in 1 object,"
        " still in the sensitivity; to see: plantwin detect --allowed"
    ]
    assert level(cli, folder, "a.ini") == level(cli, folder, "b.ini") == "high"
    assert summary(cli, folder)["allowed"] == {"allowed_here": 1, "allowed_here_objects": 1}


def test_the_folders_list_is_told_and_changes_no_level(cli: Cli, folder: Path) -> None:
    (folder / "a.ini").write_text(f'password = "{PASSWORD}"\n')
    (folder / "plantwin.toml").write_text('[detect]\nallow = [{ path = "*.ini", reason = "trust me" }]\n')
    assert level(cli, folder, "a.ini") == "high"
    assert cli("scan", folder).err.count("allowed_here: ") == 1


def test_the_persons_list_lowers_a_level_and_is_told(cli: Cli, folder: Path, tmp_path: Path) -> None:
    (folder / "a.txt").write_text(f'The password = "{PASSWORD}" is for the sandbox.\n')
    assert level(cli, folder, "a.txt") != "low"
    digest = hashlib.sha256(PASSWORD.encode()).hexdigest()
    own(tmp_path, f'[detect]\nallow = [{{ sha256 = "{digest}", reason = "the sandbox" }}]\n')
    assert level(cli, folder, "a.txt") == "low"
    ran = cli("scan", folder)
    assert "allowed_by_user: your configuration allows 1 finding in 1 object, left out of the sensitivity" in ran.err
    assert "allowed_here" not in ran.err


def test_an_edit_keeps_the_count_true(cli: Cli, folder: Path) -> None:
    for name in ("a.ini", "b.ini"):
        (folder / name).write_text(f'{name[0]}_password = "{PASSWORD}"  # plantwin: allow\n')
    assert summary(cli, folder)["allowed"] == {"allowed_here": 2, "allowed_here_objects": 2}
    (folder / "a.ini").write_text(f'a_password = "{PASSWORD}"\n')
    assert summary(cli, folder)["allowed"] == {"allowed_here": 1, "allowed_here_objects": 1}
    (folder / "b.ini").unlink()
    assert summary(cli, folder)["allowed"] == {}
