"""An incident from beginning to end, through the real gatekeeper and the sandboxed worker."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from capability_inputs import SHOP

from plantwin.boundary.approval import Answer, Question
from plantwin.cloud.scripted import Scripted
from plantwin.config.settings import load_settings
from plantwin.run import Run
from plantwin.session import run
from plantwin.workspace import Workspace

GOAL = "Find out what happened in the logs, what caused the errors, and how bad it is"
SETTINGS = "[budget.thresholds.sensitivity]\nlow = 30\nrestricted = 30\nhigh = 30\n"
"""Enough for several steps about one object."""
LOGS = ("@semantic_class=application_log", "@semantic_class=build_log")


class Willing:
    """A person who agrees."""

    def ask(self, question: Question) -> Answer:
        return Answer(question.digest, approved=True)


def _step(id_: str, capability: str, *inputs: str) -> dict[str, object]:
    return {"id": id_, "capability": capability, "inputs": list(inputs)}


def _session(base: Path, *steps: dict[str, object]) -> tuple[Run, list[dict[str, Any]]]:
    root = base / "shop"
    shutil.copytree(SHOP, root)
    planner = Scripted([{"steps": list(steps)}])
    settings = base / "config.toml"
    settings.write_text(SETTINGS)
    workspace = Workspace(root, state=base / "state", jobs=1, settings=load_settings(settings), approver=Willing())
    try:
        made = run(GOAL, workspace, planner)
    finally:
        workspace.close()
    told = [json.loads(each) for each in planner.received]
    return made, [step for each in told if each["message"] == "results" for step in each["steps"]]


def test_an_incident_is_followed_from_logs_to_code(tmp_path: Path) -> None:
    made, steps = _session(
        tmp_path,
        _step("s1", "analyze_logs", *LOGS),
        _step("s2", "trace_errors", "s1"),
        _step("s3", "correlate_events", "s1", "@semantic_class=access_log"),
        _step("s4", "build_timeline", "s1", "@semantic_class=postmortem"),
        _step("s5", "assess_exposure", "@semantic_class=credentials_file"),
    )
    told = [each["outcome"] for each in steps]
    assert [each["status"] for each in told] == ["done"] * 5
    assert "suspect_found" in told[1]["tags"]
    assert "recent_change" in told[2]["tags"]
    assert "burst" in told[3]["tags"]
    assert (told[4]["severity"], "wide_access" in told[4]["tags"]) == ("critical", True)
    sent = json.dumps(steps)
    assert "quillfjord" not in sent
    assert "09:0" not in sent
    assert "`shop/payments/quillfjord_gateway.py`" in made.results[1, "s2"].text
    assert "`tests/test_payments.py`" in made.results[1, "s2"].text
    assert "logs/deploy.log:1" in made.results[1, "s3"].text
    assert "09:31" in made.results[1, "s4"].text
