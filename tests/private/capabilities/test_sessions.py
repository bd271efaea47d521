"""Work of each domain through whole sessions: the real gatekeeper, the sandboxed worker, what each side hears."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from capability_inputs import SHOP

from plantwin.cloud.scripted import Scripted
from plantwin.config.settings import load_settings
from plantwin.private.report.session import write
from plantwin.run import Run
from plantwin.session import run
from plantwin.types.approval import Answer, Question
from plantwin.workspace import Workspace

SETTINGS = '[twin]\nmode = "objects"\n[budget.thresholds.sensitivity]\nlow = 40\nrestricted = 40\nhigh = 40\n'
"""Objects one by one, and enough for several steps about one of them."""
PAYMENTS = "@semantic_class=payment_module"
SUITE = "@semantic_class=test_suite"
ORDERS = "@semantic_class=transaction_records"
MIGRATION = "@semantic_class=database_migration"
REQUIREMENTS = "@semantic_class=requirements_spec"
CONFIG = "@semantic_class=environment_config"
LOGS = ("@semantic_class=application_log", "@semantic_class=build_log")


class Person:
    """Answers as told, and remembers what was asked."""

    def __init__(self, approves: bool) -> None:
        self.approves = approves
        self.asked: list[str] = []

    def ask(self, question: Question) -> Answer:
        self.asked.append(question.step.capability)
        return Answer(question.digest, approved=self.approves)


class Held:
    """A session over a copy of the example shop: its run, what its steps came to, and all that the planner got."""

    def __init__(self, base: Path, goal: str, *steps: tuple[str, ...], person: Person | None = None) -> None:
        plan = [
            {"id": f"s{number}", "capability": name, "inputs": list(inputs)}
            for number, (name, *inputs) in enumerate(steps, 1)
        ]
        planner = Scripted([{"steps": plan}])
        (base / "config.toml").write_text(SETTINGS)
        workspace = Workspace(
            base / "shop",
            state=base / "state",
            jobs=1,
            settings=load_settings(base / "config.toml"),
            approver=person or Person(True),
        )
        try:
            self.run: Run = run(goal, workspace, planner)
        finally:
            workspace.close()
        assert not self.run.error
        messages = [json.loads(received) for received in planner.received]
        results = [message for message in messages if message["message"] == "results"]
        self.sent = json.dumps(results)
        self.outcomes: list[dict[str, Any]] = [step["outcome"] for each in results for step in each["steps"]]
        self.statuses = [outcome["status"] for outcome in self.outcomes]

    def text(self, step: str) -> str:
        """The text of a step, for the person."""
        return self.run.results[1, step].text


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A folder with a copy of the shop in it."""
    shutil.copytree(SHOP, tmp_path / "shop")
    return tmp_path


@pytest.fixture
def tested(base: Path) -> Path:
    """The same, with one module and one failing test of it as the only tests."""
    root = base / "shop"
    shutil.rmtree(root / "tests")
    (root / "tests").mkdir()
    (root / "shop" / "prices.py").write_text("def total(prices):\n    return sum(prices)\n")
    test = "from shop.prices import total\n\n\ndef test_total():\n    assert total([1, 2]) == 4\n"
    (root / "tests" / "test_prices.py").write_text(test)
    return base


ONE_STEP = {
    "validate_config": (
        "Validate the deployment manifests of the containers",
        ("deploy_manifest", "container_build"),
        "SETTING-",
    ),
    "compare_environments": (
        "Compare the configuration of the environments with the credentials",
        ("environment_config", "credentials_file"),
        "settings:",
    ),
    "audit_infrastructure": (
        "Audit the infrastructure of the cluster",
        ("infra_module",),
        "PostgreSQL (5432) can be reached from the whole internet",
    ),
    "check_api_contract": (
        "Check the app entrypoint against its API contract",
        ("api_contract", "app_entrypoint"),
        "`shop/app.py:45`",
    ),
    "check_accessibility": (
        "Check the pages and forms for accessibility",
        ("authentication_form",),
        "The page does not state its language",
    ),
}


@pytest.mark.parametrize("capability", ONE_STEP)
def test_delivery_in_one_step(base: Path, capability: str) -> None:
    goal, classes, shown = ONE_STEP[capability]
    held = Held(base, goal, (capability, *(f"@semantic_class={each}" for each in classes)))
    # Without checkov, which these tests do without, infrastructure is examined in part.
    assert held.statuses == ["partial" if capability == "audit_infrastructure" else "done"]
    assert shown in held.text("s1")
    private = ("Tangerine", "Marzipan", "thornbury", "quillfjord", "fernhill", "openapi", "/api/")
    assert not [word for word in private if word in held.sent]


def test_a_change_is_looked_at_from_all_sides(base: Path) -> None:
    goal = "Lint the payment module, find what a change of it touches, and run the tests"
    sides = [(name, PAYMENTS) for name in ("lint", "measure_complexity", "map_dependencies")]
    held = Held(base, goal, *sides, ("find_impact", "s3"))
    assert held.statuses == ["done"] * 4
    assert not [word for word in ("quillfjord", "payments", ".py", "test_", "psycopg2") if word in held.sent]
    assert "`shop/app.py`" in held.text("s4") and "`tests/test_payments.py`" in held.text("s4")
    assert held.run.results[1, "s1"].facts["tool"]


def test_packages_are_audited_and_tests_run(tested: Path) -> None:
    goal = "Check the packages of the dependency manifest and run the test suite"
    manifest = "@semantic_class=dependency_manifest"
    person = Person(True)
    held = Held(tested, goal, ("audit_dependencies", manifest), ("run_tests", SUITE), person=person)
    assert held.outcomes == [
        {"status": "done", "severity": "medium", "count": "few", "tags": ["known_vulnerability", "unpinned"]},
        {"status": "done", "severity": "high", "count": "one", "tags": ["tests_fail"]},
    ]
    assert "run_tests" in person.asked
    assert "CVE" not in held.sent
    failed = {"tests/test_prices.py": ["tests/test_prices.py::test_total"]}
    assert held.run.results[1, "s2"].facts["modules"] == failed


def test_nothing_of_the_folder_runs_unless_a_person_agrees(tested: Path) -> None:
    person = Person(False)
    held = Held(tested, "Run the test suite", ("run_tests", SUITE), person=person)
    assert person.asked == ["run_tests"]
    assert held.outcomes == [{"status": "escalated"}]
    assert held.run.results == {}


def test_impact_leads_to_the_tests_that_run(base: Path) -> None:
    goal = "Lint the payment module, find what a change of it touches, and run the tests"
    held = Held(base, goal, ("find_impact", PAYMENTS), ("run_tests", "s1"))
    tests = held.run.results[1, "s1"].facts["tests"]
    assert "tests/test_payments.py" in tests  # type: ignore[operator]
    assert held.run.results[1, "s2"].facts["tests"] == tests
    assert held.outcomes[1]["tags"] == ["tool_missing"]


def test_orders_are_profiled_and_migrations_reviewed(base: Path) -> None:
    # One of each class, so that a selector means one object whatever the order they are shown in.
    (base / "shop" / "migrations" / "001_customers_and_orders.sql").unlink()
    (base / "shop" / "data" / "shop.db").unlink()
    held = Held(
        base,
        "Profile data/orders.csv, check the data quality and review the migrations and the queries",
        ("profile_data", ORDERS),
        ("review_migrations", MIGRATION),
        ("check_data_quality", ORDERS),
        ("review_queries", MIGRATION),
        ("validate_schema", MIGRATION),
    )
    assert held.statuses == ["done"] * 5
    assert held.outcomes[1]["tags"] == ["locking"]
    assert [each["severity"] for each in held.outcomes[1:4]] == ["low", "low", "none"]
    assert "Thornquist" not in held.sent and "orders.csv" not in held.sent


def test_an_incident_is_followed_from_logs_to_code(base: Path) -> None:
    held = Held(
        base,
        "Find out what happened in the logs, what caused the errors, and how bad it is",
        ("analyze_logs", *LOGS),
        ("trace_errors", "s1"),
        ("correlate_events", "s1", "@semantic_class=access_log"),
        ("build_timeline", "s1", "@semantic_class=postmortem"),
        ("assess_exposure", "@semantic_class=credentials_file"),
    )
    assert held.statuses == ["done"] * 5
    _, traced, correlated, timeline, exposure = held.outcomes
    assert "suspect_found" in traced["tags"]
    assert "recent_change" in correlated["tags"]
    assert "burst" in timeline["tags"]
    assert exposure["severity"] == "critical" and "wide_access" in exposure["tags"]
    assert "quillfjord" not in held.sent and "09:0" not in held.sent
    assert "`shop/payments/quillfjord_gateway.py`" in held.text("s2")
    assert "`tests/test_payments.py`" in held.text("s2")
    assert "logs/deploy.log:1" in held.text("s3")
    assert "09:31" in held.text("s4")


def test_constraints_similar_objects_and_a_report(base: Path) -> None:
    # Staging and production are left, which both depart from the requirements.
    (base / "shop" / ".env.example").unlink()
    held = Held(
        base,
        "Extract the requirements and constraints, classify the environment config, find similar settings, report",
        ("extract_constraints", REQUIREMENTS, CONFIG),
        ("classify", CONFIG),
        ("search_similar", CONFIG),
        ("report", "s1", "s2", "s3"),
    )
    assert held.statuses == ["done"] * 4
    assert "out_of_step" in held.outcomes[0]["tags"]
    assert held.outcomes[2]["count"] in ("one", "few")
    text = write(held.run, base).read_text()
    assert "Where they disagree" in text and "What to do next" in text
    (path,) = held.run.documents[1, "s4"]
    assert path.read_text().startswith("# Report")


@pytest.mark.parametrize("approves", [False, True])
def test_a_redacted_copy_needs_a_person(base: Path, approves: bool) -> None:
    goal = "Redact the requirements so that they can be shared outside"
    held = Held(base, goal, ("redact_document", REQUIREMENTS), person=Person(approves))
    assert held.statuses == ["done" if approves else "escalated"]
    if approves:
        assert "Marlowe" not in held.sent
        write(held.run, base)
        (path,) = held.run.documents[1, "s1"]
        text = path.read_text()
        assert "agreed with <PERSON_NAME_1>" in text and "Philippa" not in text
