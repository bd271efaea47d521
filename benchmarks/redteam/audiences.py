"""A fresh audience has a fresh budget: the same provider under another command line or another host.

Control: providers that have nothing to do with each other are told apart.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.redteam.score import Score
from plantwin.cloud.registry import Registry
from plantwin.config.planners import PlannerEntry
from plantwin.config.settings import Settings
from plantwin.private.capabilities import catalog

COMMANDS = (
    "claude", "env claude", "env -i A=1 claude", "timeout 60 claude", "nice -n 5 /usr/bin/claude", "nohup claude -p",
    "sh -c 'claude -p'", "stdbuf -oL claude", "setsid claude", "./claude", "bash ask.sh",
)  # fmt: skip
HOSTS = (
    "https://api.example.com/v1",
    "https://eu.api.example.com/v1",
    "https://API.example.com.:443/v1",
    "https://example.com/v1",
)


def attack(base: Path, short: bool) -> list[Score]:
    """Every disguise."""
    empty = Settings()
    registry = Registry(empty, catalog(), keyless=True)
    programs = {registry.planner(f"command:{command}").audience for command in COMMANDS}
    hosts = {_audience(url) for url in HOSTS}
    if _audience("https://api.example.com/v1") == _audience("https://api.example.org/v1"):
        raise AssertionError("control: two providers are two audiences")
    return [
        Score("one program under many command lines", len(COMMANDS), len(programs) - 1),
        Score("one provider under several hosts", len(HOSTS), len(hosts) - 1),
    ]


def _audience(url: str) -> str:
    settings = Settings(planners={"it": PlannerEntry(url=url, model="m")})
    return Registry(settings, catalog(), keyless=True).planner("it").audience
