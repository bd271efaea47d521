"""Scripted planners, settings and looks at what left, for tests of whole sessions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

GOAL = "Look at src/store.py"


def script(folder: Path, *answers: Any, name: str = "script.json", **keys: str) -> str:
    """The name of a planner that gives these answers."""
    path = folder / name
    path.write_text(json.dumps({"answers": list(answers), **keys}))
    return f"scripted:{path}"


def step(id_: str, capability: str, *inputs: Any, **more: Any) -> dict[str, Any]:
    """One step of a plan."""
    return {"id": id_, "capability": capability, "inputs": list(inputs), **more}


def plan(*steps: dict[str, Any]) -> dict[str, Any]:
    """A plan of these steps."""
    return {"steps": list(steps)}


def settings(folder: Path, text: str, name: str = "settings.toml") -> Path:
    """A file of settings."""
    path = folder / name
    path.write_text(text)
    return path


def ids(document: Any, path: str, part: str = "") -> str:
    """The id under which a run showed an object."""
    (found,) = [each for each in document["spent"] if each["path"] == path and each.get("part", "") == part]
    return str(found["object_id"])


def spent(document: Any, path: str) -> float:
    """What a run says is spent on an object."""
    (found,) = [each["spent"] for each in document["spent"] if each["path"] == path]
    return float(found)


def heard(document: Any) -> list[Any]:
    """The outcomes that left, envelope by envelope."""
    messages = [json.loads(each) for each in document["outbound"]]
    return [[each["outcome"] for each in message["steps"]] for message in messages if message["message"] == "results"]
