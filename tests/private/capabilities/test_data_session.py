"""Data and database work through the real gatekeeper and the sandboxed worker."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from capability_inputs import SHOP

from plantwin.boundary.approval import Answer, Question
from plantwin.cloud.scripted import Scripted
from plantwin.config.settings import load_settings
from plantwin.session import run
from plantwin.workspace import Workspace

GOAL = "Profile the orders, check the data quality and review the migrations and the queries"
SETTINGS = "[budget.thresholds.sensitivity]\nlow = 40\nrestricted = 40\nhigh = 40\n"


class Willing:
    """A person who agrees."""

    def ask(self, question: Question) -> Answer:
        return Answer(question.digest, approved=True)


def test_orders_are_profiled_and_migrations_reviewed(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    shutil.copytree(SHOP, root)
    # One of each class, so that a selector means one object whatever the order they are shown in.
    (root / "migrations" / "001_customers_and_orders.sql").unlink()
    (root / "data" / "shop.db").unlink()
    (tmp_path / "config.toml").write_text(SETTINGS)
    steps = [
        {"id": "s1", "capability": "profile_data", "inputs": ["@semantic_class=transaction_records"]},
        {"id": "s2", "capability": "review_migrations", "inputs": ["@semantic_class=database_migration"]},
        {"id": "s3", "capability": "check_data_quality", "inputs": ["@semantic_class=transaction_records"]},
        {"id": "s4", "capability": "review_queries", "inputs": ["@semantic_class=database_migration"]},
        {"id": "s5", "capability": "validate_schema", "inputs": ["@semantic_class=database_migration"]},
    ]
    planner = Scripted([{"steps": steps}])
    workspace = Workspace(
        root, state=tmp_path / "state", jobs=1, settings=load_settings(tmp_path / "config.toml"), approver=Willing()
    )
    try:
        run(GOAL, workspace, planner)
    finally:
        workspace.close()
    told = [json.loads(each) for each in planner.received]
    outcomes = [step["outcome"] for each in told if each["message"] == "results" for step in each["steps"]]
    assert [each["status"] for each in outcomes] == ["done"] * 5
    assert outcomes[1]["tags"] == ["locking"]
    assert [each["severity"] for each in outcomes[1:4]] == ["low", "low", "none"]
    sent = b"".join(each if isinstance(each, bytes) else each.encode() for each in planner.received)
    assert b"Thornquist" not in sent
    assert b"orders.csv" not in sent
