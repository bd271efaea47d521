"""Text capabilities through a whole session: sandbox, gatekeeper, what the planner hears, what the person gets."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

import pytest
from capability_inputs import SHOP

from plantwin.boundary.approval import Answer, Question
from plantwin.private.report.session import write

_spec = importlib.util.spec_from_file_location("text_scenes", Path(__file__).parents[2] / "promises" / "scenes.py")
assert _spec is not None and _spec.loader is not None
scenes = sys.modules.setdefault("text_scenes", importlib.util.module_from_spec(_spec))
_spec.loader.exec_module(scenes)

REQUIREMENTS, POLICY = "@semantic_class=requirements_spec", "@semantic_class=policy_document"
CONFIG = "@semantic_class=environment_config"


class Yes:
    """A person who approves everything."""

    def ask(self, question: Question) -> Answer:
        return Answer(question.digest, True)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("shop") / "shop"
    shutil.copytree(SHOP, root)
    (root / ".env.example").unlink()  # leaves staging and production, which both depart from the requirements
    return root


def heard(root: Path, state: Path, steps: list[dict], goal: str, **options):
    made, planner = scenes.session(root, state, [{"steps": steps}], goal, **options)
    assert not made.error, made.error
    (outcomes,) = scenes.outcomes(planner)
    return made, outcomes


def test_constraints_similar_objects_and_a_report(shop: Path, tmp_path: Path) -> None:
    steps = [
        scenes.step("extract_constraints", REQUIREMENTS, CONFIG, id_="s1"),
        scenes.step("classify", CONFIG, id_="s2"),
        scenes.step("search_similar", CONFIG, id_="s3"),
        scenes.step("report", "s1", "s2", "s3", id_="s4"),
    ]
    goal = "Extract the requirements and constraints, classify the environment config, find similar settings, report"
    made, outcomes = heard(shop, tmp_path / "state", steps, goal)
    assert [each["status"] for each in outcomes] == ["done"] * 4, made.errors
    assert "out_of_step" in outcomes[0]["tags"]
    assert outcomes[2]["count"] in ("one", "few")
    report = write(made, tmp_path)
    text = report.read_text()
    assert "Where they disagree" in text and "What to do next" in text
    (path,) = made.documents[1, "s4"]
    assert path.read_text().startswith("# Report")


def test_a_redacted_copy_needs_a_person(shop: Path, tmp_path: Path) -> None:
    steps = [scenes.step("redact_document", REQUIREMENTS)]
    goal = "Redact the requirements so that they can be shared outside"
    made, outcomes = heard(shop, tmp_path / "one", steps, goal)
    assert outcomes == [{"status": "escalated"}]
    made, outcomes = heard(shop, tmp_path / "two", steps, goal, approver=Yes())
    assert outcomes[0]["status"] == "done" and "Marlowe" not in str(outcomes)
    write(made, tmp_path)
    (path,) = made.documents[1, "s1"]
    text = path.read_text()
    assert "agreed with <PERSON_NAME_1>" in text and "Philippa" not in text
