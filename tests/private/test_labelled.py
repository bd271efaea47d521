"""Extraction on labelled files over ten domains: how often kind, family and class are right."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from pathlib import Path

import pytest

from plantwin import Environment
from plantwin.vocabulary import SemanticClass, member

TESTS = Path(__file__).parent.parent
SETS = {
    "labelled": ("labels.toml",),
    "labelled_more": ("labels-a.toml", "labels-b.toml"),
}
GOALS = {"kind": 0.97, "family": 0.92, "semantic_class": 0.88}


@pytest.fixture(scope="module", params=SETS)
def compared(request):
    """Each labelled row of a set beside what the scan of its domain's folder said."""
    folder = TESTS / request.param
    rows = [row for name in SETS[request.param] for row in tomllib.loads((folder / name).read_text())["file"]]
    found = {}
    for domain in {row["path"].split("/")[0] for row in rows}:
        environment = Environment(folder / domain, keep=False, ignore=False)
        for record in environment.scan(jobs=1).records():
            found[f"{domain}/{record.path}"] = record
    assert len(rows) >= 150
    assert len({row["path"].split("/")[0] for row in rows}) == 10
    return [(row, found[row["path"]]) for row in rows]


def right(row, record, field):
    """Whether a field agrees with the label; another class that is equally right counts."""
    classes = [row["semantic_class"], *row.get("also", [])]
    if field == "semantic_class":
        return record.semantic_class in classes
    if field == "family":
        return record.family in {member(SemanticClass, each).family for each in classes}
    return getattr(record, field) == row[field]


@pytest.mark.parametrize("field", GOALS)
def test_share_right(compared, field, record_property):
    by_domain = defaultdict(list)
    for row, record in compared:
        by_domain[row["path"].split("/")[0]].append(right(row, record, field))
    share = sum(map(sum, by_domain.values())) / len(compared)
    report = {domain: round(sum(each) / len(each), 3) for domain, each in sorted(by_domain.items())}
    record_property(field, report)
    print(f"{field}: {share:.3f} over {len(compared)} files, {report}")
    assert share >= GOALS[field], report


def test_names_that_mislead_do_not_decide(compared):
    misled = [(row, record) for row, record in compared if row.get("name") == "misleading"]
    assert len(misled) >= 20
    share = sum(right(row, record, "family") for row, record in misled) / len(misled)
    assert share >= 0.75


def test_wrong_answers_are_rarely_sure(compared):
    sure = [(row, record) for row, record in compared if record.confidence == "high"]
    assert sum(right(row, record, "semantic_class") for row, record in sure) / len(sure) >= 0.9


def test_credentials_are_never_called_low(compared):
    for row, record in compared:
        if row["kind"] == "secret_container" and row["sensitivity"] == "high":
            assert record.sensitivity != "low", row["path"]


def test_sensitivity_mostly_agrees(compared):
    agreed = sum(record.sensitivity == row["sensitivity"] for row, record in compared)
    assert agreed / len(compared) >= 0.8
