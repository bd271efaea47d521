"""Inputs for capabilities, runs of them in this process, and views of their results."""

from __future__ import annotations

import random
import sqlite3
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from plantwin.private.capabilities.engine.job import Input, Link, Neighbour, Result, Surroundings

SHOP = Path(__file__).parents[3] / "examples" / "shop"
TRACES = tomllib.loads(Path(__file__).with_name("traces.toml").read_text("utf-8"))
CLEAN = {"status": "done", "severity": "none", "count": "none", "tags": []}
UNPARSABLE = {"status": "failed", "tags": ["unparsable"]}
LEVELS = ("low", "medium", "high", "critical")
Run = Callable[..., Result]


def shop(name: str, part: str = "") -> Input:
    """A file of the example shop."""
    return Input(name=name, file=str(SHOP / name), part=part)


def given(name: str, text: str | bytes) -> Input:
    """Content under a name."""
    return Input(name=name, data=text.encode() if isinstance(text, str) else text)


def earlier(step: str, capability: str, result: Result) -> Input:
    """The result of an earlier step, as a later one gets it."""
    return Input(name=step, capability=capability, result=msgspec.json.decode(msgspec.json.encode(result)))


def found(result: Result, *, least: str = "low") -> set[tuple[int, str]]:
    """Lines with their rules, of findings that are at least so bad."""
    worse = LEVELS[LEVELS.index(least) :]
    return {(finding.line, finding.rule) for finding in result.findings if finding.severity in worse}


def rules(result: Result, *, least: str = "low") -> set[str]:
    """The rules alone."""
    return {rule for _, rule in found(result, least=least)}


def places(result: Result) -> set[tuple[str, int, str, str]]:
    """Findings by name, line, severity and tag."""
    return {(finding.name, finding.line, finding.severity, finding.tag) for finding in result.findings}


def said(result: Result, words: str) -> bool:
    """Whether a finding says these words."""
    return any(words in finding.message for finding in result.findings)


def beside(names: Mapping[str, tuple[str, ...]], semantic_class: str = "") -> Surroundings:
    """A folder with these files, each with its settings."""
    return Surroundings(
        objects=tuple(
            Neighbour(name, "config", semantic_class, keys=tuple((key, 1) for key in keys))
            for name, keys in names.items()
        )
    )


def around(
    objects: Mapping[str, str], links: list[tuple[str, str, str, str]], inputs: tuple[str, ...] = ()
) -> Surroundings:
    """Surroundings from names with classes, and links by name."""
    names = list(objects)
    kinds = {"test_suite": "code_file", "environment_config": "config", "credentials_file": "secret_container"}
    return Surroundings(
        objects=tuple(
            Neighbour(name=name, kind=kinds.get(each, "code_file"), semantic_class=each, freshness="stale")
            for name, each in objects.items()
        ),
        links=tuple(Link(names.index(one), edge, reason, names.index(two)) for one, edge, reason, two in links),
        inputs=tuple(names.index(name) if name in objects else -1 for name in inputs),
    )


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
