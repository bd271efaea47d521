"""The page about the command line tells the truth: its examples run, its tables are complete."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from command_line import Cli

from plantwin.config.planners import PlannerEntry
from plantwin.config.policies import NAMES, policy_from_text
from plantwin.config.policy_lint import check
from plantwin.config.settings import Label, Settings, load_settings
from plantwin.private.facts import Record, Summary
from plantwin.surfaces.cli import COMMANDS

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
EXAMPLES = [line[2:] for block in BLOCKS for line in block.splitlines() if line.startswith("$ ")]
SHOP = Path(__file__).parents[2] / "examples" / "shop"


def section(name: str) -> str:
    """The part of the page under one heading."""
    return re.split(r"^## ", PAGE.partition(f"\n## {name}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def test_the_examples_run_in_order(tmp_path: Path) -> None:
    assert len(EXAMPLES) > 15
    shutil.copytree(SHOP, tmp_path / "shop")
    shutil.copytree(SHOP.parent / "plans", tmp_path / "plans")
    for example in EXAMPLES:
        program, *arguments = shlex.split(example, comments=True)
        assert program == "plantwin"
        ran = subprocess.run(
            [sys.executable, "-m", "plantwin", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert ran.returncode == ("# exit code 1" in example), (example, ran.stderr)
        assert ran.stdout, example


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_documented(name: str, cli: Cli) -> None:
    text = section(name)
    assert f"$ plantwin {name}" in text
    shared = section("For all commands")
    for option in set(re.findall(r"--[a-z-]+", cli(name, "--help").out)) - {"--help"}:
        assert option in text or f"`{option}" in shared, option


def test_every_member_of_json_is_documented() -> None:
    documented = {*re.findall(r"`(\w+)`", section("scan"))}
    assert set(Summary.__struct_fields__) <= documented
    documented = {*re.findall(r"`(\w+)`", section("objects"))}
    assert set(Record.__struct_fields__) - {"alternatives"} <= documented


# The pages on configuration and policies are complete: every key, every word, every policy

DOCS = Path(__file__).parents[2] / "docs"
CONFIGURATION = (DOCS / "configuration.md").read_text(encoding="utf-8")
POLICY = (DOCS / "policy.md").read_text(encoding="utf-8")


def keys(section: type[msgspec.Struct], before: str = "") -> Iterator[tuple[str, Any]]:
    """Every key that a file may hold, with its default."""
    for field in msgspec.structs.fields(section):
        name = f"{before}{field.encode_name}"
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            yield from keys(field.type, f"{name}.")
        elif name == "labels":
            assert get_args(get_args(field.type)[0])[0] is Label
            yield from keys(Label, "labels.")
        elif name == "planners":
            yield from keys(PlannerEntry, "planners.")
        else:
            yield name, field.default


KEYS = dict(keys(Settings))


@pytest.mark.parametrize("key", KEYS)
def test_every_key_is_documented(key: str) -> None:
    assert f"`{key}`" in CONFIGURATION


def test_no_other_key_is_documented() -> None:
    rows = re.findall(r"^\| (`.*?`) \|", CONFIGURATION, re.MULTILINE)
    assert {key for row in rows for key in re.findall(r"`([a-z_.]+)`", row)} == KEYS.keys()
    assert len(KEYS) > 50


def test_defaults_are_as_documented() -> None:
    rows = re.findall(r"^\| `([a-z_.]+)` \| ([0-9.]+|true|false|`\".*?\"`) \|", CONFIGURATION, re.MULTILINE)
    assert len(rows) > 40
    for key, text in rows:
        assert tomllib.loads(f"x = {text.strip('`')}")["x"] == KEYS[key], key


def test_the_example_is_valid(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", CONFIGURATION, re.DOTALL)
    (tmp_path / "config.toml").write_text(example)
    settings = load_settings(tmp_path / "config.toml")
    assert settings.policy.name == "team"
    assert settings.audience("azure").shared == ("azure", "openai")
    assert settings.labels_of(tmp_path, "clients/acme/a.csv") == {"private"}


def test_every_shipped_policy_is_described() -> None:
    assert all(f"| `{name}` |" in POLICY for name in NAMES)


def test_the_example_policy_is_valid() -> None:
    (example,) = re.findall(r"```cedar\n(.*?)```", POLICY, re.DOTALL)
    permit = '@id("all") permit (principal, action, resource) when { context.approved };'
    assert [each.id for each in policy_from_text(example + permit).statements] == ["payment-logs", "all"]
    assert check(example + permit, {"payment"}) == []


def test_every_attribute_is_described() -> None:
    schema = (Path(policy_from_text.__code__.co_filename).parent / "policies" / "base.cedarschema").read_text()
    for part, variable in (("Planner", "principal"), ("Object", "resource"), ("Context", "context")):
        (body,) = re.findall(rf"(?:entity|type) {part} =? ?{{(.*?)}};", schema, re.DOTALL)
        names = re.findall(r"^  ([a-z_]+):", body, re.MULTILINE)
        assert names
        for name in names:
            assert f"`{variable}.{name}`" in POLICY, name
