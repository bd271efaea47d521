"""`synth`: a folder of invented files from a twin, beside the real one or from a saved twin alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Cli, Process

from plantwin.errors import GateError
from plantwin.private.resemblance import Taken


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
