"""The page about planners tells the truth: its examples are valid, its lists complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from handed import released
from set_folders import told, written
from told import CATALOG, FIRST, witnessed

from plantwin.cloud.answer import decode_plan
from plantwin.cloud.command import AUDIENCE, PASSED
from plantwin.cloud.endpoint import ADDRESS, LOOPBACK
from plantwin.cloud.registry import BUILT_IN, Registry
from plantwin.cloud.registry import PROVIDERS as NAMED
from plantwin.cloud.scripted import Scripted
from plantwin.cloud.skill import Skill
from plantwin.cloud.transport import AGAIN
from plantwin.config.settings import load_settings
from plantwin.types.envelope import Registration
from plantwin.vocabulary import Kind

PAGE = (Path(__file__).parents[2] / "docs" / "planners.md").read_text(encoding="utf-8")


def test_every_built_in_name_variable_and_code_is_there():
    for name in set(BUILT_IN) - {"http"}:
        assert re.search(rf"`{name}[:`]", PAGE), name
    for provider in NAMED.values():
        for variable in (*provider.key_env, provider.url_env):
            assert f"`{variable}`" in PAGE
    for variable in PASSED:
        assert f"`{variable}`" in PAGE
    for audience in (ADDRESS, LOOPBACK, AUDIENCE):
        assert f"| `{audience}`, one for all of them" in PAGE
    assert ", ".join(map(str, sorted(AGAIN))) in PAGE


def test_the_size_of_the_skill_is_as_stated():
    (characters,) = re.findall(r"it has about ([\d,]+) characters", PAGE)
    assert len(Skill(CATALOG, set(Kind)).text) == pytest.approx(int(characters.replace(",", "")), rel=0.03)


def test_the_configuration_is_valid(tmp_path, monkeypatch):
    example = next(each for each in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL) if "[planner]" in each)
    (tmp_path / "config.toml").write_text(example.replace("NAME.openai", "name.openai"))
    settings = load_settings(tmp_path / "config.toml")
    monkeypatch.setenv("CORP_LLM_KEY", "x")
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "x")
    found = {name: Registry(settings, CATALOG).planner(name).audience for name in settings.planners}
    assert found == {"work": "corp", "azure": "azure", "claude": "anthropic"}


def test_the_script_names_sets_that_were_told(tmp_path):
    example = next(each for each in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL) if "[[answers]]" in each)
    (tmp_path / "script.toml").write_text(example)
    sets = (told("a", "dozens", "config infrastructure"), told("b", "several", "document runbook+readme"))
    plan = decode_plan(Scripted.from_file(tmp_path / "script.toml").plan([released(Registration(sets=sets))]))
    assert written(plan) == "audit_infrastructure a; summarize b[runbook]; find_impact s1.worst"


def test_the_planner_of_ones_own_works():
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict = {"my_service": lambda body: b'{"steps":[]}'}
    exec(compile(example, "planners.md", "exec"), names)
    planner = witnessed(names["make"]("", CATALOG))
    assert planner.plan(FIRST) == b'{"steps":[]}'
    assert planner.witnessed[0][0] == b"\n".join(each.data for each in FIRST)
