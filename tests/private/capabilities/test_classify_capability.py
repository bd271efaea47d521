"""Parts by kind: log lines, columns, sections, functions, settings, findings."""

from __future__ import annotations

from capability_inputs import Run, earlier, given

from plantwin.private.capabilities.engine.job import Input


def kinds(run: Run, each: Input | str) -> dict[str, int]:
    """Kinds with their counts; the outcome passes the boundary whole."""
    result = run("classify", each)
    (found,) = result.facts.values()
    return found["kinds"]  # type: ignore[index]


def test_log_lines_by_level(run: Run) -> None:
    assert kinds(run, "logs/application.log") == {"info": 6, "error": 5, "warning": 2, "critical": 1}
    result = run("classify", "logs/application.log")
    assert result.outcome["tags"] == ["errors"]
    assert "| shop.auth.service |  | 2 |  |  |" in result.text
    assert "| sign-in |  | 2 |  |  |" in result.text


def test_columns_by_meaning(run: Run) -> None:
    text = run("classify", "data/orders.csv").text
    for column, meaning in {
        "id": "identifier", "customer\\_id": "identifier", "placed\\_on": "time", "title": "text",
        "quantity": "quantity", "total": "money", "status": "category",
    }.items():  # fmt: skip
        assert f"| {column} | {meaning} |" in text
    people = run("classify", "data/customers.csv")
    assert "| full\\_name | person |" in people.text and "| email | contact |" in people.text
    assert people.outcome["tags"] == ["personal_data"]
    assert "@" not in people.text


def test_sections_by_what_they_do(run: Run) -> None:
    text = (
        "Some words first.\n\n# Introduction\n\nWhat it is.\n\n# Requirements\n\nIt must work.\n\n# Installation\n\n"
        "1. Get it.\n\n# Usage\n\nRun it.\n\n# Configuration options\n\n| a | b |\n\n# Licence\n\nMIT.\n\n"
        "# Known issues\n\nNone.\n\n# Zebra\n\n1. One.\n2. Two.\n3. Three.\n\n## Stripe\n\nBlack.\n"
    )
    assert kinds(run, given("a.md", text)) == {
        "introduction": 2, "requirements": 1, "installation": 1, "procedure": 3, "reference": 1, "legal": 1,
        "open points": 1,
    }  # fmt: skip
    assert run("classify", given("a.md", text)).outcome["tags"] == ["obligations", "open_points"]


def test_functions_by_role(run: Run) -> None:
    text = """
from dataclasses import dataclass

@dataclass
class Order:
    total: int

class OrderError(Exception):
    pass

@app.route("/orders")
def orders():
    return find_orders()

def find_orders(db):
    return db.execute("SELECT * FROM orders")

def validate_order(order):
    return order.total > 0

def parse_order(text):
    return Order(int(text))

def test_parse():
    assert parse_order("1").total == 1

def _helper(x):
    return x
"""
    assert kinds(run, given("orders.py", text)) == {
        "data type": 1, "error type": 1, "handler": 1, "database access": 1, "validation": 1, "conversion": 1,
        "test": 1, "helper": 1,
    }  # fmt: skip


def test_settings_by_what_they_set(run: Run) -> None:
    assert kinds(run, "config/production.yaml") == {
        "limit": 4, "switch": 3, "address": 2, "behaviour": 2, "identity": 1,
    }  # fmt: skip
    result = run("classify", ".env")
    assert "| SECRET\\_KEY | credential |" in result.text
    assert "Tangerine" not in result.text and "4f1d9b7e" not in result.text


def test_findings_by_sort(run: Run) -> None:
    audit = run("security_audit", "shop/auth/legacy.py", "shop/orders.py")
    result = run("classify", earlier("s1", "security_audit", audit))
    assert result.facts == {
        "s1": {"sorted": "findings", "kinds": {"weak authentication": 2, "weak crypto": 1, "injection": 1}}
    }
    assert "| shop/auth/legacy.py | 3 |" in result.text
    nothing = run("classify", earlier("s1", "summarize", run("summarize", "README.md")))
    assert (nothing.outcome["status"], nothing.outcome["count"]) == ("done", "none")


def test_what_cannot_be_read(run: Run) -> None:
    assert run("classify", given("a.bin", bytes(range(256)) * 20)).outcome["tags"] == ["unparsable"]
    assert run("classify", given("a.py", "def f(:\n")).outcome["tags"] == ["unparsable"]
    assert run("classify", given("a.py", "x = 1\n" * 500_000)).outcome["tags"] == ["truncated"]
    assert run("classify", given("a.md", "")).outcome["status"] == "done"
    assert run("classify", given("a.csv", "")).outcome["status"] == "partial"
