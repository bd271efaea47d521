"""Settings of planners are checked whole, and have no place for a key."""

from __future__ import annotations

import pytest

from plantwin.config.planners import PlannerEntry, Price, incomplete
from plantwin.config.settings import load_settings
from plantwin.errors import ConfigError
from tables import cases


def loaded(tmp_path, text):
    (tmp_path / "config.toml").write_text(text)
    return load_settings(tmp_path / "config.toml")


def test_everything_can_be_set(tmp_path):
    settings = loaded(
        tmp_path,
        """
        [planner]
        default = "work"
        [planner.prices."openai:gpt-x"]
        input = 0.25
        output = 2
        [planners.work]
        url = "https://llm.corp.example/v1"
        model = "big"
        key_env = "WORK_KEY"
        key_header = "api-key"
        audience = "corp"
        effort = "low"
        max_tokens = 4096
        temperature = 0.5
        seed = 7
        form = "tool"
        ca = "corp.pem"
        proxy = "none"
        [planners.claude]
        kind = "command"
        command = ["claude", "-p"]
        environment = ["ANTHROPIC_API_KEY"]
        """,
    )
    assert settings.planner.default == "work"
    assert settings.planner.prices == {"openai:gpt-x": Price(input=0.25, output=2.0)}
    assert settings.planners["work"].ca == str(tmp_path / "corp.pem")
    assert settings.planners["work"].seed == 7
    assert settings.planners["claude"].command == ("claude", "-p")


@pytest.mark.parametrize(
    ("entry", "key"),
    [
        (PlannerEntry(), "model"),
        (PlannerEntry(model="m"), "url"),
        (PlannerEntry(model="m", url="https://x"), None),
        (PlannerEntry(kind="anthropic", model="m"), None),
        (PlannerEntry(kind="command"), "command"),
        (PlannerEntry(kind="command", command=("x",)), None),
        (PlannerEntry(kind="command", command=("x",), url="https://x"), "url"),
        (PlannerEntry(kind="command", command=("x",), trusted=True), "url"),
        (PlannerEntry(model="m", url="https://x", command=("x",)), "command"),
        (PlannerEntry(model="m", url="https://x", shell=True), "command"),
        (PlannerEntry(model="m", url="https://x", environment=("X",)), "command"),
    ],
)
def test_an_entry_is_complete_or_says_what_it_lacks(entry, key):
    found = incomplete(entry)
    assert (found and found[0]) == key


@cases("text", "error")
def test_what_is_wrong_is_named_and_not_quoted(tmp_path, text, error):
    with pytest.raises(ConfigError, match=error) as refused:
        loaded(tmp_path, text)
    assert "secret" not in str(refused.value).replace("secret_container", "")
