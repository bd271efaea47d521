"""DevOps, API and frontend through the real gatekeeper and the sandboxed worker."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from capability_inputs import SHOP

from plantwin.boundary.approval import Answer, Question
from plantwin.cloud.scripted import Scripted
from plantwin.config.settings import load_settings
from plantwin.session import run
from plantwin.workspace import Workspace

SETTINGS = "[budget.thresholds.sensitivity]\nlow = 30\nrestricted = 30\nhigh = 30\n"
PRIVATE = ("Tangerine", "Marzipan", "thornbury", "quillfjord", "fernhill", "openapi", "/api/")
CASES = {
    "validate_config": (
        "Validate the deployment manifests of the containers",
        ("deploy_manifest", "container_build"),
        ("done", "SETTING-"),
    ),
    "compare_environments": (
        "Compare the configuration of the environments with the credentials",
        ("environment_config", "credentials_file"),
        ("done", "settings:"),
    ),
    "audit_infrastructure": (
        "Audit the infrastructure of the cluster",
        ("infra_module",),
        ("done", "PostgreSQL (5432) can be reached from the whole internet"),
    ),
    "check_api_contract": (
        "Check the app entrypoint against its API contract",
        ("api_contract", "app_entrypoint"),
        ("done", "`shop/app.py:45`"),
    ),
    "check_accessibility": (
        "Check the pages and forms for accessibility",
        ("authentication_form",),
        ("done", "The page does not state its language"),
    ),
}


class Willing:
    """A person who agrees."""

    def ask(self, question: Question) -> Answer:
        return Answer(question.digest, approved=True)


@pytest.mark.parametrize("capability", CASES)
def test_one_step_over_the_shop(tmp_path: Path, capability: str) -> None:
    goal, classes, (status, shown) = CASES[capability]
    root = tmp_path / "shop"
    shutil.copytree(SHOP, root)
    config = tmp_path / "config.toml"
    config.write_text(SETTINGS)
    step = {"id": "s1", "capability": capability, "inputs": [f"@semantic_class={each}" for each in classes]}
    planner = Scripted([{"steps": [step]}])
    workspace = Workspace(root, state=tmp_path / "state", jobs=1, settings=load_settings(config), approver=Willing())
    try:
        made = run(goal, workspace, planner)
    finally:
        workspace.close()
    messages = [json.loads(each) for each in planner.received]
    told = [step["outcome"] for each in messages if each["message"] == "results" for step in each["steps"]]
    assert [each["status"] for each in told] == [status]
    assert shown in made.results[1, "s1"].text
    sent = json.dumps([each for each in messages if each["message"] == "results"])
    assert not [word for word in PRIVATE if word in sent]
