"""Snapshots that drifted, and such that did not; one rule at a time is in `rules/drift.toml`."""

from __future__ import annotations

import pytest
from capability_inputs import Run, earlier, given, said, snapshot

from plantwin.private.capabilities.tables.statistics import below, chi_square, kolmogorov, proportions, stability, welch


def test_a_shift_is_found(run: Run) -> None:
    before, after = snapshot(1), snapshot(2, center=3.8, kinds="abbc", missing=0.3)
    result = run("detect_drift", given("a.csv", before), given("b.csv", after))
    assert result.outcome["severity"] == "medium"
    assert set(result.outcome["tags"]) == {"distribution_shift", "missing_values"}  # type: ignore[call-overload]
    assert said(result, "amount: the distribution has shifted")
    assert said(result, "kind: 1 value is new")
    assert said(result, "missing now, 0 % before")
    assert not said(result, "id")
    assert "population stability index" in result.text


def test_the_same_source_is_no_drift(run: Run) -> None:
    result = run("detect_drift", given("a.csv", snapshot(1)), given("b.csv", snapshot(2)))
    assert result.outcome == {"status": "done", "severity": "none", "count": "none", "tags": ["similar"]}


def test_profiles_of_earlier_steps(run: Run) -> None:
    steps = [
        earlier(f"s{number}", "profile_data", run("profile_data", given("a.csv", text)))
        for number, text in enumerate((snapshot(1), snapshot(2), snapshot(3, center=4.0, kinds="bbba")))
    ]
    assert run("detect_drift", steps[0], steps[1]).outcome["tags"] == ["similar"]
    shifted = run("detect_drift", steps[0], steps[2])
    assert shifted.outcome["tags"] == ["distribution_shift"]
    assert run("detect_drift", steps[0], given("b.csv", snapshot(4))).outcome["tags"] == ["similar"]


def test_statistics_have_their_known_values() -> None:
    assert stability([0.5, 0.5], [0.5, 0.5]) == 0
    assert stability([0.5, 0.5], [0.6, 0.4]) == pytest.approx(0.0405, abs=1e-4)
    assert chi_square({"a": 10, "b": 20}, {"a": 20, "b": 10})[0] == pytest.approx(6.6667, abs=1e-3)
    assert chi_square({"a": 10, "b": 20}, {"a": 20, "b": 10})[1] == pytest.approx(0.00982, abs=1e-4)
    assert kolmogorov(range(100), range(100)) == (0.0, 1.0)
    assert kolmogorov(range(100), range(50, 150))[0] == pytest.approx(0.5)
    assert kolmogorov(range(100), range(50, 150))[1] < 1e-9
    one = [27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4]
    two = [27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4]
    assert welch(one, two) == pytest.approx(0.021, abs=0.0005)
    assert welch([1, 1], [1, 1]) == 1.0
    assert proportions(5, 100, 30, 100) < 0.001
    assert below([0, 1, 2, 3, 4], 2) == pytest.approx(0.5)


def test_the_year_of_a_later_snapshot_is_later(run: Run) -> None:
    before, now = ("".join(f"{first + n % 10},{n % 7}\n" for n in range(600)) for first in (1990, 2005))
    result = run("detect_drift", given("a.csv", f"year,n\n{before}"), given("b.csv", f"year,n\n{now}"))
    assert {finding.severity for finding in result.findings if "year" in finding.message} == {"low"}
