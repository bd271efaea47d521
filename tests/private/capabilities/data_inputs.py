"""Data for capabilities: tables that a test writes itself."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

from plantwin.boundary.outcome import sanitize
from plantwin.private.capabilities import catalog
from plantwin.private.capabilities.engine.job import Result


def checked(capability: str, result: Result) -> Result:
    """The outcome passes the boundary whole."""
    assert sanitize(result.outcome, catalog()[capability]).dropped == ()
    return result


def found(result: Result) -> set[tuple[str, int, str, str]]:
    """Findings by name, line, severity and tag."""
    return {(finding.name, finding.line, finding.severity, finding.tag) for finding in result.findings}


def rules(result: Result) -> set[tuple[int, str]]:
    """Lines and rules of the findings."""
    return {(finding.line, finding.rule) for finding in result.findings}


def said(result: Result, words: str) -> bool:
    """Whether a finding says these words."""
    return any(words in finding.message for finding in result.findings)


def snapshot(seed: int, rows: int = 1500, *, center: float = 3.0, kinds: str = "aab", missing: float = 0.0) -> str:
    """A table with a skewed number, a category, an age and a date."""
    source = random.Random(seed)
    lines = ["id,amount,kind,age,placed_on"]
    for number in range(rows):
        age = "" if source.random() < missing else str(source.randint(18, 90))
        day = source.randint(1, 28)
        lines.append(f"{number},{source.lognormvariate(center, 1):.2f},{source.choice(kinds)},{age},2024-01-{day:02d}")
    return "\n".join(lines) + "\n"


def database(path: Path) -> str:
    """Orders of which one belongs to nobody."""
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), total REAL);"
        "INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bo');"
        "INSERT INTO orders VALUES (1, 1, 9.5), (2, 2, 3), (3, 7, 4.25), (4, 1, 1);"
    )
    connection.commit()
    connection.close()
    return str(path)
