"""A change is looked at from several sides, through the real gatekeeper and the sandboxed worker."""

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

GOAL = "Lint the payment module, find what a change of it touches, and run the tests"
SETTINGS = "[budget.thresholds.sensitivity]\nlow = 40\nrestricted = 40\nhigh = 40\n"
PAY = "@semantic_class=payment_module"
SUITE = "@semantic_class=test_suite"
PRICES = "def total(prices):\n    return sum(prices)\n"
TESTS = "from shop.prices import total\n\n\ndef test_total():\n    assert total([1, 2]) == 4\n"


class Person:
    """Answers as told, and remembers what was asked."""

    def __init__(self, approves: bool) -> None:
        self.approves = approves
        self.asked: list[str] = []

    def ask(self, question: Question) -> Answer:
        self.asked.append(question.step.capability)
        return Answer(question.digest, approved=self.approves)


def _step(id_: str, capability: str, *inputs: str) -> dict[str, object]:
    return {"id": id_, "capability": capability, "inputs": list(inputs)}


def _session(
    base: Path, person: Person, *steps: dict[str, object], goal: str = GOAL, only: bool = False
) -> tuple[Run, list[dict[str, Any]]]:
    root = base / "shop"
    shutil.copytree(SHOP, root)
    if only:
        shutil.rmtree(root / "tests")
        (root / "tests").mkdir()
    (root / "shop" / "prices.py").write_text(PRICES)
    (root / "tests" / "test_prices.py").write_text(TESTS)
    planner = Scripted([{"steps": list(steps)}])
    settings = base / "config.toml"
    settings.write_text(SETTINGS)
    workspace = Workspace(root, state=base / "state", jobs=1, settings=load_settings(settings), approver=person)
    try:
        made = run(goal, workspace, planner)
    finally:
        workspace.close()
    told = [json.loads(each) for each in planner.received]
    return made, [step for each in told if each["message"] == "results" for step in each["steps"]]


def test_a_change_is_looked_at_from_all_sides(tmp_path: Path) -> None:
    made, steps = _session(
        tmp_path,
        Person(True),
        _step("s1", "lint", PAY),
        _step("s2", "measure_complexity", PAY),
        _step("s3", "map_dependencies", PAY),
        _step("s4", "find_impact", "s3"),
    )
    assert [each["outcome"]["status"] for each in steps] == ["done"] * 4
    sent = json.dumps(steps)
    assert not [word for word in ("quillfjord", "payments", ".py", "test_", "psycopg2") if word in sent]
    assert "`shop/app.py`" in made.results[1, "s4"].text
    assert "`tests/test_payments.py`" in made.results[1, "s4"].text
    assert made.results[1, "s1"].facts["tool"]


def test_packages_are_audited_and_tests_run(tmp_path: Path) -> None:
    person = Person(True)
    made, steps = _session(
        tmp_path,
        person,
        _step("s1", "audit_dependencies", "@semantic_class=dependency_manifest"),
        _step("s2", "run_tests", SUITE),
        goal="Check the packages of the dependency manifest and run the test suite",
        only=True,
    )
    audited, tested = (each["outcome"] for each in steps)
    assert audited == {
        "status": "done",
        "severity": "high",
        "count": "few",
        "tags": ["known_vulnerability", "unpinned"],
    }
    assert tested == {"status": "done", "severity": "high", "count": "one", "tags": ["tests_fail"]}
    assert "run_tests" in person.asked
    assert "CVE" not in json.dumps(steps)
    assert made.results[1, "s2"].facts["modules"] == {"tests/test_prices.py": ["tests/test_prices.py::test_total"]}


def test_nothing_of_the_folder_runs_unless_a_person_agrees(tmp_path: Path) -> None:
    person = Person(False)
    made, steps = _session(tmp_path, person, _step("s1", "run_tests", SUITE), goal="Run the test suite", only=True)
    assert person.asked == ["run_tests"]
    assert steps[0]["outcome"] == {"status": "escalated"}
    assert made.results == {}


def test_impact_leads_to_the_tests_that_run(tmp_path: Path) -> None:
    made, steps = _session(tmp_path, Person(True), _step("s1", "find_impact", PAY), _step("s2", "run_tests", "s1"))
    tests = made.results[1, "s1"].facts["tests"]
    assert "tests/test_payments.py" in tests  # type: ignore[operator]
    assert made.results[1, "s2"].facts["tests"] == tests
    assert steps[1]["outcome"]["tags"] == ["tool_missing"]
