"""`plantwin capabilities`: all of them, one of them, and all of them at work."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Cli

from plantwin.private.capabilities import CATALOGS, catalog
from plantwin.private.capabilities.adapters import installed
from plantwin.private.capabilities.adapters.installed import ENGINES
from plantwin.private.capabilities.engine.grain import domain, expected, mean, most
from tables import cases, value_of

SHOP = Path(__file__).parents[2] / "examples" / "shop"
OWN = value_of(__file__, "own")


@pytest.fixture
def config(tmp_path: Path) -> str:
    path = tmp_path / "config.toml"
    path.write_text(OWN)
    return str(path)


@pytest.mark.parametrize("name", CATALOGS)
def test_every_catalog_is_listed_with_its_grain(name: str, cli: Cli) -> None:
    ran = cli("capabilities", "--catalog", name, "--json")
    assert ran.code == 0
    document = ran.json
    assert (document["catalog"], {row["name"] for row in document["capabilities"]}) == (name, set(catalog(name)))
    assert document["grain"] == pytest.approx(mean(catalog(name).values()) / 1000, abs=0.001)
    assert ("unsafe" in ran.err) == (name == "fine")
    for row in document["capabilities"]:
        assert 0 < row["grain"] <= row["price"]
    shown = cli("capabilities", "--catalog", name).out
    assert all(word.split("_")[0] in shown for word in catalog(name))


def test_coarse_tells_least_and_fine_is_never_loaded_unasked() -> None:
    grains = {name: mean(catalog(name).values()) for name in CATALOGS}
    assert grains["coarse"] < grains["orchestration"]
    unsafe = {name for name in catalog("fine") if name.startswith("unsafe_")}
    assert len(unsafe) == 3
    assert not unsafe & {*catalog(), *catalog("coarse")}
    assert all(catalog("fine")[name].approval for name in unsafe)


def test_every_word_has_a_domain() -> None:
    assert domain(catalog()["lint"]) == "coding"
    assert most(catalog()["describe"]) == expected(catalog()["describe"])


def test_ones_own_are_listed_by_their_names(config: str, cli: Cli) -> None:
    rows = {row["name"]: row for row in cli("capabilities", "--config", config, "--json").json["capabilities"]}
    assert (rows["tidy"]["own"], rows["tidy"]["like"], rows["tidy"]["domain"]) == (True, "lint", "your own")
    assert rows["tidy"]["approval"]
    assert "custom_" not in str(rows)
    shown = cli("capabilities", "show", "tidy", "--config", config).out
    assert "Like" in shown and "starts programs" in shown and "you are asked first" in shown


def test_show_tells_everything_about_one(cli: Cli) -> None:
    shown = cli("capabilities", "show", "security_audit").out
    for word in (
        "findings",
        "weak_crypto",
        "semantic_class",
        "on average",
        "3.5 points",
        "every member by itself",
        "worst",
    ):
        assert word in shown
    row = cli("capabilities", "--json", "show", "compare").json["capability"]
    assert (row["accepts"]["least"], row["works_on"], row["returns"]) == (2, "pairs", "comparison")


@pytest.mark.parametrize("name", ["cook", "unsafe_contains", "process_object"])
def test_what_is_not_there_is_bad_input(name: str, cli: Cli) -> None:
    ran = cli("capabilities", "show", name)
    assert ran.code == 2
    assert name in ran.err


# Engines as a person meets them: named by `doctor`, at work in a step's sandbox, missed where they are not

FILES = value_of(__file__, "files")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project with something to find for every engine."""
    root = tmp_path / "project"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@cases("capability", "expected")
def test_engines_work_inside_the_sandbox(cli: Cli, project: Path, capability: str, expected: set[str]) -> None:
    ran = cli("do", capability, "--root", str(project), "--json")
    assert ran.code == 0
    assert {finding["rule"] for finding in ran.json["findings"]} >= expected


def test_without_engines_what_was_not_examined_is_said(
    cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installed, "find", lambda name: None)
    ran = cli("do", "lint", "--root", str(project))
    assert ran.code == 0
    assert "not linted without" in " ".join(ran.out.split())


def test_doctor_names_every_engine_with_its_licence(cli: Cli) -> None:
    rows = {row["name"]: row for row in cli("doctor", "--json").json["checks"] if row["part"] == "engine"}
    assert rows.keys() == {engine.name for engine in ENGINES}
    for engine in ENGINES:
        assert engine.licence in rows[engine.name]["detail"] and engine.adds in rows[engine.name]["cost"]
        assert not rows[engine.name]["required"]
